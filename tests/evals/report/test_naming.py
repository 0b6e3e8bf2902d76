"""Runs of one graph and model are told apart by what was set otherwise, else by their folders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evals.report import csv_text, gather, markdown_text, render
from evals.report.thumbnails import Frames, Thumbnails
from evals.statistics import read_systems
from tests.evals.records_for_tests import scored
from tests.evals.report.making import make_run


def cell(folder: Path, context: dict[str, Any], graph: str = "boost", **spec: Any) -> Path:
    run = make_run(folder, [scored("a", graph=graph)])
    (run / "run.json").write_text(json.dumps({"spec": {"graph": graph, "context": context} | spec}))
    return run


def labels(*runs: Path) -> list[str]:
    return [run.label for run in gather(runs).runs]


def test_settings_that_differ_make_the_name(tmp_path: Path) -> None:
    runs = [
        cell(
            tmp_path / f"{limit}-{few}", {"few_shot": few, "retrieval": {"limit": limit, "z": 1}}, seed=limit
        )
        for limit in (3, 8)
        for few in (True, False)
    ]
    other = cell(tmp_path / "other", {}, graph="baseline")
    assert labels(*runs, other) == [
        "boost, few_shot on, retrieval limit 3",
        "boost, few_shot off, retrieval limit 3",
        "boost, few_shot on, retrieval limit 8",
        "boost, few_shot off, retrieval limit 8",
        "baseline",
    ]


def test_a_run_again_or_of_many_other_settings_has_its_folders_name(tmp_path: Path) -> None:
    one, two = (cell(tmp_path / name / "r", {"few_shot": True}) for name in ("mon", "tue"))
    assert labels(one, two) == ["boost, mon/r", "boost, tue/r"]
    many = cell(tmp_path / "many", {"temperature": 1, "max_hops": 9, "judge_k": 5, "few_shot": False})
    assert labels(one, many) == ["boost, r", "boost, many"]
    assert labels(one) == ["boost"]


def test_names_are_in_the_page_in_tables_and_in_comparisons(tmp_path: Path) -> None:
    whole = tmp_path / "sweep"
    names = [f"boost-m-limit-{limit}" for limit in (3, 8)]
    for name, limit in zip(names, (3, 8), strict=True):
        cell(whole / name, {"retrieval": {"limit": limit}})
    (whole / "run.json").write_text(json.dumps({"cells": names}))
    gathered = gather([whole])
    page = render(gathered, Thumbnails(Frames.NONE).strips(gathered))
    assert "boost, retrieval limit 3</h2>" in page
    assert "<h1>boost with m, 2 settings</h1>" in page
    assert "B: boost, retrieval limit 8 · m" in markdown_text(gathered)
    assert "retrieval limit 8" in csv_text(gathered)
    assert [system.name for system in read_systems([whole])] == names
