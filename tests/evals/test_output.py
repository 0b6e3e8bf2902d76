"""Words that nobody can be given are no reason to end paid work, and never end up in a file of the run."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evals.output import Output

ROOT = Path(__file__).parents[2]

SPEAKS = """
import sys
from evals.output import Output, open_streams
open_streams()
with open("records", "w") as file:
    Output().warn("a warning")
    Output().result("table", "a table")
    Output(as_json=True).event("end", code=0)
    file.write(str(file.fileno() > 2))
"""


@pytest.mark.skipif(os.name == "nt", reason="a shell closes streams otherwise")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_lead_to_nowhere(closed: str, tmp_path: Path) -> None:
    (tmp_path / "speaks.py").write_text(SPEAKS, encoding="utf-8")
    command = ["sh", "-c", f'exec "$0" speaks.py {closed}', sys.executable]
    done = subprocess.run(command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False)
    assert done.returncode == 0
    assert (tmp_path / "records").read_text() == "True"


class _Full(io.StringIO):
    def flush(self) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_log_that_takes_no_more_words_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", _Full())
    out = Output()
    out.warn("a warning")
    out.of("cot-a").say("another")
    assert not isinstance(sys.stderr, _Full)
    sys.stderr.close()
