"""Decoding happens elsewhere: nothing that a decoder does reaches the caller, and nothing is left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.tools.frames.clips import numbers_of, write_numbered
from tests.tools.frames.plugged import HERE
from tools.errors import FrameError
from tools.frames import Fault, FrameSet, Sampling, aread_frames, read_frames
from tools.frames.channel import Task
from tools.frames.pool import Pool
from tools.frames.source import inspect

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX")


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    return write_numbered(tmp_path / "clip.mp4", 5)


def plugged(name: str) -> Sampling:
    return Sampling(reader=f"{HERE}:{name}")


def fault_of(clip: Path, name: str, deadline: float = 60.0) -> str:
    with pytest.raises(FrameError) as caught:
        read_frames(clip, plugged(name), deadline=deadline)
    assert caught.value.path == str(clip)
    return caught.value.fault


def wait_for(condition: object) -> None:
    """Wait until a condition holds; a test that waits in vain fails after half a minute."""
    for _ in range(600):
        if condition():  # pyright: ignore[reportCallIssue]
            return
        time.sleep(0.05)
    pytest.fail("waited in vain")


def runs(pid: int) -> bool:
    """Whether a process runs (one that ended but was not waited for does not)."""
    stat = Path(f"/proc/{pid}/stat")
    if stat.parent.parent.is_dir() and Path("/proc/self/stat").exists():
        try:
            return stat.read_text().rpartition(")")[2].split()[0] not in "ZX"
        except (FileNotFoundError, ProcessLookupError):
            return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_hanging_decoder_is_stopped_and_the_next_read_works(clip: Path) -> None:
    assert fault_of(clip, "hangs", deadline=3.0) == "not decoded within 3 s: the decoder was stopped"
    assert numbers_of(read_frames(clip).frames) == [0, 1, 2, 3, 4]
    pid = int(Path(f"{clip}.pid").read_text())
    assert not runs(pid)


@POSIX
def test_a_crashing_decoder_harms_nobody(clip: Path) -> None:
    assert fault_of(clip, "crashes") == "the decoder crashed (SIGSEGV)"
    assert numbers_of(read_frames(clip).frames) == [0, 1, 2, 3, 4]


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of address space is Linux's")
def test_a_greedy_decoder_runs_into_its_limit(clip: Path) -> None:
    assert fault_of(clip, "eats_memory") == "it takes more memory than a decoder may have"
    assert numbers_of(read_frames(clip).frames) == [0, 1, 2, 3, 4]


def test_a_reader_that_raises_is_reported_with_its_traceback(clip: Path) -> None:
    with pytest.raises(FrameError) as caught:
        read_frames(clip, plugged("raises"))
    assert caught.value.fault == f"the reader {HERE}:raises failed: ZeroDivisionError: the third table is odd"
    cause = caught.value.__cause__
    assert cause is not None
    assert "plugged.py" in cause.__notes__[0]


def test_a_reader_that_finds_nothing(clip: Path) -> None:
    assert fault_of(clip, "sees_nothing") == "no frame came out of it"


@pytest.mark.parametrize("reader", ["no.such.module:read", f"{HERE}:no_such_reader"])
def test_a_reader_that_is_not_there(clip: Path, reader: str) -> None:
    with pytest.raises(FrameError, match=f'the reader "{reader}" can\'t be loaded: '):
        read_frames(clip, Sampling(reader=reader))


def test_what_a_library_prints_does_not_mix_with_the_answers(clip: Path) -> None:
    read = read_frames(clip, plugged("talks"))
    assert (read.reader, read.warnings) == (f"{HERE}:talks", ("",))


def test_processes_are_reused_and_then_replaced(clip: Path) -> None:
    pool = Pool(size=1, tasks_per_process=2)
    task = Task(inspect(clip), str(clip), plugged("tells_process"), 60.0)
    try:
        first, second, third = (pool.run(task).warnings for _ in range(3))
    finally:
        pool.close()
    assert first == second != third
    wait_for(lambda: not runs(int(third[0])))


def test_a_process_that_died_while_idle_is_replaced(clip: Path) -> None:
    pool = Pool(size=1)
    task = Task(inspect(clip), str(clip), plugged("tells_process"), 60.0)
    try:
        (pid,) = pool.run(task).warnings
        for _ in range(5):  # at once: its end need not have been noticed when the next read begins
            os.kill(int(pid), signal.SIGKILL)
            before, (pid,) = pid, pool.run(task).warnings
            assert pid != before
    finally:
        pool.close()


def test_a_process_that_hangs_while_idle_is_replaced(clip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Pool(size=1)
    task = Task(inspect(clip), str(clip), plugged("tells_process"), 60.0)
    try:
        (pid,) = pool.run(task).warnings
        (process,) = pool._idle  # pyright: ignore[reportPrivateUsage]
        patient = process._killed_after  # pyright: ignore[reportPrivateUsage]
        monkeypatch.setattr(process, "_killed_after", lambda _seconds, late: patient(0.1, late))
        os.kill(int(pid), signal.SIGSTOP)
        assert pool.run(task).warnings != (pid,)
        assert not runs(int(pid))
    finally:
        pool.close()


def test_a_process_that_never_begins_is_told(clip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.frames.process._BOOT", "import time; time.sleep(600)  # {}")
    monkeypatch.setattr("tools.frames.process._START", 0.5)
    with pytest.raises(Fault, match=r"not begun within 0\.5 s: the decoder was stopped"):
        Pool(size=1).run(Task(inspect(clip), str(clip), Sampling(), 0.1))


def test_a_process_that_can_not_start_is_a_fault(clip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.frames.process._BOOT", "raise SystemExit('no luck')  # {}")
    pool = Pool(size=1)
    with pytest.raises(Fault, match=r"the decoder crashed \(1\)") as caught:
        pool.run(Task(inspect(clip), str(clip), Sampling(), 60.0))
    assert caught.value.__notes__ == ["its last words: no luck"]


def test_many_threads_share_the_pool(clip: Path) -> None:
    results: list[FrameSet] = []
    threads = [threading.Thread(target=lambda: results.append(read_frames(clip))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    assert set(results) == {results[0]}


async def test_the_event_loop_goes_on(clip: Path) -> None:
    read = asyncio.create_task(aread_frames(clip, plugged("waits_for_sign")))
    await asyncio.sleep(0)
    Path(f"{clip}.sign").touch()
    assert len((await read).frames) == 1


async def test_async_readers_agree_with_sync_ones(clip: Path) -> None:
    several = await asyncio.gather(*(aread_frames(clip) for _ in range(5)))
    assert set(several) == {read_frames(clip)}


@POSIX
async def test_a_cancelled_read_stops_its_decoder(clip: Path) -> None:
    note = Path(f"{clip}.pid")
    read = asyncio.create_task(aread_frames(clip, plugged("hangs")))
    while not (note.exists() and note.read_text()):  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    read.cancel()
    with pytest.raises(asyncio.CancelledError):
        await read
    wait_for(lambda: not runs(int(note.read_text())))
    assert len((await aread_frames(clip)).frames) == 5


SCRIPT = """
import sys
sys.path.insert(0, {root!r})
from tools.frames import Sampling, read_frames
print("once", flush=True)
print(len(read_frames({clip!r}, Sampling(reader={reader!r})).frames), flush=True)
"""


def script(root: Path, clip: Path, reader: str, tmp_path: Path) -> list[str]:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT.format(root=str(root), clip=str(clip), reader=reader))
    return [sys.executable, str(path)]


def test_a_script_needs_no_main_guard(clip: Path, root: Path, tmp_path: Path) -> None:
    for name in ("json.py", "types.py"):
        (tmp_path / name).write_text("raise SystemExit('the wrong module')")
    (tmp_path / "elsewhere").mkdir()
    command = script(root, clip, "auto", tmp_path / "elsewhere")
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=120)
    assert (done.stdout, done.stderr, done.returncode) == ("once\n5\n", "", 0)


@POSIX
def test_decoders_end_with_their_parent(clip: Path, root: Path, tmp_path: Path) -> None:
    note = Path(f"{clip}.pid")
    parent = subprocess.Popen(script(root, clip, f"{HERE}:hangs", tmp_path), stdout=subprocess.DEVNULL)
    wait_for(lambda: note.exists() and note.read_text())
    parent.kill()
    parent.wait()
    wait_for(lambda: not runs(int(note.read_text())))


@POSIX
def test_a_forked_child_reads_on_its_own(clip: Path, root: Path, tmp_path: Path) -> None:
    path = tmp_path / "forks.py"
    path.write_text(
        f"import os, sys\nsys.path.insert(0, {str(root)!r})\nfrom tools.frames import read_frames\n"
        f"read = lambda: len(read_frames({str(clip)!r}).frames)\nread()\npid = os.fork()\n"
        "print(read(), flush=True)\nif pid:\n    os.waitpid(pid, 0)\n    print(read(), flush=True)\n"
    )
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.stdout, done.returncode) == ("5\n5\n5\n", 0)


SERVED = """
import multiprocessing, os, sys

def serve(clip, found):
    for number in (0, 1, 2):
        os.close(number)
    sys.stdin = sys.stdout = sys.stderr = None
    from asyncio import run
    from tools.frames import aread_frames, read_frames
    counts = [len(read_frames(clip).frames), len(run(aread_frames(clip)).frames)]
    with open(found, "w") as file:
        file.write(repr(counts))

if __name__ == "__main__":
    process = multiprocessing.get_context("spawn").Process(target=serve, args=sys.argv[1:], daemon=True)
    process.start()
    process.join()
    sys.exit(process.exitcode)
"""


@POSIX
def test_a_daemon_of_a_cluster_reads_without_standard_streams(clip: Path, root: Path, tmp_path: Path) -> None:
    """Workers of Ray and the like: a spawned daemon that may have no children of multiprocessing's own."""
    path, found = tmp_path / "cluster.py", tmp_path / "found"
    path.write_text(f"import sys\nsys.path.insert(0, {str(root)!r})\n{SERVED}")
    done = subprocess.run(
        [sys.executable, str(path), str(clip), str(found)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    assert found.read_text() == "[5, 5]"
