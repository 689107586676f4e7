"""The start page proposes an opponent by the games that this device has seen."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from baghdad.bots import LEVELS

from .conftest import Visitor
from .test_access import examine

pytestmark = pytest.mark.xdist_group(__name__)


def finished(code: str, level: str, won: bool) -> dict[str, Any]:
    """A game that is over, as a device keeps it."""
    players = [{"colour": 0, "person": 1, "name": "Ann"}, {"colour": 1, "level": level}]
    summary = {"code": code, "state": "over", "at": 1, "games": 1, "people": [1], "needed": 6}
    summary |= {"players": players, "winner": 0 if won else 1, "resigned": []}
    return {"code": code, "at": 1, "summary": summary}


def start(visitor: Visitor, *games: dict[str, Any], width: int = 390) -> Page:
    page = visitor(viewport={"width": width, "height": 844})
    page.evaluate("games => localStorage.setItem('baghdad-tables', games)", json.dumps(list(games)))
    page.goto("/")
    return page


@pytest.mark.parametrize("width", [320, 390, 1366])
def test_all_opponents_can_be_chosen_by_finger_and_keyboard(visitor: Visitor, width: int) -> None:
    page = start(visitor, width=width)
    for level in LEVELS:
        radio = page.get_by_role("radio", name=level.capitalize(), exact=True)
        box = page.locator("label").filter(has=radio).bounding_box()
        assert box
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    page.get_by_role("radio", name="Maruf", exact=True).focus()
    for level in LEVELS[1:]:
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("radio", name=level.capitalize(), exact=True)).to_be_checked()
    examine(page)


def test_a_first_time_visitor_is_proposed_the_first(visitor: Visitor) -> None:
    page = start(visitor)
    expect(page.get_by_role("radio", name="Maruf", exact=True)).to_be_checked()
    expect(page.get_by_text("A good one to begin with: Maruf.")).to_be_visible()


def test_whoever_wins_is_proposed_the_next_and_can_take_it(visitor: Visitor) -> None:
    games = [finished(f"ABCDE{number}", "kasim", won=number < 3) for number in range(4)]
    page = start(visitor, *games)
    ahead = LEVELS[LEVELS.index("kasim") + 1].capitalize()
    expect(page.get_by_text(f"Won against Kasim: 3 of 4. Try {ahead}.")).to_be_visible()
    page.get_by_role("radio", name="Maruf", exact=True).check(force=True)
    page.get_by_role("button", name=f"Choose {ahead}", exact=True).click()
    expect(page.get_by_role("radio", name=ahead, exact=True)).to_be_checked()
    expect(page.get_by_role("button", name=f"Choose {ahead}", exact=True)).to_have_count(0)
