"""What can be told to be wrong with a context before anything heavy is loaded and before a call is paid."""

from __future__ import annotations

from agents.context import SOURCES, Context, Role
from agents.errors import UserError
from agents.models import check_model
from agents.prompts import Prompts
from tools.frames.readers import check_reader

__all__ = ["check"]

_ROLES: tuple[Role, ...] = ("interpreter", "judge")


def check(context: Context) -> None:
    """Check the names, keys and addresses of a context. Loads no model, no provider and no LangGraph.

    Raises:
        UserError: for a model that can't be had, a base URL that no model is asked at, a replaced prompt that
            can't be rendered, a video for a model that takes none, or knowledge that can't be asked for so.
        ToolboxError: for a frame reader, a source of knowledge or a way of ranking that there is not.
    """
    for role in _ROLES:
        check_model(context.model_for(role), base_url=context.base_url_for(role))
    for name in ("base_url", "judge_base_url"):
        url = getattr(context, name)
        if url is not None and not url.startswith(("http://", "https://")):
            raise UserError(
                f"--{name.replace('_', '-')} {url} is no address of a server: begin it with http:// or https://."
            )
    for name in context.idle_urls():
        flag = "--" + name.replace("_", "-")
        raise UserError(
            f"{flag} {getattr(context, name)} serves no model of this run: the interpreting model is "
            f"{context.model} and the judge {context.model_for('judge')}. Name a model on that server, as in "
            f"{'--judge-model' if name.startswith('judge') else '--model'} openai:NAME."
        )
    check_reader(context.frames.reader)
    _check_knowledge(context)
    if context.input == "video":
        from agents.video_input import check_video_input

        url = context.base_url_for("interpreter")
        check_video_input(context.model, base_url=url, frames=context.frames)
    Prompts(dict(context.prompts)).check()


def _check_knowledge(context: Context) -> None:
    settings = context.knowledge
    if settings.source not in SOURCES:
        from tools.knowledge.sources.installed import where_of

        where_of(settings.source)
    if settings.source == "self":
        from agents.nodes.associate import refuse_embedded

        refuse_embedded(context.model)
    if context.retrieval.mode is not None:
        from tools.knowledge.retrieving.ranking import mode_of

        mode_of(context.retrieval.mode)
    if settings.embeddings_base_url and not (settings.embeddings or "").startswith("openai:"):
        raise UserError(
            f"--embeddings-base-url {settings.embeddings_base_url} goes with --embeddings openai:NAME."
        )
    if settings.source == "texts" and settings.texts_by == "embeddings" and not settings.embeddings:
        raise UserError("--texts-by embeddings needs --embeddings: embedded, openai:NAME or module:attr.")
