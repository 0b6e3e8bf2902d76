from __future__ import annotations

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from agents.embedded.pictures import Picture
from agents.embedded.reader import Link, read
from agents.schemas import Entry

PROMPT = """The video carries this title:
<title>
The last
light
</title>

<keywords>
candle
- darkening scene
candle
</keywords>

<associations>
candle -> time -> mortality (burns down (slowly))
1. candle -> vigil (Jewish culture: lit for the dead)
rain -> sorrow [also from umbrella, gray sky]
loss of hope -> darkening scene (also shown by darkening scene: light leaves)
12 more left out
</associations>

- The video presents a lamp, implicitly expressing hope.
"""


def test_the_tagged_parts_of_a_prompt():
    question = read([SystemMessage("You read videos."), HumanMessage(PROMPT)])
    assert question.title == "The last light"
    assert question.keywords == ["candle", "darkening scene"]
    assert question.links == [
        Link("candle", "mortality", "burns down (slowly)", 2),
        Link("candle", "vigil", "lit for the dead"),
        Link("rain", "sorrow", "", 1, ("umbrella", "gray sky")),
    ]
    assert question.shots == (Entry(presents="a lamp", expresses="hope"),)
    assert [turn.who for turn in question.turns] == ["system", "user"]


def test_pictures_in_every_form_with_their_moments():
    content = [
        {"type": "text", "text": "Frame at 1.50 s"},
        {"type": "image", "base64": "QUJD", "mime_type": "image/jpeg"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,REVG"}},
        {"type": "image", "source_type": "base64", "data": "R0hJ", "mime_type": "image/png"},
        {"type": "image_url", "image_url": "https://example.org/a.png"},
        {"type": "text", "text": "What is this?"},
    ]
    question = read([HumanMessage(content)])
    assert question.pictures == (Picture("QUJD", 1.5), Picture("REVG"), Picture("R0hJ"))
    assert [turn.what for turn in question.turns] == ["What is this?"]


def test_what_tools_answered_counts_since_the_last_question():
    call = {"name": "look", "args": {"concepts": ["candle"]}, "id": "1"}
    earlier = [
        HumanMessage("before"),
        AIMessage("", tool_calls=[call]),
        ToolMessage("a -> b", tool_call_id="1"),
    ]
    recent = [
        HumanMessage(PROMPT),
        AIMessage("", tool_calls=[call]),
        ToolMessage("candle -> hope", tool_call_id="1"),
    ]
    question = read([*earlier, *recent])
    assert question.called == (({"concepts": ["candle"]},),)
    assert question.answers == ("candle -> hope",)
    assert question.links[-1] == Link("candle", "hope")
