"""The checker: on the starter data, which must be clean, and on planted faults, which it must see."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tools.knowledge import open_knowledge
from tools.knowledge.__main__ import main
from tools.knowledge.checking.tables import STARTER_LEAST, Least, elements, others_of, problems, rows_of
from tools.knowledge.formats.rows import Row, table_files
from tools.knowledge.linking.other_names import OtherName

HEADER = "source\ttarget\tkind\tculture\tweight\tground\n"
CLEAN = [
    Row("things.tsv:2", "candle", "time", "symbol", "", "0.9", "burns down hour by hour"),
    Row("things.tsv:3", "candle", "hope", "symbol", "", "0.5", "a light in the dark"),
    Row("things.tsv:4", "incense", "prayer", "cultural", "Chinese", "0.5", "smoke rises to the ancestors"),
    Row("things.tsv:5", "incense", "time", "symbol", "", "0.2", "burns down by the hour"),
    Row("concepts.tsv:2", "time", "mortality", "conceptual", "", "0.8", "runs out for everyone"),
]


def test_the_starter_data_is_clean() -> None:
    assert problems(rows_of(), least=STARTER_LEAST, others=others_of()) == []


def test_the_starter_data_is_as_large_as_promised() -> None:
    assert STARTER_LEAST[:4] == (2_500, 12_000, 4_000, 12)
    rows = rows_of()
    assert len(elements(rows)) >= 3_200
    assert len(rows) >= 15_000
    counts = Counter(row.culture for row in rows if row.culture)
    for culture in ("Celtic", "Egyptian", "Hindu", "Islamic", "Korean", "Mexican", "Norse", "Russian"):
        assert counts[culture] >= 25, culture
    assert not counts.keys() & {"Muslim", "Biblical", "Catholic", "English"}


def test_other_names_are_no_edges(tmp_path: Path) -> None:
    folder = tmp_path / "names"
    folder.mkdir()
    (folder / "a.tsv").write_text(
        "node\tname\tlanguage\trelation\ncandle\ttaper\ten\tsynonym\n", encoding="utf-8"
    )
    file = tmp_path / "mine.tsv"
    file.write_text(HEADER + "candle\ttime\tsymbol\t\t0.9\tburns down as it runs\n", encoding="utf-8")
    assert table_files(tmp_path) == [file]
    assert [other.name for other in others_of(tmp_path)] == ["taper"]
    assert [row.source for row in rows_of(tmp_path)] == ["candle"]


def test_the_starter_data_opens_whole() -> None:
    graph = open_knowledge()
    assert graph.name == "starter"
    assert sum(1 for _ in graph.edges) == len(rows_of()) >= 2500
    assert all(edge.ground for edge in graph.edges)
    assert {edge.kind for edge in graph.edges} == {"symbol", "conceptual", "cultural", "bodily", "causal"}


def test_clean_rows_have_no_problems() -> None:
    assert problems(CLEAN) == []
    assert list(elements(CLEAN)) == ["candle", "incense"]


@pytest.mark.parametrize(
    ("planted", "fault"),
    [
        ({"source": ""}, "x.tsv:9: source is empty"),
        ({"target": "candle"}, "x.tsv:9: 'candle' is joined to itself"),
        ({"kind": "visual"}, "x.tsv:9: kind 'visual' is not one of"),
        ({"kind": "cultural"}, "x.tsv:9: kind is cultural, but no culture is given"),
        ({"culture": "Greek"}, "x.tsv:9: culture 'Greek' is given, but kind is symbol, not cultural"),
        ({"kind": "cultural", "culture": "greek"}, "x.tsv:9: culture 'greek' should be capitalised"),
        ({"weight": "2"}, "x.tsv:9: weight '2' is not a number above 0 and up to 1"),
        ({"weight": "0.05"}, "x.tsv:9: weight 0.05 is below 0.1"),
        ({"ground": ""}, "x.tsv:9: ground is empty"),
        ({"ground": "too short"}, "x.tsv:9: ground 'too short' has 2 words, expected 3 to 10"),
        ({"ground": "ends in a stop."}, "x.tsv:9: ground 'ends in a stop.' ends in a full stop"),
        ({"target": "The Warmth"}, "x.tsv:9: target 'The Warmth' is not in normal form; write 'warmth'"),
        ({"target": "colour"}, "x.tsv:9: target 'colour' is not in American spelling; write 'color'"),
        ({"target": "hope"}, "x.tsv:9: 'candle' -> 'hope' is a duplicate of things.tsv:3"),
        ({"source": "hope", "target": "in-cense"}, "x.tsv:9: 'in-cense' is another spelling of 'incense' at"),
        ({"target": "prayers"}, "x.tsv:9: 'prayers' is the plural of 'prayer' at things.tsv:4"),
        ({"source": "clock"}, "x.tsv:9: element 'clock' has one concept only, 'warmth'; give it two or more"),
        ({"source": "lamp", "target": "guide"}, "x.tsv:9: 'lamp' -> 'guide' is an orphan"),
        ({"ground": "gives the body warmth"}, "x.tsv:9: ground 'gives the body warmth' repeats its concept"),
        ({"ground": "the colour of fire"}, "x.tsv:9: ground 'the colour of fire' is not in American"),
        ({"source": "candles"}, "x.tsv:9: 'candles' is the plural of 'candle' at things.tsv:2"),
        ({"extra": "5 tab-separated fields"}, "x.tsv:9: 5 tab-separated fields"),
    ],
)  # fmt: skip
def test_planted_faults_are_seen(planted: dict[str, str], fault: str) -> None:
    sound = Row("x.tsv:9", "candle", "warmth", "symbol", "", "0.5", "gives heat and comfort")
    assert problems([*CLEAN, sound]) == []
    found = problems([*CLEAN, sound._replace(**planted)])
    assert any(message.startswith(fault) for message in found), found


def test_two_cultures_are_no_duplicates() -> None:
    greek = Row("x.tsv:9", "incense", "prayer", "cultural", "Greek", "0.5", "smoke rises to the gods")
    assert problems([*CLEAN, greek]) == []
    assert problems([*CLEAN, greek, greek._replace(where="x.tsv:10")]) == [
        "x.tsv:10: 'incense' -> 'prayer' is a duplicate of x.tsv:9"
    ]


def test_too_few(tmp_path: Path) -> None:
    assert problems(CLEAN, least=Least(elements=3, edges=6, nodes=7, cultures=1)) == [
        "0 cultures of 25 edges or more, expected 1",
        "2 visual elements, expected 3 or more",
        "5 edges, expected 6 or more",
        "6 nodes, expected 7 or more",
    ]
    assert problems(CLEAN, least=Least(elements=2, edges=5, nodes=6)) == []


def test_a_culture_of_one_edge_is_asked_about() -> None:
    assert problems(CLEAN, least=Least(of_culture=1)) == []
    (found,) = problems(CLEAN, least=Least(of_culture=2))
    assert found.startswith("things.tsv:4: culture 'Chinese' has 1 edges, expected 2 or more; is it")


def test_concepts_that_one_thing_stands_for_or_that_lead_nowhere() -> None:
    assert problems(CLEAN, least=Least(into_concept=2))[0] == (
        "things.tsv:3: concept 'hope' is what 1 only, expected 2 or more stands for"
    )
    assert problems(CLEAN, least=Least(from_concept=1)) == [
        "things.tsv:3: concept 'hope' leads on to no other; add a row to concepts.tsv",
        "things.tsv:4: concept 'prayer' leads on to no other; add a row to concepts.tsv",
        "concepts.tsv:2: concept 'mortality' leads on to no other; add a row to concepts.tsv",
    ]


def test_a_ground_wears_out() -> None:
    rows = [Row(f"x.tsv:{n}", f"lamp {n}", "hope", ground="shines in the night") for n in range(2, 6)]
    told = "x.tsv:5: ground 'shines in the night' stands at x.tsv:2, x.tsv:3, x.tsv:4 already"
    assert told in problems(rows)
    assert not [line for line in problems(rows[:3]) if "stands at" in line]


def test_two_wordings_of_one_name() -> None:
    bag = Row("x.tsv:9", "bag of money", "hope", ground="will last for years")
    found = problems([*CLEAN, bag, bag._replace(where="x.tsv:10", source="money bag")])
    assert "x.tsv:10: 'money bag' is another wording of 'bag of money' at x.tsv:9" in found


def test_another_name_that_is_a_node_itself() -> None:
    taper = OtherName("candle", "taper", "en", "synonym", "names/a.tsv:2")
    assert problems(CLEAN, others=[taper]) == []
    assert problems(CLEAN, others=[taper._replace(name="incense")]) == [
        "names/a.tsv:2: 'incense' is given as another name of 'candle', but is a node itself"
    ]


def test_concepts_need_no_two_meanings() -> None:
    rows = [
        *CLEAN,
        Row("metaphors.tsv:2", "mortality", "harvest", "conceptual", "", "0.5", "life is cut like grain"),
    ]
    assert problems(rows) == []


def test_check_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text(HEADER + "candle\ttime\tsymbol\t\t0.9\tburns down hour by hour\n", encoding="utf-8")
    assert main(["check", str(file)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        f"{file}:2: element 'candle' has one concept only, 'time'; give it two or more",
        "1 visual elements, 1 edges, 1 problems",
    ]
    with file.open("a", encoding="utf-8") as more:
        more.write("candle\thope\tsymbol\t\t0.5\ta light in the dark\n")
    assert main(["check", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "1 visual elements, 2 edges, 0 problems\n"
    assert main(["check", str(tmp_path / "gone.tsv")]) == 2
    assert "gone.tsv: can't be read: No such file or directory." in capsys.readouterr().err
    (tmp_path / "graph.json").write_text("{}", encoding="utf-8")
    assert main(["check", str(tmp_path / "graph.json")]) == 2
    assert "graph.json: expected an object such as" in capsys.readouterr().err


@pytest.mark.parametrize("file", ["forward.indices", "forward.indptr", "cultures", "names", "name_numbers"])
def test_a_built_graph_whose_bytes_were_changed(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p.csv").write_text("image,concept\ncandle,hope\nwall,fear\ndoor,chance\ncage,duty\n")
    built = tmp_path / "built"
    assert main(["build", str(tmp_path / "p.csv"), "--out", str(built), "--quiet"]) == 0
    whole = (built / f"{file}.npy").read_bytes()
    (built / f"{file}.npy").write_bytes(whole[:-16] + b"\xff\xff\xff\x7f" * 2 + whole[-8:])
    capsys.readouterr()
    assert main(["check", str(built)]) == 1
    assert "the files' contents are damaged (" in (said := capsys.readouterr().out)
    assert "build or export it again" in said


def test_an_audit_list_that_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.csv").write_text("image,concept\ncandle,hope\n")
    built = tmp_path / "built"
    assert main(["build", str(tmp_path / "p.csv"), "--out", str(built), "--quiet"]) == 0
    (built / "merges.tsv").write_bytes(b"\xff\xfe")
    capsys.readouterr()
    assert main(["check", str(built)]) == 1
    assert "merges.tsv: not UTF-8 at byte 0; save it as UTF-8." in capsys.readouterr().out
