"""The eight types of metaphor in MetaphorVU-Bench (paper, section 3), defined in our words."""

from __future__ import annotations

import difflib
from enum import StrEnum

from agents.errors import UserError

__all__ = ["MetaphorType"]


class MetaphorType(StrEnum):
    """How a video says what it does not show. The value is the key used in data files."""

    BODY_LANGUAGE = "Body_Language"
    ATMOSPHERE_LANGUAGE = "Atmosphere_Language"
    CULTURAL_SYMBOL = "Cultural_Symbol"
    NATURALISTIC_SYMBOL = "Naturalistic_Symbol"
    CAUSAL_MONTAGE = "Causal_Montage"
    ANALOGICAL_MONTAGE = "Analogical_Montage"
    SURREAL_NARRATIVE = "Surreal_Narrative"
    PERFORMATIVE_NARRATIVE = "Performative_Narrative"

    @property
    def short(self) -> str:
        """The paper's abbreviation, for narrow tables."""
        return _SHORT[self]

    @property
    def definition(self) -> str:
        """One sentence that says what counts as this type."""
        return _DEFINITIONS[self]

    @classmethod
    def parse(cls, text: str) -> MetaphorType:
        """Read a type key, its abbreviation, or its name with spaces, in any case.

        Raises:
            UserError: when it is none of these; the message gives the nearest.
        """
        wanted = text.strip().replace(" ", "_").replace("-", "_").casefold()
        for member in cls:
            if wanted in (member.value.casefold(), member.short.casefold()):
                return member
        near = difflib.get_close_matches(wanted, [m.value.casefold() for m in cls], n=1, cutoff=0.5)
        hint = next((f" Did you mean {m.value}?" for m in cls if near and m.value.casefold() == near[0]), "")
        known = ", ".join(f"{m.value} ({m.short})" for m in cls)
        raise UserError(f"{text!r} is no metaphor type.{hint} Known: {known}.")


_SHORT = {
    MetaphorType.BODY_LANGUAGE: "BL",
    MetaphorType.ATMOSPHERE_LANGUAGE: "AL",
    MetaphorType.CULTURAL_SYMBOL: "CS",
    MetaphorType.NATURALISTIC_SYMBOL: "NS",
    MetaphorType.CAUSAL_MONTAGE: "CM",
    MetaphorType.ANALOGICAL_MONTAGE: "AM",
    MetaphorType.SURREAL_NARRATIVE: "SN",
    MetaphorType.PERFORMATIVE_NARRATIVE: "PN",
}

_DEFINITIONS = {
    MetaphorType.BODY_LANGUAGE: (
        "A posture, gesture, gaze or facial expression carries an inner state or a relation between people "
        "that nobody puts into words."
    ),
    MetaphorType.ATMOSPHERE_LANGUAGE: (
        "Light, color, weather, framing and pace set a mood that stands for a feeling or a judgment "
        "about what is shown."
    ),
    MetaphorType.CULTURAL_SYMBOL: (
        "An object, dress, rite or figure means something because a culture has agreed that it does."
    ),
    MetaphorType.NATURALISTIC_SYMBOL: (
        "An animal, a plant, a season or a force of nature stands for a trait, a fate or a stage of life."
    ),
    MetaphorType.CAUSAL_MONTAGE: (
        "Shots are cut together so that one appears to bring about the next, and the chain of cause and "
        "consequence is the argument."
    ),
    MetaphorType.ANALOGICAL_MONTAGE: (
        "Shots of unlike things are set against each other so that their likeness, or their contrast, "
        "says what one thinks of both."
    ),
    MetaphorType.SURREAL_NARRATIVE: (
        "Events that can't happen, or that break the rules of the everyday world, make an idea visible."
    ),
    MetaphorType.PERFORMATIVE_NARRATIVE: (
        "A staged story, role play or act is performed from start to end in place of what it comments on."
    ),
}
