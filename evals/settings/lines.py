"""On which line of a file each key stands, so that an error can say it."""

from __future__ import annotations

from typing import TypeAlias, cast

import yaml

from agents.errors import UserError

__all__ = ["UNMADE", "Lines", "lines_of"]

Lines: TypeAlias = dict[tuple[str, ...], int]
"""Lines, from 1, by the keys that lead there."""

UNMADE = (ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""What parsers raise for a value that looks like one of a type and is none: 2026-13-45, ``!!bool x``."""

_DEEPEST = 50
_MOST = 100_000


def lines_of(text: str, name: str, *, is_json: bool = False) -> Lines:
    """The line of every key of nested mappings.

    Args:
        text: the file.
        name: of the file, for errors.
        is_json: a file that is no YAML may still be JSON: its keys have no lines then.

    Raises:
        UserError: when it is no YAML, when a mapping has a key twice, of which YAML would keep the last, or
            when it holds what no setting does: itself, a NUL, or more than a person writes.
    """
    try:
        top = cast("yaml.Node | None", yaml.compose(text, Loader=yaml.SafeLoader))  # pyright: ignore[reportUnknownMemberType]
    except yaml.YAMLError as error:
        if is_json:
            return {}
        raise UserError(f"{name}{_place(error)}: {_problem(error)}.") from error
    except RecursionError as error:
        raise UserError(f"{name} is nested more deeply than settings are.") from error
    walk = _Walk(name)
    walk.into(top, ())
    return walk.found


class _Walk:
    """A walk through a file as it is composed: aliases lead to what they stand for, each time."""

    def __init__(self, name: str) -> None:
        self.found: Lines = {}
        self._name = name
        self._seen = 0
        self._above: list[yaml.Node] = []

    def into(self, node: yaml.Node | None, where: tuple[str, ...]) -> None:
        """Note the keys of a node, and of what it holds."""
        if node is None:
            return
        self._look_at(node)
        self._above.append(node)
        if isinstance(node, yaml.MappingNode):
            for key, value in cast("list[tuple[yaml.Node, yaml.Node]]", node.value):
                inner = (*where, str(key.value))
                self._note(key, inner)
                self.into(value, inner)
        elif isinstance(node, yaml.SequenceNode):
            for place, value in enumerate(cast("list[yaml.Node]", node.value)):
                self.into(value, (*where, str(place)))
        self._above.pop()

    def _look_at(self, node: yaml.Node) -> None:
        self._seen += 1
        if any(node is each for each in self._above):
            raise self._fault(node, "it holds itself")
        if len(self._above) > _DEEPEST:
            raise self._fault(node, "it is nested more deeply than settings are")
        if self._seen > _MOST:
            raise self._fault(node, f"with all aliases it holds more than {_MOST:,} values")
        if isinstance(node, yaml.ScalarNode) and "\0" in str(node.value):
            raise self._fault(node, "it holds the character NUL, which no setting does")

    def _note(self, key: yaml.Node, where: tuple[str, ...]) -> None:
        if where in self.found and where[-1] != "<<":
            raise self._fault(key, f"{where[-1]} stands on line {self.found[where]} already")
        self.found[where] = key.start_mark.line + 1

    def _fault(self, node: yaml.Node, why: str) -> UserError:
        return UserError(f"{self._name}, line {node.start_mark.line + 1}: {why}.")


def _place(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    return "" if mark is None else f", line {mark.line + 1}, column {mark.column + 1}"


def _problem(error: yaml.YAMLError) -> str:
    parts = (getattr(error, part, None) for part in ("context", "problem", "reason"))
    told = ", ".join(str(part) for part in parts if part)
    return f"it is no YAML: {told}" if told else "it is no YAML"
