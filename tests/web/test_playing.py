"""Whole games in a real browser: by mouse, by touch, by keyboard alone, by typed moves."""

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute

from baghdad.rules.engine.actions import TOKENS

from .conftest import Visitor
from .playing import known, play_a_turn, play_now, quicken, state, step, stepped, type_a_turn

pytestmark = pytest.mark.xdist_group(__name__)


def ending(page: Page) -> None:
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("heading").first.wait_for()
    assert dialog.get_by_role("row").count() >= 3
    dialog.get_by_role("img", name="Chests").wait_for()
    dialog.get_by_role("button", name="Was the deal fair?").click()
    dialog.get_by_text("fair: every card follows").wait_for()


def test_a_game_by_mouse(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    quicken(page)
    play_now(page, 2)
    while state(page) == "mine":
        play_a_turn(page, lambda thing: thing.click())
    ending(page)
    page.get_by_role("button", name="Play again").click()
    page.get_by_role("heading", name="Waiting for players").wait_for()
    page.get_by_role("button", name="Begin the game").click()
    page.locator("[data-palace]").first.wait_for()


def test_a_game_by_touch_on_a_phone(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    quicken(page)
    play_now(page, 4)
    while state(page) == "mine":
        play_a_turn(page, lambda thing: thing.tap())
    ending(page)


def focused(page: Page, selector: str) -> bool:
    return bool(page.evaluate("s => document.activeElement?.matches(s) ?? false", selector))


WAY = """thing => {
  const here = document.activeElement
  if (here === thing) return ''
  const before = thing.compareDocumentPosition(here) & Node.DOCUMENT_POSITION_FOLLOWING
  return before && here !== document.body ? 'Shift+Tab' : 'Tab'
}"""


def walk_to(page: Page, thing: Locator) -> None:
    """Press Tab, or Shift and Tab, until a thing has the focus."""
    for _ in range(100):
        way = thing.evaluate(WAY)
        if not way:
            return
        page.keyboard.press(way)
    raise AssertionError(f"{thing} is not reached by Tab")


def test_a_game_by_keyboard_alone(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    quicken(page)
    walk_to(page, page.get_by_role("radio", name="2", exact=True))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    walk_to(page, page.get_by_role("button", name="Play against bots"))
    page.keyboard.press("Enter")
    page.locator("[data-palace]").first.wait_for()

    def use(thing: Locator) -> None:
        walk_to(page, thing)
        page.keyboard.press("Enter")
        assert not focused(page, "body"), "focus was lost"

    while state(page) == "mine":
        play_a_turn(page, use)
    ending(page)


def test_a_game_by_typed_moves(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    play_now(page, 3)
    while state(page) == "mine":
        type_a_turn(page)
    ending(page)


def test_what_is_typed_while_a_move_travels_is_the_next_move(visitor: Visitor) -> None:
    page = visitor(None, viewport={"width": 1280, "height": 800})
    held: list[str | bytes] = []

    def hold_the_first_answer(browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if not held and '"answer"' in str(message):
                held.append(message)
            else:
                browser.send(message)

        server.on_message(pass_on)
        page.expose_function("letGo", lambda: browser.send(held[0]))

    page.route_web_socket("**", hold_the_first_answer)
    page.goto("/")
    play_now(page, 2)
    assert state(page) == "mine"
    before = step(page)
    page.keyboard.press("/")
    page.keyboard.insert_text(TOKENS[known(page)["own"]["legal"][0]])
    page.keyboard.press("Enter")
    stepped(page, before)  # its event is here, its answer is not
    page.keyboard.insert_text("X9")
    page.keyboard.press("Enter")
    page.keyboard.insert_text("R")
    page.evaluate("letGo()")
    page.wait_for_function("() => document.querySelector('[data-typed]').value === 'R X9'")
