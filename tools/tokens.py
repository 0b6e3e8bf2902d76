"""Counts tokens with tiktoken where nobody hands in a counter of their own, and without a network.

tiktoken downloads its tables at first use; the package bpe-openai carries the same ones.
"""

from __future__ import annotations

import base64
import functools
import gzip
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tools.errors import ToolboxError

if TYPE_CHECKING:
    from tiktoken import Encoding

__all__ = ["Counter", "count_tokens"]

Counter = Callable[[str], int]

_CONTRACTED = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_CAPITAL, _SMALL = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
#: How o200k_base parts a text before it looks pieces up.
_PIECES = "|".join(
    [
        rf"[^\r\n\p{{L}}\p{{N}}]?[{_CAPITAL}]*[{_SMALL}]+{_CONTRACTED}",
        rf"[^\r\n\p{{L}}\p{{N}}]?[{_CAPITAL}]+[{_SMALL}]*{_CONTRACTED}",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)


def count_tokens(text: str) -> int:
    """How many tokens of o200k_base a text has; what looks like a special token counts as plain text.

    >>> count_tokens("hello world")
    2

    Raises:
        ToolboxError: if the package bpe-openai is missing or broken.
    """
    return len(_encoding().encode_ordinary(text))


@functools.cache
def _encoding() -> Encoding:
    import tiktoken

    way_out = "pip install --force-reinstall bpe-openai==0.1.4"
    spec = find_spec("bpe_openai")
    if spec is None or spec.origin is None:
        msg = f"counting tokens needs a package that is not installed: {way_out}"
        raise ToolboxError(msg)
    path = Path(spec.origin).parent / "data" / "o200k_base.tiktoken.gz"
    try:
        rows = [line.split() for line in gzip.decompress(path.read_bytes()).splitlines() if line]
        ranks = {base64.b64decode(piece): int(rank) for piece, rank in rows}
    except (OSError, EOFError, ValueError) as error:
        msg = f"{path} can't be read ({error}): {way_out}"
        raise ToolboxError(msg) from error
    return tiktoken.Encoding(name="o200k_base", pat_str=_PIECES, mergeable_ranks=ranks, special_tokens={})
