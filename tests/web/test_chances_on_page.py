"""Beside the replay of a finished game: how likely everyone was to win, and what was luck."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from baghdad.analysis import luck, win_chances
from baghdad.rules.game import Game
from baghdad.text import LANGUAGES

from .conftest import Served, Visitor
from .gathering import NAMES
from .test_access import SCREENS, examine, narrow
from .test_giving_up import DESK, PHONE, given_up
from .test_replay import at, paste
from .test_review_on_page import GAME, open_review, word

pytestmark = pytest.mark.xdist_group(__name__)
FOUR = (Path(__file__).parent / "played_by_four.txt").read_text("utf-8")
NAMED = ["Amira", "Kasim", "Layla", "Duban"]
"""Opponents have played it, the first of them under a person's name."""
COLLIDING = """() => {
  const words = [...document.querySelectorAll('.chart text, .chart .mark')]
    .map(each => [each.textContent || 'mark', each.getBoundingClientRect()])
  const room = document.querySelector('.chart').getBoundingClientRect()
  const inside = ([, box]) => box.left >= room.left - 1 && box.right <= room.right + 1
  const hit = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1
  return words.flatMap(([text, box], n) => [
    ...(inside([text, box]) ? [] : [`${text} is cut off`]),
    ...words.slice(n + 1).filter(([, other]) => hit(box, other))
      .map(([other]) => `${text} on ${other}`),
  ])
}"""


def choose(review: Locator, part: str, language: str = "en") -> None:
    name = word(f"review.part.{part}", language)
    review.get_by_role("radio", name=name, exact=True).check(force=True)


def counted(page: Page, language: str = "en") -> Locator:
    """The review, with all chances and the whole ledger."""
    review = open_review(page, language, "chances")
    review.get_by_role("button", name=word("chances.start", language)).click()
    expect(review.get_by_text(word("luck.ready", language))).to_be_attached()
    return review


def chart(page: Page) -> Locator:
    return page.get_by_role("slider", name="Chances of all seats")


def numbers(cells: Locator) -> list[int]:
    return [int(text.replace("−", "-").replace("+", "")) for text in cells.all_inner_texts()]


def test_it_is_worked_out_when_somebody_asks_and_stops_when_they_wish(visitor: Visitor) -> None:
    page = visitor("/replay", viewport=DESK)
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    paste(page, FOUR)
    review = open_review(page, part="chances")
    start = review.get_by_role("button", name=word("chances.start"))
    expect(start).to_be_visible()
    assert not [url for url in fetched if ".wasm" in url or ".bin" in url]
    assert chart(page).count() == 0
    start.click()
    review.get_by_role("button", name="Stop").click()
    expect(review.get_by_role("status")).to_contain_text("Stopped")
    again = review.get_by_role("button", name="Begin once more")
    # The board is there all the while.
    page.get_by_role("button", name="One step forward").click()
    at(page, 1)
    again.click()
    expect(review.get_by_role("status")).to_contain_text(word("luck.ready"))
    assert review.get_by_role("progressbar").count() == 0
    assert [url for url in fetched if "open" in url]


def test_any_moment_of_the_picture_is_a_step_of_the_game(visitor: Visitor) -> None:
    page = visitor("/replay", viewport=DESK)
    paste(page, FOUR)
    counted(page)
    game = Game.from_record(FOUR)
    tokens = len(game.tokens)
    line = chart(page)
    expect(line).to_have_attribute("aria-valuemax", str(tokens))
    line.focus()
    for key, step in (
        ("ArrowRight", 1), ("ArrowUp", 2), ("ArrowLeft", 1), ("End", tokens),
        ("ArrowDown", tokens - 1), ("Home", 0), ("PageDown", 1), ("PageUp", 0),
    ):  # fmt: skip
        page.keyboard.press(key)
        at(page, step)
        expect(line).to_have_attribute("aria-valuenow", str(step))
    box = line.bounding_box()
    assert box
    line.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    step = int(line.get_attribute("aria-valuenow") or "")
    assert tokens * 0.4 < step < tokens * 0.6
    at(page, step)
    # What it says is what the library says.
    said = line.get_attribute("aria-valuetext") or ""
    chances = [int(found) for found in re.findall(r"(\d+)%", said)]
    open_ = win_chances(game).moments[step].open
    assert len(chances) >= 4
    assert all(abs(100 * open_[seat] - chances[seat]) < 1.01 for seat in range(4)), (said, open_)


def test_one_tap_leads_to_a_turning_point(visitor: Visitor) -> None:
    page = visitor("/replay", viewport=PHONE, has_touch=True, is_mobile=True)
    paste(page, FOUR)
    review = counted(page)
    found = win_chances(Game.from_record(FOUR)).turning_points
    points = review.get_by_role("listitem").filter(has=page.get_by_role("button"))
    expect(points).to_have_count(len(found))
    assert found
    for place, point in enumerate(found):
        most = max(point.change[:4], key=abs)
        expect(points.nth(place)).to_contain_text(f"{100 * abs(most):.0f}")
        expect(points.nth(place)).to_contain_text(NAMED[point.seat])
    points.first.get_by_role("button").tap()
    # The sheet gives way to the board.
    expect(page.locator("aside")).to_be_hidden()
    at(page, found[0].until if found[0].drawn else found[0].at)


