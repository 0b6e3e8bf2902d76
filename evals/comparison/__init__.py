"""What ``python -m evals.compare`` reads from its command line, and how it shows what it found."""
