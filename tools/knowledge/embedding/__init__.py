"""Texts to vectors, kept once they are made, and the search among the vectors of a graph's nodes."""
