from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable

from evals.tracing.outbox import Outbox, Undelivered, close_all


class Parcel:
    """Says how its sending ends."""

    size = 1000

    def __init__(self, send: Callable[[], None]) -> None:
        self._send = send

    @property
    def what(self) -> Counter[str]:
        return Counter({"trace": 1})

    def send(self) -> None:
        self._send()


def fail(why: str, **how: bool) -> Callable[[], None]:
    def send() -> None:
        raise Undelivered(why, **how)

    return send


def test_what_there_is_no_room_for_is_dropped_and_counted_and_memory_stays_bounded() -> None:
    stuck = threading.Event()
    box = Outbox("It", hands=2)
    for _ in range(2000):
        box.put(Parcel(lambda: stuck.wait(20) and None))
    assert len(box._waiting) <= 256
    assert box.lost["trace"] >= 2000 - 256 - 2
    before = time.monotonic()
    said = box.close(0.1)
    assert time.monotonic() - before < 5
    stuck.set()
    assert box.lost["trace"] == 2000
    assert said.startswith(
        "It was not sent 2000 of 2000 traces: it is slower than the run; it does not answer"
    )


def test_what_fails_for_a_passing_reason_is_tried_again() -> None:
    tries: list[int] = []

    def send() -> None:
        tries.append(1)
        if len(tries) < 2:
            raise Undelivered("busy", passing=True)

    box = Outbox("It", hands=1)
    box.put(Parcel(send))
    assert box.close(5) == ""
    assert len(tries) == 2
    assert box.sent == Counter(trace=1)


def test_a_refused_key_ends_all_at_once() -> None:
    tries: list[int] = []

    def send() -> None:
        tries.append(1)
        raise Undelivered("refused", final=True)

    box = Outbox("It", hands=1)
    for _ in range(50):
        box.put(Parcel(send))
    assert box.close(5) == "It was not sent 50 of 50 traces: refused. No result is lost by it."
    assert len(tries) == 1


def test_one_refused_content_costs_itself_and_a_bug_of_a_library_likewise() -> None:
    box = Outbox("It", hands=1)
    box.put(Parcel(fail("odd")))
    box.put(Parcel(lambda: None))
    box.put(Parcel(lambda: 1 / 0))
    box.put(Parcel(lambda: None))
    assert box.close(5) == (
        "It was not sent 2 of 4 traces: odd; sending failed (ZeroDivisionError). No result is lost by it."
    )


def test_several_share_the_seconds_at_the_end() -> None:
    stuck = threading.Event()
    boxes = [Outbox(f"Box {number}", hands=1) for number in range(3)]
    for box in boxes:
        box.put(Parcel(lambda: stuck.wait(20) and None))
    before = time.monotonic()
    said = close_all(boxes, 0.3)
    assert time.monotonic() - before < 5
    stuck.set()
    assert len(said) == 3
    assert all(" and 0 s at the end were not enough" in sentence for sentence in said)  # 0.3, as all are told
