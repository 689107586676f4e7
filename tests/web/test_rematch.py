"""After the game: a rematch is offered and accepted, and every game keeps its own address."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import Served, Visitor
from .gathering import finished, wants
from .test_access import examine

pytestmark = pytest.mark.xdist_group(__name__)
COVERED = """() => {
  const offer = document.querySelector('[data-rematch]').parentElement.getBoundingClientRect()
  return [...document.querySelectorAll('[data-palace]')].flatMap(palace => {
    const { left, right, top, bottom } = palace.getBoundingClientRect()
    const apart = left >= offer.right || right <= offer.left
      || top >= offer.bottom - 1 || bottom <= offer.top + 1
    return apart ? [] : [palace.dataset.palace]
  })
}"""
"""Palaces that the offer lies on."""


def result(page: Page) -> Locator:
    dialog = page.get_by_role("dialog").filter(has=page.get_by_role("table"))
    expect(dialog).to_be_visible()
    return dialog


def press(page: Page, name: str | re.Pattern[str]) -> None:
    page.get_by_role("dialog").get_by_role("button", name=name).click()


def test_a_rematch_is_offered_and_accepted(visitor: Visitor, served: Served) -> None:
    table = finished(served.data, 2)
    pages = [table.visit(visitor, n, viewport={"width": 390, "height": 844}) for n in (0, 1)]
    host, guest = pages
    for page in pages:
        result(page).get_by_role("img", name="Chests").wait_for()
    press(host, "Play again")
    offer = guest.get_by_role("dialog").get_by_text("Amira wants another game.")
    expect(offer).to_be_visible()
    expect(host.get_by_role("dialog").get_by_text("Still to answer: Benedikt.")).to_be_visible()
    for page in pages:  # nobody has lost sight of the result
        result(page).get_by_role("img", name="Chests").wait_for()
        examine(page)
    press(guest, "Not now")
    expect(
        host.get_by_role("dialog").get_by_text("Benedikt does not want to play now.")
    ).to_be_visible()
    # With the result closed the offer is there, too.
    guest.get_by_role("button", name="Look at the table").click()
    expect(guest.get_by_text("Amira wants another game.")).to_be_visible()
    assert guest.evaluate(COVERED) == []
    examine(guest)
    guest.get_by_role("button", name="Yes, play again").click()
    for page in pages:
        page.get_by_role("heading", name="Chairs").wait_for()
        expect(page.get_by_role("heading", name="Games at this table")).to_be_visible()
        expect(
            page.get_by_role("link", name=re.compile(r"1\. .* wins with 6 chests"))
        ).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        examine(page)
    host.get_by_role("button", name="Begin the game").click()
    for page in pages:
        page.locator("[data-palace]").first.wait_for()


def test_who_does_not_answer_keeps_the_result(visitor: Visitor, served: Served) -> None:
    table = finished(served.data, 3)
    host, guest, silent = (table.visit(visitor, n) for n in (0, 1, 2))
    watcher = visitor(f"/t/{table.code}")
    for page in (host, guest, silent, watcher):
        result(page)
    press(host, "Play again")
    press(guest, "Yes, play again")
    result(silent).get_by_text("Amira and Benedikt want another game.").wait_for()
    press(host, "Go ahead without Chidi")
    for page in (host, guest):
        page.get_by_role("heading", name="Chairs").wait_for()
    for page in (silent, watcher):
        result(page).get_by_text("The next game is being set up without you.").wait_for()
        result(page).get_by_role("img", name="Chests").wait_for()
    # What goes on at the table leaves the result alone.
    host.get_by_label("Chair 3").select_option("closed")
    host.get_by_role("button", name="Begin the game").click()
    host.locator("[data-palace]").first.wait_for()
    wants(host, "move", action="@R")
    press(silent, "Was the deal fair?")
    result(silent).get_by_text("fair: every card follows").wait_for()
    examine(silent)
    result(watcher).get_by_role("link", name="To the new game").click()
    expect(watcher.get_by_role("dialog")).to_have_count(0)
    expect(watcher.locator("[data-piece^=guard]")).to_have_count(7)


def test_who_did_not_answer_comes_along_later(visitor: Visitor, served: Served) -> None:
    table = finished(served.data, 2)
    host, late = table.visit(visitor, 0), table.visit(visitor, 1)
    result(late)
    press(host, "Play again")
    press(host, "Go ahead without Benedikt")
    host.get_by_role("heading", name="Chairs").wait_for()
    result(late).get_by_role("link", name="To the new game").click()
    late.get_by_role("button", name="Sit down").wait_for()
    late.reload()  # the same again
    expect(late.get_by_role("link", name="wins with 6 chests")).to_be_visible()
    late.get_by_role("button", name="Sit down").click()
    expect(host.get_by_text("Everyone is here.")).to_be_visible()


def test_every_game_of_a_table_has_its_own_address(visitor: Visitor, served: Served) -> None:
    table = finished(served.data, 2, games=2)
    code = table.code
    page = table.visit(visitor, 0, viewport={"width": 320, "height": 640})
    expect(result(page).get_by_text("Games won so far:")).to_be_visible()
    result(page).get_by_role("link", name=re.compile(r"^1\.")).click()
    page.wait_for_url(f"**/t/{code}/1")
    expect(page.get_by_role("heading", level=1)).to_contain_text("wins with 6 chests")
    expect(page.get_by_text(f"Game 1 at table {code}")).to_be_visible()
    page.get_by_role("img", name="Chests").wait_for()
    page.get_by_role("button", name="Was the deal fair?").click()
    page.get_by_text("fair: every card follows").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    examine(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the game").click()
    assert download.value.suggested_filename == f"baghdad-{code}-1.txt"
    # A spectator finds the same by its link alone.
    other = visitor(f"/t/{code}/1", viewport={"width": 1366, "height": 768})
    other.get_by_role("link", name="Replay", exact=True).click()
    other.wait_for_url(f"**/t/{code}/1/replay")
    other.locator("input[type=range]").wait_for()
    wants(page, "rematch")
    wants(table.visit(visitor, 1), "rematch")
    wants(page, "start")
    other.goto(f"/t/{code}/3")  # the one that is played now: the table itself
    other.wait_for_url(f"**/t/{code}")
    other.locator("[data-palace]").first.wait_for()


def test_alone_against_bots_nobody_is_asked(visitor: Visitor, served: Served) -> None:
    table = finished(served.data, 1, chairs=[{"kind": "bot", "level": "kasim"}])
    page = table.visit(visitor, 0)
    press(page, "Play again")
    page.get_by_role("button", name="Begin the game").click()
    page.locator("[data-palace]").first.wait_for()


def test_at_one_device_one_answer_is_for_all(visitor: Visitor, served: Served) -> None:
    table = finished(served.data, 1, chairs=[{"kind": "human", "name": "Benedikt"}])
    page = table.visit(visitor, 0, 1)
    press(page, "Play again")
    page.get_by_role("button", name="Begin the game").wait_for()


def test_at_a_screen_phones_accept_with_one_tap(visitor: Visitor, served: Served) -> None:
    table = finished(served.data, 2, screen=True, name="Screen")
    size = {"width": 360, "height": 740}
    screen = table.visit(visitor, 0, view="/screen", viewport={"width": 1366, "height": 768})
    phones = [table.visit(visitor, n, view="/hand", viewport=size) for n in (1, 2)]
    press(screen, "Play again")
    for phone in phones:
        expect(phone.get_by_text("Screen wants another game.")).to_be_visible()
        examine(phone)
    phones[0].get_by_role("button", name="Yes, play again").click()
    expect(screen.get_by_role("dialog").get_by_text("Still to answer: Benedikt.")).to_be_visible()
    phones[1].get_by_role("button", name="Yes, play again").click()
    for page in (screen, *phones):
        page.get_by_role("heading", name="Chairs").wait_for()
