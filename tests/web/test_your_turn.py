"""Whose turn it is: said once when it comes, and not taken back while the line is down."""

import re

import pytest
from playwright.sync_api import expect

from .conftest import Visitor
from .playing import play_a_turn, play_now, settled, state, step, stepped

pytestmark = pytest.mark.xdist_group(__name__)
SPOKEN = """() => {
  window.spoken = []
  const region = document.querySelector('[aria-live=assertive]')
  new MutationObserver(() => region.textContent && window.spoken.push(region.textContent))
    .observe(region, { childList: true, characterData: true, subtree: true })
}"""


def test_it_is_my_turn_while_the_line_is_down(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    play_now(page, 2)
    for _ in range(4):
        state(page)
        play_a_turn(page)
    state(page)
    line = page.get_by_role("region", name="Turn")
    before = step(page)
    settled(page)
    page.context.set_offline(True)
    expect(page.locator("[data-state=lost]")).to_be_visible()
    expect(line).to_contain_text("Your turn")
    expect(line).to_contain_text("There is no connection")
    page.locator("[data-end]").first.click()
    expect(line).to_contain_text("Your move is waiting for the connection")
    expect(line).to_contain_text("Your turn")
    expect(line).not_to_contain_text(re.compile(r"\.\w"))  # sentences stand apart
    expect(page.locator("[data-mine=false]")).to_have_count(1)  # nothing more can be done now
    page.context.set_offline(False)
    stepped(page, before)


def test_the_own_turn_is_spoken_once(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    play_now(page, 2)
    state(page)
    page.evaluate(SPOKEN)
    for turn in range(5):  # four guards, then a whole turn
        assert len(page.evaluate("window.spoken")) == turn
        play_a_turn(page)
        state(page)
    assert set(page.evaluate("window.spoken")) == {"It is your turn."}
    page.locator("[data-piece^=guard].can, [data-home].can").first.click()
    page.keyboard.press("Escape")
    assert len(page.evaluate("window.spoken")) == 5


def test_the_log_says_you_to_whoever_takes_something_back(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 1366, "height": 768})
    play_now(page, 2)
    while state(page) == "mine" and page.locator("[data-target]").count():
        play_a_turn(page)
    before = step(page)
    page.locator("[data-piece^=guard].can, [data-home].can").first.click()
    page.locator("[data-target]").first.click()
    page.wait_for_function(
        """step => document.querySelector('[data-action]')
            || Number(document.querySelector('[data-step]').dataset.step) > step""",
        arg=before,
    )
    if page.locator("[data-action]").count():
        page.locator("[data-action]").first.click()
    stepped(page, before)
    page.get_by_role("button", name="Take back").click()
    log = page.get_by_role("group", name="Log").get_by_role("list")
    expect(log).to_contain_text("You take your last action back")
    expect(log).not_to_contain_text("Guest")
