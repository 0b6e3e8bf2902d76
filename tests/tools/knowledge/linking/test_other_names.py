"""Other names of nodes: read, checked, linked; in English and in Chinese."""

from __future__ import annotations

import sqlite3
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tools.errors import KnowledgeError
from tools.knowledge import Edge, Link, MetaphorGraph, open_knowledge
from tools.knowledge.__main__ import main
from tools.knowledge.checking.other_names import misnamed, unnamed
from tools.knowledge.formats.rows import Row
from tools.knowledge.linking import chinese
from tools.knowledge.linking.index import MemoryIndex, SqliteIndex, forms, write_index
from tools.knowledge.linking.names import lemma, normal
from tools.knowledge.linking.other_names import OtherName, read_names

HEADER = "node\tname\tlanguage\trelation\n"
NAMES = """
candle\t蜡烛\tzh\ttranslation
burning candle\t燃烧\tzh\ttranslation
door\t门\tzh\ttranslation
trash can\tgarbage bin\ten\tsynonym
mouse\t老鼠\tzh\ttranslation
rat\t老鼠\tzh\ttranslation
rat\trodents\ten\tsynonym
kneeling person\t跪着的人\tzh\ttranslation
man\t男人\tzh\ttranslation
crowd\t人群\tzh\ttranslation
clenched fist\t紧握的拳头\tzh\ttranslation
rose\t玫瑰\tzh\ttranslation
withered rose\t枯萎的玫瑰\tzh\ttranslation
rain\t雨\tzh\ttranslation
street\t街道\tzh\ttranslation
pig\thog\ten\tsynonym
"""
NODES = (
    "candle", "burning candle", "door", "trash can", "mouse", "rat", "kneeling person", "man", "crowd",
    "clenched fist", "rose", "withered rose", "rain", "street", "pig", "pig in a suit", "rodent", "suitcase",
)  # fmt: skip


def others() -> list[OtherName]:
    return [OtherName(*line.split("\t")) for line in NAMES.strip().split("\n")]


@pytest.fixture(scope="module")
def graph() -> MetaphorGraph:
    return MetaphorGraph([Edge(name, "meaning") for name in NODES], others=others())


@pytest.mark.parametrize(
    ("keyword", "link"),
    [
        ("garbage bin", Link("trash can", 0.97, "synonym")),
        ("The garbage bins", Link("trash can", 0.92, "synonym")),
        ("rodents", Link("rat", 0.97, "synonym")),  # an exact synonym comes before a dictionary form
        ("蜡烛", Link("candle", 0.97, "translation")),
        ("蠟燭", Link("candle", 0.96, "translation")),
        (" 一支蜡烛。", Link("candle", 0.92, "translation")),
        ("燃烧的蜡烛", Link("candle", 0.8245, "head")),
        ("老旧的木门", Link("door", 0.776, "suffix")),
        ("跪着的男人", Link("kneeling person", 0.87, "translation")),
        ("一个男人", Link("man", 0.92, "translation")),
        ("握紧的拳头", Link("clenched fist", 0.84, "translation")),
        ("几朵枯萎的玫瑰", Link("withered rose", 0.92, "translation")),
        ("雨中的街道", Link("street", 0.8245, "head")),
        ("一个suitcase", Link("suitcase", 0.95, "lemma")),
        ("burning 蜡烛", Link("candle", 0.8245, "head")),
        ("hog in a suit", Link("pig in a suit", 0.855, "gist")),
    ],
)
def test_other_names_are_linked(graph: MetaphorGraph, keyword: str, link: Link) -> None:
    assert graph.link(keyword)[0] == link


def test_what_describes_in_chinese_follows(graph: MetaphorGraph) -> None:
    assert graph.link("燃烧的蜡烛")[1] == Link("burning candle", 0.6, "modifier")
    assert graph.link("雨中的街道")[1] == Link("rain", 0.6, "modifier")


def test_a_name_of_two_nodes_names_both(graph: MetaphorGraph) -> None:
    assert [link.node for link in graph.link("老鼠")] == ["mouse", "rat"]
    assert [link.node for link in graph.link("两只老鼠")] == ["mouse", "rat"]


