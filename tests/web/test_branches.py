"""What was tried from a game is kept on the device, by name, and can be passed on as a link."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from baghdad.text import LANGUAGES

from .conftest import Visitor
from .playing import play_a_turn, state
from .test_access import examine, narrow
from .test_giving_up import DESK, PHONE
from .test_review_on_page import GAME, PLACED, open_review, word

pytestmark = pytest.mark.xdist_group(__name__)
LONGEST_LINK = 2048


def tried(page: Page, name: str, language: str = "en", step: int = PLACED) -> None:
    """A game goes on from a step, and a turn is played there."""
    page.get_by_label(word("replay.slider", language)).fill(str(step))
    review = page.locator(".review")
    review.get_by_role("button", name=word("try", language)).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label(word("branch.name", language)).fill(name)
    assert narrow(page) == []
    examine(page)
    dialog.get_by_role("button", name=word("try.play", language)).click()
    page.wait_for_url(re.compile(r"/t/0\w+$"))
    assert state(page) == "mine"
    play_a_turn(page)
    assert state(page) in ("mine", "over")


def paste(page: Page, record: str) -> None:
    """In any language."""
    page.get_by_role("textbox").fill(record)
    page.locator("form button.act").click()
    page.locator("[data-palace]").first.wait_for()


def listed(page: Page, language: str = "en") -> Locator:
    open_review(page, language)
    return page.get_by_role("region", name=word("branch.list", language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_kept_by_its_name_and_passed_on(visitor: Visitor, language: str) -> None:
    page = visitor("/replay", viewport={**PHONE, "width": 360}, locale=language)
    paste(page, GAME)
    replay = page.url
    open_review(page, language)
    tried(page, 'A "guard" in red', language)
    # Among my games as what it is.
    page.goto("/")
    named = word("branch.named", language).format(name='A "guard" in red')
    expect(page.get_by_text(named)).to_be_visible()
    # Beside the game that it has left.
    page.goto(replay)
    page.reload()
    branches = listed(page, language)
    expect(branches.get_by_role("link")).to_have_text('A "guard" in red')
    assert narrow(page) == []
    examine(page)
    button = branches.get_by_role("button")
    button.nth(1).click()
    branches.get_by_role("textbox").fill("Better")
    page.keyboard.press("Enter")
    expect(branches.get_by_role("link")).to_have_text("Better")
    button.nth(2).click()
    link = page.get_by_role("dialog").locator("[data-link]")
    link.wait_for()
    examine(page)
    address = link.input_value()
    assert len(address) < LONGEST_LINK
    page.keyboard.press("Escape")
    button.first.click()
    expect(page.get_by_label(word("replay.slider", language))).to_have_value(str(PLACED))
    # On another device.
    other = visitor(f"/replay#{address.partition('#')[2]}", viewport=DESK, locale=language)
    other.locator("[data-palace]").first.wait_for()
    here = other.get_by_text(word("branch.here", language).format(name="Better"))
    expect(here).to_have_count(0)
    other.keyboard.press("End")
    expect(here).to_be_visible()
    examine(other)
    other.get_by_role("button", name=word("branch.start", language)).click()
    slider = other.get_by_label(word("replay.slider", language))
    expect(slider).to_have_value(str(PLACED))
    assert int(slider.get_attribute("max") or 0) > PLACED + 1


def test_what_is_erased_is_no_branch_any_more_and_each_game_has_its_own(visitor: Visitor) -> None:
    page = visitor("/replay", viewport=DESK)
    paste(page, GAME)
    replay = page.url
    open_review(page)
    for name in ("one", "two"):
        tried(page, name)
        page.goto(replay)
        page.reload()
        listed(page)
    expect(page.get_by_role("region", name="Tried").get_by_role("link")).to_have_text(
        ["two", "one"]
    )
    page.goto("/")
    row = page.locator("[data-game]").filter(has_text="Tried out: two")
    row.get_by_role("button", name=re.compile("Remove|Take")).click()
    page.goto(replay)
    page.reload()
    expect(listed(page).get_by_role("link")).to_have_text(["one"])
    page.goto("/replay")
    paste(page, GAME.replace("=WYR\n", "=WYB\n"))
    open_review(page)
    expect(page.get_by_role("region", name="Tried")).to_have_count(0)
