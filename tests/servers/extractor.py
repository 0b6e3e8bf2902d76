"""A brain that answers extraction calls from the sentences alone, or from labels that are given for them.

Without a label an English sentence "The X is a Y ..." gives Y -> X; others are literal. Words in a sentence
make it misbehave: see :data:`HABITS`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from tests.servers.brain import Ask, section
from tests.servers.loopback import Request, Response
from tests.servers.openai_like import OpenAILike

__all__ = ["HABITS", "ExtractionServer", "Extractor", "numbered"]

HABITS = {
    "LEFTOUT": "no item for this sentence, ever",
    "SHY": "no item unless it is asked alone",
    "STRAY": "an item for sentence 99 besides its own",
    "TWICE": "its item twice",
    "FOREIGN": "a source in Chinese",
    "LONGISH": "a source of twenty words",
    "SAME": "a target that is the source",
    "INVENTED": "a source that is not in the sentence",
    "HALF": "no target",
    "ODDKIND": "a kind that is none of ours",
}

_IS_A = re.compile(
    r"^(?:The |My |Her |His )?(?P<target>[\w ]+?) (?:is|was|are) (?:a |an |the )?(?P<source>\w+)",
    re.IGNORECASE,
)


def numbered(text: str) -> dict[int, str]:
    """The sentences of a prompt by their numbers."""
    lines = (line.partition(". ") for line in section(text, "sentences"))
    return {int(number): sentence for number, _, sentence in lines}


class Extractor:
    """Answers as a model would; callable as a brain.

    Attributes:
        labels: sentence -> (source, target, ground, translation).
        asked: the sentences of each request that was answered, in order.
    """

    def __init__(self, labels: Mapping[str, tuple[str, str, str, str]] | None = None) -> None:
        self.labels = dict(labels or {})
        self.asked: list[tuple[str, ...]] = []

    def __call__(self, ask: Ask) -> dict[str, Any]:
        sentences = numbered(ask.text)
        self.asked.append(tuple(sentences.values()))
        items = [
            item for number, text in sentences.items() for item in self._of(number, text, len(sentences))
        ]
        return {"items": items}

    def _of(self, number: int, text: str, together: int) -> list[dict[str, Any]]:
        if "LEFTOUT" in text or ("SHY" in text and together > 1):
            return []
        item = self._item(number, text)
        if "FOREIGN" in text:
            item["source"] = "铁锁链"
        if "LONGISH" in text:
            item["source"] = " ".join(["chain"] * 20)
        if "SAME" in text:
            item["target"] = item["source"].upper() + "s"
        if "INVENTED" in text:
            item["source"] = "rhinoceros"
        if "HALF" in text:
            item["target"] = ""
        if "ODDKIND" in text:
            item["kind"] = "metonymy"
        if "STRAY" in text:
            return [item, {**item, "number": 99}]
        return [item, dict(item)] if "TWICE" in text else [item]

    def _item(self, number: int, text: str) -> dict[str, Any]:
        source = target = ground = translation = ""
        if text in self.labels:
            source, target, ground, translation = self.labels[text]
        elif found := _IS_A.match(text):
            source, target, ground = found["source"], found["target"].lower(), "shares a quality with it"
        return {
            "number": number,
            "translation": translation,
            "source": source,
            "target": target,
            "ground": ground,
            "kind": "conceptual" if source else "symbol",
            "literal": not source,
        }


class ExtractionServer(OpenAILike):
    """A server with an extractor, which fails any request that holds a poisonous word.

    Attributes:
        extractor: its brain.
        poison: word -> the status that it is answered with.
    """

    def __init__(
        self,
        extractor: Extractor | None = None,
        *,
        delay: float = 0.0,
        poison: Mapping[str, HTTPStatus] | None = None,
    ) -> None:
        self.extractor = extractor or Extractor()
        self.poison = dict(poison or {})
        super().__init__(brain=self.extractor, delay=delay)

    def _answer(self, request: Request, number: int) -> Response:
        text = str(request.body["messages"][-1]["content"])
        for word, status in self.poison.items():
            if word in text:
                error = {"message": f"{word} is too much for me.", "type": "t", "code": "c"}
                return Response({"error": error}, status=int(status), headers={"retry-after-ms": "5"})
        return super()._answer(request, number)
