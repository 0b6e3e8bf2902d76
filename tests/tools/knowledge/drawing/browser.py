"""A headless Chromium that is talked to through a pipe, in its own protocol, and reaches no network."""

from __future__ import annotations

import base64
import fcntl
import itertools
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe"),
)
_PATIENCE = 60.0


class Browser:
    """One page; commands are answered in order, events are kept."""

    def __init__(self, folder: Path) -> None:
        assert CHROMIUM
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        # The protocol wants the numbers 3 and 4, which may be taken here.
        high = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (theirs_in, theirs_out)]

        def hand_over() -> None:
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self._process = subprocess.Popen(
            [CHROMIUM, *_FLAGS, f"--user-data-dir={folder / 'profile'}", "about:blank"],
            env={**os.environ, "HOME": str(folder), "DBUS_SESSION_BUS_ADDRESS": ""},
            pass_fds=(3, 4),
            preexec_fn=hand_over,  # noqa: PLW1509 - no threads between fork and exec
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in (theirs_in, theirs_out, *high):
            os.close(end)
        self._in, self._out = ours_in, ours_out
        self._numbers = itertools.count(1)
        self._held = b""
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", session="", url="about:blank")["targetId"]
        self._session = ""
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, *, session: str | None = None, **params: Any) -> dict[str, Any]:
        """A command's result."""
        number = next(self._numbers)
        own = getattr(self, "_session", "") if session is None else session
        told = {"id": number, "method": method, "params": params, **({"sessionId": own} if own else {})}
        os.write(self._out, json.dumps(told).encode() + b"\0")
        while (message := self._message()).get("id") != number:
            self.events.append(message)
        assert "error" not in message, message
        return message["result"]

    def _message(self) -> dict[str, Any]:
        end = time.monotonic() + _PATIENCE
        while b"\0" not in self._held:
            ready, _, _ = select.select([self._in], [], [], max(end - time.monotonic(), 0))
            part = os.read(self._in, 1 << 20) if ready else b""
            assert part, "the browser does not answer"
            self._held += part
        message, _, self._held = self._held.partition(b"\0")
        return json.loads(message)

    def size(self, width: int, height: int, *, dark: bool = False, phone: bool = False) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=phone,
        )
        self.call("Emulation.setTouchEmulationEnabled", enabled=phone, maxTouchPoints=2)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def open(self, file: Path) -> None:
        self.events.clear()
        self.call("Page.navigate", url=file.as_uri())
        end = time.monotonic() + _PATIENCE
        while self.run("document.readyState + location.protocol") != "completefile:":
            assert time.monotonic() < end
            time.sleep(0.05)
        # Two frames later whatever observes sizes has run.
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def run(self, script: str) -> Any:
        """What an expression of JavaScript comes to."""
        told = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def key(self, key: str) -> None:
        text = {"text": "\r" if key == "Enter" else key} if len(key) == 1 or key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        params = {"type": kind, "x": x, "y": y, **more}
        self.call("Input.dispatchMouseEvent", **params)

    def click(self, x: float, y: float) -> None:
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def faults(self) -> list[dict[str, Any]]:
        """Exceptions, whatever was logged as an error, and requests to anything but a file."""
        logged = [
            one for one in self.events if one["method"] in {"Runtime.exceptionThrown", "Log.entryAdded"}
        ]
        asked = [one for one in self.events if one["method"] == "Network.requestWillBeSent"]
        return logged + [
            one for one in asked if not one["params"]["request"]["url"].startswith(("file:", "data:"))
        ]

    def picture(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def close(self) -> None:
        self.call("Browser.close", session="")
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._in)
        os.close(self._out)