@pytest.mark.parametrize("keyword", ["的", "一个", "几只", "可口可乐", "华为", "。。。", "哈哈哈"])
def test_what_is_no_name_in_chinese_is_linked_to_nothing(graph: MetaphorGraph, keyword: str) -> None:
    assert graph.link(keyword) == []


def test_a_graph_of_chinese_nodes() -> None:
    graph = MetaphorGraph([Edge("生命", "河流"), Edge("愤怒的大海", "火焰"), Edge("火焰", "热情")])
    assert graph.link("生命") == [Link("生命", 1.0, "exact")]
    assert graph.link("熱情") == [Link("热情", 0.98, "variant")]
    assert graph.link("一条河流") == [Link("河流", 0.95, "lemma")]
    assert graph.link("燃烧的火焰") == [Link("火焰", 0.85, "head")]
    assert graph.near("烈焰") == ["火焰"]
    assert graph.near("xyzzy") == []


def test_near_in_chinese_shares_characters(graph: MetaphorGraph) -> None:
    assert graph.near("烛光") == ["candle"]
    assert graph.near("玫瑰花")[:2] == ["rose", "withered rose"]
    assert graph.near("老鼠", 0) == []
    assert graph.near("宇宙") == []


def test_names_stand_beside_a_graph(tmp_path: Path) -> None:
    (tmp_path / "graph.tsv").write_text("source\ttarget\ncandle\ttime\n", encoding="utf-8")
    (tmp_path / "names.tsv").write_text(f"{HEADER}candle\t蜡烛\tzh\ttranslation\n", encoding="utf-8")
    for path in (tmp_path, tmp_path / "graph.tsv"):
        assert open_knowledge(path).link("蜡烛") == [Link("candle", 0.97, "translation")]
    (tmp_path / "names.tsv").write_text(f"{HEADER}candel\t蜡烛\tzh\ttranslation\n", encoding="utf-8")
    with pytest.raises(KnowledgeError, match=r"names.tsv:2: node 'candel' is not in the graph"):
        open_knowledge(tmp_path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("node\tname\n", r"mine.tsv:1: the first line has to be the tab-separated columns node, name"),
        (HEADER + "candle\t蜡烛\tzh\n", r"mine.tsv:2: 3 tab-separated fields, expected 4"),
        (HEADER + "\ncandle\t蜡烛\tcn\ttranslation\n", r"mine.tsv:3: language 'cn' is not one of en, zh"),
        (HEADER + "candle\t蜡烛\tzh\talias\n", r"mine.tsv:2: relation 'alias' is not one of synonym"),
        (HEADER + "\t蜡烛\tzh\ttranslation\n", r"mine.tsv:2: node is empty"),
        (HEADER + "candle\t...\ten\tsynonym\n", r"mine.tsv:2: name is empty"),
    ],
)
def test_a_malformed_table_is_told_by_line(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(KnowledgeError, match=told):
        read_names([file])
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(KnowledgeError, match="not UTF-8 at byte 0"):
        read_names([file])
    with pytest.raises(KnowledgeError, match="can't be read: No such file"):
        read_names([tmp_path / "gone.tsv"])


def test_the_order_of_files_does_not_matter(tmp_path: Path) -> None:
    parts = [NAMES.strip().split("\n")[at::3] for at in range(3)]
    files = [tmp_path / f"{at}.tsv" for at in range(3)]
    for file, part in zip(files, parts, strict=True):
        file.write_text(HEADER + "\n".join([*part, part[0]]) + "\n", encoding="utf-8")
    digests = set()
    for order in permutations(files):
        read = read_names(order)
        assert len(read) == len(others())
        digests.add(MetaphorGraph([Edge(name, "meaning") for name in NODES], others=read).digest)
    assert len(digests) == 1
    assert digests != {MetaphorGraph([Edge(name, "meaning") for name in NODES]).digest}


def test_other_names_are_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [Row("g:1", "candle", "time")]
    wrong = [
        OtherName("candel", "taper", "en", "synonym", "n:2"),
        OtherName("candle", "candle", "en", "synonym", "n:3"),
        OtherName("candle", "蠟燭", "zh", "translation", "n:4"),
        OtherName("candle", "Taper", "en", "synonym", "n:5"),
        OtherName("time", "tid", "zh", "synonym", "n:6"),
    ]
    assert misnamed(rows, wrong) == [
        "n:2: 'taper' is given as another name of 'candel', which is no node",
        "n:3: 'candle' is given as another name of itself",
        "n:4: '蠟燭' is not written as names are; write '蜡烛'",
        "n:5: 'Taper' is not written as names are; write 'taper'",
        "n:6: relation 'synonym' of 'tid' in zh should be 'translation'",
        "n:6: 'tid' is not in the language 'zh'",
    ]
    assert unnamed(rows, [wrong[2]]) == ["time"]
    assert misnamed(rows, []) == []
    ground = "symbol\t\t0.9\tburns down as time passes\n"
    table = f"source\ttarget\tkind\tculture\tweight\tground\ncandle\ttime\t{ground}candle\thope\t{ground}"
    (tmp_path / "graph.tsv").write_text(table, encoding="utf-8")
    (tmp_path / "names.tsv").write_text(f"{HEADER}candle\t蠟燭\tzh\ttranslation\n", encoding="utf-8")
    assert main(["check", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert f"{tmp_path / 'names.tsv'}:2: '蠟燭' is not written as names are; write '蜡烛'" in told
    assert "1 other names; 2 nodes have none in Chinese" in told


def test_the_index_on_disk_is_the_one_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "index # 50%.sqlite"
    nodes = [*NODES, "half \ud83d pair", "生命"]
    connection = sqlite3.connect(path)
    write_index(connection, nodes, others())
    connection.commit()
    connection.close()
    disk, memory = SqliteIndex(path, nodes), MemoryIndex(nodes, others())
    assert disk.names() == memory.names()
    clean = [word for word in memory.vocabulary() if word.isprintable()]
    assert [word for word in disk.vocabulary() if word in clean] == clean
    asked = {key for name in [*NODES, *(other.name for other in others())] for key in forms(normal(name))}
    for key in asked:
        assert disk.found(key) == sorted(memory.found(key), key=lambda hit: (hit.way, hit.other))
        assert disk.find("exact", key) == memory.find("exact", key)
        assert disk.find("word", key) == memory.find("word", key)
    assert [hit.node for hit in disk.found("half \ud83d pair")] == ["half \ud83d pair"]


@settings(deadline=None, max_examples=60)  # the first name loads a dictionary
@given(
    st.integers(0, 10**6),
    st.sampled_from(["{}", "the {}", "A {}", " {}. ", "{}!", "{}s", "their {}"]),
    st.sampled_from([str, str.upper, str.title]),
)
def test_a_decorated_node_is_linked_to_itself(number: int, decoration: str, cased) -> None:
    graph = open_knowledge()
    node = graph.node_name(number % len(graph))
    # "Dices" is no plural, nor is that of a node that is one.
    assume(decoration != "{}s" or lemma(f"{node}s") == lemma(node))
    links = graph.link(cased(decoration.format(node)))
    assert node in [link.node for link in links], links
    if decoration != "{}s":
        assert links[0].node == node
        assert links[0].score >= 0.98


@settings(deadline=None, max_examples=40)
@given(st.text(alphabet="蜡烛的一个老鼠门木红ab 着跪人男,", max_size=12), st.floats(0, 1))
def test_any_chinese_text_is_linked_or_not(text: str, floor: float) -> None:
    graph = MetaphorGraph([Edge(name, "meaning") for name in NODES], others=others())
    links = graph.link(text, floor=floor)
    assert links == graph.link(text, floor=floor)
    assert all(floor <= link.score <= 1 and link.node in graph for link in links)
    assert len({link.node for link in links}) == len(links) <= 3
    assert isinstance(graph.near(text), list)


def test_parts_of_chinese() -> None:
    assert chinese.counted("三十只白鸽") == "白鸽"
    assert chinese.counted("人群") == "人群"
    assert chinese.described("海边的红色的门") == ("门", ["海边", "红色"])
    assert chinese.described("的") == ("", [])
    assert chinese.gist("黑白画面") == chinese.gist("黑白照片")
    assert not chinese.has_han("日".replace("日", "kana カ"))
