"""Pictures of every main screen, as phones, tablets and desktops show them: `docs/screens/`.

Run `python tools/screens.py` after `make web`. A real server, a real browser, a real game: the seat
in front plays through the server's API, so that all pictures of a size tell the same story.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from baghdad import new_rng
from baghdad.bots import Budget, decide, make_bot
from baghdad.client import Table

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "screens"
SIZES = ((360, 740), (740, 360), (1024, 768), (1920, 1080))
SCHEMES = ("light", "dark")
FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
HOME = {"addresses": ["http://192.168.1.20:8080"], "public": None, "open": True}
MOVES = 16
"""Into the middle of a game: thieves in courtyards, a chest or two gone."""


class Story:
    """One game, seen at many sizes: tables at its turning points."""

    def __init__(self, base: str) -> None:
        self.base = base
        bots = [{"kind": "bot", "level": level} for level in ("dalila", "kasim", "ali")]
        self.gathering = self._table(bots[:1], players=3)
        self.middle = self._table(bots, players=4, start="order")
        self.middle.start()
        self.play(self.middle, MOVES)
        self.over = self._table(bots[1:2], players=2, start="order")
        self.over.start()
        self.play(self.over, 1000)
        self.screen = self._table([], players=2)

    def _table(self, chairs: list[dict[str, str]], **agreement: Any) -> Table:
        return Table.create(self.base, "Amira", chairs=chairs, **agreement)

    def play(self, table: Table, most: int) -> None:
        """Let the heuristic play the seat, until it is its turn again after `most` actions."""
        bot, played = make_bot("heuristic"), 0
        for view, legal in table.turns():
            if played >= most:
                return
            for action in decide(bot, view, legal, Budget(), new_rng(played)):
                table.play(action)
                played += 1


def visit(browser: Browser, story: Story, table: Table | None, **options: Any) -> Page:
    """A page that holds the seat of a table."""
    context = browser.new_context(
        base_url=story.base, locale="en-GB", reduced_motion="reduce", **options
    )
    # As in somebody's living room: what this machine is called is nobody's business.
    context.route("**/api/server*", lambda route: route.fulfill(json=HOME))
    if table is not None:
        context.add_cookies(
            [
                {
                    "name": f"baghdad-{table.code}",
                    "value": table.secret,
                    "domain": "127.0.0.1",
                    "path": f"/api/tables/{table.code}",
                }
            ]
        )
    return context.new_page()


def settings(page: Page, **values: str) -> None:
    page.add_init_script(f"localStorage['baghdad-settings'] = JSON.stringify({values!r})")


def at(path: str, ready: str) -> Callable[[Page], None]:
    def show(page: Page) -> None:
        page.goto(path)
        page.locator(ready).first.wait_for()

    return show


def choosing(table: Table) -> Callable[[Page], None]:
    """A turn with a guard in hand: where it can go, and what that costs."""

    def show(page: Page) -> None:
        at(f"/t/{table.code}", "[data-palace]")(page)
        page.locator(".can[data-piece*=guard]").first.click()

    return show


def back_home(table: Table) -> Callable[[Page], None]:
    """The start page of somebody who has a game."""

    def show(page: Page) -> None:
        at(f"/t/{table.code}", "[data-palace]")(page)
        at("/", ".mine li")(page)

    return show


def what_for(table: Table) -> Callable[[Page], None]:
    """A card in hand, and all that it could pay for at a palace."""

    def show(page: Page) -> None:
        at(f"/t/{table.code}", "[data-palace]")(page)
        page.locator(".can[data-piece^=card]").first.click()
        page.locator("[data-target]").first.click()

    return show


def halfway(path: str) -> Callable[[Page], None]:
    """A replay in the middle of its game."""

    def show(page: Page) -> None:
        at(path, "[data-palace]")(page)
        steps = page.locator("input[type=range]")
        steps.fill(str(int(steps.get_attribute("max") or 0) // 2))

    return show


def all_options(page: Page) -> None:
    """A new table with everything that can be agreed on."""
    at("/new", "main button")(page)
    page.locator("main summary").click()


def screens(story: Story) -> dict[str, tuple[Table | None, Callable[[Page], None]]]:
    """Every main screen by name: whose it is, and how to get there."""
    over = story.over.code
    return {
        "start": (None, at("/", "main button")),
        "my-games": (story.middle, back_home(story.middle)),
        "new-table": (None, all_options),
        "gathering": (story.gathering, at(f"/t/{story.gathering.code}", "main button")),
        "turn": (story.middle, at(f"/t/{story.middle.code}", "[data-palace]")),
        "choosing": (story.middle, choosing(story.middle)),
        "what-for": (story.middle, what_for(story.middle)),
        "ending": (story.over, at(f"/t/{over}", "[data-palace]")),
        "replay": (story.over, halfway(f"/t/{over}/replay")),
        "rules": (None, at("/rules", "#R12")),
        "learn": (None, at("/learn", "main button")),
        "screen": (story.screen, at(f"/t/{story.screen.code}/screen", "main")),
        "couch": (None, at(f"/t/{story.middle.code}/screen", "[data-palace]")),
        "hand": (story.middle, at(f"/t/{story.middle.code}/hand", "[data-card]")),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only these screens")
    parser.add_argument("--into", type=Path, default=FOLDER)
    options = parser.parse_args()
    options.into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        command = [sys.executable, "-m", "baghdad", "--lang", "en", "serve", "--port", "0"]
        server = subprocess.Popen([*command, "--data", data], stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None, "it was piped"
        base = next(word for word in server.stdout.readline().split() if "://" in word)
        system = Path("/usr/bin/chromium")
        browser = playwright.chromium.launch(
            executable_path=system if system.exists() else None, args=list(FLAGS)
        )
        try:
            story = Story(base.rstrip("/"))
            for name, (table, show) in screens(story).items():
                if options.names and name not in options.names:
                    continue
                for width, height in SIZES:
                    for scheme in SCHEMES:
                        page = visit(
                            browser,
                            story,
                            table,
                            viewport={"width": width, "height": height},
                            color_scheme=scheme,
                            has_touch=width < 500,
                            is_mobile=width < 500,
                        )
                        show(page)
                        page.wait_for_load_state("networkidle")
                        path = options.into / f"{name}-{width}x{height}-{scheme}.jpg"
                        page.screenshot(path=path, type="jpeg", quality=72)
                        page.context.close()
                print(name, file=sys.stderr)
        finally:
            browser.close()
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
