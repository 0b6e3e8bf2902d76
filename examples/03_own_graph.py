"""03 Own graph: keywords without the graph of metaphors. How much of the gain is in the naming alone?

A wiring puts nodes in order; the nodes are the project's own, or any async function of a state and a desk.
On the command line: ``--graph examples.03_own_graph:graph``. To make it a variant for good, put the file
into ``graphs/variants``; nothing else has to be told.
Run from the project's folder: ``python examples/03_own_graph.py [clip.mp4]``
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # so that "examples." can be imported

from langgraph.graph import END, START

from agents.context import Context, FrameSettings
from agents.nodes import interpret, perceive
from graphs.interpret import interpret_video
from graphs.wiring import interpreting_graph, step

CLIP = Path(__file__).parent.parent / "evals/datasets/mini/videos/candle_chair.mp4"


CALLS = {"fixed": 2}  # so that --dry-run can say what a run will cost


def build():  # noqa: ANN201 - the compiled graph's type has four parameters that say nothing here
    """Wire perceive straight to interpret."""
    wiring = interpreting_graph()
    wiring.add_node("perceive", step(perceive))
    wiring.add_node("interpret", step(interpret, prompt="interpret_boost"))
    wiring.add_edge(START, "perceive")
    wiring.add_edge("perceive", "interpret")
    wiring.add_edge("interpret", END)
    return wiring.compile(name="keywords_only")


graph = build()


async def main(clip: Path) -> None:
    """Print what the same model makes of the same clip with and without the graph."""
    context = Context(model="embedded", frames=FrameSettings(max_frames=12), max_hops=2)
    for name in ("examples.03_own_graph:graph", "boost"):
        state = await interpret_video(clip, graph=name, context=context)
        print(name)
        for entry in state["interpretation"].entries:
            print("  ", entry.text)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]) if len(sys.argv) > 1 else CLIP))
