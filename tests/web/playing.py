"""How the tests' own player plays: by what lights up on the screen."""

import datetime
import re
import time
from functools import cache
from typing import Any, Protocol
from weakref import WeakSet

from playwright.sync_api import Error, Locator, Page

from baghdad.bots import Bot, Budget, make_bot
from baghdad.rules.engine.actions import TOKENS
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.position import view_from_shown

from .conftest import SLOWEST

STATE = """() => {
  if (document.querySelector('dialog[open]')) return 'over'
  return document.querySelector('[data-mine]')?.dataset.mine === 'true' ? 'mine' : null
}"""
TO_LIFT = 1200
"""Milliseconds in which a second tap does nothing: the longest that anything waits on the page."""
STEPPED = """step => document.querySelector('.cover')
  || Number(document.querySelector('[data-step]')?.dataset.step) > step"""


def state(page: Page) -> str:
    """Wait for the own turn, or for the end."""
    found = page.wait_for_function(STATE).json_value()
    assert isinstance(found, str)
    return found


def step(page: Page) -> int:
    return int(page.locator("[data-step]").get_attribute("data-step") or 0)


def stepped(page: Page, since: int) -> None:
    """Wait until something has happened."""
    page.wait_for_function(STEPPED, arg=since)


_QUICK: WeakSet[Page] = WeakSet()


def quicken(page: Page) -> None:
    """For whole games: the page's clock jumps over the moments in which nothing can be pressed."""
    page.clock.install()
    _QUICK.add(page)


def stop_the_clock(page: Page) -> None:
    """Pause the page's clock as soon as can be; it has to be installed.

    That jumps to a moment which must not be over when it is heard of. From far beyond, the page
    would give up the line, on which nothing may have come for a while.
    """
    for ahead in (500, 2_000, 8_000):
        soon = page.evaluate("ahead => Date.now() + ahead", ahead) / 1000
        try:
            page.clock.pause_at(datetime.datetime.fromtimestamp(soon, datetime.UTC))
        except Error:  # the machine is busy
            continue
        return
    raise AssertionError("the clock can't be stopped in time")


def settled(page: Page, what: str = "[data-settled=true]") -> None:
    """Wait until what can't be taken back may be pressed: not in the moment in which it comes."""
    if page in _QUICK:
        page.clock.fast_forward(TO_LIFT)
    page.locator(what).first.wait_for(state="attached")


def play_now(page: Page, players: int, level: str = "Kasim") -> None:
    """From the start page to the table."""
    page.get_by_role("radio", name=str(players), exact=True).check(force=True)
    page.get_by_role("radio", name=level, exact=True).check(force=True)
    page.get_by_role("button", name="Play against bots").click()
    page.locator("[data-palace]").first.wait_for()


class Patience:
    """Of a loop that waits for what comes in many steps, each of which may take its time.

    A round of bots has dozens of them: on a slow machine all together take longer than any one may.
    """

    def __init__(self) -> None:
        self._seen: object = None
        self._end = 0.0

    def spend(self, seen: object) -> None:
        """Fail where what is `seen` has been the same for as long as anything may take."""
        now = time.monotonic()
        if seen != self._seen or not self._end:
            self._seen, self._end = seen, now + SLOWEST / 1000
        assert now < self._end, f"nothing has happened since {seen}"


class Hand(Protocol):
    """How a thing on the screen is used."""

    def __call__(self, thing: Locator, /) -> None: ...


def play_a_turn(page: Page, use: Hand = Locator.click) -> None:
    """Smuggle what can be smuggled, carry what can be carried, and end the turn."""
    while state(page) == "mine":
        if page.locator("[data-kind=tip]").count():  # read, and out of the way
            page.locator("[data-kind=tip]").get_by_role("button").last.click()
        before = step(page)
        if page.locator("[data-target]").count():  # guards are being placed
            settled(page)
            use(page.locator("[data-target]").first)
            stepped(page, before)
            return
        piece = page.locator("[data-home].can, [data-piece^=thief].can").first
        if not piece.count():
            ends = page.locator("[data-end]")
            settled(page)
            use(ends.last)
            stepped(page, before)
            return
        use(piece)
        use(page.locator("[data-target]").first)
        payment = page.locator("[data-action]").first
        page.wait_for_function(
            """step => document.querySelector('[data-action]')
                || Number(document.querySelector('[data-step]').dataset.step) > step""",
            arg=before,
        )
        if payment.count():
            settled(page, "[data-action]:not([aria-disabled=true])")
            use(payment)
        stepped(page, before)


def type_move(page: Page, token: str) -> None:
    before = step(page)
    if not page.locator("[data-typed]:focus").count():
        page.keyboard.press("/")
    page.keyboard.insert_text(token)
    page.keyboard.press("Enter")
    stepped(page, before)


@cache
def good_player() -> Bot:
    return make_bot("dalila")


def code_of(page: Page) -> str:
    """The code of the table that a page looks at."""
    found = re.search(r"/(?:t|learn)/([^/?#]+)", page.url)
    assert found
    return found[1]


def known(page: Page) -> Any:
    """What the server tells the visitor of the table."""
    return page.request.get(f"/api/tables/{code_of(page)}").json()


def type_a_turn(page: Page) -> None:
    """Play as a good player would, with moves typed in."""
    shown = known(page)
    own = shown["own"]
    view = view_from_shown(shown["shown"], own["seat"], own["hand"])
    chosen = good_player().choose(view, own["legal"], Budget(simulations=1), new_rng(page.url))
    for action in [chosen] if isinstance(chosen, int) else chosen:
        type_move(page, TOKENS[action])
