"""The wirings, one a file. A file that is added here is a variant, found by its name and nothing else.

Each module has a docstring whose first line is its help text, ``CALLS`` (model calls: ``fixed`` ones; where
it explores, at most one more ``per_hop``; where it looks anything up, those of ``associate``, which take the
place of that when the model is asked itself), ``build()`` and the compiled ``graph``.
"""
