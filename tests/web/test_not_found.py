"""An address that leads nowhere: words and ways on for people, JSON for programs."""

import json

import pytest
from playwright.sync_api import Page, expect

from baghdad.text import LANGUAGES, catalogue

from .conftest import Visitor
from .test_access import examine, narrow

pytestmark = pytest.mark.xdist_group(__name__)
NOWHERE = ("/nowhere", "/t/F7KQXM/kitchen", "/learn/a/b", "/health/of/camels", "/%E0%A4%A")
HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_person_is_told_so_and_shown_the_ways_on(visitor: Visitor, language: str) -> None:
    size = {"width": 320, "height": 640}
    page = visitor(None, "status of 404", locale=language, viewport=size)
    texts = catalogue("web", language)
    for address in NOWHERE:
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 404
        expect(page.get_by_role("heading", name=str(texts["lost.title"]))).to_be_visible()
    examine(page)
    assert narrow(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.get_by_role("link", name=str(texts["gone.home"])).click()
    expect(page.get_by_role("button", name=str(texts["start.play"]))).to_be_visible()


def test_programs_get_json_and_nothing_of_the_api_is_a_page(visitor: Visitor) -> None:
    page: Page = visitor()
    for address, headers in (
        ("/nowhere", {"Accept": "application/json"}),
        ("/nowhere", {"Accept": "*/*"}),
        ("/api/nowhere", HTML),
        ("/assets/none.js", HTML),
    ):
        answer = page.request.get(address, headers=headers)
        assert answer.status == 404, address
        assert json.loads(answer.text())["key"] == "server.no_page", address
    answer = page.request.post("/nowhere", headers=HTML)
    assert json.loads(answer.text())["key"] == "server.no_page"
