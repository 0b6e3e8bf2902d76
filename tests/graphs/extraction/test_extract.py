"""``python -m graphs.knowledge extract`` as its user runs it, against a server on 127.0.0.1."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from graphs.extraction.calls import Call, Known, sentence_key
from graphs.extraction.journal import Journal, read_calls
from graphs.knowledge import main
from tests.servers.extractor import ExtractionServer, Extractor

ROOT = Path(__file__).resolve().parents[3]
posix = pytest.mark.skipif(os.name == "nt", reason="signals differ")
Run = Callable[..., "Done"]


@pytest.fixture
def server() -> Iterator[ExtractionServer]:
    with ExtractionServer() as started:
        yield started
    assert started.bugs == []


def command(server: ExtractionServer | None, *arguments: str) -> list[str]:
    where = () if server is None else ("--model", "openai:pretend", "--base-url", server.base_url)
    return [sys.executable, "-m", "graphs.knowledge", "extract", *arguments, *where, "--out", "p.jsonl.gz"]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "LANGSMITH_TRACING": "false"}


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in this process, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def to_the_end(server: ExtractionServer | None, *arguments: str) -> Done:
        capsys.readouterr()
        try:
            code = main(command(server, *arguments)[3:])
        except SystemExit as end:
            code = int(end.code or 0)
        return Done(code, *capsys.readouterr())

    return to_the_end


def rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress((folder / "p.jsonl.gz").read_bytes()).splitlines()]


def told(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "p.report.json").read_text(encoding="utf-8"))


def write(folder: Path, *sentences: str, name: str = "texts.jsonl") -> None:
    lines = (json.dumps({"text": text, "source": "own", "licence": "CC0"}) for text in sentences)
    (folder / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def similes(number: int) -> list[str]:
    return [f"The worry{n} is a burden{n} to all." for n in range(number)]


# Every habit of the server's brain, and what becomes of it.
REASONS = {
    "LEFTOUT": "left_out",
    "STRAY": "unknown_sentence",
    "TWICE": "duplicate",
    "FOREIGN": "not_english",
    "LONGISH": "too_long",
    "SAME": "same",
    "INVENTED": "source_not_found",
    "HALF": "incomplete",
}


def test_every_reason_is_reported_and_what_holds_is_written(
    server: ExtractionServer, run: Run, tmp_path: Path
) -> None:
    server.extractor.labels["心是大海"] = ("sea", "heart", "wide and deep", "The heart is a sea.")
    habits = [f"Love is a rose {word}." for word in [*REASONS, "SHY", "ODDKIND"]]
    write(tmp_path, *habits, "心是大海", "We ate bread.", "We ate bread.", "POISON is a word.", "?!")
    server.poison["POISON"] = HTTPStatus.BAD_REQUEST
    done = run(server, "texts.jsonl", "--per-call", "4")
    assert done.returncode == 0, done.stderr
    report = told(tmp_path)
    expected = dict.fromkeys([*REASONS.values(), "literal", "failed"], 1)
    assert report["rejected"] == expected
    assert {item["reason"] for item in report["rejected_list"]} == set(expected)
    kept = {row["sentence"].split()[-1].strip("."): row for row in rows(tmp_path)}
    assert set(kept) == {"STRAY", "TWICE", "SHY", "ODDKIND", "心是大海"}
    assert kept["心是大海"] == {
        "source": "sea",
        "target": "heart",
        "ground": "wide and deep",
        "kind": "conceptual",
        "sentence": "心是大海",
        "translation": "The heart is a sea.",
        "source_file": "texts.jsonl",
        "line": 11,
        "id": "",
        "dataset": "own",
        "licence": "CC0",
        "model": "openai:pretend",
        "prompt": report["prompt"],
    }
    assert (report["not_checked_by_letters"], report["kind_replaced_by_symbol"]) == (1, 1)
    assert report["failures"] == {"UserError": 1}
    assert report["input"] == {"sentences_found": 14, "repeats": 1, "sentences": 13, "bad_rows": 1}
    assert "texts.jsonl, line 15: holds no word: '?!'" in done.stderr
    assert "source_not_found         1" in done.stdout
    assert "was not checked by letters" in done.stdout
    assert "1 sentences: UserError" in done.stderr
    asked = [sentence for sentences in server.extractor.asked for sentence in sentences]
    assert {text for text in asked if asked.count(text) > 1} == {
        "Love is a rose LEFTOUT.",
        "Love is a rose SHY.",
    }
    assert all(body["temperature"] == 0.0 for body in server.bodies)


def test_starting_again_asks_nothing_and_another_grouping_neither(
    server: ExtractionServer, run: Run, tmp_path: Path
) -> None:
    write(tmp_path, *similes(10), "LEFTOUT here")
    assert run(server, "texts.jsonl").returncode == 0
    first, asked = (tmp_path / "p.jsonl.gz").read_bytes(), len(server.requests)
    assert asked == 3
    (tmp_path / "p.jsonl.gz").unlink()
    assert run(server, "texts.jsonl", "--per-call", "3").returncode == 0
    assert len(server.requests) == asked
    assert (tmp_path / "p.jsonl.gz").read_bytes() == first
    write(tmp_path, "Hope is a candle.", *similes(10))
    assert run(server, "texts.jsonl").returncode == 0
    assert server.extractor.asked[asked:] == [("Hope is a candle.",)]
    assert rows(tmp_path)[0]["source"] == "candle"
    assert run(server, "texts.jsonl", "--temperature", "0.5").returncode == 0
    assert len(server.requests) == asked + 1 + 2


def answered(journal: Path) -> set[str]:
    """Keys of the sentences that a journal has an answer for."""
    known = Known("", "openai:pretend")
    calls = list(read_calls(journal)) if journal.exists() else []
    for call in calls:
        known.take(call.model_copy(update={"asked_with": ""}))
    return {key for call in calls for key in call.sentences if known.answer(key)}


@pytest.mark.slow
@posix
def test_ten_kills_end_with_the_same_bytes_and_repeat_only_what_was_in_flight(
    run: Run, tmp_path: Path
) -> None:
    chance, concurrency, kills = random.Random(4), 3, 10
    sentences = [*similes(150), "LEFTOUT one", "Faith is a SHY rock.", "POISON is a word."]
    chance.shuffle(sentences)
    write(tmp_path, *sentences)
    arguments = ["texts.jsonl", "--per-call", "4", "--concurrency", str(concurrency), "--max-retries", "0"]
    poison = {"POISON": HTTPStatus.INTERNAL_SERVER_ERROR}
    with ExtractionServer(poison=poison) as calm:
        assert run(calm, *arguments).returncode == 0
    expected, calmly = (tmp_path / "p.jsonl.gz").read_bytes(), told(tmp_path)
    for path in tmp_path.glob("p.*"):
        path.unlink()
    forks = multiprocessing.get_context("forkserver")  # each start is a new process with its imports done
    forks.set_forkserver_preload(["graphs.knowledge", "graphs.extraction.command", "langchain_openai"])
    seen: list[tuple[int, set[str]]] = []
    with ExtractionServer(delay=0.1, poison=poison) as server:
        for _ in range(kills):
            process = forks.Process(target=main, args=(command(server, *arguments, "--quiet")[3:],))
            process.start()
            start, wanted = len(server.requests), chance.randint(0, 6)
            end = time.monotonic() + 60
            while time.monotonic() < end and len(server.requests) < start + wanted:
                time.sleep(0.002)
            time.sleep(chance.random() * 0.15)
            process.kill()
            process.join()
            assert process.exitcode == -signal.SIGKILL
            time.sleep(0.25)  # what the server still has in hand is noted before the next start
            seen.append((len(server.extractor.asked), answered(tmp_path / "p.journal.jsonl")))
            assert not (tmp_path / "p.jsonl.gz").exists()
        done = run(server, *arguments)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "p.jsonl.gz").read_bytes() == expected
    assert len(seen[-1][1]) > 10
    for number, kept in seen:
        later = {sentence_key(text) for asked in server.extractor.asked[number:] for text in asked}
        assert later.isdisjoint(kept), "an answer that was there was asked for again"
    assert len(calm.requests) <= len(server.requests) <= len(calm.requests) + kills * concurrency
    reasons = [
        [(item["reason"], item["line"]) for item in each["rejected_list"]]
        for each in (calmly, told(tmp_path))
    ]
    assert reasons[0] == reasons[1]


def test_a_torn_journal_is_mended_and_a_second_process_is_refused(
    server: ExtractionServer, run: Run, tmp_path: Path
) -> None:
    write(tmp_path, *similes(12))
    assert run(server, "texts.jsonl", "--per-call", "4").returncode == 0
    journal = tmp_path / "p.journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-30])
    done = run(server, "texts.jsonl", "--per-call", "4")
    assert done.returncode == 0
    assert "ended in a torn line" in done.stderr
    assert len(server.requests) == 4
    server.delay = 5.0
    write(tmp_path, *similes(16))
    first = subprocess.Popen(
        command(server, "texts.jsonl"), cwd=tmp_path, env=environment(), stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + 60
    while time.monotonic() < end and len(server.requests) < 5:
        time.sleep(0.02)
    second = run(server, "texts.jsonl")
    first.kill()
    first.wait()
    assert second.returncode == 2
    assert f"p.lock is held by another extraction (process {first.pid})" in second.stderr


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_what_is_in_flight(
    number: int, server: ExtractionServer, run: Run, tmp_path: Path
) -> None:
    server.delay = 0.5
    write(tmp_path, *similes(40))
    process = subprocess.Popen(
        command(server, "texts.jsonl", "--per-call", "2", "--concurrency", "2"),
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    end = time.monotonic() + 60
    while time.monotonic() < end and len(server.requests) < 3:
        time.sleep(0.02)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Stopping: calls in flight are finished and saved." in err
    asked = len(server.extractor.asked)
    assert len(list(read_calls(tmp_path / "p.journal.jsonl"))) == asked < 20
    assert f"p.jsonl.gz is not, since {40 - 2 * asked} sentences are pending" in out
    assert not (tmp_path / "p.jsonl.gz").exists()
    server.delay = 0.0
    assert run(server, "texts.jsonl", "--per-call", "2").returncode == 0
    assert len(server.extractor.asked) == 20
    assert len(rows(tmp_path)) == 40


@posix
def test_two_signals_give_up_what_is_in_flight(server: ExtractionServer, tmp_path: Path) -> None:
    server.delay = 600.0
    write(tmp_path, *similes(4))
    process = subprocess.Popen(
        command(server, "texts.jsonl"), cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True
    )
    end = time.monotonic() + 60
    while time.monotonic() < end and not server.requests:
        time.sleep(0.02)
    assert process.stderr is not None
    process.send_signal(signal.SIGINT)
    assert any("Stopping:" in line for line in iter(process.stderr.readline, ""))
    process.send_signal(signal.SIGINT)
    assert "Stopping at once" in process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert (tmp_path / "p.journal.jsonl").read_bytes() == b""


@pytest.mark.parametrize(
    "limits",
    [
        ("--max-tokens-total", "4000"),
        ("--max-cost", "0.4", "--price-in", "100", "--price-out", "100"),
    ],
    ids=["tokens", "money"],
)
def test_a_budget_stops_saves_and_goes_on(
    limits: tuple[str, ...], server: ExtractionServer, run: Run, tmp_path: Path
) -> None:
    write(tmp_path, *similes(200))
    arguments = ("texts.jsonl", "--per-call", "2", "--concurrency", "2")
    done = run(server, *arguments, *limits)
    assert done.returncode == 4, done.stderr
    assert f"The budget is reached: {limits[0]}" in done.stderr
    spent = told(tmp_path)["usage"]
    assert spent["input_tokens"] + spent["output_tokens"] == 150 * len(server.requests) <= 4000
    assert server.requests
    assert not (tmp_path / "p.jsonl.gz").exists()
    before = len(server.requests)
    again = run(server, *arguments, *limits, "--allow-partial")
    assert again.returncode == 4
    assert (len(rows(tmp_path)), "partial" in again.stdout) == (2 * len(server.requests), True)
    assert len(server.requests) <= before + 2  # what a surprise held back may be within the limit now
    assert run(server, *arguments).returncode == 0
    assert len(server.requests) == 100
    assert len(rows(tmp_path)) == 200


def test_a_bad_group_is_halved_recorded_and_retried_when_asked(
    server: ExtractionServer, run: Run, tmp_path: Path
) -> None:
    sentences = similes(8)
    sentences[5] = "POISON is a word."
    write(tmp_path, *sentences)
    server.poison["POISON"] = HTTPStatus.SERVICE_UNAVAILABLE
    done = run(server, "texts.jsonl", "--max-retries", "1")
    assert done.returncode == 0
    assert "failed, 4 sentences: ProviderError" in done.stderr
    assert len(server.requests) == 2 + 1 + 2  # the SDK alone tries again
    assert told(tmp_path)["failures"] == {"ProviderError": 4}
    assert len(rows(tmp_path)) == 4
    assert run(server, "texts.jsonl").returncode == 0
    assert len(server.requests) == 5
    server.poison.clear()
    assert run(server, "texts.jsonl", "--retry-failed").returncode == 0
    assert (len(server.requests), len(rows(tmp_path))) == (6, 8)
    assert run(server, "texts.jsonl").returncode == 0
    assert (len(server.requests), len(rows(tmp_path))) == (6, 8)


@pytest.mark.parametrize(
    ("status", "words"),
    [(HTTPStatus.UNAUTHORIZED, "Check the key in OPENAI_API_KEY"), (HTTPStatus.NOT_FOUND, "Check the name")],
)
def test_a_fault_of_the_whole_run_ends_it_at_once(
    status: HTTPStatus, words: str, server: ExtractionServer, run: Run, tmp_path: Path
) -> None:
    write(tmp_path, *similes(100))
    server.poison["worry"] = status
    done = run(server, "texts.jsonl", "--concurrency", "2", "--per-call", "1")
    assert done.returncode == 1
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert len(server.requests) <= 2
    assert list(read_calls(tmp_path / "p.journal.jsonl")) == []


def test_a_service_that_is_gone_ends_it_and_all_failed_has_its_code(
    server: ExtractionServer, run: Run, tmp_path: Path
) -> None:
    write(tmp_path, *similes(60))
    server.poison["worry"] = HTTPStatus.BAD_GATEWAY
    arguments = ("texts.jsonl", "--per-call", "1", "--concurrency", "1", "--max-retries", "0")
    gone = run(server, *arguments)
    assert gone.returncode == 1
    assert "the last 24 calls all failed, the last so: ProviderError" in gone.stderr
    assert len(server.requests) == 24
    write(tmp_path, *similes(3))
    failed = run(server, *arguments)
    assert failed.returncode == 3
    assert rows(tmp_path) == []


def test_a_full_disk_ends_it_and_keeps_what_is_there(
    server: ExtractionServer, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, *similes(30))
    append = Journal.append

    def full(self: Journal, call: Call) -> None:
        if self.path.stat().st_size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        append(self, call)

    monkeypatch.setattr(Journal, "append", full)
    done = run(server, "texts.jsonl", "--per-call", "3", "--concurrency", "1")
    assert done.returncode == 1
    assert (
        "extraction can't go on: [Errno 28] No space left on device. What was answered is kept" in done.stderr
    )
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert run(server, "texts.jsonl", "--per-call", "3").returncode == 0
    assert len(server.requests) == 10 + 1


def test_a_bug_is_recorded_with_its_traceback_and_said_loudly(
    server: ExtractionServer, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, *similes(2))
    monkeypatch.setattr(sys.modules["agents.nodes.extract"], "conversation", lambda *_: 1 // 0)
    done = run(server, "texts.jsonl")
    assert done.returncode == 3
    assert "failed, 2 sentences: internal_error: ZeroDivisionError" in done.stderr
    assert "A BUG, and not your input" in done.stderr
    assert "Traceback" in told(tmp_path)["rejected_list"][0]["message"]


def test_a_dry_run_tells_and_asks_nothing(server: ExtractionServer, run: Run, tmp_path: Path) -> None:
    write(tmp_path, *similes(20), "心是大海", "???")
    done = run(server, "texts.jsonl", "--dry-run", "--price-in", "1", "--price-out", "2")
    assert done.returncode == 0, done.stderr
    assert (
        "sentences: 21 (1 Chinese), 21 still to be asked; left out are 0 repeats and 1 bad rows"
        in done.stdout
    )
    assert "calls: 3 of up to 8 sentences" in done.stdout
    assert "tokens: about " in done.stdout
    assert "money: about 0.0" in done.stdout
    assert server.requests == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["texts.jsonl"]
    assert run(server, "texts.jsonl", "--limit", "8").returncode == 0
    assert "calls: 2 of" in run(server, "texts.jsonl", "--dry-run").stdout


def test_standard_input_and_progress(
    server: ExtractionServer, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"Hope is a candle.")))
    done = run(server, "-", "--licence", "CC0", "--price-in", "1", "--price-out", "1")
    assert done.returncode == 0
    assert [(row["source"], row["source_file"], row["licence"]) for row in rows(tmp_path)] == [
        ("candle", "-", "CC0")
    ]
    assert "1 of 1 sentences (100 %)" in done.stderr
    assert "150 tokens, 0.0001 spent" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("t.txt",), "the embedded model can't extract"),
        (("t.txt", "--model", "embedded"), "--model openai:NAME --base-url URL"),
        (("t.txt", "--model", "gpt-5"), "did you mean 'openai:gpt-5'?"),
        (("t.txt", "--model", "openai:x"), "OPENAI_API_KEY"),
        (("gone.txt", "--model", "openai:x", "--base-url", "http://h/v1"), "gone.txt can't be read"),
        (("t.txt", "--model", "openai:x", "--base-url", "h"), "is no address of a server"),
        (
            ("t.txt", "--model", "openai:x", "--base-url", "http://h/v1", "--max-cost", "1"),
            "needs --price-in",
        ),
        (("t.txt", "--model", "openai:x", "--base-url", "http://h/v1", "--price-in", "1"), "go together"),
        (("t.txt", "--model", "openai:x", "--base-url", "http://h/v1", "--prompt", "extract"), "NAME=PATH"),
        (
            ("t.txt", "--model", "openai:x", "--base-url", "http://h/v1", "--temperature", "9"),
            "--temperature 9",
        ),
        (("t.txt", "p.jsonl.gz", "--model", "openai:x", "--base-url", "http://h/v1"), "is one of the texts"),
        (("e.txt", "--model", "openai:x", "--base-url", "http://h/v1"), "There is no sentence"),
        (("t.txt", "--per-call", "0"), "'0' is not a whole number from 1 on"),
        (("t.txt", "--max-cost", "nan"), "'nan' is not a number from 0 on"),
    ],
)
def test_what_cannot_be_used_is_said_before_anything_is_made(
    arguments: tuple[str, ...], words: str, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "t.txt").write_text("Hope is a candle.")
    (tmp_path / "e.txt").write_text("\n")
    done = run(None, *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["e.txt", "t.txt"]


def test_help_and_argument_errors_import_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom graphs.knowledge import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "heavy = 'langgraph langchain_openai openai networkx av simplemma tiktoken'.split()\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    for arguments in (("extract", "--help"), ("extract", "x", "--out", "y"), ()):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.stdout.splitlines()[-1] == "[]"


def english(text: str) -> str:
    """A stand-in for a translation, the same for the same text."""
    return "".join(chr(ord("a") + byte % 26) for byte in hashlib.sha256(text.encode()).digest()[:9])


def test_the_shared_cmdag_becomes_pairs(run: Run, tmp_path: Path, shared: Path) -> None:
    path = shared / "metaphor" / "cmdag_subcorpus_1.json"
    if not path.exists():
        pytest.skip("no CMDAG beside this checkout")
    labels: dict[str, tuple[str, str, str, str]] = {}
    for row in json.loads(path.read_text(encoding="utf-8")):
        vehicle, tenor, ground = (english(row[f"final_{part}"]) for part in ("vehicle", "tenor", "ground"))
        text = " ".join(row["context"].split())
        labels.setdefault(text, (vehicle, tenor, ground, f"In English: {english(text)}"))
    with ExtractionServer(Extractor(labels)) as server:
        done = run(server, str(path), "--per-call", "20")
    assert done.returncode == 0, done.stderr
    found = rows(tmp_path)
    assert told(tmp_path)["rejected"] == {}
    assert {
        row["sentence"]: (row["source"], row["target"], row["ground"], row["translation"]) for row in found
    } == labels
    assert [row["sentence"] for row in found] == list(labels)
    assert {(row["dataset"], row["licence"]) for row in found} == {("cmdag", "MIT")}
    assert told(tmp_path)["not_checked_by_letters"] == len(found) == 979
    assert sum(len(call.sentences) for call in read_calls(tmp_path / "p.journal.jsonl")) == len(labels)
