"""Merges forms into concepts, and keeps account of every merge."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from tools.errors import KnowledgeError
from tools.knowledge.building.cleaning import clean
from tools.knowledge.building.keys import key_of
from tools.knowledge.formats.files import read_text
from tools.knowledge.linking.names import compact, normal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

__all__ = ["MERGES_HEADER", "Concepts", "Merge", "Overrule", "merge_forms", "ranked", "read_overrule"]

MERGES_HEADER = ("kept", "merged", "why", "kept_count", "merged_count")


class Merge(NamedTuple):
    """A line of the audit list.

    Attributes:
        kept: the node's name.
        merged: a name as it was written, or a form, which became this node.
        why: in words.
        kept_count: how often all its names were met.
        merged_count: how often this one was.
    """

    kept: str
    merged: str
    why: str
    kept_count: int
    merged_count: int


@dataclass(frozen=True)
class Overrule:
    """What the user decides.

    Attributes:
        keep: forms that nothing is merged into and that are merged into nothing.
        merges: forms that become others, by form.
    """

    keep: frozenset[str] = frozenset()
    merges: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass
class Concepts:
    """What the forms became.

    Attributes:
        node: each form's node.
        counts: how often each node was met.
        why: for forms that are not their node's name, why they were merged.
    """

    node: dict[str, str]
    counts: Counter[str]
    why: dict[str, str]

    def audit(self, wordings: Mapping[tuple[str, str], int]) -> list[Merge]:
        """Every name that became another one's, by node and name."""
        merged: Counter[tuple[str, str, str]] = Counter()
        for (name, form), count in wordings.items():
            node = self.node[form]
            if name != node:
                merged[node, name, self.why.get(form) or _wording(name, node)] += count
        return [
            Merge(node, name, why, self.counts[node], count)
            for (node, name, why), count in sorted(merged.items())
        ]


def ranked(counts: Mapping[str, int], names: Iterable[str]) -> list[str]:
    """Names in the order in which they are kept: by frequency, then the shortest, then by the alphabet."""
    return sorted(names, key=lambda name: (-counts[name], len(name), name))


def merge_forms(
    counts: Mapping[str, int],
    overrule: Overrule,
    alike: Callable[[Counter[str], Mapping[str, str]], dict[str, tuple[str, str]]] | None = None,
) -> Concepts:
    """Merge forms of one key, then what the user says, then near-synonyms.

    Args:
        counts: how often each form was met.
        overrule: what the user says.
        alike: given the nodes so far with their counts, and each form's node, finds for those that go into
            another its name and why; never for a name that another one goes into.
    """
    node = _by_key(counts, overrule)
    why = {form: _inflection(form, kept) for form, kept in node.items() if form != kept}
    for form in list(node):
        if (target := _listed(form, node[form], overrule)) is not None:
            why[form] = "merge list"
            node[form] = target
    why = {form: words for form, words in why.items() if node[form] != form}
    if alike is not None:
        near = alike(_totals(counts, node), node)
        for form, kept in node.items():
            if kept in near:
                node[form], why[form] = near[kept]
    return Concepts(node, _totals(counts, node), why)


def read_overrule(keep: Path | None, merges: Path | None) -> Overrule:
    """Read what the user decides.

    Args:
        keep: a name a line.
        merges: `kept<TAB>merged` a line, with more columns and a header or without; such as `merges.tsv`.

    Raises:
        KnowledgeError: naming the line that can't be used.
    """
    kept = frozenset(clean(line) for line in _lines(keep)) - {""}
    found: dict[str, str] = {}
    for number, line in enumerate(_lines(merges), 1):
        fields = [clean(name) for name in line.split("\t")[:2]]
        if not line.strip() or (number == 1 and tuple(fields) == MERGES_HEADER[:2]):
            continue
        if len(fields) < 2 or not all(fields):  # noqa: PLR2004
            msg = f"{merges}:{number}: expected the name that is kept, a tab, and the one that is merged."
            raise KnowledgeError(msg)
        into, name = fields
        if into != name and found.setdefault(name, into) != into:
            msg = f"{merges}:{number}: {name!r} is merged into {into!r}, and into {found[name]!r} above."
            raise KnowledgeError(msg)
    if both := sorted(kept & (found.keys() | set(found.values()))):
        msg = f"{keep}: {both[0]!r} is to be kept apart, but {merges} merges it."
        raise KnowledgeError(msg)
    return Overrule(kept, {name: _end_of(name, found, str(merges)) for name in found})


def _lines(file: Path | None) -> list[str]:
    return read_text(file, str(file)).replace("\r\n", "\n").split("\n") if file is not None else []


def _end_of(name: str, merges: Mapping[str, str], file: str) -> str:
    """Where a chain of merges ends."""
    passed = [name]
    while (following := merges.get(passed[-1])) is not None:
        if following in passed:
            msg = f"{file}: {' -> '.join([*passed, following])} is a circle; say which of them is kept."
            raise KnowledgeError(msg)
        passed.append(following)
    return passed[-1]


def _by_key(counts: Mapping[str, int], overrule: Overrule) -> dict[str, str]:
    """Each form's name: the first in rank of those that share its key; a name the user wants comes first."""
    groups: dict[str, list[str]] = defaultdict(list)
    for form in counts:
        groups[f"={form}" if form in overrule.keep else key_of(form)].append(form)
    wanted = {key_of(form): form for form in sorted(set(overrule.merges.values()), reverse=True)}
    node: dict[str, str] = {}
    for key, forms in groups.items():
        kept = wanted.get(key) or ranked(counts, forms)[0]
        node.update(dict.fromkeys(forms, kept))
    return node


def _listed(form: str, node: str, overrule: Overrule) -> str | None:
    """The node that the user wants a form to be, by its own name or by its node's."""
    if form in overrule.keep:
        return None
    return overrule.merges.get(form) or overrule.merges.get(node)


def _totals(counts: Mapping[str, int], node: Mapping[str, str]) -> Counter[str]:
    totals: Counter[str] = Counter()
    for form, count in counts.items():
        totals[node[form]] += count
    return totals


def _inflection(form: str, kept: str) -> str:
    return "spelling" if compact(form) == compact(kept) else "plural or third person"


def _wording(name: str, node: str) -> str:
    """Why a name became a form."""
    if " ".join(name.split()).casefold() == node:
        return "case"
    if normal(name) == node:
        return "article or marks"
    return "spelling" if compact(normal(name)) == compact(node) else "words that add nothing"
