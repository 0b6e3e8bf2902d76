"""Which call is due follows from the journal alone; the journal survives what a kill leaves of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.asked import ExtractedItem
from agents.errors import UserError
from agents.schemas import Usage
from graphs.extraction.budget import Budget, Expected, Price
from graphs.extraction.calls import Call, Due, Failure, Known, due_calls, sentence_key
from graphs.extraction.journal import Journal, beside, read_calls

KEYS = [sentence_key(text) for text in "abcd"]


def item(number: int) -> ExtractedItem:
    return ExtractedItem(
        number=number, translation="", source="s", target="t", ground="", kind="symbol", literal=False
    )


def call(due: Due, *numbers: int, failed: str = "", **more: Any) -> Call:
    outcome: dict[str, Any] = (
        {"failure": Failure(kind=failed, message="m")} if failed else {"items": tuple(map(item, numbers))}
    )
    whole = {"asked_with": "w", "model": "m", "usage": Usage(input_tokens=3, output_tokens=2)}
    parts = {"stage": due.stage, "group": due.group, "sentences": due.sentences}
    return Call.model_validate({**whole, **parts, **outcome, **more})


def due(known: Known, keys: list[str] = KEYS) -> list[Due]:
    return list(due_calls(known, keys))


def test_a_group_then_what_it_left_out_alone_and_once() -> None:
    known = Known("w", "m")
    (first,) = due(known)
    assert (first.stage, first.sentences) == ("group", tuple(KEYS))
    known.take(call(first, 1, 3, 9))
    assert [(each.stage, each.sentences) for each in due(known)] == [
        ("again", (KEYS[1],)),
        ("again", (KEYS[3],)),
    ]
    known.take(call(due(known)[0]))
    known.take(call(due(known)[0], 1))
    assert due(known) == []
    assert known.in_vain(KEYS[1]) is not None
    assert known.answer(KEYS[1]) is None
    assert all(known.settled(key) for key in KEYS)
    assert known.usage.total_tokens == 15


def test_a_failed_group_is_halved_once() -> None:
    known = Known("w", "m")
    known.take(call(due(known)[0], failed="ProviderError"))
    halves = due(known)
    assert [(each.stage, each.sentences) for each in halves] == [
        ("half", (KEYS[0], KEYS[1])),
        ("half", (KEYS[2], KEYS[3])),
    ]
    known.take(call(halves[0], failed="ProviderError"))
    known.take(call(halves[1], 2))
    assert [(each.stage, each.sentences) for each in due(known)] == [("again", (KEYS[2],))]
    known.take(call(due(known)[0], failed="RefusedError"))
    assert due(known) == []
    assert [known.settled(key) for key in KEYS] == [False, False, False, True]
    alone = Known("w", "m")
    alone.take(call(due(alone, KEYS[:1])[0], failed="RefusedError"))
    assert due(alone, KEYS[:1]) == []


def test_retrying_takes_failures_of_earlier_starts_for_never_asked() -> None:
    known = Known("w", "m", retry_failed=True)
    known.take(call(due(known)[0], failed="ProviderError"))
    (first,) = due(known)
    assert first.stage == "group"
    known.take(call(first, failed="ProviderError"), fresh=True)
    assert [each.stage for each in due(known)] == ["half", "half"]


def test_answers_serve_other_groups_but_not_other_prompts() -> None:
    known = Known("w", "m")
    known.take(call(due(known, KEYS[:3])[0], 1, 2, 3))
    (rest,) = due(known)
    assert (rest.stage, rest.sentences) == ("group", (KEYS[3],))
    known.take(call(rest, failed="RefusedError"))
    assert due(known) == []
    other = Known("v", "m")
    other.take(call(rest, 1))
    assert (len(due(other)[0].sentences), other.usage.total_tokens) == (4, 5)
    stranger = Known("w", "another")
    stranger.take(call(rest, 1))
    assert stranger.usage.total_tokens == 0


@given(st.data())
def test_any_course_ends_and_is_the_same_after_every_kill(data: st.DataObject) -> None:
    """Replaying what was kept, from any moment on, leaves the same calls due."""
    known, kept = Known("w", "m"), list[Call]()
    while waiting := due(known):
        chosen = data.draw(st.sampled_from(waiting))
        if data.draw(st.booleans()):
            made = call(chosen, failed="ProviderError")
        else:
            made = call(chosen, *data.draw(st.sets(st.integers(0, len(chosen.sentences) + 1))))
        kept.append(made)
        known.take(made)
        again = Known("w", "m")
        for each in kept:
            again.take(each)
        assert due(again) == due(known)
    stages = [each.stage for each in kept]
    assert stages.count("group") == 1
    assert stages.count("half") <= 2
    assert stages.count("again") <= 4


def test_the_journal_keeps_calls_and_drops_a_torn_tail(tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl.gz"
    first = call(Due("group", tuple(KEYS), "g"), 1, 2)
    with Journal(out, Known("w", "m")) as journal:
        assert journal.path == tmp_path / "pairs.journal.jsonl"
        journal.append(first)
        with pytest.raises(UserError, match=r"pairs\.lock is held by another extraction \(process \d+\)"):
            Journal(out, Known("w", "m"))
    whole = journal.path.read_bytes()
    journal.path.write_bytes(whole + whole[:70_000].replace(b"\n", b"")[:-20] + b"x" * 70_000)
    assert list(read_calls(journal.path)) == [first]
    known = Known("w", "m")
    with Journal(out, known) as again:
        assert again.repaired > 70_000
    assert journal.path.read_bytes() == whole
    assert known.answer(KEYS[1]) == (first, 2)
    journal.path.write_bytes(b"no newline at all")
    with Journal(out, Known("w", "m")) as emptied:
        assert emptied.repaired == 17
    journal.path.write_bytes(b"{}\n" + whole)
    with pytest.raises(UserError, match=r"line 1 is no call \(asked_with: Field required\)"):
        Journal(out, Known("w", "m"))
    Journal(tmp_path / "other.jsonl", Known("w", "m")).__exit__(None, None, None)


@pytest.mark.parametrize(
    ("out", "name"),
    [("p.jsonl.gz", "p.lock"), ("p.jsonl", "p.lock"), ("p.v2", "p.v2.lock")],
)
def test_companions_stand_beside_the_output(out: str, name: str) -> None:
    assert beside(Path("d") / out, "lock") == Path("d") / name


def test_a_budget_counts_what_is_in_flight_and_learns_from_surprises() -> None:
    budget = Budget(max_tokens=100)
    ask = Expected(20, 10)
    assert budget.refuses(Usage(input_tokens=40, output_tokens=10), Expected(20, 30)) == ""
    assert "100: 60 are spent" in budget.refuses(Usage(input_tokens=60), ask + Expected(5, 6))
    budget.begin(ask)
    assert budget.refuses(Usage(), Expected(50, 0)) == ""
    assert budget.refuses(Usage(), Expected(71, 0))
    budget.end(ask, Usage(input_tokens=40, output_tokens=20))
    assert budget.refuses(Usage(), Expected(51, 0)).startswith("--max-tokens-total")
    money = Budget(max_cost=1.0, price=Price(10_000, 20_000))
    assert money.refuses(Usage(input_tokens=50), Expected(10, 20)) == ""
    assert money.refuses(Usage(input_tokens=51), Expected(10, 20)) == "--max-cost 1: 0.5100 are spent"
    assert Budget().refuses(Usage(input_tokens=10**9), ask) == ""
