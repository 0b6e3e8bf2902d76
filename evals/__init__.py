"""Run many samples, durably, and say what it means."""
