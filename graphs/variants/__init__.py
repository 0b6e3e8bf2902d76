"""The wirings, one a file. A file that is added here is a variant, found by its name and nothing else.

Each module has a docstring whose first line is its help text, ``CALLS`` (model calls: ``fixed`` ones and,
where it explores, at most one more ``per_hop``), ``build()`` and the compiled ``graph``.
"""
