"""The page of agreement as Chromium draws it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.agreement import main
from tests.browser import chromium, opened_browser
from tests.evals.records_for_tests import scored

EVIL = "<b>x</b>&amp;"


@pytest.mark.skipif(chromium() is None, reason="needs chromium and chromedriver")
def test_it_is_drawn_in_both_schemes_and_fits_a_phone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").mkdir()
    records = [scored(f"{EVIL}{i}", loose=i % 11, types=(EVIL,)) for i in range(24)]
    (tmp_path / "run/records.jsonl").write_text("".join(record.line() + "\n" for record in records))
    rows = [f"{EVIL}{i},{EVIL},{(i * 3) % 11}" for i in range(24)]
    (tmp_path / "h.csv").write_text("\n".join(["video_id,rater,score", *rows]))
    assert main(["run", "--human", "h.csv", "--resamples", "200"]) == 0
    papers: set[str] = set()
    with opened_browser() as browser:
        for dark, phone in ((False, False), (True, False), (False, True)):
            browser.resize(390 if phone else 1200, 900, dark=dark, phone=phone)
            browser.open((tmp_path / "run/agreement.html").as_uri())
            papers.add(browser.run("return getComputedStyle(document.body).backgroundColor"))
            assert browser.run("return document.documentElement.scrollWidth") <= (390 if phone else 1200)
            sizes = browser.run(
                "return [...document.querySelectorAll('svg')].map(e => e.getBoundingClientRect().height)"
            )
            assert len(sizes) == 2
            assert min(sizes) > 200
        dot = "document.querySelector('circle.dot')"
        colors = browser.run(f"const s = getComputedStyle({dot}); return [s.fill, s.stroke]")
        tip = browser.run(f"return {dot}.querySelector('title').textContent")
        marked = browser.run("return document.querySelectorAll('main b').length")
        assert browser.console() == []
    assert len(papers) == 2
    assert "rgb(0, 0, 0)" not in colors
    assert tip == f"{EVIL}0, {EVIL}11, {EVIL}22: judge 0.00, people 0.00"
    assert marked == 0
