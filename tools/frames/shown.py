"""How a probe, a name or a time stands on a screen."""

from __future__ import annotations

from tools.frames.probe import Probe

__all__ = ["clock", "described", "printable"]

_KILO = 1000


def printable(text: object) -> str:
    """Text in which nothing moves the cursor: line breaks, control characters and odd bytes are spelt out."""
    spelt = str(text).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in spelt)


def clock(seconds: float) -> str:
    """Minutes and seconds: "1:02.50"."""
    hundredths = round(seconds * 100)
    minutes, rest = divmod(hundredths, 6000)
    return f"{minutes}:{rest // 100:02d}.{rest % 100:02d}"


def described(seen: Probe) -> str:
    """A probe in a few lines."""
    lines = [
        ("video", f"{seen.codec}, {seen.pixels}, in {seen.container}, {_bytes(seen.size)}"),
        ("size", _size(seen)),
        ("time", _time(seen)),
        ("starts", f"{seen.key_frames} key frame{_s(seen.key_frames)}"),
        ("sound", ", ".join(seen.sound) or "none"),
        *(("note", warning) for warning in seen.warnings),
        ("decord", "safe" if not seen.decord else f"refuses it: {'; '.join(seen.decord)}"),
    ]
    return "\n".join([printable(seen.path), *(f"  {name:<7} {printable(text)}" for name, text in lines)])


def _size(seen: Probe) -> str:
    coded, shown = (f"{width}x{height}" for width, height in (seen.coded, seen.shown))
    turns = ["mirrored"] if seen.is_mirrored else []
    if seen.rotation:
        turns.append(f"turned by {seen.rotation}° clockwise")
    return f"{coded}, shown as {shown} ({', '.join(turns)})" if turns else coded


def _time(seen: Probe) -> str:
    start = f"{seen.duration:.3f} s, {seen.frames} frame{_s(seen.frames)}"
    if seen.frames < 2:  # noqa: PLR2004 - one frame has no pace
        return start
    if seen.is_constant:
        return f"{start}, {seen.rate:.4g} a second, constant"
    shortest, longest = (1000 * step for step in seen.steps)
    return (
        f"{start}, {seen.rate:.4g} a second on average, varying (steps of {shortest:.0f} to {longest:.0f} ms)"
    )


def _bytes(size: float) -> str:
    for unit in ("bytes", "kB", "MB"):
        if size < _KILO:
            return f"{size:.0f} bytes" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= _KILO
    return f"{size:.1f} GB"


def _s(count: int) -> str:
    return "" if count == 1 else "s"
