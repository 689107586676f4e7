"""One screen for all, a phone for each hand."""

import pytest
from playwright.sync_api import Page, expect

from .conftest import Visitor
from .playing import step, stepped
from .test_access import examine, narrow

pytestmark = pytest.mark.xdist_group(__name__)
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
NAMES = ("Amira", "Benedikt")


def sit_around(visitor: Visitor, scheme: str = "light") -> tuple[Page, list[Page]]:
    """A screen and two phones, the game begun."""
    screen = visitor("/", viewport={"width": 1920, "height": 1080}, color_scheme=scheme)
    screen.get_by_role("link", name="Couch").click()
    examine(screen)
    screen.get_by_role("button", name="Set up", exact=True).click()
    screen.get_by_label("Link to this table").wait_for()
    expect(screen.get_by_label("Your name")).to_have_count(0)
    examine(screen)
    link = screen.get_by_label("Link to this table").input_value()
    phones: list[Page] = []
    for name in NAMES:
        phone = visitor("/", color_scheme=scheme, **PHONE)
        if phones:  # without a camera
            phone.get_by_label("Table code").fill(link.split("/")[-2].lower())
            phone.get_by_role("button", name="Join").tap()
            phone.wait_for_url(link)
        else:
            phone.goto(link)
        phone.get_by_label("Your name").fill(name)
        examine(phone)
        phone.get_by_role("button", name="Sit down").tap()
        expect(screen.get_by_role("list").get_by_text(name, exact=True)).to_be_visible()
        phones.append(phone)
    screen.get_by_role("button", name="Begin the game").click()
    for phone in phones:
        phone.locator("[data-mine]").wait_for()
    return screen, phones


def on_turn(phones: list[Page]) -> Page:
    while True:
        for phone in phones:
            if phone.locator("[data-mine=true]").count():
                return phone


def hides_all_hands(screen: Page) -> None:
    """Nothing of anybody's cards is on the screen: only backs, dancers and what was discarded."""
    assert not screen.locator("[data-card], [data-home], [data-piece^=card], [data-action]").count()
    for word in ("Your hand", "Your stock", "will be spent"):
        assert word not in screen.content()


