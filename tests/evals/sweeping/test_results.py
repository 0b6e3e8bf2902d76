from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from evals.statistics import Resampling, compare_paired, holm
from evals.sweeping.page import render
from evals.sweeping.panels import panels_of
from evals.sweeping.results import read_results
from evals.sweeping.tables import as_csv, as_data, caption, grid_of
from tests.evals.sweeping.conftest import Fill
from tests.evals.sweeping.test_design import SHOTS, SOURCE, H, Z


def planted(chosen: dict[str, Any], video: int) -> tuple[int, int]:
    """The more concepts the better, and worked examples change nothing."""
    loose = 2 + video % 3 + {0: 0, 5: 2, 10: 4}[chosen.get(Z, 0)]
    return int(loose >= 6), loose


def test_differences_are_those_of_the_statistics(fill: Fill, tmp_path: Path) -> None:
    design = fill({Z: (0, 5, 10), SHOTS: (True, False)}, planted)
    results = read_results(tmp_path, design.file, design.spec)
    assert results.complete
    assert results.base.chosen == {Z: 10, SHOTS: True}
    values = {z: np.array([10.0 * planted({Z: z}, video)[1] for video in range(12)]) for z in (0, 5, 10)}
    found = {(c.cell.chosen[Z], c.cell.chosen[SHOTS]): c for c in results.cells}
    how, label = Resampling(), "difference/All/loose/zero"
    expected = {
        key: compare_paired(values[10], values[key[0]], how, label) for key in found if key != (10, True)
    }
    for key, paired in expected.items():
        assert found[key].against["loose"].paired == paired
    corrected = holm([paired.p for paired in expected.values()])
    assert [found[key].against["loose"].p_holm for key in expected] == corrected
    assert [found[z, True].verdict("loose") for z in (0, 5, 10)] == [-1, -1, 0]
    assert found[10, False].verdict("loose") == 0
    assert "loose" not in found[10, True].against


def test_the_table_has_a_row_a_cell(fill: Fill, tmp_path: Path) -> None:
    design = fill({Z: (0, 5, 10), SOURCE: ("none", "graph")}, planted)
    results = read_results(tmp_path, design.file, design.spec)
    grid = grid_of(results)
    heads = [column.head for column in grid.columns]
    assert heads == [
        *("retrieval.limit", "knowledge.source", "n", "failed", "loose [95 %]", "strict [95 %]"),
        *("difference", "95 %", "p", "p (Holm)", "finding"),
    ]
    assert [row[:3] + row[-1:] for row in grid.rows] == [
        ["0", "any", "12", "worse"],
        ["5", "graph", "12", "worse"],
        ["10", "graph", "12", "base"],
        ["any", "none", "12", "worse"],
    ]
    notes = "\n".join(caption(results))
    assert "from the base, retrieval.limit 10, knowledge.source graph" in notes
    assert "corrected for the 3 cells compared" in notes
    assert "any: the setting has no effect in that cell" in notes
    rows = list(csv.DictReader(io.StringIO(as_csv(results))))
    assert [(row["score"], row["finding"]) for row in rows[4:6]] == [("loose", "base"), ("strict", "base")]
    assert float(rows[0]["difference"]) == -40.0
    data = json.loads(json.dumps(as_data(results)))
    assert data["cells"][1]["chosen"] == {"retrieval.limit": 5, "knowledge.source": "graph"}
    assert data["cells"][1]["loose"]["difference"] == -20.0


def test_a_cell_without_records_is_told(fill: Fill, tmp_path: Path) -> None:
    design = fill({Z: (0, 5, 10)}, planted, videos=3)
    empty = design.file.cells[1].name
    (tmp_path / empty / "records.jsonl").unlink()
    (tmp_path / empty / "summary.json").unlink()
    results = read_results(tmp_path, design.file, design.spec)
    assert not results.complete
    assert grid_of(results).rows[1] == ["5", "0", "0", "-", "-", "-", "-", "-", "-", "no record yet"]
    assert results.notes == (
        "1 of 3 cells are not finished: what they have so far counts",
        "fewer than 5 videos are too few for an interval or a p",
        # no note of different numbers of videos: the empty cell has none
    )


def test_panels_have_the_number_along_and_a_line_where_it_has_no_effect(fill: Fill, tmp_path: Path) -> None:
    design = fill({Z: (0, 5, 10), H: (1, 2), SOURCE: ("none", "graph")}, planted, videos=5)
    panels, factor, told = panels_of(read_results(tmp_path, design.file, design.spec))
    assert (factor, told) == ("retrieval.hops", ["2", "1"])  # the base's first
    assert [panel.title for panel in panels] == ["knowledge.source none", "knowledge.source graph"]
    none, graph = panels
    assert [(bool(line.level), line.points) for line in none.lines] == [(True, ())]
    assert [[at for at, _ in line.points] for line in graph.lines] == [[0, 1, 2], [0, 1, 2]]
    assert graph.shared == {design.file.cells[0].name}  # z = 0, of any number of hops
    assert graph.numbers == (0.0, 5.0, 10.0)


def test_one_at_a_time_has_a_panel_a_setting(fill: Fill, tmp_path: Path) -> None:
    design = fill({Z: (0, 5), H: (1, 2), SHOTS: (True, False)}, planted, videos=5, one_at_a_time=True)
    panels, factor, _ = panels_of(read_results(tmp_path, design.file, design.spec))
    assert factor == ""
    assert [(panel.title, panel.ticks) for panel in panels] == [
        ("retrieval.limit", ("0", "5", "10")),
        ("retrieval.hops", ("1", "2")),
        ("few_shot", ("on", "off")),
    ]
    assert [panel.numbers is None for panel in panels] == [False, False, True]


def test_the_page_needs_nothing_else_and_is_the_same_again(fill: Fill, tmp_path: Path) -> None:
    design = fill({Z: (0, 5, 10), "context.knowledge.graph": ("<b>", "starter")}, planted, videos=6)
    results = read_results(tmp_path, design.file, design.spec)
    text = render(results)
    assert text == render(results)
    assert "<b>" not in text
    assert "&lt;b&gt;" in text
    assert text.count('<circle cx="') > 6
    assert "http" not in text.replace("http-equiv", "")
    assert 'aria-label="retrieval.limit: loose score over retrieval.limit.' in text
    assert "10 70.0" in text
