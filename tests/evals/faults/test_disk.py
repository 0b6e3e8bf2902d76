"""A disk that is full, or may not be written to: it is said, nothing stored is lost, and the run goes on."""

from __future__ import annotations

import errno
import json
import os
import resource
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from evals.run import main
from evals.store.run_store import read_records
from tests.servers.faulty import Faulty

SAMPLES = 40


@pytest.fixture
def server() -> Iterator[Faulty]:
    with Faulty({"ok": 1}, seconds=0) as made:
        yield made


def run(server: Faulty, folder: Path, *more: str) -> int:
    given = ["--model", "openai:m", "--base-url", server.base_url, "--dataset", "ds", "--no-cache"]
    flags = ["--run-dir", str(folder), "--concurrency", "4", "--judge-k", "1", "--quiet"]
    return main(["--graph", "baseline", *given, *flags, *more])


def recorded(folder: Path) -> list[str]:
    """Ids of the records, after a look at each line: all are whole."""
    path = folder / "records.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    assert all(json.loads(line)["outcome"] == "ok" for line in lines)
    return [record.video_id for record in read_records(path)] if lines else []


def goes_on(server: Faulty, folder: Path, before: list[str]) -> None:
    """The run ends as if nothing had happened, and no call that was stored is made again."""
    asked = server.asked.total()
    assert run(server, folder) == 0
    assert recorded(folder)[: len(before)] == before
    assert sorted(recorded(folder)) == sorted(f"v{i}" for i in range(SAMPLES))
    assert server.asked.total() - asked <= 3 * (SAMPLES - len(before))
    assert server.asked.total() <= 3 * SAMPLES + 8  # what was in flight


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """The system refuses what would make a file longer."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("size", [300, 5_000, 40_000])
def test_a_file_that_may_not_grow_ends_the_run_and_loses_nothing(
    size: int, server: Faulty, data: Callable[[int], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = data(SAMPLES) / "r"
    with files_up_to(size):
        assert run(server, folder) == 1
    told = capsys.readouterr().err
    assert "error: the run can't go on: [Errno 27] File too large" in told
    assert "What was recorded stays; start again to continue." in told
    assert "Traceback" not in told
    goes_on(server, folder, recorded(folder))


def test_a_record_that_the_disk_takes_half_of_is_taken_back(
    server: Faulty,
    data: Callable[[int], Path],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder, real, left = data(SAMPLES) / "r", os.write, 20_000

    def write(descriptor: int, block: bytes) -> int:
        nonlocal left
        if not os.path.samestat(os.fstat(descriptor), (folder / "records.jsonl").stat()):
            return real(descriptor, block)
        if not left:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = real(descriptor, block[:left])
        left -= written
        return written

    with monkeypatch.context() as patch:
        patch.setattr("graphs.durable.files.os.write", write)
        assert run(server, folder) == 1
    assert "the run can't go on: [Errno 28] No space left on device" in capsys.readouterr().err
    before = recorded(folder)
    assert 0 < len(before) < SAMPLES
    goes_on(server, folder, before)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 192 kB; wants the right to mount."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = shutil.which("mount")
    if (
        mount is None
        or subprocess.run(
            [mount, "-t", "tmpfs", "-o", "size=192k", "tmpfs", str(folder)], check=False, capture_output=True
        ).returncode
    ):
        pytest.skip("no file system may be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_ends_the_run_and_loses_nothing(
    small_disk: Path, server: Faulty, data: Callable[[int], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    data(SAMPLES)
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * (120 << 10))
    assert run(server, small_disk / "r") == 1
    told = capsys.readouterr().err
    assert "error: the run can't go on: [Errno 28] No space left on device" in told
    assert "Traceback" not in told
    before = recorded(small_disk / "r")
    ballast.unlink()
    subprocess.run(["mount", "-o", "remount,size=8m", str(small_disk)], check=True)
    goes_on(server, small_disk / "r", before)


@pytest.fixture
def read_only(small_disk: Path) -> Callable[[bool], None]:
    def change(is_so: bool) -> None:
        subprocess.run(
            ["mount", "-o", f"remount,{'ro' if is_so else 'rw'},size=8m", str(small_disk)], check=True
        )

    return change


def test_a_read_only_file_system_is_refused_before_anything_is_asked_and_keeps_what_it_has(
    small_disk: Path,
    read_only: Callable[[bool], None],
    server: Faulty,
    data: Callable[[int], Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    data(SAMPLES)
    read_only(False)
    assert run(server, small_disk / "r", "--limit", "10") == 0
    asked, before = server.asked.total(), recorded(small_disk / "r")
    read_only(True)
    for folder in ("r", "new"):
        assert run(server, small_disk / folder) == 2
        told = capsys.readouterr().err
        assert "read-only" in told.lower()
        assert str(small_disk / folder) in told
        assert "Traceback" not in told
    assert (server.asked.total(), recorded(small_disk / "r")) == (asked, before)
    read_only(False)
    goes_on(server, small_disk / "r", before)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_refused_before_anything_is_asked(
    server: Faulty, data: Callable[[int], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = data(SAMPLES) / "r"
    assert run(server, folder, "--limit", "10") == 0
    asked, before = server.asked.total(), recorded(folder)
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert run(server, folder) in {1, 2}
    finally:
        folder.chmod(stat.S_IRWXU)
    assert "Permission denied" in capsys.readouterr().err
    assert server.asked.total() == asked
    goes_on(server, folder, before)
