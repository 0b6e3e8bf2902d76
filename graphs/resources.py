"""Opens what a context names: models, frames, prompts, the knowledge graph and tools. Once, lazily, here.

Contexts are plain data, so equal contexts share what they open; a run of a thousand samples opens a
model once.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from agents.calls.alone import alone
from agents.context import Context, Role
from agents.desk import Desk, FrameSheet
from agents.prompts import Prompts

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.tools import BaseTool

    from agents.calls.answers import Answers
    from agents.video_input import VideoSheet
    from tools.frames import FrameCache
    from tools.knowledge import MetaphorGraph
    from tools.knowledge.sources import KnowledgeSource

__all__ = ["Resources", "keep_open", "resources_of"]

T = TypeVar("T")


class Resources:
    """What one context names. Every method opens its thing at the first call and keeps it."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._opened: dict[str, object] = {}
        self._lock = threading.RLock()

    def _once(self, name: str, open_it: Callable[[], T]) -> T:
        with self._lock:
            if name not in self._opened:
                self._opened[name] = open_it()
            return self._opened[name]  # pyright: ignore[reportReturnType] - stored under its own name

    def prompts(self) -> Prompts:
        """The prompts, with the context's replacements."""
        return self._once("prompts", lambda: Prompts(dict(self.context.prompts)))

    def source(self) -> KnowledgeSource:
        """Where associations come from."""
        from tools.knowledge.sources import SourceSettings, open_source

        settings = self.context.knowledge
        given = SourceSettings(**settings.model_dump(exclude={"source"}))
        return self._once("source", lambda: open_source(settings.source, given))

    def try_embeddings(self) -> None:
        """Embed a word, where anything is linked by meaning: a server that is away is found before a call.

        Raises:
            KnowledgeError: naming the embedder and what is wrong.
        """
        from tools.knowledge.embedding.embedders import open_embedder

        settings = self.context.knowledge
        by_words = settings.source == "texts" and settings.texts_by == "bm25"
        if settings.embeddings and settings.source not in {"none", "self"} and not by_words:
            base_url = settings.embeddings_base_url
            open_embedder(settings.embeddings, base_url=base_url, cache=False).embed(["light"])

    def knowledge(self) -> MetaphorGraph:
        """The graph that tools walk: the source's own, or the graph of metaphors where that has none."""
        from tools.knowledge import open_knowledge

        graph = self.source().graph
        if graph is not None:
            return graph
        return self._once("knowledge", lambda: open_knowledge(self.context.knowledge.graph))

    def model(self, role: Role) -> BaseChatModel:
        """The model that plays a role."""
        from agents.models import open_chat_model

        context = self.context
        rpm, tpm = context.rates_for(role)
        return self._once(
            f"model:{role}",
            lambda: open_chat_model(
                context.model_for(role),
                base_url=context.base_url_for(role),
                temperature=context.temperature_for(role),
                timeout=context.timeout,
                max_retries=context.max_retries,
                max_tokens=context.max_tokens,
                patience=context.calls.patience,
                concurrency=context.calls.concurrency,
                rpm=rpm,
                tpm=tpm,
            ),
        )

    def tools(self) -> list[BaseTool]:
        """What the model may call while it explores; ``hop`` stands for the source's tool, if it has one."""
        return self._once("tools", self._open_tools)

    def _open_tools(self) -> list[BaseTool]:
        from agents.tokens import count_tokens
        from tools.plugins import load_tool

        opened: list[BaseTool] = []
        for spec in self.context.tools:
            own = spec == "hop"
            tool = self.source().tool(count_tokens) if own else load_tool(spec, self.knowledge())
            opened += [tool] if tool else []
        return opened

    async def look(self, path: str) -> FrameSheet | VideoSheet:
        """Read a video's frames, or plan how the file is shown whole, without holding up the event loop."""
        if self.context.input == "video":
            return await self._watch(path)
        from tools.frames import Sampling, aread_frames

        settings = self.context.frames
        sampling = Sampling(
            max_frames=settings.max_frames,
            max_side=settings.max_side,
            quality=settings.quality,
            reader=settings.reader,
            method=settings.method,
            fps=settings.fps,
            reader_fallback=settings.reader_fallback,
        )
        cache = self._frame_cache()
        if cache is None:
            return await aread_frames(path, sampling)
        async with alone(f"{cache.directory}\0{path}\0{sampling}"):  # who comes second finds them there
            return await aread_frames(path, sampling, cache=cache)

    async def _watch(self, path: str) -> VideoSheet:
        from agents.video_input import plan_video
        from tools.frames.whole import aread_clip

        context = self.context
        return plan_video(
            await aread_clip(path),
            context.model,
            base_url=context.base_url_for("interpreter"),
            frames=context.frames,
        )

    def _frame_cache(self) -> FrameCache | None:
        from tools.frames import FrameCache

        settings = self.context.frames
        return self._once("frames", lambda: FrameCache(settings.cache_dir)) if settings.cache else None

    def answers(self) -> Answers | None:
        """Where answers are kept, if they are."""
        from agents.calls.answers import Answers

        settings = self.context.calls
        folder = None if settings.cache_dir is None else Path(settings.cache_dir) / "answers"
        return self._once("answers", lambda: Answers(folder)) if settings.cache else None

    async def close(self) -> None:
        """Give back connections; the models are opened anew if they are asked for again."""
        from agents.models import close_chat_model

        with self._lock:
            roles = [name for name in self._opened if name.startswith("model:")]
            models = [self._opened.pop(name) for name in roles]
        for model in models:
            await close_chat_model(cast("BaseChatModel", model))

    def desk(self) -> Desk:
        """The desk that nodes work at; opening goes to a thread, since it may read files or start models."""
        return Desk(
            context=self.context,
            prompts=self.prompts(),
            model=_in_thread(self.model),
            look=self.look,
            tools=_in_thread(self.tools),
            answers=self.answers(),
        )


def _in_thread(open_it: Callable[..., T]) -> Callable[..., Awaitable[T]]:
    async def opened(*args: object) -> T:
        return await asyncio.to_thread(open_it, *args)

    return opened


_KEPT: dict[str, Resources] = {}
_KEPT_LOCK = threading.Lock()
_MOST_KEPT = 16
_ASKED_FOR = [0]


def keep_open(number: int) -> None:
    """Keep at least so many contexts open from now on: a run of many cells goes through them in turn."""
    _ASKED_FOR[0] = max(_ASKED_FOR[0], number)


def resources_of(context: Context | None) -> Resources:
    """The resources of a context; of the default context when LangGraph hands over None.

    The last 16 contexts are kept open, or as many as :func:`keep_open` asked for.
    """
    context = context or Context()
    key = context.model_dump_json()
    with _KEPT_LOCK:
        found = _KEPT.pop(key, None) or Resources(context)
        _KEPT[key] = found  # the youngest last
        while len(_KEPT) > max(_MOST_KEPT, *_ASKED_FOR):
            _KEPT.pop(next(iter(_KEPT)))
        return found
