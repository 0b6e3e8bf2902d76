"""The single-call task in inspect_ai, over the same server: prints one line of JSON.

It imports nothing of this project, so that it may run in an environment of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["main"]

_SCHEMA = {
    "type": "object",
    "properties": {
        "entries": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"presents": {"type": "string"}, "expresses": {"type": "string"}},
                "required": ["presents", "expresses"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["entries"],
    "additionalProperties": False,
}


def _task(options: argparse.Namespace, question: list[dict[str, Any]]) -> Any:
    dataset, model = import_module("inspect_ai.dataset"), import_module("inspect_ai.model")
    util, solver = import_module("inspect_ai.util"), import_module("inspect_ai.solver")
    task, scorer = import_module("inspect_ai").Task, import_module("inspect_ai.scorer")
    said = {part["type"]: part for part in question[1]["content"]}
    text, picture = said["text"]["text"], said["image_url"]["image_url"]["url"]

    def messages() -> list[Any]:
        shown = model.ContentImage(image=picture)
        content = [model.ContentText(text=text), shown, shown]
        system = model.ChatMessageSystem(content=question[0]["content"])
        return [system, model.ChatMessageUser(content=content)]

    samples = [dataset.Sample(input=messages(), target="time", id=f"v{i}") for i in range(options.samples)]
    plain = util.JSONSchema.model_validate(_SCHEMA)
    config = model.GenerateConfig(
        max_connections=options.connections,
        temperature=0.7,
        response_schema=model.ResponseSchema(name="answer", json_schema=plain, strict=True),
    )
    return task(
        dataset=dataset.MemoryDataset(samples),
        solver=solver.generate(),
        scorer=scorer.includes(),
        config=config,
    )


def main() -> None:
    """Run the task once."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--url", required=True)
    parser.add_argument("--question", type=Path, required=True, help="the conversation, in OpenAI's JSON")
    options = parser.parse_args()
    os.environ["OPENAI_API_KEY"] = "none"
    import_module("openai")  # imports are not counted
    evaluate = import_module("inspect_ai").eval
    task = _task(options, json.loads(options.question.read_text(encoding="utf-8")))
    model = "openai/bench"
    before, since = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        (log,) = evaluate(
            task,
            model=model,
            model_base_url=options.url,
            model_args={"responses_api": False},
            display="none",
            log_dir=folder,
            max_samples=options.connections,
        )
    after, seconds = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter() - since
    if log.status != "success":
        raise SystemExit(f"inspect_ai: {log.status}: {log.error.message if log.error else ''}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    told = {"seconds": seconds, "cpu": cpu, "before": before.ru_maxrss / 1024, "peak": after.ru_maxrss / 1024}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
