"""Ctrl-C once: finish what is in flight. Twice: stop at once. SIGTERM counts as the first."""

from __future__ import annotations

from collections.abc import Callable

from graphs.durable.stopping import Interruptible

__all__ = ["Stop"]


class Stop(Interruptible):
    """A wish to stop, soft at first.

    Attributes:
        requested: no new sample is started.
        broken: why the run stopped itself; empty when it did not.
        budget: which limit of the run was reached; empty when none was.
        idle: whether it was reached before anything was begun.
    """

    def __init__(self, announce: Callable[[str], None] = lambda _: None) -> None:
        super().__init__(announce)
        self.requested = False
        self.broken = ""
        self.budget = ""
        self.idle = False

    def press(self) -> None:
        """One Ctrl-C."""
        if not self.requested:
            self.requested = True
            self.announce("Stopping: samples in flight are finished and saved. Once more stops at once.")
        else:
            self.give_up("samples")

    def give_in(self, why: str) -> None:
        """Stop softly, since going on would fail every sample for the same reason."""
        self.broken = self.broken or why
        if not self.requested:
            self.requested = True
            self.announce(f"Stopping, since no other sample could do better: {why}")

    def run_dry(self, why: str) -> None:
        """Stop softly, since the run has spent what it may."""
        self.budget = self.budget or why
        if not self.requested:
            self.requested = True
            self.announce(f"The budget is reached: {why}. Samples in flight are finished and saved.")

    def never_begin(self, why: str) -> None:
        """Begin nothing, since earlier starts have spent what the run may."""
        self.requested = self.idle = True
        self.budget = why
        self.announce(f"The budget is reached: {why}. Nothing is begun.")
