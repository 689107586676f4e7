"""Playing by keys: letters choose palaces, focus goes on by itself, a turn takes few presses."""

import pytest
from playwright.sync_api import Page, expect

from baghdad.rules.engine.actions import TOKENS

from .conftest import Visitor
from .playing import known, play_now, quicken, settled, state, step, stepped, type_move

pytestmark = pytest.mark.xdist_group(__name__)
PALACES = "RGWPYB"


def tokens(page: Page) -> list[str]:
    return [TOKENS[action] for action in known(page)["own"]["legal"]]


def focused(page: Page) -> dict[str, str]:
    """What has the focus: its data attributes, and the palace that it belongs to."""
    found: dict[str, str] = page.evaluate(
        """() => ({ ...document.activeElement.dataset,
        at: document.activeElement.closest('[data-palace]')?.dataset.palace ?? '' })"""
    )
    return found


def set_up(visitor: Visitor) -> Page:
    """A game for two in which all guards stand, the first four by their letters."""
    page = visitor(viewport={"width": 1280, "height": 800})
    quicken(page)
    play_now(page, 2)
    for palace in "RGWP":
        assert state(page) == "mine"
        settled(page)
        before = step(page)
        page.keyboard.press(palace.lower())
        stepped(page, before)
    state(page)
    return page


def do_nothing(page: Page) -> None:
    """End the turn with four cards, by the key that asks and the first answer."""
    settled(page)
    before = step(page)
    page.keyboard.press("e")
    if page.locator("[data-ending]").count():
        page.keyboard.press("Enter")
    stepped(page, before)
    state(page)


def thieves_paid_for(page: Page) -> list[str]:
    """Palaces into which thieves can be smuggled one after the other, whatever is paid before."""
    found = known(page)
    hand, guards, seat = found["own"]["hand"], found["shown"]["guards"], found["own"]["seat"]
    ways = []
    for place, palace in enumerate(PALACES):
        foreign = sum(guards[place]) - guards[place][seat]
        if guards[place][seat] and foreign:
            ways += [palace] * (hand[place] // foreign)
    return ways


def test_three_actions_in_at_most_twelve_presses(visitor: Visitor) -> None:
    page = set_up(visitor)
    while len(thieves_paid_for(page)) < 3:
        do_nothing(page)
    presses = 0

    def press(key: str) -> None:
        nonlocal presses
        presses += 1
        page.keyboard.press(key)

    for palace in thieves_paid_for(page)[:3]:
        before = step(page)
        press("t")
        expect(page.locator("[data-target]").first).to_be_focused()
        press(palace.lower())
        if page.locator("[data-action]").count():
            press("1")
        stepped(page, before)
    assert known(page)["shown"]["thief_actions"] == 3
    settled(page)
    before = step(page)
    press("e")
    stepped(page, before)
    assert presses <= 12


def test_focus_goes_to_the_first_palace_and_back(visitor: Visitor) -> None:
    page = set_up(visitor)
    while not (moves := [token for token in tokens(page) if token[1:2] == ">"]):
        do_nothing(page)
    start = moves[0][0]
    page.keyboard.press(start)
    assert (focused(page)["at"], "ground" in focused(page)) == (start, True)
    while not focused(page).get("piece", "").startswith("guard"):
        page.keyboard.press(start.lower())
        assert focused(page)["at"] == start
    piece = focused(page)["piece"]
    page.keyboard.press("Enter")
    lit = [
        field for field in PALACES if page.locator(f"[data-palace={field}] [data-target]").count()
    ]
    assert lit
    expect(page.locator("[data-target]").first).to_be_focused()
    for _ in lit:  # and on, from one that lights up to the next
        page.keyboard.press("ArrowRight")
        assert focused(page)["at"] in lit
        assert "target" in focused(page)
    page.keyboard.press("Escape")
    assert focused(page)["piece"] == piece

    page.keyboard.press("Enter")
    before = step(page)
    page.keyboard.press(lit[0])
    if page.locator("[data-action]").count():
        expect(page.locator("[data-action]").first).to_be_focused()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Escape")
        assert focused(page)["piece"] == piece
        page.keyboard.press("Enter")
        page.keyboard.press(lit[0])
        page.keyboard.press("2")
    stepped(page, before)
    assert focused(page)["at"] == lit[0]
    before = step(page)
    page.keyboard.press("u")
    stepped(page, before)


def test_the_key_asks_which_way_to_end_the_turn(visitor: Visitor) -> None:
    page = set_up(visitor)
    settled(page)
    page.keyboard.press("e")
    question = page.get_by_role("group", name="How do you end your turn?")
    expect(question.locator("[data-ending='-']")).to_be_focused()
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    expect(page.locator("[data-end]").first).to_be_focused()

    seat = known(page)["own"]["seat"]
    for keys in (["ArrowRight", "Enter"], ["2"]):
        dancers = known(page)["shown"]["hand_dancers"][seat]
        settled(page)
        before = step(page)
        page.keyboard.press("e")
        for key in keys:
            page.keyboard.press(key)
        stepped(page, before)
        state(page)
        assert known(page)["shown"]["hand_dancers"][seat] == dancers + 1
        assert page.evaluate("document.activeElement !== document.body")


def test_letters_are_letters_while_typing_and_without_shortcuts(visitor: Visitor) -> None:
    page = set_up(visitor)
    page.keyboard.press("/")
    page.keyboard.type("tre")
    expect(page.locator("[data-typed]")).to_have_value("tre")
    page.locator("[data-typed]").fill("")
    page.locator("[data-typed]").blur()
    page.get_by_role("button", name="Settings").click()
    dialog = page.get_by_role("dialog", name="Settings")
    dialog.get_by_text("What the keys do").click()
    expect(dialog.get_by_text("Y Yellow")).to_be_visible()
    shortcuts = dialog.get_by_role("group", name="Keyboard shortcuts")
    shortcuts.get_by_label("Off").check(force=True)
    page.keyboard.press("Escape")
    settled(page)
    for key in ("r", "t", "e", "?", "/"):
        page.keyboard.press(key)
    expect(page.locator("dialog[open], .selected, [data-target], [data-ending]")).to_have_count(0)
    assert "ground" not in focused(page)


def test_moves_may_be_typed_in_lower_case(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    play_now(page, 2)
    for _ in range(4):
        state(page)
        type_move(page, tokens(page)[-1].lower())
    state(page)
    token = next((token for token in tokens(page) if token[:1] in "n+" or ">" in token), "-")
    type_move(page, f" {token.lower()} ")
