"""The only place where minds and tools meet: wirings of perceive, hop, interpret and judge."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

_HOME = Path(__file__).resolve().parent.parent


def _canary() -> None:
    """Say clearly when another distribution's package of the same name stands in the way of ours.

    Raises:
        ImportError: when ``agents`` or ``tools`` is not the one that came with this package.
    """
    for name in ("agents", "tools"):
        spec = find_spec(name)
        origin = Path(spec.origin).resolve() if spec and spec.origin else None
        if origin is None or origin.parent.parent != _HOME:
            raise ImportError(
                f"Python finds the package {name!r} at {origin or 'no place'}, which is not MetaphorBoost's "
                f"(that is in {_HOME}). Other distributions install the same name, openai-agents for one: "
                "give MetaphorBoost a virtual environment of its own."
            )


_canary()
