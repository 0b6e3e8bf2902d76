"""A run over a server that fails in every way: all is accounted for, on both sides."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from evals.run import main
from evals.store.run_store import read_records
from tests.servers.faulty import Faulty

SAMPLES = 300
RETRIES = 3
REPAIRS = 2


def run(server: Faulty, *more: str) -> int:
    given = ["--model", "openai:faulty", "--base-url", server.base_url, "--dataset", "ds", "--run-dir", "r"]
    limits = ["--concurrency", "32", "--judge-k", "1", "--timeout", "0.5", "--max-retries", str(RETRIES)]
    return main(["--graph", "baseline", *given, *limits, "--cache-dir", "kept", "--quiet", *more])


def test_every_sample_call_and_token_is_accounted_for(data: Callable[[int], Path]) -> None:
    """Tokens are those of completions that were sent whole: what breaks off tells no usage."""
    folder = data(SAMPLES) / "r"
    with Faulty(seed=5) as server:
        assert run(server) == 0
        records = list(read_records(folder / "records.jsonl"))
        summary = json.loads((folder / "summary.json").read_text())
        _check_every_sample(records, summary)
        _check_tries(records, summary, server)
        usage = summary["usage"]
        assert (usage["input_tokens"], usage["output_tokens"]) == server.tokens
        assert {"429", "500", "hang", "reset", "torn", "cut", "blank", "empty", "prose", "refusal"} <= set(
            server.served
        )
        run(server, "--retry-errors")
        run(server, "--retry-errors")
        summary = json.loads((folder / "summary.json").read_text())
        assert set(summary["outcomes"]) <= {"ok", "refused", "refused (judge)"}
        spent = summary["spending"]["tokens"]
        assert (spent["input"], spent["output"]) == server.tokens


def _check_every_sample(records: list, summary: dict) -> None:
    assert sorted(record.video_id for record in records) == sorted(f"v{i}" for i in range(SAMPLES))
    told = Counter(record.outcome.value for record in records)
    assert sum(summary["outcomes"].values()) == SAMPLES
    assert set(told) <= {"ok", "refused", "infrastructure", "model_output_error"}
    assert told["ok"] > 0.9 * SAMPLES
    assert told["refused"] > 0


def _check_tries(records: list, summary: dict, server: Faulty) -> None:
    calls = [call for record in records for call in record.calls]
    assert sum(call.tries for call in calls) == server.served.total()
    assert max(server.asked.values()) <= (1 + RETRIES) * (1 + REPAIRS)
    assert server.served.total() <= 1.6 * 3 * SAMPLES
    faults = Counter(fault for call in calls for fault in call.faults)
    assert faults == summary["faults"]
    served = server.served
    assert faults == {
        "rate_limited": served["429"],
        "server_error": served["500"],
        "timeout": served["hang"],
        "connection": served["reset"],
        "unreadable": served["torn"] + served["blank"],
    }
