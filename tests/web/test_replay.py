"""Replays in a real browser: of a finished game, of a pasted record, of a link, of a file alone."""

import base64
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from baghdad import Game
from baghdad.rules.notation import read_records

from .conftest import SLOWEST, Served, Visitor
from .playing import play_a_turn, play_now, state
from .test_access import PHONES, SCREENS, examine, narrow

pytestmark = pytest.mark.xdist_group(__name__)
DATA = Path(__file__).parents[1] / "data"
RECORD = (DATA / "2-standard-arrival-hidden-thieving.txt").read_text("utf-8")
FOUR = (DATA / "4-neutral-smuggle-seen-thieving.txt").read_text("utf-8")
STEPS = len(Game.from_record(RECORD).tokens)


def paste(page: Page, record: str = RECORD) -> None:
    page.get_by_label("Paste a game record").fill(record)
    page.get_by_role("button", name="Show the game").click()
    page.locator("[data-palace]").first.wait_for()


def at(page: Page, step: int) -> None:
    """Wait until a step is on the screen."""
    expect(page.locator(f'[data-step="{step}"]')).to_have_count(1, timeout=SLOWEST)


def test_a_finished_game_is_replayed_from_its_table(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    play_now(page, 2)
    while state(page) == "mine":
        play_a_turn(page)
    page.get_by_role("dialog").get_by_role("link", name="Replay").click()
    page.locator("input[type=range]").wait_for()
    page.keyboard.press("End")
    expect(page.get_by_role("log")).to_contain_text("wins with")
    page.get_by_role("button", name="Charts").click()
    page.get_by_role("img", name="Chests").wait_for()


def test_stepping_by_keys_buttons_slider_and_log(visitor: Visitor) -> None:
    page = visitor("/replay", viewport={"width": 1280, "height": 800})
    paste(page)
    at(page, 0)
    for key, step in (
        ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", STEPS), ("Home", 0),
    ):  # fmt: skip
        page.keyboard.press(key)
        at(page, step)
    page.get_by_role("button", name="One step forward").click()
    at(page, 1)
    page.get_by_label("Step of the game").fill("40")
    at(page, 40)
    line = page.get_by_role("group", name="Log").get_by_role("button").nth(30)
    line.click()
    at(page, 30)
    expect(line).to_have_attribute("aria-current", "step")


def test_playing_at_full_speed_comes_to_the_end_and_stops(visitor: Visitor) -> None:
    page = visitor("/replay")
    paste(page)
    page.get_by_label("Step of the game").fill(str(STEPS - 30))
    page.get_by_label("Speed").select_option("Full speed")
    page.get_by_role("button", name="Play", exact=True).click()
    at(page, STEPS)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_loose_palaces_lie_as_at_the_table(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    play_now(page, 2)
    while state(page) == "mine":
        play_a_turn(page)
    page.evaluate(
        """() => { const kept = JSON.parse(localStorage['baghdad-settings'])
          localStorage['baghdad-settings'] = JSON.stringify({ ...kept, board: 'ring' }) }"""
    )
    page.reload()
    palaces = page.locator("[data-palace]")
    order = "els => els.map(each => each.dataset.palace).join('')"
    palaces.first.wait_for()
    at_the_table = palaces.evaluate_all(order)
    page.goto(f"{page.url}/replay")
    palaces.first.wait_for()
    assert palaces.evaluate_all(order) == at_the_table


def test_a_robbery_and_the_end_are_celebrated_and_heard(visitor: Visitor) -> None:
    page = visitor(None, reduced_motion="no-preference")
    page.add_init_script(
        """localStorage['baghdad-settings'] = '{"pace": "calm", "sound": true}'
        window.tones = 0
        const start = OscillatorNode.prototype.start
        OscillatorNode.prototype.start = function (...at) { tones += 1; start.apply(this, at) }"""
    )
    page.goto("/replay")
    paste(page)
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("tones") == 0
    page.keyboard.press("ArrowRight")
    page.locator("div.feast").wait_for(state="attached")
    page.locator("div.night").wait_for(state="attached")
    assert page.evaluate("tones") > 0
    page.evaluate("tones = 0")
    page.get_by_label("Speed").select_option("Full speed")
    page.get_by_role("button", name="Play", exact=True).click()
    at(page, STEPS)
    assert page.locator("div.feast, div.night").count() == 0
    assert page.evaluate("tones") == 0


def test_a_link_holds_the_whole_game(visitor: Visitor) -> None:
    page = visitor("/replay")
    paste(page)
    page.get_by_role("button", name="Share this game").click()
    field = page.get_by_label("Link to this replay")
    expect(field).to_have_value(page.url)
    other = visitor(None)
    other.goto(field.input_value())
    other.locator("[data-palace]").first.wait_for()
    other.keyboard.press("End")
    at(other, STEPS)


def test_a_link_that_was_cut_says_so(visitor: Visitor) -> None:
    page = visitor("/replay#hVNNi9ww")
    expect(page.get_by_role("alert")).to_contain_text("not complete")


def test_a_link_that_unpacks_to_more_than_any_game_is_stopped(visitor: Visitor) -> None:
    squeezed = zlib.compress(b" " * 60_000_000, 9, wbits=-15)
    assert len(squeezed) < 64_000
    packed = base64.urlsafe_b64encode(squeezed).decode().rstrip("=")
    page = visitor(f"/replay#{packed}")
    expect(page.get_by_role("alert")).to_contain_text("at most 200,000 characters")
    page.get_by_label("Paste a game record").fill("the page still answers")


def test_a_file_that_is_longer_than_any_game_is_not_read(visitor: Visitor, tmp_path: Path) -> None:
    page = visitor("/replay")
    file = tmp_path / "film.txt"
    file.write_bytes(b"x" * 800_001)
    page.get_by_label("Open a file").set_input_files(file)
    expect(page.get_by_role("alert")).to_contain_text("at most 200,000 characters")
    expect(page.get_by_label("Paste a game record")).to_have_value("")


def test_a_bad_record_is_told_with_place_and_rule(chromium: Browser, served: Served) -> None:
    # The browser itself complains of the server's refusal, so that no visitor can come here.
    page = chromium.new_page(base_url=served.address, locale="en-GB")
    page.goto("/replay")
    page.get_by_label("Paste a game record").fill(RECORD.replace("@", "@n", 1))
    page.get_by_role("button", name="Show the game").click()
    expect(page.get_by_role("alert")).to_contain_text("line ", timeout=SLOWEST)
    expect(page.get_by_role("alert").get_by_role("link")).to_have_text("Rule R8")
    page.context.close()


def test_a_file_can_be_opened(visitor: Visitor, tmp_path: Path) -> None:
    page = visitor("/replay")
    file = tmp_path / "game.txt"
    file.write_text(RECORD, "utf-8")
    page.get_by_label("Open a file").set_input_files(file)
    expect(page.get_by_label("Paste a game record")).to_have_value(RECORD)


def test_through_a_seats_eyes_the_others_cards_are_nowhere_on_the_page(visitor: Visitor) -> None:
    page = visitor("/replay", viewport={"width": 1280, "height": 800})
    paste(page, FOUR)
    page.keyboard.press("End")
    assert page.get_by_role("list", name="All hands").get_by_role("listitem").count() == 4
    drawn = page.get_by_role("group", name="Log").get_by_text("draws")
    assert all("×" in text for text in drawn.all_text_contents() if "and draws" not in text)
    page.get_by_label("Point of view").select_option("1")
    expect(page.get_by_role("list", name="All hands")).to_have_count(0)
    seen = {"Player 2": 0, "others": 0}
    for text in drawn.all_text_contents():
        if "and draws" in text:
            continue
        mine = "Player 2" in text
        assert ("×" in text) == mine, text
        seen["Player 2" if mine else "others"] += 1
    assert all(seen.values())
    hand = Game.from_record(FOUR).hand(1)
    page.get_by_role("group", name=f"Your hand: {sum(hand)} card").wait_for()


@pytest.mark.parametrize(("viewport", "scheme"), SCREENS)
def test_axe_finds_nothing(visitor: Visitor, viewport: dict[str, int], scheme: str) -> None:
    page = visitor("/replay", viewport=viewport, color_scheme=scheme)
    page.get_by_label("Paste a game record").wait_for()
    examine(page)
    paste(page, FOUR)
    page.get_by_label("Step of the game").fill("60")
    examine(page)
    page.get_by_label("Point of view").select_option("0")
    if viewport["width"] < 1200:
        page.get_by_role("button", name="Log").click()
        examine(page)
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Charts").first.click()
    examine(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Share this game").click()
    examine(page)


@pytest.mark.parametrize(
    ("width", "height"), [*PHONES, (768, 740), (1024, 740), (1920, 740), (3840, 740)]
)
def test_nothing_scrolls_sideways(visitor: Visitor, width: int, height: int) -> None:
    page = visitor("/replay", viewport={"width": width, "height": height})
    paste(page, FOUR)
    page.keyboard.press("End")
    for eyes in ("", "2"):
        page.get_by_label("Point of view").select_option(eyes)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert (width, height) not in PHONES or narrow(page) == []


def test_one_file_works_without_a_server_in_every_language(
    visitor: Visitor, chromium: Browser, tmp_path: Path
) -> None:
    page = visitor("/replay")
    paste(page, FOUR)
    page.get_by_role("button", name="Share this game").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as one HTML file").click()
    file = tmp_path / "replay.html"
    download.value.save_as(file)

    context = chromium.new_context(offline=True, locale="en-GB", reduced_motion="reduce")
    context.set_default_timeout(SLOWEST)
    alone = context.new_page()
    complaints: list[str] = []
    asked: list[str] = []
    alone.on("pageerror", lambda error: complaints.append(str(error)))
    alone.on("request", lambda request: asked.append(request.url.partition(":")[0]))
    alone.goto(file.as_uri())
    alone.keyboard.press("ArrowRight")
    at(alone, 1)
    alone.keyboard.press("End")
    expect(alone.get_by_role("log")).to_contain_text("wins with")
    alone.get_by_role("button", name="Rules").click()
    alone.locator("#R12").wait_for()
    alone.keyboard.press("Escape")
    alone.get_by_role("button", name="Settings").click()
    for name, won in (("Deutsch", "gewinnt"), ("Nederlands", "wint"), ("Čeština", "Vyhrává")):
        alone.get_by_role("radio", name=name).check(force=True)
        expect(alone.get_by_role("log", include_hidden=True)).to_contain_text(won)
    alone.keyboard.press("Escape")
    with alone.expect_download() as download:
        alone.get_by_role("button", name="Uložit záznam hry").click()
    saved = tmp_path / "game.txt"
    download.value.save_as(saved)
    assert read_records(saved.read_text("utf-8"))[0].tokens
    assert set(asked) <= {"file", "data", "blob"}
    assert not complaints
    context.close()
