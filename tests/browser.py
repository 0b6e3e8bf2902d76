"""A headless Chromium for tests, driven through ChromeDriver's own protocol (W3C WebDriver) on 127.0.0.1."""

from __future__ import annotations

import base64
import contextlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--allow-file-access-from-files",
)


def chromium() -> tuple[str, str] | None:
    """The paths of a browser and its driver, if both are there."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


class Browser:
    """One window."""

    def __init__(self, client: httpx.Client, session: str) -> None:
        self._client, self._session = client, session

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        answer = self._client.request(method, f"/session/{self._session}{path}", json=body)
        value = answer.json()["value"]
        if answer.status_code != 200:
            raise AssertionError(f"{value.get('error')}: {value.get('message')}")
        return value

    def open(self, address: str) -> None:
        self._ask("POST", "/url", {"url": address})

    def run(self, script: str, *arguments: Any) -> Any:
        """Run the body of a function; returns what it returns."""
        return self._ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, condition: str, *arguments: Any) -> Any:
        """Wait until an expression is true; returns it."""
        script = (
            "const done = arguments[arguments.length - 1]; const args = [...arguments].slice(0, -1);"
            f"const look = () => {{ const found = (() => ({condition}))(); "
            "found ? done(found) : setTimeout(look, 20); }; look();"
        )
        return self._ask("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def resize(self, width: int, height: int, *, dark: bool = False, phone: bool = False) -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone}
        self.command("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.command("Emulation.setEmulatedMedia", {"features": [scheme]})

    def command(self, name: str, parameters: dict[str, Any]) -> Any:
        """One command of the DevTools protocol."""
        return self._ask("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def keys(self, key: str) -> None:
        for kind in ("keyDown", "keyUp"):
            self.command("Input.dispatchKeyEvent", {"type": kind, "key": key})

    def picture(self, path: Path, *, whole: bool = True) -> None:
        shot = self.command("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": whole})
        path.write_bytes(base64.b64decode(shot["data"]))

    def console(self) -> list[str]:
        """What was said since the last time: errors of scripts, of policies and of loading."""
        return [entry["message"] for entry in self._ask("POST", "/se/log", {"type": "browser"})]


@contextlib.contextmanager
def opened_browser() -> Generator[Browser]:
    """A browser of its own profile, which ends with the block."""
    found = chromium()
    assert found is not None
    binary, driver = found
    with tempfile.TemporaryDirectory() as profile:
        serving = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, text=True)
        assert serving.stdout is not None
        try:
            port = next(
                m[1] for line in serving.stdout if (m := re.search(r"successfully on port (\d+)", line))
            )
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False) as client:
                session = _session(client, binary, profile)
                try:
                    yield Browser(client, session)
                finally:
                    client.delete(f"/session/{session}")
        finally:
            serving.terminate()
            serving.wait(10)
            serving.stdout.close()


def _session(client: httpx.Client, binary: str, profile: str) -> str:
    options = {"binary": binary, "args": [*FLAGS, f"--user-data-dir={profile}"]}
    wanted = {
        "browserName": "chrome",
        "goog:chromeOptions": options,
        "goog:loggingPrefs": {"browser": "ALL"},
        "timeouts": {"script": 20_000, "pageLoad": 60_000},
    }
    answer = client.post("/session", json={"capabilities": {"alwaysMatch": wanted}}).json()["value"]
    assert "sessionId" in answer, answer
    return str(answer["sessionId"])
