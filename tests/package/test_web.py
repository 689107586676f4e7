"""The page of the browser game: how it is built and what it weighs."""

import gzip
import json
import re
from pathlib import Path

import pytest

from support.programs import load

ROOT = Path(__file__).parents[2]
KILOBYTE = 1000


@pytest.fixture(scope="module")
def static() -> Path:
    """The built page; built now unless it is up to date."""
    build = load("hatch_build.py")
    build.build()
    folder: Path = build.STATIC
    return folder


def test_packages_are_locked_by_hash_with_no_download_address() -> None:
    text = (ROOT / "web" / "package-lock.json").read_text("utf-8")
    assert "http" not in text
    packages = json.loads(text)["packages"]
    assert all("integrity" in package for name, package in packages.items() if name)


def test_every_native_binding_of_the_build_is_locked() -> None:
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))["packages"]
    wanted = {
        f"node_modules/{name}"
        for package in packages.values()
        for name in package.get("optionalDependencies", {})
    }
    assert wanted <= set(packages)


def test_the_page_loads_nothing_but_its_own_files(static: Path) -> None:
    html = (static / "index.html").read_text("utf-8")
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|javascript:", html)
    assert not re.search(r"https?://", html)
    for file in static.rglob("*.css"):
        assert not re.search(r"https?:|@import|data:", file.read_text("utf-8")), file.name


def test_scripts_weigh_at_most_100_kilobytes_at_first_and_230_in_all(static: Path) -> None:
    sizes = {file.name: len(gzip.compress(file.read_bytes())) for file in static.rglob("*.js")}
    first = re.findall(r"/assets/([^\"]+\.js)", (static / "index.html").read_text("utf-8"))
    assert first
    assert sum(sizes[name] for name in first) <= 100 * KILOBYTE, sizes
    assert sum(sizes.values()) <= 230 * KILOBYTE, sizes


def test_built_files_are_named_after_their_contents(static: Path) -> None:
    assert all(re.search(r"-[\w-]{8}\.\w+$", file.name) for file in (static / "assets").iterdir())
