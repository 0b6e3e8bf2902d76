"""On which line of a file each key stands, so that an error can say it."""

from __future__ import annotations

from typing import TypeAlias, cast

import yaml

from agents.errors import UserError

__all__ = ["Lines", "lines_of"]

Lines: TypeAlias = dict[tuple[str, ...], int]
"""Lines, from 1, by the keys that lead there."""


def lines_of(text: str, name: str, *, is_json: bool = False) -> Lines:
    """The line of every key of nested mappings.

    Args:
        text: the file.
        name: of the file, for errors.
        is_json: a file that is no YAML may still be JSON: its keys have no lines then.

    Raises:
        UserError: when it is no YAML, or a mapping has a key twice, of which YAML would keep the last.
    """
    try:
        top = cast("yaml.Node | None", yaml.compose(text, Loader=yaml.SafeLoader))  # pyright: ignore[reportUnknownMemberType]
    except yaml.YAMLError as error:
        if is_json:
            return {}
        raise UserError(f"{name}{_place(error)}: {_problem(error)}.") from error
    found: Lines = {}
    _walk(top, (), found, name)
    return found


def _walk(node: yaml.Node | None, where: tuple[str, ...], found: Lines, name: str) -> None:
    if not isinstance(node, yaml.MappingNode):
        return
    for key, value in cast("list[tuple[yaml.Node, yaml.Node]]", node.value):
        inner = (*where, str(key.value))
        line = key.start_mark.line + 1
        if inner in found and inner[-1] != "<<":
            raise UserError(f"{name}, line {line}: {inner[-1]} stands on line {found[inner]} already.")
        found[inner] = line
        _walk(value, inner, found, name)


def _place(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    return "" if mark is None else f", line {mark.line + 1}, column {mark.column + 1}"


def _problem(error: yaml.YAMLError) -> str:
    parts = (getattr(error, part, None) for part in ("context", "problem"))
    told = ", ".join(str(part) for part in parts if part) or "it is no YAML"
    return f"it is no YAML: {told}" if told != "it is no YAML" else told
