"""02 Own tool: what a color means, and where, as one more thing the exploring model may ask.

A tool is any LangChain tool, or a plain function with types and a docstring. Naming it is enough:
``--tool examples.02_own_tool:color_meaning`` on the command line, or ``tools=`` in a context.
Run from the project's folder: ``python examples/02_own_tool.py [clip.mp4]``
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # so that "examples." can be imported

from langchain_core.tools import ToolException, tool

from agents.context import Context, FrameSettings
from graphs.interpret import interpret_video

CLIP = Path(__file__).parent.parent / "evals/datasets/mini/videos/umbrella_rain.mp4"

MEANINGS = {
    "white": {"Western": "innocence", "Chinese": "mourning"},
    "red": {"Western": "danger", "Chinese": "good fortune"},
    "black": {"Western": "death", "Japanese": "dignity"},
    "yellow": {"Western": "envy", "Chinese": "imperial power"},
    "blue": {"Western": "melancholy", "Islamic": "heaven"},
}


@tool
def color_meaning(color: str) -> str:
    """Say what a color stands for, and in which culture. Ask when one color rules the picture."""
    meanings = MEANINGS.get(color.casefold())
    if meanings is None:
        # Meant for the model, which reads it and may call again; any other error surfaces as a bug.
        raise ToolException(f"Nothing is known of {color!r}. Known colors: {', '.join(MEANINGS)}.")
    return "\n".join(f"{color} -> {meaning} ({culture})" for culture, meaning in meanings.items())


async def main(clip: Path) -> None:
    """Let the model explore with two tools, and print every call it made."""
    context = Context(
        model="embedded",
        tools=("hop", "examples.02_own_tool:color_meaning"),
        frames=FrameSettings(max_frames=12),
        max_hops=3,
    )
    state = await interpret_video(clip, graph="boost", context=context)
    for hop in state.get("hops", []):
        print(f"{hop.round}. {hop.tool}({hop.arguments})")
        print("   " + hop.answer.replace("\n", "\n   "))
    for entry in state["interpretation"].entries:
        print("reading:", entry.text)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]) if len(sys.argv) > 1 else CLIP))
