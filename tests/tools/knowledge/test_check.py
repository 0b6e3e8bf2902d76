"""The checker: on the starter data, which must be clean, and on planted faults, which it must see."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.knowledge import open_knowledge
from tools.knowledge.__main__ import main
from tools.knowledge.check import MIN_EDGES, MIN_ELEMENTS, elements, problems, rows_of
from tools.knowledge.rows import Row

HEADER = "source\ttarget\tkind\tculture\tweight\tground\n"
CLEAN = [
    Row("things.tsv:2", "candle", "time", "symbol", "", "0.9", "burns down as time passes"),
    Row("things.tsv:3", "candle", "hope", "symbol", "", "0.5", "a light in the dark"),
    Row("things.tsv:4", "incense", "prayer", "cultural", "Chinese", "0.5", "smoke rises to the ancestors"),
    Row("things.tsv:5", "incense", "time", "symbol", "", "0.2", "burns down by the hour"),
    Row("concepts.tsv:2", "time", "mortality", "conceptual", "", "0.8", "runs out for everyone"),
]


def test_the_starter_data_is_clean() -> None:
    assert problems(rows_of(), min_elements=MIN_ELEMENTS, min_edges=MIN_EDGES) == []


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
    assert problems(CLEAN, min_elements=3, min_edges=6) == [
        "2 visual elements, expected 3 or more",
        "5 edges, expected 6 or more",
    ]


def test_concepts_need_no_two_meanings() -> None:
    rows = [
        *CLEAN,
        Row("metaphors.tsv:2", "mortality", "harvest", "conceptual", "", "0.5", "life is cut like grain"),
    ]
    assert problems(rows) == []


def test_check_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text(HEADER + "candle\ttime\tsymbol\t\t0.9\tburns down as time passes\n", encoding="utf-8")
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
    assert "graph.json: only .tsv edge lists are checked row by row" in capsys.readouterr().err


def test_hop_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.tsv"
    rows = "candle\ttime\tsymbol\t\t0.9\tburns down\ncandle\thope\tsymbol\t\t0.5\tshines in the dark\n"
    file.write_text(HEADER + rows, encoding="utf-8")
    assert main(["hop", "candles", "candel", "--graph", str(file), "--limit", "1"]) == 0
    told = capsys.readouterr()
    assert told.out == "candle -> time (burns down)\n1 more\n"
    assert told.err == "candel: not in the graph; near: candle\n"
    assert main(["hop", "xyzzy", "--graph", str(file)]) == 1
    assert capsys.readouterr().err == "xyzzy: not in the graph\n"
    assert main(["hop", "candle", "--graph", "startr"]) == 2
    assert "Known names: starter" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["hop", "candle", "--limit", "0"])
