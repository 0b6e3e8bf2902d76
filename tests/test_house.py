"""The house rules, held by a machine: layers, sizes of files, one drawing, one test command."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGES = ("agents", "tools", "graphs", "evals")


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-c", command, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture
def copied(root: Path, tmp_path: Path) -> Path:
    """The packages and their settings, to be spoiled."""
    for package in PACKAGES:
        shutil.copytree(
            root / package, tmp_path / package, ignore=shutil.ignore_patterns("*.mp4", "__pycache__")
        )
    shutil.copy(root / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_layers_hold(copied: Path) -> None:
    done = lint(copied)
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("agents/nodes/perceive.py", "import tools.frames"),
        ("tools/hop.py", "import agents.schemas"),
        ("graphs/judge.py", "import evals.store.run_store"),
        ("graphs/variants/cot.py", "import graphs.variants.baseline"),
        ("graphs/judge.py", "import langsmith"),
    ],
)
def test_a_planted_violation_is_caught(file: str, line: str, copied: Path) -> None:
    path = copied / file
    path.write_text(path.read_text(encoding="utf-8") + f"\n{line}\n", encoding="utf-8")
    assert lint(copied).returncode == 1


def test_files_stay_short(root: Path) -> None:
    sizes = {
        str(file.relative_to(root)): len(file.read_text(encoding="utf-8").splitlines())
        for package in PACKAGES
        for file in (root / package).rglob("*.py")
    }
    assert {name: lines for name, lines in sizes.items() if lines > 300} == {}


def test_ci_runs_the_command_of_the_readme(root: Path) -> None:
    command = 'pip install -e ".[embedded,dev]" && pytest'
    assert f"\n    {command}\n" in (root / "README.md").read_text(encoding="utf-8")
    assert 'eval "$test_command"' in (root / ".ci/run").read_text(encoding="utf-8")


def test_a_package_of_the_same_name_is_named(copied: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere/agents"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text("", encoding="utf-8")
    code = "import sys; sys.path[:0] = sys.argv[1:]; import graphs"
    done = subprocess.run(
        [sys.executable, "-c", code, str(other.parent), str(copied)],
        cwd=other,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"ImportError: Python finds the package 'agents' at {other}" in done.stderr
    assert "virtual environment of its own" in done.stderr
