"""Plain retrieval over sentences: by words, by meaning, English and Chinese, from files and from graphs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.errors import KnowledgeError
from tools.knowledge import Edge, MetaphorGraph
from tools.knowledge.edges import Sentence
from tools.knowledge.engine.compiled import write_compiled
from tools.knowledge.sources import Query, SourceSettings, open_source
from tools.knowledge.sources.sentence_index import SentenceIndex, terms
from tools.knowledge.sources.sentences import sentences_of_files, sentences_of_graph
from tools.tokens import count_tokens


class Letters:
    """Embeds by counting letters."""

    name = "letters"

    def embed(self, texts):
        import numpy as np

        rows = [[0.01 + text.lower().count(chr(97 + at)) for at in range(26)] for text in texts]
        return np.array(rows, np.float32)


def settings(path: Path, **more: object) -> SourceSettings:
    return SourceSettings(texts=(str(path),), **more)


def test_a_text_is_split_into_sentences_each_once(texts: Path) -> None:
    assert list(sentences_of_files([str(texts)])) == [
        "A candle burns down like a life.",
        "The wilted flowers told of her grief!",
        "He burned his bridges.",
        "蜡烛像时间一样燃尽。",
        "他在桥上等待。",
    ]


def test_words_are_stemmed_and_chinese_is_found_by_pairs(texts: Path) -> None:
    source = open_source("texts", settings(texts))
    found = source.find(Query(("burning candle", "wilting flower", "燃烧的蜡烛")))
    by_text = {passage.text: passage for passage in found.passages}
    assert by_text["A candle burns down like a life."].keywords == ("burning candle",)
    assert by_text["The wilted flowers told of her grief!"].keywords == ("wilting flower",)
    assert by_text["蜡烛像时间一样燃尽。"].keywords == ("燃烧的蜡烛",)
    assert "他在桥上等待。" not in by_text
    scores = [passage.score for passage in found.passages]
    assert scores == sorted(scores, reverse=True)
    assert min(scores) > 0
    assert found.mode == "bm25"
    assert source.find(Query(("桥",))).passages[0].text == "他在桥上等待。"


def test_z_bounds_the_sentences_of_a_video(texts: Path) -> None:
    source = open_source("texts", settings(texts))
    assert len(source.find(Query(("candle", "flower", "bridge"), limit=2)).passages) == 2
    assert source.find(Query(("submarine",))).passages == ()
    assert source.find(Query(("the", "?!"))).passages[0].text.startswith("The wilted")
    assert source.find(Query(("?!",))).passages == ()


def test_by_meaning(texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.knowledge.embedding.embedders.open_embedder", lambda _spec, **_more: Letters())
    source = open_source("texts", settings(texts, texts_by="embeddings", embeddings="letters"))
    found = source.find(Query(("he burned his bridge", "candle"), limit=3))
    assert found.passages[0].text == "He burned his bridges."
    assert found.passages[0].keywords == ("he burned his bridge",)
    assert found.mode == "embeddings"
    assert len(found.passages) == 3
    assert found == source.find(Query(("he burned his bridge", "candle"), limit=3))


def test_by_meaning_wants_an_embedder(texts: Path) -> None:
    with pytest.raises(KnowledgeError, match="needs an embedder: --embeddings embedded"):
        open_source("texts", settings(texts, texts_by="embeddings"))


def test_json_lines_keep_source_and_licence(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl.gz"
    rows = [
        {"sentence": "Hope is a\n candle.", "dataset": "poems", "licence": "MIT"},
        {"text": "Time is a thief."},
    ]
    path.write_bytes(gzip.compress("\n".join(json.dumps(row) for row in rows).encode()))
    found = open_source("texts", settings(path)).find(Query(("candle", "thief")))
    assert {(each.text, each.source, each.licence) for each in found.passages} == {
        ("Hope is a candle.", "poems", "MIT"),
        ("Time is a thief.", "said.jsonl.gz", ""),
    }


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.jsonl", '{"text": "x"}\n{"text": 1}', r"a\.jsonl, line 2: expected an object with a text"),
        ("a.jsonl", "[1", r"a\.jsonl, line 1: not JSON"),
        ("a.pdf", "x", r"a\.pdf: sentences are read from \.txt, \.md, \.jsonl"),
        ("a.txt", " \n", r"a\.txt: there is no sentence in it"),
        ("a.txt", None, r"a\.txt: can't be read"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(
    name: str, content: str | None, told: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(KnowledgeError, match=told):
        open_source("texts", settings(tmp_path / name))
    with pytest.raises(KnowledgeError, match="is a folder; name the files"):
        open_source("texts", settings(tmp_path))


def test_a_graph_lends_the_sentences_that_it_was_built_from(tmp_path: Path) -> None:
    said = Sentence("Life is a candle.", "poems", "MIT")
    edges = [
        Edge("candle", "life", sentences=(said, "A  candle is brief.")),
        Edge("life", "candle", sentences=(said,)),
    ]
    write_compiled(MetaphorGraph(edges, name="g"), tmp_path / "g")
    source = open_source("texts", SourceSettings(graph=str(tmp_path / "g")))
    found = source.find(Query(("candle",)))
    assert {(each.text, each.source, each.licence) for each in found.passages} == {
        ("Life is a candle.", "poems", "MIT"),
        ("A candle is brief.", "", ""),
    }
    assert [str(each) for each in sentences_of_graph(MetaphorGraph(edges))] == [
        "Life is a candle.",
        "A candle is brief.",
    ]
    with pytest.raises(KnowledgeError, match="The graph starter keeps no sentences to search"):
        open_source("texts", SourceSettings())


def test_the_index_is_made_once_and_others_make_room(texts: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    SentenceIndex.of("one", lambda: [Sentence("A candle.")], folder)
    again = SentenceIndex.of("one", lambda: pytest.fail("read again"), folder)
    assert again.texts() == ["A candle."]
    for number in range(12):
        SentenceIndex.of(f"other{number}", lambda: [Sentence("A lamp.")], folder)
    assert len(list(folder.iterdir())) == 8
    assert again.search(["candle"], 3)[0][0] == 1, "one that is open stays readable"


def test_the_tool_answers_within_its_tokens(texts: Path, tmp_path: Path) -> None:
    long = tmp_path / "long.jsonl"
    rows = [{"text": f"Candle number {n} " + "burns " * n} for n in range(1, 60)]
    long.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    tool = open_source("texts", settings(long)).tool(count_tokens)
    assert tool is not None
    answer = tool.invoke({"concepts": "candle", "limit": 50})
    assert 500 < count_tokens(answer) <= 600
    assert answer.splitlines()[-1].endswith("more left out")
    assert "1 to 20 concepts, not 0" in tool.invoke({"concepts": []})
    assert "limit=90 is out of range" in tool.invoke({"concepts": ["candle"], "limit": 90})
    assert "Nothing found" in tool.invoke({"concepts": ["submarine"]})
    assert "can't be used" in tool.invoke({"concept": "candle"})


def test_terms_of_both_scripts() -> None:
    assert terms("The \uff23andle, 燃燒!") == ["the", "candle", "燃", "烧", "燃烧"]


@given(st.lists(st.text(max_size=40), min_size=1, max_size=6), st.integers(1, 5))
def test_no_keyword_breaks_the_search(keywords: list[str], limit: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        index = SentenceIndex.of(
            "x", lambda: [Sentence(text) for text in [*keywords, "a candle"]], Path(folder)
        )
        found = index.search(keywords, limit)
        assert len(found) <= limit
        assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
        for keyword in keywords:
            assert index.having(keyword, [number for number, _ in found]) <= {number for number, _ in found}
