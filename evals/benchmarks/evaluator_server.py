"""A server in a process of its own that answers chat completions after a set time, as cheaply as Python can.

It reads no more of a request than its length and which fields an answer is to have, so that what is
measured beside it is the client.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager

__all__ = ["main", "serving"]

_ANSWERS = {
    b"strict_score": {"reasoning": "complete", "strict_score": 1},
    b"loose_score": {"reasoning": "complete", "loose_score": 9},
    b"presents": {"entries": [{"presents": "a burning candle", "expresses": "the passing of time"}]},
    b"keywords": {"keywords": ["candle", "flame"]},
}
_LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)


def _completion(answer: str) -> bytes:
    """A whole response whose one choice says this."""
    message = {"role": "assistant", "content": answer}
    body = json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": "bench",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
            "usage": {"prompt_tokens": 900, "completion_tokens": 40, "total_tokens": 940},
        }
    ).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


_REPLIES = {field: _completion(json.dumps(answer)) for field, answer in _ANSWERS.items()}
_PLAIN = _completion("ok")


class _Connection(asyncio.Protocol):
    """One client: a request at a time, each answered after the set time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._read = bytearray()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - a server's always is
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._read += data
        end = self._read.find(b"\r\n\r\n")
        if end < 0:
            return
        length = _LENGTH.search(self._read, 0, end)
        size = end + 4 + (int(length[1]) if length else 0)
        if len(self._read) < size:
            return
        request = bytes(self._read[end + 4 : size])
        del self._read[:size]
        reply = next((whole for field, whole in _REPLIES.items() if field in request), _PLAIN)
        asyncio.get_running_loop().call_later(self._seconds, self._answer, reply)

    def _answer(self, reply: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(reply)


async def _serve(seconds: float) -> None:
    server = await asyncio.get_running_loop().create_server(
        lambda: _Connection(seconds), "127.0.0.1", 0, backlog=1024
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def serving(seconds: float) -> Generator[str]:
    """Serve while the block runs; gives the base URL.

    Args:
        seconds: from a request to its answer.
    """
    command = [sys.executable, "-m", "evals.benchmarks.evaluator_server", "--ms", str(1000 * seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own module
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.kill()


def main() -> None:
    """Print the port, and serve until killed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--ms", type=float, default=50.0, help="from a request to its answer")
    asyncio.run(_serve(parser.parse_args().ms / 1000))


if __name__ == "__main__":
    main()
