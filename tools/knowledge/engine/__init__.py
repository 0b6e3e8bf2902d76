"""A graph as arrays, in memory or compiled to a folder and memory-mapped, and the arithmetic on them."""
