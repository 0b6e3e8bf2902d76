"""All graphs shown the video itself, over real HTTP; what is kept of it, and who is refused."""

from __future__ import annotations

import argparse
import base64
import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler

from agents.context import CallSettings, Context, FrameSettings
from agents.errors import UserError
from graphs import resources
from graphs.catalog import load, variants
from graphs.checks import check
from graphs.interpret import main
from graphs.judge import graph as judge_graph
from graphs.options import add_model_options, add_scaffold_options, context_of
from tests.servers.fixtures import gemini_server, openai_server  # noqa: F401 - fixtures
from tests.servers.gemini_like import GeminiLike
from tests.servers.openai_like import OpenAILike
from tools.errors import FrameError

GOLD = ["The video presents a burning candle, implicitly expressing the passing of time."]
OpenAIServer = Callable[..., OpenAILike]
GeminiServer = Callable[..., GeminiLike]


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_KEPT", {})


@pytest.fixture
def clip(root: Path, tmp_path: Path) -> Path:
    """5.5 s at 10 pictures a second."""
    return Path(shutil.copy(root / "evals/datasets/mini/videos/candle_chair.mp4", tmp_path))


def context(server: Any, provider: str, **settings: Any) -> Context:
    name = f"{provider}:pretend-{id(server)}"
    return Context(model=name, base_url=server.base_url, max_retries=0, input="video", **settings)


async def watch(name: str, clip: Path, given: Context, **config: Any) -> dict[str, Any]:
    state = {"video_path": str(clip), "title": "Wax"}
    return await load(name).ainvoke(state, context=given, config=config)


def content_of(video: Any) -> bytes:
    """The file's bytes out of either protocol's part."""
    if "video_url" in video:
        return base64.b64decode(video["video_url"]["url"].partition(",")[2])
    return base64.urlsafe_b64decode(video["inlineData"]["data"])


@pytest.mark.parametrize("provider", ["openai", "google_genai"])
@pytest.mark.parametrize("name", sorted(variants()))
async def test_each_graph_shows_the_file_and_the_judge_does_not(
    name: str,
    provider: str,
    clip: Path,
    openai_server: OpenAIServer,  # noqa: F811
    gemini_server: GeminiServer,  # noqa: F811
) -> None:
    server = openai_server() if provider == "openai" else gemini_server()
    given = context(server, provider)
    state = await watch(name, clip, given)
    shown = [ask for ask in server.asks if ask.videos]
    assert len(shown) == (1 if name in {"baseline", "cot", "few_shot"} else 2)
    assert all(content_of(ask.videos[0]) == clip.read_bytes() for ask in shown)
    assert not any(ask.images for ask in server.asks)
    for ask in shown:
        assert "You are shown one video, whole." in ask.text
        assert "The video lasts 5.50 s." in ask.text
        assert "You are shown frames" not in ask.text
    assert state["interpretation"].entries[0].text.startswith("The video presents ")

    before = len(server.asks)
    await judge_graph.ainvoke({"gold": GOLD, "prediction": state["interpretation"]}, context=given)
    judging = server.asks[before:]
    assert len(judging) == 6
    assert not any(ask.videos or "lasts 5.50 s" in ask.text for ask in judging)
    await resources.resources_of(given).close()


async def test_what_the_state_keeps_says_how_it_was_shown(
    clip: Path,
    gemini_server: GeminiServer,  # noqa: F811
) -> None:
    server = gemini_server()
    state = await watch("boost", clip, context(server, "google_genai", frames=FrameSettings(max_frames=10)))
    video = state["video"]
    assert (video.digest, video.size) == (state["frames_digest"], clip.stat().st_size)
    assert (video.delivery, video.mime_type, video.duration) == ("inline", "video/mp4", 5.5)
    assert (video.fps, video.frames) == (pytest.approx(9 / 5.4, abs=1e-4), 10)
    assert state["timestamps"] == [pytest.approx(5.4 * i / 9, abs=0.01) for i in range(10)]
    frames = await resources.resources_of(Context(frames=FrameSettings(max_frames=10))).look(str(clip))
    moments = [frame.timestamp for frame in frames.frames]  # pyright: ignore[reportAttributeAccessIssue]
    assert state["timestamps"] == [pytest.approx(moment, abs=0.051) for moment in moments], (
        "a video is watched at the moments at which frames are read, to a picture"
    )
    assert server.asks[0].videos[0]["videoMetadata"] == {"fps": video.fps}


