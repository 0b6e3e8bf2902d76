"""The command as its user meets it, with stub graphs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evals.store.folders import run_folders
from evals.store.run_store import read_records
from evals.sweep import main
from tests.browser import Browser, chromium, opened_browser
from tests.evals.sweeping.conftest import Fill
from tests.evals.sweeping.test_design import SOURCE, H, Z
from tests.evals.sweeping.test_results import planted

HOPS = ("--over", "max_hops=2,4")
Run = Callable[..., int]
MakeSet = Callable[..., None]
Said = pytest.CaptureFixture[str]


def stub(graph: str = "graph") -> tuple[str, ...]:
    name = f"tests.evals.stubs:{graph}"
    return (
        "--graph",
        name,
        "--model",
        "stub:m",
        "--judge-model",
        "stub:j",
        "--dataset",
        "ds",
        "--run-dir",
        "r",
    )


@pytest.fixture(autouse=True)
def _stubs(run: Run) -> None:
    """A stub judge and no resources."""


def numbers() -> list[int]:
    return [len(list(read_records(each / "records.jsonl"))) for each in run_folders(Path("r"))]


def asked() -> int:
    return len(Path("asked").read_text().splitlines())


def test_one_table_and_one_page_and_nothing_is_asked_again(make_set: MakeSet, capsys: Said) -> None:
    make_set(*"abcdef")
    assert main([*stub(), *HOPS, "--quiet"]) == 0
    said = capsys.readouterr()
    assert "max_hops" in said.out
    assert "stubs-graph-m-max_hops-2\n===" not in said.out  # no table of each cell
    assert "from the base, max_hops 4, paired by video" in said.out
    assert numbers() == [6, 6]
    names = {"run.json", "run.lock", "sweep.csv", "sweep.html", "sweep.json", "sweep.md"}
    assert names == {each.name for each in Path("r").iterdir() if each.is_file()}
    before = asked()
    assert main(["--run-dir", "r"]) == 0
    assert capsys.readouterr().out == said.out
    assert main(["--run-dir", "r", "--base", "max_hops=2"]) == 0
    assert "from the base, max_hops 2" in capsys.readouterr().out
    assert main(["--run-dir", "r", "--limit", "2"]) == 0  # shows all that there is
    assert "max_hops" in capsys.readouterr().out
    assert main(["--run-dir", "r", "--latex"]) == 0
    assert r"\begin{tabular}" in capsys.readouterr().out
    assert main(["--run-dir", "r", "--csv"]) == 0
    assert capsys.readouterr().out == Path("r/sweep.csv").read_text()
    assert asked() == before


def test_a_budget_is_the_whole_sweeps_and_it_goes_on(make_set: MakeSet, capsys: Said) -> None:
    make_set("a", "b", "c")
    flags = (*stub("asking"), *HOPS, "--concurrency", "1", "--max-tokens-total", "1000")
    assert main([*flags]) == 4
    said = capsys.readouterr()
    assert "python -m evals.sweep --run-dir r --max-tokens-total" in said.err
    assert "2 of 2 cells are not finished" in said.out
    assert numbers() == [1, 1]
    assert main(["--run-dir", "r", "--max-tokens-total", "100000"]) == 0
    assert numbers() == [3, 3]


def test_more_epochs_that_are_cut_short_are_not_taken_for_complete(make_set: MakeSet) -> None:
    make_set("a", "b")
    assert main([*stub("asking"), *HOPS]) == 0
    assert main(["--run-dir", "r", "--epochs", "2", "--max-tokens-total", "1"]) == 4
    assert main(["--run-dir", "r", "--max-tokens-total", "100000"]) == 0
    assert numbers() == [4, 4]


def test_what_failed_runs_again_and_too_many_failures_are_an_exit_code(
    make_set: MakeSet, capsys: Said
) -> None:
    make_set("a", "provider-b")
    assert main([*stub(), *HOPS, "--fail-on-error", "10%"]) == 5
    assert "provider-b: ProviderError in interpret: 429" in capsys.readouterr().err
    before = asked()
    assert main(["--run-dir", "r", "--retry-errors"]) == 0
    assert asked() == before + 2


def test_other_settings_and_other_directories_are_refused(make_set: MakeSet, capsys: Said, run: Run) -> None:
    make_set("a")
    assert main([*stub(), *HOPS]) == 0
    for argv, says in (
        ((*stub(), *HOPS, "--temperature", "0.1"), "temperature was 0.7 and would be 0.1"),
        (("--run-dir", "r", "--temperature", "0.1"), "--temperature without --graph"),
        (("--run-dir", "none"), "none holds no run to continue"),
        ((*stub()[:-1], "s"), "Nothing is varied"),
        ((*stub(), *HOPS, "--base", "max_hops=9"), "the sweep has no 9; it has 2, 4"),
    ):
        capsys.readouterr()
        assert main([*argv]) == 2
        assert says in capsys.readouterr().err
    run(*stub()[:-1], "single")
    assert main([*stub()[:-1], "single", *HOPS]) == 2
    assert "single holds a run that is no sweep" in capsys.readouterr().err
    assert not Path("s").exists()


def test_events_end_with_all_figures(make_set: MakeSet, capsys: Said) -> None:
    make_set("a")
    assert main([*stub(), *HOPS, "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (sweep,) = [event for event in events if event["event"] == "sweep"]
    assert [cell["chosen"] for cell in sweep["cells"]] == [{"max_hops": 2}, {"max_hops": 4}]
    ends = [event["cell"] for event in events if event["event"] == "end"]
    assert ends == [cell["cell"] for cell in sweep["cells"]]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if chromium() is None:
        pytest.skip("needs chromium and chromedriver")
    with opened_browser() as opened:
        yield opened


@pytest.mark.slow
def test_the_page_fits_a_phone_and_breaks_no_policy(browser: Browser, fill: Fill, tmp_path: Path) -> None:
    from evals.sweeping.page import write_page
    from evals.sweeping.results import read_results

    design = fill({Z: (0, 5, 10), H: (1, 2), SOURCE: ("none", "graph")}, planted, videos=6)
    write_page(read_results(tmp_path, design.file, design.spec), "loose", tmp_path / "sweep.html")
    for width, phone in ((1360, False), (390, True)):
        browser.resize(width, 900, dark=phone, phone=phone)
        browser.open((tmp_path / "sweep.html").as_uri())
        assert browser.run("return document.documentElement.scrollWidth") <= width
        assert browser.run("return document.querySelectorAll('figure svg').length") == 2
        color = "return getComputedStyle(document.querySelector('.way.s0')).stroke"
        assert browser.run(color) == ("rgb(255, 154, 98)" if phone else "rgb(180, 67, 13)")
    assert browser.console() == []
