"""The eight types, by whatever name a person gives them."""

from __future__ import annotations

import pytest

from agents.errors import UserError
from agents.metaphor_types import MetaphorType


def test_the_keys_of_the_published_files() -> None:
    assert [(t.value, t.short) for t in MetaphorType] == [
        ("Body_Language", "BL"),
        ("Atmosphere_Language", "AL"),
        ("Cultural_Symbol", "CS"),
        ("Naturalistic_Symbol", "NS"),
        ("Causal_Montage", "CM"),
        ("Analogical_Montage", "AM"),
        ("Surreal_Narrative", "SN"),
        ("Performative_Narrative", "PN"),
    ]
    assert len({t.definition for t in MetaphorType}) == 8


@pytest.mark.parametrize("text", ["CM", "cm", "Causal_Montage", "causal montage", "CAUSAL-MONTAGE", " cm "])
def test_names_that_are_understood(text: str) -> None:
    assert MetaphorType.parse(text) is MetaphorType.CAUSAL_MONTAGE


def test_an_unknown_name_gets_the_nearest_and_all() -> None:
    with pytest.raises(UserError) as caught:
        MetaphorType.parse("causal_montag")
    assert "Did you mean Causal_Montage?" in str(caught.value)
    assert "Performative_Narrative (PN)" in str(caught.value)
