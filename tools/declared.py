"""What packages declare by entry points, beside what is our own; nothing is imported."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from tools.errors import PluginError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tools.errors import ToolboxError

__all__ = ["declared"]


def declared(
    group: str, own: Mapping[str, str], what: str, error: type[ToolboxError] = PluginError
) -> dict[str, str]:
    """Our own things and those of installed packages, as name to `module:attribute`; ours first.

    Args:
        group: the entry points' group.
        own: our own, so that a checkout that was never installed has them too.
        what: how a person calls one.
        error: what is raised.

    Raises:
        ToolboxError: `error`, if two packages declare one name for different things.
    """
    found = dict(own)
    for point in entry_points(group=group):
        if found.setdefault(point.name, point.value) != point.value:
            msg = (
                f"{point.name!r} is declared twice in {group}: as {found[point.name]} and as {point.value}. "
                f"Uninstall one, or name the {what} as module:attribute."
            )
            raise error(msg)
    return found
