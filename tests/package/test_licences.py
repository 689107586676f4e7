"""`make licences`: everything that is shipped has a licence that we can live with."""

import sys
from pathlib import Path

import pytest

from support.programs import ROOT, load

licences = load("tools/licences.py")
BUILD = load("hatch_build.py")

NOTICES = f"one 1.0 (MIT)\n\nCopyright\n\n{licences.RULER}\n\n@two/three 2.0 (ISC)\n\nAs is\n"


@pytest.mark.parametrize(
    ("licence", "fits"),
    [
        ("MIT", True),
        ("BSD-2-Clause AND Apache-2.0 WITH LLVM-exception", True),
        ("GPL-3.0-only OR MIT", True),
        ("(MIT OR GPL-2.0-only) AND ISC", True),
        ("MIT AND GPL-3.0-only", False),
        ("MIT AND (GPL-3.0-only)", False),
        ("", False),
        ("UNKNOWN", False),
    ],
)
def test_which_licences_we_can_live_with(licence: str, fits: bool) -> None:
    assert licences.allowed(licence) is fits


def package(folder: Path, name: str, *metadata: str) -> None:
    """A package as it is installed."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    lines = ("Metadata-Version: 2.4", f"Name: {name}", "Version: 1.0", *metadata)
    (info / "METADATA").write_text("\n".join(lines) + "\n", "utf-8")


def test_all_that_comes_with_a_package_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    package(
        tmp_path,
        "caravan",
        "License-Expression: MIT",
        "Requires-Dist: camel[hump]",
        "Requires-Dist: tent; sys_platform == 'nowhere'",
        "Requires-Dist: carpet; extra == 'flying'",
    )
    package(
        tmp_path,
        "camel",
        "License: MIT License",
        "Requires-Dist: water; extra == 'hump'",
        "Requires-Dist: caravan",
    )
    package(tmp_path, "water", "Classifier: License :: OSI Approved :: BSD License")
    others: set[str] = set()
    found = {each.name: each.licence for each in licences.installed("caravan", others)}
    assert found == {licences.OWN: "MIT", "camel": "MIT", "water": "BSD"}
    assert others == {"tent"}


@pytest.mark.parametrize(
    ("metadata", "complaint"),
    [
        ((), "its licence is not known"),
        (("License: All rights reserved",), "its licence is not known"),
        (("License-Expression: AGPL-3.0-only",), "AGPL-3.0-only"),
        (("Requires-Dist: mirage",), "mirage not installed"),
    ],
)
def test_what_can_not_be_shipped_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    metadata: tuple[str, ...],
    complaint: str,
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    package(tmp_path, "baghdad", *metadata)
    (tmp_path / "licences.txt").write_text(NOTICES, "utf-8")
    monkeypatch.setattr(licences, "NOTICES", tmp_path / "licences.txt")
    monkeypatch.setattr(licences, "STATIC", tmp_path)
    monkeypatch.setattr(sys, "argv", ["licences.py"])
    assert licences.main() == 1
    assert complaint in capsys.readouterr().err


def test_a_font_needs_a_licence(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "ornate-1234.woff2").touch()
    assert [file.name for file in licences.fonts(tmp_path)] == ["ornate-1234.woff2"]


def test_notices_of_the_page_are_read() -> None:
    first, second = licences.bundled(NOTICES)
    assert first == ("one", "1.0", "MIT", licences.BUNDLED, "Copyright\n")
    assert second == ("@two/three", "2.0", "ISC", licences.BUNDLED, "As is\n")


@pytest.fixture(scope="module")
def _page() -> None:
    BUILD.build()


@pytest.mark.usefixtures("_page")
def test_what_is_shipped_can_be(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["licences.py", "--texts"])
    assert licences.main() == 0
    told = capsys.readouterr().out
    for name in (licences.OWN, "msgspec", "svelte", "lean-qr", "idb"):
        assert f"\n{name} " in told
    assert "Svelte Contributors" in told


@pytest.mark.usefixtures("_page")
def test_the_page_and_a_replay_in_one_file_carry_the_notices() -> None:
    for name in ("licences.txt", "offline.html"):
        text = (BUILD.STATIC / name).read_text("utf-8")
        assert "Svelte Contributors" in text
        assert "shall be included in all copies" in text
    assert 'href="/licences.txt"' in (ROOT / "web" / "index.html").read_text("utf-8")
