"""01 Quickstart: one clip of the mini benchmark, read by the boost graph.

Run from the project's folder: ``python examples/01_quickstart.py [clip.mp4]``
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from agents.context import Context, FrameSettings
from graphs.interpret import interpret_video

CLIP = Path(__file__).parent.parent / "evals/datasets/mini/videos/candle_chair.mp4"


async def main(clip: Path) -> None:
    """Print what the model saw, where it went in the graph, and what it made of it."""
    # Plain data says everything. For a larger model: Context(model="openai:gpt-5"), or any server
    # that speaks the same protocol: Context(model="openai:qwen3-vl", base_url="http://127.0.0.1:8000/v1").
    context = Context(model="embedded", frames=FrameSettings(max_frames=12), max_hops=2)
    state = await interpret_video(clip, graph="boost", context=context)

    print("seen:   ", ", ".join(keyword.text for keyword in state["keywords"]))
    for hop in state.get("hops", []):
        print(f"hop {hop.round}:  ", hop.arguments, "->", len(hop.mappings), "associations")
    for entry in state["interpretation"].entries:
        print("reading:", entry.text)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]) if len(sys.argv) > 1 else CLIP))
