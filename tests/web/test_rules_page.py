"""The rules on the page: found by any word for a thing, and drawn."""

import pytest
from playwright.sync_api import Page, expect

from baghdad.text import LANGUAGES, catalogue

from .conftest import Visitor
from .test_access import examine

pytestmark = pytest.mark.xdist_group("browser")
PICTURES = ("palace", "setup", "smuggle", "move", "carry", "neutral", "rob", "draw")
CHESTS = ["R1", "R19", "R20", "R21"]
DANCERS = ["R2", "R17", "R18", "R23", "R26"]
# Words of the rulebooks, other forms, and words without their accents, with what they find.
SOUGHT = {
    "en": {
        "treasure trove": CHESTS,
        "Treasure Troves": CHESTS,
        "joker": DANCERS,
        "external guards": ["R10", "R12", "R14"],
        "thief smuggling": ["R12", "R20", "option.rob"],
    },
    "de": {
        "Schatztruhe": CHESTS,
        "schatztruhen": CHESTS,
        "tanzerinnen": DANCERS,
        "Wächtern Aufstellen": ["option.variant", "option.hands"],
        "einschmuggeln": ["R12", "R20"],
        "grun": ["R4"],
    },
    "nl": {
        "schatkist": CHESTS,
        "schatkisten": CHESTS,
        "danseressen": DANCERS,
        "binnen loodsen": ["R12", "R20"],
        "dief meenemen": ["R14"],
    },
    "cs": {
        "truhlice": CHESTS,
        "truhlice s pokladem": CHESTS,
        "truhel": CHESTS,
        "zolik": DANCERS,
        "tanečnicemi": DANCERS,
        "nadvori": ["R1", "R12", "R14"],
    },
}


def found(page: Page) -> list[str]:
    return [rule.get_attribute("id") or "" for rule in page.locator("dl > div").all()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_are_found_by_any_word_for_a_thing(visitor: Visitor, language: str) -> None:
    page = visitor("/rules", locale=language)
    expect(page.locator("dl > div")).to_have_count(30)
    search = page.get_by_role("searchbox")
    for words, rules in SOUGHT[language].items():
        search.fill(words)
        expect(page.locator("mark").first).to_be_visible()
        assert found(page) == rules, words
        expect(page.locator("[data-picture]")).to_have_count(0)
    search.fill("qqqq")
    expect(page.get_by_text(catalogue("web", language)["rules.none"])).to_be_visible()
    search.fill("")
    expect(page.locator("dl > div")).to_have_count(30)


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
