"""The page without a browser: what is in the file."""

from __future__ import annotations

import base64
import hashlib
import html.parser
import io
import json
import random
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from agents.errors import UserError
from agents.schemas import Entry, Interpretation, ModelCall
from evals.report import Frames, Gathered, Thumbnails, gather, render, write_page
from evals.report.embedding import packed, safe_json
from evals.report.thumbnails import spread
from tests.evals.records_for_tests import failed, scored
from tests.evals.report.making import keep_frames, make_run, make_set

MARKUP = "</script><script>window.hit=1</script><!--<script>\u2028<img src=x onerror=window.hit=1>&lt;"


class Elements(html.parser.HTMLParser):
    """Start tags and the text of scripts, as a parser of HTML sees them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: dict[str, str] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            attributes = self.tags[-1][1]
            name = attributes.get("id") or "code"
            self.scripts[name] = self.scripts.get(name, "") + data


def unpacked(text: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(text)))


def page_of(gathered: Gathered) -> str:
    return render(gathered, Thumbnails(Frames.NONE).strips(gathered))


@pytest.fixture
def hostile(tmp_path: Path) -> Gathered:
    data = make_set(tmp_path / "ds", ["a"], title=MARKUP, gold=[MARKUP])
    call = ModelCall(step="interpret", model=MARKUP, method="text", attempts=1, seconds=1, raw=MARKUP)
    record = scored(
        "a",
        graph=MARKUP,
        model=MARKUP,
        judge_model=MARKUP,
        keywords=(MARKUP,),
        calls=(call,),
        notes=(MARKUP,),
        interpretation=Interpretation(entries=(Entry(presents=MARKUP, expresses=MARKUP),)),
    )
    return gather([make_run(tmp_path / "r", [record, failed("b")], data)])


def test_text_of_models_never_becomes_markup(hostile: Gathered) -> None:
    text = page_of(hostile)
    elements = Elements(text)
    assert [tag for tag, _ in elements.tags].count("script") == 4  # head, one chunk read and raw, the code
    assert "img" not in {tag for tag, _ in elements.tags}
    assert "window.hit=1</script>" not in text
    assert "<!--" not in text
    assert json.loads(elements.scripts["head"])["rows"][0][1] == MARKUP
    assert unpacked(elements.scripts["read-0"])[0]["gold"] == [MARKUP]
    assert unpacked(elements.scripts["raw-0"])[0][0][0] == [["interpret", MARKUP]]


def test_the_policy_lets_one_script_and_one_style_run_and_no_network(hostile: Gathered) -> None:
    text = page_of(hostile)
    elements = Elements(text)
    policy = next(attributes["content"] for _, attributes in elements.tags if "http-equiv" in attributes)
    assert policy is not None
    style = text[text.index("<style>") + 7 : text.index("</style>")]
    for name, content in (("script-src", elements.scripts["code"]), ("style-src", style)):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{name} 'sha256-{digest}';" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    attributes = {name for _, found in elements.tags for name in found}
    assert not {name for name in attributes if name.startswith("on")}
    assert "style" not in attributes
    outside = [
        value for _, found in elements.tags for name, value in found.items() if name in ("src", "href")
    ]
    assert all(value and value.startswith("#") for value in outside)


@given(st.text(st.characters(codec=None)))
def test_embedded_data_come_back_and_hold_nothing_special(text: str) -> None:
    whole = text.encode("utf-8", "replace").decode()
    embedded = safe_json({"a": [text]})
    assert not set(embedded) & set("<>&\u2028\u2029")
    assert json.loads(embedded) == {"a": [whole]}
    assert re.fullmatch(r"[A-Za-z0-9+/=]*", packed(text))
    assert unpacked(packed(text)) == whole


def test_the_same_runs_give_the_same_page(tmp_path: Path) -> None:
    digest = keep_frames(tmp_path / "frames", "a")
    run = make_run(
        tmp_path / "r", [scored("a", frames_digest=digest), failed("b")], cache_dir=str(tmp_path / "frames")
    )
    pages = set[bytes]()
    for number in range(2):
        gathered = gather([run])
        path = tmp_path / f"{number}.html"
        page = write_page(gathered, Thumbnails().strips(gathered), path)
        assert (page.samples, page.without_frames, page.size) == (2, 1, path.stat().st_size)
        pages.add(path.read_bytes())
    assert len(pages) == 1


def test_thumbnails_come_from_the_cache_and_runs_share_them(tmp_path: Path) -> None:
    digest = keep_frames(tmp_path / "frames", "a")
    cached = {"cache_dir": str(tmp_path / "frames")}
    runs = [
        make_run(tmp_path / graph, [scored("a", graph=graph, frames_digest=digest)], **cached)
        for graph in ("x", "y")
    ]
    gathered = gather(runs)
    (strip,) = Thumbnails().strips(gathered)
    assert (len(strip.pictures), strip.duration) == (8, 10.0)
    assert [seconds for seconds, _ in strip.pictures] == [0.0, 1.5, 2.5, 4.0, 5.5, 7.0, 8.0, 9.5]
    assert base64.b64decode(strip.pictures[0][1])[:4] in (b"RIFF", b"\xff\xd8\xff\xe0")
    elements = Elements(render(gathered, [strip]))
    assert [name for name in elements.scripts if name.startswith("strip-")] == ["strip-0"]


def test_frames_that_cannot_be_had_are_said(tmp_path: Path) -> None:
    data = make_set(tmp_path / "ds", ["a", "b"])
    (data / "videos").mkdir()
    (data / "videos" / "b.mp4").write_bytes(b"no video")
    gathered = gather([make_run(tmp_path / "r", [scored("a", frames_digest="../x"), scored("b")], data)])
    missing, broken = Thumbnails().strips(gathered)
    assert missing.missing == "The video was not found, so there are no frames to show."
    assert "b.mp4" in broken.missing
    assert "frame cache" in Thumbnails(Frames.CACHED).strips(gathered)[1].missing


def test_a_video_whose_frames_were_not_kept_is_decoded_again(tmp_path: Path) -> None:
    run = make_run(
        tmp_path / "r", [scored("hourglass"), scored("burden")], "mini", max_frames=20, cache=False
    )
    gathered = gather([run])
    assert [group.video_id for group in gathered.groups] == ["burden", "hourglass"]
    strips = Thumbnails(each=3).strips(gathered)
    assert [len(strip.pictures) for strip in strips] == [3, 3]
    for strip in strips:
        seconds = [moment for moment, _ in strip.pictures]
        assert seconds[0] == 0
        assert seconds == sorted(seconds)
        assert seconds[-1] < strip.duration
        with Image.open(io.BytesIO(base64.b64decode(strip.pictures[0][1]))) as picture:
            assert max(picture.size) == 320
    assert len({strip.key for strip in strips}) == 2


@given(st.integers(1, 200), st.integers(1, 60))
def test_spread_takes_first_and_last(count: int, limit: int) -> None:
    places = list(spread(count, limit))
    assert len(places) == min(count, limit)
    assert places == sorted(set(places))
    assert places[0] == 0
    assert places[-1] == (count - 1 if min(count, limit) > 1 else 0)


def test_a_page_of_many_samples_is_light(tmp_path: Path) -> None:
    dice = random.Random(3)
    words = ["".join(dice.choices("etaoinshr", k=6)) for _ in range(2000)]

    def call() -> ModelCall:
        raw = " ".join(dice.choices(words, k=300))
        return ModelCall(step="judge", model="m", method="text", attempts=1, seconds=1, raw=raw)

    records = [scored(f"v{i}", calls=(call(), call())) for i in range(300)]
    run = make_run(tmp_path / "r", records)
    text = page_of(gather([run]))
    size = (run / "records.jsonl").stat().st_size
    assert len(text) < 0.6 * size + 150_000


def test_what_cannot_be_written_is_said_and_leaves_the_old_page(tmp_path: Path) -> None:
    gathered = gather([make_run(tmp_path / "r", [scored("a")])])
    strips = Thumbnails(Frames.NONE).strips(gathered)
    with pytest.raises(UserError, match="is a folder"):
        write_page(gathered, strips, tmp_path)
    with pytest.raises(UserError, match="can't be written: No such file"):
        write_page(gathered, strips, tmp_path / "no" / "page.html")
    (tmp_path / "file").write_text("x")
    with pytest.raises(UserError, match="can't be written"):
        write_page(gathered, strips, tmp_path / "file" / "page.html")
