from __future__ import annotations

import csv
import io
import shutil
import subprocess
from pathlib import Path

import pytest

from evals.report import csv_text, gather, latex_text, markdown_text
from tests.evals.records_for_tests import failed, scored
from tests.evals.report.making import make_run

HOSTILE = r"a|b & 50% $x_1$ #{\end{table}} ~^<>[--]"


def test_csv_values(tmp_path: Path) -> None:
    run = make_run(tmp_path / "r", [scored("a", 1, 9), failed("b", types=("Causal_Montage",))])
    rows = list(csv.DictReader(io.StringIO(csv_text(gather([run])))))
    assert [(row["type"], row["n"], row["loose"], row["loose_scored"]) for row in rows] == [
        ("All", "2", "45.0", "90.0"),
        ("Body_Language", "1", "90.0", "90.0"),
        ("Causal_Montage", "1", "0.0", ""),
    ]
    assert rows[1]["loose_low"] == ""
    assert float(rows[0]["strict"]) == 50.0
    assert (rows[0]["run"], rows[0]["graph"], rows[0]["model"], rows[0]["judge"]) == ("A", "boost", "m", "j")


def test_csv_holds_no_formula(tmp_path: Path) -> None:
    run = make_run(tmp_path / "r", [scored("a", model="=1+1", graph='x",y\n')])
    (row, _) = csv.DictReader(io.StringIO(csv_text(gather([run]))))
    assert (row["model"], row["graph"]) == ("'=1+1", 'x",y\n')


def test_markdown_rows_keep_their_cells(tmp_path: Path) -> None:
    text = markdown_text(gather([make_run(tmp_path / "r", [scored("a", model=HOSTILE)])]))
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert rows[2] == "| A | Body Language | 1 | 0 | 80.0 | 80.0 | 100.0 | 100.0 |"
    assert {line.replace("\\|", "").count("|") for line in rows} == {9}
    assert "a\\|b" in text


def test_latex_escapes_everything(tmp_path: Path) -> None:
    text = latex_text(gather([make_run(tmp_path / "r", [scored("a", model=HOSTILE)])]))
    assert r"a\textbar{}b \& 50\% \$x\_1\$ \#\{\textbackslash{}end\{table\}\}" in text
    assert r"{[}-{}-{]}" in text
    assert text.count(r"\end{table}") == 1


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles(tmp_path: Path) -> None:
    runs = [
        make_run(tmp_path / "r", [scored("a", model=HOSTILE), scored("b", loose=4), failed("c")]),
        make_run(tmp_path / "s", [scored("a", graph="b_c")]),
    ]
    body = latex_text(gather(runs))
    (tmp_path / "t.tex").write_text(
        "\\documentclass{article}\\begin{document}\n" + body + "\\end{document}\n"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "t.pdf").stat().st_size > 1000
