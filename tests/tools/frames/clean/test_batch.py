"""Cleaning many files: what is written, what is left alone, and what is told. Text is left here."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import av
import pytest

from tests.tools.frames.clean.material import movie, sounds
from tests.tools.frames.clips import write_numbered, write_sound
from tools.errors import ToolboxError
from tools.frames import Sampling, read_frames
from tools.frames.clean.batch import clean_all
from tools.frames.clean.wishes import Batch, Wishes

MUTE = Wishes(erase=False)


class Desk:
    """Keeps what was said and complained of."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.complaints: list[str] = []

    def clean(self, inputs: list[Path], out: Path, wishes: Wishes = MUTE, **options: Any) -> int:
        batch = Batch(tuple(str(path) for path in inputs), out, wishes, **options)
        return clean_all(batch, say=self.said.append, complain=self.complaints.append)


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.mark.parametrize("name", ["clip.mp4", "clip.mov", "clip.mkv", "clip.webm", "clip.m4v"])
def test_muting_keeps_every_frame(tmp_path: Path, desk: Desk, name: str) -> None:
    clip = movie(tmp_path / name, 2.0, codec="libvpx-vp9" if name.endswith("webm") else "libx264")
    before = clip.read_bytes()
    assert desk.clean([clip], tmp_path / "out") == 0
    made = tmp_path / "out" / name
    assert (sounds(clip), sounds(made), clip.read_bytes() == before) == (1, 0, True)
    ours = Sampling(max_frames=100)
    assert read_frames(made, ours).frames == read_frames(clip, ours).frames
    assert "remuxed, sound dropped" in desk.said[0]
    assert [path.name for path in (tmp_path / "out").iterdir()] == [name]


def test_muting_keeps_turn_and_metadata(tmp_path: Path, desk: Desk) -> None:
    quarter = (0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30)
    clip = movie(tmp_path / "phone.mp4", 1.0, matrix=quarter)
    desk.clean([clip], tmp_path / "out")
    one, two = read_frames(clip), read_frames(tmp_path / "out" / "phone.mp4")
    assert one.frames == two.frames
    assert (two.frames[0].width, two.frames[0].height) == (288, 384)


def test_varying_rates_stay(tmp_path: Path, desk: Desk) -> None:
    stamps = [0, 40, 500, 540, 2000, 2100]
    clip = write_numbered(tmp_path / "vfr.mp4", 6, stamps=stamps)
    with_sound = tmp_path / "sound.mp4"
    _add_sound(clip, with_sound)
    desk.clean([with_sound], tmp_path / "out")
    read = read_frames(tmp_path / "out" / "sound.mp4")
    assert [round(frame.timestamp * 1000) for frame in read.frames] == stamps


def _add_sound(clip: Path, out: Path) -> None:
    voice = write_sound(out.with_suffix(".m4a"))
    with av.open(str(clip)) as one, av.open(str(voice)) as two, av.open(str(out), "w") as made:
        pictures, sound = one.streams.video[0], two.streams.audio[0]
        for stream in (pictures, sound):
            made.add_stream_from_template(stream)
        for source, stream, place in ((one, pictures, 0), (two, sound, 1)):
            for packet in source.demux(stream):
                if packet.dts is not None:
                    packet.stream = made.streams[place]
                    made.mux(packet)


def test_without_sound_the_copy_is_the_same_to_the_byte(tmp_path: Path, desk: Desk) -> None:
    clip = write_numbered(tmp_path / "still.mp4", 4)
    desk.clean([clip], tmp_path / "out")
    assert (tmp_path / "out" / "still.mp4").read_bytes() == clip.read_bytes()
    assert "copied" in desk.said[0]


