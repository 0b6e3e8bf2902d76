"""Every layout is read, every bad row is named."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from agents.errors import UserError
from graphs.extraction.inputs import BadRow, Sentence, described, read_texts


def test_plain_text_keeps_the_lines(tmp_path: Path) -> None:
    path = tmp_path / "poem.txt"
    path.write_bytes(b"\xef\xbb\xbfTime is a thief. It runs.\n\nbad \xff byte\n***\nLove is war.\n")
    reading = read_texts([str(path)], licence="CC0")
    assert reading.sentences == [
        Sentence("Time is a thief.", str(path), 1, "poem", "CC0"),
        Sentence("It runs.", str(path), 1, "poem", "CC0"),
        Sentence("Love is war.", str(path), 5, "poem", "CC0"),
    ]
    assert list(described(reading.bad)) == [
        f"{path}, line 3: is not UTF-8 (byte 5 of the line)",
        f"{path}, line 4: holds no word: '***'",
    ]


def test_jsonl_rows_say_where_they_come_from(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl.gz"
    rows: list[object] = [
        {"text": "Hope is a candle.", "source": "own", "licence": "MIT", "id": 7},
        {"sentence": "Fear is a wall.\nIt is high."},
        {"context": "人生如旅"},
        ["text"],
        {"texts": "x"},
        {"text": 5},
        {"text": "  "},
        {"text": "a" * 1501},
        {"text": "Hope  is a candle."},
    ]
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_bytes(gzip.compress("\n".join([*lines, "{", ""]).encode()))
    reading = read_texts([str(path)], dataset="given")
    name = str(path)
    assert reading.sentences == [
        Sentence("Hope is a candle.", name, 1, "own", "MIT", "7"),
        Sentence("Fear is a wall. It is high.", name, 2, "given"),
        Sentence("人生如旅", name, 3, "given", chinese=True),
    ]
    assert [(row.line, row.reason.partition(":")[0]) for row in reading.bad] == [
        (4, "is a list, not an object"),
        (5, "has none of text, sentence, context"),
        (6, "text is a int, not a text"),
        (7, "holds no word"),
        (8, "is 1501 characters long, more than 1500"),
        (10, "is no JSON"),
    ]
    assert (reading.found, reading.repeats) == (4, 1)


def test_halves_of_characters_are_replaced_before_they_can_do_harm(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    half = "\\ud83d"
    path.write_text(f'{{"text": "Love {half} is war.", "id": "{half}", "source": "{half}"}}')
    assert read_texts([str(path)]).sentences == [Sentence("Love ? is war.", str(path), 1, "?", "", "?")]


def test_cmdag_brings_its_name_and_licence(tmp_path: Path) -> None:
    path = tmp_path / "sub.json"
    row = {
        "metaphor_id": 3,
        "context": "心是\n\n大海",
        "tenor_1": "心",
        "vehicle_1": "大海",
        "ground_1": "广阔",
    }
    path.write_text(json.dumps([row, {**row, "context": None}], ensure_ascii=False), encoding="utf-8")
    reading = read_texts([str(path)])
    assert reading.sentences == [Sentence("心是 大海", str(path), 1, "cmdag", "MIT", "3", chinese=True)]
    assert reading.bad == [BadRow(str(path), 2, "has none of text, sentence, context")]
    assert read_texts([str(path)], dataset="mine", licence="own").sentences[0].dataset == "mine"


def test_the_shared_cmdag_is_read_whole(shared: Path) -> None:
    path = shared / "metaphor" / "cmdag_subcorpus_1.json"
    if not path.exists():
        pytest.skip("no CMDAG beside this checkout")
    reading = read_texts([str(path)])
    assert reading.found + len(reading.bad) == 1000
    assert not reading.bad
    assert {sentence.dataset for sentence in reading.sentences} == {"cmdag"}


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        (b'{"text": "Love is war."}\n', ["Love is war."]),
        (b'[{"text": "Love is war."}]', ["Love is war."]),
        (b"Love is war. So is art.", ["Love is war.", "So is art."]),
        (gzip.compress(b"Love is war."), ["Love is war."]),
    ],
)
def test_standard_input(content: bytes, texts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    reading = read_texts(["-"])
    assert [sentence.text for sentence in reading.sentences] == texts
    assert {(sentence.file, sentence.dataset) for sentence in reading.sentences} == {("-", "stdin")}


def test_repeats_in_other_files_count_and_a_limit_ends_the_reading(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Love is war. Love is war. Art is war.")
    (tmp_path / "b.txt").write_text("Art is war. Life is war.")
    paths = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]
    reading = read_texts(paths)
    assert ([s.text for s in reading.sentences], reading.found, reading.repeats) == (
        ["Love is war.", "Art is war.", "Life is war."],
        5,
        2,
    )
    assert len(read_texts(paths, limit=2).sentences) == 2
    lines = read_texts(paths[:1], layout="lines")
    assert [s.text for s in lines.sentences] == ["Love is war. Love is war. Art is war."]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("gone.txt", None, "can't be read: No such file"),
        ("x.txt.gz", b"plain", "is not gzipped"),
        ("x.txt.gz", gzip.compress(b"plain text")[:-6], "damaged"),
        ("x.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is no text but binary data"),
        ("x.txt", "Love is war.".encode("utf-16"), "give UTF-8 text"),
        ("x.json", b"{}\n{}", "is no JSON"),
        ("x.json", b"{}", "holds a dict; a list"),
    ],
)
def test_a_file_that_cannot_be_read_at_all(
    name: str, content: bytes | None, words: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UserError, match=words):
        read_texts([str(path)])
    with pytest.raises(UserError, match="is a folder"):
        read_texts([str(tmp_path)])
