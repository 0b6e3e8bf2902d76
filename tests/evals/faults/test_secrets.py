"""No key that was planted is found anywhere after a run whose server repeats all that it was sent."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from evals.report.__main__ import main as report
from evals.run import main
from evals.store.run_store import read_records
from tests.servers.loopback import Loopback, Request, Response
from tests.servers.openai_like import OpenAILike

PLANTED = {
    "OPENAI_API_KEY": "planted-openai-0123456789abcdef",
    "GOOGLE_API_KEY": "planted-google-0123456789abcdef",
    "LANGSMITH_API_KEY": "planted-smith-0123456789abcdef",
}
USER, PASSWORD, PARAMETER = "planteduser01234", "plantedpass56789", "planted-query-0123"


def echo(request: Request) -> str:
    """All that a careless server could repeat: headers, path, and what its user's other keys might be."""
    told = [f"{name}: {value}" for name, value in request.headers.items()]
    address = f"http://{USER}:{PASSWORD}@here/?key={PARAMETER}"
    return " ".join([*PLANTED.values(), *told, request.path, address])


class Careless(OpenAILike):
    """Fails by the sample's number, with an echo of the request in the error."""

    def _answer(self, request: Request, number: int) -> Response:
        text = json.dumps(request.body)
        kind = next((i for i in range(7) if f"v{i}\\n" in text), 6)
        told = "x" * (number * 17 % 310) + " " + echo(request)  # wherever our messages are cut, a key is
        error = {"error": {"message": told, "type": told, "code": "odd", "details": told}}
        replies = {
            0: Response(error, status=500),
            1: Response(error, status=400),
            2: Response(error, status=429, headers={"retry-after": "0"}),
            3: Response(error),
            4: Response({"error": {"message": f"content_filter {told}"}}, status=400),
            5: Response({"choices": [{"message": {"role": told, "content": told}}]}),
        }
        return replies.get(kind) or super()._answer(request, number)


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch, data: Callable[[int], Path]) -> Path:
    folder = data(8)
    for name, value in PLANTED.items():
        monkeypatch.setenv(name, value)
    return folder


def found(folder: Path, *texts: str) -> list[str]:
    """Where a planted secret is, of files under a folder and of texts."""
    needles = [*PLANTED.values(), USER, PASSWORD, PARAMETER]
    held = {str(path): path.read_text("utf-8", "replace") for path in folder.rglob("*") if path.is_file()}
    held |= {f"text {i}": text for i, text in enumerate(texts)}
    return [f"{name}: {needle}" for name, text in held.items() for needle in needles if needle in text]


def run(server: Loopback, *more: str) -> int:
    flags = ["--graph", "baseline", "--model", "openai:careless", "--dataset", "ds", "--run-dir", "r"]
    return main([*flags, "--judge-k", "1", "--max-retries", "1", "--cache-dir", "kept", *more])


@pytest.mark.parametrize("user", ["", f"{USER}:{PASSWORD}@"], ids=["key", "user"])
def test_planted_keys_are_found_nowhere(
    user: str,
    planted: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    for name in ("agents", "tools", "graphs", "evals"):
        caplog.set_level(logging.DEBUG, logger=name)
    with Careless() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url.replace("://", f"://{user}"))
        monkeypatch.setenv("HTTPS_PROXY", f"http://{USER}:{PASSWORD}@127.0.0.1:9/?token={PARAMETER}")
        assert run(server) == 0
        sent = str([request.headers for request in server.requests])
        assert ("Basic" if user else PLANTED["OPENAI_API_KEY"]) in sent
    outcomes = {
        record.video_id: str(record.outcome) for record in read_records(planted / "r" / "records.jsonl")
    }
    assert outcomes["v0"] == outcomes["v2"] == outcomes["v3"] == outcomes["v5"] == "infrastructure"
    assert (outcomes["v1"], outcomes["v4"], outcomes["v6"]) == ("bad_input", "refused", "ok")
    assert main(["--run-dir", "r", "--json"]) == 0
    assert (
        report(["r", "--out", "again.html", "--csv", "r.csv", "--markdown", "r.md", "--latex", "r.tex"]) == 0
    )
    told = capsys.readouterr()
    assert "[hidden]" in told.err
    logged = [record.getMessage() for record in caplog.records if record.name.split(".")[0] in _OURS]
    assert found(planted, told.out, told.err, *logged) == []


_OURS = {"agents", "tools", "graphs", "evals"}


@pytest.mark.parametrize(
    ("address", "what"),
    [
        (f"http://{USER}@here/v1", "the user's name"),
        (f"http://{USER}:{PASSWORD}@here/v1", "the password"),
        (f"http://here/v1?api_key={PARAMETER}", "the parameter api_key"),
    ],
)
@pytest.mark.parametrize("flag", ["--base-url", "--judge-base-url"])
def test_an_address_with_a_secret_is_refused_and_not_repeated(
    address: str, what: str, flag: str, planted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--graph", "baseline", "--model", "openai:m", "--judge-model", "openai:j", "--dataset", "ds"]
    assert main([*given, flag, address, "--run-dir", "r"]) == 2
    told = capsys.readouterr()
    assert what in told.err
    assert found(planted, told.out, told.err) == []