class _Tracer(BaseCallbackHandler):
    """Keeps what a trace would hold."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def on_chain_start(self, serialized: Any, inputs: Any, **kwargs: Any) -> None:
        self.seen.append(repr(inputs))

    def on_chain_end(self, outputs: Any, **kwargs: Any) -> None:
        self.seen.append(repr(outputs))

    def on_chat_model_start(self, serialized: Any, messages: Any, **kwargs: Any) -> None:
        self.seen.append(repr((messages, kwargs)))

    def on_llm_end(self, response: Any, **kwargs: Any) -> None:
        self.seen.append(repr(response))


@pytest.mark.parametrize("provider", ["openai", "google_genai"])
async def test_states_and_traces_hold_nothing_of_the_file(
    provider: str,
    clip: Path,
    openai_server: OpenAIServer,  # noqa: F811
    gemini_server: GeminiServer,  # noqa: F811
) -> None:
    server = openai_server() if provider == "openai" else gemini_server()
    tracer = _Tracer()
    state = await watch("boost", clip, context(server, provider), callbacks=[tracer])
    piece = clip.read_bytes()[3000:3300]
    coded = base64.b64encode(clip.read_bytes()[3000:3300]).decode()
    whole = pickle.dumps(state)
    assert piece not in whole
    assert coded.encode() not in whole
    assert len(whole) < 40_000
    traced = "".join(tracer.seen)
    assert "video_file" in traced, "the name of the file is there"
    assert coded not in traced
    assert repr(piece)[2:-1] not in traced


async def test_a_file_is_uploaded_once_for_all_that_show_it(
    clip: Path,
    gemini_server: GeminiServer,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("agents.video_input.GEMINI_INLINE_BYTES", 1000)
    server = gemini_server()
    given = context(server, "google_genai", calls=CallSettings(cache=False))
    for name in ("boost", "boost_retrieval"):
        state = await watch(name, clip, given)
        assert state["video"].delivery == "upload"
    assert server.files.kept == {"clip1": clip.read_bytes()}
    assert len([ask for ask in server.asks if ask.videos]) == 4
    await resources.resources_of(given).close()
    assert (server.files.begun, server.files.deleted) == (1, ["clip1"])


async def test_a_file_that_can_not_be_shown_is_refused_before_anything_is_asked(
    frames: Path,
    shared: Path,
    gemini_server: GeminiServer,  # noqa: F811
) -> None:
    server = gemini_server()
    given = context(server, "google_genai")
    with pytest.raises(FrameError, match="a folder of pictures, no video file"):
        await watch("boost", frames, given)
    with pytest.raises(UserError, match=r"Gemini takes no Matroska \(.mkv\) file"):
        await watch("boost", shared / "videos/hostile/h_rot90.mkv", given)
    assert server.requests == []


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"model": "embedded"}, "--input video with --model embedded"),
        ({"model": "openai:gpt-5"}, "OpenAI's own service takes no video"),
        ({"model": "openai:gpt-5", "base_url": "https://api.openai.com/v1"}, "OpenAI's own service"),
        ({"model": "google_genai:g", "frames": FrameSettings(method="shots")}, "--sampling shots"),
    ],
)
def test_a_whole_run_is_refused_at_once(
    given: dict[str, Any], told: str, monkeypatch: pytest.MonkeyPatch, embedded_model: None
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("GOOGLE_API_KEY", "k")
    with pytest.raises(UserError, match=rf"{told}.*--input frames"):
        check(Context(input="video", **given))
    check(Context(input="video", model="google_genai:g", judge_model="embedded"))


def test_the_flag_is_one_setting() -> None:
    parser = argparse.ArgumentParser()
    add_model_options(parser)
    add_scaffold_options(parser)
    assert context_of(parser.parse_args([]), model="embedded").input == "frames"
    assert context_of(parser.parse_args(["--input", "video"]), model="embedded").input == "video"


def test_one_video_from_the_command_line(
    clip: Path,
    openai_server: OpenAIServer,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    server = openai_server()
    asked = [str(clip), "--model", "openai:pretend", "--base-url", server.base_url, "--input", "video"]
    assert main([*asked, "--graph", "baseline", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert "The video presents a burning candle" in said["entries"][0]
    assert (said["video"]["delivery"], said["video"]["frames"]) == ("url", 50)
    assert content_of(server.asks[0].videos[0]) == clip.read_bytes()
    assert main([str(clip), "--model", "openai:pretend", "--base-url", "https://api.openai.com/v1"]) == 2
