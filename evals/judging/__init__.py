"""The judge, judged: against people, against itself and other judges, and by probes that it must pass."""
