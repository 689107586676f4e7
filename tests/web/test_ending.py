"""The end of a game looks different to whoever has won, to whoever has lost, and to a spectator."""

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import Served, Visitor
from .gathering import NAMES, StoredTable, finished
from .test_access import examine

pytestmark = pytest.mark.xdist_group(__name__)
PHONE = {"width": 390, "height": 844}


def result(page: Page) -> Locator:
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("img", name="Chests").wait_for()
    return dialog


def both(table: StoredTable) -> tuple[int, int]:
    """Who has won and who has not, as persons of the table."""
    game = table.table.game
    assert game is not None
    won, lost = sorted((0, 1), key=lambda person: table.table.seat_of(person) != game.winner)
    return won, lost


def test_losing_looks_different_from_winning(visitor: Visitor, served: Served) -> None:
    table = finished(served.data, 2)
    won, lost = both(table)
    page = table.visit(visitor, won, viewport=PHONE)
    dialog = result(page)
    expect(dialog.get_by_role("heading", level=2).first).to_have_text("You have won!")
    expect(dialog.locator("[data-mood]")).to_have_attribute("data-mood", "won")
    expect(dialog.locator("[data-own]")).to_have_count(0)
    expect(dialog.locator("[data-mood] .star").first).to_be_visible()
    expect(dialog.locator("[data-mood] .sun")).to_have_count(0)
    examine(page)

    page = table.visit(visitor, lost, viewport=PHONE)
    dialog = result(page)
    expect(dialog.get_by_role("heading", level=2).first).to_have_text(
        f"{NAMES[won]} wins with 6 chests"
    )
    expect(dialog.locator("[data-mood]")).to_have_attribute("data-mood", "lost")
    expect(dialog.locator("[data-mood] .sun")).to_be_visible()
    expect(dialog.locator("[data-mood] .star")).to_have_count(0)
    row = dialog.get_by_role("row").filter(has_text=NAMES[lost]).get_by_role("cell")
    chests = row.first.inner_text().split(" / ")[0]
    expect(dialog.locator("[data-own]")).to_contain_text(f"You have {chests} of 6 chests.")
    examine(page)


def test_whoever_watched_has_neither_won_nor_lost(visitor: Visitor, served: Served) -> None:
    table = finished(served.data, 2)
    page = visitor(f"/t/{table.code}")
    dialog = result(page)
    expect(dialog.get_by_role("heading", level=2).first).to_contain_text("wins with 6 chests")
    expect(dialog.locator("[data-mood], [data-own]")).to_have_count(0)
