"""Parses the model's answer in a form into what was asked for: a dict, or an object of a pydantic class."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import JsonOutputParser, PydanticOutputParser
from langchain_core.output_parsers.openai_tools import JsonOutputKeyToolsParser, PydanticToolsParser
from langchain_core.runnables import Runnable, RunnableMap, RunnablePassthrough
from langchain_core.utils.pydantic import is_basemodel_subclass

__all__ = ["parsing"]


def _parser(schema: Any, name: str, *, called: bool) -> Runnable[Any, Any]:
    typed = isinstance(schema, type) and is_basemodel_subclass(schema)
    if called:
        if typed:
            return PydanticToolsParser(tools=[schema], first_tool_only=True)
        return JsonOutputKeyToolsParser(key_name=name, first_tool_only=True)
    return PydanticOutputParser(pydantic_object=schema) if typed else JsonOutputParser()


def parsing(
    model: Runnable[LanguageModelInput, AIMessage], schema: Any, name: str, *, called: bool, include_raw: bool
) -> Runnable[LanguageModelInput, Any]:
    """Put a parser behind a model.

    Args:
        model: answers in the form of the schema.
        schema: a pydantic class gives objects, anything else dicts.
        name: of the tool that carries the answer.
        called: whether the answer is a tool call rather than text.
        include_raw: give ``{"raw", "parsed", "parsing_error"}`` and never raise over the form.
    """
    parser = _parser(schema, name, called=called)
    if not include_raw:
        return model | parser
    parsed = RunnablePassthrough.assign(parsed=itemgetter("raw") | parser, parsing_error=lambda _: None)
    unparsed = RunnablePassthrough.assign(parsed=lambda _: None)
    return RunnableMap(raw=model) | parsed.with_fallbacks([unparsed], exception_key="parsing_error")
