"""Lists all that Baghdad is shipped with, and under which licence: `make licences`.

That is the package itself, the packages that are installed with it, and those whose code is in the
browser game. Ends with 1 where a licence is not known, or not one of those that we can live with.
With `--texts`, the licences themselves follow.
"""

import argparse
import re
import sys
from collections.abc import Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "src" / "baghdad" / "server" / "static"
NOTICES = STATIC / "licences.txt"
"""Written when the page is built: of every package in it, and with its text."""
RULER = "-" * 72
ALLOWED = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MPL-2.0",
    "PSF-2.0",
    "Zlib",
}
"""Those that ask for no more than their notice, and for changes of their own files."""
NAMES = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
"""What packages say that have no expression of SPDX."""
OWN = "Baghdad: code, drawings, texts and networks"
INSTALLED, BUNDLED = "installed with it", "in the page"
FONTS = {".eot", ".otf", ".ttf", ".woff", ".woff2"}


class Shipped(NamedTuple):
    """Something that is shipped."""

    name: str
    version: str
    licence: str
    """An expression of SPDX; empty where it is not known."""
    where: str
    text: str = ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--texts", action="store_true", help="the licences themselves, too")
    asked = parser.parse_args()
    others: set[str] = set()
    try:
        shipped = [*installed("baghdad", others), *bundled(NOTICES.read_text("utf-8"))]
    except FileNotFoundError:
        print("the page is not built: `make web`", file=sys.stderr)
        return 2
    shipped += [Shipped(file.name, "", "", BUNDLED) for file in fonts(STATIC)]
    print(table(shipped))
    if others:
        print(f"\nOn other machines also: {', '.join(sorted(others))}")
    if asked.texts:
        for each in shipped:
            print(f"\n{RULER}\n{each.name} {each.version}\n\n{each.text}")
    wrong = [each for each in shipped if not allowed(each.licence)]
    for each in wrong:
        said = each.licence or "its licence is not known"
        print(f"\n{each.name} {each.version} can't be shipped: {said}", file=sys.stderr)
    return 1 if wrong else 0


def allowed(licence: str) -> bool:
    """Whether we can live with it; where there is a choice, with one of them.

    >>> allowed("MIT AND (Apache-2.0 OR GPL-2.0-only)"), allowed("MIT AND GPL-3.0-only")
    (True, False)
    """
    if inner := re.search(r"\(([^()]*)\)", licence):
        kept = "MIT" if allowed(inner[1]) else "no"
        return allowed(licence[: inner.start()] + kept + licence[inner.end() :])
    choices = re.split(r"\s+OR\s+", licence)
    return any(all(each in ALLOWED for each in re.split(r"\s+AND\s+", one)) for one in choices)


def installed(name: str, others: set[str]) -> list[Shipped]:
    """A package and all that it needs here; what it needs elsewhere is added to the others."""
    found: dict[str, Shipped] = {}
    wanted = [Requirement(name)]
    asked: set[tuple[str, frozenset[str]]] = set()
    while wanted:
        one = wanted.pop()
        key = canonicalize_name(one.name), frozenset(one.extras)
        if key in asked:
            continue
        asked.add(key)
        try:
            package = distribution(one.name)
        except PackageNotFoundError:
            found[key[0]] = Shipped(one.name, "not installed", "", INSTALLED)
            continue
        own = key[0] == name
        shown = OWN if own else package.metadata["Name"]
        where = "itself" if own else INSTALLED
        text = texts_of(package)
        found[key[0]] = Shipped(shown, package.version, licence_of(package), where, text)
        for requirement in map(Requirement, package.requires or ()):
            marker = requirement.marker
            if marker is None or any(marker.evaluate({"extra": e}) for e in (*one.extras, "")):
                wanted.append(requirement)
            elif "extra" not in str(marker):
                others.add(canonicalize_name(requirement.name))
    others -= set(found)
    return sorted(found.values(), key=lambda each: (each.where == INSTALLED, each.name.lower()))


def licence_of(package: Distribution) -> str:
    """What a package's own metadata says: in SPDX, in short, or by the index's classifiers."""
    told = package.metadata.json
    if expression := told.get("license_expression"):
        return str(expression)
    short = str(told.get("license", "")).strip()
    if allowed(NAMES.get(short, short)):
        return NAMES.get(short, short)
    classifiers = map(str, told.get("classifier", ()))
    named = [each.rpartition(" :: ")[2] for each in classifiers if each.startswith("License ::")]
    return " OR ".join(NAMES.get(each, each) for each in named)


def texts_of(package: Distribution) -> str:
    """The licences that come with a package."""
    names = ("LICEN", "COPYING", "NOTICE")
    files = [file for file in package.files or () if file.name.upper().startswith(names)]
    found = [Path(str(file.locate())) for file in files]
    return "\n\n".join(file.read_text("utf-8", "replace") for file in found if file.is_file())


def bundled(notices: str) -> list[Shipped]:
    """The packages in the page, as its build has written them down."""
    found = []
    for part in notices.split(f"\n{RULER}\n\n"):
        head, _, text = part.partition("\n\n")
        if match := re.fullmatch(r"(\S+) (\S+) \((.*)\)", head):
            found.append(Shipped(match[1], match[2], match[3], BUNDLED, text))
        else:
            found.append(Shipped(head, "", "", BUNDLED, text))
    return found


def fonts(folder: Path) -> Iterable[Path]:
    """Fonts in the page: so far there are none, and whoever adds one has to say whose it is."""
    return sorted(file for file in folder.rglob("*") if file.suffix in FONTS)


def table(shipped: list[Shipped]) -> str:
    rows = [("name", "version", "licence", "where"), *(each[:4] for each in shipped)]
    widths = [max(len(row[n]) for row in rows) for n in range(4)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


if __name__ == "__main__":
    sys.exit(main())
