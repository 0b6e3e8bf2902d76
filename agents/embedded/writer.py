"""Writes and chooses: SmolLM2-135M-Instruct (Allal et al. 2025) through llama.cpp, always within a bound.

One writer a process. It runs on one thread: a second one that waits actively costs more than it gives.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from agents.answers import whole_characters
from agents.embedded import wordpiece
from agents.embedded.grammar import choice
from agents.embedded.runtime import library
from agents.embedded.weights import PARTS, require
from agents.errors import ModelOutputError

__all__ = ["Turn", "Writer", "Written", "writer"]

_CONTEXT = 2048  # tokens
_PROMPT_PIECES = 1200  # of a prompt, at most; the writer's own tokens are up to a quarter more
_LETTERS_A_PIECE = 3
_STOPS = ("<|im_end|>", "<|endoftext|>")


class Turn(NamedTuple):
    """One message of a conversation: who (system, user, assistant) and what."""

    who: str
    what: str


class Written(NamedTuple):
    """What the writer wrote.

    Attributes:
        text: without the marks of a turn.
        finished: false when it was cut off at the bound.
    """

    text: str
    finished: bool


def _clean(text: str) -> str:
    return text.replace("<|", "< |")


def conversation(turns: Sequence[Turn], start: str = "") -> str:
    """The turns in the writer's own form, open for its answer; what is too long loses its middle."""
    total = max(1, sum(wordpiece.count(turn.what) for turn in turns))
    share = min(1.0, _PROMPT_PIECES / total)
    lines = [f"<|im_start|>{turn.who}\n{_shortened(_clean(turn.what), share)}<|im_end|>\n" for turn in turns]
    return "".join(lines) + f"<|im_start|>assistant\n{start}"


def _shortened(text: str, share: float) -> str:
    if share >= 1:
        return text
    length = int(min(len(text), wordpiece.count(text) * _LETTERS_A_PIECE) * share)
    return text[: length // 2] + " ... " + text[len(text) - length // 2 :]


class Writer:
    """The language model, opened once; one call at a time."""

    def __init__(self, cache_dir: Path | None = None, *, may_fetch: bool = True) -> None:
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        native = library("xllamacpp")
        file = require(PARTS["writer"], cache_dir, may_fetch=may_fetch)
        settings = native.CommonParams()
        settings.model.path = str(file)
        for threads in (settings.cpuparams, settings.cpuparams_batch):
            threads.n_threads = 1
        settings.n_ctx = _CONTEXT
        settings.n_parallel = 1
        settings.n_threads_http = 1
        settings.cache_ram_mib = 0
        settings.verbosity = -1
        settings.warmup = False
        settings.fit_params = False
        settings.ui = False
        # The library always listens; nobody but this process shall be able to ask there.
        settings.hostnames = ["127.0.0.1"]
        settings.port = 0
        settings.api_keys = [secrets.token_hex(16)]
        self._server: Any = native.Server(settings)
        self._lock = threading.Lock()

    def write(  # noqa: PLR0913 - what llama.cpp can be told
        self,
        turns: Sequence[Turn],
        *,
        grammar: str | None = None,
        most: int = 200,
        temperature: float = 0.0,
        seed: int = 0,
        stop: Sequence[str] = (),
        start: str = "",
        hear: Callable[[str], None] | None = None,
    ) -> Written:
        """Answer a conversation.

        Args:
            turns: the conversation.
            grammar: GBNF that the answer must follow.
            most: tokens of the answer.
            temperature: 0 is the likeliest word each time; above, words are drawn with `seed`.
            seed: of the drawing.
            stop: texts that end the answer.
            start: first words of the answer, given.
            hear: is called with each piece as it is written.

        Raises:
            ModelOutputError: when the library refuses the question.
        """
        asked: dict[str, Any] = {
            "prompt": conversation(turns, start),
            "n_predict": most,
            "temperature": temperature,
            "seed": seed,
            "stop": [*_STOPS, *stop],
            "cache_prompt": False,  # what was asked before must not change an answer's last digits
            "repeat_penalty": 1.0 if grammar else 1.1,
        }
        if grammar is not None:
            asked["grammar"] = grammar
        asked = whole_characters(asked)  # the library takes no half of an emoji
        with self._lock:
            if hear is None:
                return _read(self._server.handle_completions(asked))
            return self._stream({**asked, "stream": True}, hear)

    def choose(self, turns: Sequence[Turn], options: Sequence[str], **how: Any) -> str:
        """Let the writer pick one of some texts, by what it finds likeliest to write.

        Raises:
            ModelOutputError: when the library refuses the question.
        """
        if len(options) == 1:
            return options[0]
        longest = max(len(option) for option in options)
        written = self.write(turns, grammar=choice(options), most=longest + 2, **how)
        return written.text if written.text in options else options[0]

    def _stream(self, asked: dict[str, Any], hear: Callable[[str], None]) -> Written:
        pieces: list[str] = []
        ends: list[str] = []

        def on_piece(answer: Any) -> bool:
            for item in answer if isinstance(answer, list) else [answer]:
                written = _read(item)
                pieces.append(written.text)
                reason = item["choices"][0].get("finish_reason")
                if reason:
                    ends.append(reason)
                if written.text:
                    hear(written.text)
            return False

        self._server.handle_completions(asked, on_piece)
        return Written("".join(pieces), ends[-1:] == ["stop"])


def _read(answer: Any) -> Written:
    if "error" in answer:
        raise ModelOutputError(
            f"the embedded writer refused: {answer['error'].get('message', answer['error'])}"
        )
    first = answer["choices"][0]
    return Written(first["text"], first.get("finish_reason") == "stop")


_OPENING = threading.Lock()
_OPEN: list[Writer] = []


def writer(cache_dir: Path | None = None, *, may_fetch: bool = True) -> Writer:
    """The process's one writer, opened on first use.

    Args:
        cache_dir: where fetched weights are kept, instead of the user's cache folder.
        may_fetch: whether absent weights are fetched.

    Raises:
        UserError: when the extra ``embedded`` or the weights are missing.
    """
    with _OPENING:
        if not _OPEN:
            _OPEN.append(Writer(cache_dir, may_fetch=may_fetch))
        return _OPEN[0]
