"""Messages with pictures: the text, then each frame behind a line that says its moment; or the video."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from agents.desk import Desk, FrameLike, FrameSheet
from agents.video_input import VideoSheet, with_video

__all__ = ["conversation", "seen", "system_text", "with_frames", "with_sight"]


def with_frames(text: str, frames: Sequence[FrameLike]) -> HumanMessage:
    """A human message of text and frames, in LangChain's provider-neutral blocks.

    Plain dicts, because ``create_image_block`` adds a random id and would defeat every cache.
    """
    blocks: list[str | dict[str, Any]] = [{"type": "text", "text": text}]
    for frame in frames:
        blocks.append({"type": "text", "text": f"Frame at {frame.timestamp:.2f} s"})
        blocks.append(
            {
                "type": "image",
                "base64": base64.b64encode(frame.jpeg).decode("ascii"),
                "mime_type": "image/jpeg",
            }
        )
    return HumanMessage(content=blocks)


def with_sight(text: str, sheet: FrameSheet | VideoSheet) -> HumanMessage:
    """A human message of text and what the desk's ``look`` gave: frames, or the video itself."""
    return with_video(text, sheet) if isinstance(sheet, VideoSheet) else with_frames(text, sheet.frames)


def system_text(desk: Desk) -> str:
    """The system prompt, which says what is shown."""
    return desk.prompts.render("system", whole_video=desk.context.input == "video").text


def conversation(system: str, human: HumanMessage | str) -> list[BaseMessage]:
    """A system message and a human one."""
    return [SystemMessage(system), human if isinstance(human, HumanMessage) else HumanMessage(human)]


def seen(sheet: FrameSheet | VideoSheet) -> dict[str, Any]:
    """What the state keeps of what was shown: references, and what was odd about the file."""
    if isinstance(sheet, VideoSheet):
        return {
            "frames_digest": sheet.watched.digest,
            "frames_reader": "provider",
            "video": sheet.watched,
            "timestamps": list(sheet.timestamps),
            "frame_shots": [],
            "notes": [f"video: {warning}" for warning in sheet.warnings],
        }
    return {
        "frames_digest": sheet.digest,
        "frames_reader": sheet.reader,
        "timestamps": [frame.timestamp for frame in sheet.frames],
        "frame_shots": [frame.shot for frame in sheet.frames if frame.shot is not None],
        "notes": [f"frames: {warning}" for warning in sheet.warnings],
    }
