"""States of the graphs. References to frames travel here, never their bytes: a checkpoint stays small."""

from __future__ import annotations

import operator
from typing import Annotated, Any, NotRequired

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict  # LangGraph needs this one below Python 3.12

from agents.asked import ExtractedItem
from agents.known import KnowledgeUse, Passage
from agents.schemas import Hop, Interpretation, Keyword, Mapping, ModelCall, Verdict
from agents.watched import WatchedVideo

__all__ = ["ExtractInput", "ExtractState", "InterpretState", "JudgeInput", "JudgeState", "VideoInput"]


class VideoInput(TypedDict):
    """What a graph is started with.

    Attributes:
        video_path: a video file, or a folder of frames.
        video_id: the name of the sample; the file's stem when absent.
        title: the brief title, which may be empty.
    """

    video_path: str
    video_id: NotRequired[str]
    title: NotRequired[str]


class InterpretState(VideoInput, total=False):
    """The state of every interpreting graph; each node adds its part.

    Of the frames, it holds their moments in seconds, and the shot of each where shots were told apart; of a
    video that was shown whole, how it was shown. Of what was looked up, the associations or passages, and
    where they came from.
    """

    frames_digest: str
    frames_reader: str
    video: WatchedVideo
    timestamps: list[float]
    frame_shots: list[int]
    keywords: list[Keyword]
    messages: Annotated[list[AnyMessage], add_messages]
    rounds: int
    hops: Annotated[list[Hop], operator.add]
    mappings: list[Mapping]
    passages: list[Passage]
    knowledge: KnowledgeUse
    interpretation: Interpretation
    calls: Annotated[list[ModelCall], operator.add]
    notes: Annotated[list[str], operator.add]


class JudgeInput(TypedDict):
    """What a judge is given.

    Attributes:
        gold: the human interpretation, one entry an item.
        prediction: the interpretation to judge.
        title: the brief title, which may be empty.
    """

    gold: list[str]
    prediction: Interpretation
    title: NotRequired[str]


class JudgeState(JudgeInput, total=False):
    """The state of the judge graph."""

    verdict: Verdict
    calls: Annotated[list[ModelCall], operator.add]


class ExtractInput(TypedDict):
    """What extraction is given.

    Attributes:
        sentences: English or Chinese, each without a line break.
    """

    sentences: list[str]


class ExtractState(ExtractInput, total=False):
    """The state of the extraction graph.

    Attributes:
        items: what the model answered, by sentence number from 1; nothing of it is checked.
        checked: the pairs that hold, what was rejected and why, and the sentences left out.
    """

    items: list[ExtractedItem]
    checked: dict[str, Any]
    calls: Annotated[list[ModelCall], operator.add]
