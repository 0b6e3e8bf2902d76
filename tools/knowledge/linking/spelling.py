"""British spelling to American, since the graph's names are in the latter."""

# ruff: noqa: SIM905  (a list of words reads better as text)

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["american"]

#: Words that no ending tells apart from others, British:American.
_BRITISH: dict[str, str] = {
    pair.partition(":")[0]: pair.partition(":")[2]
    for pair in """
    aeroplane:airplane aluminium:aluminum armour:armor artefact:artifact behaviour:behavior
    calibre:caliber candour:candor centre:center clamour:clamor
    colour:color coloured:colored colourful:colorful colourless:colorless cosy:cozy counsellor:counselor
    defence:defense demeanour:demeanor disfavour:disfavor endeavour:endeavor
    favour:favor favourite:favorite fervour:fervor fibre:fiber flavour:flavor fulfilment:fulfillment
    grey:gray greyish:grayish greyness:grayness harbour:harbor honour:honor humour:humor
    jeweller:jeweler jewellery:jewelry kerb:curb labour:labor licence:license litre:liter lustre:luster
    manoeuvre:maneuver marvellous:marvelous meagre:meager metre:meter mitre:miter mould:mold
    mouldy:moldy moult:molt moustache:mustache neighbour:neighbor neighbourhood:neighborhood odour:odor
    offence:offense parlour:parlor plough:plow pretence:pretense programme:program pyjamas:pajamas
    rancour:rancor rigour:rigor rumour:rumor sabre:saber saviour:savior sceptic:skeptic sceptre:scepter
    sepulchre:sepulcher skilful:skillful smoulder:smolder sombre:somber spectre:specter
    splendour:splendor sulphur:sulfur theatre:theater traveller:traveler
    travelling:traveling tumour:tumor tyre:tire valour:valor vapour:vapor vigour:vigor wilful:willful
    woollen:woolen
    """.split()
}
#: Words in -ise that are not the British form of one in -ize.
_KEEP_ISE = frozenset(
    """
    advertise advise anise arise braise bruise chemise clockwise comprise compromise concise cruise demise
    despise devise disguise enterprise excise exercise expertise franchise guise improvise likewise
    merchandise mortise noise otherwise paradise poise porpoise praise precise premise promise raise
    revise rise sunrise supervise surmise surprise televise tortoise treatise turquoise valise vise wise
    """.split()
)


@lru_cache(maxsize=65_536)
def american(text: str) -> str:
    """A normal form in American spelling, word by word.

    >>> american("grey harbours"), american("organised colour"), american("sunrise")
    ('gray harbors', 'organized color', 'sunrise')
    """
    return re.sub(r"[^\s-]+", lambda word: _american_word(word.group()), text)


def _american_word(word: str) -> str:
    if word in _BRITISH:
        return _BRITISH[word]
    if word.endswith("s") and word[:-1] in _BRITISH:
        return _BRITISH[word[:-1]] + "s"
    if found := re.fullmatch(r"(\w{3,}[^aeious]|\w{3,}al)is(e|es|ed|ing|ation|ations|er|ers)", word):
        stem, ending = found.groups()
        kept = f"{stem}ise" in _KEEP_ISE or any(f"{stem}ise".endswith(keep) for keep in ("wise", "rise"))
        return word if kept else f"{stem}iz{ending}"
    return word
