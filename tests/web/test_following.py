"""Following others: who they are, what each step was, what has changed since one's own turn."""

import pytest
from playwright.sync_api import Page, expect

from baghdad import Game

from .conftest import Visitor
from .playing import known
from .test_replay import paste

pytestmark = pytest.mark.xdist_group("browser")


def names(page: Page) -> list[str]:
    return page.locator("[data-player] .name b").all_inner_texts()


def faces(page: Page) -> list[str]:
    return [face.inner_html() for face in page.locator("[data-player] svg.face").all()]


def test_three_bots_of_one_level_have_names_and_faces_of_their_own(visitor: Visitor) -> None:
    page = visitor("/")
    page.get_by_role("radio", name="4", exact=True).check(force=True)
    page.get_by_role("radio", name="Kasim").check(force=True)
    page.get_by_role("button", name="Play against bots").click()
    expect(page.locator("[data-player]")).to_have_count(4)
    assert sorted(names(page)) == ["Ahmad", "Kasim", "Omar", "You"]
    assert len(set(faces(page))) == 4
    expect(page.locator("[data-player][aria-label^='Omar,']")).to_have_count(1)


def test_bots_are_called_the_same_before_the_game_and_in_its_replay(visitor: Visitor) -> None:
    page = visitor("/new")
    page.get_by_label("Your name").fill("Omar")
    page.get_by_role("radio", name="4", exact=True).check(force=True)
    page.get_by_role("button", name="Set up", exact=True).click()
    seated = page.locator(".who b")
    # Omar would be the second: that is a person's name here.
    for chair, called in ((2, "Kasim"), (3, "Ahmad"), (4, "Ibrahim")):
        page.get_by_label(f"Chair {chair}", exact=True).select_option("kasim")
        expect(seated.nth(chair - 1)).to_have_text(called)
    page.get_by_role("button", name="Begin the game").click()
    expect(page.locator("[data-player]")).to_have_count(4)
    playing = names(page)
    assert sorted(playing) == ["Ahmad", "Ibrahim", "Kasim", "You"]
    table = known(page)["table"]
    sitting = [table["chairs"][chair] for chair in table["order"]]
    game = Game(4)
    game.headers = {
        "Seats": ", ".join(chair.get("name") or chair["level"] for chair in sitting),
        "Colours": ", ".join(str(chair["colour"] + 1) for chair in sitting),
    }
    page.goto("/replay")
    paste(page, game.record())
    assert names(page) == ["Omar" if name == "You" else name for name in playing]
