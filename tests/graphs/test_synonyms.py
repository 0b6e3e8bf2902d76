"""The command that makes synonym edges again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from graphs.synonyms import main
from tools.knowledge import open_knowledge
from tools.knowledge.retrieving.synonyms import SYNONYMS_FILE, read_synonyms, synonyms_of


class Letters:
    """Embeds a name as how often each letter stands in it."""

    def __call__(self, texts: list[str]) -> np.ndarray:
        counts = np.array(
            [[text.count(chr(letter)) for letter in range(97, 123)] for text in texts], np.float32
        )
        return counts / np.linalg.norm(counts, axis=1, keepdims=True)


@pytest.fixture(autouse=True)
def letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.embedded.embedder.embedder", Letters)


def test_a_folder_gets_its_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.tsv").write_text("source\ttarget\nstop\tposts\nxx\tyy\n", encoding="utf-8")
    assert main(["--graph", str(tmp_path)]) == 0
    assert read_synonyms(tmp_path / SYNONYMS_FILE) == [("posts", "stop", 0.945)]
    assert "1 synonym edges between 2 of 4 nodes" in capsys.readouterr().out
    assert synonyms_of(open_knowledge(tmp_path)) == [("posts", "stop", 0.945)]


def test_a_file_needs_to_be_told_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path := tmp_path / "own.tsv").write_text("source\ttarget\nstop\tposts\n", encoding="utf-8")
    assert main(["--graph", str(path)]) == 2
    assert "say where with --out" in capsys.readouterr().err
    assert main(["--graph", str(path), "--out", str(tmp_path / "new" / "table.tsv.gz")]) == 0
    assert main(["--graph", "nowhere"]) == 2
    assert main(["--graph", str(path), "--out", str(path / "table.tsv.gz")]) == 2
    assert "can't be written" in capsys.readouterr().err