def fits_held_flat(phone: Page) -> None:
    upright = phone.viewport_size
    assert upright
    phone.set_viewport_size({"width": 740, "height": 360})
    assert narrow(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") <= 740
    phone.set_viewport_size(upright)


def test_a_screen_and_two_phones(visitor: Visitor) -> None:
    screen, phones = sit_around(visitor)
    acted = set()
    for turn in range(14):
        phone = on_turn(phones)
        if turn in (0, 10):
            fits_held_flat(phone)
        before = step(phone)
        phone.locator("[data-action]").first.tap()
        stepped(phone, before)
        stepped(screen, before)
        hides_all_hands(screen)
        acted.add(phone)
        if phone.locator("[data-end].final").count() and turn > 8:
            before = step(phone)
            phone.locator("[data-end].final").first.tap()
            stepped(phone, before)
            stepped(screen, before)
    assert acted == set(phones)
    held = [phone.locator("[data-card]").count() for phone in phones]
    assert all(held)
    other = phones[1 - phones.index(on_turn(phones))]
    assert not other.locator("[data-action]").count()
    log = screen.get_by_role("list", name="Log")
    assert all(log.get_by_text(f"{name}: ").count() for name in NAMES)
    assert screen.evaluate("document.documentElement.scrollWidth") <= 1920
    assert phones[0].evaluate("document.documentElement.scrollWidth") <= 360


def test_a_step_is_taken_back_on_the_phone(visitor: Visitor) -> None:
    screen, phones = sit_around(visitor, "dark")
    while True:
        phone = on_turn(phones)
        examine(phone)
        before = step(phone)
        placing = not phone.locator("[data-end].final").count()
        phone.locator("[data-action]").first.tap()
        stepped(phone, before)
        if not placing:
            break
    cards = phone.locator("section").first.get_attribute("aria-label")
    before = step(phone)
    phone.get_by_role("button", name="Take back").tap()
    stepped(phone, before)
    assert phone.locator("section").first.get_attribute("aria-label") != cards
    stepped(screen, before)
    examine(screen)
    examine(phones[1 - phones.index(phone)])


def test_a_phone_has_rules_and_settings(visitor: Visitor) -> None:
    _, phones = sit_around(visitor)
    phone = phones[0]
    fits_held_flat(phone)
    phone.get_by_role("button", name="Rules").tap()
    expect(phone.get_by_role("heading", name="Components")).to_be_visible()
    examine(phone)
    phone.get_by_role("button", name="Close").tap()
    phone.get_by_role("button", name="Settings").tap()
    dialog = phone.get_by_role("dialog")
    expect(dialog.get_by_text("Board", exact=True)).to_have_count(0)
    examine(phone)
    assert narrow(phone) == []
    dialog.get_by_role("radio", name="Night").check(force=True)
    expect(phone.locator("html")).to_have_attribute("data-theme", "dark")
    dialog.get_by_role("radio", name="Deutsch").check(force=True)
    phone.get_by_role("button", name="Schließen").tap()
    expect(phone.get_by_role("button", name="Regeln")).to_be_visible()


def test_a_phone_leaves_the_game(visitor: Visitor) -> None:
    screen, phones = sit_around(visitor)
    phones[0].get_by_role("button", name="Settings").tap()
    phones[0].get_by_role("button", name="End the game early").tap()
    phones[0].get_by_role("button", name="Leave the table").tap()
    phones[0].get_by_role("button", name="Yes, leave").tap()
    phones[0].wait_for_url("**/")
    log = screen.get_by_role("list", name="Log")
    expect(log.get_by_text(NAMES[0]).last).to_be_visible()


ORDER = "all => all.map(field => field.dataset.palace).join('')"
APART = """() => {
  const piles = document.querySelector('.middle [data-pile]').parentElement.getBoundingClientRect()
  const inside = piles.width > 60 && piles.left >= 0 && piles.right <= innerWidth
  return inside && [...document.querySelectorAll('[data-palace]')].every(field => {
    const [left, top, right, bottom] = (({ left, top, right, bottom }) =>
      [left, top, right, bottom])(field.getBoundingClientRect())
    return right <= piles.left + 1 || left >= piles.right - 1
      || bottom <= piles.top + 1 || top >= piles.bottom - 1
  })
}"""


def test_the_board_of_12_thieves_on_the_screen(visitor: Visitor) -> None:
    screen, _ = sit_around(visitor)
    fields = screen.locator("[data-palace]")
    assert fields.evaluate_all(ORDER) == "RGWPYB"
    expect(screen.locator("[data-pile=stack]")).to_have_count(1)
    screen.get_by_role("button", name="Settings").click()
    screen.get_by_role("radio", name="12 Thieves").check(force=True)
    examine(screen)
    screen.get_by_role("button", name="Close").click()
    expect(screen.locator(".middle [data-pile=stack]")).to_be_visible()
    loose = fields.evaluate_all(ORDER)
    assert sorted(loose) == sorted("RGWPYB")
    examine(screen)
    for width, height in ((1024, 768), (1366, 768), (1920, 1080), (3840, 2160)):
        screen.set_viewport_size({"width": width, "height": height})
        assert screen.evaluate(APART), (width, height)
        assert screen.evaluate("document.documentElement.scrollWidth") <= width
        assert screen.evaluate("document.documentElement.scrollHeight") <= height
        # They lie in one place alone.
        shown = screen.locator("[data-pile=stack]").evaluate_all(
            "all => all.filter(pile => pile.checkVisibility()).length"
        )
        assert shown == 1
    screen.reload()
    fields.first.wait_for()
    assert fields.evaluate_all(ORDER) == loose
