"""What the evaluator's benchmark measures, each in a process of its own: prints one line of JSON.

    python -m evals.benchmarks.evaluator_tasks run --samples 100 --url http://127.0.0.1:8000/v1

Counted are wall seconds and the CPU of this process (user and system) from the first sample to the report,
without imports; and its peak memory.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["main"]

_GOLD = "The video presents a burning candle, implicitly expressing the passing of time."
_MEGABYTE = 1 << (20 if sys.platform == "darwin" else 10)  # in ru_maxrss: bytes there, kilobytes elsewhere


def lay_dataset(folder: Path, samples: int) -> None:
    """Write a data set whose samples share two small frames."""
    from PIL import Image

    shown, videos = folder / "shown", folder / "ds" / "videos"
    shown.mkdir()
    videos.mkdir(parents=True)
    for i in (1, 2):
        Image.new("RGB", (64, 48), (80 * i, 0, 0)).save(shown / f"frame_{i:06d}.jpg")
    with (folder / "ds" / "datas.jsonl").open("w", encoding="utf-8") as file:
        for i in range(samples):
            (videos / f"v{i}").symlink_to(shown)
            row = {"video_id": f"v{i}", "title": f"t{i}", "metaphor_type": "Body_Language"}
            file.write(json.dumps(row | {"golden_answers": {"analysis_1": _GOLD}}) + "\n")


class _Instant:
    """A graph, or a judge, that knows its answer."""

    async def ainvoke(self, state: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Return a reading, or a verdict where there is something to judge."""
        from agents.schemas import Entry, Interpretation, Judgement, Verdict

        if "prediction" in state:
            told = [Judgement(kind="strict", score=1), Judgement(kind="loose", score=9)]
            return {"verdict": Verdict.of(told, judge="instant", proxy=False), "calls": []}
        entry = Entry(presents="a burning candle", expresses="the passing of time")
        return {"interpretation": Interpretation(entries=(entry,)), "calls": []}


instant = _Instant()


def _command(options: argparse.Namespace, *more: str) -> None:
    """Run ``evals.run`` in an empty folder, and print what it took."""
    import evals.command
    import evals.running.wiring
    import graphs.catalog
    from evals.run import main as run

    import_module("evals.report")
    if options.task != "run":  # one call a sample, or none: judged by who knows
        graphs.catalog.judge = lambda: instant
    if options.task == "memory":
        evals.running.wiring.open_resources = lambda spec: None  # noqa: ARG005
        evals.command.check = lambda context: None  # noqa: ARG005
    else:
        import_module("langchain_openai")  # imports are not counted
    os.environ.setdefault("OPENAI_API_KEY", "none")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        lay_dataset(Path(folder), options.samples)
        os.environ["XDG_CACHE_HOME"] = folder
        flags = ["--dataset", "ds", "--run-dir", "r", "--judge-k", "1", "--quiet"]
        told = _measured(
            lambda: run([*flags, "--concurrency", str(options.connections), "--no-cache", *more])
        )
        if told.pop("result") != 0:
            sys.exit(f"the run failed: see above ({options.task})")
    print(json.dumps(told))


def _measured(work: Callable[[], Any]) -> dict[str, Any]:
    before, since = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    with contextlib.redirect_stdout(sys.stderr):
        result = work()
    after, seconds = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter() - since
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "result": result,
        "seconds": seconds,
        "cpu": cpu,
        "before": before.ru_maxrss / _MEGABYTE,
        "peak": after.ru_maxrss / _MEGABYTE,
    }


def _calls(options: argparse.Namespace, call: Callable[[int], Awaitable[Any]]) -> None:
    """Make so many calls, so many at once, and print what they took."""

    async def every() -> None:
        numbers = iter(range(options.samples))

        async def hand() -> None:
            for number in numbers:
                await call(number)

        await asyncio.gather(*(hand() for _ in range(options.connections)))

    told = _measured(lambda: asyncio.run(every()))
    print(json.dumps(told | {"result": None}))


def _question(number: int) -> list[dict[str, Any]]:
    """The conversation that the baseline sends, with its two frames."""
    from agents.prompts import Prompts

    prompts = Prompts()
    text = prompts.render(
        "interpret_baseline", title=f"t{number}", keywords=[], associations=[], sentences=[], shots=[]
    ).text
    picture = {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64," + "A" * 1000}}
    system = {"role": "system", "content": prompts.render("system", whole_video=False).text}
    parts = [{"type": "text", "text": text}, picture, picture]
    return [system, {"role": "user", "content": parts}]


def _format() -> dict[str, Any]:
    from agents.asked import InterpretationAnswer
    from agents.json_schema import answer_schema

    schema = {"name": "answer", "schema": answer_schema(InterpretationAnswer), "strict": True}
    return {"type": "json_schema", "json_schema": schema}


def _sdk(options: argparse.Namespace) -> None:
    import openai

    client = openai.AsyncOpenAI(base_url=options.url, api_key="none", max_retries=0)
    create: Any = client.chat.completions.create
    messages, wanted = _question(1), _format()

    async def call(_number: int) -> None:
        await create(model="bench", messages=messages, response_format=wanted)

    _calls(options, call)


def _langchain(options: argparse.Namespace) -> None:
    from langchain_openai import ChatOpenAI
    from pydantic import SecretStr

    from agents.asked import InterpretationAnswer

    model = ChatOpenAI(model="bench", base_url=options.url, api_key=SecretStr("none"), max_retries=0)
    bound = model.with_structured_output(InterpretationAnswer, include_raw=True)
    messages = _question(1)

    async def call(_number: int) -> None:
        await bound.ainvoke(messages)

    _calls(options, call)


_TASKS: dict[str, Callable[[argparse.Namespace], None]] = {
    "run": lambda options: _command(
        options, "--graph", "baseline", "--model", "openai:bench", "--base-url", options.url
    ),
    "one": lambda options: _command(
        options, "--graph", "baseline", "--model", "openai:bench", "--base-url", options.url
    ),
    "memory": lambda options: _command(
        options, "--graph", "evals.benchmarks.evaluator_tasks:instant", "--model", "embedded"
    ),
    "sdk": _sdk,
    "langchain": _langchain,
    "question": lambda _options: print(json.dumps(_question(1))),
}


def main() -> None:
    """Do one task."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("task", choices=list(_TASKS))
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--url", default="")
    options = parser.parse_args()
    _TASKS[options.task](options)


if __name__ == "__main__":
    main()
