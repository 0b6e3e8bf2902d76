"""The mini benchmark's files: sixteen clips that hold to the benchmark's format and can be rendered again."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import av
import pytest

MINI = Path(__file__).resolve().parents[2] / "evals" / "datasets" / "mini"
TYPES = {
    "Body_Language",
    "Atmosphere_Language",
    "Cultural_Symbol",
    "Naturalistic_Symbol",
    "Causal_Montage",
    "Analogical_Montage",
    "Surreal_Narrative",
    "Performative_Narrative",
}
ENTRY = re.compile(r"The video presents \S.*, implicitly expressing \S.*[^.]\.")


def read_rows() -> list[dict[str, Any]]:
    """Returns the rows of ``datas.jsonl`` as they stand in the file."""
    text = (MINI / "datas.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


ROWS = read_rows()
IDS = [row["video_id"] for row in ROWS]


def test_rows_are_unique_and_carry_the_fields_of_the_benchmark() -> None:
    assert len(ROWS) >= 16
    assert len(set(IDS)) == len(IDS)
    for row in ROWS:
        assert set(row) == {"video_id", "title", "metaphor_type", "golden_answers"}
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", row["video_id"])
        assert row["title"].strip() == row["title"] != ""
    assert len({row["title"] for row in ROWS}) == len(ROWS)


def test_every_type_has_two_clips() -> None:
    counts = Counter(kind for row in ROWS for kind in row["metaphor_type"])
    assert set(counts) == TYPES
    assert min(counts.values()) >= 2


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_gold_is_in_the_fixed_format(row: dict[str, Any]) -> None:
    gold = row["golden_answers"]
    assert list(gold) == [f"analysis_{number}" for number in range(1, len(gold) + 1)]
    assert 2 <= len(gold) <= 3
    for entry in gold.values():
        assert ENTRY.fullmatch(entry), entry
        assert entry.count("implicitly expressing") == 1
    assert 30 <= sum(len(entry.split()) for entry in gold.values()) <= 110


@pytest.mark.parametrize("name", IDS)
def test_clip_decodes_and_changes(name: str) -> None:
    with av.open(str(MINI / "videos" / f"{name}.mp4")) as container:
        assert [stream.type for stream in container.streams] == ["video"]
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height) in {(360, 640), (480, 360)}
        rate = stream.average_rate
        frames = [frame.to_ndarray(format="gray") for frame in container.decode(stream)]
    assert rate is not None
    assert 3 <= len(frames) / rate <= 8
    # No clip stands still: its first and last frames differ by more than the codec's noise.
    assert abs(frames[0].astype(int) - frames[-1].astype(int)).mean() > 2


def test_files_match_rows_and_stay_small() -> None:
    videos = {path.stem: path.stat().st_size for path in (MINI / "videos").iterdir()}
    scenes = {path.stem for path in (MINI / "scenes").glob("*.pov")}
    assert set(videos) == set(IDS)
    assert scenes == set(IDS)
    assert {path.suffix for path in (MINI / "scenes").iterdir()} == {".pov", ".inc"}
    assert sum(videos.values()) < 8_000_000


def test_renderer_and_readme_know_every_clip() -> None:
    renderer = (MINI / "render.py").read_text(encoding="utf-8")
    readme = (MINI / "README.md").read_text(encoding="utf-8")
    assert re.findall(r'^    Clip\("(\w+)"', renderer, re.MULTILINE) == IDS
    assert all(f"`{name}`" in readme for name in IDS)
    assert "smoke test" in readme
