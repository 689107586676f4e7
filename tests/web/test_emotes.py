"""What people say is seen at their boards, and counted until it is read."""

import pytest
from playwright.sync_api import Page, expect

from .conftest import Visitor
from .gathering import wants
from .test_couch import NAMES, sit_around

pytestmark = pytest.mark.xdist_group(__name__)
PHONE = {"viewport": {"width": 390, "height": 844}}
DESK = {"viewport": {"width": 1366, "height": 768}}


def together(visitor: Visitor) -> tuple[Page, Page]:
    """Anna at her desk and Ben with his phone, at one table."""
    anna = visitor("/new", **DESK)
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_role("button", name="Set up", exact=True).click()
    code = anna.locator(".code").inner_text()
    ben = visitor(f"/t/{code}", **PHONE)
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Sit down").click()
    anna.get_by_role("button", name="Begin the game").click()
    for page in (anna, ben):
        page.locator("[data-palace]").first.wait_for()
    return anna, ben


def test_a_face_is_seen_at_its_players_board_for_some_seconds(visitor: Visitor) -> None:
    anna, ben = together(visitor)
    ben.clock.install()
    anna.get_by_role("button", name="Chat", exact=True).first.click()
    anna.get_by_role("button", name="Bravo!").click()
    speech = ben.locator(".place", has=ben.locator("[aria-label^='Anna,']")).locator(
        "[data-speech]"
    )
    expect(speech).to_have_text("Bravo!")
    expect(speech.locator("svg")).to_be_visible()
    box = speech.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    badge = ben.get_by_role("button", name="1 new")
    expect(badge).to_be_visible()
    ben.clock.run_for(8000)
    expect(speech).to_have_count(0)
    expect(badge).to_be_visible()  # unread as before
    badge.click()
    expect(ben.get_by_role("button", name="new")).to_have_count(0)
    ben.get_by_role("button", name="Close").first.click()  # a sheet that is closed is not read
    anna.get_by_label("Write a message").fill(
        "Well done, you have found the only way into the blue palace that I forgot"
    )
    anna.keyboard.press("Enter")
    expect(speech).to_contain_text("Well done")
    expect(speech).to_contain_text("…")
    expect(ben.get_by_role("button", name="1 new")).to_be_visible()


def test_whoever_mutes_others_sees_no_speech(visitor: Visitor) -> None:
    anna, ben = together(visitor)
    ben.get_by_role("button", name="Settings").click()
    mute = ben.get_by_role("group", name="Mute")
    mute.get_by_role("radio", name="On", exact=True).check(force=True)
    ben.get_by_role("dialog").get_by_role("button", name="Close").click()
    anna.get_by_role("button", name="Chat", exact=True).first.click()
    anna.get_by_role("button", name="Ha ha!").click()
    expect(anna.locator("[data-speech]")).to_have_text("Ha ha!")  # one's own, too
    anna.get_by_role("button", name="Hello!").click()
    expect(anna.locator("[data-speech]")).to_have_text("Hello!")
    expect(ben.locator("[data-speech]")).to_have_count(0)
    expect(ben.get_by_role("button", name="new")).to_have_count(0)


def test_what_a_phone_says_is_seen_on_the_screen_for_all(visitor: Visitor) -> None:
    screen, phones = sit_around(visitor)
    wants(phones[0], "emote", emote="cheer")
    place = screen.locator(".place", has=screen.locator(f"[aria-label^='{NAMES[0]},']"))
    speech = place.locator("[data-speech]")
    expect(speech).to_have_text("Bravo!")
    expect(speech.locator("svg")).to_be_visible()
    expect(screen.locator("[data-speech]")).to_have_count(1)
    box = speech.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 1920
    expect(phones[1].locator("[data-speech]")).to_have_count(0)
