"""Student's t and the fair coin, from the incomplete beta function: a run needs no SciPy for them."""

from __future__ import annotations

import math

__all__ = ["coin_tail", "t_cdf", "t_quantile"]

_TINY = 1e-300
_ROUNDS = 1000  # of the continued fraction; it settles in O(sqrt(max(a, b)))


def coin_tail(heads: int, tosses: int) -> float:
    """Probability of at most ``heads`` heads in ``tosses`` tosses of a fair coin."""
    if heads >= tosses:
        return 1.0
    return 0.0 if heads < 0 else _incomplete_beta(tosses - heads, heads + 1, 0.5)


def t_cdf(value: float, freedom: float) -> float:
    """Probability that Student's t with ``freedom`` degrees of freedom is at most ``value``."""
    square = value * value
    if square < freedom:  # near the middle, what is left of one would be rounded away
        tail = 0.5 - 0.5 * _incomplete_beta(0.5, freedom / 2, square / (freedom + square))
    else:
        tail = 0.5 * _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + square))
    return tail if value < 0 else 1 - tail


def t_quantile(share: float, freedom: float) -> float:
    """The value that Student's t stays below with probability ``share``, 0 to 1 exclusive.

    Raises:
        ValueError: for a share outside that range.
    """
    if not 0 < share < 1:
        raise ValueError(f"no quantile at {share}: give a share between 0 and 1")
    if share > 0.5:  # noqa: PLR2004 - the median; the other half mirrors this one
        return -t_quantile(1 - share, freedom)
    low, high = -1.0, 0.0
    while t_cdf(low, freedom) > share:
        low, high = 2 * low, low
    while high - low > 1e-13 * -low:  # doubles carry no more
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if t_cdf(middle, freedom) > share:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz)."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):  # the fraction settles fast on the other side
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(front) * _fraction(a, b, x) / a


def _fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1 / _apart(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _ROUNDS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for part in (even, odd):
            d = 1 / _apart(1 + part * d)
            c = _apart(1 + part / c)
            value *= c * d
        if abs(c * d - 1) < 1e-15:  # noqa: PLR2004 - the last step changed nothing
            break
    return value


def _apart(value: float) -> float:
    """Keep a denominator from zero."""
    return value if abs(value) > _TINY else _TINY
