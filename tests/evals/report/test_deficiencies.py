"""The picture of deficiencies: parts that make up the whole bar, and words for those who don't see it."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from evals.report.charts import DeficiencyBar, deficiencies

LABELS = ("wrong recognition", "missing mapping", "superficial mapping", "improper mapping")


def test_parts_make_up_the_bar() -> None:
    drawn = str(deficiencies([DeficiencyBar("a <run>", (12.5, 50.0, 37.5, 0.0), "1.20 a sample")], LABELS))
    root = ET.fromstring(drawn)
    parts = [
        each for each in root.iter("rect") if each.get("height") == "22" and "fill" in each.get("class", "")
    ]
    assert [float(each.get("width", "")) + 1 for each in parts] == [55, 220, 165]
    assert re.findall(r">([\d.]+)</text>", drawn) == ["12.5", "50.0", "37.5"]
    assert "a &lt;run&gt;" in drawn
    assert "missing mapping 50.0" in root.get("aria-label", "")


def test_a_run_without_any_is_drawn_too() -> None:
    assert "perfect: none" in str(deficiencies([DeficiencyBar("perfect", ())], LABELS))
