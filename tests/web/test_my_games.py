"""The list of my games on the start page: whose turn it is, how each stands, the way back to it."""

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from baghdad.rules.engine.actions import TOKENS
from baghdad.server.domain.codes import CODE_LETTERS

from .conftest import Visitor
from .gathering import KASIM, begin, command, create
from .playing import play_now, state
from .test_access import examine, narrow

pytestmark = pytest.mark.xdist_group(__name__)
LONG = "W" * 24
HOUR = 3_600_000
WINDOWS = [(320, 640), (390, 844), (1366, 768), (3840, 2160)]


def lost_game(page: Page) -> str:
    """A game against a bot in which the visitor does nothing."""
    code = begin(page, 2, KASIM)
    nothing = TOKENS.index("-")
    while True:
        seen = page.request.get(f"/api/tables/{code}").json()
        legal, number = seen["own"]["legal"], seen["number"]
        if seen["table"]["state"] == "over":
            return code
        if legal:
            action = nothing if nothing in legal else legal[0]
            command(page, code, number, type="move", action=action)
        else:
            page.request.get(f"/api/tables/{code}/events?after={number}&wait=20")


def long_over(code: str, at: int, winner: int | None) -> dict[str, Any]:
    """A finished game as the list keeps it."""
    players = [
        {"colour": 0, "person": 0, "name": "Amira", "chests": 6 if winner == 0 else 3},
        {"colour": 1, "level": "ali", "chests": 3},
    ]
    summary = {"code": code, "state": "over", "at": at, "games": 1, "people": [0],
               "players": players, "needed": 6, "turn": None, "winner": winner}  # fmt: skip
    return {"code": code, "at": at, "summary": summary}


def keep(page: Page, games: list[dict[str, Any]]) -> None:
    page.evaluate("games => localStorage['baghdad-tables'] = JSON.stringify(games)", games)


def row(page: Page, code: str) -> Locator:
    return page.locator(f"[data-game='{code}']")


def outside(page: Page) -> list[str]:
    """Everything of the page that reaches beyond the window's sides."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('main *')].flatMap(thing => {
          if (!thing.checkVisibility() || thing.closest('.said')) return []
          const { left, right, width } = thing.getBoundingClientRect()
          return width && (left < -0.5 || right > innerWidth + 0.5)
            ? [`${thing.outerHTML.slice(0, 200)} ${left} ${right}`] : []
        })"""
    )
    return found


def test_twelve_games_in_every_window(visitor: Visitor) -> None:
    page = visitor("/rules", "status of 404", has_touch=True)
    gone = "BBBBBB"
    lost = lost_game(page)
    mine = begin(page, 2, KASIM)
    mine_of_four = begin(page, 4, *[{"kind": "bot", "level": "scheherazade"}] * 3)
    friends = [{"kind": "human", "name": name} for name in (LONG, "Benedikt", "Dorotheia")]
    of_friends = begin(page, 4, *friends)
    theirs = create(page, 3, KASIM, start=2)
    other = page.context.browser
    assert other is not None
    with other.new_context(base_url=page.url.removesuffix("/rules")) as elsewhere:
        answer = elsewhere.request.post(f"/api/tables/{theirs}/join", data={"name": LONG})
        assert answer.ok
    command(page, theirs, 2, type="start")
    empty = create(page, 3, KASIM)
    ready = create(page, 4, KASIM, KASIM, KASIM)
    learning, screen = begin(page, 2, KASIM, start=1), create(page, 2)
    won, nobody = "CCCCCC", "DDDDDD"
    week = page.evaluate("Date.now()") - 7 * 24 * HOUR
    old = {"with": f"{LONG}, morgiana (bot), morgiana (bot)", "at": week, "over": False}
    seats = (gone, ready, lost, theirs, empty, mine, of_friends, mine_of_four)
    keep(
        page,
        [
            *({"code": code} | old for code in seats),
            {"code": learning, "view": "learn"} | old,
            {"code": screen, "view": "screen"} | old,
            long_over(won, week, 0),
            long_over(nobody, week, None),
        ],
    )
    page.goto("/")
    expect(page.locator("[data-game]")).to_have_count(12)
    expect(row(page, won)).to_contain_text("You won")
    expect(row(page, lost)).to_contain_text("Kasim won")
    expect(row(page, nobody)).to_contain_text("Nobody has won")
    expect(row(page, nobody)).to_contain_text("last week")
    expect(row(page, mine)).to_contain_text("Your turn")
    expect(row(page, mine)).to_contain_text("now")
    expect(row(page, mine_of_four)).to_contain_text("Your turn")
    expect(row(page, of_friends)).to_contain_text("Amira")
    expect(row(page, theirs)).to_contain_text(LONG)
    expect(row(page, empty)).to_contain_text("1 free chair")
    expect(row(page, ready)).to_contain_text("Ready to begin")
    expect(row(page, gone)).to_contain_text("no longer exists")
    expect(page.locator("main")).not_to_contain_text("(bot)")
    standings = page.locator("[data-game]").evaluate_all("all => all.map(x => x.dataset.standing)")
    order = ["yours", "theirs", "gathering", "over", "gone"]
    assert standings == sorted(standings, key=order.index)
    assert standings[:3] == ["yours"] * 3

    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert outside(page) == []
        assert narrow(page) == []
        for remove in page.get_by_role("button", name="Remove from the list").all():
            remove.scroll_into_view_if_needed()
            remove.click(trial=True)
        if width < 500:  # what waits for me is at the top
            first = row(page, mine).bounding_box()
            play = page.get_by_role("button", name="Play against bots").bounding_box()
            assert first is not None
            assert play is not None
            assert first["y"] < play["y"]
        if width in (390, 1366):
            examine(page)

    row(page, lost).get_by_role("link", name="Replay").click()
    expect(page.get_by_role("slider", name="Step of the game")).to_be_visible()
    page.go_back()
    row(page, learning).locator("a").first.click()
    page.wait_for_url(f"**/learn/{learning}")
    page.go_back()
    row(page, screen).locator("a").first.click()
    page.wait_for_url(f"**/t/{screen}/screen")


