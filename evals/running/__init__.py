"""Running many samples: at once, each to a record whatever happens, and stopped cleanly."""
