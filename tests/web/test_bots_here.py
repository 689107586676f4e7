"""Bots on one's own device: on a phone whose network is cut, a whole game against every opponent.

How long each of them thinks: benchmarks/alone.py.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from baghdad import Game
from baghdad.bots.lesson.script import SAID
from baghdad.bots.levels import LEVELS

from .conftest import Visitor
from .playing import play_now, quicken, settled, state, step, stepped
from .test_access import examine, narrow
from .test_learn import walk
from .test_offline import kept
from .test_on_this_device import CUT, move

pytestmark = pytest.mark.xdist_group(__name__)
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
INSTEAD = "did not answer in time"
"""What the log says of a bot that had no answer."""
MUTE = """() => {
  const said = Worker.prototype.postMessage
  Worker.prototype.postMessage = function (message, ...more) {
    if (!(message.type === 'think')) said.call(this, message, ...more)
  }
}"""
"""Bots are not told what they are asked."""


def cut_off(visitor: Visitor, **options: Any) -> Page:
    """A phone that has kept the page, and has no network from now on."""
    page = kept(visitor, **{**PHONE, **options})
    quicken(page)
    page.context.set_offline(True)
    page.reload()
    page.get_by_text("The server does not answer.").wait_for()
    return page


def pass_on(page: Page) -> None:
    """The least that one can do: a guard where they are placed, else the end of the turn."""
    assert state(page) == "mine"
    before = step(page)
    settled(page)
    target = page.locator("[data-target]")
    (target if target.count() else page.locator("[data-end]")).first.click()
    stepped(page, before)


def look_at_the_log(page: Page) -> None:
    page.get_by_role("button", name="Log").click()
    page.get_by_role("button", name="The game begins").wait_for()


def test_a_whole_game_and_what_comes_after_it(visitor: Visitor) -> None:
    page = cut_off(visitor, viewport={"width": 320, "height": 700})
    examine(page)
    assert narrow(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    play_now(page, 2, "Duban")
    for _ in range(6):
        pass_on(page)
    page.reload()  # the opponent thinks, or has just done so
    while state(page) == "mine":
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        pass_on(page)
    result = page.get_by_role("dialog")
    expect(result.get_by_role("row")).to_have_count(3)
    expect(result).to_contain_text("Duban")
    address = page.url
    result.get_by_role("link", name="Replay").click()
    page.get_by_role("slider", name="Step of the game").wait_for()
    page.goto(address)
    page.get_by_role("button", name="Play again").click()
    page.get_by_role("button", name="Begin the game").click()
    pass_on(page)
    page.get_by_role("button", name="Rules").first.click()
    page.locator("#R27").wait_for()


@pytest.mark.parametrize("first", range(0, len(LEVELS), 3))
def test_every_opponent_plays_a_whole_game_by_itself(visitor: Visitor, first: int) -> None:
    page = cut_off(visitor)
    page.goto("/new")
    page.get_by_role("radio", name="4", exact=True).check(force=True)
    for place, level in enumerate(LEVELS[first : first + 3]):
        page.get_by_label("Opponent").nth(place).select_option(level)
    page.get_by_role("button", name="Set up", exact=True).click()
    page.locator("[data-palace]").first.wait_for()
    while state(page) == "mine":
        pass_on(page)
    result = page.get_by_role("dialog")
    expect(result.get_by_role("row")).to_have_count(5)
    result.get_by_role("button", name="Close").click()
    look_at_the_log(page)
    expect(page.get_by_text(INSTEAD)).to_have_count(0)


def test_a_first_game_to_its_robbery(visitor: Visitor) -> None:
    page = cut_off(visitor)
    page.get_by_role("link", name="Learn by playing").first.click()
    assert tuple(walk(page)) == SAID


def test_people_share_a_device_with_a_bot(visitor: Visitor) -> None:
    page = cut_off(visitor)
    page.goto("/new")
    page.get_by_role("radio", name="3", exact=True).check(force=True)
    page.get_by_role("radio", name="On this device").first.check(force=True)
    page.get_by_role("button", name="Set up", exact=True).click()
    page.locator("[data-palace]").first.wait_for()
    for _ in range(9):
        move(page)
    page.reload()
    move(page)


def test_a_game_goes_on_on_another_device(visitor: Visitor, tmp_path: Path) -> None:
    page = visitor("/new", **PHONE)
    quicken(page)
    page.get_by_role("radio", name="Only here").check(force=True)
    page.get_by_role("button", name="Set up", exact=True).click()
    page.locator("[data-palace]").first.wait_for()
    for _ in range(6):
        pass_on(page)
    assert state(page) == "mine"
    page.get_by_role("button", name="Settings").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the game as a file").click()
    record = tmp_path / "game.txt"
    saved.value.save_as(record)
    assert Game.from_record(record.read_text("utf-8")).over is False
    other = visitor("/replay", **PHONE)
    quicken(other)
    other.locator("input[type=file]").set_input_files(record)
    examine(other)
    other.get_by_role("button", name="Keep on this device").click()
    other.locator("[data-palace]").first.wait_for()
    pass_on(other)
    assert state(other) == "mine"
    other.goto("/")
    expect(other.locator("[data-game]")).to_contain_text("on this device")


def test_what_an_opponent_knows_is_waited_for(visitor: Visitor) -> None:
    """Nobody's turn is passed over because a network is slow."""
    page = visitor("/new", CUT, "ERR_FAILED", **PHONE)
    quicken(page)
    page.route("**/*.bin", lambda route: route.abort())
    page.get_by_role("radio", name="Only here").check(force=True)
    page.get_by_label("Opponent").select_option("jafar")
    page.get_by_text("More options").click()
    page.get_by_role("radio", name=re.compile("Jafar")).check(force=True)
    page.get_by_role("button", name="Set up", exact=True).click()
    waits = page.get_by_text("knowledge has not been loaded yet")
    waits.wait_for()
    examine(page)
    assert not page.locator("[data-mine=true]").count()
    page.unroute("**/*.bin")
    page.clock.fast_forward(3000)
    pass_on(page)
    expect(waits).to_have_count(0)


def test_one_that_does_not_answer_is_replaced_and_the_log_says_so(visitor: Visitor) -> None:
    page = visitor(None, **PHONE)
    page.add_init_script(f"({MUTE})()")
    page.goto("/new")
    quicken(page)
    page.get_by_role("radio", name="Only here").check(force=True)
    page.get_by_role("button", name="Set up", exact=True).click()
    page.locator("[data-palace]").first.wait_for()
    for _ in range(2):
        page.clock.fast_forward(6000)
        pass_on(page)
    page.clock.fast_forward(6000)
    state(page)
    look_at_the_log(page)
    expect(page.get_by_text(INSTEAD).first).to_be_attached()
