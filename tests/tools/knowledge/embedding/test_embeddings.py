"""Embedders: what is asked of a server, what is not taken from it, and what is kept on disk."""

from __future__ import annotations

import logging
import multiprocessing
import sqlite3
import sys
import types
from pathlib import Path

import numpy as np
import pytest

from tests.servers.embeddings import DIMENSIONS, SMALL, vector_of
from tests.servers.openai_like import OpenAILike
from tools.errors import KnowledgeError
from tools.knowledge.embedding.cache import CachedEmbedder
from tools.knowledge.embedding.embedders import Embedder, Requests, checked, open_embedder

KEY = "sk-very-secret-0123456789"


class Counting:
    """Embeds by letters and remembers what it was asked."""

    name = "letters"

    def __init__(self, dimensions: int = DIMENSIONS) -> None:
        self.asked: list[str] = []
        self.dimensions = dimensions

    def embed(self, texts):
        self.asked += texts
        return checked([vector_of(text, self.dimensions) for text in texts], len(texts), self.name)


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def opened(server: OpenAILike, cache_dir: Path | None = None, **asked) -> Embedder:
    kept = {"cache": cache_dir is not None, "cache_dir": cache_dir}
    return open_embedder("openai:pretend", base_url=server.base_url, requests=Requests(**asked), **kept)


def test_a_server_is_asked_in_batches_and_answers_in_order() -> None:
    texts = [f"{chr(97 + at)}{at}" for at in range(10)]
    with OpenAILike("shuffled_vectors") as server:
        vectors = opened(server, batch=4).embed(texts)
        assert sorted(len(body["input"]) for body in server.bodies) == [2, 4, 4]
        assert {body["model"] for body in server.bodies} == {"pretend"}
        assert {request.headers["authorization"] for request in server.requests} == {"Bearer none"}
    assert vectors.shape == (10, DIMENSIONS)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-6)
    assert [int(row.argmax()) for row in vectors] == list(range(10))


def test_a_server_that_takes_fewer_texts_is_asked_for_fewer() -> None:
    with OpenAILike("small_batches") as server:
        vectors = opened(server, batch=8).embed([str(at) * 3 + "a" for at in range(17)])
        assert vectors.shape == (17, DIMENSIONS)
        assert max(len(body["input"]) for body in server.bodies[-4:]) <= SMALL + 1


def test_dimensions_are_asked_for_and_checked() -> None:
    with OpenAILike() as server:
        embedder = opened(server, dimensions=8)
        assert embedder.embed(["ab"]).shape == (1, 8)
        assert server.bodies[0]["dimensions"] == 8
        assert embedder.embed([]).shape == (0, 8)
        assert "openai:pretend/8 at http://127.0.0.1" in embedder.name


@pytest.mark.parametrize(
    ("behaviour", "told"),
    [
        ("few_vectors", "3 texts were sent, and 2 vectors came back."),
        ("nan_vectors", "the vector of text 3 of 3 is all zeros or not finite (NaN); not used."),
        ("uneven_vectors", "gave vectors of different lengths"),
        ("unauthorized", "the server answers 401"),
        ("unknown_model", "The model `pretend` does not exist."),
        ("server_error", "the server answers 500"),
    ],
)
def test_what_a_server_does_wrong_is_told(behaviour, told: str) -> None:
    with OpenAILike(behaviour) as server, pytest.raises(KnowledgeError) as caught:
        opened(server, max_retries=0).embed(["a", "b", "c"])
    assert told in str(caught.value)
    assert str(caught.value).startswith("openai:pretend at http://127.0.0.1")


def test_a_passing_refusal_is_tried_again() -> None:
    with OpenAILike("rate_limited_once") as server:
        assert opened(server).embed(["a"]).shape == (1, DIMENSIONS)
        assert len(server.requests) == 2


def test_no_answer_is_told() -> None:
    with OpenAILike("hangs") as server, pytest.raises(KnowledgeError, match=r"no answer within 0\.2 s"):
        opened(server, timeout=0.2, max_retries=0).embed(["a"])
    asked = {"base_url": "http://127.0.0.1:9/v1", "cache": False, "requests": Requests(max_retries=0)}
    gone = open_embedder("openai:pretend", **asked)
    with pytest.raises(KnowledgeError, match="Connection error"):
        gone.embed(["a"])


