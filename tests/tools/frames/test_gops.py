"""Which packets are decoded to get at a frame."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tools.frames.container import Packet, Track
from tools.frames.gops import can_skip, plan, shown_order


def packet(pts: int | None, *, key: bool = False, shown: bool = True) -> Packet:
    return Packet(pts, 1, key, shown, is_corrupt=False)


def track(packets: list[Packet], codec: str = "h264") -> Track:
    return Track(0, "mov", codec, 64, 64, Fraction(1, 25), 25.0, len(packets), packets, [])


CLOSED = [packet(number, key=number % 4 == 0) for number in range(12)]
OPEN = [packet(0, key=True), packet(1), packet(4, key=True), packet(2), packet(3), packet(5)]


def test_only_the_groups_with_wanted_frames() -> None:
    assert plan(CLOSED, [1, 9]) == [range(2), range(8, 10)]


def test_a_leading_picture_needs_the_group_before() -> None:
    assert plan(OPEN, [3]) == [range(2), range(2, 4)]
    assert plan(OPEN, [5]) == [range(2, 6)]


def test_a_stream_that_starts_without_a_key_frame_is_read_from_its_start() -> None:
    assert plan([packet(0), packet(1), packet(2, key=True)], [1]) == [range(2)]


@given(st.sets(st.integers(0, 11), min_size=1))
def test_every_wanted_packet_is_decoded_from_a_key_frame_on(wanted: set[int]) -> None:
    runs = plan(CLOSED, wanted)
    assert all(CLOSED[run.start].is_key for run in runs)
    assert wanted <= {number for run in runs for number in run}
    assert all(before.stop <= after.start for before, after in pairwise(runs))


def test_the_order_of_display_leaves_out_what_is_not_shown() -> None:
    assert shown_order([packet(3, key=True), packet(1), packet(2, shown=False)]) == [1, 0]


def test_when_groups_can_be_skipped() -> None:
    assert can_skip(track(CLOSED))
    assert not can_skip(track(CLOSED, "h263"))
    assert not can_skip(track([packet(0, key=True), packet(0)]))
    assert not can_skip(track([packet(0, key=True), packet(None)]))
    assert not can_skip(track([packet(0, key=True, shown=False)]))
