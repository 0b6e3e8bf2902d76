"""Surgery on MP4 files: a clip is made to look encrypted, or to start late and end early."""

from __future__ import annotations

import struct

__all__ = ["box", "encrypted", "trimmed"]


def box(kind: bytes, content: bytes) -> bytes:
    """An ISO base media box."""
    return struct.pack(">I4s", len(content) + 8, kind) + content


def encrypted(content: bytes, *, scheme: bool) -> bytes:
    """Rename the sample entry of an H.264 clip to "encv"; with the boxes of common encryption if asked for.

    The index must come after the pictures, as it does unless "faststart" is asked for.
    """
    made = bytearray(content)
    at = made.index(b"avc1", made.index(b"stsd")) - 4
    made[at + 4 : at + 8] = b"encv"
    if not scheme:
        return bytes(made)
    tenc = box(b"tenc", bytes(4) + bytes([0, 0, 1, 8]) + bytes(16))
    schm = box(b"schm", bytes(4) + b"cenc" + struct.pack(">I", 0x10000))
    extra = box(b"sinf", box(b"frma", b"avc1") + schm + box(b"schi", tenc))
    size = struct.unpack_from(">I", made, at)[0]
    made[at + size : at + size] = extra
    for kind in (b"encv", b"stsd", b"stbl", b"minf", b"mdia", b"trak", b"moov"):
        start = made.index(kind, made.index(b"moov")) - 4
        struct.pack_into(">I", made, start, struct.unpack_from(">I", made, start)[0] + len(extra))
    return bytes(made)


def trimmed(content: bytes, first: int, count: int) -> bytes:
    """Show `count` frames only, from number `first` on, of a clip with 25 frames a second: by its edit list.

    A phone that trims a clip does so. The list's only entry says how long it lasts, in milliseconds, and
    where it begins, in ticks of the video's own clock; decoding must begin at the key frame before that.
    """
    made = bytearray(content)
    entry = made.index(b"elst") + 12
    clock = struct.unpack_from(">I", made, made.index(b"mdhd") + 16)[0]
    begins = struct.unpack_from(">i", made, entry + 4)[0]
    struct.pack_into(">Ii", made, entry, count * 40, begins + first * clock // 25)
    return bytes(made)
