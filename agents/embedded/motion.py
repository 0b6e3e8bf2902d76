"""Measures which way things move, and the falling streaks that are rain; numpy alone."""

# ruff: noqa: PLR2004 - shares of pixels, each said by its name on the left
from __future__ import annotations

from typing import Any

from agents.embedded.runtime import library

__all__ = ["streaks", "vertical_drift"]

_CHANGED = 0.05
_SPIKE = 0.035
_CELLS = 4


def vertical_drift(gray: Any, cuts: Any) -> float:
    """How steadily what moves moves up (positive) or down, -1 to 1; 0 when little moves.

    The vertical displacement that explains the change of brightness best (Lucas & Kanade 1981), a pair of
    frames at a time over the pixels that changed; then the share of pairs that agree, signed.

    Args:
        gray: (frames, height, width), 0 to 1.
        cuts: between frames, where nothing is compared.
    """
    np: Any = library("numpy")
    soft = (gray[:, 1:-1] * 2 + gray[:, :-2] + gray[:, 2:]) / 4
    signs: list[float] = []
    for i in np.flatnonzero(~cuts):
        change = soft[i + 1] - soft[i]
        rise = np.gradient((soft[i] + soft[i + 1]) / 2, axis=0)
        mask = np.abs(change) > _CHANGED
        weight = float((rise[mask] ** 2).sum())
        if mask.mean() < 0.004 or weight < 1e-3:
            continue
        moved = float((rise[mask] * change[mask]).sum()) / weight  # pixels, positive is up
        signs.append(float(np.sign(moved)) if abs(moved) > 0.05 else 0.0)
    enough = max(4, len(gray) // 6)
    return float(np.mean(signs)) if len(signs) >= enough else 0.0


def streaks(gray: Any, cuts: Any) -> float:
    """How much the frames are full of upright bright streaks that last one frame, 0 to 1: rain.

    A drop brightens a pixel for one frame only (Garg & Nayar 2004), and its streak is higher than wide.

    Args:
        gray: (frames, height, width), 0 to 1.
        cuts: between frames; frames beside one are not looked at.
    """
    np: Any = library("numpy")
    if len(gray) < 5:
        return 0.0
    spike = gray[1:-1] - np.maximum(gray[:-2], gray[2:]) > _SPIKE
    spike = spike[~(cuts[:-1] | cuts[1:])]
    if not len(spike):
        return 0.0
    upright = (spike[:, 1:] & spike[:, :-1]).mean((1, 2))
    across = (spike[:, :, 1:] & spike[:, :, :-1]).mean((1, 2))
    height, width = spike.shape[1] // _CELLS * _CELLS, spike.shape[2] // _CELLS * _CELLS
    cells = spike[:, :height, :width].reshape(len(spike), _CELLS, height // _CELLS, _CELLS, width // _CELLS)
    filled = (cells.any(4).any(2)).mean((1, 2))  # share of the picture's 16 fields that hold a spike
    share = spike.mean((1, 2))
    rainy = (share > 0.004) & (share < 0.25) & (filled > 0.6) & (upright > 1.4 * across + 1e-4)
    return float(rainy.mean())
