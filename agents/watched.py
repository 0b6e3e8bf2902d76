"""What a record keeps of a video that a model was shown whole: how it was shown, never its bytes."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["WatchedVideo"]


class WatchedVideo(BaseModel):
    """A video as it was handed to a model.

    Attributes:
        digest: hex SHA-256 of the file's bytes.
        mime_type: as it was sent.
        size: bytes of the file.
        duration: seconds from the first picture to the end of the last.
        delivery: inside the request (``inline``), as an uploaded file (``upload``), or a data URL (``url``).
        fps: pictures a second that were asked for; a server that speaks OpenAI's protocol may not listen.
        frames: pictures that this comes to, at most ``max_frames``.
        method: of sampling, ``uniform`` or ``fps``.
        start: seconds into the file at which the first picture comes, from which moments are counted.
        start_offset: seconds into the file from which it is shown; None from its start.
        end_offset: seconds into the file up to which it is shown; None up to its end.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    digest: str
    mime_type: str
    size: int = Field(ge=1)
    duration: float = Field(gt=0)
    delivery: Literal["inline", "upload", "url"]
    fps: float = Field(gt=0)
    frames: int = Field(ge=1)
    method: str
    start: float = Field(default=0.0, ge=0)
    start_offset: float | None = None
    end_offset: float | None = None
