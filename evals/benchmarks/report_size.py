"""How large the report of a whole benchmark is, how long it takes to write, and to open.

    python -m evals.benchmarks.report_size [--samples 860] [--runs 2] [--keep FOLDER]

Two runs are made up: frames are cut from the rendered clips of the mini set, another part and tint for each
sample, so that no two are alike and all are as hard to compress as a video's; texts are random words, which
deflate less well than sentences. Both are diagnosed. Where Chromium and ChromeDriver are installed, the page
is opened from disk too, searched, and a sample of it is looked at.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.metaphor_types import MetaphorType
from agents.schemas import Entry, Hop, Interpretation, Judgement, Mapping, ModelCall, Usage, Verdict
from evals.benchmarks.report_diagnoses import diagnosis_of
from evals.datasets import open_dataset
from evals.report import Thumbnails, gather, write_page
from evals.store.records import Failure, Outcome, RunRecord
from tools.frames import Frame, FrameCache, FrameSet, Sampling, read_frames

__all__ = ["main", "make_runs"]

_TYPES = tuple(kind.value for kind in MetaphorType)
_FRAMES = 10
_SIDE = 480
_LETTERS = "etaoinshrdlucmfw"


class _Words:
    """Random text over 4,000 words."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        sizes = [dice.randint(2, 9) for _ in range(4000)]
        self.known = ["".join(dice.choices(_LETTERS, k=size)) for size in sizes]

    def some(self, number: int) -> str:
        """So many words."""
        return " ".join(self.dice.choices(self.known, k=number))


