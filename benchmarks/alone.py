"""Whole games against every opponent on a phone without a network, and how long each has thought.

    python benchmarks/alone.py                              all twelve, one game each
    python benchmarks/alone.py --levels duban --slow 4      with a processor a quarter as fast

Chromium gets the page as `baghdad export-site` writes it, keeps it, and plays without its host. The
person only ends turns, so every opponent wins in the end. `Emulation.setCPUThrottlingRate`, which
browsers' own tools have, slows the page but not its workers: here the process with all of them is
stopped for a part of the time.
"""

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from playwright.sync_api import Browser, Page, sync_playwright

from baghdad.alone.page import write_site
from baghdad.bots.levels import LEVELS
from baghdad.machine import describe_machine
from web.conftest import CHROMIUMS, QUIET, SETTINGS, build_page
from web.playing import play_now, quicken, state
from web.test_bots_here import INSTEAD, PHONE, pass_on

RUNS = 0.01
"""Seconds that a slowed process runs at a time."""
GOAL = 1500
THOUGHTS = """() => {
  window.thoughts = []
  const Plain = Worker
  window.Worker = class extends Plain {
    postMessage(message, ...more) {
      if (message.type === 'think') {
        const began = performance.now()
        const heard = () => {
          this.removeEventListener('message', heard)
          window.thoughts.push(performance.now() - began)
        }
        this.addEventListener('message', heard)
      }
      super.postMessage(message, ...more)
    }
  }
}"""
"""Milliseconds from each question to a bot to its answer."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slow", type=float, default=1.0)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--levels", nargs="+", default=list(LEVELS), choices=LEVELS)
    chosen = parser.parse_args()
    print(f"{describe_machine()}; {chosen.slow:g} times slower")
    with sync_playwright() as playwright, served() as (address, stop):
        found = next((path for path in CHROMIUMS if Path(path).exists()), None)
        browser = playwright.chromium.launch(executable_path=found, args=list(QUIET))
        page = phone(browser, address)
        stop()
        every: list[float] = []
        for level in chosen.levels:
            turns, took, replaced = play(browser, page, level, chosen.players, chosen.slow)
            every += took
            print(f"{level:<14} {turns} own turns; {told(took)}; {replaced} replaced", flush=True)
        print(f"all: {told(every)}")
        browser.close()


@contextmanager
def served() -> Iterator[tuple[str, Callable[[], None]]]:
    """A static host, and how it is stopped."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    build_page()
    with TemporaryDirectory() as folder:
        write_site(Path(folder) / "baghdad")
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
        Thread(target=server.serve_forever).start()

        def stop() -> None:
            server.shutdown()
            server.server_close()

        yield f"http://127.0.0.1:{server.server_port}/baghdad/", stop


def phone(browser: Browser, address: str) -> Page:
    """A phone that has kept the page."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", **PHONE)
    context.add_init_script(f"localStorage['baghdad-settings'] ??= {SETTINGS!r}")
    context.add_init_script(f"({THOUGHTS})()")
    context.set_default_timeout(120_000)
    page = context.new_page()
    page.goto(address)
    page.get_by_text("This device has kept the page").wait_for()
    return page


def play(
    browser: Browser, page: Page, level: str, players: int, slow: float
) -> tuple[int, list[float], int]:
    """A game; returns the person's turns, the milliseconds of each decision, and how many of them
    were replaced."""
    page.goto(f"{page.url.partition('#')[0]}#/")
    page.reload()
    quicken(page)
    turns = 0
    with slowed(browser, slow):
        play_now(page, players, level.capitalize())
        while state(page) == "mine":
            pass_on(page)
            turns += 1
    took: list[float] = page.evaluate("thoughts")
    replaced: int = page.evaluate(
        "said => document.body.textContent.split(said).length - 1", INSTEAD
    )
    return turns, took, replaced


@contextmanager
def slowed(browser: Browser, times: float) -> Iterator[None]:
    """The processes that show pages run for one part of the time in so many."""
    info = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    processes = [each["id"] for each in info["processInfo"] if each["type"] == "renderer"]
    over = Event()

    def alternate() -> None:
        while times > 1 and not over.is_set():
            for wanted, seconds in ((signal.SIGSTOP, RUNS * (times - 1)), (signal.SIGCONT, RUNS)):
                for process in processes:
                    os.kill(process, wanted)
                time.sleep(seconds)

    thread = Thread(target=alternate)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def told(took: list[float]) -> str:
    half, most, longest = np.quantile(took, (0.5, 0.95, 1.0))
    within = 100 * float(np.mean(np.array(took) <= GOAL))
    return (
        f"{len(took)} decisions, median {half:.0f} ms, 95 % within {most:.0f} ms, "
        f"longest {longest:.0f} ms, {within:.1f} % within {GOAL} ms"
    )


if __name__ == "__main__":
    main()
