"""From files in the published layout to a run directory that every other command reads."""
