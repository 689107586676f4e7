"""The narrowest phone: words stay inside their buttons, whatever the language."""

import pytest
from playwright.sync_api import expect

from baghdad.text import LANGUAGES, catalogue

from .conftest import Visitor
from .playing import play_now, state, step, stepped

pytestmark = pytest.mark.xdist_group(__name__)
TOO_WIDE = """() => [...document.querySelectorAll('[data-end]')].flatMap(button => {
  const { left, right } = button.getBoundingClientRect()
  return [...button.querySelectorAll('b, small')].filter(word => {
    const range = document.createRange()
    range.selectNodeContents(word)
    const box = range.getBoundingClientRect()
    return box.left < left || box.right > right
  }).map(word => word.textContent)
})"""


def test_two_endings_fit_side_by_side(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 320, "height": 640})
    play_now(page, 2)
    while state(page) == "mine" and page.locator("[data-target]").count():
        before = step(page)
        page.locator("[data-target]").first.click()
        stepped(page, before)
    state(page)
    for language in LANGUAGES:
        page.evaluate(
            """language => localStorage['baghdad-settings'] = JSON.stringify(
                {...JSON.parse(localStorage['baghdad-settings']), language})""",
            language,
        )
        page.reload()
        ends = page.locator("[data-end]")
        expect(ends).to_have_count(2)
        expect(ends.first).to_contain_text(str(catalogue("web", language)["turn.end"]))
        assert page.evaluate(TOO_WIDE) == []
