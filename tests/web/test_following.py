"""Following others: who they are, what each step was, what has changed since one's own turn."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from baghdad import Game

from .conftest import Visitor
from .playing import Patience, known, play_now, step, stop_the_clock
from .test_replay import paste

pytestmark = pytest.mark.xdist_group(__name__)


def names(page: Page) -> list[str]:
    return page.locator("[data-player] .name b").all_inner_texts()


def faces(page: Page) -> list[str]:
    return [face.inner_html() for face in page.locator("[data-player] svg.face").all()]


def test_three_bots_of_one_level_have_names_and_faces_of_their_own(visitor: Visitor) -> None:
    page = visitor("/")
    page.get_by_role("radio", name="4", exact=True).check(force=True)
    page.get_by_role("radio", name="Kasim").check(force=True)
    page.get_by_role("button", name="Play against bots").click()
    expect(page.locator("[data-player]")).to_have_count(4)
    assert sorted(names(page)) == ["Ahmad", "Kasim", "Omar", "You"]
    assert len(set(faces(page))) == 4
    expect(page.locator("[data-player][aria-label^='Omar,']")).to_have_count(1)


def test_bots_are_called_the_same_before_the_game_and_in_its_replay(visitor: Visitor) -> None:
    page = visitor("/new")
    page.get_by_label("Your name").fill("Omar")
    page.get_by_role("radio", name="4", exact=True).check(force=True)
    page.get_by_role("button", name="Set up", exact=True).click()
    seated = page.locator(".who b")
    # Omar would be the second: that is a person's name here.
    for chair, called in ((2, "Kasim"), (3, "Ahmad"), (4, "Ibrahim")):
        page.get_by_label(f"Chair {chair}", exact=True).select_option("kasim")
        expect(seated.nth(chair - 1)).to_have_text(called)
    page.get_by_role("button", name="Begin the game").click()
    expect(page.locator("[data-player]")).to_have_count(4)
    playing = names(page)
    assert sorted(playing) == ["Ahmad", "Ibrahim", "Kasim", "You"]
    table = known(page)["table"]
    sitting = [table["chairs"][chair] for chair in table["order"]]
    game = Game(4)
    game.headers = {
        "Seats": ", ".join(chair.get("name") or chair["level"] for chair in sitting),
        "Colours": ", ".join(str(chair["colour"] + 1) for chair in sitting),
    }
    page.goto("/replay")
    paste(page, game.record())
    assert names(page) == ["Omar" if name == "You" else name for name in playing]


SLOWLY = "localStorage['baghdad-settings'] = JSON.stringify({pace: 'calm', sound: false})"
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
MARKS = "[data-came], [data-left], [data-change], [data-robbed]"


def watch(visitor: Visitor, players: int = 3, **options: Any) -> Page:
    """A game against bots whose steps are seen one by one, by a clock that is turned by hand."""
    page = visitor(None, **options)
    page.add_init_script(SLOWLY)
    page.clock.install()
    page.goto("/")
    play_now(page, players)
    stop_the_clock(page)
    return page


def stepped(page: Page, since: int) -> None:
    """Wait until something has happened, though the page's clock stands still."""
    expect(page.locator("[data-step]")).not_to_have_attribute("data-step", str(since))


def told(page: Page) -> str:
    return page.locator("[data-told]").inner_text()


def own_turn(page: Page) -> None:
    """Skip what others do, until it is one's own turn and may be ended."""
    mine, skip = page.locator("[data-mine=true]"), page.locator("[data-follow=skip]")
    patience = Patience()
    while not mine.count():
        patience.spend(step(page))
        if skip.count():
            skip.evaluate_all("all => all.forEach(button => button.click())")
        expect(mine.or_(skip).first).to_be_attached()
    page.clock.run_for(700)
    expect(page.locator("[data-settled=true]")).to_be_attached()


def take_a_turn(page: Page) -> None:
    """Place a guard, or do nothing."""
    own_turn(page)
    before = step(page)
    page.locator("[data-target], [data-end]").last.click()
    stepped(page, before)
    page.clock.run_for(1300)  # a second tap so soon would not count


def place_all(page: Page) -> None:
    own_turn(page)
    while page.locator("[data-target]").count():
        take_a_turn(page)
        own_turn(page)


def test_every_step_of_others_is_told_and_waits_while_paused(visitor: Visitor) -> None:
    page = watch(visitor, **PHONE)
    place_all(page)
    before = step(page)
    page.locator("[data-end]").last.click()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    stepped(page, before)
    heard = [told(page)]
    one_more = page.get_by_role("button", name="One step")
    while not page.locator("[data-mine=true]").count():
        before = step(page)
        one_more.click()
        stepped(page, before)
        page.clock.run_for(20)
        heard.append(told(page))
    assert [name for name in ("Kasim", "Omar") if name in " ".join(heard)] == ["Kasim", "Omar"]
    assert any("draws" in line for line in heard), heard
    sentence = told(page)
    assert re.search(r"Kasim: .+[;.]", sentence)
    assert re.search(r"Omar: .+[;.]", sentence)
    # Said once, not step by step.
    expect(page.get_by_role("log", name="What happens")).to_have_text(sentence)
    expect(page.locator("[data-follow]")).to_have_count(0)


def test_steps_come_by_themselves_faster_or_all_at_once(visitor: Visitor) -> None:
    page = watch(visitor)
    place_all(page)
    page.locator("[data-end]").last.click()
    expect(page.locator("[data-follow=pause]")).to_be_visible()
    page.keyboard.press("k")
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    page.clock.run_for(5000)
    before = step(page)
    page.locator("[data-ground]").first.click()  # looking around does not lose what waits
    page.clock.run_for(5000)
    assert step(page) == before
    page.keyboard.press("f")
    expect(page.locator("[data-follow=fast]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("s")
    own_turn(page)
    expect(page.locator("[data-follow]")).to_have_count(0)


def test_what_others_changed_stays_marked_until_one_acts(visitor: Visitor) -> None:
    page = watch(visitor)
    place_all(page)
    take_a_turn(page)
    own_turn(page)
    while not page.locator(MARKS).count():
        take_a_turn(page)
        own_turn(page)
    marked = page.locator(MARKS).count()
    named = page.locator("[data-ground]").evaluate_all("all => all.map(e => e.ariaLabel).join()")
    assert "new: " in named or "gone: " in named or "has robbed it" in named
    page.reload()
    page.locator("[data-palace]").first.wait_for()
    expect(page.locator(MARKS)).to_have_count(marked)
    own_turn(page)
    before = step(page)
    page.locator("[data-piece^=guard].can").first.click()
    page.locator("[data-target]").first.click()
    page.clock.run_for(700)
    if page.locator("[data-action]").count():
        page.locator("[data-action]").first.click()
    stepped(page, before)
    expect(page.locator(MARKS)).to_have_count(0)