def test_a_key_is_sent_and_never_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    with OpenAILike() as server:
        embedder = opened(server)
        embedder.embed(["a"])
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        assert KEY not in repr(vars(server.requests[0])["body"])
    assert KEY not in embedder.name
    assert KEY not in repr(embedder)
    assert KEY not in caplog.text


def test_openai_itself_needs_a_key() -> None:
    with pytest.raises(KnowledgeError, match="set OPENAI_API_KEY, or give the address of a server"):
        open_embedder("openai:text-embedding-3-small")
    with pytest.raises(KnowledgeError, match="names no model"):
        open_embedder("openai:")


def test_an_embedder_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("my_embedders")
    module.made = Counting
    module.ready = Counting()
    module.broken = lambda: 1 / 0
    module.number = lambda: 7
    monkeypatch.setitem(sys.modules, "my_embedders", module)
    assert open_embedder("my_embedders:made", cache=False).name == "letters"
    assert open_embedder("my_embedders:ready", cache=False).embed(["a"]).shape == (1, DIMENSIONS)
    for spec, told in [
        ("my_embedders:broken", "can't be opened: division by zero."),
        ("my_embedders:number", "gave int. Expected an object with `name` and `embed"),
        ("my_embedders:gone", "can't be opened: "),
        ("embeded", "Did you mean 'embedded'?"),
        ("", "an empty name: no such embedder."),
        ("no_such_module:x", "No module named 'no_such_module'"),
    ]:
        with pytest.raises(KnowledgeError) as caught:
            open_embedder(spec)
        assert told in str(caught.value)
    with pytest.raises(KnowledgeError, match="goes with openai:NAME only"):
        open_embedder("embedded", base_url="http://127.0.0.1/v1")


def test_vectors_are_kept_by_model_and_text(tmp_path: Path) -> None:
    with OpenAILike() as server:
        first = opened(server, tmp_path).embed(["a", "b", "a"])
        again = opened(server, tmp_path).embed(["b", "a", "c"])
        assert [body["input"] for body in server.bodies] == [["a", "b"], ["c"]]
        np.testing.assert_array_equal(first[[1, 0]], again[:2])
        other = open_embedder("openai:other", base_url=server.base_url, cache_dir=tmp_path)
        other.embed(["a"])
        assert server.bodies[-1]["model"] == "other"
        opened(server).embed(["a"])
        assert len(server.bodies) == 4
    assert KEY.encode() not in (tmp_path / "embeddings.sqlite").read_bytes()


def test_the_oldest_vectors_go(tmp_path: Path) -> None:
    inner = Counting()
    cache = CachedEmbedder(inner, tmp_path / "e.sqlite", max_bytes=10 * (DIMENSIONS * 4 + 100))
    for at in range(30):
        cache.embed([f"text {at}"])
    with sqlite3.connect(tmp_path / "e.sqlite") as connection:
        assert connection.execute("SELECT COUNT(*) FROM vectors").fetchone() == (10,)
    connection.close()
    inner.asked.clear()
    cache.embed(["text 29", "text 0"])
    assert inner.asked == ["text 0"]


def test_a_cache_that_is_no_use_is_done_without(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "torn.sqlite").write_bytes(b"no database" * 100)
    (tmp_path / "file").write_text("", encoding="utf-8")
    for path in (tmp_path / "torn.sqlite", tmp_path / "file" / "e.sqlite"):
        caplog.clear()
        cache = CachedEmbedder(Counting(), path)
        assert cache.embed(["a", "b"]).shape == (2, DIMENSIONS)
        assert cache.embed(["a"]).shape == (1, DIMENSIONS)
        assert len(caplog.records) == 1
        assert "vectors can't be kept there" in caplog.text


def test_a_model_that_changed_its_dimensions_is_asked_anew(tmp_path: Path) -> None:
    CachedEmbedder(Counting(26), tmp_path / "e.sqlite").embed(["a"])
    assert CachedEmbedder(Counting(8), tmp_path / "e.sqlite").embed(["a", "b"]).shape == (2, 8)


def _embed_some(path: str, start: int) -> None:
    cache = CachedEmbedder(Counting(), Path(path))
    for at in range(start, start + 40):
        cache.embed([f"text {at % 60}"])


def test_processes_share_the_cache(tmp_path: Path) -> None:
    path = tmp_path / "e.sqlite"
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=_embed_some, args=(str(path), start)) for start in (0, 20, 30)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    inner = Counting()
    CachedEmbedder(inner, path).embed([f"text {at}" for at in range(60)])
    assert inner.asked == []
