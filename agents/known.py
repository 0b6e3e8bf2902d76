"""What was looked up besides what was seen: passages of text, and a note of where everything came from."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from agents.schemas import Text

__all__ = ["KnowledgeUse", "Passage"]


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Passage(_Kept):
    """A sentence that a source of knowledge gave.

    Attributes:
        text: on one line.
        source: the data set or file that it is from, or nothing.
        licence: that it stands under, or nothing.
        keywords: the keywords that led to it.
        score: what it was ranked by; to be compared within one way of ranking only.
    """

    text: Text
    source: str = ""
    licence: str = ""
    keywords: tuple[str, ...] = ()
    score: float = 0.0

    @property
    def line(self) -> str:
        """The sentence as a prompt shows it."""
        return " ".join(self.text.split())


class KnowledgeUse(_Kept):
    """Where the associations of one interpretation came from.

    Attributes:
        source: as the context says it.
        mode: how they were found: a way of ranking, ``explore`` (tool calls), ``asked`` (the model's own).
        hops: how far retrieval went; 0 where that means nothing.
        limit: how many it was to keep; 0 likewise.
        name: what the source read: ``starter``, or a path.
        digest: of what that holds, hex; empty for a source that holds nothing.
        embeddings: what linked or searched by meaning, if anything did.
    """

    source: str
    mode: str = ""
    hops: int = Field(default=0, ge=0)
    limit: int = Field(default=0, ge=0)
    name: str = ""
    digest: str = ""
    embeddings: str | None = None
