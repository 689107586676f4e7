"""Tables for teaching: everybody sees what they are, and there help is for everybody."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from baghdad.server.domain.commands import Resign
from baghdad.text import LANGUAGES

from .conftest import Served, Visitor
from .playing import play_a_turn, state
from .test_access import examine, narrow
from .test_giving_up import DESK, PHONE, begun, say

pytestmark = pytest.mark.xdist_group(__name__)


def fits(page: Page) -> None:
    size = page.viewport_size
    assert size is not None
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_chosen_at_the_beginning_and_seen_by_everybody(
    visitor: Visitor, language: str
) -> None:
    page = visitor("/new", viewport=DESK, locale=language)
    choice = page.get_by_role("group", name=say("new.teaching", language))
    expect(choice.get_by_role("radio").first).to_be_checked()
    choice.get_by_role("radio").nth(1).check(force=True)
    expect(choice).to_contain_text(say("teaching.about", language))
    page.locator("summary").click()
    page.get_by_role("radio", name=say("listed.yes", language), exact=True).check(force=True)
    examine(page)
    page.get_by_role("button", name=say("new.go", language)).click()
    page.wait_for_url(re.compile(r"/t/\w{6,}$"))  # codes grow with the number of tables
    badge = page.locator("[data-teaching]")
    expect(badge).to_contain_text(say("teaching.about", language))
    examine(page)
    code = page.url.rpartition("/")[2]
    other = visitor("/", viewport={**PHONE, "width": 360}, locale=language)
    row = other.locator(f"a[href='/t/{code}']")
    expect(row).to_contain_text(say("teaching", language))
    fits(other)
    row.click()
    expect(other.locator("[data-teaching]")).to_contain_text(say("teaching.about", language))
    fits(other)
    assert narrow(other) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_there_for_each_by_what_the_own_seat_knows(
    visitor: Visitor, served: Served, language: str
) -> None:
    table = begun(2, teaching=True)
    table.save(served.data)
    page = table.visit(visitor, 0, viewport={**PHONE, "width": 360}, locale=language)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    assert state(page) == "mine"
    expect(page.locator("[data-teaching]")).to_be_visible()
    fits(page)
    page.get_by_role("button", name=say("hint", language), exact=True).click()
    hint = page.locator(".hint")
    hint.get_by_role("button", name=say("hint.more", language)).wait_for()
    examine(page)
    hint.get_by_role("button").last.click()
    own = page.get_by_role("button", name=say("teaching.turns", language))
    own.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(say("teaching.none", language))
    page.keyboard.press("Escape")
    play_a_turn(page)
    own.press("Enter")  # where one is asked about notifications the question lies above it
    expect(dialog).to_contain_text(say("review.progress", language, done=1, all=1))
    expect(dialog.get_by_role("listitem").first).to_be_visible()
    examine(page)
    fits(page)
    # On this device: of the server are asked files of the page, and what has happened.
    known = ("/assets/", "/icon", "blob:", "data:", f"/api/tables/{table.code}/events?")
    assert [url for url in sent if not any(each in url for each in known)] == []
    screen = visitor(f"/t/{table.code}/screen", viewport=DESK, locale=language)
    expect(screen.locator("[data-teaching]")).to_be_visible()
    watcher = visitor(f"/t/{table.code}", viewport=DESK, locale=language)
    expect(watcher.locator("[data-teaching]")).to_be_visible()
    hints = watcher.get_by_role("button", name=say("hint", language), exact=True)
    expect(hints).to_have_count(0)


def test_elsewhere_there_is_none_of_it_and_it_cannot_become_one(
    visitor: Visitor, served: Served
) -> None:
    table = begun(2)
    table.save(served.data)
    page = table.visit(visitor, 0, viewport=DESK)
    assert state(page) == "mine"
    expect(page.locator("[data-teaching]")).to_have_count(0)
    expect(page.get_by_role("button", name="Hint", exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name=say("teaching.turns", "en"))).to_have_count(0)
    body = {"id": "x", "version": 0, "wish": {"type": "teach", "yes": True}}
    answer = page.request.post(
        f"/api/tables/{table.code}/commands",
        data=json.dumps(body),
        headers={"Content-Type": "application/json"},
    )
    assert answer.status == 400


def test_the_record_says_it(served: Served, visitor: Visitor) -> None:
    records = []
    for teaching in (True, False):
        table = begun(2, teaching=teaching)
        table.decide(0, Resign())
        table.save(served.data)
        page = visitor("/rules")
        records.append(page.request.get(f"/api/tables/{table.code}/record").text())
    assert '[Teaching "yes"]' in records[0]
    assert "Teaching" not in records[1]
