"""A second tap at the same place does nothing that can't be taken back, by the page's own clock."""

import re
from collections.abc import Callable
from itertools import groupby

import pytest
from playwright.sync_api import Locator, Page, expect

from baghdad.rules.engine.actions import TOKENS

from .conftest import Visitor
from .playing import known, play_now, step, stop_the_clock

pytestmark = pytest.mark.xdist_group(__name__)
DELAYS = (50, 150, 400, 700, 1000)
"""Milliseconds from the first tap to the second."""
LONG = 2_000
"""Milliseconds after which no tap is a slip; with much more the page would give up the line."""
WAYS = [(way, pace) for way in ("mouse", "touch") for pace in ("calm", "off")]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}

Tap = Callable[[float, float], None]


def come(visitor: Visitor, way: str, pace: str) -> Page:
    """Somebody whose clock can be stopped, before the first page."""
    motion = "reduce" if pace == "off" else "no-preference"
    page = visitor(None, reduced_motion=motion, **(PHONE if way == "touch" else DESK))
    page.clock.install(time=0)
    page.add_init_script(
        f"""localStorage['baghdad-settings'] = '{{"pace": "{pace}", "sound": false}}'"""
    )
    listen(page)
    return page


def sit(visitor: Visitor, way: str, pace: str) -> tuple[Page, Tap]:
    """A game for two whose clock stands still, and what taps at a place at once."""
    page = come(visitor, way, pace)
    page.goto("/")
    play_now(page, 2)
    stop_the_clock(page)
    rest(page)
    return page, page.touchscreen.tap if way == "touch" else page.mouse.click


def listen(page: Page) -> None:
    """Let the page count the events that it hears, and note whether it can act."""
    page.add_init_script(
        """Object.assign(window, { heard: 0, legal: 0 })
        const told = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage')
        Object.defineProperty(WebSocket.prototype, 'onmessage', { ...told, set(handler) {
          told.set.call(this, event => {
            handler.call(this, event)
            const { number, shown, own } = JSON.parse(event.data)
            window.heard = Math.max(window.heard, number ?? 0)
            if (shown) window.legal = own?.legal.length ?? 0
          })
        } })"""
    )


def heard(page: Page) -> int:
    return int(page.evaluate("window.heard"))


def answered(page: Page, since: int = 0) -> None:
    """Wait until the bot has played and the page has heard of it, whether it shows it or not."""
    page.wait_for_function("since => window.heard > since && window.legal", arg=since)


def rest(page: Page) -> None:
    """Let everything be shown, and as much time pass as anybody may need."""
    answered(page)
    for _ in range(20):
        page.clock.run_for(700)
        if page.locator("[data-settled=true]").count():
            break
    page.clock.run_for(LONG)
    expect(page.locator("[data-settled=true]")).to_have_count(1)


def middle(thing: Locator) -> tuple[float, float]:
    thing.scroll_into_view_if_needed()
    box = thing.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def unplaced(page: Page) -> int:
    found = known(page)
    return sum(found["shown"]["unplaced"][found["own"]["seat"]])


def place(page: Page, tap: Tap, delay: int, where: str = "[data-palace={}] [data-target]") -> None:
    """Place a guard where there is room for another one, with a tap too many."""
    guards = known(page)["shown"]["guards"]
    roomy = min(range(6), key=lambda palace: sum(guards[palace]))
    before = unplaced(page)
    at = middle(page.locator(where.format("RGWPYB"[roomy])))
    number = heard(page)
    tap(*at)
    answered(page, number)
    page.clock.run_for(delay)
    tap(*at)
    rest(page)
    assert unplaced(page) == before - 1, f"placed twice after {delay} ms"


