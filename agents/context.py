"""The frozen settings of a run, as plain data: names, paths and numbers.

A config file, LangGraph Studio (as JSON) and a run record can all say a context. What it names is
opened from it lazily, in :mod:`graphs.resources` and nowhere else.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

__all__ = [
    "SOURCES",
    "CallSettings",
    "Context",
    "FrameSettings",
    "KnowledgeSettings",
    "RetrievalSettings",
    "Role",
]

SOURCES = ("graph", "none", "self", "texts", "conceptnet")
"""Where associations may come from; others are installed, or named as ``module:attr``."""

Role = Literal["interpreter", "judge"]


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FrameSettings(_Settings):
    """Which frames a model sees. The defaults are the paper's.

    Attributes:
        max_frames: at most this many, spread over the video, first and last included.
        max_side: longest side in pixels.
        quality: of the JPEG, 1 to 95.
        reader: ``auto``, or a reader's name.
        method: ``uniform`` over time, over ``shots``, or at a rate (``fps``).
        fps: frames a second of the method ``fps``.
        reader_fallback: let PyAV read what the reader refuses.
        cache: keep encoded frames, so that they are decoded once.
        cache_dir: where; the user's cache folder when None.
    """

    max_frames: int = Field(default=50, ge=1, le=1000)
    max_side: int = Field(default=1024, ge=16, le=8192)
    quality: int = Field(default=85, ge=1, le=95)
    reader: str = "auto"
    method: Literal["uniform", "shots", "fps"] = "uniform"
    fps: float = Field(default=1.0, gt=0, le=240)
    reader_fallback: bool = False
    cache: bool = True
    cache_dir: str | None = None


class KnowledgeSettings(_Settings):
    """Where associations come from. A bare string stands for a graph: ``"starter"`` or a path.

    Attributes:
        source: ``graph``, ``none``, ``self`` (the interpreting model is asked), ``texts`` (plain retrieval
            over sentences), ``conceptnet``, another installed source, or ``module:attr``.
        graph: the graph of metaphors: ``starter``, or a path.
        texts: files of sentences for ``texts``; those that the graph was built from when empty.
        texts_by: how sentences are found, by their words (``bm25``) or their meaning.
        conceptnet: the path of ConceptNet's own dump, or of a slice of it.
        embeddings: what links and searches by meaning too: ``embedded``, ``openai:NAME`` or ``module:attr``.
        embeddings_base_url: of the server of ``openai:NAME``.
    """

    source: str = Field(default="graph", min_length=1)
    graph: str = Field(default="starter", min_length=1)
    texts: tuple[str, ...] = ()
    texts_by: Literal["bm25", "embeddings"] = "bm25"
    conceptnet: str | None = None
    embeddings: str | None = None
    embeddings_base_url: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_name(cls, given: Any) -> Any:
        return {"graph": given} if isinstance(given, str) else given


class RetrievalSettings(_Settings):
    """How references are retrieved where no model explores (the paper's h and z), and how much is shown.

    Attributes:
        mode: the way of ranking; None leaves it to the variant.
        hops: h, how far from a linked node.
        limit: z, how many concepts (or sentences) are kept; 0 for none.
        max_tokens: of the associations, or sentences, that the interpreting prompt shows; whole lines only.
    """

    mode: str | None = None
    hops: int = Field(default=2, ge=1, le=4)
    limit: int = Field(default=10, ge=0, le=200)
    max_tokens: int = Field(default=1000, ge=1, le=100_000)

    @model_validator(mode="before")
    @classmethod
    def _no_parity(cls, given: Any) -> Any:
        if isinstance(given, dict) and "parity" in given:
            raise ValueError(
                "it was begun by an earlier version, with retrieval.parity: that is now retrieval.mode, "
                "'published' where it was true and another way of ranking where it was false"
            )
        return given


class CallSettings(_Settings):
    """How fast models may be asked, how long a call is worth, and whether answers are kept.

    Attributes:
        concurrency: calls in flight at most, for each model on its server.
        rpm: requests a minute at most, for each model; None for no limit.
        tpm: tokens a minute at most, likewise.
        judge_rpm: of the judge, where it differs.
        judge_tpm: likewise.
        patience: seconds that a failed call may wait between its tries, all together.
        cache: keep answers, so that the same question is paid for once.
        cache_dir: where; the user's cache folder when None.
    """

    concurrency: int = Field(default=64, ge=1, le=1024)
    rpm: int | None = Field(default=None, ge=1)
    tpm: int | None = Field(default=None, ge=1)
    judge_rpm: int | None = Field(default=None, ge=1)
    judge_tpm: int | None = Field(default=None, ge=1)
    patience: float = Field(default=300.0, ge=0)
    cache: bool = True
    cache_dir: str | None = None


class Context(_Settings):
    """Everything a graph needs to know besides the video.

    Attributes:
        model: the interpreting model, ``provider:name`` or ``embedded``.
        judge_model: the judge; the interpreting model when None.
        base_url: of an OpenAI-compatible server; serves every role with an ``openai:`` model.
        judge_base_url: of the judge's server, where it differs.
        temperature: of the interpreting model (0.7 in the paper).
        judge_temperature: of the judge.
        judge_k: judgements of each kind, averaged.
        max_hops: rounds of tool calls that the model may make.
        input: what the model is shown: ``frames`` that are picked here, or the ``video`` file itself.
        few_shot: worked examples in the interpreting prompt; None leaves it to the variant.
        knowledge: where associations come from.
        retrieval: how they are looked up, and how many are shown.
        tools: what the model may call while it explores: names of installed tools, or ``module:attr``.
        prompts: (name, path) pairs that replace our prompts.
        timeout: seconds one try of a call may take.
        max_retries: how often a failed call is tried again.
        calls: limits of calls, and whether answers are kept.
        max_tokens: of an answer; None leaves it to the server.
    """

    model: str = "embedded"
    judge_model: str | None = None
    base_url: str | None = None
    judge_base_url: str | None = None
    temperature: float = Field(default=0.7, ge=0, le=2)
    judge_temperature: float = Field(default=0.0, ge=0, le=2)
    judge_k: int = Field(default=3, ge=1, le=25)
    max_hops: int = Field(default=4, ge=1, le=50)
    input: Literal["frames", "video"] = "frames"
    few_shot: bool | None = None
    knowledge: KnowledgeSettings = KnowledgeSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    frames: FrameSettings = FrameSettings()
    tools: tuple[str, ...] = ("hop",)
    prompts: tuple[tuple[str, str], ...] = ()
    timeout: float = Field(default=180.0, gt=0)
    max_retries: int = Field(default=3, ge=0, le=20)
    max_tokens: int | None = Field(default=None, ge=1)
    calls: CallSettings = CallSettings()

    def model_for(self, role: Role) -> str:
        """The model's name that plays a role."""
        return self.model if role == "interpreter" else (self.judge_model or self.model)

    def base_url_for(self, role: Role) -> str | None:
        """The server that a role's model is asked at; None for the provider's own.

        ``base_url`` serves every ``openai:`` model; without one, it stands in for Gemini's server.
        """
        if role == "judge" and self.judge_base_url:
            return self.judge_base_url
        served = "openai" if "openai" in self._providers() else "google_genai"
        return self.base_url if self.model_for(role).partition(":")[0] == served else None

    def _providers(self) -> set[str]:
        return {self.model.partition(":")[0], self.model_for("judge").partition(":")[0]}

    def idle_urls(self) -> list[str]:
        """Names of the base URLs that no model is asked at: a mistake of whoever gave them."""
        asked = {self.base_url_for("interpreter"), self.base_url_for("judge")}
        idle = ["base_url"] if self.base_url and self.base_url not in asked else []
        embedded = self.model_for("judge").partition(":")[0] == "embedded"
        return [*idle, *(["judge_base_url"] if self.judge_base_url and embedded else [])]

    def temperature_for(self, role: Role) -> float:
        """The temperature that a role's model is asked with."""
        return self.temperature if role == "interpreter" else self.judge_temperature

    def rates_for(self, role: Role) -> tuple[int | None, int | None]:
        """Requests and tokens a minute that a role's model may be asked."""
        calls = self.calls
        if role == "judge":
            return calls.judge_rpm or calls.rpm, calls.judge_tpm or calls.tpm
        return calls.rpm, calls.tpm