def test_a_bad_file_does_not_stop_the_rest(tmp_path: Path, desk: Desk) -> None:
    text = tmp_path / "notes.mp4"
    text.write_text("to do: film the candle\n" * 50)
    inputs = [tmp_path / "nowhere.mp4", text, movie(tmp_path / "clip.mp4", 1.0)]
    report = tmp_path / "report.jsonl"
    assert desk.clean(inputs, tmp_path / "out", report=report) == 1
    rows = [json.loads(line) for line in report.read_text().splitlines()]
    assert [row["action"] for row in rows] == ["failed", "failed", "remuxed"]
    assert [row["error"] for row in rows[:2]] == [
        "no such file or folder",
        "not a readable video: it is text",
    ]
    assert rows[2]["sound"] == ["aac"]
    assert [line.partition(": ")[0] for line in desk.complaints] == [str(path) for path in inputs[:2]]
    assert desk.said[-1] == "1 of 3 files done, 2 failed"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["clip.mp4"]


def test_a_dry_run_writes_nothing(tmp_path: Path, desk: Desk) -> None:
    clip = movie(tmp_path / "clip.mp4", 1.0)
    assert desk.clean([clip], tmp_path / "out", replace(MUTE, is_dry=True)) == 0
    assert not (tmp_path / "out").exists()
    assert "would be remuxed, sound dropped (aac)" in desk.said[0]


def test_what_is_there_is_skipped(tmp_path: Path, desk: Desk) -> None:
    clip = movie(tmp_path / "clip.mp4", 1.0)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "clip.mp4").write_text("mine")
    assert desk.clean([clip], tmp_path / "out") == 0
    assert "skipped" in desk.said[0]
    assert (tmp_path / "out" / "clip.mp4").read_text() == "mine"
    assert desk.clean([clip], tmp_path / "out", overwrite=True) == 0
    assert sounds(tmp_path / "out" / "clip.mp4") == 0


def test_inputs_are_never_overwritten(tmp_path: Path, desk: Desk) -> None:
    clip = movie(tmp_path / "clip.mp4", 1.0)
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    before = clip.read_bytes()
    for out in (tmp_path, tmp_path / "link"):
        assert desk.clean([clip], out, overwrite=True) == 1
        assert "inputs are never overwritten" in desk.complaints[-1]
    with pytest.raises(ToolboxError, match="the report would overwrite an input"):
        desk.clean([clip], tmp_path / "out", report=clip)
    assert clip.read_bytes() == before


def test_two_files_of_one_name(tmp_path: Path, desk: Desk) -> None:
    clips: list[Path] = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        clips.append(write_numbered(tmp_path / folder / "clip.mp4", 2))
    assert desk.clean(clips, tmp_path / "out") == 1
    assert "has the same name" in desk.complaints[0]


def test_folders_give_their_videos(tmp_path: Path, desk: Desk) -> None:
    folder = tmp_path / "videos"
    folder.mkdir()
    for name in ("b.MP4", "a.mkv", ".hidden.mp4"):
        write_numbered(tmp_path / "made.mkv", 2).replace(folder / name)
    (folder / "notes.txt").write_text("no video")
    (tmp_path / "empty").mkdir()
    assert desk.clean([folder, tmp_path / "empty"], tmp_path / "out") == 1
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.mkv", "b.MP4"]
    assert "no video in the folder" in desk.complaints[0]


def test_an_output_that_can_not_be(tmp_path: Path, desk: Desk) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(ToolboxError, match=r"out: can't be written: File exists"):
        desk.clean([write_numbered(tmp_path / "clip.mp4", 1)], tmp_path / "out")


def test_a_slow_file_is_given_up(tmp_path: Path, desk: Desk) -> None:
    assert desk.clean([write_numbered(tmp_path / "clip.mp4", 1)], tmp_path / "out", deadline=0.01) == 1
    assert desk.complaints[0].endswith("not done within 0.01 s: stopped")
    assert list((tmp_path / "out").iterdir()) == []


def test_the_detector_is_asked_for_only_if_it_is_needed(
    tmp_path: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.frames.clean.spotting.find_spec", lambda name: None)
    clip = movie(tmp_path / "clip.mp4", 1.0)
    with pytest.raises(ToolboxError, match=r'pip install "metaphorboost\[clean\]"'):
        desk.clean([clip], tmp_path / "out", Wishes())
    assert desk.clean([clip], tmp_path / "out", MUTE) == 0
