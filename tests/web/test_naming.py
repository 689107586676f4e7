"""A card of a named palace when no dancer is left (R23), and the warning of a last thief (R27)."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from baghdad.rules.game import Game
from baghdad.text import LANGUAGES, catalogue
from support.tables import last_thief, no_dancer_left

from .conftest import Served, Visitor
from .gathering import StoredTable, going_on
from .playing import known, settled, step, stepped, type_move
from .test_access import examine, narrow

pytestmark = pytest.mark.xdist_group(__name__)
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
DESK: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
WAYS: dict[str, tuple[dict[str, Any], Any]] = {
    "mouse": (DESK, Locator.click),
    "touch": (PHONE, Locator.tap),
}
LAST = "+P(PP)"
FITS = """button => {
  const words = document.createRange()
  words.selectNodeContents(button.querySelector('small'))
  return words.getBoundingClientRect().width <= button.clientWidth
}"""
"""Whether what a button draws is as wide as the button at most."""


def sit(
    visitor: Visitor, served: Served, game: Game, *people: int, **options: Any
) -> tuple[StoredTable, list[Page]]:
    """A table in this position, and a browser for each of these people."""
    table = going_on(served.data, game)
    return table, [table.visit(visitor, person, **options) for person in people]


def may_press(page: Page, what: str) -> Locator:
    """What can be pressed, once it can: not in the moment in which it comes."""
    settled(page, f"{what}:not([aria-disabled=true])")
    return page.locator(what)


def texts(language: str) -> dict[str, Any]:
    return catalogue("web", language)


# A card of a named palace


@pytest.mark.parametrize("way", WAYS)
def test_a_palace_is_named(visitor: Visitor, served: Served, way: str) -> None:
    options, use = WAYS[way]
    _, (page, other) = sit(visitor, served, no_dancer_left(spare="chosen"), 0, 1, **options)
    expect(page.locator("[data-end]")).to_have_count(2)
    before = step(page)
    use(may_press(page, "[data-end=name]"))
    asked = page.get_by_role("group", name="Which palace’s card do you ask for?")
    expect(asked.get_by_role("button")).to_have_count(7)
    examine(page, "[data-asked]")
    narrow(page)
    use(may_press(page, "[data-ending='-W']"))
    stepped(page, before)
    assert known(page)["shown"]["hand_sizes"][0] == 26
    expect(asked).to_have_count(0)
    told = "does nothing, asks for a card of white and draws 4 cards in all"
    lines = known(other)["log"][-1]["lines"]
    assert lines[0]["key"] == "log.pass_name"
    assert lines[0]["values"] == {"palace": "W", "n": 4}
    if way == "mouse":  # the log is beside the table
        own = "You do nothing, ask for a card of white and draw 4 cards in all"
        expect(page.get_by_role("button", name=own)).to_be_visible()
        expect(other.get_by_role("button", name=f"Amira: {told}")).to_be_visible()
    expect(other.locator("[data-told]")).to_have_text("Amira: asked for White, drew 4 cards.")


def test_four_cards_from_the_stack_are_still_to_be_had(visitor: Visitor, served: Served) -> None:
    _, (page,) = sit(visitor, served, no_dancer_left(spare="chosen"), 0, **DESK)
    before = step(page)
    may_press(page, "[data-end='-']").click()
    stepped(page, before)
    assert known(page)["log"][-1]["lines"][0]["key"] == "log.pass"


def test_a_palace_is_named_by_keys(visitor: Visitor, served: Served) -> None:
    _, (page,) = sit(visitor, served, no_dancer_left(spare="chosen"), 0, **DESK)
    settled(page)
    page.keyboard.press("e")
    ways = page.get_by_role("group", name="How do you end your turn?")
    expect(ways.locator("[data-ending]")).to_have_text(["1+4 cards", "2+4, by name"])
    page.keyboard.press("Escape")
    expect(ways).to_have_count(0)
    page.keyboard.press("e")
    page.keyboard.press("2")
    expect(page.locator("[data-ending='-R']")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-ending='-G']")).to_be_focused()
    name = page.locator("[data-ending='-G']").get_attribute("aria-label")
    assert name == "Green: draw 4 cards, the first of this palace if the stack has one"
    before = step(page)
    page.keyboard.press("b")  # a letter is a palace
    stepped(page, before)
    assert known(page)["log"][-1]["lines"][0]["values"]["palace"] == "B"
    expect(page.locator("[data-ends] button").first).to_be_focused()


def test_a_palace_is_named_by_enter_and_by_typing(visitor: Visitor, served: Served) -> None:
    _, (page, other) = sit(visitor, served, no_dancer_left(spare="chosen"), 0, 1, **DESK)
    settled(page)
    page.keyboard.press("e")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(may_press(page, "[data-ending='-R']")).to_be_focused()
    before = step(page)
    page.keyboard.press("Enter")
    stepped(page, before)
    assert known(page)["log"][-1]["lines"][0]["values"]["palace"] == "R"
    settled(other)
    type_move(other, "-y")
    assert known(other)["log"][-1]["lines"][0]["values"]["palace"] == "Y"


def test_a_palace_is_named_on_a_phone_at_the_couch(visitor: Visitor, served: Served) -> None:
    table = going_on(served.data, no_dancer_left(spare="chosen"), screen=True)
    screen = table.visit(visitor, 0, view="/screen", **DESK)
    phone = table.visit(visitor, 1, view="/hand", **PHONE)
    may_press(phone, "[data-end=name]").tap()
    settled(phone, "[data-ending='-P']:not([aria-disabled=true])")
    examine(phone, "[data-asked]")
    narrow(phone)
    before = step(phone)
    phone.locator("[data-ending='-P']").tap()
    stepped(phone, before)
    told = "Amira: does nothing, asks for a card of purple and draws 4 cards in all"
    expect(screen.get_by_text(told).first).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_naming_and_warning_are_worded_and_fit(
    visitor: Visitor, served: Served, language: str
) -> None:
    words = texts(language)
    _, (page,) = sit(visitor, served, no_dancer_left(spare="chosen"), 0, locale=language, **PHONE)
    button = may_press(page, "[data-end=name]")
    expect(button).to_contain_text(words["turn.draws_named"].format(n=4))
    for size in (PHONE, DESK):
        page.set_viewport_size(size["viewport"])
        assert button.evaluate(FITS)
    page.set_viewport_size(PHONE["viewport"])
    button.tap()
    expect(page.get_by_role("group", name=words["end_turn.name"])).to_be_visible()
    narrow(page)
    examine(page, "[data-asked]")
    for of_all, key in ((False, "last_thief.self"), (True, "last_thief.all")):
        table = going_on(served.data, last_thief(of_all=of_all))
        page = table.visit(visitor, 0, locale=language, **PHONE)
        smuggle(page, Locator.tap)
        expect(page.get_by_role("group", name=words[key])).to_be_visible()
        narrow(page)
        examine(page, "[data-warning]")


# The last thief


def smuggle(page: Page, use: Any) -> None:
    """Take the last thief to the palace where it robs nothing."""
    settled(page)
    use(page.locator("[data-home]"))
    use(page.locator("[data-palace=P] [data-target]"))


@pytest.mark.parametrize("way", WAYS)
def test_a_last_thief_is_asked_about(visitor: Visitor, served: Served, way: str) -> None:
    options, use = WAYS[way]
    _, (page,) = sit(visitor, served, last_thief(), 0, **options)
    before = step(page)
    smuggle(page, use)
    warning = page.get_by_role("group", name="That is your last thief in stock")
    use(warning.get_by_role("button", name="Better not"))
    expect(warning).to_have_count(0)
    assert step(page) == before
    smuggle(page, use)
    use(may_press(page, "[data-insist]"))
    stepped(page, before)
    assert known(page)["shown"]["stock"][0] == 0
    expect(warning).to_have_count(0)


def test_the_last_thief_of_all_ends_the_game_at_once(visitor: Visitor, served: Served) -> None:
    _, (page, other) = sit(visitor, served, last_thief(of_all=True), 0, 1, **DESK)
    settled(page)
    page.keyboard.press("t")
    page.keyboard.press("p")
    warning = page.get_by_role("group", name="the game would end at once")
    expect(warning).to_be_visible()
    page.keyboard.press("Escape")
    expect(warning).to_have_count(0)
    page.keyboard.press("t")
    page.keyboard.press("p")
    settled(page, "[data-insist]:not([aria-disabled=true])")
    page.keyboard.press("1")
    for each in (page, other):
        expect(each.get_by_role("dialog")).to_contain_text("Nobody has won")
    assert known(page)["table"]["state"] == "over"


def test_a_typed_last_thief_is_asked_about(visitor: Visitor, served: Served) -> None:
    _, (page,) = sit(visitor, served, last_thief(), 0, **DESK)
    settled(page)
    before = step(page)
    page.keyboard.press("/")
    page.keyboard.insert_text("+p(pp)")
    page.keyboard.press("Enter")
    expect(page.locator("[data-warning=self]")).to_be_visible()
    assert step(page) == before
    may_press(page, "[data-insist]").click()
    stepped(page, before)
    assert known(page)["shown"]["stock"][0] == 0


def test_a_thief_that_robs_or_is_not_the_last_goes_in_unasked(
    visitor: Visitor, served: Served
) -> None:
    _, (page,) = sit(visitor, served, last_thief(), 0, **DESK)
    settled(page)
    before = step(page)
    page.locator("[data-home]").click()
    page.locator("[data-palace=R] [data-target]").click()  # the fourth there
    stepped(page, before)
    assert known(page)["shown"]["loot"][0] == 1


def test_on_a_phone_at_the_couch_a_last_thief_is_asked_about(
    visitor: Visitor, served: Served
) -> None:
    table = going_on(served.data, last_thief(), screen=True)
    phone = table.visit(visitor, 1, view="/hand", **PHONE)
    settled(phone)
    before = step(phone)
    phone.locator(f"[data-action='{LAST}']").tap()
    expect(phone.locator("[data-warning=self]")).to_be_visible()
    narrow(phone)
    may_press(phone, "[data-insist]").tap()
    stepped(phone, before)
    assert known(phone)["shown"]["stock"][0] == 0
