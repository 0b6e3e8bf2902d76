from __future__ import annotations

from email.utils import formatdate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.calls.pauses import LONGEST, pause
from agents.errors import ModelUnavailableError, ProviderError
from agents.faults import translate
from agents.hints import retry_after

NOW = 1_800_000_000.0


def refused(headers: dict[str, str] | None = None, details: Any = None, status: int = 429) -> Exception:
    kind = type("ClientError", (Exception,), {"__module__": "google.genai.errors"})
    error = kind(str(details))
    error.code, error.details = status, details  # type: ignore[attr-defined]
    error.response = type("Response", (), {"headers": headers or {}})  # type: ignore[attr-defined]
    return error


def google(delay: object, quota: str = "GenerateRequestsPerMinutePerProjectPerModel") -> dict[str, Any]:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
    failure = {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": quota}]}
    told = "You exceeded your current quota, please check your plan and billing details."
    return {"error": {"code": 429, "message": told, "details": [failure, info]}}


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "20"}, 20),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": formatdate(NOW + 90, usegmt=True)}, 90),
        ({"retry-after": formatdate(NOW - 90, usegmt=True)}, 0),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
    ],
)
def test_headers_say_how_long(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(refused(headers), now=lambda: NOW) == seconds


@pytest.mark.parametrize(
    ("delay", "seconds"), [("36s", 36), ("1.5s", 1.5), ("0s", 0), ("soon", None), (None, None)]
)
def test_google_says_it_in_the_body(delay: object, seconds: float | None) -> None:
    outer = RuntimeError("wrapped")
    outer.__cause__ = refused(details=google(delay))
    assert retry_after(outer) == seconds


@pytest.mark.parametrize("details", [None, [], "x", {"error": None}, {"error": {"details": [3, {}]}}])
def test_an_odd_body_says_nothing(details: Any) -> None:
    assert retry_after(refused(details=details)) is None


def test_a_quota_of_a_minute_passes_and_one_of_a_day_does_not() -> None:
    minute = translate(refused(details=google("36s")), model="google_genai:x")
    assert isinstance(minute, ProviderError)
    assert minute.fault == "rate_limited"
    day = google("36s", "GenerateRequestsPerDayPerProjectPerModel-FreeTier")
    assert isinstance(translate(refused(details=day), model="google_genai:x"), ModelUnavailableError)


@given(st.integers(1, 60), st.floats(0, 1), st.sampled_from(["rate_limited", "connection"]))
def test_pauses_are_drawn_below_a_bound_that_doubles(failures: int, draw: float, fault: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agents.calls.pauses._FIRST", 0.5)
        patch.setattr("agents.calls.pauses._FIRST_OF_OVERLOAD", 2.0)
        seconds = pause(fault, failures, None, draw=lambda: draw)
        first = 2.0 if fault == "rate_limited" else 0.5
    assert 0 <= seconds <= min(first * 2 ** (failures - 1), LONGEST)
    assert pause(fault, failures, 7.0, draw=lambda: draw) == pytest.approx(7 * (1 + draw / 10))
