"""Associate: the model says itself what the elements may stand for, where no other knowledge is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agents.asked import AssociationItem, AssociationsAnswer
from agents.desk import Desk
from agents.errors import UserError
from agents.known import KnowledgeUse
from agents.messages import conversation, system_text
from agents.models import EMBEDDED
from agents.schemas import Mapping as Found

__all__ = ["associate", "refuse_embedded", "to_mappings"]


def refuse_embedded(model: str) -> None:
    """Raise for the embedded model: what its writer (135M parameters) associates is noise.

    Raises:
        UserError: with what to use instead.
    """
    if model.strip() == EMBEDDED:
        raise UserError(
            "the embedded model can't be asked for associations (knowledge source self): with 135 million "
            "parameters it knows none. Give --model openai:NAME or google_genai:NAME, or another "
            "--knowledge-source: graph, texts, conceptnet or none."
        )


async def associate(state: Mapping[str, Any], desk: Desk) -> dict[str, Any]:
    """Ask the interpreting model for associations of the keywords; the frames are not shown again.

    Returns:
        ``mappings``, at most as many concepts as retrieval would keep; ``knowledge`` and ``calls``; a note
        when no association could be used. Nothing is asked where none are to be kept.

    Raises:
        UserError: for the embedded model.
    """
    limit = desk.context.retrieval.limit
    use = KnowledgeUse(source=desk.context.knowledge.source, mode="asked", limit=limit)
    if limit == 0:
        return {"mappings": [], "knowledge": use}
    refuse_embedded(desk.context.model_for("interpreter"))
    keywords = [keyword.text for keyword in state["keywords"]]
    prompt = desk.prompts.render("associate", title=state.get("title", ""), keywords=keywords, limit=limit)
    messages = conversation(system_text(desk), prompt.text)
    answer, call = await desk.ask(
        "interpreter", "associate", messages, AssociationsAnswer, prompt=prompt.digest
    )
    mappings = to_mappings(answer.value.associations, keywords, limit)
    new: dict[str, Any] = {"mappings": mappings, "knowledge": use, "calls": [call]}
    if not mappings:
        new["notes"] = [f"associations: none that {call.model} gave could be used"]
    return new


def to_mappings(items: Iterable[AssociationItem], keywords: Sequence[str], limit: int) -> list[Found]:
    """Associations as retrieval gives them: each concept once, with all elements that lead to it.

    An element that is none of the keywords is left out, and so is a concept that is one.

    Args:
        items: as the model gave them; their order is kept.
        keywords: what was seen.
        limit: concepts at most.
    """
    seen = {_plain(keyword): keyword for keyword in keywords}
    found: dict[str, list[tuple[str, str, str]]] = {}
    for item in items:
        element, concept = seen.get(_plain(item.element)), " ".join(item.concept.split()).strip(" .,;")
        if element is None or not concept or _plain(concept) in seen:
            continue
        if _plain(concept) in found or len(found) < limit:
            found.setdefault(_plain(concept), []).append((element, concept, item.ground.strip(" .;")))
    return [
        Found(
            element=ways[0][0],
            concept=ways[0][1],
            path=(ways[0][0], ways[0][1]),
            ground=ways[0][2],
            keywords=tuple(dict.fromkeys(element for element, _, _ in ways)),
        )
        for ways in found.values()
    ]


def _plain(text: str) -> str:
    return " ".join(text.split()).strip(" .,;:\"'*-").casefold()
