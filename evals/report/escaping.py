"""Text of anyone's in a table: CSV, Markdown and LaTeX, where nothing in it is taken for markup."""

from __future__ import annotations

import unicodedata

__all__ = ["csv_cell", "latex", "markdown"]

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_cell(text: str) -> str:
    """With an apostrophe in front where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def markdown(text: str) -> str:
    """On one line, with nothing that ends a cell or is markup."""
    flat = " ".join(text.split())
    return "".join(f"\\{letter}" if letter in "\\|*_`<>[]" else letter for letter in flat)


_LATEX = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "·": r"\textperiodcentered{}",
    '"': "''", "[": "{[}", "]": "{]}", "†": r"\dag{}",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
}  # fmt: skip


def latex(text: str) -> str:
    """On one line; brackets are in braces, since one at the start of a row would be an option of the last."""
    flat = " ".join(text.split())
    flat = "".join(letter for letter in flat if unicodedata.category(letter)[0] != "C")
    escaped = "".join(_LATEX.get(letter, letter) for letter in flat)
    return escaped.replace("--", "-{}-").replace("--", "-{}-")  # two hyphens would be a dash
