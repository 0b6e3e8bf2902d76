"""The journal of a run: what survives, what is left out, and what a full disk does."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evals.store.steps
from agents.calls.journal import Finished, current_journal
from agents.errors import UserError
from agents.schemas import ModelCall, Usage
from evals.store.journals import SampleJournal, paid
from evals.store.keeping import keeping
from evals.store.records import RunKey, RunRecord
from evals.store.run_store import RunStore, read_records
from evals.store.step_lines import Step
from evals.store.steps import STEPS, SYNC_AFTER, Steps, read_steps
from tests.evals.records_for_tests import failed, scored


def call(tokens: int = 10, step: str = "perceive") -> ModelCall:
    return ModelCall(
        step=step, model="m", method="text", attempts=1, seconds=0, usage=Usage(input_tokens=tokens)
    )


def answered(number: int, key: RunKey = ("a", 1), **more: Any) -> Step:
    kind = more.pop("kind", "answer")
    result = {"value": {"n": number}, **more}
    return Step.of(key, Finished("perceive", kind, f"q{number}", result, call()))


def write(folder: Path, *steps: Step) -> bytes:
    held = Steps(folder)
    held.append(steps)
    held.sync()
    held._lines.close()  # type: ignore[union-attr] - a kill, which removes nothing
    return (folder / STEPS).read_bytes()


TEXTS = st.text(max_size=12)
STEPS_OF = st.lists(
    st.builds(
        lambda video, epoch, text, number: answered(number, (video, epoch), text=text),
        TEXTS,
        st.integers(1, 3),
        TEXTS,
        st.integers(0, 9),
    ),
    min_size=1,
    max_size=8,
)


@given(
    steps=STEPS_OF, share=st.floats(0, 1), garbage=st.sampled_from([b"", b"\x00" * 9, b'{"version":1,"vi'])
)
@settings(max_examples=60, deadline=None)
def test_any_prefix_of_the_file_reopens_to_a_prefix_of_the_steps(
    steps: list[Step], share: float, garbage: bytes
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = write(folder, *steps)
        cut = whole[: round(share * len(whole))]
        (folder / STEPS).write_bytes(cut + garbage)
        assert list(read_steps(folder / STEPS)) == steps[: cut.count(b"\n")]  # others may read meanwhile
        held = Steps(folder)
        left = steps[: cut.count(b"\n")]
        assert list(read_steps(folder / STEPS)) == left
        for key in {step.run_key for step in steps}:
            assert held.steps(key) == [step for step in left if step.run_key == key]
        held.append([answered(99, ("new", 1))])
        assert list(read_steps(folder / STEPS)) == [*left, *held.steps(("new", 1))]
        held.close()


def test_lines_of_samples_with_a_record_go_at_the_opening_and_the_file_when_none_is_left(
    tmp_path: Path,
) -> None:
    with RunStore(tmp_path) as store:
        store.append([scored("b").line(), failed("c").line()])
    steps = [answered(number, key) for number in range(3) for key in (("a", 1), ("b", 1), ("c", 1), ("b", 2))]
    write(tmp_path, *steps)
    with RunStore(tmp_path) as store:
        assert list(read_steps(tmp_path / STEPS)) == [
            step for step in steps if step.run_key in {("a", 1), ("b", 2)}
        ]
        assert dict(store.paid()) == {
            key: [(step, call()) for step in steps if step.run_key == key] for key in (("a", 1), ("b", 2))
        }
    with RunStore(tmp_path) as store:
        store.append([scored("a").line(), scored("b", epoch=2).line()])
    RunStore(tmp_path).close()
    assert not (tmp_path / STEPS).exists()


def test_a_kill_while_lines_are_left_out_loses_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [answered(1), answered(2, ("b", 1))]
    before = write(tmp_path, *steps)
    held = Steps(tmp_path)

    def killed(*_: object) -> None:
        raise SystemExit

    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(SystemExit):
        held.forget({("b", 1)})
    monkeypatch.undo()
    held.close()
    assert (tmp_path / STEPS).read_bytes() == before
    again = Steps(tmp_path)
    again.forget({("b", 1)})
    assert list(read_steps(tmp_path / STEPS)) == steps[:1]
    assert again.steps(("a", 1)) == steps[:1]
    again.close()


def test_steps_of_a_later_version_are_not_thrown_away(tmp_path: Path) -> None:
    written = write(tmp_path, answered(1)).replace(b'"version":1', b'"version":2')
    (tmp_path / STEPS).write_bytes(written)
    for _ in range(2):  # the refusal lets go of the directory
        with pytest.raises(UserError, match=r"written by a later version of this project \(layout 2;"):
            RunStore(tmp_path)
    assert (tmp_path / STEPS).read_bytes() == written


def test_a_directory_of_an_earlier_version_goes_on(tmp_path: Path) -> None:
    (tmp_path / "records.jsonl").write_text(scored("b").line() + "\n")
    with RunStore(tmp_path) as store:
        assert list(store.paid()) == []
        assert [record.video_id for record in store.records()] == ["b"]
    assert not (tmp_path / STEPS).exists()


async def test_what_was_done_is_given_back_once_and_in_its_order(tmp_path: Path) -> None:
    twice = [answered(1, text="first"), answered(1, text="second"), answered(2, ("b", 1))]
    write(tmp_path, answered(1, kind="reply"), *twice, answered(3, kind="reply"))
    steps = Steps(tmp_path)
    journal = SampleJournal(steps, ("a", 1))
    assert await journal.recall("reply", "q1") is None  # it led to the answer, whose account holds it
    found = [await journal.recall("answer", "q1") for _ in range(3)]
    assert [each and each.result["text"] for each in found] == ["first", "second", None]
    assert (await journal.recall("reply", "q3")) is not None
    assert await journal.recall("answer", "q2") is None
    assert [step.key for step, _ in paid(steps.steps(("a", 1)))] == ["q1", "q1", "q3"]
    steps.close()


async def test_a_step_is_the_systems_before_its_answer_is_used_and_the_disks_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[float] = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (synced.append(time.monotonic()), real(file)))
    with RunStore(tmp_path) as store:
        async with keeping(store):
            synced.clear()
            journal = SampleJournal(store.steps, ("a", 1))
            for number in range(5):
                await journal.keep(answered(number).finished)
                assert [step.key for step in read_steps(tmp_path / STEPS)][-1] == f"q{number}"
            assert len(synced) <= 1
            for _ in range(50):
                await asyncio.sleep(SYNC_AFTER / 5)
                if synced:
                    break
            assert synced


def full(descriptor: int, data: memoryview) -> int:
    raise OSError(28, "No space left on device")


async def test_a_full_disk_ends_the_run_and_not_the_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> RunRecord:
        mine = current_journal()
        assert mine is not None
        await mine.keep(answered(1).finished)
        monkeypatch.setattr(os, "write", full)
        try:
            await mine.keep(answered(2).finished)
        except OSError:  # as a graph that goes on whatever happens would
            monkeypatch.undo()
        return scored("a")

    store = RunStore(tmp_path)
    with pytest.raises(OSError, match="No space left"):
        async with keeping(store) as keeper:
            await keeper.kept(("a", 1), work)
    store.close()
    assert list(read_records(tmp_path / "records.jsonl")) == []
    assert [step.key for step in read_steps(tmp_path / STEPS)] == ["q1"]


async def test_a_disk_that_can_not_keep_what_it_took_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = RunStore(tmp_path)

    async def run() -> None:
        async with keeping(store):
            monkeypatch.setattr(os, "fsync", _broken)
            journal = SampleJournal(store.steps, ("a", 1))
            for number in range(200):
                await journal.keep(answered(number).finished)
                await asyncio.sleep(SYNC_AFTER / 10)

    with pytest.raises(OSError, match="I/O error"):
        await run()
    monkeypatch.undo()
    store.close()


def _broken(_file: int) -> None:
    raise OSError(5, "I/O error")


async def test_a_file_that_is_mostly_dead_is_written_anew_while_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evals.store.steps, "_MUCH", 20_000)
    with RunStore(tmp_path) as store:
        async with keeping(store) as keeper:
            old = SampleJournal(store.steps, ("slow", 1))
            await old.keep(answered(0).finished)

            async def work(key: RunKey) -> RunRecord:
                mine = current_journal()
                assert mine is not None
                for number in range(4):
                    await mine.keep(answered(number, text="x" * 300).finished)
                return scored(key[0])

            for number in range(60):
                key = (f"v{number}", 1)
                await keeper.kept(key, lambda key=key: work(key))
            assert store.steps.path.stat().st_size < 25_000
            await old.keep(answered(1).finished)
            assert [step.key for step in store.steps.steps(("slow", 1))] == ["q0", "q1"]
    assert [s.key for s in read_steps(tmp_path / STEPS) if s.video_id == "slow"] == ["q0", "q1"]


@pytest.fixture
def read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "r"
    folder.mkdir()
    real = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode, **more: Path(path) != folder and real(path, mode, **more)
    )
    return folder


def test_a_read_only_directory_is_refused_before_anything_is_asked(read_only: Path) -> None:
    with pytest.raises(UserError, match="r can't be written to: it is read-only"):
        RunStore(read_only)
    assert list(read_only.iterdir()) == []
