"""The embedded model: a chat model that sees, explores, writes and measures with no network and no key.

Its parts are small real models that arrive inside registry packages (extra ``embedded``). Importing this
package loads none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents.embedded.chat import EmbeddedChatModel

__all__ = ["PROXY_NOTE", "EmbeddedChatModel"]

#: Stands wherever a score of this model is shown.
PROXY_NOTE = "offline proxy, not comparable with LLM-judge scores"


def __getattr__(name: str) -> Any:
    """Import the chat model when it is first asked for: LangChain takes half a second."""
    if name == "EmbeddedChatModel":
        from agents.embedded.chat import EmbeddedChatModel

        return EmbeddedChatModel
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