def test_every_game_of_a_table_can_be_found(visitor: Visitor) -> None:
    page = visitor("/rules", viewport={"width": 390, "height": 844})
    code = lost_game(page)
    number = page.request.get(f"/api/tables/{code}").json()["number"]
    command(page, code, number, type="rematch")
    keep(page, [{"code": code, "at": 1, "with": "", "over": True}])
    page.goto("/")
    expect(row(page, code)).to_have_attribute("data-standing", "gathering")
    assert outside(page) == []
    assert narrow(page) == []
    row(page, code).get_by_role("link", name="Game 1").click()
    expect(page.get_by_role("heading", name="Kasim wins")).to_be_visible()
    page.get_by_role("link", name="Replay").first.click()
    expect(page.get_by_role("slider", name="Step of the game")).to_be_visible()


def test_removing_can_be_undone(visitor: Visitor) -> None:
    page = visitor()
    code = begin(page, 2, KASIM)
    keep(page, [{"code": code, "with": "Kasim", "at": 1, "over": False}])
    page.reload()
    row(page, code).get_by_role("button", name="Remove").click()
    expect(row(page, code)).to_contain_text(code)
    undo = row(page, code).get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    assert page.evaluate("localStorage['baghdad-tables']") == "[]"
    for width in (320, 390, 1366):  # a few words in every line
        page.set_viewport_size({"width": width, "height": 844})
        box = row(page, code).get_by_role("status").bounding_box()
        assert box
        assert box["width"] > 150
    undo.click()
    expect(row(page, code)).to_contain_text("Your turn")
    assert [each["code"] for each in stored(page)] == [code]
    row(page, code).get_by_role("button", name="Remove").click()
    page.reload()
    expect(page.get_by_role("button", name="Play against bots")).to_be_visible()
    expect(page.locator("[data-game]")).to_have_count(0)


def stored(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(page.evaluate("localStorage['baghdad-tables']"))
    return found


def test_there_are_as_many_as_there_are_and_without_a_network_too(visitor: Visitor) -> None:
    page = visitor("/rules")
    now = page.evaluate("Date.now()") - 30 * 24 * HOUR
    games = [long_over(f"BCDFG{x}", now - n * HOUR, 1) for n, x in enumerate(CODE_LETTERS)]
    keep(page, games)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    expect(page.locator("[data-game]")).to_have_count(12)
    page.get_by_role("button", name="Show more (15)").click()
    expect(page.locator("[data-game]")).to_have_count(24)
    page.get_by_role("button", name="Show more (3)").click()
    expect(page.locator("[data-game]")).to_have_count(27)
    expect(page.get_by_role("button", name="Show more")).to_have_count(0)
    expect(page.locator("[data-game]").first).to_contain_text("last month")
    assert not any("summary" in each for each in asked), "what is over stays as it is"


def test_the_list_follows_the_games_while_it_is_looked_at(visitor: Visitor) -> None:
    page = visitor("/rules")
    page.clock.install()
    code = create(page, 2, {"kind": "human", "name": "Benedikt"})
    keep(page, [{"code": code, "with": "Benedikt", "at": 1, "over": False}])
    page.goto("/")
    expect(row(page, code)).to_contain_text("Ready to begin")
    command(page, code, 1, type="start")
    page.clock.run_for(21_000)
    expect(row(page, code)).to_have_attribute("data-standing", "yours")
    assert row(page, code).locator(".turn").inner_text().startswith("Amira")


def test_two_tabs_keep_one_list(visitor: Visitor) -> None:
    page = visitor()
    other = page.context.new_page()
    other.goto("/")
    play_now(page, 2)
    state(page)
    play_now(other, 3)
    state(other)
    page.goto("/")
    expect(page.locator("[data-game]")).to_have_count(2)
    other.goto("/")
    expect(other.locator("[data-game]")).to_have_count(2)
    other.get_by_role("button", name="Remove").first.click()
    expect(page.locator("[data-game]")).to_have_count(1)


def test_a_newcomer_is_first_offered_to_learn(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    learn = page.get_by_role("link", name="Learn by playing")
    expect(page.get_by_role("radio", name="Maruf")).to_be_checked()  # whom a beginner beats
    first = page.locator("main").locator("a, button, input").first
    expect(first).to_have_accessible_name("Learn by playing")
    expect(first).to_be_in_viewport()
    assert "act" in (learn.get_attribute("class") or "")
    assert "act" not in (
        page.get_by_role("button", name="Play against bots").get_attribute("class") or ""
    )
    examine(page)
    play_now(page, 2)
    code = page.url.rpartition("/")[2]
    state(page)
    page.goto("/")
    expect(row(page, code)).to_contain_text("Your turn")
    expect(learn).to_have_count(1)
    assert "act" not in (learn.get_attribute("class") or "")
    row(page, code).get_by_role("button", name="Remove").click()
    page.reload()
    expect(page.get_by_text("New here?")).to_have_count(0)
