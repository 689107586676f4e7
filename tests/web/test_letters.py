"""Palaces are shown by emblem and name: letters are only for typing, and explained there."""

import pytest
from playwright.sync_api import Page, expect

from baghdad.rules.engine.material import PALACE_LETTERS
from baghdad.text import LANGUAGES, catalogue

from .conftest import Visitor
from .playing import play_a_turn, state
from .test_replay import RECORD

pytestmark = pytest.mark.xdist_group(__name__)
LONE = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = []
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim()
    if (/^[RGWPYB]$/.test(text)) found.push(walker.currentNode.parentElement.outerHTML)
  }
  return found
}"""


def names_and_emblems(page: Page, language: str) -> None:
    """Every palace has its name and its emblem, and nothing anywhere is a letter alone."""
    for letter in PALACE_LETTERS:
        frieze = page.locator(f"[data-palace={letter}] .frieze")
        expect(frieze).to_have_text(catalogue("web", language)[f"palace.{letter}"])
        expect(frieze.locator(".emblem")).to_be_visible()
    assert page.evaluate(LONE) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_boards_cards_and_hands_have_no_letters(visitor: Visitor, language: str) -> None:
    page = visitor("/replay", locale=language, viewport={"width": 390, "height": 844})
    page.locator("textarea").fill(RECORD)
    page.locator("form button.act").click()
    page.locator("[data-palace]").first.wait_for()
    page.get_by_role("slider").fill("60")
    names_and_emblems(page, language)


def test_prices_show_emblems_and_the_box_for_typing_explains_letters(visitor: Visitor) -> None:
    page = visitor("/", locale="de-DE", viewport={"width": 1366, "height": 768})
    page.locator("button.go").click()
    page.locator("[data-palace]").first.wait_for()
    while not page.locator("[data-piece^='guard'].can").count():
        assert state(page) == "mine"
        if page.locator("[data-piece^='guard'].can").count():
            break
        play_a_turn(page)  # places a guard
    names_and_emblems(page, "de")
    page.locator("[data-piece^='guard'].can").first.click()
    chips = page.locator("[data-target] .chip")
    expect(chips.first).to_be_visible()
    assert chips.count() == page.locator("[data-target] .chip svg, .chip.joker").count()
    names_and_emblems(page, "de")
    explained = catalogue("web", "de")["letters"]
    assert all(f"{letter} " in explained for letter in PALACE_LETTERS)
    expect(page.locator("[data-typed]")).to_have_accessible_description(explained)
    expect(page.get_by_text(explained)).to_be_visible()
    page.get_by_role("button", name=catalogue("web", "de")["settings"], exact=True).click()
    page.locator("dialog summary").click()
    expect(page.get_by_role("dialog").get_by_text("Y Gelb")).to_be_visible()
