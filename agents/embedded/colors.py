"""Finds the one strong color of a picture and a blue sky; numpy alone."""

# ruff: noqa: PLR2004 - bounds of hue and saturation say what they are by where they stand
from __future__ import annotations

from typing import Any

from agents.embedded.runtime import library

__all__ = ["accent", "blue_sky"]

#: Hue from which a color is called so, in turns of the color wheel; red goes round.
_HUES = (
    (0.03, "red"),
    (0.11, "orange"),
    (0.19, "yellow"),
    (0.45, "green"),
    (0.7, "blue"),
    (0.88, "purple"),
    (1.0, "red"),
)
_STRONG, _PALE = 0.62, 0.42
_LEAST, _MOST = 0.012, 0.3  # share of the picture that an accent covers


def _hues(np: Any, frames: Any) -> tuple[Any, Any, Any]:
    """Hue, saturation and peak of each pixel, each 0 to 1."""
    peak, low = frames.max(-1), frames.min(-1)
    span = np.maximum(peak - low, 1e-6)
    red, green, blue = frames[..., 0], frames[..., 1], frames[..., 2]
    sector = np.where(
        peak == red,
        (green - blue) / span,
        np.where(peak == green, 2 + (blue - red) / span, 4 + (red - green) / span),
    )
    return (sector / 6) % 1.0, (peak - low) / np.maximum(peak, 1e-6), peak


def accent(frames: Any) -> str:
    """Name the strong color that covers a small part of most frames while the rest is paler; empty when none.

    Args:
        frames: (count, height, width, 3), 0 to 1.
    """
    np: Any = library("numpy")
    hue, saturation, peak = _hues(np, frames)
    strong = (saturation > _STRONG) & (peak > 0.3)
    bounds = np.asarray([bound for bound, _ in _HUES])
    names = [name for _, name in _HUES]
    kinds = np.searchsorted(bounds, hue)
    rest = float(saturation[~strong].mean()) if (~strong).any() else 1.0
    if rest > _PALE:
        return ""
    for name in dict.fromkeys(names):
        own = strong & np.isin(kinds, [i for i, other in enumerate(names) if other == name])
        share = own.mean((1, 2))
        alone = share > 2.5 * (strong.mean((1, 2)) - share)
        if float(((share > _LEAST) & (share < _MOST) & alone).mean()) > 0.6:
            return name
    return ""


def blue_sky(frames: Any) -> float:
    """Share of the frames whose upper quarter is mostly bright and blue or white, with some blue.

    Args:
        frames: (count, height, width, 3), 0 to 1.
    """
    np: Any = library("numpy")
    top = frames[:, : max(1, frames.shape[1] // 4)]
    hue, saturation, peak = _hues(np, top)
    blue = (hue > 0.53) & (hue < 0.68) & (saturation > 0.15) & (peak > 0.5)
    white = (saturation < 0.15) & (peak > 0.75)
    return float(((blue.mean((1, 2)) > 0.35) & ((blue | white).mean((1, 2)) > 0.8)).mean())
