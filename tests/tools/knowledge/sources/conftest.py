"""Sources in small: a slice in ConceptNet's own format, texts, and a cache that is not the user's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ROWS = (
    ("/r/RelatedTo", "/c/en/candle/n", "/c/en/wax", 2.0),
    ("/r/RelatedTo", "/c/en/candle", "/c/en/wax/n/wn/substance", 1.0),
    ("/r/SymbolOf", "/c/en/candle", "/c/en/hope", 1.0),
    ("/r/UsedFor", "/c/en/candle", "/c/en/giving_light", 1.0),
    ("/r/Causes", "/c/en/hope", "/c/en/patience", 4.0),
    ("/r/Antonym", "/c/en/hope", "/c/en/despair", 1.0),
    ("/r/FormOf", "/c/en/candles", "/c/en/candle", 1.0),
    ("/r/dbpedia/genre", "/c/en/candle", "/c/en/elegy", 1.0),
    ("/r/Synonym", "/c/fr/bougie", "/c/en/candle", 1.0),
    ("/r/Synonym", "/c/zh/蜡烛", "/c/en/candle", 1.0),
    ("/r/ExternalURL", "/c/en/candle", "http://example.org/candle", 1.0),
    ("/r/RelatedTo", "/c/en/candle/v", "/c/en/candle/n", 1.0),
)


def conceptnet_line(relation: str, start: str, end: str, weight: object) -> str:
    """A row as ConceptNet writes it."""
    about = {"dataset": "/d/test", "license": "cc:by-sa/4.0", "sources": [], "weight": weight}
    return "\t".join([f"/a/[{relation}/,{start}/,{end}/]", relation, start, end, json.dumps(about)])


@pytest.fixture
def conceptnet(tmp_path: Path) -> Path:
    path = tmp_path / "conceptnet-slice.csv"
    path.write_text("\n".join(conceptnet_line(*row) for row in ROWS) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    path = tmp_path / "said.txt"
    path.write_text(
        "A candle burns down like a life. The wilted flowers told of her grief! He burned his bridges.\n"
        "蜡烛像时间一样燃尽。他在桥上等待。\n"
        "A candle burns down like a life.\n",
        encoding="utf-8",
    )
    return path
