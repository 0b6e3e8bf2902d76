"""From texts to pairs of what is said and what is meant: reading, asking, checking, and a file of pairs."""
