"""The page that `baghdad review --html` writes: for everyone, on phones, from a disk."""

from pathlib import Path

import pytest

from baghdad.analysis.facts import Fact
from baghdad.analysis.marks import MARKS
from baghdad.analysis.page import html_page
from baghdad.analysis.reasons import Reason
from baghdad.analysis.reviewing import Review, TurnReview

from .conftest import Visitor
from .test_access import SCREENS, examine

pytestmark = pytest.mark.xdist_group(__name__)


def review() -> Review:
    """A turn with each mark, and a guard that was placed."""
    turns = [
        TurnReview(
            at=4 * place,
            number=place,
            played=("-*",),
            best=("+R(R)", "R>>G(G)", "."),
            played_robs=("",),
            best_robs=("R4", "", ""),
            given_up=5.0 * place,
            low=max(5.0 * place - 1, 0.0),
            high=5.0 * place + 1,
            mark=mark,
            real=True,
            chance=0.4,
            best_chance=0.4 + 0.05 * place,
            candidates=20,
            deals=512,
            reasons=(Reason(Fact("ready", "R", n=1, number=4), 12.0, 12.0),),
        )
        for place, mark in enumerate(MARKS)
    ]
    return Review(1, 8000, "review", tuple(turns))


@pytest.mark.parametrize(("viewport", "scheme"), SCREENS)
def test_axe_finds_nothing_in_a_review(
    visitor: Visitor, tmp_path: Path, viewport: dict[str, int], scheme: str
) -> None:
    path = tmp_path / "review.html"
    path.write_text(html_page([review()], ["Ali", "Eva & <co>"], "de"), "utf-8")
    page = visitor(None, viewport=viewport, color_scheme=scheme)
    page.goto(path.as_uri())
    page.get_by_role("heading", name="Eva & <co>").wait_for()
    assert page.get_by_role("listitem").count() == len(MARKS)
    page.get_by_text("fehlt nur noch 1 Dieb").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    examine(page)
