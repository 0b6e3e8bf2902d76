"""A folder of frames, drawn at test time."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image


@pytest.fixture
def frames(tmp_path: Path) -> Path:
    """A folder of four small frames, from black to white."""
    folder = tmp_path / "clip"
    folder.mkdir()
    for number, level in enumerate((0, 80, 160, 240), 1):
        Image.new("RGB", (48, 32), (level, level, level)).save(folder / f"frame_{number:06d}.jpg", quality=85)
    return folder
