"""With forced colours, as in Windows' high contrast, every state is still there to be seen."""

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Visitor
from .playing import play_now, state, step, stepped

pytestmark = pytest.mark.xdist_group(__name__)
FORCED: dict[str, Any] = {"forced_colors": "active", "viewport": {"width": 1366, "height": 768}}
LINES = """element => {
  const style = getComputedStyle(element)
  return [style.borderTopWidth, style.borderTopStyle, style.borderTopColor,
          style.borderBottomWidth, style.borderBottomColor,
          style.outlineStyle !== 'none' && `${style.outlineStyle} ${style.outlineWidth}`].join(' ')
}"""


def lines(found: Locator) -> str:
    """All lines around an element: borders and outline, which forced colours leave alone."""
    drawn = found.first.evaluate(LINES)
    assert isinstance(drawn, str)
    return drawn


def test_radio_rows_and_pressed_buttons(visitor: Visitor) -> None:
    page = visitor("/new", **FORCED)
    row = page.get_by_role("group", name="How many play?").locator("label")
    assert lines(row.nth(0)) != lines(row.nth(1))  # two players are chosen
    page.get_by_role("button", name="Set up", exact=True).click()
    colours = page.locator(".colour")
    colours.first.wait_for()
    assert lines(page.locator(".colour[aria-pressed=true]")) != lines(
        page.locator(".colour[aria-pressed=false]")
    )


def test_turn_pieces_targets_and_tabs(visitor: Visitor) -> None:
    page = visitor("/", **FORCED)
    play_now(page, 2)
    while state(page) == "mine" and page.locator("[data-target]").count():
        target = page.locator("[data-target]").first
        assert "5px solid" in lines(target)
        before = step(page)
        target.click()
        stepped(page, before)
    assert state(page) == "mine"
    boards = page.locator("[data-player]")
    assert lines(page.locator("[data-player].turn")) != lines(
        page.locator("[data-player]:not(.turn)")
    )
    expect(boards).to_have_count(2)
    tabs = page.locator(".tabs button")
    assert lines(tabs.nth(0)) != lines(tabs.nth(1))
    piece = page.locator("[data-piece^=guard].can").first
    other = page.locator("[data-piece^=guard]:not(.can)")
    free = lines(piece)
    assert "dashed" in free
    if other.count():
        assert free != lines(other)
    card = page.locator("[data-piece^=card].can").first
    waiting = lines(card)
    assert "dashed" in waiting
    card.click()
    page.locator("[data-target]").first.wait_for()
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    assert lines(card) != waiting
    assert "solid" in lines(page.locator("[data-target]"))
    # Drawings keep their colours: marks of seats, lanterns that are lit and those that are out.
    for drawing in (".lanterns svg", "[data-player] .mark svg"):
        adjusted = page.locator(drawing).first.evaluate(
            "each => getComputedStyle(each).forcedColorAdjust"
        )
        assert adjusted == "none"
