"""Frames are decoded once; what can't be kept, or can't be trusted, is decoded again."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.frames.clips import write_numbered
from tools.errors import FrameError
from tools.frames import FrameCache, FrameSet, Sampling, aread_frames, read_frames
from tools.frames.cache import default_directory
from tools.frames.channel import Task
from tools.frames.pool import Pool
from tools.frames.terms import Frame


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    return write_numbered(tmp_path / "clip.mp4", 5)


@pytest.fixture
def cache(tmp_path: Path) -> FrameCache:
    return FrameCache(tmp_path / "cache")


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that were handed to a decoding process."""
    paths: list[str] = []
    run = Pool.run

    def counted(self: Pool, task: Task, ticket: object = None) -> FrameSet:
        paths.append(task.name)
        return run(self, task, ticket)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(Pool, "run", counted)
    return paths


def entries(cache: FrameCache) -> list[Path]:
    return sorted(cache.directory.iterdir())


def made(name: str, size: int = 1000, warning: str = "") -> FrameSet:
    frame = Frame(0, 0.5, name[:1].encode() * size, 8, 6, shot=3)
    return FrameSet(name, name, 2.5, "pyav", (frame,), (warning,) if warning else (), "shots", 4)


def test_a_second_read_decodes_nothing(clip: Path, cache: FrameCache, decoded: list[str]) -> None:
    first = read_frames(clip, cache=cache)
    assert read_frames(clip, cache=cache) == first == read_frames(clip)
    assert decoded == [str(clip)] * 2, "the first read, and the one without a cache"


async def test_async_and_sync_reads_share_it(clip: Path, cache: FrameCache, decoded: list[str]) -> None:
    first = await aread_frames(clip, cache=cache)
    assert await aread_frames(clip, cache=FrameCache(cache.directory)) == first
    assert read_frames(clip, cache=cache) == first
    assert len(decoded) == 1


def test_the_content_counts_and_not_the_name(clip: Path, cache: FrameCache, decoded: list[str]) -> None:
    first = read_frames(clip, cache=cache)
    other = clip.with_name("other.mp4")
    other.write_bytes(clip.read_bytes())
    assert read_frames(other, cache=cache) == replace(first, source=str(other))
    assert len(decoded) == 1
    write_numbered(other, 4)
    assert len(read_frames(other, cache=cache).frames) == 4
    assert len(decoded) == 2


def test_another_sampling_is_another_entry(clip: Path, cache: FrameCache) -> None:
    for method in ("uniform", "shots", "fps"):
        read = read_frames(clip, Sampling(method=method), cache=cache)
        assert read_frames(clip, Sampling(method=method), cache=cache) == read
    assert len(entries(cache)) == 3


def test_without_a_cache_nothing_is_kept(clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.frames.cache.default_directory", lambda: tmp_path / "cache")
    read_frames(clip)
    assert not (tmp_path / "cache").exists()
    read_frames(clip, cache=FrameCache())
    assert (tmp_path / "cache").is_dir()


def test_the_default_is_in_the_users_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / name)
    assert default_directory() == tmp_path / "metaphorboost" / "frames"


def test_failures_are_not_kept(tmp_path: Path, cache: FrameCache, decoded: list[str]) -> None:
    path = tmp_path / "text.mp4"
    path.write_text("no video")
    for _ in range(2):
        with pytest.raises(FrameError, match="not a readable video"):
            read_frames(path, cache=cache)
    assert len(decoded) == 2
    assert not cache.directory.exists()
    with pytest.raises(FrameError, match=r"nowhere\.mp4: no such file or folder"):
        read_frames(tmp_path / "nowhere.mp4", cache=cache)


