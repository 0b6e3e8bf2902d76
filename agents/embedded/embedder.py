"""Measures how near two texts are in meaning: all-MiniLM-L6-v2 (Reimers & Gurevych 2019)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.embedded import wordpiece
from agents.embedded.runtime import library, session
from agents.embedded.weights import PARTS, require

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

__all__ = ["Embedder", "embedder"]

_IDEAS = (
    "an abstract idea",
    "a feeling or emotion",
    "a moral or social concept",
    "a condition of human life",
)
_THINGS = ("a physical object", "an everyday activity", "a place or a job", "a material or a machine")
_KEPT = 20_000  # vectors remembered, 1.5 kB each


class Embedder:
    """Sentence vectors, remembered by text; safe to share between threads.

    Attributes:
        name: the model, as vectors are kept under.
        english_only: texts in other languages get vectors that mean nothing.
    """

    name = "all-MiniLM-L6-v2"
    english_only = True

    def __init__(self) -> None:
        self._np: Any = library("numpy")
        self._session = session(require(PARTS["embedder"]))
        self._lock = threading.Lock()
        self._known: dict[str, Vectors] = {}

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Embed texts: float32 of shape (len(texts), 384), each of length 1."""
        with self._lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._known]
            if len(self._known) + len(new) > _KEPT:
                self._known.clear()
                new = list(dict.fromkeys(texts))
            for start in range(0, len(new), 16):
                batch = new[start : start + 16]
                self._known.update(zip(batch, self._embed(batch), strict=True))
            if not texts:
                return self._np.zeros((0, 384), self._np.float32)
            return self._np.stack([self._known[text] for text in texts])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """The same, under the name that embedders of knowledge go by."""
        return self(texts)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        np = self._np
        pieces = [wordpiece.encode(text) for text in texts]
        ids = np.zeros((len(pieces), max(map(len, pieces))), np.int64)
        mask = np.zeros_like(ids)
        for row, numbers in enumerate(pieces):
            ids[row, : len(numbers)] = numbers
            mask[row, : len(numbers)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, feed)[0]
        mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
        return (mean / np.linalg.norm(mean, axis=1, keepdims=True)).astype(np.float32)

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> Vectors:
        """Cosines, of shape (len(left), len(right)), -1 to 1."""
        return self(left) @ self(right).T

    def abstractness(self, texts: Sequence[str]) -> Vectors:
        """How much nearer each text is to ideas than to things: about -0.2 (a spoon) to 0.2 (freedom)."""
        return self.similarity(texts, _IDEAS).mean(1) - self.similarity(texts, _THINGS).mean(1)


_OPENING = threading.Lock()
_OPEN: dict[Path | None, Embedder] = {}


def embedder() -> Embedder:
    """The process's one embedder, opened on first use.

    Raises:
        UserError: when the extra ``embedded`` is not installed.
    """
    with _OPENING:
        if None not in _OPEN:
            _OPEN[None] = Embedder()
        return _OPEN[None]
