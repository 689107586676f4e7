"""A finished game is reviewed beside its replay, and hints are given, by the browser itself."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from baghdad.text import LANGUAGES, catalogue

from .conftest import Served, Visitor
from .gathering import NAMES
from .playing import play_a_turn, play_now, settled, state
from .test_access import SCREENS, examine, narrow
from .test_giving_up import DESK, PHONE, given_up
from .test_on_this_device import CUT, set_up, take_device
from .test_replay import at, paste

pytestmark = pytest.mark.xdist_group(__name__)
HEADERS = """[Players "2"]
[Variant "standard"]
[Rob "arrival"]
[Hands "hidden"]
[Result "1"]
[Termination "resigned"]
[Resigned "2@36"]
[Seats "Amira, kasim"]
"""
MOVES = """@R @G
@G @W
@W @P
@P @Y
=BWBWPW =PYRBPRY
-* =BYY
-* =BYP
-* =BBW
-* =WYY
+W(WW) +W(WW) +W(**) . =RYR
+Y(Y) +Y(Y) +Y(Y) . =PYP
-* =WPB
+Y(Y) nP>R(PR) +P(P) . =WYR
"""
GAME = f"{HEADERS}\n{MOVES}"
"""Somebody who does little, and surely gives much up with it; then the other has had enough."""
PLACED = 10
"""Tokens before the first turn."""


def word(key: str, language: str = "en") -> str:
    return str(catalogue("web", language)[key])


def open_review(page: Page, language: str = "en", part: str = "turns") -> Locator:
    page.get_by_role("button", name=word("review", language), exact=True).first.click()
    review = page.locator(".review")
    review.wait_for()
    name = word(f"review.part.{part}", language)
    if (chosen := review.get_by_role("radio", name=name, exact=True)).count():
        chosen.check(force=True)
    return review


def reviewed(page: Page, language: str = "en") -> Locator:
    """The whole review of the first seat."""
    review = open_review(page, language)
    review.get_by_role("button", name=word("review.start", language)).click()
    done = review.get_by_text(word("review.done", language))
    expect(done).to_be_attached()
    return review


def test_it_is_worked_out_when_somebody_asks_and_stops_when_they_wish(visitor: Visitor) -> None:
    page = visitor("/replay", viewport=DESK)
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    paste(page, GAME)
    review = open_review(page)
    start = review.get_by_role("button", name="Review the turns")
    expect(start).to_be_visible()
    expect(review.get_by_role("radio", name="Amira")).to_be_checked()
    assert not [url for url in fetched if "neural" in url]
    assert not review.get_by_role("list", name="The turns").count()
    start.click()
    expect(page.get_by_label("Point of view")).to_have_value("0")
    review.get_by_role("button", name="Stop").click()
    expect(review.get_by_role("status")).to_contain_text("Stopped")
    again = review.get_by_role("button", name="Begin once more")
    # The board is there all the while.
    page.get_by_role("button", name="One step forward").click()
    at(page, 1)
    again.click()
    expect(review.get_by_text("All turns have been reviewed.")).to_be_attached()
    assert review.get_by_role("progressbar").count() == 0


def test_the_better_turn_plays_itself_and_can_be_tried(visitor: Visitor) -> None:
    page = visitor("/replay", viewport=DESK)
    paste(page, GAME)
    review = reviewed(page)
    turns = review.get_by_role("list", name="The turns").get_by_role("listitem")
    assert turns.count() > 3
    review.get_by_role("radio", name="Largest first").check(force=True)
    worst = turns.first
    expect(worst).to_contain_text(re.compile("blunder|mistake|inaccuracy"))
    expect(worst).to_contain_text("gave up")
    worst.get_by_role("button").first.click()
    expect(worst.get_by_role("button").first).to_have_attribute("aria-expanded", "true")
    for told in ("played", "better", "Chance to win"):
        expect(worst.get_by_text(told).first).to_be_visible()
    slider = page.get_by_label("Step of the game")
    before = slider.input_value()
    assert int(before) > 0

    worst.get_by_role("button", name="Show it on the board").click()
    expect(page.get_by_text("Not played: the better turn")).to_be_visible()
    expect(slider).to_have_value(slider.get_attribute("max") or "")
    page.get_by_role("button", name="Back to the game").click()
    expect(slider).to_have_value(before)
    expect(page.get_by_text("Not played: the better turn")).to_have_count(0)

    worst.get_by_role("button", name="Try from here").click()
    dialog = page.get_by_role("dialog", name="Try from here")
    expect(dialog).to_contain_text("New cards will come")
    expect(dialog.get_by_role("radio", name="After the better turn")).to_be_checked()
    dialog.get_by_role("button", name="Play on").click()
    page.wait_for_url(re.compile(r"/t/0\w+$"))
    assert state(page) == "mine"
    expect(page.locator("[data-player]").last).to_contain_text("Kasim")


def test_one_plays_on_from_any_step_against_whom_one_likes(visitor: Visitor) -> None:
    page = visitor("/replay", viewport=DESK)
    paste(page, GAME)
    review = open_review(page)
    page.get_by_label("Step of the game").fill(str(PLACED))
    review.get_by_role("button", name="Try from here").click()
    dialog = page.get_by_role("dialog", name="Try from here")
    dialog.get_by_role("radio", name="Kasim").check(force=True)
    dialog.get_by_label("Against whom?").select_option("Maruf")
    examine(page)
    dialog.get_by_role("button", name="Play on").click()
    page.wait_for_url(re.compile(r"/t/0\w+$"))
    expect(page.locator("[data-player]").first).to_contain_text("Maruf")
    assert state(page) == "mine"
    expect(page.get_by_role("group", name="Your hand: 7 cards")).to_be_visible()
    play_a_turn(page)
    assert state(page) == "mine"


def test_the_worst_turns_come_back_as_questions(visitor: Visitor) -> None:
    page = visitor("/replay", viewport=DESK)
    paste(page, GAME)
    review = reviewed(page)
    review.get_by_role("button", name="Learn from the mistakes").click()
    heading = review.get_by_role("heading", name="Question 1 of")
    expect(heading).to_be_focused()
    found = re.search(r"of (\d)", heading.inner_text())
    assert found
    for question in range(int(found[1])):
        answers = review.get_by_role("listitem").get_by_role("button")
        expect(answers.nth(1)).to_be_visible()
        examine(page, ".review")
        answers.first.click()
        expect(review.get_by_role("status")).to_contain_text(re.compile("Right!|was better"))
        expect(answers.filter(has_text="best")).to_have_count(1)
        expect(answers.filter(has_text="gave up")).to_have_count(1)
        last = question + 1 == int(found[1])
        review.get_by_role("button", name="Finish" if last else "Next question").click()
    expect(review.get_by_role("heading", name="Found:")).to_be_focused()
    review.get_by_role("button", name="Back to the review").click()
    expect(review.get_by_role("list", name="The turns")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_is_answered_on_the_board(visitor: Visitor, language: str) -> None:
    page = visitor("/replay", viewport={**PHONE, "width": 360}, locale=language)
    page.get_by_role("textbox").fill(GAME)
    page.locator("form button.act").click()
    review = reviewed(page, language)
    review.get_by_role("button", name=word("mistakes", language)).click()
    page.get_by_role("button", name=word("mistakes.play", language)).click()
    task = page.locator(".task")
    expect(task).to_contain_text(word("puzzles.ask", language))
    # It alone is there now.
    expect(page.locator("[data-palace]")).to_have_count(6)
    expect(page.locator("h1")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert narrow(page) == []
    examine(page)
    # Nothing is done in it, as when it was played.
    settled(page)
    page.locator("[data-end]").first.click()
    page.wait_for_timeout(1500)
    if (asked := page.locator("[data-ending]")).count():
        asked.first.click()
    expect(task).to_contain_text(word("mistakes.wrong", language))
    examine(page)
    task.get_by_role("button", name=word("puzzles.show", language)).click()
    expect(task).to_contain_text(word("puzzles.solution", language))
    task.get_by_role("button", name=word("mistakes.to_question", language)).click()
    heading = review.get_by_role("heading").first
    expect(heading).to_be_focused()
    expect(review.get_by_role("status")).to_contain_text(word("mistakes.wrong", language))
    expect(review.locator(".best")).to_have_count(1)
    expect(page.locator("[data-palace]")).to_have_count(6)
    review.get_by_role("button", name=word("mistakes.back", language)).click()
    expect(review.get_by_role("button", name=word("mistakes", language))).to_be_visible()


def test_a_game_that_is_not_over_is_not_reviewed(visitor: Visitor) -> None:
    page = visitor("/replay", viewport=DESK)
    headers = re.sub(r"\[(Termination|Resigned).*\n", "", HEADERS)
    paste(page, f"{headers}\n{MOVES}".replace('Result "1"', 'Result "*"'))
    review = open_review(page)
    expect(review.get_by_text("Only a finished game is reviewed")).to_be_visible()
    assert not review.get_by_role("button", name="Review the turns").count()


@pytest.mark.parametrize("language", LANGUAGES)
def test_after_a_game_one_asks_what_would_have_been_better(
    visitor: Visitor, served: Served, language: str
) -> None:
    table = given_up(served.data)
    page = table.visit(visitor, 1, viewport=PHONE, locale=language)
    page.get_by_role("dialog").get_by_role("link", name=word("end.review", language)).click()
    review = page.locator(".review")
    # It begins by itself, with the seat of whoever has asked.
    expect(review.get_by_role("radio", name=NAMES[1])).to_be_checked()
    expect(review.get_by_text(word("review.done", language))).to_be_attached()
    told = catalogue("messages", language)["analysis.turns"]
    turns = told.get("few", told["other"]).format(n=4)
    expect(review.get_by_text(turns)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    examine(page)
    watcher = visitor(f"/t/{table.code}/1", viewport=DESK, locale=language)
    watcher.get_by_role("link", name=word("end.replay", language), exact=True).wait_for()
    assert not watcher.get_by_role("link", name=word("end.review", language)).count()


@pytest.mark.parametrize(("viewport", "scheme"), SCREENS)
def test_axe_finds_nothing(visitor: Visitor, viewport: dict[str, int], scheme: str) -> None:
    page = visitor("/replay", viewport=viewport, color_scheme=scheme)
    paste(page, GAME)
    review = open_review(page)
    examine(page)
    review.get_by_role("button", name="Review the turns").click()
    review.get_by_role("button", name="Stop").wait_for()
    examine(page, ".review")
    expect(review.get_by_text("All turns have been reviewed.")).to_be_attached()
    review.get_by_role("radio", name="Largest first").check(force=True)
    turn = review.get_by_role("list", name="The turns").get_by_role("listitem").first
    turn.get_by_role("button").first.click()
    show = turn.get_by_role("button", name="Show it on the board")
    show.wait_for()
    examine(page)
    turn.get_by_role("button", name="Try from here").click()
    examine(page)
    page.keyboard.press("Escape")
    show.click()
    page.get_by_role("button", name="Back to the game").wait_for()
    examine(page)


@pytest.mark.parametrize(
    ("width", "height"), [(320, 740), (568, 320), (768, 740), (1200, 740), (3840, 2160)]
)
def test_nothing_scrolls_sideways(visitor: Visitor, width: int, height: int) -> None:
    page = visitor("/replay", viewport={"width": width, "height": height})
    paste(page, GAME)
    review = reviewed(page)
    review.get_by_role("radio", name="Largest first").check(force=True)
    turn = review.get_by_role("list", name="The turns").get_by_role("listitem").first
    turn.get_by_role("button").first.click()
    turn.get_by_role("button", name="Show it on the board").wait_for()
    fits = "each => each.scrollWidth <= each.clientWidth"
    assert page.locator("aside").evaluate(fits)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert narrow(page) == []
    turn.get_by_role("button", name="Show it on the board").click()
    page.get_by_role("button", name="Back to the game").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert narrow(page) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_in_three_steps(visitor: Visitor, language: str) -> None:
    page = visitor(viewport=DESK)
    play_now(page, 3)
    assert state(page) == "mine"
    page.goto(f"{page.url}?lang={language}")
    assert state(page) == "mine"
    ask = page.get_by_role("button", name=word("hint", language), exact=True)
    expect(ask).to_have_attribute("aria-pressed", "false")
    ask.press("Enter")
    hint = page.get_by_role("group", name=word("hint", language), exact=True)
    more = hint.get_by_role("button", name=word("hint.more", language))
    more.wait_for()
    examine(page)
    more.press("Enter")
    said = hint.get_by_role("status")
    expect(said).to_contain_text(word("hint.first", language))
    expect(said).to_contain_text(word("action.place", language).partition("{")[0])
    hint.get_by_role("button", name=word("hint.whole", language)).press("Enter")
    expect(said).to_contain_text("%")
    examine(page)
    play_a_turn(page)
    expect(hint).to_have_count(0)
    # Whoever was helped has not shown how strong they are.
    mine = page.evaluate("JSON.parse(localStorage['baghdad-tables'])")
    assert [each["uncounted"] for each in mine if page.url.find(each["code"]) > 0] == [True]


def test_nobody_gets_a_hint_where_others_play(visitor: Visitor) -> None:
    page = visitor("/new", CUT)
    set_up(page, "Ben")
    take_device(page)
    assert state(page) == "mine"
    assert not page.get_by_role("button", name="Hint", exact=True).count()
