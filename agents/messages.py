"""Messages with pictures: the text first, then each frame behind a line that says its moment."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from agents.desk import FrameLike, FrameSheet

__all__ = ["conversation", "seen", "with_frames"]


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


def conversation(system: str, human: HumanMessage | str) -> list[BaseMessage]:
    """A system message and a human one."""
    return [SystemMessage(system), human if isinstance(human, HumanMessage) else HumanMessage(human)]


def seen(sheet: FrameSheet) -> dict[str, Any]:
    """What the state keeps of the frames that were shown: references, and what was odd about the file."""
    return {
        "frames_digest": sheet.digest,
        "frames_reader": sheet.reader,
        "timestamps": [frame.timestamp for frame in sheet.frames],
        "frame_shots": [frame.shot for frame in sheet.frames if frame.shot is not None],
        "notes": [f"frames: {warning}" for warning in sheet.warnings],
    }
