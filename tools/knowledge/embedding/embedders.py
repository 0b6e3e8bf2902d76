"""Texts to vectors: the small model of the extra `embedded`, an OpenAI-compatible endpoint, or your own.

A package offers an embedder by an entry point in the group `metaphorboost.embedders`, as our own does:

    [project.entry-points."metaphorboost.embedders"]
    embedded = "agents.embedded.embedder:embedder"

What is named is an object with `name` and `embed`, or a function without arguments that gives one.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from tools.declared import declared
from tools.errors import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

__all__ = ["GROUP", "Embedder", "Requests", "checked", "open_embedder"]

GROUP = "metaphorboost.embedders"
#: Our own entry points, so that a checkout that was never installed has them too.
_OWN = {"embedded": "agents.embedded.embedder:embedder"}
_OPENAI = "openai:"
_SHAPES = "an object with `name` and `embed(texts)`, or a function without arguments that gives one"


@dataclass(frozen=True)
class Requests:
    """How an endpoint is asked.

    Attributes:
        timeout: seconds that a request may take.
        max_retries: further attempts of a request that failed for a passing reason.
        batch: texts a request.
        dimensions: asked of a model that can give fewer than it has.
    """

    timeout: float = 60.0
    max_retries: int = 3
    batch: int = 64
    dimensions: int | None = None


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors; safe to share between threads."""

    @property
    def name(self) -> str:
        """The model, and where it runs when that is not here: what vectors are kept under."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts: float32 of shape (len(texts), dimensions), each of length 1."""
        ...


def open_embedder(
    spec: str,
    *,
    base_url: str | None = None,
    cache_dir: str | Path | None = None,
    cache: bool = True,
    requests: Requests | None = None,
) -> Embedder:
    """Open an embedder.

    Args:
        spec: "embedded" (or another entry point's name), "openai:NAME", or "module:attribute".
        base_url: an OpenAI-compatible server's address, such as http://localhost:8000/v1.
        cache_dir: where vectors are kept; in the user's cache folder by default.
        cache: whether texts that were embedded before are answered from disk.
        requests: how an endpoint is asked.

    Returns:
        An embedder whose vectors are checked: one a text, finite, of one length, scaled to length 1.

    Raises:
        KnowledgeError: if it can't be opened; names the spec and the way out.
    """
    name = spec.strip()
    if base_url and not name.startswith(_OPENAI):
        msg = f"{spec}: an address ({base_url}) goes with openai:NAME only."
        raise KnowledgeError(msg)
    if name.startswith(_OPENAI):
        from tools.knowledge.embedding.openai import OpenAIEmbedder

        opened: Embedder = OpenAIEmbedder(name.removeprefix(_OPENAI), base_url, requests or Requests())
    else:
        opened = _Checked(_loaded(name, spec))
    if not cache:
        return opened
    from tools.knowledge.embedding.cache import CachedEmbedder, embedding_cache_folder

    folder = Path(cache_dir) if cache_dir else embedding_cache_folder()
    return CachedEmbedder(opened, folder / "embeddings.sqlite")


def checked(vectors: Any, count: int, name: str) -> Vectors:
    """Vectors as float32, each of length 1.

    Args:
        vectors: anything numpy reads as `count` rows of numbers.
        count: how many texts were embedded.
        name: the embedder's, for messages.

    Raises:
        KnowledgeError: if there are more or fewer rows, rows of different lengths, or one that is not
            finite or all zeros.
    """
    import numpy as np

    try:
        rows: Vectors = np.asarray(vectors, np.float32)
    except (TypeError, ValueError) as error:
        msg = f"{name}: gave vectors of different lengths, or no numbers: {error}."
        raise KnowledgeError(msg) from error
    if count == 0:
        return np.zeros((0, rows.shape[1] if rows.ndim > 1 else 0), np.float32)
    if rows.ndim != 2 or len(rows) != count or not rows.shape[1]:  # noqa: PLR2004
        msg = f"{name}: {count} texts were to be embedded, and the answer has the shape {rows.shape}."
        raise KnowledgeError(msg)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        bad = int(np.argmin(np.isfinite(lengths[:, 0]) & (lengths[:, 0] > 0)))
        msg = f"{name}: the vector of text {bad + 1} of {count} is all zeros or not finite (NaN); not used."
        raise KnowledgeError(msg)
    return rows / lengths


class _Checked:
    """An embedder from elsewhere whose answers are not taken on trust."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.english_only = bool(getattr(inner, "english_only", False))

    @property
    def name(self) -> str:
        return self._inner.name

    def embed(self, texts: Sequence[str]) -> Vectors:
        return checked(self._inner.embed(texts), len(texts), self.name)


def _loaded(name: str, spec: str) -> Embedder:
    known = declared(GROUP, _OWN, "embedder", KnowledgeError)
    value = name if ":" in name else known.get(name)
    if value is None:
        near = difflib.get_close_matches(name, [*known, "openai"], n=1, cutoff=0.5)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        msg = (
            f"{spec or 'an empty name'}: no such embedder.{meant} "
            f"There are {', '.join(sorted(known))}, openai:NAME and module:attribute."
        )
        raise KnowledgeError(msg)
    try:
        found: Any = EntryPoint(name, value, GROUP).load()
        made: Any = found if isinstance(found, Embedder) and not isinstance(found, type) else found()
    except Exception as error:
        # Whatever it is that a foreign module raises: its words are what the user needs.
        told = str(error) or type(error).__name__
        msg = f"{spec}: can't be opened: {told.rstrip('.')}."
        raise KnowledgeError(msg) from error
    if not isinstance(made, Embedder):
        msg = f"{spec}: gave {type(made).__name__}. Expected {_SHAPES}."
        raise KnowledgeError(msg)
    return made
