"""For everyone: axe finds nothing on any screen, in both themes, wide and narrow."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from .conftest import ROOT, Visitor
from .playing import play_a_turn, play_now, state

pytestmark = pytest.mark.xdist_group(__name__)
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
SCREENS = [
    ({"width": 1280, "height": 800}, "light"),
    ({"width": 360, "height": 740}, "dark"),
]


def examine(page: Page, within: str = "html") -> None:
    """Let axe look at the page as it is, or at a part of it that covers others for a moment."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Path(AXE).read_text("utf-8"))
    found = page.evaluate(
        """async within => (await axe.run(within, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a',
        'wcag21aa', 'wcag22aa', 'best-practice'] })).violations.map(each =>
        each.id + ': ' + each.nodes.map(node => node.html + node.failureSummary).join(' | '))""",
        within,
    )
    assert found == []


@pytest.mark.parametrize(("viewport", "scheme"), SCREENS)
def test_axe_finds_nothing(visitor: Visitor, viewport: dict[str, int], scheme: str) -> None:
    page = visitor("/rules", viewport=viewport, color_scheme=scheme)
    page.locator("#R27").wait_for()
    examine(page)

    page.goto("/new")
    page.get_by_text("More options").click()
    examine(page)
    page.get_by_role("button", name="Set up", exact=True).click()
    page.get_by_role("heading", name="Waiting for players").wait_for()
    examine(page)

    page.goto("/")
    page.get_by_role("heading", name="My games").wait_for()
    examine(page)
    page.get_by_role("button", name="Settings").click()
    examine(page)
    page.keyboard.press("Escape")

    play_now(page, 4)
    state(page)
    examine(page)
    play_a_turn(page)
    while state(page) == "mine" and page.locator("[data-target]").count():
        play_a_turn(page)
    examine(page)
    page.locator("[data-piece^=guard].can, [data-home].can").first.click()
    examine(page)
    page.keyboard.press("Escape")
    while state(page) == "mine":
        play_a_turn(page)
    page.get_by_role("img", name="Chests").wait_for()
    examine(page)


def narrow(page: Page) -> list[str]:
    """All that can be touched and is smaller than a finger; links within text are as it is."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('button, a, select, input, summary')].flatMap(
        thing => {
          const whole = thing.matches('[type=radio]') ? thing.parentElement : thing
          const { width, height } = whole.getBoundingClientRect()
          if (!thing.checkVisibility() || thing.matches('p a, .said, .said *')) return []
          return Math.min(width, height) < 44 ? [`${thing.outerHTML} ${width} x ${height}`] : []
        })"""
    )
    return found


PHONES = [(320, 740), (360, 740), (740, 360), (568, 320), (844, 390), (932, 430)]
"""Held upright, and held flat."""


@pytest.mark.parametrize(("width", "height"), PHONES)
def test_everything_to_touch_has_room_for_a_finger(
    visitor: Visitor, width: int, height: int
) -> None:
    viewport = {"width": width, "height": height}
    page = visitor("/new", viewport=viewport, has_touch=True, is_mobile=True)
    page.get_by_text("More options").tap()
    assert narrow(page) == []
    page.goto("/")
    page.get_by_role("button", name="Play against bots").wait_for()
    assert narrow(page) == []
    play_now(page, 4)
    for _ in range(4):  # guards are placed, thieves come
        state(page)
        assert narrow(page) == []
        play_a_turn(page)
    state(page)
    page.get_by_role("button", name="Log").tap()
    page.get_by_role("button", name="The game begins").wait_for()
    assert narrow(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_whole_table_is_seen_on_a_phone_held_flat(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 740, "height": 360}, has_touch=True, is_mobile=True)
    play_now(page, 4)
    for _ in range(4):
        state(page)
        assert page.evaluate("document.documentElement.scrollHeight") <= 360
        play_a_turn(page)


@pytest.mark.parametrize("width", [320, 360, 768, 1024, 1920, 3840])
def test_nothing_scrolls_sideways(visitor: Visitor, width: int) -> None:
    page = visitor("/", viewport={"width": width, "height": 740})
    for path in ("/", "/new", "/rules"):
        page.goto(path)
        page.get_by_role("heading").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.goto("/")
    play_now(page, 4)
    state(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
