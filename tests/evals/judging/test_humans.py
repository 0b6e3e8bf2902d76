"""Ratings as spreadsheets save them, and every row at fault named."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.errors import UserError
from evals.judging.humans import HumanRating, read_humans

PLAIN = "video_id,rater,score\na,ann,7\nb,ann,10\na,ben,0\n"


def write(folder: Path, content: str | bytes, name: str = "h.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def triples(path: Path) -> list[tuple[str, str, float | None]]:
    return [(one.video_id, one.rater, one.score) for one in read_humans([path]).ratings]


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        "\ufeff" + PLAIN,
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", "\t"),
        "sep=;\r\n" + PLAIN.replace(",", ";").replace("\n", "\r\n"),
        PLAIN.encode("utf-16"),
        "\n\n" + PLAIN + ",,\n\n",
        "Score, Rater ,VIDEO ID,\n7,ann,a,\n10,ann, b\u00a0,\n0.0,ben,a,\n",
        '"score";"rater";"video_id"\n"7,0";"ann";"a"\n10;ann;\'b\n0;ben;a\n',
        'video_id,rater,note,score\na,ann,"good, but\nlong",7\nb,ann,,10\na,ben,;,0\n',
    ],
)
def test_whatever_the_spreadsheet(content: str | bytes, tmp_path: Path) -> None:
    assert triples(write(tmp_path, content)) == [("a", "ann", 7), ("b", "ann", 10), ("a", "ben", 0)]


def test_a_western_code_page(tmp_path: Path) -> None:
    path = write(tmp_path, "video_id;rater;score\na;José;7\n".encode("cp1252"))
    assert triples(path) == [("a", "José", 7)]


def test_more_columns_and_ratings_not_given(tmp_path: Path) -> None:
    text = "epoch,video_id,rater,score,strict\n1,a,ann,7,1\n2,a,ann,,0\n,b,ann,NA,\n1,b,ben,8,\n"
    found = read_humans([write(tmp_path, text)])
    assert found.ratings == (
        HumanRating("a", "ann", 1, 7, 1),
        HumanRating("a", "ann", 2, None, 0),
        HumanRating("b", "ben", 1, 8, None),
    )
    assert (found.unrated, found.raters, found.scale, found.guessed) == (1, ("ann", "ben"), "loose", True)


def test_scores_of_0_and_1_are_strict_unless_told(tmp_path: Path) -> None:
    path = write(tmp_path, "video_id,rater,score\na,ann,1\nb,ann,0\n")
    assert read_humans([path]).scale == "strict"
    assert read_humans([path], "loose").scale == "loose"
    with pytest.raises(UserError, match="scores are 0 or 1, and there is 7"):
        read_humans([write(tmp_path, PLAIN)], "strict")


def test_every_row_at_fault_is_named(tmp_path: Path) -> None:
    text = (
        "video_id,rater,score,epoch,strict\n"
        "a,ann,7,,\n"
        "b,ann,seven,,\n"
        ",ann,5,,\n"
        "c,,5,,\n"
        "d,ann,11,,\n"
        "e,ann,-1,,\n"
        "f,ann,5,0,\n"
        "g,ann,5,,0.5\n"
        "a,ann,8,,\n"
        "h,ann,1e1,,\n"
    )
    path = write(tmp_path, text)
    with pytest.raises(UserError) as caught:
        read_humans([path])
    assert str(caught.value).splitlines() == [
        "9 rows can't be used; mend or take out, and start again:",
        f"  {path}, line 3: score is 'seven', not a number from 0 to 10",
        f"  {path}, line 4: video_id is empty",
        f"  {path}, line 5: rater is empty",
        f"  {path}, line 6: score is '11', not a number from 0 to 10",
        f"  {path}, line 7: score is '-1', not a number from 0 to 10",
        f"  {path}, line 8: epoch is '0', not a whole number from 1",
        f"  {path}, line 9: strict is '0.5', not 0 or 1",
        f"  {path}, line 10: 'a' by 'ann' is rated a second time, first in {path}, line 2",
        f"  {path}, line 11: score is '1e1', not a number from 0 to 10",
    ]


def test_a_pair_twice_in_two_files(tmp_path: Path) -> None:
    paths = [write(tmp_path, PLAIN, "one.csv"), write(tmp_path, PLAIN, "two.csv")]
    with pytest.raises(UserError, match=r"3 rows can't be used.*\n.*two.csv, line 2: 'a' by 'ann'"):
        read_humans(paths)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty: it needs a line of headings"),
        ("video,rater,score\na,b,1\n", "no column video_id.*found video, rater, score"),
        ("a,b\n", "no column video_id and no column rater and no column score"),
        ("video_id,rater,score,Score\n", "two columns score"),
        ("video_id,rater,score\na,ann,7,5\n", r"line 2 has more cells than there are headings \('5'\)"),
        ("video_id,rater,score\na,ann,\n", "no row holds a score"),
        (b"PK\x03\x04rest", "is a workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "is a workbook"),
        ("\x1b[31mvideo,rater,score\n", r"found \?\[31mvideo, rater, score"),
        ("video_id,rater,score,epoch\na,ann,7,²\n", "epoch is '²', not a whole number from 1"),
        ("video_id,rater,score,epoch\na,ann,7," + "9" * 5000, r"epoch is '9+…9+ \(5,000 characters\)', not"),
        (b"\xff\xfe\x00", "is no text in UTF-8"),
        (b"video_id,rater,score\n\x81\x8d", "is no text in UTF-8"),
        ('video_id,rater,score\na,ann,"' + "x" * 200_000, "is no table: field larger"),
    ],
)
def test_files_that_are_none(content: str | bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=words):
        read_humans([write(tmp_path, content)])


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nope.csv can't be read: No such file"):
        read_humans([tmp_path / "nope.csv"])


NAMES = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S"), exclude_characters="'"),
    min_size=1,
    max_size=8,
).filter(lambda text: text.strip() == text and not text.startswith("'"))


@given(
    rows=st.dictionaries(st.tuples(NAMES, NAMES), st.integers(0, 20), min_size=1, max_size=8),
    order=st.permutations(["video_id", "rater", "score"]),
    delimiter=st.sampled_from(",;\t|"),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
@settings(max_examples=60, deadline=None)
def test_what_was_written_is_read(
    rows: dict[tuple[str, str], int],
    order: list[str],
    delimiter: str,
    encoding: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, order, delimiter=delimiter)
    writer.writeheader()
    for (video_id, rater), half in rows.items():
        writer.writerow({"video_id": video_id, "rater": rater, "score": half / 2})
    path = tmp_path_factory.mktemp("csv") / "h.csv"
    path.write_bytes(text.getvalue().encode(encoding))
    assert triples(path) == [(*key, half / 2) for key, half in rows.items()]
