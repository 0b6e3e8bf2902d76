"""How the server like OpenAI's answers on /embeddings: letters counted, so that like texts are near."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from tests.servers.loopback import Response

__all__ = ["DIMENSIONS", "embeddings", "vector_of"]

DIMENSIONS = 26
#: With "small_batches" a server takes so many texts at once.
SMALL = 3


def vector_of(text: str, dimensions: int = DIMENSIONS) -> list[float]:
    """How often each letter stands in a text, and a little of each, so that none is all zeros."""
    return [0.01 + text.lower().count(chr(ord("a") + at)) for at in range(dimensions)]


def embeddings(body: Mapping[str, Any], behaviours: Collection[str]) -> Response:
    """The answer to a request."""
    texts: list[str] = body["input"]
    if "small_batches" in behaviours and len(texts) > SMALL:
        error = {"message": f"batch size is invalid, it should not be larger than {SMALL}.", "code": "batch"}
        return Response({"error": error}, status=400)
    rows = [vector_of(text, body.get("dimensions") or DIMENSIONS) for text in texts]
    if "nan_vectors" in behaviours:
        rows[-1] = [float("nan")] * len(rows[-1])
    if "uneven_vectors" in behaviours:
        rows[-1] = rows[-1][:-1]
    data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(rows)]
    if "few_vectors" in behaviours:
        data = data[:-1]
    if "shuffled_vectors" in behaviours:
        data = data[::-1]
    usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
    return Response({"object": "list", "data": data, "model": body["model"], "usage": usage})
