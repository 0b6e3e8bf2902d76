"""Work that outlives a kill: appended lines, files that are whole or absent, one process at a time."""
