"""Prints, for each clip, whether the embedded classifier names its main object among its first five keywords.

    python -m evals.datasets.mini.name_objects

Needs the extra ``embedded`` and no key. A clip counts as named when one of the words for its object is there.
"""

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
FIRST = 5

OBJECTS = {
    "burden": ("barbell", "dumbbell"),
    "turned_backs": ("lamp", "table lamp"),
    "umbrella_rain": ("umbrella",),
    "candle_chair": ("candle",),
    "hourglass": ("hourglass",),
    "cracked_mirror": ("mirror",),
    "wilting_flower": ("flower", "daisy", "potted plant", "flower pot"),
    "lighthouse_storm": ("lighthouse",),
    "ball_vase": ("ball", "soccer ball", "vase"),
    "bottle_teddy": ("wine", "bottle", "wine bottle", "teddy bear"),
    "pawns_crowd": ("pawn", "chess"),
    "clock_maze": ("clock", "wall clock", "maze"),
    "open_cage": ("balloon",),
    "teacup_storm": ("cup", "coffee cup", "coffee"),
    "puppet_strings": ("puppet", "marionette"),
    "mask_stage": ("mask",),
}
"""The words, any of which names a clip's main object (or, in a montage, one of the two it joins)."""


def read_pictures(name: str) -> list[Any]:
    """Returns every second frame of a clip as a PIL image."""
    import av

    with av.open(str(HERE / "videos" / f"{name}.mp4")) as container:
        pictures: list[Any] = [frame.to_image() for frame in container.decode(video=0)]
    return pictures[::2]


def main() -> int:
    """Looks at every clip and prints a line for each; returns the exit code."""
    from agents.embedded.eyes import eyes
    from agents.errors import UserError

    try:
        classifier = eyes()
    except UserError as error:
        print(f"name_objects.py: {error}", file=sys.stderr)
        return 1
    named = 0
    for name, words in OBJECTS.items():
        seen = [cue.text for cue in classifier.look(read_pictures(name))[:FIRST]]
        found = next((word for word in seen if word in words), None)
        named += found is not None
        print(f"{name:18}{found or '-':18}{', '.join(seen)}")
    print(f"{named} of {len(OBJECTS)} are named")
    return 0


if __name__ == "__main__":
    sys.exit(main())
