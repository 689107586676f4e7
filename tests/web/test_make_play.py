"""`make play` itself: it builds the page, serves it and opens the browser, and two clicks play."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, expect

ROOT = Path(__file__).parents[2]


def first_line(pipe: Path, making: "subprocess.Popen[bytes]") -> str:
    """What the browser was opened with; a server that did not start ends the waiting."""
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(end) as lines:
        while not select.select([lines], [], [], 1)[0] or not (line := lines.readline()):
            assert making.poll() is None, "it has stopped"
    return line.strip()


def test_make_play_can_be_for_the_room() -> None:
    def starts(*given: str) -> str:
        command = [
            "make",
            "--no-print-directory",
            "--dry-run",
            "--old-file=.venv/ready",
            "BIN=bin",
            "play",
            *given,
        ]
        told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        return told.stdout.splitlines()[-1].strip()

    assert starts() == starts("ROOM=0") == "bin/baghdad"
    assert starts("ROOM=1") == "bin/baghdad --room"


def test_make_play_opens_a_game(chromium: Browser, tmp_path: Path) -> None:
    opened, opener = tmp_path / "opened", tmp_path / "browser"
    os.mkfifo(opened)
    opener.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    opener.chmod(0o755)
    # What is installed is there already: this very Python runs the tests.
    command = ["make", "--silent", "--old-file=.venv/ready", f"BIN={Path(sys.executable).parent}"]
    making = subprocess.Popen(
        [*command, "play"],
        cwd=ROOT,
        env=os.environ
        | {"BROWSER": f"{opener} %s", "DISPLAY": ":0", "XDG_DATA_HOME": str(tmp_path)}
        | {"PYTHONPATH": str(ROOT / "src")},
        start_new_session=True,
    )
    try:
        address = first_line(opened, making)
        page = chromium.new_page(locale="en-GB", reduced_motion="reduce")
        page.goto(address)
        page.get_by_role("button", name="Play against bots").click()
        expect(page.locator("[data-palace]")).to_have_count(6)
        page.close()
    finally:
        os.killpg(making.pid, signal.SIGINT)
        making.wait()
