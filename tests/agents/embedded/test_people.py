"""Pictures of any size are looked at without harm: below its window OpenCV's detector corrupts memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SIZES = (
    (1, 1),
    (8, 8),
    (16, 16),
    (32, 24),
    (160, 90),
    (128, 96),
    (640, 100),
    (1024, 8),
    (2, 500),
    (32, 1024),
    (64, 128),
)
CODE = """
from PIL import Image
from agents.embedded.people import people
for size in {sizes}:
    for _ in range(10):
        people().look([Image.effect_noise(size, 90).convert("RGB")] * 4)
print("looked at all")
"""


def test_small_pictures_end_no_process(root: Path, embedded_model: None) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(sizes=SIZES)],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "looked at all\n"), done.stderr
