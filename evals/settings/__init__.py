"""From what people say of a run to its settings: flags, files, what is varied, and where it all came from."""
