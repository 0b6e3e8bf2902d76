"""`python -m tools.knowledge hop|path|stats|show`, as a user types them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from tools.knowledge.__main__ import main
from tools.knowledge.commands.columns import aligned, printable

ROWS = [
    "source\ttarget\tkind\tculture\tweight\tground",
    "candle\ttime\tsymbol\t\t0.9\tburns down",
    "candle\thope\tsymbol\t\t0.5\tshines in the dark",
    "candle\tprayer\tcultural\tChristian\t0.4\tlit in church",
    "hourglass\ttime\tsymbol\t\t0.8\tsand runs out",
    "time\tmortality\tconceptual\t\t0.5\truns out for everyone",
    "fist\tanger\tbodily\t\t0.9\tthe hand closes",
]


@pytest.fixture
def mine(tmp_path: Path) -> str:
    file = tmp_path / "mine.tsv"
    file.write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    return str(file)


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]):
    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        return code, *capsys.readouterr()

    return run


def test_hop_prints_columns(told, mine: str) -> None:
    code, out, err = told("hop", "candles", "candelabra", "--graph", mine)
    assert code == 0
    assert out.splitlines() == [
        "candle -> time                 burns down",
        "candle -> hope                 shines in the dark",
        "candle -> prayer  [Christian]  lit in church",
    ]
    assert err.splitlines() == [
        "candles: read as candle",
        "candelabra: not in the graph; did you mean candle?",
    ]
    code, out, _ = told("hop", "candle", "--graph", mine, "-v", "--limit", "1")
    assert out.splitlines() == ["candle -> time  0.90  symbol  burns down", "2 more; --limit shows them"]


def test_hop_shows_which_way_an_association_goes(told, mine: str) -> None:
    _, out, _ = told("hop", "time", "--graph", mine)
    assert "time <- candle     also shown by candle: burns down" in out.splitlines()
    assert "time -> mortality  runs out for everyone" in out.splitlines()


def test_hop_as_json(told, mine: str) -> None:
    code, out, err = told("hop", "candle", "xyzzy", "--graph", mine, "--hops", "2", "--json")
    result = json.loads(out)
    assert code == 0
    assert err == ""
    assert result["linked"] == {"candle": "candle"}
    assert result["unknown"] == {"xyzzy": []}
    assert result["associations"][0]["path"] == ["candle", "time"]
    assert [found["concept"] for found in result["associations"]] == ["time", "hope", "prayer", "mortality"]


def test_hop_that_finds_nothing(told, mine: str, tmp_path: Path) -> None:
    assert told("hop", "xyzzy", "--graph", mine) == (1, "", "xyzzy: not in the graph; no name comes near\n")
    lone = tmp_path / "lone.graphml"
    lone.write_text(
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">'
        '<node id="candle"/><node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>',
        encoding="utf-8",
    )
    code, out, err = told("hop", "candle", "--graph", str(lone))
    assert (code, out, err) == (1, "", "candle: joined to nothing within 1 step\n")
    code, _, err = told("hop", "candle", "--graph", "startr")
    assert code == 2
    assert "Known names: starter" in err
    with pytest.raises(SystemExit):
        main(["hop", "candle", "--limit", "0"])


def test_path_prints_ways_and_grounds(told, mine: str) -> None:
    code, out, err = told("path", "candles", "mortality", "--graph", mine)
    assert code == 0
    assert out.splitlines() == [
        "candle -> time -> mortality  (0.27)",
        "  candle -> time     burns down",
        "  time -> mortality  runs out for everyone",
    ]
    assert err == "candles: read as candle\n"
    _, out, _ = told("path", "candle", "hourglass", "--graph", mine)
    assert out.splitlines()[0] == "candle -> time <- hourglass  (0.17)"
    _, out, _ = told("path", "candle", "hourglass", "--graph", mine, "--json")
    (path,) = json.loads(out)["paths"]
    assert path["nodes"] == ["candle", "time", "hourglass"]
    assert [step["backward"] for step in path["steps"]] == [False, True]


def test_path_that_is_none_says_what_comes_near(told, mine: str) -> None:
    code, out, err = told("path", "candle", "mortality", "--graph", mine, "--max-hops", "1")
    assert (code, out) == (1, "")
    assert err.splitlines() == [
        "candle, mortality: no path of up to 1 step; the shortest has 2: try --max-hops 2",
        "  candle: near time, hope, prayer",
        "  mortality: near time",
    ]
    _, _, err = told("path", "candle", "fist", "--graph", mine)
    assert err.splitlines()[0] == "candle, fist: no path of up to 4 steps, nor a longer one"
    _, _, err = told("path", "hope", "hourglass", "--graph", mine)
    assert err.splitlines()[0] == (
        "hope, hourglass: no path of up to 4 steps that turns round once at most, though 3 steps join them"
    )
    code, _, err = told("path", "candle", "candles", "--graph", mine)
    assert code == 1
    assert "candle: both names are read as this one; give two different things" in err
    code, _, err = told("path", "candelabra", "hope", "--graph", mine)
    assert (code, err) == (1, "candelabra: not in the graph; did you mean candle?\n")


def test_stats(told, mine: str) -> None:
    code, out, _ = told("stats", mine)
    lines = out.splitlines()
    assert code == 0
    assert lines[1] == "8 nodes, 6 edges, 0 other names"
    assert lines[2] == "3 elements that only stand for others, 5 concepts"
    assert lines[4] == "2 parts that no edge joins, of 6, 2 nodes"
    assert "  3  symbol" in lines
    assert "  1  Christian" in lines
    assert "  2  time" in lines
    code, out, _ = told("stats", mine, "--json")
    counted = json.loads(out)
    assert counted["kinds"] == {"symbol": 3, "bodily": 1, "conceptual": 1, "cultural": 1}
    assert told("stats", "nowhere.tsv")[0] == 2


@pytest.mark.parametrize("ending", ["html", "png", "svg", "PNG"])
def test_show_writes_a_picture(told, mine: str, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"candle.{ending}"
    code, said, err = told("show", "candles", "candelabra", "--graph", mine, "--out", str(out))
    assert code == 0
    assert said == f"{out}: 5 elements, 4 associations\n"
    assert err.splitlines() == [
        "candles: read as candle",
        "candelabra: not in the graph; did you mean candle?",
    ]
    drawn = out.read_bytes()
    if ending == "html":
        assert b"4 concepts and things up to 2 steps away in the graph mine.tsv" in drawn
    elif ending == "svg":
        assert drawn.startswith(b"<svg")
    else:
        assert Image.open(io.BytesIO(drawn)).width == 1600
    assert {file.name for file in tmp_path.iterdir()} == {"mine.tsv", out.name}
    told("show", "candle", "--graph", mine, "--out", str(out))
    assert out.read_bytes() == drawn


def test_show_that_can_not(told, mine: str, tmp_path: Path) -> None:
    out = tmp_path / "none.html"
    code, _, err = told("show", "candelabra", "--graph", mine, "--out", str(out))
    assert (code, err) == (1, "candelabra: not in the graph; did you mean candle?\n")
    assert not out.exists()
    for name, fault in (
        ("candle.pdf", ".pdf is not a format of a picture; give .html, .png, .svg."),
        ("candle", "no ending is not a format of a picture"),
        ("nowhere/candle.svg", "can't be written: No such file or directory."),
    ):
        code, _, err = told("show", "candle", "--graph", mine, "--out", str(tmp_path / name))
        assert code == 2
        assert fault in err
    (tmp_path / "folder.svg").mkdir()
    assert told("show", "candle", "--graph", mine, "--out", str(tmp_path / "folder.svg"))[0] == 2
    assert not list(tmp_path.glob("*.part"))
    with pytest.raises(SystemExit):
        main(["show", "candle", "--out", "a.svg", "--limit", "500"])


def test_columns_stay_straight_for_wide_characters() -> None:
    assert aligned([["蜡烛", "x"], ["a", "y"]]) == ["蜡烛  x", "a     y"]
    assert aligned([["9", "a"], ["10", "b"]], right=frozenset({0})) == [" 9  a", "10  b"]
    assert aligned([["a", "", "b"], ["c", "", "d"]]) == ["a  b", "c  d"]
    assert aligned([["candle", "burns down as time passes"]], room=20) == ["candle  burns dow..."]
    assert aligned([]) == []
    assert printable("a\x1b[31m\nb") == "a [31m b"


def test_names_that_are_nothing_or_a_whole_text(told, mine: str) -> None:
    assert told("hop", "", "--graph", mine) == (1, "", "'': not in the graph; no name comes near\n")
    code, _, err = told("hop", "wax" * 9_000, "--graph", mine)
    assert code == 1
    assert err.startswith("waxwax")
    assert err.endswith("...: not in the graph; no name comes near\n")
    assert len(err) < 200
