"""Says measures in words: light, color, camera, cutting, as a dictionary of film symbols lists them."""

# ruff: noqa: PLR2004 - a threshold stands beside the word it decides
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from agents.embedded.measures import Measures

__all__ = ["FORM", "Cue", "describe"]

#: Cues of how a video is made. They say less of what it means than what is in it.
FORM = frozenset(
    {
        "blurred picture",
        "circular ending",
        "freeze frame",
        "handheld shake",
        "high contrast lighting",
        "juxtaposed shots",
        "long take",
        "moving camera",
        "parallel editing",
        "rapid cuts",
        "single color accent",
        "slow motion",
        "static scene",
        "still camera",
        "warm color tone",
    }
)


class Cue(NamedTuple):
    """One thing seen.

    Attributes:
        text: a short noun phrase.
        weight: how sure and how telling, 0 to 1.
        kind: ``object``, ``person``, ``light``, ``camera`` or ``cut``.
    """

    text: str
    weight: float
    kind: str


def describe(m: Measures) -> list[Cue]:
    """Name what stands out in the measures, most marked first; nothing when all is ordinary."""
    found = [cue for look in _LOOKS for cue in look(m)]
    return sorted(found, key=lambda cue: -cue.weight)


def _ends(values: Any, cuts: Any) -> tuple[float, float]:
    """Means over the first and the last eighth, as if the jumps at the cuts had not been.

    A cut to a darker place is no darkening: only what changes within shots counts.
    """
    width = max(1, len(values) // 8)
    jumps = float((values[1:] - values[:-1])[cuts].sum())
    return float(values[:width].mean()) + jumps, float(values[-width:].mean())


def _light_over_time(m: Measures) -> list[Cue]:  # noqa: PLR0911 - one word a case
    if len(m.light) < 4:
        return []
    first, last = _ends(m.light, m.cuts)
    change = last - first
    if last < 0.04 < first - 0.08:
        return [Cue("fade to black", 0.8, "light"), Cue("darkening scene", 0.7, "light")]
    if last > 0.93 > first + 0.2:
        return [Cue("fade to white", 0.8, "light")]
    if first < 0.03 and last > 0.15:
        return [Cue("fade from black", 0.5, "light"), Cue("brightening scene", 0.6, "light")]
    ratio = last / max(first, 0.02)
    if change < -0.05 and ratio < 0.78:
        sudden = [Cue("light going out", 0.5, "light")] if _sudden_fall(m) else []
        return [*sudden, Cue("darkening scene", min(0.9, 0.45 - change), "light")]
    if change > 0.05 and ratio > 1.3:
        return [Cue("brightening scene", min(0.9, 0.45 + change), "light")]
    return []


def _sudden_fall(m: Measures) -> bool:
    """Whether most of the light goes within a fifth of the time, without a cut, and stays away."""
    width = max(2, len(m.light) // 5)
    falls = [
        float(m.light[i + width]) < 0.72 * float(m.light[i]) and not m.cuts[i : i + width].any()
        for i in range(len(m.light) - width)
    ]
    before = m.light[: -2 * width]
    return any(falls) and len(before) > 0 and float(m.light[-1]) < 0.75 * float(before.mean())


def _light(m: Measures) -> list[Cue]:
    light, contrast = float(m.light.mean()), float(m.contrast.mean())
    found: list[Cue] = []
    if light < 0.06:
        found.append(Cue("black screen", 0.6, "light"))
    elif light < 0.24:
        found.append(Cue("night" if float(m.warmth.mean()) < 0.06 else "darkness", 0.35, "light"))
    elif light > 0.72:
        found.append(
            Cue("harsh white light" if float(m.color.mean()) < 0.15 else "brightly lit room", 0.2, "light")
        )
    if contrast > 0.3:
        found.append(Cue("high contrast lighting", 0.2, "light"))
    if contrast < 0.07 and 0.35 < light < 0.85:
        found.append(Cue("fog", 0.35, "light"))
    if light < 0.3 and contrast > 0.12 and float(m.middle.mean()) > 0.08:
        found.append(Cue("single light in darkness", 0.4, "light"))
    return found


def _color_over_time(m: Measures) -> list[Cue]:
    if len(m.color) < 4:
        return []
    first, last = _ends(m.color, m.cuts)
    if last < 0.6 * first and first - last > 0.1 and float(m.light[-1]) > 0.05:
        return [Cue("fading color", 0.5 + min(0.3, first - last), "light")]
    if first < 0.6 * last and last - first > 0.1 and float(m.light[0]) > 0.05:
        return [Cue("color returning", 0.5 + min(0.3, last - first), "light")]
    return []


def _color(m: Measures) -> list[Cue]:  # noqa: PLR0911 - one word a case
    color, warmth, green = float(m.color.mean()), float(m.warmth.mean()), float(m.green.mean())
    if color < 0.06:
        return [Cue("black-and-white picture", 0.5, "light")]
    if warmth < -0.1:
        return [Cue("cold blue light", min(0.7, 0.35 - warmth), "light")]
    if green > 0.12:
        return [Cue("green tint", min(0.6, 0.3 + green), "light")]
    if warmth > 0.55 and color > 0.6:
        return [Cue("red light", min(0.6, 0.2 + warmth / 2), "light")]
    if warmth > 0.3:
        return [Cue("warm color tone", min(0.3, 0.1 + warmth / 3), "light")]
    if color > 0.6:
        return [Cue("oversaturated color", 0.35, "light")]
    return []


def _cutting(m: Measures) -> list[Cue]:
    count = int(m.cuts.sum())
    if m.duration <= 0:
        return []
    found: list[Cue] = []
    if m.spacing < 1.6 and count >= 3 and count / m.duration > 0.5:
        found.append(Cue("rapid cuts", min(0.8, 0.4 + 0.2 * count / m.duration), "cut"))
    elif count == 0 and m.duration >= 6 and m.spacing < 1.6:
        found.append(Cue("long take", 0.13, "cut"))
    elif count in (1, 2):
        found.append(Cue("juxtaposed shots", 0.14, "cut"))
    if m.returns > 0.5 and count >= 3:
        found.append(Cue("parallel editing", 0.6, "cut"))
    return found


def _camera(m: Measures) -> list[Cue]:
    if len(m.light) < 3 or m.spacing > 1.6:
        return []
    within = ~m.cuts
    if not within.any():
        return []
    motion, rim = float(m.motion[within].mean()), float(m.rim[within].mean())
    found: list[Cue] = []
    if motion < 0.004:
        found.append(Cue("static scene", 0.18, "camera"))
    elif rim < 0.05:
        found.append(Cue("still camera", 0.12, "camera"))
    elif rim > 0.3:
        found.append(
            Cue("handheld shake" if float(m.rim[within].std()) > 0.2 else "moving camera", 0.15, "camera")
        )
    tail = m.motion[-max(2, len(m.motion) // 4) :]
    if motion > 0.03 and float(tail.max()) < 0.002 and not m.cuts[-len(tail) :].any() and m.light[-1] > 0.05:
        found.append(Cue("freeze frame", 0.45, "camera"))
    if 0.004 <= motion < 0.02 and not m.cuts.any():
        found.append(Cue("slow motion", 0.13, "camera"))
    return found


def _flashes(m: Measures) -> list[Cue]:
    if len(m.light) < 5:
        return []
    middle, before, after = m.light[1:-1], m.light[:-2], m.light[2:]
    flash = (middle > before + 0.25) & (middle > after + 0.25) & (middle > 0.8)
    up = (middle > before + 0.06) & (middle > after + 0.06)
    if flash.any():
        return [Cue("white flash", 0.55, "light")]
    if int(up.sum()) >= max(3, len(m.light) // 6) and not m.cuts.any():
        return [Cue("flickering light", 0.4, "light")]
    return []


def _outdoors(m: Measures) -> list[Cue]:
    found: list[Cue] = []
    if m.streaks > 0.6:
        found.append(Cue("rain", 0.3 + 0.3 * m.streaks, "light"))
    if m.sky > 0.5:
        found.append(Cue("blue sky", 0.35, "light"))
    return found


def _accents(m: Measures) -> list[Cue]:
    if not m.accent:
        return []
    color = "orange color" if m.accent == "orange" else m.accent  # the bare word names a fruit
    return [Cue(color, 0.25, "light"), Cue("single color accent", 0.2, "light")]


def _direction(m: Measures) -> list[Cue]:
    if abs(m.drift) < 0.7 or m.streaks > 0.6 or not (~m.cuts).any() or float(m.rim[~m.cuts].mean()) > 0.04:
        return []
    return [Cue("upward movement" if m.drift > 0 else "downward movement", 0.15, "camera")]


def _form(m: Measures) -> list[Cue]:
    found: list[Cue] = []
    if float(m.sharpness.mean()) < 0.008 and float(m.light.mean()) > 0.1:
        found.append(Cue("blurred picture", 0.35, "camera"))
    if m.circle > 0.93 and m.cuts.any() and float(m.motion.max()) > 0.02:
        found.append(Cue("circular ending", 0.4, "cut"))
    return found


_LOOKS: tuple[Callable[[Measures], list[Cue]], ...] = (
    _light_over_time,
    _light,
    _color_over_time,
    _color,
    _cutting,
    _camera,
    _flashes,
    _outdoors,
    _accents,
    _direction,
    _form,
)
