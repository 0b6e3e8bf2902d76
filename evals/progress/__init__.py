"""What one sees of a run while it runs: bars, lines, or events for programs (``EVENTS.md``)."""
