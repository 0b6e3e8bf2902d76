"""``sweep.json``: what a directory of runs varies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.errors import UserError
from evals.store.folders import SWEEP_FILE

__all__ = ["SavedCell", "SweepFile"]

_LAYOUT = 1


class _Saved(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SavedCell(_Saved):
    """One cell.

    Attributes:
        name: its folder.
        chosen: its values by full dotted setting; what has no effect in it is not there.
    """

    name: str
    chosen: dict[str, Any]


class SweepFile(_Saved):
    """What is varied, and the cells that came of it.

    Attributes:
        version: of this layout.
        factors: every value of each setting, by full dotted name.
        words: how settings were called by whoever asked.
        one_at_a_time: each setting is varied alone, around the base.
        base: values that were named for what cells are compared with; the rest are the run's own.
        cells: in the order of the table.
    """

    version: int = Field(default=_LAYOUT, ge=1, le=_LAYOUT)
    factors: dict[str, tuple[Any, ...]]
    words: dict[str, str] = Field(default_factory=dict)
    one_at_a_time: bool = False
    base: dict[str, Any] = Field(default_factory=dict)
    cells: tuple[SavedCell, ...] = ()

    @classmethod
    def read(cls, folder: Path) -> SweepFile | None:
        """Read that of a directory; None where there is none.

        Raises:
            UserError: when it is none, or of a layout that this version doesn't know.
        """
        path = folder / SWEEP_FILE
        try:
            return cls.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValidationError) as error:
            told = str(error.errors()[0]["msg"]) if isinstance(error, ValidationError) else str(error)
            raise UserError(f"{path} can't be read ({told}); give another --run-dir.") from error

    def text(self) -> str:
        """As a file, for people too."""
        return json.dumps(self.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"

    def word(self, name: str) -> str:
        """What a setting is called."""
        return self.words.get(name, name.removeprefix("context."))
