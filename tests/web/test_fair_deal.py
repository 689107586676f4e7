"""The fair deal in browsers: devices bring their numbers without anybody doing anything."""

import json
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, Request, WebSocketRoute, expect

from baghdad.server.domain.commands import Bring, NewTable
from baghdad.text import LANGUAGES, catalogue
from support.pledges import number_of, promise_of

from .conftest import Served, Visitor
from .gathering import StoredTable, begin, finished, wants
from .test_access import examine
from .test_rematch import press, result

pytestmark = pytest.mark.xdist_group(__name__)
PLAIN = """
Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })
Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined })
"""
"""What a browser has for pages over plain HTTP from another machine."""
PHONE = {"width": 390, "height": 844}


def set_up(page: Page, hands: str = "hidden") -> str:
    """A table for two, by the page's own form; returns its path."""
    kept = {"rulebook": None, "hands": hands, "start": 0}
    page.evaluate("kept => localStorage['baghdad-agreement'] = JSON.stringify(kept)", kept)
    page.goto("/new")
    page.locator("form button.go").click()
    page.locator("[data-deal]").wait_for()
    table = page.request.get(f"/api/tables/{page.url[-6:]}").json()["table"]
    assert table["agreement"].get("hands", "hidden") == hands
    return page.url


def sit_down(page: Page) -> None:
    page.locator("form button.act").click()
    page.locator("fieldset .colour").first.wait_for()


def chairs(page: Page) -> list[dict[str, Any]]:
    """As the server tells them."""
    code = page.url.partition("/t/")[2][:6]
    found: list[dict[str, Any]] = page.request.get(f"/api/tables/{code}").json()["table"]["chairs"]
    return found


