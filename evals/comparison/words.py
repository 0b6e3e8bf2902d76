"""Figures as text, and findings as sentences."""

from __future__ import annotations

from evals.statistics import Choice, Comparison, Estimate, Interval, Pairing

__all__ = ["FLAT", "bounds", "figure", "p_text", "sentences", "signed", "with_interval"]

FLAT = "*"
"""Marks an interval of values that are all alike."""

_SURE = 0.05


def figure(value: float | None) -> str:
    """One decimal; a dash for nothing."""
    return "-" if value is None else f"{value + 0.0:.1f}".replace("-0.0", "0.0")


def signed(value: float) -> str:
    """One decimal with its sign."""
    text = f"{value:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text


def bounds(interval: Interval | None, *, sign: bool = False) -> str:
    """``[2.0, 6.1]``; a dash for nothing."""
    if interval is None:
        return "-"
    write = signed if sign else figure
    return f"[{write(interval.low)}, {write(interval.high)}]{FLAT if interval.flat else ''}"


def with_interval(estimate: Estimate) -> str:
    """``55.9 [53.1, 58.6]``."""
    if estimate.interval is None:
        return figure(estimate.mean)
    return f"{figure(estimate.mean)} {bounds(estimate.interval)}"


def p_text(p: float | None) -> str:
    """Three decimals, ``<0.001`` below; a dash for nothing."""
    if p is None:
        return "-"
    return "<0.001" if p < 0.001 else f"{p:.3f}"  # noqa: PLR2004 - what three decimals can show


def sentences(pairing: Pairing, choice: Choice, family: int) -> list[str]:
    """What a pair's overall row says, in plain words.

    Args:
        pairing: the pair.
        choice: what was compared.
        family: rows that Holm's correction counted.
    """
    if not pairing.rows:
        return [f"{pairing.other.name} and {pairing.base.name} have no scored video in common."]
    row = pairing.rows[-1]
    found = [_finding(pairing, row, choice, family)]
    if row.paired.detectable is not None:
        found.append(
            f"With these {row.paired.n} videos, a true difference of {figure(row.paired.detectable)} points "
            "or more is found 8 times in 10; a smaller one is more likely missed."
        )
    elif row.paired.interval is not None:
        found.append("All videos differ by the same amount: what could be found can't be told from that.")
    return found


def _finding(pairing: Pairing, row: Comparison, choice: Choice, family: int) -> str:
    paired, one, two = row.paired, pairing.other.name, pairing.base.name
    where = f"On {paired.n} common {'video' if paired.n == 1 else 'videos'}"
    if paired.interval is None or row.p_holm is None or paired.p is None:
        return f"{where} {one} is {signed(paired.difference)} points from {two}: too few to say more."
    low, high = signed(paired.interval.low), signed(paired.interval.high)
    told = f"{choice.resampling.level * 100:g} % interval {low} to {high}, p {_equals(paired.p)}"
    if family > 1:
        told += f"; corrected for {family} comparisons p {_equals(row.p_holm)}"
    if row.p_holm < _SURE:
        way = "above" if paired.difference > 0 else "below"
        return f"{where} {one} is {figure(abs(paired.difference))} points {way} {two} ({told})."
    found = f"{signed(paired.difference)} points ({told})"
    return f"{where} no difference between {one} and {two} is shown: {found}."


def _equals(p: float) -> str:
    text = p_text(p)
    return f"< {text[1:]}" if text.startswith("<") else f"= {text}"
