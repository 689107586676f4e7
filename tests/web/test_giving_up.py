"""R28 on the page: giving up, an end by agreement, and how a game ended without a winner."""

import re
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Locator, Page, expect

from baghdad import Game
from baghdad.rules.engine.actions import ACTION_OF
from baghdad.rules.notation import read_records
from baghdad.server.domain.commands import AnswerEnd, NewTable, ProposeEnd, Rematch, Resign, Start
from baghdad.server.domain.decisions import playing
from baghdad.server.domain.events import Ended, Moved
from baghdad.text import LANGUAGES, catalogue
from support.make_data import DATA

from .conftest import Served, Visitor
from .gathering import NAMES, StoredTable
from .test_access import examine
from .test_rematch import COVERED

pytestmark = pytest.mark.xdist_group(__name__)
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1366, "height": 768}
THIEVING = "3-standard-arrival-hidden-thieving.txt"
ON_BOARD = COVERED.replace("[data-rematch]').parentElement", "[data-proposal]')")


def begun(
    players: int, *, chairs: int = 0, screen: bool = False, teaching: bool = False
) -> StoredTable:
    """A game in which all guards stand; `chairs` more people share the host's device."""
    asked = {
        "name": NAMES[0],
        "screen": screen,
        "agreement": {
            "players": players,
            "start": "order",
            "stand_in": "random",
            "grace_seconds": 86_400,
            "teaching": teaching,
        },
        "chairs": [{"kind": "human", "name": name} for name in NAMES[1 : 1 + chairs]],
    }
    guests = ("Ali", *NAMES)[:players] if screen else NAMES[1 + chairs : players]
    table = StoredTable(msgspec.convert(asked, NewTable), *guests)
    while (game := table.table.game) is not None and game.placing:
        seat = table.table.on_turn
        assert seat is not None
        table.add(*playing.move(table.table, seat, game.legal()[0]))
    return table


def given_up(data: Path) -> StoredTable:
    """A game of two that the first has given up, at the server with this data."""
    table = begun(2)
    table.decide(0, Resign())
    table.save(data)
    return table


def say(key: str, language: str, **values: object) -> str:
    return str(catalogue("web", language)[key]).format(**values)


def quit_early(page: Page, language: str = "en") -> Locator:
    page.get_by_role("button", name=say("settings", language)).click()
    page.get_by_role("button", name=say("quit.title", language)).click()
    return page.get_by_role("dialog", name=say("quit.title", language))


def give_up(page: Page, language: str = "en") -> None:
    dialog = quit_early(page, language)
    dialog.get_by_role("button", name=say("quit.give_up", language), exact=True).click()
    expect(dialog.get_by_role("button", name=say("quit.no", language))).to_be_focused()
    dialog.get_by_role("button", name=say("quit.sure", language)).click()


def heading(page: Page) -> Locator:
    return page.get_by_role("dialog").get_by_role("heading", level=2).first


