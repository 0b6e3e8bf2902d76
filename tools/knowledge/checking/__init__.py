"""What is wrong with a graph, row by row and as a whole."""
