"""A browser for the tests of the page: one that is here, Debian's, or Playwright's own.

`python tools/browser.py` sees to it that there is one, and says what to do where it can't.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def installed() -> str | None:
    """A Chromium or Chrome of this machine."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def downloaded() -> str | None:
    """The Chromium that Playwright has brought, if it has."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def main() -> None:
    if installed() or downloaded():
        return
    if shutil.which("apt-get") and os.geteuid() == 0:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in ("update", "install --yes --no-install-recommends chromium"):
            subprocess.run(
                ["apt-get", "-qq", *command.split()], env=quiet, stdout=sys.stderr, check=False
            )
    if not installed():
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    if not installed() and not downloaded():
        sys.exit("no Chromium for the tests of the page: install it with your system's packages")


if __name__ == "__main__":
    main()
