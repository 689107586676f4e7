"""Whoever was asked to go, and everybody who comes later, needs the host's yes to sit down."""

import pytest
from playwright.sync_api import Page, expect

from .conftest import Visitor
from .gathering import create, wants
from .playing import known
from .test_access import examine

pytestmark = pytest.mark.xdist_group(__name__)
SMALL = {"viewport": {"width": 320, "height": 640}}


def sit(page: Page, name: str, button: str = "Sit down") -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name=button).click()


def chairs(page: Page) -> list[str]:
    """Who sits at the table that a page looks at."""
    return [chair["name"] for chair in known(page)["table"]["chairs"] if chair.get("name")]


def test_a_guest_who_was_asked_to_go_needs_the_hosts_yes(visitor: Visitor) -> None:
    host, guest = visitor("/new", **SMALL), visitor(None, **SMALL)
    sit(host, "Amira", "Set up")
    host.get_by_label("Link to this table").wait_for()
    guest.goto(host.url)
    sit(guest, "Benedikt")
    host.get_by_role("button", name="Ask to leave").click()
    expect(guest.get_by_text("The host has asked you to leave.")).to_be_visible()
    sit(guest, "Benedikt", "Ask to sit down")
    expect(guest.get_by_text("The host is being asked.")).to_be_visible()
    question = host.get_by_role("group", name="Benedikt wants to sit down.")
    expect(question).to_be_visible()
    expect(host.get_by_role("log", name="What happens")).to_have_text("Benedikt wants to sit down")
    assert chairs(host) == ["Amira"]
    for page in (host, guest):
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        examine(page)
    guest.reload()  # the page still knows that it waits
    expect(guest.get_by_text("The host is being asked.")).to_be_visible()
    question.get_by_role("button", name="Yes").click()
    expect(guest.get_by_text("The host begins the game")).to_be_visible()
    expect(question).to_have_count(0)
    assert chairs(host) == ["Amira", "Benedikt"]


def test_a_new_cookie_jar_knocks_too_and_is_told_no(visitor: Visitor) -> None:
    host, guest = visitor("/new"), visitor(None)
    sit(host, "Amira", "Set up")
    host.get_by_label("Link to this table").wait_for()
    guest.goto(host.url)
    sit(guest, "Benedikt")
    host.get_by_role("button", name="Ask to leave").click()
    other = visitor(host.url)
    sit(other, "Benedikt", "Ask to sit down")
    host.get_by_role("button", name="No", exact=True).click()
    expect(other.get_by_text("The host has said no.")).to_be_visible()
    expect(other.get_by_label("Your name")).to_have_count(0)
    examine(other)
    assert chairs(host) == ["Amira"]
    host.get_by_role("button", name="Let everyone in again").click()
    sit(other, "Benedikt")
    expect(other.get_by_text("The host begins the game")).to_be_visible()
    assert chairs(host) == ["Amira", "Benedikt"]


def test_a_screen_is_asked_about_phones(visitor: Visitor) -> None:
    screen = visitor("/couch", viewport={"width": 1366, "height": 768})
    phones = [visitor(None, viewport={"width": 360, "height": 740}) for _ in range(2)]
    screen.get_by_role("button", name="Set up", exact=True).click()
    screen.get_by_label("Link to this table").wait_for()
    hand = screen.url.replace("/screen", "/hand")
    for phone in phones:
        phone.goto(hand)
    sit(phones[0], "Benedikt")
    screen.get_by_role("button", name="Ask to leave").click()
    sit(phones[1], "Chidi", "Ask to sit down")
    screen.get_by_role("button", name="Yes").click()
    expect(phones[1].get_by_text("The host begins the game")).to_be_visible()
    assert chairs(screen) == ["Chidi"]


def test_who_was_asked_to_go_in_a_hidden_game_finds_its_replay_after_the_end(
    visitor: Visitor,
) -> None:
    # Whoever was asked to go asks once more, if there is time, and is refused.
    host, guest = visitor("/new"), visitor(None, "status of 403")
    code = create(host, 2, watching="nobody")
    host.goto(f"/t/{code}")
    guest.goto(f"/t/{code}")
    sit(guest, "Benedikt")
    host.get_by_role("button", name="Begin the game").click()
    guest.locator("[data-palace]").first.wait_for()
    wants(host, "kick", person=1)
    wants(host, "resign")
    guest.goto("/")
    guest.locator(f"[data-game='{code}']").get_by_role("link", name="Replay").click()
    guest.locator("[data-palace]").first.wait_for()