@pytest.mark.parametrize("language", LANGUAGES)
def test_with_two_the_other_wins(visitor: Visitor, served: Served, language: str) -> None:
    table = begun(2)
    table.save(served.data)
    loser = table.visit(visitor, 1, viewport=PHONE, locale=language, has_touch=True)
    winner = table.visit(visitor, 0, viewport=DESK, locale=language)
    watcher = visitor(f"/t/{table.code}", locale=language)
    dialog = quit_early(loser, language)  # though it is the other's turn
    expect(dialog.get_by_text(say("quit.two", language, name=NAMES[0]))).to_be_visible()
    examine(loser)
    dialog.get_by_role("button", name=say("close", language)).click()
    loser.get_by_role("dialog").get_by_role("button", name=say("close", language)).click()
    give_up(loser, language)
    expect(heading(loser)).to_have_text(say("end.gave_up", language, name=NAMES[0]))
    expect(heading(winner)).to_have_text(say("end.you_resigned", language, name=NAMES[1]))
    expect(heading(watcher)).to_have_text(
        say("end.won_resigned", language, name=NAMES[0], other=NAMES[1])
    )
    for page, mood in ((loser, "lost"), (winner, "won")):
        expect(page.locator("[data-mood]")).to_have_attribute("data-mood", mood)
        expect(page.locator("[data-why]")).to_have_text(say("end.why.resigned", language))
        row = page.get_by_role("row").filter(has_text=NAMES[1])
        expect(row).to_contain_text(say("end.mark", language))
        examine(page)
    assert loser.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_who_thinks_better_of_it_plays_on(visitor: Visitor, served: Served) -> None:
    table = begun(2)
    table.save(served.data)
    page = table.visit(visitor, 0, viewport=DESK)
    page.locator("[data-palace]").first.wait_for()  # what stood there before had such a button, too
    page.get_by_role("button", name="Settings").press("Enter")
    page.get_by_role("button", name="End the game early").press("Enter")
    dialog = page.get_by_role("dialog", name="End the game early")
    dialog.get_by_role("button", name="Give up", exact=True).press("Enter")
    page.keyboard.press("Enter")  # the first answer changes nothing
    expect(dialog.get_by_role("button", name="Give up", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("[data-mine=true]")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_with_four_a_bot_plays_on(visitor: Visitor, served: Served, language: str) -> None:
    table = begun(4)
    table.save(served.data)
    page = table.visit(visitor, 2, viewport=PHONE, locale=language)
    other = table.visit(visitor, 1, viewport=DESK, locale=language)
    dialog = quit_early(page, language)
    expect(dialog.get_by_text(say("quit.more", language, name="Random"))).to_be_visible()
    page.get_by_role("button", name=say("close", language)).last.click()
    page.get_by_role("button", name=say("close", language)).click()
    give_up(page, language)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text(say("turn.gave_up", language)).first).to_be_visible()
    expect(page.locator("[data-card]")).to_have_count(0)  # the hand is the bot's now
    seat = page.locator('[data-player="2"]')
    for each in (seat, other.locator('[data-player="2"]')):
        gave_up = re.compile(re.escape(say("player.resigned", language)))
        expect(each).to_have_attribute("aria-label", gave_up)
    examine(page)
    # Nothing of it can be had again.
    page.get_by_role("button", name=say("settings", language)).click()
    expect(page.get_by_role("button", name=say("quit.title", language))).to_have_count(0)
    page.reload()
    expect(page.get_by_text(say("turn.gave_up", language)).first).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_agree_to_end_it(visitor: Visitor, served: Served, language: str) -> None:
    table = begun(2)
    table.save(served.data)
    one = table.visit(visitor, 0, viewport=DESK, locale=language)
    two = table.visit(visitor, 1, viewport=PHONE, locale=language)
    two.locator("[data-palace]").first.wait_for()
    quit_early(one, language).get_by_role("button", name=say("quit.propose", language)).click()
    expect(one.get_by_role("dialog")).to_have_count(0)
    expect(one.locator("[data-proposal]")).to_contain_text(
        say("propose.waiting", language, names=NAMES[1])
    )
    bar = two.locator("[data-proposal]")
    expect(bar).to_contain_text(say("propose.asks", language, name=NAMES[0]))
    for page in (one, two):
        assert page.evaluate(ON_BOARD) == []
        examine(page)
    assert two.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    yes = bar.get_by_role("button", name=say("propose.yes", language))
    expect(yes).to_have_attribute("aria-disabled", "false")
    yes.click()
    for page in (one, two):
        expect(heading(page)).to_have_text(say("end.agreed", language))
        expect(page.locator("[data-why]")).to_have_text(say("end.why.agreed", language))
        expect(page.locator("[data-mood]")).to_have_count(0)
    two.get_by_role("link", name=say("end.replay", language), exact=True).click()
    two.locator("input[type=range]").wait_for()
    two.keyboard.press("End")
    log = catalogue("messages", language)["log.over_agreed"].split("{")[0].strip()
    expect(two.locator(".words")).to_contain_text(log[1:])


def test_one_wants_to_play_on(visitor: Visitor, served: Served) -> None:
    table = begun(3)
    table.save(served.data)
    one, two = (table.visit(visitor, n, viewport=DESK) for n in (0, 1))
    quit_early(one).get_by_role("button", name="Propose an end").click()
    no = two.locator("[data-proposal]").get_by_role("button", name="Play on")
    expect(no).to_have_attribute("aria-disabled", "false")
    no.focus()
    no.press("Enter")
    expect(two.locator("[data-proposal]")).to_have_count(0)
    bar = one.locator("[data-proposal]")
    expect(bar).to_contain_text("Benedikt wants to play on.")
    bar.get_by_role("button", name="Close").click()
    expect(bar).to_have_count(0)
    quit_early(one).get_by_role("button", name="Propose an end").click()
    expect(one.get_by_role("alert")).to_contain_text("You have proposed that in this round")


def test_at_one_device_it_is_said_who_gives_up(visitor: Visitor, served: Served) -> None:
    table = begun(3, chairs=2)
    table.save(served.data)
    page = table.visit(visitor, 0, 1, 2, viewport=PHONE)
    page.get_by_role("button", name="I am Amira").click()
    dialog = quit_early(page)
    expect(dialog.get_by_role("radio", name="Amira")).to_be_checked()
    dialog.get_by_role("radio", name="Chidi").check(force=True)
    examine(page)
    dialog.get_by_role("button", name="Give up", exact=True).click()
    dialog.get_by_role("button", name="Yes, give up").click()
    expect(page.locator('[data-player="2"]')).to_have_attribute(
        "aria-label", re.compile("given up")
    )
    expect(page.locator("[data-mine=true]")).to_be_visible()  # the others play on
    # All who are here answer together.
    quit_early(page).get_by_role("button", name="Propose an end").click()
    yes = page.locator("[data-proposal]").get_by_role("button", name="Agree")
    expect(yes).to_have_attribute("aria-disabled", "false")
    yes.click()
    expect(heading(page)).to_have_text("Ended by agreement: nobody has won")


def test_around_a_screen(visitor: Visitor, served: Served) -> None:
    table = begun(2, screen=True)
    table.save(served.data)
    screen = table.visit(visitor, 0, view="/screen", viewport=DESK)
    phones = [table.visit(visitor, n, view="/hand", viewport=PHONE) for n in (1, 2)]
    quit_early(phones[0]).get_by_role("button", name="Propose an end").click()
    expect(screen.locator("[data-proposal]")).to_contain_text("Still to answer: Amira.")
    assert screen.locator("[data-proposal] button").count() == 0
    assert screen.evaluate(ON_BOARD) == []
    for page in (screen, phones[1]):
        examine(page)
    no = phones[1].locator("[data-proposal]").get_by_role("button", name="Play on")
    expect(no).to_have_attribute("aria-disabled", "false")
    no.click()
    expect(screen.locator("[data-proposal]")).to_contain_text("Amira wants to play on.")
    give_up(phones[0])
    expect(phones[0].get_by_role("heading", name="You gave up: Amira has won")).to_be_visible()
    expect(heading(screen)).to_have_text("Amira has won: Ali gave up")


def told(file: str, *gave_up: int) -> StoredTable:
    """A table at which the game of a record was played; some gave up as soon as they could."""
    record = read_records((DATA / file).read_text("utf-8"))[0]
    options = record.options
    asked = {
        "name": NAMES[0],
        "agreement": {"players": options.players, "rob": options.rob, "start": "order"},
    }
    table = StoredTable(msgspec.convert(asked, NewTable), *NAMES[1 : options.players])
    for person in gave_up:
        table.decide(person, Resign())
    decisions: list[tuple[str, list[str]]] = []
    for token in record.tokens:
        if token.text.startswith("="):
            decisions[-1][1].append(token.text)
        else:
            decisions.append((token.text, []))
    for decided, chance in decisions:
        seat = table.table.on_turn
        assert seat is not None
        table.add(Moved(seat, ACTION_OF[decided], tuple(chance)))
    return table


ENDINGS = {
    "dead": ("end.stalemate", "end.why.dead"),
    "stalemate": ("end.stalemate", "end.why.stalemate"),
    "abandoned": ("end.abandoned", "end.why.abandoned"),
    "turn limit": ("end.turn_limit", "end.why.turn_limit"),
    "bot": ("end.bot_won", "end.why.bot_won"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("how", ENDINGS)
def test_an_ending_says_why(visitor: Visitor, served: Served, language: str, how: str) -> None:
    """R27 and R28: a game that nobody has won, or that a bot has won for somebody who gave up."""
    if how == "dead":
        table = told("2-dead.txt")
    elif how == "stalemate":
        table = told("2-standard-arrival-hidden-hoarding.txt")
    elif how == "bot":
        winner = (Game.from_record((DATA / THIEVING).read_text("utf-8")).winner) or 0
        table = told(THIEVING, winner)
    else:
        table = begun(2)
        table.add(Ended("abandoned" if how == "abandoned" else "turn limit"))
    game = table.table.game
    assert game is not None
    assert game.over
    table.save(served.data)
    title, why = ENDINGS[how]
    name = NAMES[game.winner] if game.winner is not None else ""
    looker = 0 if game.winner != 0 else 1
    pages = [
        table.visit(visitor, looker, viewport=PHONE, locale=language),
        visitor(f"/t/{table.code}/1", viewport=DESK, locale=language),
    ]
    for page in pages:
        words = page.get_by_role("heading", name=say(title, language, name=name))
        expect(words.first).to_be_visible()
        expect(page.locator("[data-why]")).to_have_text(say(why, language))
        examine(page)
    if how == "bot":
        gone = table.visit(visitor, game.winner or 0, viewport=PHONE, locale=language)
        expect(heading(gone)).to_have_text(say("end.you_bot_won", language))
        expect(gone.locator("[data-mood]")).to_have_attribute("data-mood", "lost")
        expect(gone.locator("tr.first")).to_have_count(0)


def test_the_list_of_my_games_is_honest(visitor: Visitor, served: Served) -> None:
    """Whoever gave up has not won, and an agreed game is nobody's."""
    one, two = begun(2), begun(2)
    one.decide(0, Resign())
    two.decide(0, ProposeEnd())
    two.decide(1, AnswerEnd(yes=True))
    page = None
    for table in (one, two):
        table.save(served.data)
    page = one.visit(visitor, 0)
    page.get_by_role("dialog").wait_for()
    page.goto("/")
    row = page.locator(f'[data-game="{one.code}"]')
    expect(row).to_contain_text("You gave up")
    other = two.visit(visitor, 1)
    other.get_by_role("dialog").wait_for()
    other.goto("/")
    expect(other.locator(f'[data-game="{two.code}"]')).to_contain_text("Ended by agreement")


def test_games_that_were_ended_count_no_win(visitor: Visitor, served: Served) -> None:
    table = begun(2)
    table.decide(0, ProposeEnd())
    table.decide(1, AnswerEnd(yes=True))
    for person in (0, 1):
        table.decide(person, Rematch())
    table.decide(0, Start())
    table.decide(1, Resign())
    table.save(served.data)
    page = table.visit(visitor, 0)
    expect(page.get_by_role("dialog").locator(".total")).to_contain_text("Amira 1 : 0 Benedikt")
    games = page.get_by_role("dialog").get_by_role("listitem")
    expect(games.filter(has_text="Ended by agreement")).to_be_visible()
    expect(games.filter(has_text="Amira has won: Benedikt gave up")).to_be_visible()