def make_runs(folder: Path, samples: int, graphs: Sequence[str]) -> list[Path]:
    """Make a data set, its frames in a cache, and a finished run of each graph.

    Args:
        folder: where to put all of it.
        samples: in the data set.
        graphs: names of the runs.

    Returns:
        The run directories.
    """
    dice = random.Random(1)  # noqa: S311 - the same figures each time, not a secret
    words = _Words(dice)
    digests = _make_frames(folder / "frames", samples, dice)
    ids = [f"video_{number:04d}" for number in range(samples)]
    golds: dict[str, list[str]] = {}
    types = {video_id: (_TYPES[place % len(_TYPES)],) for place, video_id in enumerate(ids)}
    with (folder / "datas.jsonl").open("w", encoding="utf-8") as table:
        for video_id in ids:
            gold = [_gold(words) for _ in "ab"]
            golds[video_id] = gold
            row = {
                "video_id": video_id,
                "title": words.some(4),
                "metaphor_type": types[video_id],
                "golden_answers": gold,
            }
            table.write(json.dumps(row) + "\n")
    made: list[Path] = []
    for level, graph in enumerate(graphs):
        run = folder / f"run-{level}-{graph}"
        run.mkdir()
        context = {"model": "openai:gpt-5", "frames": {"cache_dir": str(folder / "frames")}}
        spec = {"graph": graph, "dataset": str(folder), "context": context}
        (run / "run.json").write_text(json.dumps({"spec": spec, "started": "2026-01-01T00:00:00+00:00"}))
        pairs = zip(ids, digests, strict=True)
        records = [_record(video_id, types[video_id], graph, digest, words) for video_id, digest in pairs]
        (run / "records.jsonl").write_text("".join(f"{each.line()}\n" for each in records), encoding="utf-8")
        known = [each for each in records if each.interpretation is not None]
        lines = (diagnosis_of(each, golds[each.video_id], dice).line() for each in known)
        (run / "diagnosis.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        made.append(run)
    return made


def _gold(words: _Words) -> str:
    """An entry with as many phrases as people's have."""
    seen = f"a {words.some(2)} on the {words.some(2)} and a {words.some(3)} by a {words.some(1)}"
    meant = f"the {words.some(2)} of {words.some(2)} and the {words.some(3)}"
    return f"The video presents {seen}, implicitly expressing {meant}."


def _make_frames(folder: Path, samples: int, dice: random.Random) -> list[str]:
    """Frame sets in a cache, each from another part of a clip, in another tint; returns their digests."""
    from PIL import Image, ImageOps

    cache, digests = FrameCache(folder), list[str]()
    clips = [
        [
            Image.open(io.BytesIO(frame.jpeg)).convert("RGB")
            for frame in read_frames(sample.video, sampling).frames
        ]
        for sampling in (Sampling(max_frames=_FRAMES, max_side=1024),)
        for sample in open_dataset("mini").samples
        if sample.video is not None
    ]
    for number in range(samples):
        clip = clips[number % len(clips)]
        share = dice.uniform(0.55, 0.95)
        left, top, turn = dice.random() * (1 - share), dice.random() * (1 - share), dice.randint(0, 255)
        frames: list[Frame] = []
        for place, picture in enumerate(clip):
            width, height = picture.size
            low, high = (left * width, top * height), ((left + share) * width, (top + share) * height)
            cut = ImageOps.contain(picture.crop((*low, *high)), (_SIDE, _SIDE))
            hue, strength, light = cut.convert("HSV").split()
            tinted = Image.merge("HSV", (hue.point([(v + turn) % 256 for v in range(256)]), strength, light))
            file = io.BytesIO()
            tinted.convert("RGB").save(file, "JPEG", quality=85)
            frames.append(Frame(place, place * 1.7, file.getvalue(), *cut.size))
        digests.append(hashlib.sha256(f"sample {number}".encode()).hexdigest())
        cache.put(FrameSet("", digests[-1], len(clip) * 1.7, "pyav", tuple(frames)))
    return digests


def _record(video_id: str, types: tuple[str, ...], graph: str, digest: str, words: _Words) -> RunRecord:
    dice, explores = words.dice, graph == "boost"
    common: dict[str, Any] = {
        "video_id": video_id, "types": types, "epoch": 1, "graph": graph, "model": "openai:gpt-5",
        "judge_model": "openai:some-judge", "timestamps": tuple(i * 1.7 for i in range(50)),
        "frames_digest": digest, "frames_reader": "pyav", "started": "2026-01-01T00:00:00.000+00:00",
        "timings": {"interpret": round(dice.uniform(4, 40), 2), "judge": 6.5, "total": 30.0},
    }  # fmt: skip
    if dice.random() < 0.04:  # noqa: PLR2004
        failure = Failure(
            step="interpret",
            phase="interpret",
            kind="ModelOutputError",
            message=words.some(12),
            raw=words.some(80),
        )
        return RunRecord(
            **common,
            outcome=Outcome.MODEL_OUTPUT_ERROR,
            errors=(failure,),
            calls=(_call("interpret", words, 200),),
        )
    best = min(10, max(0, round(dice.gauss(6 if explores else 5, 2.2))))
    judged = [
        Judgement(kind="strict", score=int(best > dice.randint(5, 9)), reasoning=words.some(60))
        for _ in range(3)
    ]
    judged += [
        Judgement(kind="loose", score=min(10, max(0, best + dice.randint(-1, 1))), reasoning=words.some(60))
        for _ in range(3)
    ]
    entries = tuple(Entry(presents=words.some(14), expresses=words.some(12)) for _ in range(3))
    calls = [_call("interpret", words, 220), *(_call("judge", words, 70) for _ in judged)]
    found: dict[str, Any] = {}
    if explores:
        seen = [words.some(2) for _ in range(12)]
        mappings = tuple(
            Mapping(
                element=word,
                concept=(end := words.some(2)),
                path=(word, words.some(1), end),
                ground=words.some(6),
                weight=0.6,
            )
            for word in seen
            for _ in "ab"
        )
        hops = tuple(
            Hop(
                round=turn + 1,
                tool="explore_metaphors",
                arguments={"concepts": seen[turn::3]},
                answer=words.some(120),
                mappings=mappings[turn::3],
            )
            for turn in range(3)
        )
        found = {"keywords": tuple(seen), "mappings": mappings, "hops": hops}
        calls = [_call("perceive", words, 60), *(_call("explore", words, 60) for _ in range(4)), *calls]
    return RunRecord(
        **common,
        **found,
        outcome=Outcome.OK,
        interpretation=Interpretation(entries=entries),
        verdict=Verdict.of(judged, judge="openai:some-judge", proxy=False),
        usage=sum((call.usage for call in calls), Usage()),
        calls=tuple(calls),
    )


def _call(step: str, words: _Words, length: int) -> ModelCall:
    usage = Usage(input_tokens=words.dice.randint(600, 9000), output_tokens=length * 2)
    thinking = words.some(length) if step == "interpret" else ""
    return ModelCall(
        step=step,
        model="openai:gpt-5",
        method="json_schema",
        attempts=1,
        seconds=2.5,
        usage=usage,
        raw=words.some(length),
        thinking=thinking,
    )


def _open(path: Path) -> None:
    """Open the page in Chromium, search it and look at a sample, if there is a Chromium."""
    try:
        from tests.browser import chromium, opened_browser
    except ImportError:
        chromium = opened_browser = None
    if chromium is None or opened_browser is None or chromium() is None:
        print("not opened: there is no Chromium with ChromeDriver, or this is no checkout")
        return
    with opened_browser() as browser:
        start = time.perf_counter()
        browser.open(path.resolve().as_uri())
        browser.wait("document.querySelectorAll('.row').length > 0")
        print(f"open: {time.perf_counter() - start:.2f} s until the list is there")
        start = time.perf_counter()
        browser.run("document.getElementById('f-text').value = 'teas'; refresh();")
        browser.wait("document.getElementById('count').textContent.includes(' of ')")
        print(f"first search: {time.perf_counter() - start:.2f} s")
        start = time.perf_counter()
        browser.run("location.hash = addressOf(SAMPLES.at(-1))")
        browser.wait("document.querySelector('#sample .axis-svg')")
        print(f"a sample: {time.perf_counter() - start:.2f} s")
        for message in browser.console():
            print(f"console: {message}")


def main() -> None:
    """Print megabytes and seconds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--samples", type=int, default=860)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="keep runs and report in this folder, which must not exist")
    options = parser.parse_args()
    graphs = [("boost", "baseline")[place % 2] for place in range(options.runs)]
    with tempfile.TemporaryDirectory() as made:
        folder = options.keep or Path(made)
        folder.mkdir(exist_ok=options.keep is None)
        runs = make_runs(folder, options.samples, graphs)
        start = time.perf_counter()
        gathered = gather(runs)
        print(f"read: {time.perf_counter() - start:.1f} s")
        start = time.perf_counter()
        strips = Thumbnails().strips(gathered)
        print(f"thumbnails: {time.perf_counter() - start:.1f} s")
        start = time.perf_counter()
        page = write_page(gathered, strips, folder / "report.html")
        pictures = sum(len(data) for strip in strips for _, data in strip.pictures)
        print(f"write: {time.perf_counter() - start:.1f} s")
        print(
            f"page: {page.size / 1e6:.1f} MB for {page.samples} samples x {len(runs)} runs, "
            f"{pictures / 1e6:.1f} MB of it thumbnails"
        )
        _open(page.path)


if __name__ == "__main__":
    main()
