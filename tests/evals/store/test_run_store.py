from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.errors import UserError
from evals.store.run_store import RunStore, read_records
from graphs.durable.files import write_whole
from tests.evals.records_for_tests import failed, scored


def line(video_id: str) -> str:
    return scored(video_id).model_dump_json()


LINES = [line(video_id) for video_id in ("a", "b", "\u00e9\u4e2d", "d")]
WHOLE = "".join(text + "\n" for text in LINES).encode()


def ids(path: Path) -> list[str]:
    return [record.video_id for record in read_records(path)]


def test_what_is_appended_is_read_again(tmp_path: Path) -> None:
    with RunStore(tmp_path / "deep" / "run") as store:
        store.append(LINES[:1])
        store.append(LINES[1:])
        assert [record.video_id for record in store.records()] == ["a", "b", "\u00e9\u4e2d", "d"]
        assert next(store.records()) == scored("a")
    assert (tmp_path / "deep" / "run" / "records.jsonl").read_bytes() == WHOLE


@given(st.integers(0, len(WHOLE)))
@settings(deadline=None, max_examples=60)
def test_any_cut_of_the_tail_loses_at_most_the_torn_line(cut: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.jsonl"
        path.write_bytes(WHOLE[:cut])
        whole_lines = WHOLE[:cut].count(b"\n")
        torn = WHOLE[:cut].rpartition(b"\n")[2]
        complete = torn.decode(errors="replace") in LINES
        with RunStore(Path(folder)) as store:
            assert len(list(store.records())) == whole_lines + complete
            assert store.repaired == (0 if complete else len(torn))
            store.append([line("new")])
        expected = ["a", "b", "\u00e9\u4e2d", "d"][: whole_lines + complete]
        assert ids(path) == [*expected, "new"]


@given(st.binary(min_size=1, max_size=200).filter(lambda noise: b"\n" not in noise))
@settings(deadline=None, max_examples=30)
def test_noise_behind_the_last_newline_is_removed(noise: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.jsonl"
        path.write_bytes(WHOLE + noise)
        with RunStore(Path(folder)) as store:
            assert store.repaired == len(noise)
        assert path.read_bytes() == WHOLE


def test_a_torn_line_longer_than_a_block_is_removed(tmp_path: Path) -> None:
    (tmp_path / "records.jsonl").write_bytes(WHOLE + b'{"video_id": "' + b"x" * 300_000)
    with RunStore(tmp_path) as store:
        assert store.repaired == 300_014
        assert len(list(store.records())) == 4


def test_a_reader_leaves_a_torn_line_out_and_touches_nothing(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_bytes(WHOLE[:-9])
    assert ids(path) == ["a", "b", "\u00e9\u4e2d"]
    assert path.read_bytes() == WHOLE[:-9]


def test_a_bad_line_in_the_middle_is_named_not_skipped(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(LINES[0] + "\n{}\n" + LINES[1] + "\n")
    with pytest.raises(UserError, match=r"records\.jsonl, line 2 is no record \(video_id: Field required\)"):
        ids(path)


def test_a_key_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text("\n".join([line("a"), line("b"), line("a")]) + "\n")
    assert ids(path) == ["a", "b"]


def test_failures_are_set_aside_and_their_interpretations_kept(tmp_path: Path) -> None:
    away = failed("j", phase="judge")
    with RunStore(tmp_path) as store:
        store.append([record.model_dump_json() for record in (scored("a"), failed("i"), away)])
        assert store.set_aside(lambda record: not record.ok) == 2
        assert ids(store.path) == ["a"]
        assert ids(tmp_path / "failed.jsonl") == ["i", "j"]
        assert dict(store.interpreted()) == {("j", 1): away}
        store.append([line("i")])
        assert ids(store.path) == ["a", "i"]
        assert store.set_aside(lambda record: not record.ok) == 0


def test_a_second_process_is_refused_and_the_first_named(tmp_path: Path) -> None:
    imports = "import sys; from pathlib import Path; from evals.store.run_store import RunStore"
    code = f"{imports}; RunStore(Path(sys.argv[1]))"
    with RunStore(tmp_path), pytest.raises(UserError, match=r"in use by another run \(process \d+\)"):
        RunStore(tmp_path)
    with RunStore(tmp_path):
        root = Path(__file__).parents[2]
        second = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)], cwd=root, capture_output=True, text=True, check=False
        )
    assert second.returncode == 1
    assert "in use by another run (process" in second.stderr
    RunStore(tmp_path).close()


def test_a_run_directory_that_cant_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="can't be a run directory"):
        RunStore(tmp_path / "file")


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    real = os.write
    with RunStore(tmp_path) as store:
        store.append(LINES[:2])

        def half(descriptor: int, data: memoryview) -> int:
            if len(data) < 100:
                raise OSError(28, "No space left on device")
            return real(descriptor, data[: len(data) // 2])

        monkeypatch.setattr(os, "write", half)
        with pytest.raises(OSError, match="No space left"):
            store.append(LINES[2:])
        monkeypatch.undo()
        assert ids(store.path) == ["a", "b"]
        store.append(LINES[3:])
        assert ids(store.path) == ["a", "b", "d"]


def test_write_whole_replaces(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    write_whole(path, "one")
    write_whole(path, "two")
    assert path.read_text() == "two"
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.md"]
