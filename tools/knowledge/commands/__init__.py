"""The commands of `python -m tools.knowledge`: each a module with `add`, its arguments, and `run`."""
