"""What a person can choose about the own turn: safety, comfort, speed, sound and order."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from baghdad.rules.engine.actions import ACTION_OF, TOKENS

from .conftest import Visitor
from .playing import known, play_a_turn, play_now, quicken, settled, state, step, stepped, type_move
from .test_access import examine, narrow
from .test_second_tap import DELAYS, middle

pytestmark = pytest.mark.xdist_group(__name__)
DESK = {"viewport": {"width": 1280, "height": 800}}


def sit(visitor: Visitor, before: Callable[[Page], object] | None = None, **chosen: Any) -> Page:
    """A game for two with chosen settings."""
    motion = "no-preference" if "pieces" in chosen else "reduce"
    page = visitor(None, reduced_motion=motion, **DESK)
    wanted = json.dumps({"pace": "off", "sound": False, **chosen})
    page.add_init_script(f"localStorage['baghdad-settings'] = '{wanted}'")
    if before:
        before(page)
    quicken(page)
    page.goto("/")
    play_now(page, 2)
    return page


def place_guards(page: Page) -> None:
    for _ in range(4):
        state(page)
        play_a_turn(page)
    state(page)


def something_to_do(page: Page) -> str:
    """Do nothing until a thief could act, and return how."""
    while True:
        legal: list[str] = [TOKENS[action] for action in known(page)["own"]["legal"]]
        if found := next((token for token in legal if token.startswith("+")), None):
            return found
        type_move(page, "-")
        state(page)


def test_the_end_of_a_turn_is_confirmed(visitor: Visitor) -> None:
    page = sit(visitor, confirm="thieves")
    place_guards(page)
    something_to_do(page)
    before = step(page)
    question = page.get_by_role("group", name="More is possible")
    button = page.locator("[data-end]").first
    x, y = middle(button)
    for delay in DELAYS:
        settled(page)
        page.mouse.click(x, y)
        expect(question).to_be_visible()
        page.clock.fast_forward(delay)
        page.mouse.click(x, y)
        page.keyboard.press("Enter") if delay < 600 else None
        expect(question).to_be_visible()
        assert step(page) == before, f"ended after {delay} ms"
        page.clock.fast_forward(2000)
        question.get_by_role("button", name="Keep playing").click()
        expect(question).to_have_count(0)
    examine(page)
    button.click()
    examine(page)
    question.get_by_role("button", name="End turn").click()
    stepped(page, before)


def test_nobody_is_asked_when_thieves_can_do_nothing_more(visitor: Visitor) -> None:
    page = sit(visitor, lambda page: only(page, ".", "-"), confirm="thieves")
    place_guards(page)
    settled(page)
    before = step(page)
    page.keyboard.press("e")
    stepped(page, before)


def only(page: Page, *left: str) -> None:
    """Let the page believe that of a turn's actions some are left at most."""
    kept = {ACTION_OF[token] for token in left} | {ACTION_OF[f"@{palace}"] for palace in "RGWPYB"}

    def change(browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            told = json.loads(message)
            if told.get("own"):
                told["own"]["legal"] = [each for each in told["own"]["legal"] if each in kept]
            browser.send(json.dumps(told))

        server.on_message(pass_on)

    page.route_web_socket("**", change)


def test_a_turn_without_anything_to_do_ends_by_itself(visitor: Visitor) -> None:
    page = sit(visitor, lambda page: only(page, ".", "-"), autoEnd=True)
    place_guards(page)
    line = page.get_by_role("region", name="Turn")
    # One in which nothing was possible from the beginning says so, and waits.
    expect(line).to_contain_text("Your cards aren’t enough for anything now")
    before = step(page)
    for _ in range(5):
        page.clock.fast_forward(3000)
    assert step(page) == before

    token = something_to_do(page)
    type_move(page, token)
    expect(line).to_contain_text("ends by itself")
    page.clock.fast_forward(1000)
    before = step(page)
    page.get_by_role("button", name="Take back").click()
    stepped(page, before)
    before = step(page)
    page.clock.fast_forward(5000)
    assert step(page) == before

    type_move(page, token)
    expect(line).to_contain_text("ends by itself")
    before = step(page)
    page.clock.fast_forward(2100)
    stepped(page, before)


def test_it_is_said_when_nothing_more_can_be_done(visitor: Visitor) -> None:
    page = sit(visitor, lambda page: only(page, ".", "-"))
    place_guards(page)
    line = page.get_by_role("region", name="Turn")
    expect(line).to_contain_text("Your cards aren’t enough for anything now")
    type_move(page, something_to_do(page))
    expect(line).to_contain_text("Nothing more is possible: end your turn")
    before = step(page)
    page.clock.fast_forward(5000)
    assert step(page) == before


FLIGHTS = """const { animate } = Element.prototype
window.lasted = []
Element.prototype.animate = function (frames, timing) {
  window.lasted.push(timing.duration)
  return animate.call(this, frames, timing)
}"""


@pytest.mark.parametrize(("speed", "lasts"), [("slow", 480), ("fast", 110), ("none", None)])
def test_pieces_travel_as_fast_as_one_likes(
    visitor: Visitor, speed: str, lasts: int | None
) -> None:
    page = sit(visitor, lambda page: page.add_init_script(FLIGHTS), pieces=speed)
    state(page)
    page.evaluate("window.lasted = []")
    play_a_turn(page)
    state(page)
    assert set(page.evaluate("window.lasted")) == ({lasts} if lasts else set())


def cards(page: Page) -> list[str]:
    return [
        str(piece.get_attribute("data-piece")).split()[1]
        for piece in page.locator("[data-piece^=card]").all()
    ]


def test_cards_lie_as_one_likes(visitor: Visitor) -> None:
    page = sit(visitor, board="ring")
    place_guards(page)
    assert cards(page) == [*"RGWPYB*"]
    dialog = page.get_by_role("dialog", name="Settings")

    def choose(order: str) -> None:
        page.get_by_role("button", name="Settings").click()
        dialog.get_by_role("radio", name=order).check(force=True)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)

    choose("Most first")
    hand = dict(zip("RGWPYB", known(page)["own"]["hand"], strict=False))
    assert cards(page) == [*sorted("RGWPYB", key=lambda card: -hand[card]), "*"]
    choose("As on the board")
    on_board = [field.get_attribute("data-palace") for field in page.locator("[data-palace]").all()]
    assert cards(page) == [*on_board, "*"]


def test_settings_are_readable_on_a_small_phone(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    play_now(page, 2)
    page.get_by_role("button", name="Settings").tap()
    dialog = page.get_by_role("dialog", name="Settings")
    dialog.get_by_text("What the keys do").tap()
    assert narrow(page) == []
    assert dialog.evaluate("it => it.firstChild.scrollWidth <= it.firstChild.clientWidth")
    examine(page)
    sound = page.get_by_role("button", name="Sound", include_hidden=True)
    volume = dialog.get_by_role("group", name="Volume")
    for name, heard in (("Loud", "true"), ("Silent", "false"), ("Quiet", "true")):
        volume.get_by_label(name).check(force=True)
        expect(sound).to_have_attribute("aria-pressed", heard)
