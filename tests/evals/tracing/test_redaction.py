"""No content and no key goes through, whatever it is wrapped in."""

from __future__ import annotations

import base64
import json
import random
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from evals.tracing.messages import message_of
from evals.tracing.redaction import Redaction

JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF" + random.Random(0).randbytes(5000)
MP4 = b"\x00\x00\x00\x20ftypisom" + random.Random(1).randbytes(5000)
ENCODED = base64.b64encode(JPEG).decode()
VIDEO = base64.b64encode(MP4).decode()
PLAIN = Redaction({})


@dataclass
class Held:
    content: bytes
    name: str


SHAPES: dict[str, Any] = {
    "langchain": {"type": "image", "base64": ENCODED, "mime_type": "image/jpeg"},
    "old langchain": {"type": "image", "source_type": "base64", "data": ENCODED, "mime_type": "image/jpeg"},
    "openai": {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{ENCODED}"}},
    "openai responses": {"type": "input_image", "image_url": f"data:image/jpeg;base64,{ENCODED}"},
    "openai file": {
        "type": "file",
        "file": {"file_data": f"data:video/mp4;base64,{VIDEO}", "filename": "a.mp4"},
    },
    "video_url": {"type": "video_url", "video_url": {"url": f"data:video/mp4;base64,{VIDEO}"}},
    "anthropic": {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": ENCODED}},
    "gemini media": {"type": "media", "mime_type": "video/mp4", "data": MP4},
    "gemini inline": {"inline_data": {"mime_type": "video/mp4", "data": VIDEO}},
    "gemini camel": {"inlineData": {"mimeType": "video/mp4", "data": VIDEO}},
    "bedrock": {"image": {"format": "jpeg", "source": {"bytes": JPEG}}},
    "bytes": JPEG,
    "bytearray": bytearray(MP4),
    "memoryview": memoryview(JPEG),
    "list of numbers": list(JPEG),
    "in an error": f"400: bad content data:image/jpeg;base64,{ENCODED} in the request",
    "cut short": f"bad request: ...{ENCODED[17:1500]}...",
    "JSON in a text": json.dumps({"messages": [{"data": ENCODED}]}),
    "wrapped": base64.encodebytes(JPEG).decode(),
    "wrapped, as JSON": json.dumps(base64.encodebytes(JPEG).decode()),
    "for addresses": base64.urlsafe_b64encode(JPEG).decode(),
    "printed": f"got {JPEG!r}",
    "decoded": JPEG.decode("latin-1"),
    "half decoded": MP4.decode("utf-8", "replace"),
    "object": Held(JPEG, "frame"),
    "key of a mapping": {ENCODED: 1},
    "deep": [[[{"a": ({"b": [ENCODED]},)}]]],
    "unknown object": type("Odd", (), {"__repr__": lambda _self: ENCODED})(),
}


def leaks(value: Any) -> list[str]:
    """Pieces of the contents that are in a value's JSON."""
    text = json.dumps(value)
    plain = [JPEG[200:212], MP4[200:212]]
    pieces = [source[at : at + 24] for source in (ENCODED, VIDEO) for at in (0, 400, 3000)]
    pieces += [base64.urlsafe_b64encode(JPEG).decode()[at : at + 24] for at in (0, 400, 3000)]
    pieces += [json.dumps(each.decode("latin-1"))[1:-1] for each in plain] + [
        repr(each)[2:-1] for each in plain
    ]
    return [piece for piece in pieces if piece in text]


@pytest.mark.parametrize("shape", SHAPES)
def test_no_content_goes_through_in_any_shape(shape: str) -> None:
    told = PLAIN.value(SHAPES[shape])
    assert leaks(told) == []
    assert len(json.dumps(told)) < 700


@pytest.mark.parametrize("shape", [name for name, value in SHAPES.items() if isinstance(value, dict)])
def test_a_message_shows_one_line_for_it(shape: str) -> None:
    message = HumanMessage([{"type": "text", "text": "Frame at 1.50 s"}, SHAPES[shape]])
    told = message_of(message, PLAIN)
    assert leaks(told) == []
    if shape != "key of a mapping":
        (block,) = told["kwargs"]["content"]
        assert block["text"].startswith("Frame at 1.50 s [")
        assert "5010 bytes" in block["text"] or "5012 bytes" in block["text"]


@given(
    st.binary(min_size=150, max_size=2000),
    st.sampled_from([base64.b64encode, base64.urlsafe_b64encode, base64.encodebytes]),
)
def test_no_base64_of_a_picture_goes_through(content: bytes, encode: Any) -> None:
    text = encode(content).decode()
    told = PLAIN.value({"note": [f"see: {text} !"]})["note"][0]
    longest = max(map(len, text.split()))
    assert not [at for at in range(0, min(longest, len(text)) - 48, 7) if text[at : at + 48] in told]


@settings(max_examples=50)
@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\x00\ufffd"), max_size=150))
def test_words_stay_as_they_are(text: str) -> None:
    if not any(mark in text for mark in ("data:", "b'", 'b"', "\\x", "://", "=", "bearer")):
        assert PLAIN.text(text) == text


@pytest.mark.parametrize("before", [0, 300, 31_900, 31_990, 40_000])
def test_a_huge_text_is_cut_where_no_content_is_left_behind(before: int) -> None:
    text = "a word " * (before // 7) + " " + ENCODED * 30 + " and the end " * 20
    told = PLAIN.value({"text": text})
    assert leaks(told) == []
    assert not [at for at in range(0, 6000, 5) if ENCODED[at : at + 40] in told["text"]]
    assert len(told["text"]) < 8200


def test_prose_and_paths_stay_as_they_are() -> None:
    for text in (
        "The comb's teeth, bent by years of use, stand for what was endured 'without a word' by its owner.",
        "蜡烛燃尽象征时间的流逝。" * 40,
        "candle -> passing of time (burns down)\n" * 30,
        "/data/videos/2024/Surreal_Narrative/clip-000123-final_version.mp4",
        "8d951d482151d7280dcd6151cfed9341704e5195b058c7a23ca7c936e351bd80",
    ):
        assert PLAIN.text(text) == text


def test_keys_are_struck_wherever_they_stand() -> None:
    redaction = Redaction(
        {
            "OPENAI_API_KEY": "my-own-style-of-key",
            "OTEL_EXPORTER_OTLP_HEADERS": "x-honeycomb-team=abcdef123456,y=0",
            "HOME": "/home/someone",
            "KEYMAP": "standard",
            "TOKENIZERS_PARALLELISM": "disabled-here",
        }
    )
    told = json.dumps(
        redaction.value(
            {
                "text": "Incorrect API key provided: my-own-style-of-key, see /home/someone",
                "headers": {"Authorization": "Basic Zm9v", "x-api-key": "anything"},
                "url": "https://me:pa55word@host/v1?key=AAAABBBBCCCC",
                "error": "401: sk-proj-abcdefghijklmnop, Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
                "google": "AIzaSyA-abcdefghijklmnopqrstuvwxyz",
                "other": "abcdef123456",
            }
        )
    )
    for secret in (
        "my-own",
        "Zm9v",
        "anything",
        "pa55word",
        "AAAABBBB",
        "sk-proj",
        "eyJ",
        "AIza",
        "abcdef123456",
    ):
        assert secret not in told
    assert "/home/someone" in told
    assert redaction.text("a standard, disabled-here") == "a standard, disabled-here"
    assert told.count("[secret]") >= 8


def test_what_models_said_is_whole() -> None:
    call = {"name": "explore_metaphors", "args": {"concepts": ["candle"]}, "id": "1", "type": "tool_call"}
    usage = {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7}
    told = message_of(AIMessage("A candle.", tool_calls=[call], usage_metadata=usage), PLAIN)
    assert told["id"] == ["langchain", "schema", "messages", "AIMessage"]
    assert told["kwargs"]["content"] == "A candle."
    assert told["kwargs"]["tool_calls"] == [call]
    assert told["kwargs"]["usage_metadata"] == usage
