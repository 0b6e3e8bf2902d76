"""An OpenAI-compatible `/embeddings` endpoint: OpenAI, vLLM, llama.cpp, Ollama, DashScope and others."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from tools.errors import KnowledgeError
from tools.knowledge.embedding.embedders import checked

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from tools.knowledge.embedding.embedders import Requests

    Vectors = NDArray[np.float32]

__all__ = ["OpenAIEmbedder"]

_KEY = "OPENAI_API_KEY"
#: What servers answer to more texts than they take at once.
_TOO_MANY = frozenset({400, 413, 422})
_AT_ONCE = 4


class OpenAIEmbedder:
    """A model behind an endpoint; requests of `batch` texts, four at once."""

    def __init__(self, model: str, base_url: str | None, requests: Requests) -> None:
        """Remember what to ask; nothing is sent yet. See `open_embedder`.

        Raises:
            KnowledgeError: if no model is named, or no key is there for OpenAI's own endpoint.
        """
        if not model:
            msg = "openai: names no model; write openai:NAME, such as openai:text-embedding-3-small."
            raise KnowledgeError(msg)
        self._base_url = base_url or os.environ.get("OPENAI_BASE_URL") or None
        self._key = os.environ.get(_KEY) or ""
        if not self._key and not self._base_url:
            msg = f"openai:{model}: no key; set {_KEY}, or give the address of a server that needs none."
            raise KnowledgeError(msg)
        self._model = model
        self._settings: dict[str, Any] = {"timeout": requests.timeout, "max_retries": requests.max_retries}
        self._batch = max(requests.batch, 1)
        self._width = requests.dimensions
        self._asked: dict[str, Any] = {"dimensions": self._width} if self._width else {}
        self.english_only = False

    @property
    def name(self) -> str:
        """The model, its dimensions when they were asked for, and the server's address."""
        width = f"/{self._asked['dimensions']}" if self._asked else ""
        return f"openai:{self._model}{width}" + (f" at {self._base_url}" if self._base_url else "")

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts: float32 of shape (len(texts), dimensions), each of length 1.

        Raises:
            KnowledgeError: if the server can't be reached, refuses, or answers with something else than
                one vector a text, all of one length.
        """
        import numpy as np

        parts = [list(texts[at : at + self._batch]) for at in range(0, len(texts), self._batch)]
        if not parts:
            return np.zeros((0, self._width or 0), np.float32)
        # The first by itself: what is wrong with all of them is told once, and paid for once.
        done = [self._part(parts[0])]
        if len(parts) > 1:
            with ThreadPoolExecutor(_AT_ONCE) as pool:
                done += pool.map(self._part, parts[1:])
        return np.concatenate(done)

    def _part(self, texts: list[str]) -> Vectors:
        import openai

        try:
            answer = self._client.embeddings.create(
                # An empty text is refused by some servers.
                input=[text or " " for text in texts],
                model=self._model,
                encoding_format="float",
                **self._asked,
            )
        except openai.APIStatusError as error:
            if error.status_code in _TOO_MANY and len(texts) > 1:
                return self._halved(texts)
            raise self._fault(f"the server answers {error.status_code}: {error.message}") from error
        except openai.APITimeoutError as error:
            raise self._fault(f"no answer within {self._settings['timeout']:g} s") from error
        except openai.OpenAIError as error:
            cause = f" ({error.__cause__})" if error.__cause__ else ""
            raise self._fault(f"{error}{cause}") from error
        except (AttributeError, TypeError, ValueError) as error:
            raise self._fault(f"the answer can't be read: {error}") from error
        return self._read(answer, len(texts))

    def _halved(self, texts: list[str]) -> Vectors:
        """Two smaller requests, for a server that takes fewer texts at once."""
        import numpy as np

        half = len(texts) // 2
        self._batch = min(self._batch, max(half, 1))
        return np.concatenate([self._part(texts[:half]), self._part(texts[half:])])

    def _read(self, answer: Any, count: int) -> Vectors:
        rows = cast("list[Any]", getattr(answer, "data", None) or [])
        if len(rows) != count:
            raise self._fault(f"{count} texts were sent, and {len(rows)} vectors came back")
        places = [getattr(row, "index", None) for row in rows]
        if sorted(place for place in places if isinstance(place, int)) == list(range(count)):
            rows = sorted(rows, key=lambda row: row.index)
        vectors = checked([row.embedding for row in rows], count, self.name)
        width = vectors.shape[1]
        if self._width is None:
            self._width = width
        if width != self._width:
            raise self._fault(f"vectors of {width} dimensions, expected {self._width}")
        return vectors

    def _fault(self, told: str) -> KnowledgeError:
        # A server may quote the key in its refusal.
        said = told.replace(self._key, "[key]") if self._key else told
        return KnowledgeError(f"{self.name}: {said.rstrip('.')}.")

    @cached_property
    def _client(self) -> Any:
        import openai

        # A server of one's own needs no key, but the library wants to send one.
        return openai.OpenAI(api_key=self._key or "none", base_url=self._base_url, **self._settings)
