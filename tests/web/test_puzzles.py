"""Puzzles: a turn is played on the board by all means of the game, judged, and shown."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import baghdad
from baghdad.alone.page import write_file
from baghdad.bots import LEVELS
from baghdad.text import LANGUAGES, catalogue

from .conftest import Served, Visitor, build_page
from .playing import settled, step, stepped
from .test_access import SCREENS, examine, narrow
from .test_giving_up import DESK, PHONE

pytestmark = pytest.mark.xdist_group(__name__)
FILE = Path(baghdad.__file__).parent / "analysis" / "puzzles.json"
PUZZLES: list[list[Any]] = json.loads(FILE.read_text("utf-8"))["puzzles"]
ID, TURN, LEVEL = 0, 4, 8


def word(key: str, language: str = "en", **values: object) -> str:
    return str(catalogue("web", language)[key]).format(**values)


def turn_of(puzzle: list[Any]) -> list[str]:
    return str(puzzle[TURN]).split()


SMUGGLED = next(each for each in PUZZLES if turn_of(each)[0][0] == "+")
"""Its turn begins with a thief."""
NOT_PASSED = SMUGGLED
"""To end it at once is wrong."""


def solve_at(page: Page, puzzle: list[Any]) -> Locator:
    page.goto(f"/puzzles/{puzzle[ID]}")
    page.locator("[data-mine=true]").wait_for()
    return page.locator(".task")


def typed(page: Page, turn: list[str]) -> None:
    """A turn as a record has it."""
    for token in turn:
        before = step(page)
        page.locator("[data-typed]").fill(token)
        page.keyboard.press("Enter")
        stepped(page, before)


def ended(page: Page) -> None:
    """The turn is over without another action."""
    settled(page)
    page.locator("[data-end]").first.click()
    asked = page.locator("[data-ending]").first
    asked.or_(page.locator("[data-mine=false]")).first.wait_for()
    if asked.count():
        settled(page)
        page.wait_for_timeout(700)
        asked.click()


def smuggled(page: Page, token: str, how: str) -> None:
    """A thief goes in, by mouse, by touch or by keys."""
    palace, before = token[1], step(page)
    use = Locator.tap if how == "touch" else Locator.click
    if how == "keys":
        page.keyboard.press("t")
        page.keyboard.press(palace.lower())
    else:
        use(page.locator("[data-home]"))
        use(page.locator(f"[data-palace={palace}] [data-target]"))
    way = page.locator(f"[data-action='{token}']")
    way.or_(page.locator(f"[data-step='{before + 1}']")).first.wait_for(state="attached")
    if way.count():
        page.wait_for_timeout(700)
        use(way)
    stepped(page, before)


@pytest.mark.parametrize("how", ["mouse", "touch", "keys"])
def test_it_is_played_and_taken_back_on_the_board(visitor: Visitor, how: str) -> None:
    view = {**PHONE, "height": 844}
    options: dict[str, Any] = {"viewport": view, "has_touch": True, "is_mobile": True}
    page = visitor("/", **(options if how == "touch" else {"viewport": DESK}))
    task = solve_at(page, SMUGGLED)
    first, *others = turn_of(SMUGGLED)
    cards = page.locator("[data-piece^='card']").all_inner_texts()
    smuggled(page, first, how)
    assert page.locator("[data-piece^='card']").all_inner_texts() != cards
    undo = page.locator("button.undo")
    if how == "keys":
        page.keyboard.press("u")
    else:
        undo.click()
    page.locator("[data-step='0']").wait_for()
    assert page.locator("[data-piece^='card']").all_inner_texts() == cards
    expect(undo).to_have_attribute("aria-disabled", "true")
    smuggled(page, first, how)
    if how == "touch":
        page.get_by_role("button", name="Log").tap()
    typed(page, others)
    expect(task).to_contain_text(word("puzzles.right"))
    expect(task.locator(".words")).to_be_focused()
    page.goto("/puzzles")
    expect(page.get_by_text(re.compile(r"^1 of \d+ solved$")).first).to_be_visible()


def test_what_is_not_best_is_told_and_tried_again_and_the_best_is_shown(visitor: Visitor) -> None:
    page = visitor("/", viewport=DESK)
    task = solve_at(page, NOT_PASSED)
    page.locator("[data-typed]").fill("+X")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()  # refused as at a table
    ended(page)
    expect(task).to_contain_text(word("puzzles.wrong"))
    expect(task).to_contain_text(re.compile(r"\d+ more of 100 games"))
    task.get_by_role("button", name=word("puzzles.again")).click()
    expect(task).to_contain_text(word("puzzles.ask"))
    expect(page.locator("[data-mine=true]")).to_be_visible()
    task.get_by_role("button", name=word("puzzles.show")).click()
    expect(task).to_contain_text(re.compile(r"Chance to win after it: \d+%"))
    expect(page.locator("aside ol li")).not_to_have_count(0)
    assert len(turn_of(NOT_PASSED)) <= page.locator("aside ol li").count()
    # Whoever has seen the solution has not solved it, whatever is played then.
    task.get_by_role("button", name=word("puzzles.again")).click()
    page.locator("[data-mine=true]").wait_for()
    typed(page, turn_of(NOT_PASSED))
    expect(task).to_contain_text(word("puzzles.right"))
    page.goto("/puzzles")
    expect(page.get_by_text(re.compile(r"^0 of \d+ solved$")).first).to_be_visible()


def test_every_day_has_its_own_and_days_in_a_row_are_counted(visitor: Visitor) -> None:
    page = visitor(None, viewport=DESK)
    page.clock.install(time="2026-11-20T10:00:00")
    numbers = []
    for day in (20, 21, 23):
        page.clock.set_fixed_time(f"2026-11-{day}T10:00:00")
        page.goto("/puzzles")
        page.get_by_role("link", name=word("puzzles.play")).click()
        page.locator("[data-mine=true]").wait_for()
        title = page.locator("aside .tabs button").first.inner_text()
        number = int(re.findall(r"\d+", title)[0])
        numbers.append(number)
        typed(page, turn_of(PUZZLES[number - 1]))
        expect(page.locator(".task")).to_contain_text(word("puzzles.right"))
        page.get_by_role("link", name=word("puzzles.others")).click()
        row = {20: 1, 21: 2, 23: 1}[day]
        expect(page.locator(".streak")).to_have_text(re.compile(rf"Solved {row} day"))
        expect(page.get_by_text(word("puzzles.tomorrow"))).to_be_visible()
    expect(page.get_by_text("Your longest streak: 2 days")).to_be_visible()
    assert all((then - now) % len(PUZZLES) == 1 for now, then in pairwise(numbers[:2]))


def test_they_lie_by_difficulty_and_the_next_is_one_of_the_same_kind(visitor: Visitor) -> None:
    page = visitor("/puzzles", viewport=DESK)
    page.locator(".level").first.wait_for()
    there = {puzzle[LEVEL] for puzzle in PUZZLES}
    expect(page.locator(".level")).to_have_count(len(there))
    group = max(there, key=[each[LEVEL] for each in PUZZLES].count)
    alike = [each for each in PUZZLES if each[LEVEL] == group]
    name = LEVELS[group].title() if group >= 0 else word("puzzles.nobody")
    page.locator(".level").filter(has=page.get_by_role("heading", name=name)).get_by_role(
        "link", name=word("puzzles.next")
    ).click()
    page.wait_for_url(f"**/puzzles/{alike[0][ID]}")
    page.locator("[data-mine=true]").wait_for()
    typed(page, turn_of(alike[0]))
    page.locator(".task").get_by_role("link").click()
    if "puzzles/" in page.url:  # else that one was today's
        page.wait_for_url(f"**/puzzles/{alike[1][ID]}")
    page.goto("/puzzles/0000000000000000")
    expect(page.get_by_text(word("puzzles.gone"))).to_be_visible()


def test_they_are_a_click_away_from_the_start_and_from_the_rules(visitor: Visitor) -> None:
    page = visitor("/", viewport=DESK)
    page.get_by_role("link", name="Puzzles").click()
    page.get_by_role("heading", name=word("puzzles.by_level")).wait_for()
    page.goto("/rules")
    page.get_by_role("link", name="Puzzles").click()
    page.get_by_role("heading", name=word("puzzles.by_level")).wait_for()


def test_one_file_without_a_network_has_them_too(visitor: Visitor, tmp_path: Path) -> None:
    build_page()
    write_file(tmp_path / "baghdad.html")
    page = visitor(None, viewport=DESK)
    page.context.set_offline(True)
    page.goto(f"{(tmp_path / 'baghdad.html').as_uri()}#/puzzles/{SMUGGLED[ID]}")
    page.locator("[data-mine=true]").wait_for()
    typed(page, turn_of(SMUGGLED))
    expect(page.locator(".task")).to_contain_text(word("puzzles.right"))
    page.locator("aside").get_by_role("link", name=word("puzzles.all")).click()
    expect(page.get_by_text(re.compile(r"^1 of \d+ solved$")).first).to_be_visible()


def test_where_they_do_not_come_it_is_said_and_they_can_be_asked_for_again(
    visitor: Visitor,
) -> None:
    page = visitor(None, "Failed to load resource", viewport=DESK)
    page.route("**/assets/puzzles-*", lambda route: route.abort())
    page.goto("/puzzles")
    expect(page.get_by_role("alert")).to_have_text(word("puzzles.failed"))
    page.unroute("**/assets/puzzles-*")
    page.get_by_role("button", name=word("learn.retry")).click()
    page.get_by_role("heading", name=word("puzzles.by_level")).wait_for()


def test_the_server_knows_their_addresses(served: Served, visitor: Visitor) -> None:
    page = visitor("/rules")
    for path in ("/puzzles", "/puzzles/today"):
        assert page.request.get(served.address + path).ok


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_reads_well_in_every_language(visitor: Visitor, language: str) -> None:
    page = visitor("/puzzles", viewport={**PHONE, "width": 360}, locale=language)
    page.get_by_role("heading", name=word("puzzles.by_level", language)).wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert narrow(page) == []
    task = solve_at(page, NOT_PASSED)
    expect(task).to_contain_text(word("puzzles.ask", language))
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    task.get_by_role("button", name=word("puzzles.show", language)).click()
    expect(task).to_contain_text(word("puzzles.solution", language))
    task.get_by_role("button", name=word("puzzles.again", language)).wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert narrow(page) == []
    assert not re.search(r"puzzles\.|\{\w+\}", page.locator("body").inner_text())


@pytest.mark.parametrize(("viewport", "scheme"), SCREENS)
def test_axe_finds_nothing(visitor: Visitor, viewport: dict[str, int], scheme: str) -> None:
    page = visitor("/puzzles", viewport=viewport, color_scheme=scheme)
    page.locator(".level").first.wait_for()
    page.locator("summary").first.click()
    examine(page)
    task = solve_at(page, NOT_PASSED)
    examine(page)
    ended(page)
    expect(task).to_contain_text(word("puzzles.wrong"))
    examine(page)
    task.get_by_role("button", name=word("puzzles.show")).click()
    task.get_by_role("button", name=word("puzzles.again")).wait_for()
    examine(page)
    page.goto("/puzzles")
    page.locator("summary").first.click()
    examine(page)
