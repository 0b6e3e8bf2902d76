"""The same answers are the same bytes, in whatever order they came."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.asked import ExtractedItem
from agents.errors import UserError
from agents.schemas import Usage
from graphs.durable.files import write_whole
from graphs.extraction.budget import Price
from graphs.extraction.calls import Call, Failure, Known, sentence_key
from graphs.extraction.inputs import Reading, Sentence
from graphs.extraction.output import COLUMNS, encoded, gather, report, writable
from graphs.extraction.progress import Progress

TEXTS = [f"Worry{n} is a burden." for n in range(9)]
READING = Reading([Sentence(text, "t.txt", n, "t") for n, text in enumerate(TEXTS, 1)], found=9)
KEYS = [sentence_key(text) for text in TEXTS]


def item(number: int, target: str) -> ExtractedItem:
    return ExtractedItem(
        number=number, translation="", source="burden", target=target, ground="", kind="symbol", literal=False
    )


def group(*numbers: int) -> Call:
    keys = tuple(KEYS[number] for number in numbers)
    items = [item(at, f"worry {number}") for at, number in enumerate(numbers, 1)]
    return Call(
        asked_with="w",
        model="m",
        stage="group",
        group=str(numbers),
        sentences=keys,
        items=(*items, item(7, "x")),
    )


CALLS = [
    group(0, 1, 2),
    group(3, 4),
    group(5),
    Call(
        asked_with="w",
        model="m",
        stage="half",
        sentences=(KEYS[6],),
        failure=Failure(kind="RefusedError", message="no"),
    ),
    Call(asked_with="w", model="m", stage="again", sentences=(KEYS[7],), items=()),
]


@given(st.permutations(CALLS))
def test_rows_and_rejections_follow_the_input(calls: list[Call]) -> None:
    known = Known("w", "m")
    for call in calls:
        known.take(call)
    gathered = gather(READING, known, {KEYS[8]}, prompt="p")
    assert [row["target"] for row in gathered.rows] == [f"worry {number}" for number in range(6)]
    assert all(tuple(row) == COLUMNS for row in gathered.rows)
    assert dict(gathered.reasons) == {"failed": 1, "left_out": 1, "unknown_sentence": 3}
    assert (gathered.answered, gathered.pending, dict(gathered.failures)) == (6, 1, {"RefusedError": 1})
    assert encoded(gathered.rows, zipped=True) == encoded(list(gathered.rows), zipped=True)
    whole = json.loads(report(READING, gathered, complete=False))
    assert [found["line"] for found in whole["rejected_list"]] == [7, 8, 1, 4, 6]
    assert whole["rejected_list"][2]["number"] == "7"


def test_gzip_holds_no_name_and_no_time(tmp_path: Path) -> None:
    rows = [{"source": "火", "target": "love"}]
    path = tmp_path / "p.jsonl.gz"
    write_whole(path, encoded(rows, zipped=True))
    content = path.read_bytes()
    assert content[3:8] == b"\0\0\0\0\0"  # flags: no name; time 0
    assert (
        gzip.decompress(content)
        == encoded(rows, zipped=False)
        == '{"source": "火", "target": "love"}\n'.encode()
    )
    assert [each.name for each in tmp_path.iterdir()] == ["p.jsonl.gz"]


def test_progress_says_rate_tokens_money_and_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    now, known = [0.0], Known("w", "m")
    progress = Progress(KEYS, known, price=Price(1, 2), clock=lambda: now[0])
    call = CALLS[0].model_copy(update={"usage": Usage(input_tokens=1000, output_tokens=500)})
    for seconds, made in ((2.0, call), (12.0, CALLS[3]), (13.0, CALLS[1])):
        now[0] = seconds
        known.take(made)
        progress.recorded(made)
    assert capsys.readouterr().err == (
        "3 of 9 sentences (33 %), 0.2 a second, 1,500 tokens, 0.0020 spent, 1 failed so far, 24 s left\n"
    )
    now[0] = 10.0
    progress.close()
    assert capsys.readouterr().err.startswith("5 of 9 sentences (56 %), 0.5 a second, 1,500 tokens")
    quiet = Progress(KEYS, known, quiet=True)
    quiet.close()
    assert capsys.readouterr().err == ""


def test_what_may_not_be_written_over_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "device.jsonl").symlink_to(os.devnull)
    (tmp_path / "ring.jsonl").symlink_to("ring.jsonl")
    for name in (os.devnull, "pipe.jsonl", "device.jsonl", "none/p.jsonl", "."):
        with pytest.raises(UserError, match="can't be written: give a file in a folder that exists"):
            writable(str(tmp_path / name), ["-"])
    with pytest.raises(UserError, match="is to end in"):
        writable(str(tmp_path / "pairs.csv"), [])
    with pytest.raises(UserError, match="is one of the texts"):
        writable(str(tmp_path / "ring.jsonl"), [str(tmp_path / "ring.jsonl")])
    for name in ("ring.jsonl", "new.jsonl.gz", "New.v1.ndjson"):
        assert writable(str(tmp_path / name), ["-", str(tmp_path / "t.txt")]) == tmp_path / name