def test_with_open_hands_or_through_somebodys_eyes(visitor: Visitor) -> None:
    page = visitor("/replay", viewport=DESK)
    paste(page, GAME)
    review = counted(page)
    eyes = review.get_by_label(word("chances.eyes"))
    expect(eyes).to_have_value("")
    assert "Kasim" in (chart(page).get_attribute("aria-valuetext") or "")
    eyes.select_option(label="As Amira sees it")
    expect(page.get_by_label("Point of view")).to_have_value("0")
    said = chart(page).get_attribute("aria-valuetext") or ""
    assert "Kasim" not in said
    assert re.search(r"As Amira sees it \d+% and with all cards open \d+%", said, re.IGNORECASE)
    expect(page.get_by_role("list", name="All hands")).to_have_count(0)


def test_a_table_has_what_the_picture_shows(visitor: Visitor) -> None:
    page = visitor("/replay", viewport=DESK)
    paste(page, GAME)
    review = counted(page)
    review.get_by_text(word("chances.table")).click()
    table = review.get_by_role("region", name=word("chances.table")).get_by_role("table")
    expect(table.get_by_role("columnheader", name="Amira")).to_be_visible()
    rows = table.get_by_role("row")
    expect(table.get_by_role("rowheader", name="Turn 1: Amira", exact=True)).to_be_visible()
    last = rows.last
    expect(last.get_by_role("rowheader")).to_have_text("Kasim gives up")
    assert last.get_by_role("cell").all_inner_texts()[:2] == ["100", "0"]


def test_cards_and_turns_add_up_to_the_result(visitor: Visitor) -> None:
    page = visitor("/replay", viewport=DESK)
    paste(page, FOUR)
    review = counted(page)
    choose(review, "luck")
    game = Game.from_record(FOUR)
    ledger = luck(game)
    rows = {
        row: numbers(review.get_by_role("row", name=re.compile(f"^{row}")).get_by_role("cell"))
        for row in (
            "At the start",
            "Cards",
            "Own turns",
            "Others’ turns",
            "Result ",
            "Result without",
        )
    }
    for seat in range(4):
        start, cards, own, others, result, adjusted = (row[seat] for row in rows.values())
        assert start + cards + own + others == result == (100 if seat == game.winner else 0)
        assert adjusted == result - cards
        assert abs(cards - 100 * ledger.cards(seat)) < 2
        assert abs(own - 100 * ledger.own_turns(seat)) < 2
    name = NAMED[2]
    review.get_by_role("radio", name=name).check(force=True)
    cards, own, others = (rows[row][2] for row in ("Cards", "Own turns", "Others’ turns"))
    told = review.get_by_text(f"{name}: the cards were worth")
    for value in (cards, own, others):
        expect(told).to_contain_text(f"{value:+d}".replace("-", "−") if value else "0")
    draws = review.get_by_role("listitem").filter(has=page.get_by_role("button"))
    largest = max(ledger.draws, key=lambda draw: abs(draw.worth[2]))
    expect(draws.first).to_contain_text(f"{100 * abs(largest.worth[2]):.0f}")
    draws.first.get_by_role("button").click()
    at(page, largest.at + 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_has_played_is_told_as_such(
    visitor: Visitor, served: Served, language: str
) -> None:
    table = given_up(served.data)
    page = table.visit(visitor, 1, viewport=PHONE, locale=language)
    page.get_by_role("dialog").get_by_role(
        "link", name=word("end.replay", language), exact=True
    ).click()
    review = counted(page, language)
    loser = re.compile(re.escape(word("chances.gives_up", language).replace("{name}", NAMES[0])))
    expect(review.get_by_role("listitem").filter(has_text=loser)).to_have_count(1)
    choose(review, "luck", language)
    expect(review.get_by_role("radio", name=NAMES[1], exact=True)).to_be_checked()
    mine = review.get_by_text(re.compile(f"^{word('luck.you', language).partition('{')[0]}"))
    expect(mine).to_be_visible()
    review.get_by_role("radio", name=NAMES[0], exact=True).check(force=True)
    expect(review.get_by_text(re.compile(f"^{NAMES[0]}: .*[+−]"))).to_be_visible()
    expect(mine).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    examine(page)


@pytest.mark.parametrize(("viewport", "scheme"), SCREENS)
def test_axe_finds_nothing(visitor: Visitor, viewport: dict[str, int], scheme: str) -> None:
    page = visitor("/replay", viewport=viewport, color_scheme=scheme)
    paste(page, FOUR)
    review = open_review(page, part="chances")
    examine(page)
    review.get_by_role("button", name=word("chances.start")).click()
    expect(review.get_by_text(word("luck.ready"))).to_be_attached()
    for summary in review.locator("summary").all():
        summary.click()
    examine(page)
    review.get_by_label(word("chances.eyes")).select_option("2")
    examine(page, ".review")
    choose(review, "luck")
    review.locator("summary").click()
    examine(page)


@pytest.mark.parametrize("language", ["de", "cs"])
@pytest.mark.parametrize(
    ("width", "height"), [(320, 740), (568, 320), (768, 740), (1366, 768), (3840, 2160)]
)
def test_nothing_collides_or_scrolls_sideways(
    visitor: Visitor, width: int, height: int, language: str
) -> None:
    page = visitor("/replay", viewport={"width": width, "height": height}, locale=language)
    page.locator("textarea").fill(FOUR)
    page.locator("form .act").click()
    page.locator("[data-palace]").first.wait_for()
    review = counted(page, language)
    assert page.evaluate(COLLIDING) == []
    fits = "each => each.scrollWidth <= each.clientWidth"
    for part in ("chances", "luck"):
        choose(review, part, language)
        for summary in review.locator("summary").all():
            summary.click()
        assert page.locator("aside").evaluate(fits)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert narrow(page) == []
