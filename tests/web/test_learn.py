"""The guided first game, walked through as it advises, with whatever cards come."""

import pytest
from playwright.sync_api import Page, expect

from baghdad.text import LANGUAGES, catalogue

from .conftest import Visitor
from .playing import play_a_turn, state, step, stepped
from .test_access import examine

pytestmark = pytest.mark.xdist_group("browser")
LESSONS = {
    "goal",
    "guards",
    "place",
    "hand",
    "smuggle",
    "rob",
    "lanterns",
    "end",
    "move",
    "carry",
    "nothing",
    "dancers",
    "neutral",
    "win",
}
READY = """() => {
  if (document.querySelector('dialog[open]')) return 'over'
  // While others play, what is advised may change at any moment.
  if (!document.querySelector('[data-mine=true]')) return null
  const guide = document.querySelector('[data-guide]')
  if (guide && guide.dataset.kind !== 'wait') return guide.dataset.guide
  return 'free'
}"""
LATE = 4
"""Lessons that come up late: they wait for the cards that they need."""
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
WIDE = {"viewport": {"width": 1280, "height": 800}}


def advice(page: Page) -> str:
    """The name of the lesson or tip on the screen; 'free' where there is none on the own turn."""
    found = page.wait_for_function(READY).json_value()
    assert isinstance(found, str)
    return found


def button(page: Page) -> None:
    page.locator("[data-guide]").get_by_role("button").last.click()


def follow(page: Page) -> None:
    """Do what is advised, where the light points."""
    before = step(page)
    if page.locator("[data-guide][data-suggests]").get_attribute("data-suggests") in (
        ".",
        "-",
        "-*",
    ):
        page.locator("[data-end]").first.click()
    else:
        if not page.locator("[data-halo] [data-target]").count():
            page.locator("[data-halo]").click()
        page.locator("[data-halo] [data-target]").click()
        page.wait_for_function(
            """step => document.querySelector('[data-deed]')
                || Number(document.querySelector('[data-step]').dataset.step) > step""",
            arg=before,
        )
        if page.locator("[data-deed]").count():
            page.locator("[data-deed]").first.click()
    stepped(page, before)


def walk(page: Page, language: str) -> dict[str, str]:
    """Take all lessons, and return what each has said."""
    said: dict[str, str] = {}
    texts = catalogue("web", language)
    while (name := advice(page)) != "over":
        guide = page.locator("[data-guide]")
        if name == "free":
            if not guide.count():
                break
            play_a_turn(page)
            continue
        text = guide.locator("p").inner_text()
        key = f"learn.{name}" if name in LESSONS else f"tip.{name}"
        assert str(texts[key]).partition("{")[0].strip() in text
        assert guide.locator("xpath=following-sibling::*[@aria-live]").first.inner_text() in (
            text,
            text.replace("!", "! ", 1),
        )
        said[name] = text
        if guide.get_attribute("data-kind") == "do":
            follow(page)
        else:
            button(page)
            page.wait_for_function(
                "name => document.querySelector('[data-guide]')?.dataset.guide !== name", arg=name
            )
    return said


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_first_game_in_every_language(visitor: Visitor, language: str) -> None:
    page = visitor("/learn", locale=language, **(WIDE if language in ("en", "cs") else PHONE))
    said = walk(page, language)
    # A quick game may be over before the last lessons. A thief that can be taken along only in the
    # middle of a turn played freely is taken, and what has been done needs no telling.
    untold = LESSONS - set(said) - {"carry"}
    assert not untold or (state(page) == "over" and len(untold) <= LATE)
    while state(page) == "mine":
        play_a_turn(page)
    assert page.get_by_role("dialog").get_by_role("row").count() == 3


def test_lessons_can_be_skipped_left_and_taken_again(visitor: Visitor) -> None:
    page = visitor("/", **WIDE)
    page.get_by_role("link", name="Learn by playing").click()
    seen = []
    for _ in range(3):
        seen.append(advice(page))
        button(page)
    assert seen == ["goal", "guards", "place"], "whoever skips a lesson gets the next"
    expect(page.locator("[data-guide]")).to_have_attribute("data-kind", "wait")
    play_a_turn(page)
    state(page)
    page.reload()
    state(page)
    assert page.locator("[data-guide]").get_attribute("data-kind") == "wait", "nothing twice"
    page.get_by_role("button", name="No more advice").click()
    expect(page.locator("[data-guide]")).to_have_count(0)
    assert page.evaluate("document.activeElement.matches('[data-ground]')"), "focus is not lost"
    page.reload()
    state(page)
    expect(page.locator("[data-guide]")).to_have_count(0)
    page.goto("/learn")
    assert advice(page) == "goal"


def test_any_other_move_is_as_good(visitor: Visitor) -> None:
    """A lesson is learned by doing, whenever that is, and never stands in the way."""
    page = visitor("/learn", **WIDE)
    button(page)
    button(page)
    while advice(page) == "place":
        play_a_turn(page)
    assert advice(page) == "hand"
    button(page)
    before = step(page)
    page.locator("[data-end]").last.click()
    stepped(page, before)
    state(page)
    taught = set()
    while (name := advice(page)) != "free":
        taught.add(name)
        button(page)
        page.wait_for_function(
            "name => document.querySelector('[data-guide]')?.dataset.guide !== name", arg=name
        )
    assert "nothing" not in taught


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [WIDE, PHONE], ids=["wide", "phone"])
def test_axe_finds_nothing_in_a_first_game(
    visitor: Visitor, screen: dict[str, object], scheme: str
) -> None:
    page = visitor("/learn", color_scheme=scheme, **screen)
    for wanted in ("goal", "guards", "place"):
        assert advice(page) == wanted
        examine(page)
        button(page)
