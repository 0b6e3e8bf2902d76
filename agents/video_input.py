"""The video itself as what a model sees: who takes it, what is asked of it, and what is told beside it.

A message carries no bytes but a block that names the file; the chat model that sends it puts the content in
(`agents.video_files`). So neither states, traces nor logs ever hold a video.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from agents.errors import UserError
from agents.models import openai_base_url, parse_model_name
from agents.video_files import VIDEO_BLOCK
from agents.watched import WatchedVideo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.messages import HumanMessage

    from agents.context import FrameSettings

__all__ = ["ClipLike", "VideoSheet", "check_video_input", "plan_video", "with_video"]

GEMINI_TYPES = {
    "video/mp4": "video/mp4",
    "video/mpeg": "video/mpeg",
    "video/quicktime": "video/mov",
    "video/x-msvideo": "video/avi",
    "video/x-flv": "video/x-flv",
    "video/webm": "video/webm",
    "video/x-ms-asf": "video/wmv",
    "video/3gpp": "video/3gpp",
}
"""What Gemini takes, as it spells it (ai.google.dev/gemini-api/docs/video-understanding)."""

GEMINI_REQUEST_BYTES = 100_000_000
"""A whole request with inline data, base64 counted; 20 MB until January 2026
(blog.google: Increased file size limits and expanded inputs support in Gemini API)."""

GEMINI_INLINE_BYTES = (GEMINI_REQUEST_BYTES - 4_000_000) // 4 * 3
"""Largest file that is sent inside a request: base64 adds a third, and the prompt needs room."""

GEMINI_FILE_BYTES = 2_000_000_000
"""Largest file of the Files API where nothing is paid for storage (same page)."""

GEMINI_SECONDS = 3600.0
"""Longest video that models with a million tokens take at their usual resolution (same page)."""

GEMINI_FPS = 24.0
"""Highest rate; above 0 (google-genai's `VideoMetadata.fps`)."""

URL_BYTES = 64_000_000
"""Largest file that goes into a data URL. vLLM sets no limit; this one keeps our memory and its patience."""

_WAY_OUT = "Use --input frames"
_APART = 0.05  # seconds into a file, about a picture or two, below which its start is its first picture
_TRAIL = 0.5  # seconds by which a file may outlast its last picture before the rest is cut off


class ClipLike(Protocol):
    """A video file that was found to be one."""

    @property
    def source(self) -> str:
        """The path, as it was given."""
        ...

    @property
    def digest(self) -> str:
        """Hex SHA-256 of the file's bytes."""
        ...

    @property
    def size(self) -> int:
        """Bytes."""
        ...

    @property
    def mime_type(self) -> str:
        """The container's registered type; empty where it has none."""
        ...

    @property
    def container(self) -> str:
        """The container's name, for people."""
        ...

    @property
    def duration(self) -> float:
        """Seconds from the first picture to the end of the last."""
        ...

    @property
    def start(self) -> float:
        """Seconds into the file at which the first picture is shown."""
        ...

    @property
    def length(self) -> float:
        """Seconds of the whole file, sound included; 0 when unknown."""
        ...

    @property
    def frames(self) -> int:
        """Pictures in it."""
        ...

    @property
    def rate(self) -> float:
        """Pictures a second; 0 of a single one."""
        ...

    @property
    def warnings(self) -> Sequence[str]:
        """What is odd about the file."""
        ...


@dataclass(frozen=True, slots=True)
class VideoSheet:
    """A video that a model is to be shown whole.

    Attributes:
        path: of the file.
        watched: what the record keeps of it.
        timestamps: the moments that the provider samples by its own account; empty where it gives none.
        warnings: what was odd about the file.
    """

    path: str
    watched: WatchedVideo
    timestamps: tuple[float, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def block(self) -> dict[str, Any]:
        """The file as a part of a message: its name and what is asked, without its content."""
        return {"type": VIDEO_BLOCK, "path": self.path, **self.watched.model_dump(mode="json")}


def with_video(text: str, sheet: VideoSheet) -> HumanMessage:
    """A human message of a video and a text; the video first, as providers advise for a single one.

    Moments are asked for on the clock on which frames are told, so that answers of both can be compared.
    """
    from langchain_core.messages import HumanMessage

    watched = sheet.watched
    zero = f"comes {watched.start:.2f} s into the file and counts as" if watched.start else "is at"
    clock = (
        f"The video lasts {watched.duration:.2f} s. Where you name a moment, give it in seconds from its "
        f"first picture, which {zero} 0.00 s."
    )
    return HumanMessage([sheet.block, {"type": "text", "text": clock}, {"type": "text", "text": text}])


def check_video_input(model: str, *, base_url: str | None, frames: FrameSettings) -> None:
    """Raise for a model that takes no video file, and for settings that only frames can follow.

    Args:
        model: the interpreting model's name.
        base_url: of the server it is asked at.
        frames: the settings.

    Raises:
        UserError: with the models that take one.
    """
    _delivery(model, base_url)
    if frames.method == "shots":
        raise UserError(
            "--sampling shots with --input video: a provider samples a video by time and finds no cuts. Give "
            "--sampling uniform or fps, or --input frames."
        )


def _delivery(model: str, base_url: str | None) -> str:
    """How a video reaches a model: ``gemini``, or ``url``."""
    provider = parse_model_name(model)[0]
    if provider == "google_genai":
        return "gemini"
    url = (base_url or openai_base_url()) if provider == "openai" else None
    if url is not None and not (urlsplit(url).hostname or "").endswith("api.openai.com"):
        return "url"
    why = "OpenAI's own service takes no video" if provider == "openai" else "it takes no video file"
    raise UserError(
        f"--input video with --model {model}: {why}. {_WAY_OUT}, or a model that watches: google_genai:NAME, "
        "or openai:NAME with the --base-url of a server that takes video_url, such as vLLM's."
    )


def plan_video(clip: ClipLike, model: str, *, base_url: str | None, frames: FrameSettings) -> VideoSheet:
    """Decide how a file is shown to a model, before anything is sent.

    Rate and number of pictures follow the settings of frames: at most ``max_frames``, evenly spread from
    the first picture to the last, at a lower rate where the method ``fps`` says so.

    Raises:
        UserError: for a model or a file that can't be; the message names the file and the way out.
    """
    check_video_input(model, base_url=base_url, frames=frames)
    is_gemini = _delivery(model, base_url) == "gemini"
    (_check_for_gemini if is_gemini else _check_for_url)(clip)
    fps = min(_rate(clip, frames), GEMINI_FPS if is_gemini else float("inf"))
    start = round(clip.start, 3) if clip.start > _APART else 0.0
    inline = "inline" if clip.size <= GEMINI_INLINE_BYTES else "upload"
    watched = WatchedVideo(
        digest=clip.digest,
        mime_type=GEMINI_TYPES[clip.mime_type] if is_gemini else clip.mime_type,
        size=clip.size,
        duration=max(round(clip.duration, 3), 0.001),
        delivery=inline if is_gemini else "url",
        fps=max(round(fps, 9), 0.000001),
        frames=min(frames.max_frames, clip.frames, int(clip.duration * fps) + 1),
        method=frames.method,
        start=start,
        start_offset=(start or None) if is_gemini else None,
        end_offset=_end(clip) if is_gemini else None,
    )
    moments = _moments(watched) if is_gemini else ()
    return VideoSheet(clip.source, watched, moments, (*_clock_warnings(clip), *clip.warnings))


def _rate(clip: ClipLike, frames: FrameSettings) -> float:
    """Pictures a second at which no more than ``max_frames`` are seen, the first and the last among them."""
    span = clip.duration - (1 / clip.rate if clip.rate else 0)
    alone = 1 in (frames.max_frames, clip.frames) or span <= 0
    most = 1 / clip.duration if alone else (frames.max_frames - 1) / span
    wanted = frames.fps if frames.method == "fps" else most
    return min(wanted, most, clip.rate or most)


def _moments(watched: WatchedVideo) -> tuple[float, ...]:
    return tuple(round(number / watched.fps, 3) for number in range(watched.frames))


def _end(clip: ClipLike) -> float | None:
    end = clip.start + clip.duration
    return round(end, 3) if clip.length > end + _TRAIL else None


def _clock_warnings(clip: ClipLike) -> tuple[str, ...]:
    if clip.start <= _APART:
        return ()
    told = f"its first picture comes {clip.start:.3f} s after the start of the file: moments count from it"
    return (told,)


def _check_for_gemini(clip: ClipLike) -> None:
    if clip.mime_type not in GEMINI_TYPES:
        known = ", ".join(sorted(each.partition("/")[2] for each in GEMINI_TYPES.values()))
        raise _refusal(clip, f"Gemini takes no {clip.container} file (it takes {known})", "convert it to MP4")
    if clip.size > GEMINI_FILE_BYTES:
        raise _refusal(clip, _size(clip, GEMINI_FILE_BYTES, "Gemini's Files API takes"), "make it smaller")
    if clip.duration > GEMINI_SECONDS:
        told = f"it lasts {clip.duration:.0f} s, and Gemini takes up to {GEMINI_SECONDS:.0f} s"
        raise _refusal(clip, told, "cut it")


def _check_for_url(clip: ClipLike) -> None:
    if not clip.mime_type:
        raise _refusal(clip, f"a {clip.container} file has no type to be sent by", "convert it to MP4")
    if clip.size > URL_BYTES:
        raise _refusal(clip, _size(clip, URL_BYTES, "a request takes"), "make it smaller")


def _size(clip: ClipLike, limit: int, who: str) -> str:
    return f"it has {clip.size / 1e6:.1f} MB, and {who} up to {limit / 1e6:.0f} MB"


def _refusal(clip: ClipLike, why: str, remedy: str) -> UserError:
    return UserError(f"--input video: {clip.source}: {why}. {_WAY_OUT}, or {remedy}.")
