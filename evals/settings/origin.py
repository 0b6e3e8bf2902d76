"""Where a run comes from: the state of its code, and the machine; saved with it, and never slow."""

from __future__ import annotations

import os
import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pydantic import BaseModel, ConfigDict

__all__ = ["Checkout", "Origin", "origin"]

_LIBRARIES = (
    "metaphorboost",
    "langgraph",
    "langchain-core",
    "langchain-openai",
    "langchain-google-genai",
    "pydantic",
    "av",
    "tiktoken",
)
_SECONDS = 2.0  # a repository that takes longer to tell is left untold
_CODE = Path(__file__).resolve().parents[2]


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Checkout(_Kept):
    """A git repository when a run was started.

    Attributes:
        folder: its top.
        commit: its head, in full.
        dirty: whether tracked files differ from it; None where that could not be told in time.
    """

    folder: str
    commit: str
    dirty: bool | None = None


class Origin(_Kept):
    """What a start of a run was made with.

    Attributes:
        versions: of Python and of the libraries that can change an answer, this project among them.
        code: the checkout that this project runs from; None where it was installed otherwise.
        work: the repository that holds the working directory, where it is another; None without one.
        platform: system, machine and Python's kind.
    """

    versions: dict[str, str] = {}
    code: Checkout | None = None
    work: Checkout | None = None
    platform: dict[str, str] = {}


def origin() -> Origin:
    """What this process would start a run with; git is asked for a few seconds at most."""
    top = _top(Path.cwd())
    code = _code()
    work = _checkout(top) if top is not None and top != _CODE else None
    return Origin(versions=versions(), code=code, work=work, platform=_platform())


@cache
def _code() -> Checkout | None:
    """The checkout of this project, as this process found it: what has been imported does not change."""
    return _checkout(_CODE) if (_CODE / ".git").exists() else None


def versions() -> dict[str, str]:
    """Versions of Python and of the libraries that can change an answer; absent ones are left out."""
    found = {"python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _platform() -> dict[str, str]:
    return {
        "system": platform.platform(),
        "machine": platform.machine(),
        "python": platform.python_implementation(),
    }


def _top(folder: Path) -> Path | None:
    """The top of the repository that holds a folder; no process is started to find it."""
    folder = folder.resolve()
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)


def _checkout(top: Path) -> Checkout | None:
    commit = _git(top, "rev-parse", "--verify", "HEAD")
    if not commit:
        return None
    changed = _git(top, "status", "--porcelain", "--untracked-files=no", "--ignore-submodules")
    return Checkout(folder=str(top), commit=commit, dirty=None if changed is None else bool(changed))


def _git(top: Path, *arguments: str) -> str | None:
    """What git says; None where there is no git, it refuses, or it takes too long.

    Its file-system monitor stays off: a repository's own settings could make it start any program.
    """
    command = ["git", "-C", str(top), "-c", "core.fsmonitor=false", *arguments]
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and no word of a user's
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
            env=env | {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
