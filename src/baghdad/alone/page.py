"""The built page with everything inside as one HTML file, and as a folder of static files."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from baghdad.files import atomic_write

PACKAGE = Path(__file__).parents[1]
STATIC = PACKAGE / "server" / "static"
PARTS = {
    "engine": PACKAGE / "wasm" / "baghdad.wasm",
    "network": PACKAGE / "bots" / "neural" / "weights" / "neural.bin",
    "open": PACKAGE / "bots" / "value" / "weights" / "open.bin",
    "eyes": PACKAGE / "bots" / "value" / "weights" / "eyes.bin",
    "puzzles": PACKAGE / "analysis" / "puzzles.json",
}
"""What is in the page by name, as in `PARTS` of web/vite.config.ts."""
PLACE = '<script type="text/plain" id="part-{}">{}</script>'
FILES = re.compile(r"(?m)^const FILES = (\{.*\})$")
"""In the service worker: every file by address, and its hash. The page itself has no name."""
PAGES = re.compile(r"(?m)^const PAGES = \[.*\]$")
"""In the service worker: the paths that lead to the page. In a folder the rest is behind the #."""
PAGE = "index.html"
WORKER = "sw.js"


class NotOursError(Exception):
    """A folder holds something else than an earlier export."""


def is_built(static: Path = STATIC) -> bool:
    return (static / PAGE).is_file() and (static / "offline.html").is_file()


def one_file(static: Path = STATIC) -> str:
    """The page with everything inside."""
    page = (static / "offline.html").read_text("utf-8")
    for name, path in PARTS.items():
        empty = PLACE.format(name, "")
        assert page.count(empty) == 1, "the page has one place for each part"
        page = page.replace(empty, PLACE.format(name, b64encode(path.read_bytes()).decode()))
    return page


def write_file(path: Path) -> None:
    with atomic_write(path) as part:
        part.write_text(one_file(), "utf-8")


def write_site(folder: Path, static: Path = STATIC) -> None:
    """A folder that opens at any address, whatever is above it.

    An earlier export is renewed, its page last: whoever comes meanwhile finds one or the other.
    Raises `NotOursError` where something else lies there.
    """
    before = _files_of(folder)
    worker = (static / WORKER).read_text("utf-8")
    page = alone((static / PAGE).read_text("utf-8")).encode()
    files = listed(worker)
    files[""] = "sha256-" + b64encode(sha256(page).digest()).decode()
    icons = [path.name for path in static.glob("icon-*.png")]
    for name in [*filter(None, files), *icons]:
        _write(folder / name, (static / name).read_bytes())
    _write(folder / PAGE, page)
    renewed = FILES.sub(lambda _: f"const FILES = {json.dumps(files)}", worker)
    renewed = PAGES.sub(f"const PAGES = {json.dumps(['', PAGE])}", renewed)
    _write(folder / WORKER, renewed.encode())
    for name in before - set(files):
        (folder / name).unlink(missing_ok=True)


def alone(page: str) -> str:
    """The page as it lies in a folder: its files are beside it, and there is no server.

    >>> alone('<html lang="en"><script src="/assets/a.js">')
    '<html data-alone lang="en"><script src="assets/a.js">'
    """
    return re.sub(r'(src|href)="/', r'\1="', page).replace("<html ", "<html data-alone ", 1)


def listed(worker: str) -> dict[str, str]:
    """The files that a service worker keeps."""
    found = FILES.search(worker)
    assert found, "the build has put the list there"
    files: dict[str, str] = json.loads(found[1])
    return files


def _files_of(folder: Path) -> set[str]:
    """What an earlier export has put there; nothing where there is none."""
    if not folder.exists() or not any(folder.iterdir()):
        return set()
    try:
        worker = (folder / WORKER).read_text("utf-8")
        page = (folder / PAGE).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise NotOursError(folder) from None
    if not FILES.search(worker) or "<html data-alone" not in page:
        raise NotOursError(folder)
    # No name of a list that somebody may have changed leads out of the folder.
    return {name for name in listed(worker) if re.fullmatch(r"(assets/)?[\w-][\w.-]*", name)}


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as part:
        part.write_bytes(content)
