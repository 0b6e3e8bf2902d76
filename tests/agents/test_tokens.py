from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import platformdirs
import pytest
import pytest_socket
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from agents import tokens
from agents.errors import UserError
from agents.tokens import TOKENS_PER_IMAGE, count_tokens, estimate_usage, load_encoding


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No network at all, and a cache folder of the test's own."""
    pytest_socket.disable_socket(allow_unix_socket=True)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: tmp_path / "cache" / name)


@pytest.fixture
def _unloaded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is loaded yet."""
    import tiktoken.registry

    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    load_encoding.cache_clear()
    yield
    load_encoding.cache_clear()


def test_o200k_is_tiktokens_own() -> None:
    assert load_encoding().encode("hello world") == [24912, 2375]
    assert count_tokens("hello world") == 2


def test_cl100k() -> None:
    assert load_encoding("cl100k_base").encode("hello world") == [15339, 1917]
    assert count_tokens("hello world", "cl100k_base") == 2


def test_special_tokens_are_plain_text() -> None:
    assert count_tokens("<|endoftext|>") == len(
        load_encoding().encode("<|endoftext|>", disallowed_special=())
    )
    assert count_tokens("<|endoftext|>") > 1
    assert count_tokens("") == 0
    assert count_tokens("\u4e00\u6839\u8721\u70db") > 1


@pytest.mark.usefixtures("_unloaded")
@pytest.mark.parametrize("own", [None, "theirs"])
def test_the_environment_and_a_users_cache_stay_as_they_were(
    own: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    if own is not None:
        (tmp_path / own).mkdir()
        monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / own))
    before = dict(os.environ)
    count_tokens("a candle")
    assert dict(os.environ) == before
    if own is not None:
        assert list((tmp_path / own).iterdir()) == []
    cached = tmp_path / "cache" / "metaphorboost" / "tiktoken"
    assert [file.name for file in cached.iterdir()] == ["fb374d419588a4632f3f557e76b4b70aebbca790"]


@pytest.mark.usefixtures("_unloaded")
def test_a_damaged_cache_is_laid_anew(tmp_path: Path) -> None:
    cached = tmp_path / "cache" / "metaphorboost" / "tiktoken" / "fb374d419588a4632f3f557e76b4b70aebbca790"
    cached.parent.mkdir(parents=True)
    cached.write_bytes(b"torn")
    assert count_tokens("hello world") == 2
    assert hashlib.sha256(cached.read_bytes()).hexdigest().startswith("446a9538")


@pytest.mark.usefixtures("_unloaded")
def test_a_cache_that_cannot_be_written_to_is_done_without(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("not a folder")
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: blocked / name)
    assert count_tokens("hello world") == 2


def test_an_unknown_encoding_names_the_known() -> None:
    with pytest.raises(UserError, match="no token encoding 'p50k'; known: o200k_base, cl100k_base"):
        count_tokens("a", "p50k")  # type: ignore[arg-type]


@pytest.mark.usefixtures("_unloaded")
def test_a_missing_package_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"pip install bpe-openai==0\.1\.4"):
        count_tokens("a")


@pytest.mark.usefixtures("_unloaded")
def test_another_table_than_tiktokens_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "o200k_base.tiktoken.gz").write_bytes(gzip.compress(b"YQ== 0\n"))
    monkeypatch.setattr(
        tokens, "find_spec", lambda name: type("Spec", (), {"origin": str(tmp_path / "__init__.py")})
    )
    with pytest.raises(UserError, match="is not tiktoken's table o200k_base"):
        count_tokens("a")


@pytest.mark.usefixtures("_unloaded")
def test_an_estimate_fails_no_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "find_spec", lambda name: None)
    assert estimate_usage([HumanMessage("a" * 40)], "b" * 9).input_tokens == 4 + 10
    assert estimate_usage([HumanMessage("a" * 40)], "b" * 9).output_tokens == 3


def test_usage_is_estimated_from_text_and_images() -> None:
    image = {"type": "image", "base64": "AAAA", "mime_type": "image/jpeg"}
    messages = [
        SystemMessage("hello world"),
        HumanMessage([{"type": "text", "text": "hello world"}, image, image, "hello world"]),
        AIMessage("hello world"),
    ]
    usage = estimate_usage(messages, "hello world")
    assert usage.input_tokens == 4 * 2 + 2 * TOKENS_PER_IMAGE + 3 * 4
    assert (usage.output_tokens, usage.estimated) == (2, True)