def shares(page: Page, *expected: str) -> None:
    """Who brings what, as the page says it, in words of its language."""
    page.locator("[data-deal]").first.wait_for(state="attached")
    language = page.locator("html").get_attribute("lang") or ""
    texts = catalogue("web", language)
    lines = page.locator("[data-deal] [data-share]")
    expect(lines).to_have_count(len(expected))
    for n, share in enumerate(expected):
        expect(lines.nth(n)).to_have_attribute("data-share", share)
        expect(lines.nth(n)).to_contain_text(texts[f"deal.{share}"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_browsers_bring_their_numbers_by_themselves(visitor: Visitor, language: str) -> None:
    host = visitor("/", locale=language)
    url = set_up(host)
    shares(host, "promised")
    guest = visitor(None, locale=language, viewport=PHONE)
    guest.add_init_script(PLAIN)
    guest.goto(url)
    sit_down(guest)
    for page in (host, guest):
        page.locator("[data-deal] summary").click()
        shares(page, "promised", "promised")
        for chair in chairs(page):
            expect(page.locator("[data-deal]")).to_contain_text(chair["promise"])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        examine(page)
    host.locator("button.go").click()
    for page in (host, guest):
        shares(page, "brought", "brought")
        for chair in chairs(page):
            assert sha256(chair["number"].encode()).hexdigest() == chair["promise"]
            expect(page.locator("[data-deal]")).to_contain_text(chair["number"])
    host.locator("[data-deal] summary").click()
    examine(host)


def test_a_number_outlives_a_reload_and_is_known_to_nobody_before_the_start(
    visitor: Visitor,
) -> None:
    sent: list[str] = []

    def note(request: Request) -> None:
        sent.append(f"{request.url} {request.post_data}")

    host, guest = visitor("/"), visitor("/")
    url = set_up(host, hands="seen")
    guest.on("request", note)
    guest.on("websocket", lambda each: each.on("framesent", lambda said: sent.append(str(said))))
    guest.goto(url)
    sit_down(guest)
    guest.reload()
    shares(guest, "promised", "promised")
    before = "\n".join(sent)
    assert chairs(guest)[1]["promise"] in before
    host.locator("button.go").click()
    # Nobody has done anything more, and the cards are there.
    expect(guest.get_by_role("group", name="Your hand: 7 cards")).to_be_visible()
    number = chairs(guest)[1]["number"]
    assert number not in before
    assert number in "\n".join(sent)


def test_the_deal_waits_for_a_device_and_says_for_which(visitor: Visitor) -> None:
    def pass_on(route: WebSocketRoute) -> None:
        """All but the end of the waiting, so that it can be looked at for as long as it takes."""
        server = route.connect_to_server()
        server.on_message(lambda said: None if '"left_out",' in str(said) else route.send(said))

    host, guest = visitor("/"), visitor("/")
    host.route_web_socket("**/socket?*", pass_on)
    url = set_up(host, hands="seen")
    guest.goto(url)
    guest.get_by_label("Your name").fill("Benedikt")
    sit_down(guest)
    guest.goto("/rules")  # the device is elsewhere when the game begins
    host.locator("button.go").click()
    waiting = host.locator("[data-step]")
    expect(waiting).to_contain_text("The cards are about to be dealt")
    expect(waiting).to_contain_text("the number of Benedikt")
    shares(host, "brought", "promised")
    examine(host)


def test_who_takes_a_seat_to_another_device_takes_the_number_along(visitor: Visitor) -> None:
    sent: list[str] = []
    host, laptop = visitor("/"), visitor("/")
    url = set_up(host, hands="seen")
    laptop.goto(url)
    sit_down(laptop)
    laptop.on("request", lambda request: sent.append(f"{request.url} {request.post_data}"))
    laptop.goto("/")
    laptop.get_by_role("button", name="Take my games to another device").click()
    laptop.get_by_role("button", name="Make the link").click()
    link = laptop.get_by_label("Private link").input_value()
    assert link.partition("#")[2].count(".") == 1
    phone = visitor(None, viewport=PHONE)
    phone.on("request", lambda request: sent.append(f"{request.url} {request.post_data}"))
    phone.goto(link)
    phone.get_by_role("button", name="Bring them here").click()
    phone.locator("main a.act").click()
    shares(phone, "promised", "promised")
    kept = json.loads(phone.evaluate(f"localStorage['baghdad-numbers-{url[-6:]}']"))
    assert len(kept) == 1
    assert kept[0]["number"] not in "\n".join(sent)  # sealed on its way
    host.locator("button.go").click()
    shares(host, "brought", "brought")
    assert chairs(host)[1]["number"] == kept[0]["number"]


def test_a_table_on_one_device_claims_nothing(visitor: Visitor) -> None:
    page = visitor("/")
    code = begin(page, 2, {"kind": "human", "name": "Benedikt"})
    page.goto(f"/t/{code}")
    page.locator("[data-deal] summary").click()
    shares(page, "none", "none")
    expect(page.locator("[data-deal]")).to_contain_text("No device brings a number")


def test_who_plays_alone_against_bots_brings_one(visitor: Visitor) -> None:
    page = visitor("/")
    page.get_by_role("button", name="Play against bots").click()
    page.locator("[data-palace]").first.wait_for()
    for share in ("brought", "none"):  # whoever begins
        expect(page.locator(f"[data-share={share}]")).to_have_count(1)


def test_a_rematch_has_new_numbers(visitor: Visitor, served: Served) -> None:
    table = finished(served.data, 2)
    host, guest = (table.visit(visitor, n) for n in (0, 1))
    for page in (host, guest):
        result(page)
    press(host, "Play again")
    press(guest, "Yes, play again")
    for page in (host, guest):
        shares(page, "promised", "promised")
    wants(host, "start")
    for page in (host, guest):
        shares(page, "brought", "brought")


def played_with(number: str) -> StoredTable:
    """A finished game to whose deal the host has brought a number."""
    asked = {"name": "Amira", "agreement": {"start": "order"}, "promise": promise_of("Amira")}
    table = StoredTable(msgspec.convert(asked, NewTable), "Benedikt")
    table.decide(0, Bring(number))
    table.play()
    return table


@pytest.mark.parametrize(
    ("own", "said"),
    [
        (number_of("Amira"), "Your number is among them."),
        (number_of("somebody else"), "NOT fair: your number is not in this record"),
        (None, "a number of their own, which counts: 1 (Amira)"),
    ],
)
def test_the_proof_asks_after_the_own_number(
    visitor: Visitor, served: Served, own: str | None, said: str
) -> None:
    table = played_with(number_of("Amira"))
    table.save(served.data)
    page = visitor("/")
    if own is not None:
        kept = json.dumps(json.dumps([{"number": own, "game": 1}]))
        page.evaluate(f"localStorage['baghdad-numbers-{table.code}'] = {kept}")
    page.goto(f"/t/{table.code}/1")
    page.get_by_role("button", name="Was the deal fair?").click()
    expect(page.locator(".proof")).to_contain_text(said)
