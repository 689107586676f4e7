"""My games on another device: by a private link that says what it does, and works once."""

import pytest
from playwright.sync_api import Page, Route, expect

from .conftest import Visitor
from .gathering import KASIM, begin, create
from .playing import play_now, state
from .test_access import examine, narrow
from .test_my_games import keep, row

pytestmark = pytest.mark.xdist_group(__name__)
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def private_link(page: Page) -> str:
    """From the button that offers it to the link itself."""
    dialog = page.get_by_role("dialog").last
    expect(dialog).to_contain_text("both devices play the same seats")
    expect(dialog).to_contain_text("works once")
    expect(dialog.get_by_label("Private link")).to_have_count(0)
    dialog.get_by_role("button", name="Make the link").click()
    link = dialog.get_by_label("Private link").input_value()
    assert "/move#" in link
    return link


def with_games(page: Page) -> list[str]:
    """Three games, one of them of two people on this device."""
    codes = [
        begin(page, 2, KASIM),
        begin(page, 2, {"kind": "human", "name": "Benedikt"}),
        create(page, 3, KASIM),
    ]
    keep(page, [{"code": code, "with": "", "at": 1, "over": False} for code in codes])
    page.goto("/")
    return codes


def not_good(visitor: Visitor, link: str) -> None:
    page = visitor(link, "status of 409")
    expect(page.get_by_role("alert")).to_contain_text("no longer valid")
    expect(page.get_by_role("button", name="Bring them here")).to_have_count(0)
    examine(page)


def test_all_my_games_come_to_a_phone_and_none_is_lost(visitor: Visitor) -> None:
    laptop = visitor("/rules")
    codes = with_games(laptop)
    laptop.get_by_role("button", name="Take my games to another device").click()
    link = private_link(laptop)
    expect(laptop.get_by_role("dialog")).to_contain_text("10 more minutes")
    examine(laptop)

    phone = visitor("/", **PHONE)
    play_now(phone, 2)
    state(phone)
    own = phone.url.rpartition("/")[2]
    phone.goto(link)
    expect(phone.locator("main")).to_contain_text("brings 3 games to this device, with 4 seats.")
    assert phone.request.get(f"/api/tables/{codes[0]}").json()["people"] == [], "nothing yet"
    examine(phone)
    assert narrow(phone) == []
    phone.get_by_role("button", name="Bring them here").click()
    expect(phone.get_by_role("status")).to_contain_text("3 games are on this device")
    phone.get_by_role("link", name="My games").click()
    for code in (*codes, own):
        expect(row(phone, code)).to_be_visible()
    expect(row(phone, codes[0])).to_contain_text("Your turn")
    row(phone, codes[0]).locator("a").first.click()
    assert state(phone) == "mine"
    for code, people in zip(codes, ([0], [0, 1], [0]), strict=True):
        assert phone.request.get(f"/api/tables/{code}").json()["people"] == people
        assert laptop.request.get(f"/api/tables/{code}").json()["people"] == people
    assert phone.request.get(f"/api/tables/{own}").json()["people"] == [0]

    not_good(visitor, link)
    not_good(visitor, "/move#nonsense")
    not_good(visitor, "/move#" + "a" * 22)


def test_a_network_that_breaks_halfway_costs_nothing(visitor: Visitor) -> None:
    laptop = visitor("/rules")
    codes = with_games(laptop)
    laptop.get_by_role("button", name="Take my games to another device").click()
    link = private_link(laptop)
    phone = visitor(link, **PHONE)
    broken = f"**/api/tables/{codes[1]}/transfer/claim*"

    def fail(route: Route) -> None:
        # As a page sees it whose network is gone; a real failure would be on the console.
        route.fulfill(status=200, body="cut off", content_type="application/json")

    phone.route(broken, fail)
    phone.get_by_role("button", name="Bring them here").click()
    expect(phone.get_by_role("alert")).to_be_visible()
    phone.unroute(broken)
    phone.get_by_role("button", name="Bring them here").click()
    expect(phone.get_by_role("status")).to_contain_text("3 games are on this device")
    for code in codes:
        assert phone.request.get(f"/api/tables/{code}").json()["people"]


def test_a_link_that_another_device_was_quicker_with(visitor: Visitor) -> None:
    laptop = visitor("/rules")
    codes = with_games(laptop)
    laptop.get_by_role("button", name="Take my games to another device").click()
    link = private_link(laptop)
    phone, late = visitor(link, **PHONE), visitor(link, "status of 409", **PHONE)
    for page in (phone, late):
        expect(page.get_by_role("button", name="Bring them here")).to_be_visible()
    phone.get_by_role("button", name="Bring them here").click()
    expect(phone.get_by_role("status")).to_contain_text("3 games are on this device")
    late.get_by_role("button", name="Bring them here").click()
    expect(late.get_by_role("alert")).to_contain_text("no longer valid")
    expect(late.get_by_role("button", name="Bring them here")).to_have_count(0)
    phone.reload()  # the games, and no word of a link that is used up
    expect(row(phone, codes[0])).to_be_visible()
    expect(phone.get_by_role("alert")).to_have_count(0)


def test_one_game_by_its_settings(visitor: Visitor) -> None:
    laptop = visitor()
    play_now(laptop, 2)
    state(laptop)
    laptop.get_by_role("button", name="Settings").click()
    laptop.get_by_role("button", name="Take this game to another device").click()
    link = private_link(laptop)
    phone = visitor(link, **PHONE)
    expect(phone.locator("main")).to_contain_text("brings 1 game to this device, with 1 seat.")
    phone.get_by_role("button", name="Bring them here").click()
    phone.get_by_role("link", name="Go to the game").click()
    assert state(phone) == "mine"
