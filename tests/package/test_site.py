"""The documents as a site: `make docs`."""

import doctest
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import baghdad
import baghdad.arena
import baghdad.bots
import baghdad.lab
from support.programs import ROOT, load

LOADED = re.compile(
    r"""<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)\s*=\s*["']?(?:https?:)?//"""
)
LOADED_BY_STYLE = re.compile(r"""(?:@import|url\()\s*["']?(?:https?:)?//""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as by `make docs`: a warning is an error, and so is a link that leads nowhere."""
    built = tmp_path_factory.mktemp("site")
    options = ["--conf-dir", "docs", "--fail-on-warning", "--keep-going", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, ".", str(built)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return built


def test_it_begins_with_a_page_that_leads_to_all_documents(site: Path) -> None:
    assert "docs/index.html" in (site / "index.html").read_text("utf-8")
    contents = (site / "docs" / "index.html").read_text("utf-8")
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
        assert f"{path.stem}.html" in contents or path.stem == "index", path.name


def test_it_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 15
    for page in pages:
        assert not LOADED.search(page.read_text("utf-8")), page.name
    for style in site.rglob("*.css"):
        assert not LOADED_BY_STYLE.search(style.read_text("utf-8")), style.name


@pytest.mark.parametrize(
    ("module", "page"),
    [
        (baghdad, "game"),
        (baghdad.arena, "arena"),
        (baghdad.bots, "bots"),
        (baghdad.lab, "lab"),
    ],
)
def test_every_public_name_is_in_the_reference(site: Path, module: ModuleType, page: str) -> None:
    text = (site / "docs" / "api" / f"{page}.html").read_text("utf-8")
    for name in module.__all__:
        assert f'id="{module.__name__}.{name}"' in text, name


def test_the_reference_explains_nothing_of_python_itself(site: Path) -> None:
    """Where a value has no words of its own, those of its type would stand."""
    for page in (site / "docs" / "api").glob("*.html"):
        text = page.read_text("utf-8")
        for words in ("Built-in immutable sequence", "int([x])", "new empty dictionary"):
            assert words not in text, page.name


def test_pictures_are_lists_that_need_no_script(site: Path) -> None:
    page = (site / "docs" / "architecture.html").read_text("utf-8")
    assert "flowchart" not in page
    assert "<em> → " in page


def test_a_flowchart_is_read_as_documented() -> None:
    failures, tried = doctest.testmod(load("docs/flowcharts.py"))
    assert tried
    assert not failures
