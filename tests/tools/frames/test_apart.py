"""One function in a process of its own."""

from __future__ import annotations

import ctypes
import sys
import time
from pathlib import Path

import pytest

from tools.errors import ToolboxError
from tools.frames.apart import apart
from tools.frames.terms import Fault


def double(number: int) -> int:
    print("noise")  # noqa: T201
    return 2 * number


def hang() -> None:
    time.sleep(600)


def crash() -> None:
    ctypes.string_at(0)


def blame(kind: type[Exception]) -> None:
    raise kind("the third box is odd")


def eat() -> int:
    return len(bytearray(1 << 34))


def open_nothing(path: str) -> str:
    return Path(path).read_text()


def test_the_value_comes_back_and_prints_do_not() -> None:
    assert apart(double, 21, deadline=60) == 42


def test_what_hangs_is_stopped() -> None:
    with pytest.raises(Fault, match="not done within 2 s: stopped"):
        apart(hang, deadline=2)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_what_crashes_is_told() -> None:
    with pytest.raises(Fault, match=r"the decoder crashed \(SIGSEGV\)"):
        apart(crash, deadline=60)


@pytest.mark.parametrize("kind", [Fault, ToolboxError])
def test_our_own_errors_keep_their_kind(kind: type[Exception]) -> None:
    with pytest.raises(kind, match=r"^the third box is odd$"):
        apart(blame, kind, deadline=60)


def test_other_errors_become_faults() -> None:
    with pytest.raises(Fault, match="ZeroDivisionError: the third box is odd"):
        apart(blame, ZeroDivisionError, deadline=60)
    with pytest.raises(Fault, match="No such file or directory"):
        apart(open_nothing, "/nowhere/at/all", deadline=60)


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of address space is Linux's")
def test_what_is_greedy_runs_into_its_limit() -> None:
    with pytest.raises(Fault, match="more memory than a decoder may have"):
        apart(eat, deadline=60)
