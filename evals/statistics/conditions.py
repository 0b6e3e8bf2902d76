"""Under what conditions scores came about, and which differences make a comparison worthless."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from agents.errors import UserError
from evals.spec import FREE
from evals.store.records import RunRecord

__all__ = ["Conditions", "ConditionsBuilder", "RunSettings", "differing", "doubts"]

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What ``run.json`` says, whatever version wrote it.

    Attributes:
        digest: of the data set; empty where it isn't told.
        prompts: hashes of prompts by name.
        flat: settings by dotted name.
    """

    digest: str = ""
    prompts: dict[str, str] = field(default_factory=dict[str, str])
    flat: dict[str, object] = field(default_factory=dict[str, object])

    @classmethod
    def read(cls, path: Path) -> RunSettings:
        """Read ``run.json``; nothing is known where there is none.

        Raises:
            UserError: when it is no JSON object.
        """
        try:
            said = json.loads(path.read_bytes())
        except FileNotFoundError:
            return cls()
        except (OSError, ValueError) as error:
            raise UserError(
                f"{path} can't be read ({error}); take it away, and its run is compared without its settings."
            ) from error
        if not isinstance(said, dict):
            raise UserError(f"{path} holds no settings of a run; take it away.")
        settings = cast("dict[str, Any]", said)
        hashes = {str(name): str(value) for name, value in _table(settings.get("fingerprint")).items()}
        prompts = {
            name.removeprefix("prompt "): value
            for name, value in hashes.items()
            if name.startswith("prompt ")
        }
        return cls(str(settings.get("dataset_digest", "")), prompts, _flat(_table(settings.get("spec"))))


@dataclass(frozen=True, slots=True)
class Conditions:
    """How the scores of one system came about; empty where it isn't told.

    Attributes:
        judges: names of the judging models.
        k: numbers of judgements a verdict has (of each kind, the larger).
        judge_prompts: by step, hashes of the prompts that asked the judge.
        proxies: verdicts that no model gave.
        verdicts: all verdicts.
        settings: of the run directory.
    """

    judges: frozenset[str] = frozenset()
    k: frozenset[int] = frozenset()
    judge_prompts: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    proxies: int = 0
    verdicts: int = 0
    settings: RunSettings = field(default_factory=RunSettings)


class ConditionsBuilder:
    """Takes records one by one."""

    def __init__(self, settings: RunSettings) -> None:
        self._settings = settings
        self._judges: set[str] = set()
        self._k: set[int] = set()
        self._prompts: dict[str, set[str]] = {}
        self._proxies = self._verdicts = 0

    def add(self, record: RunRecord) -> None:
        """Take one record; one without a verdict tells nothing."""
        verdict = record.verdict if record.ok else None
        if verdict is None:
            return
        self._verdicts += 1
        self._proxies += verdict.proxy
        self._judges.add(record.judge_model)
        kinds = [judgement.kind for judgement in verdict.judgements]
        if kinds:
            self._k.add(max(kinds.count("strict"), kinds.count("loose")))
        for call in record.calls:
            if call.step.startswith("judge") and call.prompt:
                self._prompts.setdefault(call.step, set()).add(call.prompt)

    def build(self) -> Conditions:
        """What all of them have told."""
        saved = {name: {value} for name, value in self._settings.prompts.items() if name.startswith("judge")}
        prompts = {name: frozenset(values) for name, values in (saved | self._prompts).items()}
        return Conditions(
            frozenset(self._judges),
            frozenset(self._k),
            prompts,
            self._proxies,
            self._verdicts,
            self._settings,
        )


def doubts(base: Conditions, other: Conditions) -> list[str]:
    """What makes a comparison of two systems doubtful or worthless, one sentence each."""
    found: list[str] = []
    if base.judges and other.judges and base.judges != other.judges:
        found.append(
            f"different judges ({_named(base.judges)}; {_named(other.judges)}): a comparison between "
            "different judges is no comparison. Judge both by one."
        )
    elif (base.proxies == 0) != (other.proxies == 0) and base.verdicts and other.verdicts:
        found.append("one is scored by a measured similarity (offline proxy), the other by a judging model")
    digests = base.settings.digest, other.settings.digest
    if all(digests) and digests[0] != digests[1]:
        found.append(
            f"different data sets (digests {digests[0][:12]} and {digests[1][:12]}): a video_id may stand "
            "for another video, or another gold interpretation."
        )
    altered = [
        name
        for name in sorted(base.judge_prompts.keys() & other.judge_prompts.keys())
        if base.judge_prompts[name] != other.judge_prompts[name]
    ]
    if altered:
        found.append(f"the judge was asked by different prompts ({', '.join(altered)}).")
    if base.k and other.k and base.k != other.k:
        found.append(
            f"different numbers of judgements a verdict, k ({_named(base.k)}; {_named(other.k)}): the one "
            "with fewer is noisier."
        )
    for name, here in (("base", base), ("other", other)):
        if len(here.judges) > 1:
            found.append(f"the {name} itself was scored by several judges ({_named(here.judges)}).")
    return found


def differing(base: Conditions, other: Conditions) -> list[str]:
    """Settings in which two runs differ, by name, with the prompts that both use in another wording."""
    one, two = base.settings.flat, other.settings.flat
    if not one or not two:
        return []
    names = [
        name for name in dict.fromkeys([*one, *two]) if name not in FREE and one.get(name) != two.get(name)
    ]
    shared = base.settings.prompts.keys() & other.settings.prompts.keys()
    prompts = [f"prompt {n}" for n in sorted(shared) if base.settings.prompts[n] != other.settings.prompts[n]]
    return [name.removeprefix("context.") for name in names] + prompts


def _named(values: Iterable[object]) -> str:
    names = sorted(map(str, values))
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _table(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _flat(settings: Mapping[str, Any], prefix: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in settings.items():
        if isinstance(value, dict):
            found |= _flat(cast("dict[str, Any]", value), f"{prefix}{name}.")
        else:
            found[f"{prefix}{name}"] = value
    return found
