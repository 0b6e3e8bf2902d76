"""The tool of plain texts: the model asks for sentences about what was seen, as often as it likes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from langchain_core.tools import BaseTool, StructuredTool
from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from tools.hop import MAX_CONCEPTS, MAX_LIMIT, HopError
from tools.knowledge.retrieving.lines import fit_lines
from tools.knowledge.sources.protocol import Findings, KnowledgeSource, Query
from tools.tokens import Counter, count_tokens

if TYPE_CHECKING:
    from pydantic.v1 import ValidationError as ValidationErrorV1

__all__ = ["NAME", "SentenceArguments", "sentence_tool"]

NAME = "find_sentences"
_EXAMPLE = '{"concepts": ["candle", "wilting flower"], "limit": 8}'
_DESCRIPTION = f"""Look up what people have written of something seen, in a collection of sentences.

Use it when you have seen an object, gesture, light, weather, place or act that may mean more than it \
shows. Ask for one or several things at once, in short singular noun phrases ("candle", "empty chair"). \
Read the answers, keep those that fit this video, and call again with other names, or with a concept that a \
sentence spoke of.

Each line is one sentence. The sentences are suggestions: the video decides which of them bears on it.

Example arguments: {_EXAMPLE}"""


def _as_list(given: object) -> object:
    """A bare string, which small models tend to send, as the list it stands for."""
    return given.split(",") if isinstance(given, str) else given


class SentenceArguments(BaseModel):
    """What the model may ask. Ranges are checked by the tool itself, since not every provider takes them."""

    concepts: Annotated[list[str], BeforeValidator(_as_list)] = Field(
        description="Names of what was seen, or of concepts from an earlier answer: short noun phrases."
    )
    limit: int = Field(default=8, description=f"How many sentences to return at most, 1 to {MAX_LIMIT}.")


def sentence_tool(
    source: KnowledgeSource, *, max_tokens: int = 600, count: Counter = count_tokens
) -> BaseTool:
    """A tool over sentences that a model may call again and again.

    Args:
        source: finds passages.
        max_tokens: longest answer, in tokens; whole sentences are left out, and counted, to keep to it.
        count: counts a text's tokens; by o200k_base unless given.

    Returns:
        The tool "find_sentences"; its message's content is text and its artifact what the source found.
    """

    def find(concepts: list[str], limit: int = 8) -> tuple[str, Findings]:
        asked = tuple(dict.fromkeys(name for concept in concepts if (name := concept.strip())))
        if not 1 <= len(asked) <= MAX_CONCEPTS:
            msg = f"give 1 to {MAX_CONCEPTS} concepts, not {len(asked)}, for example {_EXAMPLE}."
            raise HopError(msg)
        if not 1 <= limit <= MAX_LIMIT:
            msg = f"limit={limit} is out of range: give a whole number from 1 to {MAX_LIMIT}."
            raise HopError(msg)
        found = source.find(Query(asked, limit=limit))
        if not found.passages:
            msg = "Nothing found. Try simpler or more general names."
            raise HopError(msg)
        lines = [" ".join(passage.text.split()) for passage in found.passages]
        return fit_lines(lines, max_tokens, size=count), found

    return StructuredTool.from_function(
        find,
        name=NAME,
        description=_DESCRIPTION,
        args_schema=SentenceArguments,
        response_format="content_and_artifact",
        handle_tool_error=True,
        handle_validation_error=_mend,
    )


def _mend(error: ValidationError | ValidationErrorV1) -> str:
    """What the model is told of arguments that don't fit the schema."""
    faults = [
        f"{'.'.join(map(str, fault['loc'])) or 'arguments'}: {fault['msg']}" for fault in error.errors()
    ]
    return f"These arguments can't be used. {'; '.join(faults)}. Call again like this: {_EXAMPLE}"
