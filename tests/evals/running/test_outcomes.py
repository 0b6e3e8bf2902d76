from __future__ import annotations

import errno

import pytest
from langgraph.errors import GraphRecursionError

from agents.errors import BudgetExceeded, ModelOutputError, ProviderError, RefusedError, UserError
from evals.running.outcomes import classify, describe, full_disk
from tools.errors import FrameError, KnowledgeError, ToolFault
from tools.hop import HopError


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (ModelOutputError("x", raw="r"), "model_output_error"),
        (RefusedError("x"), "refused"),
        (BudgetExceeded("x"), "budget"),
        (ProviderError("x"), "infrastructure"),
        (UserError("x"), "bad_input"),
        (FrameError("clip.mp4", "no picture"), "bad_input"),
        (KnowledgeError("x"), "bad_input"),
        (GraphRecursionError("x"), "budget"),
        (HopError("meant for the model"), "internal_error"),
        (KeyError("x"), "internal_error"),
        (TimeoutError(), "internal_error"),
        (ExceptionGroup("two", [ProviderError("x"), KeyError("y")]), "infrastructure"),
    ],
)
def test_every_error_has_its_outcome(error: Exception, outcome: str) -> None:
    assert classify(error) == outcome


def test_the_node_and_the_raw_answer_are_kept() -> None:
    error = ModelOutputError("no JSON", raw="la la la")
    error.add_note("During task with name 'perceive' and id '123'")
    outcome, failure = describe(error, "interpret")
    assert outcome == "model_output_error"
    assert failure.model_dump() == {
        "step": "perceive",
        "phase": "interpret",
        "kind": "ModelOutputError",
        "message": "no JSON",
        "raw": "la la la",
        "traceback": "",
    }


def test_half_characters_in_an_answer_can_be_stored() -> None:
    _, failure = describe(ModelOutputError("bad \ud83d", raw="\ud83d"), "interpret")
    assert (failure.message, failure.raw) == ("bad ?", "?")
    assert failure.model_dump_json()


def test_a_bug_keeps_its_traceback() -> None:
    try:
        {}["missing"]
    except KeyError as error:
        outcome, failure = describe(error, "judge")
    assert (outcome, failure.step, failure.kind) == ("internal_error", "judge", "KeyError")
    assert "in test_a_bug_keeps_its_traceback" in failure.traceback
    assert failure.traceback.endswith("KeyError: 'missing'\n")


def test_a_bug_in_a_tool_of_one_s_own_is_bad_input_with_its_traceback() -> None:
    fault = ToolFault("mine", "my_tools:mine", "ZeroDivisionError: division by zero")
    fault.__cause__ = ZeroDivisionError("division by zero")
    outcome, failure = describe(fault, "interpret")
    assert outcome == "bad_input"
    assert failure.message.startswith(
        "the tool 'mine' (my_tools:mine) failed: ZeroDivisionError: division by zero."
    )
    assert "ZeroDivisionError: division by zero" in failure.traceback


def test_a_full_disk_is_told_from_other_errors_also_within_a_group() -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    assert full_disk(full) is full
    assert full_disk(ExceptionGroup("two", [full, KeyError("y")])) is full
    assert full_disk(FileNotFoundError(errno.ENOENT, "No such file")) is None
    assert full_disk(KeyError("x")) is None
