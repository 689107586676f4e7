"""Choosing a rulebook or single options for a table, and seeing what is agreed there."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from baghdad.rules.options import PRESETS, RULEBOOKS
from baghdad.text import LANGUAGES, catalogue

from .conftest import Visitor
from .gathering import KASIM, begin, create
from .playing import known
from .test_access import examine, narrow

pytestmark = pytest.mark.xdist_group(__name__)
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
DESK: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}


class NewTable:
    """The page on which a table is set up, in a language."""

    def __init__(self, page: Page, language: str = "en") -> None:
        self.page = page
        self.web, self.messages = catalogue("web", language), catalogue("messages", language)

    def group(self, key: str) -> Locator:
        return self.page.get_by_role("group", name=self.web[key], exact=True)

    def choose(self, group: str, name: str) -> None:
        self.group(group).get_by_role("radio", name=name, exact=True).check(force=True)

    def chosen(self, group: str) -> str:
        checked = self.group(group).locator("label:has(:checked)")
        return (checked.text_content() or "").strip()

    def more(self) -> None:
        self.page.get_by_text(self.web["new.more"]).click()

    def set_up(self) -> None:
        self.page.get_by_role("button", name=self.web["new.go"], exact=True).click()
        self.page.locator("[data-agreed]").first.wait_for()


def agreed(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = known(page)["table"]["agreement"]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("options", [PHONE, DESK], ids=["phone", "desktop"])
def test_a_rulebook_is_chosen_and_seen_agreed(
    visitor: Visitor, options: dict[str, Any], language: str
) -> None:
    page = visitor("/new", locale=language, **options)
    new = NewTable(page, language)
    books = new.group("new.rulebook")
    words = [new.messages[f"rulebook.{book}"] for book in RULEBOOKS]
    expect(books.locator("label")).to_have_text(words)
    assert new.chosen("new.rulebook") == new.messages["rulebook.ours"]
    for book in RULEBOOKS:
        new.choose("new.rulebook", new.messages[f"rulebook.{book}"])
        expect(books.locator("small")).to_contain_text(new.messages[f"rulebook.{book}.differs"])
    narrow(page)
    examine(page)
    new.choose("new.rulebook", new.messages["rulebook.cs"])
    new.set_up()
    assert agreed(page)["rulebook"] == "cs"
    told = page.locator("[data-agreed]")
    expect(told).to_contain_text(f"{new.web['new.rulebook']}: {new.messages['rulebook.cs']}")
    expect(told).to_contain_text(new.web["spare.chosen"])
    narrow(page)
    examine(page)
    guest = visitor(f"/t/{known(page)['table']['code']}", locale=language, **options)
    expect(guest.locator("[data-agreed]")).to_contain_text(new.messages["rulebook.cs"])


@pytest.mark.parametrize("book", RULEBOOKS)
def test_every_rulebook_brings_its_options(visitor: Visitor, book: str) -> None:
    page = visitor("/new", **DESK)
    new = NewTable(page)
    new.more()
    new.choose("new.rulebook", new.messages[f"rulebook.{book}"])
    preset = PRESETS[book]  # type: ignore[index]
    assert new.chosen("new.rob") == new.web[f"rob.{preset.rob}"]
    assert new.chosen("new.hands") == new.web[f"hands.{preset.hands}"]
    assert new.chosen("new.spare") == new.web[f"spare.{preset.spare}"]
    new.set_up()
    found = agreed(page)
    assert found.get("rulebook", "ours") == book
    assert found.get("rob", "arrival") == preset.rob
    assert found.get("spare", "stack") == preset.spare


def test_an_option_that_contradicts_leaves_the_rulebook(visitor: Visitor) -> None:
    page = visitor("/new", **DESK)
    new = NewTable(page)
    new.more()
    new.choose("new.rulebook", "12 Thieves")
    expect(new.group("new.rulebook").locator("small")).to_contain_text("only a proposal")
    new.choose("new.rob", "Any thief that arrives")
    assert new.chosen("new.rulebook") == "Our rules"
    new.choose("new.spare", "A card of a named palace")
    assert new.chosen("new.rulebook") == "Own choice"
    expect(new.group("new.rulebook").locator("small")).to_contain_text("None of the rulebooks")
    new.choose("new.hands", "Visible")
    new.choose("new.rulebook", "Dutch (2006)")
    assert new.chosen("new.hands") == "Hidden"
    assert new.chosen("new.spare") == "Four cards from the stack"
    expect(new.group("new.rulebook").get_by_text("Own choice")).to_have_count(0)
    new.choose("new.rob", "Only a smuggled thief")
    new.choose("new.spare", "A card of a named palace")
    new.set_up()
    assert agreed(page) == {"rob": "smuggle", "spare": "chosen"}
    told = page.locator("[data-agreed]")
    expect(told).to_contain_text("Only a smuggled thief robs")
    expect(told).to_contain_text("When no dancer is left: A card of a named palace")
    expect(told).not_to_contain_text("Rulebook")


def test_what_was_chosen_last_is_there_again(visitor: Visitor) -> None:
    page = visitor("/new", **DESK)
    new = NewTable(page)
    new.more()
    new.choose("new.rulebook", "German (2006)")
    new.choose("new.deal", "Balanced")
    new.set_up()
    page.goto("/new")
    new.more()
    assert new.chosen("new.rulebook") == "German (2006)"
    assert new.chosen("new.rob") == "Only a smuggled thief"
    assert new.chosen("new.deal") == "Balanced"


def test_first_hands_usual_balanced_or_own(visitor: Visitor) -> None:
    page = visitor("/new", **PHONE)
    new = NewTable(page)
    page.get_by_role("radio", name="3", exact=True).check(force=True)
    new.more()
    deal = new.group("new.deal")
    expect(deal.locator("small")).to_contain_text("6, 7, 8 cards")
    new.choose("new.deal", "Balanced")
    expect(deal.locator("small")).to_contain_text("6, 7, 9 cards")
    new.choose("new.deal", "Own numbers")
    for seat, (typed, kept) in enumerate((("9", "9"), ("99", "25"), ("0", "1")), 1):
        field = page.get_by_label(f"Cards for player {seat}")
        field.fill(typed)
        field.blur()
        expect(field).to_have_value(kept)
    narrow(page)
    examine(page)
    new.set_up()
    assert agreed(page)["deal"] == "9-25-1"
    told = page.locator("[data-agreed]")
    expect(told).to_contain_text("First hands: 9, 25, 1")
    page.get_by_label("Chair 3").select_option("closed")
    expect(told).not_to_contain_text("25, 1")
    expect(told).to_contain_text("First hands: 9, 25")


@pytest.mark.parametrize(("rulebook", "loose"), [("12thieves", True), ("de", False)])
def test_a_rulebook_proposes_its_board_and_every_device_may_show_the_other(
    visitor: Visitor, rulebook: str, loose: bool
) -> None:
    page = visitor(None, **DESK)
    page.goto(f"/t/{begin(page, 2, KASIM, rulebook=rulebook)}")
    ring = page.locator(".table.ring")
    page.locator("[data-palace]").first.wait_for()
    expect(ring).to_have_count(int(loose))
    page.get_by_role("button", name="Settings").click()
    board = page.get_by_role("group", name="Board")
    expect(board.get_by_role("radio", name="As in the rulebook")).to_be_checked()
    other = "Classic board" if loose else "12 Thieves"
    board.get_by_role("radio", name=other).check(force=True)
    expect(ring).to_have_count(int(not loose))
    page.reload()
    page.locator("[data-palace]").first.wait_for()
    expect(ring).to_have_count(int(not loose))


def test_what_is_agreed_is_seen_with_the_rules_and_in_the_lobby(visitor: Visitor) -> None:
    page = visitor(None, **DESK)
    page.goto(f"/t/{begin(page, 2, KASIM, rulebook='cs', deal='6-8')}")
    page.get_by_role("button", name="Rules").click()
    told = page.get_by_role("dialog").locator("[data-agreed]")
    expect(told).to_contain_text("Rulebook: Czech (2006)")
    expect(told).to_contain_text("First hands: 6, 8")
    examine(page)
    create(page, 2, listed=True, rulebook="12thieves", deal="balanced")
    page.goto("/")
    entry = page.get_by_role("link", name="12 Thieves").first
    expect(entry).to_contain_text("Only a smuggled thief robs")
    expect(entry).to_contain_text("First hands: 6, 8")


def test_balanced_hands_promise_nothing_where_they_were_not_found(visitor: Visitor) -> None:
    page = visitor("/new")
    new = NewTable(page)
    new.more()
    new.choose("new.deal", new.web["deal.balanced"])
    deal = new.group("new.deal").locator("small")
    expect(deal).to_contain_text("about equally often in every seat")
    new.choose("new.variant", new.web["variant.neutral"])
    expect(deal).to_contain_text("far from even")
    new.choose("new.variant", new.web["variant.standard"])
    expect(deal).to_contain_text("about equally often in every seat")
