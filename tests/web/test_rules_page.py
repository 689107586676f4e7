"""The rules on the page: found by any word for a thing, and drawn."""

import pytest
from playwright.sync_api import Page, expect

from baghdad.text import LANGUAGES, catalogue

from .conftest import Visitor
from .test_access import examine

pytestmark = pytest.mark.xdist_group(__name__)
ENTRIES = 28 + 5 + 6 + 15
"""Rules, options, rulebooks, and points in which they differ."""
PICTURES = ("palace", "setup", "smuggle", "move", "carry", "neutral", "rob", "draw")
CHESTS = ["R1", "R19", "R20", "R21", "differs.must", "differs.chest", "differs.board"]
DANCERS = ["R2", "R17", "R18", "R23", "R26", "option.spare"]
DANCERS += ["rulebook.cs", "differs.spare", "differs.dancer"]
BOOKS = [f"rulebook.{name}" for name in ("ours", "de", "en", "nl", "cs", "12thieves")]
SMUGGLED = ["rulebook.ours", "rulebook.de", "rulebook.en", "rulebook.12thieves", "differs.rob"]
# Words of the rulebooks, other forms, and words without their accents, with what they find.
SOUGHT = {
    "en": {
        "treasure trove": CHESTS,
        "Treasure Troves": CHESTS,
        "joker": DANCERS,
        "external guards": ["R10", "R12", "R14"],
        "thief smuggling": ["R12", "R20", "R27", "option.rob", *SMUGGLED],
        "resign": ["R28"],
        "instructions": BOOKS,
    },
    "de": {
        "Schatztruhe": CHESTS,
        "schatztruhen": CHESTS,
        "tanzerinnen": DANCERS,
        "Wächtern Aufstellen": ["option.variant", "option.hands", "differs.hands"],
        "einschmuggeln": ["R12", "R20", "R27", "option.rob", *SMUGGLED],
        "kapitulieren": ["R28"],
        "Regelheft": BOOKS,
        "grun": ["R4"],
    },
    "nl": {
        "schatkist": CHESTS,
        "schatkisten": CHESTS,
        "danseressen": DANCERS,
        "binnen loodsen": ["R12", "R20", "R27", "option.rob", *SMUGGLED],
        "dief meenemen": ["R14"],
        "overgeven": ["R28"],
        "handleiding": BOOKS,
    },
    "cs": {
        "truhlice": CHESTS,
        "truhlice s pokladem": CHESTS,
        "truhel": CHESTS,
        "zolik": DANCERS,
        "tanečnicemi": DANCERS,
        "nadvori": ["R1", "R12", "R14"],
        "rezignovat": ["R28"],
        "navod": BOOKS,
    },
}


def found(page: Page) -> list[str]:
    return [rule.get_attribute("id") or "" for rule in page.locator("dl > div").all()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_are_found_by_any_word_for_a_thing(visitor: Visitor, language: str) -> None:
    page = visitor("/rules", locale=language)
    expect(page.locator("dl > div")).to_have_count(ENTRIES)
    search = page.get_by_role("searchbox")
    for words, rules in SOUGHT[language].items():
        search.fill(words)
        expect(page.locator("mark").first).to_be_visible()
        assert found(page) == rules, words
        expect(page.locator("[data-picture]")).to_have_count(0)
    search.fill("qqqq")
    expect(page.get_by_text(catalogue("web", language)["rules.none"])).to_be_visible()
    search.fill("")
    expect(page.locator("dl > div")).to_have_count(ENTRIES)


def test_what_was_found_is_marked(visitor: Visitor) -> None:
    page = visitor("/rules", locale="de", color_scheme="dark")
    page.get_by_role("searchbox").fill("Wächtern")
    page.locator("mark").first.wait_for()
    marks = set(page.locator("mark").all_inner_texts())
    assert {"Wächter", "Wächterfelder"} <= marks
    assert all(word.startswith("Wächter") for word in marks)
    examine(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_have_pictures_that_are_told_too(visitor: Visitor, language: str) -> None:
    page = visitor("/rules", locale=language, viewport={"width": 320, "height": 640})
    page.locator("[data-picture]").first.wait_for()
    texts = catalogue("pictures", language)
    for name in PICTURES:
        picture = page.locator(f"[data-picture={name}]")
        drawing = picture.get_by_role("img", name=texts[f"{name}.alt"], exact=True)
        expect(drawing).to_be_visible()
        expect(picture.locator("figcaption")).to_have_text(texts[name])
        assert picture.locator("svg").count() > 3
        assert drawing.evaluate("drawn => drawn.scrollWidth <= drawn.clientWidth"), name
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    if language == "en":
        examine(page)


def test_pictures_come_only_with_the_rules_and_in_their_dialog_too(visitor: Visitor) -> None:
    page = visitor(None)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    page.locator("button.go").wait_for()
    assert not [url for url in asked if "pictures" in url.lower() or "synonyms" in url]
    page.locator("button.go").click()
    page.locator("[data-palace]").first.wait_for()
    page.get_by_role("button", name="Rules").click()
    dialog = page.get_by_role("dialog", name="Rules")
    expect(dialog.locator("[data-picture]")).to_have_count(len(PICTURES))
    dialog.get_by_role("searchbox").fill("treasure trove")
    expect(dialog.locator("dl > div")).to_have_count(len(CHESTS))
    assert [url for url in asked if "RulePictures" in url]


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_say_which_rulebook_says_what(
    visitor: Visitor, language: str, width: int
) -> None:
    page = visitor("/rules", locale=language, viewport={"width": width, "height": 700})
    texts, messages = catalogue("rules", language), catalogue("messages", language)
    expect(page.get_by_role("heading", name=texts["rulebooks"], exact=True)).to_be_visible()
    expect(page.get_by_text(texts["rulebooks.intro"])).to_be_visible()
    for key in BOOKS:
        entry = page.locator(f"[id='{key}']")
        expect(entry.locator("dt")).to_have_text(messages[key])
        expect(entry.locator("dd")).to_have_text(messages[f"{key}.differs"])
    expect(page.get_by_role("heading", name=texts["differences"], exact=True)).to_be_visible()
    points = [key for key in texts if f"{key}.texts" in texts]
    assert len(points) == 15
    for key in points:
        entry = page.locator(f"[id='{key}']")
        expect(entry.locator("dt")).to_have_text(texts[key])
        expect(entry.locator("dd").first).to_have_text(texts[f"{key}.texts"])
        ours = f"{texts['differences.ours']} {texts[f'{key}.ours']}"
        expect(entry.locator("dd").last).to_have_text(ours)
        name, said = entry.locator("dt").bounding_box(), entry.locator("dd").first.bounding_box()
        assert name
        assert said
        assert said["x"] > name["x"] if width > 320 else said["y"] > name["y"], key
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if language == "de":
        examine(page)


def test_a_point_of_the_rulebooks_leads_to_its_rule(visitor: Visitor) -> None:
    page = visitor("/rules", locale="en")
    page.locator("[id='differs.renewal']").get_by_role("button", name="R24").click()
    expect(page.locator("#R24")).to_be_focused()
