"""A server of its own, and a real browser that looks at it."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from baghdad.server.runtime.bot_pool import READY_SECONDS
from support.programs import load

ROOT = Path(__file__).parents[2]
CHROMIUMS = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
"""The system's own; where there is none, the one that Playwright downloads."""
QUIET = ("--no-sandbox", "--disable-background-networking", "--disable-component-update")
SETTINGS = '{"pace": "off", "sound": false}'
EXPECTED = ("WebSocket", "Cross-Origin-Opener-Policy")
"""Complaints that are none: a connection that comes back, and plain HTTP between two machines."""
SLOWEST = 1000 * (READY_SECONDS + 30)
"""Milliseconds that anything may take to appear: longer than the server waits for a bot whose
process begins anew, since on a busy machine one may be late."""
expect.set_options(timeout=SLOWEST)


class Served:
    """`baghdad serve` in a process, which can be stopped and started again."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self.data = data
        self.arguments = arguments
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> str:
        command = [sys.executable, "-m", "baghdad", "--lang", "en", "serve"]
        command += ["--port", str(self.port), "--data", str(self.data)]
        with (self.data / "log.txt").open("a") as log:
            self.process = subprocess.Popen(
                [*command, "--tables-per-client", "1000", *self.arguments],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        assert self.process.stdout
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                return self.address
        raise AssertionError((self.data / "log.txt").read_text())

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        assert self.process
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(SLOWEST / 1000)
        if self.process.stdout:
            self.process.stdout.close()


def build_page() -> None:
    load("hatch_build.py").build()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    build_page()
    server = Served(tmp_path_factory.mktemp("games"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Gone at the end of each file: as long as it lives, no test of others can run a loop."""
    found = next((path for path in CHROMIUMS if Path(path).exists()), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(QUIET))
        yield browser
        browser.close()


Visitor = Callable[..., Page]


@pytest.fixture
def visitor(chromium: Browser, served: Served) -> Iterator[Visitor]:
    """Opens browsers of their own; afterwards none of them may have complained.

    Except of what a test forgives: browsers complain of every refusal, such as "status of 404".
    """
    complaints: list[str] = []
    with ExitStack() as stack:

        def come(path: str | None = "/", *forgiven: str, **options: Any) -> Page:
            options = {"locale": "en-GB", "reduced_motion": "reduce", **options}
            # It would fetch the whole page in every test; `test_offline.py` is about it.
            options.setdefault("service_workers", "block")
            context: BrowserContext = chromium.new_context(base_url=served.address, **options)
            stack.callback(context.close)
            context.set_default_timeout(SLOWEST)
            context.add_init_script(
                f"localStorage['baghdad-settings'] ??= JSON.stringify({SETTINGS})"
            )
            page = context.new_page()
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on(
                "console",
                lambda said: (
                    complaints.append(said.text)
                    if said.type == "error"
                    and not any(each in said.text for each in (*EXPECTED, *forgiven))
                    else None
                ),
            )
            if path is not None:
                page.goto(path)
            return page

        yield come
    assert not complaints
