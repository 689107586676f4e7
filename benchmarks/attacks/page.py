"""A replay link that unpacks to far more than any record, in a real browser."""

import base64
import runpy
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from .attack import Attack, Check, Facts, Outcome, below
from .server import Server

CHROMIUMS = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
QUIET = ("--no-sandbox", "--disable-background-networking", "--disable-component-update")
SECONDS = 2.0
PATIENCE_MS = 20_000
SIZES = {"63 KB": 48_000_000, "390 KB": 300_000_000}
"""What the links unpack to, by their own length: about a thousand times as much. With longer ones a
browser is slow by itself, whatever is in them."""
RECORD = b'[Players "2"]\n[Variant "standard"]\n[Rob "arrival"]\n[Hands "hidden"]\n[Result "*"]\n\n'


def bomb(size: int) -> str:
    """What stands behind the # of a replay link."""
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece, parts = b" " * 1_000_000, [packing.compress(RECORD)]
    parts += [packing.compress(piece) for _ in range(size // len(piece))]
    return base64.urlsafe_b64encode(b"".join([*parts, packing.flush()])).decode().rstrip("=")


def is_built(source: Path) -> bool:
    """Whether a checkout has its page, and not an older one."""
    building = runpy.run_path(str(source.parent / "hatch_build.py"))
    wanted = building["fingerprint"](*building["sources"]())
    return bool(building["is_fresh"](building["BUILT_FROM"], wanted))


class ReplayLink(Attack):
    """Somebody opens a link that was sent by somebody hostile."""

    name = "page"
    what = "a replay link of 63 KB, and of 390 KB, that unpacks to a thousand times as much"
    alone = True
    others = None

    def measured(self, server: Server) -> Outcome:
        found = next((path for path in CHROMIUMS if Path(path).exists()), None)
        if found is None:
            return Outcome({}, skipped="no Chromium here")
        if not is_built(server.source):
            return Outcome({}, skipped="the page is not built from what is here: make web")
        try:
            from playwright.sync_api import sync_playwright
        except ImportError:
            return Outcome({}, skipped="no Playwright here")
        server.start(self.program)
        seen: Facts = {}
        with sync_playwright() as playwright:
            for name, size in SIZES.items():
                browser = playwright.chromium.launch(executable_path=found, args=list(QUIET))
                url = f"http://127.0.0.1:{server.port}/replay"
                seen[f"s until {name} is answered"] = answered(browser, url, bomb(size))
                with suppress(Exception):  # a tab that is dead can't be closed in peace
                    browser.close()
        return Outcome({"links": ", ".join(SIZES)}, seen)

    def checks(self, outcome: Outcome) -> Iterator[Check]:
        for name, taken in outcome.seen.items():
            yield below(name, taken if isinstance(taken, float) else 999.0, SECONDS)


def answered(browser: Any, url: str, fragment: str) -> float | str:
    """Seconds from opening the link until the page has said a word and goes on."""
    from playwright.sync_api import Error

    page = browser.new_page(locale="en-GB")
    page.goto(url)  # so that the page itself is there
    page.get_by_role("textbox").first.wait_for()
    try:
        began = time.monotonic()
        page.evaluate("link => { location.hash = link; location.reload() }", fragment)
        page.get_by_role("alert").first.wait_for(timeout=PATIENCE_MS)
        page.evaluate("document.title")
    except Error as error:
        return str(error).splitlines()[0][:60]
    return round(time.monotonic() - began, 2)
