"""Measurements of the project's own code; each prints what it compares side by side."""
