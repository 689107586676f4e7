"""The guided first game, walked through as it advises, to its robbery."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from baghdad.bots.lesson.script import SAID
from baghdad.text import LANGUAGES, catalogue

from .conftest import Visitor
from .playing import known, play_a_turn, state, step, stepped
from .test_access import examine

pytestmark = pytest.mark.xdist_group(__name__)
READY = """() => {
  if (document.querySelector('dialog[open]')) return 'over'
  const guide = document.querySelector('[data-guide]')
  // While others play, what is advised may change at any moment.
  if (!document.querySelector('[data-mine=true][data-settled=true]')) return null
  return guide && guide.dataset.kind !== 'wait' ? guide.dataset.guide : 'free'
}"""
COVERED = """() => {
  const box = thing => thing.getBoundingClientRect()
  const [a, b] = ['[data-guide]', '[data-halo]'].map(name => box(document.querySelector(name)))
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  return Math.max(0, width) * Math.max(0, height) / (b.width * b.height)
}"""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SMALL = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
WIDE = {"viewport": {"width": 1366, "height": 768}}
SCREENS: dict[str, dict[str, Any]] = {"en": WIDE, "de": PHONE, "nl": SMALL, "cs": WIDE}


def advice(page: Page) -> str:
    """The name of what is said; 'free' where nothing is on the own turn, 'over' after the game."""
    found = page.wait_for_function(READY).json_value()
    assert isinstance(found, str)
    return found


def answer(page: Page, which: int = -1) -> None:
    page.locator("[data-guide] .answers").get_by_role("button").nth(which).click()


def read(page: Page) -> None:
    text = page.locator("[data-guide] p").inner_text()
    answer(page)
    page.wait_for_function(
        "text => document.querySelector('[data-guide] p')?.innerText !== text", arg=text
    )


def halo(page: Page) -> Any:
    """What the light points at; the popover leaves it free."""
    page.locator("[data-halo]").wait_for()
    assert page.evaluate(COVERED) < 0.1, page.locator("[data-guide]").get_attribute("data-guide")
    return page.locator("[data-halo]")


def follow(page: Page) -> None:
    """Do what is advised, where the light points."""
    before, guide = step(page), page.locator("[data-guide]")
    token = guide.get_attribute("data-suggests")
    assert token
    if token in (".", "-", "-*"):
        halo(page).click()
        stepped(page, before)
        return
    if token[0] != "@":
        halo(page).click()
    page.locator("[data-halo] [data-target]").wait_for()
    halo(page).locator("[data-target]").click()
    page.wait_for_function(
        """step => document.querySelector('[data-action][data-halo]')
            || Number(document.querySelector('[data-step]').dataset.step) > step""",
        arg=before,
    )
    payment = page.locator(f'[data-action="{token}"]')
    if payment.count():
        payment.click()
    stepped(page, before)


def walk(page: Page, until: str = "") -> list[str]:
    """Follow the lesson, and return the names of what was said."""
    said: list[str] = []
    while (name := advice(page)) not in ("free", "over", until):
        said.append(name)
        if page.locator("[data-guide]").get_attribute("data-kind") == "read":
            read(page)
        else:
            follow(page)
    return said


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_first_game_to_its_robbery_in_every_language(visitor: Visitor, language: str) -> None:
    page = visitor("/learn", locale=language, **SCREENS[language])
    texts = catalogue("web", language)
    said: list[str] = []
    while (name := advice(page)) != "free":
        guide = page.locator("[data-guide]")
        text = guide.locator("p").inner_text()
        assert str(texts[f"lesson.{name}"]).partition("{")[0].strip() in text
        assert guide.locator("xpath=following-sibling::*[@aria-live]").first.inner_text() == text
        said.append(name)
        if guide.get_attribute("data-kind") == "read":
            read(page)
        else:
            follow(page)
    assert tuple(said) == SAID
    shown = known(page)
    assert shown["shown"]["loot"][:2] == [1, 0], "the learner has robbed, and nobody else"
    assert shown["table"]["lesson"]
    # From here on it is a real game, against the same opponent.
    before = step(page)
    page.locator("[data-end]").first.click()
    stepped(page, before)
    assert state(page) == "mine"


def test_something_else_can_be_taken_back_or_played_on(visitor: Visitor) -> None:
    page = visitor("/learn", **WIDE)
    walk(page, "again")
    before = step(page)
    page.locator("[data-home]").click()
    page.locator('[data-palace="G"] [data-target]').click()
    stepped(page, before)
    assert advice(page) == "again", "in another order it is the same turn"
    follow(page)
    assert advice(page) == "end"
    before = step(page)
    page.locator('[data-piece="guard Y 0"]').click()
    page.locator('[data-palace="W"] [data-target]').click()
    if page.locator("[data-action]").count():
        page.locator("[data-action]").first.click()
    stepped(page, before)
    assert advice(page) == "other"
    examine(page)
    answer(page)
    page.locator("[data-guide=end]").wait_for()
    follow(page)
    assert advice(page) == "nothing", "the opponent has played its part"
    before = step(page)
    page.locator('[data-end="-"]').click()
    stepped(page, before)
    page.locator("[data-guide=free]").wait_for()
    answer(page, 0)
    expect(page.locator("[data-guide=free]")).to_have_count(0)
    while state(page) == "mine":
        play_a_turn(page)
    assert page.get_by_role("dialog").get_by_role("row").count() == 3


def test_a_reload_goes_on_and_a_second_visit_begins_anew(visitor: Visitor) -> None:
    page = visitor("/", **WIDE)
    page.get_by_role("link", name="Learn by playing").first.click()
    assert advice(page) == "goal"
    read(page)
    page.reload()
    assert advice(page) == "guards", "nothing twice"
    walk(page, "cheaper")
    page.reload()
    assert advice(page) == "cheaper"
    address = page.url
    page.get_by_role("button", name="No more advice").click()
    expect(page.locator("[data-guide]")).to_have_count(0)
    assert page.evaluate("document.activeElement.matches('[data-ground]')"), "focus is not lost"
    page.reload()
    state(page)
    expect(page.locator("[data-guide]")).to_have_count(0)
    page.goto("/learn")
    assert advice(page) == "goal"
    assert page.url != address


def test_whoever_leaves_the_lesson_can_start_it_again(visitor: Visitor) -> None:
    page = visitor("/learn", **PHONE)
    walk(page, "place")
    before = step(page)
    page.locator('[data-palace="B"] [data-target]').click()
    stepped(page, before)
    page.locator("[data-guide=free]").wait_for()
    answer(page)
    assert advice(page) == "goal"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [WIDE, PHONE], ids=["wide", "phone"])
def test_axe_finds_nothing_in_a_first_game(
    visitor: Visitor, screen: dict[str, object], scheme: str
) -> None:
    page = visitor("/learn", color_scheme=scheme, **screen)
    for wanted in ("goal", "guards", "place"):
        assert advice(page) == wanted
        examine(page)
        if wanted != "place":
            read(page)
