"""A card that pays for several things: they are grouped, and the board shows what each would do."""

import re

import pytest
from playwright.sync_api import Page, expect

from baghdad.rules.engine.actions import TOKENS

from .conftest import Visitor
from .playing import known, play_now, state, step, stepped

pytestmark = pytest.mark.xdist_group(__name__)
SIZES = ((390, 844), (320, 640), (1366, 768))
DOING = re.compile(r"(\+)(\w)\((.+)\)|(n?\w)(>>?)(\w)\((.+)\)")


def ambiguous(page: Page) -> tuple[str, str]:
    """A card and a palace for which there is more than one thing to do."""
    found: dict[tuple[str, str], set[str]] = {}
    for action in known(page)["own"]["legal"]:
        if not (match := DOING.fullmatch(TOKENS[action])):
            continue
        to, price = match[2] or match[6], match[3] or match[7]
        for card in set(price) - {"*"}:
            doing = f"{match[1] or match[5]}{match[4]}"
            found.setdefault((card, to), set()).add(doing)
    return max(found, key=lambda pair: len(found[pair]))


def open_chooser(page: Page) -> str:
    """Place guards in front of different palaces; then point at a card and a palace."""
    for palace in "RGWP":
        assert state(page) == "mine"
        before = step(page)
        field = page.locator(f"[data-palace={palace}] [data-target]")
        (field if field.count() else page.locator("[data-target]").first).click()
        stepped(page, before)
    assert state(page) == "mine"
    card, palace = ambiguous(page)
    page.locator(f'[data-piece="card {card}"]').click()
    page.locator(f"[data-palace={palace}] [data-target]").click()
    page.locator("[data-chooser]").wait_for()
    return palace


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_ways_are_grouped_and_the_board_shows_them(visitor: Visitor, size: tuple[int, int]) -> None:
    width, height = size
    page = visitor(viewport={"width": width, "height": height})
    play_now(page, 2)
    palace = open_chooser(page)
    chooser = page.locator("[data-chooser]")
    groups = chooser.get_by_role("group")
    assert groups.count() >= 1
    box = chooser.bounding_box()
    field = page.locator(f"[data-palace={palace}]").bounding_box()
    assert box
    assert field
    heading = chooser.locator("header b").bounding_box()
    assert heading
    assert heading["height"] < 44  # one line, or two at most
    if width < 900:
        assert box["height"] <= height / 3 + 1
    else:  # beside the palaces, where the log is
        right = max(
            each["x"] + each["width"]
            for each in (one.bounding_box() for one in page.locator("[data-palace]").all())
            if each
        )
        assert box["x"] >= right
    for way in chooser.locator("[data-action]").all():
        way.focus()
        token = way.get_attribute("data-action") or ""
        expect(page.locator(".enters")).to_have_attribute("data-palace", palace)
        match = DOING.fullmatch(token)
        assert match
        if match[1]:
            expect(page.locator(".leaves")).to_have_count(0)
            expect(page.locator("[data-home].selected")).to_have_count(1)
        else:
            expect(page.locator(".leaves")).to_have_attribute("data-palace", match[4][-1])
            assert page.locator(".leaves .meant").count()
        lifted = len(match[3] or match[7])
        expect(page.locator(".lifted")).to_have_count(lifted)
    before = step(page)
    chooser.locator("[data-action]:not([aria-disabled=true])").first.click()
    stepped(page, before)
    expect(chooser).to_have_count(0)
    expect(page.locator(".enters, .leaves")).to_have_count(0)
