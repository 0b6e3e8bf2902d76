"""Sets and tables of millions of samples in a few bytes each: what is known by id is kept by digest."""

from __future__ import annotations

from evals.compact.digests import Key, NumberBy, Seen

__all__ = ["Key", "NumberBy", "Seen"]
