"""The minds: what a model is asked, and how its answer is read."""
