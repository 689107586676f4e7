"""A record that was cut off is shown as far as it goes, and the page says so."""

import pytest
from playwright.sync_api import expect

from .conftest import Visitor
from .test_access import examine
from .test_replay import RECORD, at, paste

pytestmark = pytest.mark.xdist_group(__name__)
HEADERS, _, MOVES = RECORD.partition("\n\n")
TOKENS = MOVES.split()
HALF = len(TOKENS) // 2


@pytest.mark.parametrize(("width", "height"), [(320, 640), (740, 360), (1366, 768)])
def test_a_record_that_lacks_its_end(visitor: Visitor, width: int, height: int) -> None:
    page = visitor("/replay", viewport={"width": width, "height": height})
    paste(page, f"{HEADERS}\n\n{' '.join(TOKENS[:HALF])}\n")
    sentence = "The record stops before the end: it says that Player 1 won."
    expect(page.get_by_text(sentence)).to_be_visible()
    page.keyboard.press("End")
    at(page, HALF)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    examine(page)
    page.reload()
    expect(page.get_by_text("The record stops before the end")).to_be_visible()


def test_a_record_that_stops_in_the_middle_of_a_move(visitor: Visitor) -> None:
    place = max(n for n, token in enumerate(TOKENS[:HALF]) if token.startswith("+"))
    page = visitor("/replay")
    text = f"{HEADERS}\n\n{' '.join(TOKENS[:place])} {TOKENS[place][:-1]}"
    paste(page, text.replace('[Result "1"]', '[Result "*"]'))
    expect(page.get_by_text("stops in the middle of a move")).to_be_visible()
    page.keyboard.press("End")
    at(page, place)


def test_a_whole_record_says_nothing_of_the_kind(visitor: Visitor) -> None:
    page = visitor("/replay")
    paste(page)
    assert not page.get_by_text("The record stops").count()


def test_a_result_that_the_game_refutes_is_still_refused(visitor: Visitor) -> None:
    page = visitor("/replay", "status of 4")
    wrong = RECORD.replace('[Result "1"]', '[Result "2"]')
    page.get_by_label("Paste a game record").fill(wrong)
    page.get_by_role("button", name="Show the game").click()
    expect(page.get_by_role("alert")).to_contain_text("the moves say")
