"""When to stop: Ctrl-C and SIGTERM, a budget, or a fault that no other sentence would be spared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from graphs.durable.stopping import Interruptible

__all__ = ["Stop", "Why"]

Why = Literal["", "interrupted", "budget", "broken"]


class Stop(Interruptible):
    """A wish to stop, soft at first.

    Attributes:
        why: the first reason; empty while none.
        message: that reason in words.
    """

    def __init__(self, announce: Callable[[str], None]) -> None:
        super().__init__(announce)
        self.why: Why = ""
        self.message = ""

    @property
    def requested(self) -> bool:
        """No new call is begun."""
        return bool(self.why)

    def ask(self, why: Why, message: str) -> None:
        """Stop softly; the first reason counts, save that a fault outweighs a budget."""
        if not self.why or (why == "broken" and self.why == "budget"):
            self.why, self.message = why, message
            self.announce(f"Stopping; calls in flight are finished and saved: {message}")

    def press(self) -> None:
        """One Ctrl-C: softly, then at once."""
        if self.why != "interrupted" and not self.at_once:
            before, self.why = self.why, "interrupted"
            if not before:
                self.message = "interrupted"
                self.announce("Stopping: calls in flight are finished and saved. Once more stops at once.")
                return
        self.give_up("calls")
