"""Count tokens without a network.

tiktoken downloads its tables at first use. The package bpe-openai carries the same tables (MIT); they
are checked against tiktoken's own hashes and laid where tiktoken looks for a download it has made.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import os
import tempfile
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from agents.errors import UserError
from agents.schemas import Usage
from agents.video_files import VIDEO_BLOCK

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage
    from tiktoken import Encoding

__all__ = ["TOKENS_PER_IMAGE", "EncodingName", "count_tokens", "estimate_usage", "load_encoding"]

EncodingName = Literal["o200k_base", "cl100k_base"]

TOKENS_PER_IMAGE = 765
"""What an image counts where a server reports nothing: OpenAI's rate for 1024 by 1024 pixels."""

_TOKENS_PER_MESSAGE = 4  # roles and separators, as in OpenAI's chat format
_SHA256 = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}
_ENVIRON_LOCK = threading.Lock()


def _table(name: EncodingName) -> bytes:
    """The table out of the package bpe-openai, checked."""
    spec = find_spec("bpe_openai")
    if spec is None or spec.origin is None:
        raise UserError(
            "counting tokens needs a package that is not installed: pip install bpe-openai==0.1.4"
        )
    path = Path(spec.origin).parent / "data" / f"{name}.tiktoken.gz"
    try:
        table = gzip.decompress(path.read_bytes())
    except (OSError, EOFError) as exc:
        raise UserError(
            f"{path} can't be read ({exc}): pip install --force-reinstall bpe-openai==0.1.4"
        ) from exc
    if hashlib.sha256(table).hexdigest() != _SHA256[name]:
        raise UserError(
            f"{path} is not tiktoken's table {name}: pip install --force-reinstall bpe-openai==0.1.4"
        )
    return table


def _cached_name(name: EncodingName) -> str:
    """The file name under which tiktoken keeps a download: the hash of its address."""
    address = f"https://openaipublic.blob.core.windows.net/encodings/{name}.tiktoken"
    return hashlib.sha1(address.encode(), usedforsecurity=False).hexdigest()


def _lay(folder: Path, name: EncodingName) -> None:
    """Put a table into a folder for tiktoken, whole or not at all."""
    target = folder / _cached_name(name)
    if target.is_file() and hashlib.sha256(target.read_bytes()).hexdigest() == _SHA256[name]:
        return
    table = _table(name)
    folder.mkdir(parents=True, exist_ok=True)
    part = tempfile.NamedTemporaryFile(dir=folder, delete=False)  # noqa: SIM115 - closed before it is moved
    try:
        with part:
            part.write(table)
        Path(part.name).replace(target)
    except OSError:  # on a full disk what is left of it would take the last room
        Path(part.name).unlink(missing_ok=True)
        raise


@contextmanager
def _cache_dir(folder: Path) -> Generator[None]:
    """Point tiktoken at a folder; the environment is put back as it was."""
    with _ENVIRON_LOCK:
        before = os.environ.get("TIKTOKEN_CACHE_DIR")
        os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
        try:
            yield
        finally:
            if before is None:
                del os.environ["TIKTOKEN_CACHE_DIR"]
            else:
                os.environ["TIKTOKEN_CACHE_DIR"] = before


def _load(folder: Path, name: EncodingName) -> Encoding:
    import tiktoken

    _lay(folder, name)
    with _cache_dir(folder):
        return tiktoken.get_encoding(name)


@functools.cache
def load_encoding(name: EncodingName = "o200k_base") -> Encoding:
    """A tiktoken encoding, loaded from what is installed, once.

    Raises:
        UserError: for an unknown name, or when bpe-openai is missing or broken.
    """
    if name not in get_args(EncodingName):
        raise UserError(f"no token encoding {name!r}; known: {', '.join(get_args(EncodingName))}")
    from platformdirs import user_cache_path

    try:
        return _load(user_cache_path("metaphorboost") / "tiktoken", name)
    except OSError:  # a home that can't be written to, as in many containers
        with tempfile.TemporaryDirectory(prefix="metaphorboost-") as folder:
            return _load(Path(folder), name)


def count_tokens(text: str, encoding: EncodingName = "o200k_base") -> int:
    """How many tokens a text has. What looks like a special token counts as plain text.

    >>> count_tokens("hello world")
    2
    """
    return len(load_encoding(encoding).encode(text, disallowed_special=()))


def _blocks(message: BaseMessage) -> list[dict[str, Any]]:
    content = message.content
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [{"type": "text", "text": block} if isinstance(block, str) else block for block in content]


def _about(text: str) -> int:
    """Tokens of a text, by four characters each where the tables are missing: an estimate fails no call."""
    try:
        return count_tokens(text)
    except UserError:
        return -(-len(text) // 4)


def estimate_usage(messages: Sequence[BaseMessage], text: str, thinking: str = "") -> Usage:
    """Tokens of a call that reported none: text by o200k, each image at :data:`TOKENS_PER_IMAGE`.

    Of a video, each picture that is looked at counts as an image.

    Args:
        messages: what was sent.
        text: what came back, without thinking.
        thinking: what came apart from it, or in tags; counted as output too, as providers do.
    """
    given = 0
    for message in messages:
        given += _TOKENS_PER_MESSAGE
        for block in _blocks(message):
            kind = str(block.get("type"))
            if "image" in kind:
                given += TOKENS_PER_IMAGE
            elif kind == VIDEO_BLOCK:
                given += TOKENS_PER_IMAGE * int(block["frames"])
            elif kind == "text":
                given += _about(str(block.get("text", "")))
    thought = _about(thinking) if thinking else 0
    return Usage(
        input_tokens=given,
        output_tokens=_about(text) + thought,
        reasoning_tokens=thought,
        estimated=True,
    )