def test_a_file_that_changes_while_it_is_read_is_not_kept(
    clip: Path, cache: FrameCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Pool.run

    def changed(self: Pool, task: Task, ticket: object = None) -> FrameSet:
        write_numbered(clip, 3)
        return run(self, task, ticket)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(Pool, "run", changed)
    assert len(read_frames(clip, cache=cache).frames) == 3
    assert not cache.directory.exists()


@given(st.data())
@settings(max_examples=60)
def test_a_spoiled_entry_counts_as_missing_and_is_removed(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    cache = FrameCache(tmp_path_factory.mktemp("cache"))
    cache.put(made("a"))
    (path,) = entries(cache)
    content = path.read_bytes()
    if data.draw(st.booleans()):
        spot = data.draw(st.integers(0, len(content) - 1))
        spoiled = (
            content[:spot] + bytes([content[spot] ^ data.draw(st.integers(1, 255))]) + content[spot + 1 :]
        )
    else:
        spoiled = content[: data.draw(st.integers(0, len(content) - 1))]
    path.write_bytes(spoiled)
    assert cache.get("a", "a") is None
    assert not path.exists()
    cache.put(made("a"))
    assert cache.get("a", "a") == made("a")


def test_an_entry_under_another_name_is_not_taken(cache: FrameCache) -> None:
    cache.put(made("a"))
    entries(cache)[0].rename(cache.directory / "b.frames")
    assert cache.get("b", "b") is None
    assert entries(cache) == []


def test_a_spoiled_entry_is_decoded_again(clip: Path, cache: FrameCache, decoded: list[str]) -> None:
    first = read_frames(clip, cache=cache)
    (path,) = entries(cache)
    path.write_bytes(path.read_bytes()[:-1])
    assert read_frames(clip, cache=cache) == first
    assert len(decoded) == 2
    assert read_frames(clip, cache=cache) == first
    assert len(decoded) == 2


def test_warnings_in_any_letters_come_back(cache: FrameCache) -> None:
    for warning in ("damaged: 蝋燭.png", b"\xff.png".decode("utf-8", "surrogateescape")):
        cache.put(made("a", warning=warning))
        assert cache.get("a", "elsewhere") == replace(made("a", warning=warning), source="elsewhere")


def test_the_longest_unused_go_first(tmp_path: Path) -> None:
    cache = FrameCache(tmp_path / "cache", bound=5000)
    for age, name in enumerate("abcd"):
        cache.put(made(name))
        os.utime(cache.directory / f"{name}.frames", (1000 + age, 1000 + age))
    assert cache.get("a", "a") is not None
    cache.put(made("e"))
    assert [path.stem for path in entries(cache)] == ["a", "d", "e"]
    assert sum(path.stat().st_size for path in entries(cache)) <= 5000


def test_what_is_larger_than_the_bound_is_not_kept(tmp_path: Path) -> None:
    cache = FrameCache(tmp_path / "cache", bound=500)
    cache.put(made("a"))
    assert not cache.directory.exists()


def test_what_a_dead_process_left_is_removed_and_other_files_are_left(cache: FrameCache) -> None:
    cache.directory.mkdir()
    for name, time in (("old.part", 1000), ("new.part", None), ("notes.txt", 1000)):
        (cache.directory / name).write_text("x")
        if time:
            os.utime(cache.directory / name, (time, time))
    cache.put(made("a"))
    assert [path.name for path in entries(cache)] == ["a.frames", "new.part", "notes.txt"]


def test_a_folder_that_can_not_be_written_is_told_once(
    clip: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = FrameCache(tmp_path / "file" / "cache")
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert len(read_frames(clip, cache=cache).frames) == 5
    (told,) = [record.getMessage() for record in caplog.records]
    assert told.startswith(f"frames are not cached: {cache.directory} can't be written to (")


def test_a_full_disk_leaves_nothing_behind(
    cache: FrameCache, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    cache.put(made("a"))
    monkeypatch.setattr(os, "replace", full)
    cache.put(made("b"))
    cache.put(made("c"))
    assert [path.name for path in entries(cache)] == ["a.frames"]
    assert [record.getMessage() for record in caplog.records] == [
        f"frames are not cached: {cache.directory} can't be written to (No space left on device)"
    ]
    assert cache.get("a", "a") == made("a"), "what is there can still be read"


def test_many_processes_share_it(root: Path, tmp_path: Path) -> None:
    """Four writers and readers of the same few entries, under a bound that keeps removing some."""
    code = (
        "import random, sys; sys.path.insert(0, sys.argv[1])\n"
        "from tests.tools.frames.test_cache import made\nfrom tools.frames import FrameCache\n"
        "cache, chance, hits = FrameCache(sys.argv[2], bound=120_000), random.Random(sys.argv[3]), 0\n"
        "for _ in range(150):\n    name = chance.choice('abcdef')\n    found = cache.get(name, name)\n"
        "    assert found in (None, made(name, 30_000)), name\n    hits += found is not None\n"
        "    found or cache.put(made(name, 30_000))\n"
        "print(hits)"
    )
    command = [sys.executable, "-c", code, str(root), str(tmp_path / "cache")]
    running = [
        subprocess.Popen([*command, str(seed)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for seed in range(4)
    ]
    results = [process.communicate(timeout=120) for process in running]
    assert [err for _, err in results] == [""] * 4
    assert all(int(out) > 10 for out, _ in results)
    left = list((tmp_path / "cache").iterdir())
    assert {path.suffix for path in left} == {".frames"}
    assert sum(path.stat().st_size for path in left) <= 120_000 + 30_500, (
        "one may be written during the count"
    )


def test_an_entry_is_a_header_in_json_and_the_pictures(cache: FrameCache) -> None:
    cache.put(made("a"))
    content = entries(cache)[0].read_bytes()
    assert content.startswith(b"frames1\n")
    header, end = json.JSONDecoder().raw_decode(content[44:].decode("latin-1"))
    assert (header["digest"], header["reader"], header["shots"], header["sizes"]) == ("a", "pyav", 4, [1000])
    assert content[44 + end :] == b"a" * 1000