def several_ways(page: Page) -> tuple[str, str]:
    """From where to where a guard can go, paid in several ways; dancers may have to come first."""
    moves = [TOKENS[action] for action in known(page)["own"]["legal"]]
    moves = [token for token in moves if re.fullmatch(r"\w>\w\(.\)", token)]
    for (start, _, goal), found in groupby(sorted(moves), key=lambda token: token[:3]):
        if len(list(found)) > 1:
            return start, goal
    raise LookupError


def confirm(page: Page, tap: Tap, delay: int) -> None:
    """Move a guard and pay in one of several ways, with a tap too many at each."""
    start, goal = several_ways(page)
    seat = known(page)["own"]["seat"]
    before = step(page)
    tap(*middle(page.locator(f"[data-piece='guard {start} {seat}']").first))
    at = middle(page.locator(f"[data-palace={goal}] [data-target]"))
    ways = page.locator("[data-action]")
    tap(*at)
    expect(ways.first).to_be_visible()
    page.clock.run_for(delay)
    tap(*at)
    page.clock.run_for(LONG)
    expect(ways.first).to_be_visible()
    assert step(page) == before, f"paid unasked after {delay} ms"

    at = middle(ways.first)
    tap(*at)
    page.wait_for_function(
        "n => Number(document.querySelector('[data-step]').dataset.step) > n", arg=before
    )
    page.clock.run_for(delay)
    tap(*at)
    page.clock.run_for(LONG)
    expect(ways).to_have_count(0)
    assert step(page) == before + 1, f"went on unasked after {delay} ms"
    page.keyboard.press("u")
    page.wait_for_function(
        "n => Number(document.querySelector('[data-step]').dataset.step) > n", arg=before + 1
    )
    rest(page)


def end(page: Page, tap: Tap, delay: int) -> None:
    """End the turn, with a tap too many."""
    turn = known(page)["shown"]["turn"]
    at = middle(page.locator("[data-end]").first)
    number = heard(page)
    tap(*at)
    answered(page, number)
    page.clock.run_for(delay)
    tap(*at)
    rest(page)
    assert known(page)["shown"]["turn"] == turn + 2, f"a turn was lost after {delay} ms"


@pytest.mark.parametrize(("way", "pace"), WAYS)
def test_a_second_tap_does_nothing(visitor: Visitor, way: str, pace: str) -> None:
    page, tap = sit(visitor, way, pace)
    for delay in DELAYS[:4]:
        place(page, tap, delay)
    for delay in DELAYS:
        end(page, tap, delay)
    while True:
        try:
            several_ways(page)
            break
        except LookupError:  # more cards are needed
            end(page, tap, 50)
    for delay in DELAYS:
        confirm(page, tap, delay)


@pytest.mark.parametrize(("way", "pace"), WAYS)
def test_a_late_second_tap_places_nothing(visitor: Visitor, way: str, pace: str) -> None:
    page, tap = sit(visitor, way, pace)
    place(page, tap, DELAYS[4])


@pytest.mark.parametrize("pace", ["calm", "off"])
def test_nor_does_it_on_a_phone_that_is_a_hand(visitor: Visitor, pace: str) -> None:
    screen = visitor("/", **DESK)
    screen.get_by_role("link", name="Couch").click()
    screen.get_by_role("button", name="Set up", exact=True).click()
    phone = come(visitor, "touch", pace)
    phone.goto(screen.get_by_label("Link to this table").input_value())
    phone.get_by_label("Your name").fill("Amira")
    phone.get_by_role("button", name="Sit down").tap()
    expect(screen.get_by_role("list").get_by_text("Amira", exact=True)).to_be_visible()
    screen.get_by_label("Chair 2").select_option("kasim")
    screen.get_by_role("button", name="Begin the game").click()
    phone.locator("[data-mine]").wait_for()
    stop_the_clock(phone)
    rest(phone)
    for delay in DELAYS[:4]:
        place(phone, phone.touchscreen.tap, delay, "[data-action='@{}']")
    for delay in DELAYS:
        end(phone, phone.touchscreen.tap, delay)
