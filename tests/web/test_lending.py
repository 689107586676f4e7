"""After a game of people each says whether puzzles may be made of it, and may take that back."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from baghdad.text import LANGUAGES

from .conftest import Served, Visitor
from .test_access import examine, narrow
from .test_giving_up import DESK, PHONE, given_up, say

pytestmark = pytest.mark.xdist_group(__name__)


def question(page: Page, language: str = "en") -> Locator:
    return page.get_by_role("group", name=say("lend", language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_is_asked_and_may_take_it_back(
    visitor: Visitor, served: Served, language: str
) -> None:
    table = given_up(served.data)
    pages = [
        table.visit(visitor, n, viewport=PHONE if n else DESK, locale=language) for n in (0, 1)
    ]
    for n, page in enumerate(pages, 1):
        expect(question(page, language).get_by_role("radio").nth(1)).to_be_checked()
        question(page, language).get_by_role("radio").first.check(force=True)
        expect(page.get_by_text(re.compile(rf"\b{n}\D+2$"))).to_be_visible()
        if page is pages[1]:  # by touch
            assert narrow(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        examine(page)
    # On the page of the game by itself, too.
    one = pages[0]
    one.goto(f"/t/{table.code}/1")
    answer = question(one, language)
    expect(answer.get_by_role("radio").first).to_be_checked()
    answer.get_by_role("radio").nth(1).check(force=True)
    one.wait_for_timeout(300)
    one.reload()
    expect(question(one, language).get_by_role("radio").nth(1)).to_be_checked()
    watcher = visitor(f"/t/{table.code}/1", viewport=DESK, locale=language)
    watcher.get_by_role("link", name=say("end.replay", language), exact=True).wait_for()
    assert not question(watcher, language).count()
