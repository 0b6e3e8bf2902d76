from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

import pytest

from agents.calls import Account, Line, Patience, accounting, open_line, traffic
from agents.calls.rates import Rates
from agents.calls.width import Width
from agents.errors import ProviderError
from tests.virtual_time import run_virtually

Told = tuple[str, Account, float]


class Refusal(Exception):  # noqa: N818
    """What an SDK raises, with a status and headers."""

    def __init__(self, status: int, **headers: str) -> None:
        super().__init__(f"refused ({status})")
        self.status_code = status
        self.response = type(
            "Response", (), {"headers": {k.replace("_", "-"): v for k, v in headers.items()}}
        )


Refusal.__module__ = "openai"


def line(width: int = 8, **limits: Any) -> Line:
    return Line("openai:x", Width(width, width), Rates(**limits))


def script(*replies: Exception | str) -> Callable[[], Awaitable[str]]:
    left = list(replies)

    async def send() -> str:
        await asyncio.sleep(1)
        reply = left.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    return send


async def told(
    send: Callable[[], Awaitable[str]], patience: Patience, way: Line
) -> tuple[str, Account, float]:
    loop = asyncio.get_running_loop()
    since = loop.time()
    with accounting() as account:
        try:
            reply = await way.ask(send, patience=patience)
        except Exception as error:  # noqa: BLE001
            reply = repr(error)
    return reply, account, loop.time() - since


def asked(*replies: Exception | str, way: Line | None = None, **patience: Any) -> tuple[str, Account, float]:
    async def main() -> tuple[str, Account, float]:
        return await told(script(*replies), Patience(**patience), way or line())

    return run_virtually(main())


@pytest.mark.parametrize(
    ("status", "fault"),
    [
        (429, "rate_limited"),
        (503, "overloaded"),
        (529, "overloaded"),
        (500, "server_error"),
        (504, "timeout"),
    ],
)
def test_a_passing_failure_is_tried_again_and_named(status: int, fault: str) -> None:
    reply, account, _ = asked(Refusal(status), "ok")
    assert (reply, account.tries, account.faults) == ("ok", 2, [fault])


def test_the_server_says_how_long_to_wait() -> None:
    reply, account, seconds = asked(Refusal(429, retry_after="20"), "ok")
    assert (reply, account.tries) == ("ok", 2)
    assert 20 <= account.waited <= 22
    assert seconds == pytest.approx(account.waited + 2)


@pytest.mark.parametrize("retries", [0, 1, 4])
def test_tries_are_bounded(retries: int) -> None:
    reply, account, _ = asked(*[Refusal(500)] * 9, max_retries=retries)
    assert reply == "Refusal('refused (500)')"
    assert (account.tries, len(account.faults)) == (retries + 1, retries + 1)


def test_patience_is_bounded_too() -> None:
    reply, account, _ = asked(*[Refusal(429, retry_after="20")] * 9, max_retries=9, total=50)
    assert (account.tries, 40 <= account.waited <= 50) == (3, True)
    assert "It asks to wait 20 s, and --patience 50 is less" in reply


def test_what_will_not_pass_is_not_tried_again() -> None:
    for error in (Refusal(400), Refusal(401), Refusal(404), ValueError("a bug"), ProviderError("ours")):
        reply, account, _ = asked(error, "ok")
        assert (reply, account.tries) == (repr(error), 1)


def test_a_server_that_hangs_is_left_when_its_time_is_up() -> None:
    async def hang() -> str:
        await asyncio.sleep(1e9)
        return "never"

    async def main() -> tuple[str, Account, float]:
        return await told(hang, Patience(timeout=10, max_retries=2), line(1))

    reply, account, seconds = run_virtually(main())
    assert (reply, account.faults) == ("TimeoutError()", ["timeout"] * 3)
    assert seconds <= 3 * 11 + 2


def test_hung_calls_give_their_places_back() -> None:
    way = line(2)

    async def hang_once() -> str:
        calls = count()

        async def send() -> str:
            await asyncio.sleep(1e9 if next(calls) == 0 else 1)
            return "ok"

        return await way.ask(send, patience=Patience(timeout=10))

    async def main() -> list[str]:
        return await asyncio.gather(*(hang_once() for _ in range(20)))

    assert run_virtually(main()) == ["ok"] * 20
    assert (way.state.in_flight, way.state.queued) == (0, 0)


class Server:
    """Bears so many calls at once, and refuses the others."""

    def __init__(self, bears: int, **headers: str) -> None:
        self.bears, self.headers = bears, headers
        self.busy = self.peak = self.refused = 0

    async def __call__(self) -> str:
        self.busy += 1
        self.peak = max(self.peak, self.busy)
        try:
            if self.busy > self.bears:
                self.refused += 1
                raise Refusal(429, **self.headers)
            await asyncio.sleep(1)
            return "ok"
        finally:
            self.busy -= 1


async def _crowd(way: Line, server: Server, number: int, retries: int = 20) -> list[str]:
    patience = Patience(max_retries=retries, total=1e6)
    return await asyncio.gather(*(way.ask(server, patience=patience) for _ in range(number)))


def test_it_finds_what_a_server_bears_and_never_asks_more_than_allowed() -> None:
    way, server = Line("openai:x", Width(64), Rates()), Server(10)
    assert run_virtually(_crowd(way, server, 600)) == ["ok"] * 600
    assert server.peak <= 64
    assert server.refused < 200
    assert 5 <= int(way.width) <= 20


def test_after_long_refusal_it_grows_to_the_full_again() -> None:
    way, server = line(32), Server(0, retry_after="5")

    async def main() -> tuple[int, int]:
        crowd = asyncio.create_task(_crowd(way, server, 900, retries=1000))
        await asyncio.sleep(3600)
        low, server.bears = int(way.width), 100
        await crowd
        return low, int(way.width)

    assert run_virtually(main()) == (1, 32)


def test_when_all_are_refused_the_whole_line_waits() -> None:
    way, server = line(8), Server(0, retry_after="30")

    async def main() -> int:
        crowd = asyncio.create_task(_crowd(way, server, 50))
        await asyncio.sleep(29)
        refused, server.bears = server.refused, 100
        await crowd
        return refused

    assert run_virtually(main()) == 3  # and the other 47 were not even sent


def test_a_reset_connection_is_tried_again() -> None:
    reply, account, _ = asked(ConnectionResetError("peer"), "ok")
    assert (reply, account.faults) == ("ok", ["connection"])


def test_one_model_on_one_server_has_one_line() -> None:
    first = open_line("openai:one-line", "http://127.0.0.1:1/v1", concurrency=4, rpm=100)
    again = open_line("openai:one-line", "http://127.0.0.1:1/v1/", concurrency=6, rpm=50, tpm=1000)
    other = open_line("openai:one-line", None, concurrency=6)
    assert first is again
    assert first is not other
    assert (first.width.ceiling, first.rates.rpm, first.rates.tpm) == (6, 50, 1000)
    assert [state.name for state in traffic()].count("openai:one-line") == 2


def test_a_line_serves_one_event_loop_after_another() -> None:
    way = line(1)
    for _ in range(2):
        assert asked("ok", way=way)[0] == "ok"
