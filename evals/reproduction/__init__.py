"""Our runs beside the published numbers, in the paper's own tables."""
