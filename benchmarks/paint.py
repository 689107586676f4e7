"""How soon the start page can be used: a cold load from a local server, in a real browser.

python -m benchmarks.paint                 # needs the built page (make web) and Chromium
python -m benchmarks.paint --rounds 30
python -m benchmarks.paint --before CHECKOUT   # an earlier one, its page built: in turn with ours

Every load has a browser of its own with an empty profile, and finds nothing in any cache. Told are
the browser's own first contentful paint, and when the button that begins a game can be pressed: it
is on the page, and the frame that shows it has been drawn. Both count from the navigation.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Playwright, sync_playwright

from baghdad.machine import describe_machine

from .replay import CHROMIUMS, QUIET

HERE = Path(__file__).parents[1]
SCREENS = {"desk": (1920, 1080), "phone": (360, 740)}
GOAL = 1000.0
WATCH = """
const look = () => {
  if (!document.querySelector('button.go')) return requestAnimationFrame(look)
  requestAnimationFrame(() => setTimeout(() => (window.usable = performance.now())))
}
requestAnimationFrame(look)
"""
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


@contextmanager
def served(checkout: Path) -> Iterator[str]:
    """The address of a checkout's `baghdad serve`, which runs as long as somebody needs it."""
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen(
            [
                *(sys.executable, "-m", "baghdad", "--lang", "en", "serve"),
                "--port=0",
                f"--data={data}",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | {"PYTHONPATH": str(checkout / "src")},
        )
        try:
            assert server.stdout is not None, "it was piped"
            yield next(word for word in server.stdout.readline().split() if "://" in word)
        finally:
            server.terminate()
            server.wait()


def load(playwright: Playwright, address: str, width: int, height: int) -> tuple[float, float]:
    """Milliseconds to the first paint, and until a game can be begun."""
    found = next((path for path in CHROMIUMS if Path(path).exists()), None)
    browser = playwright.chromium.launch(executable_path=found, args=list(QUIET))
    page = browser.new_page(viewport={"width": width, "height": height}, locale="en-GB")
    page.add_init_script(WATCH)
    page.goto(address)
    usable = page.wait_for_function("() => window.usable").json_value()
    painted = page.wait_for_function(PAINTED).json_value()
    browser.close()
    return painted, max(painted, usable)


def summary(times: list[float]) -> dict[str, float]:
    return {"median": round(statistics.median(times)), "max": round(max(times))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--before", type=Path, metavar="CHECKOUT")
    options = parser.parse_args()
    checkouts = {"now": HERE} | ({"before": options.before.resolve()} if options.before else {})
    with ExitStack() as stack:
        addresses = {
            name: stack.enter_context(served(checkout)) for name, checkout in checkouts.items()
        }
        playwright = stack.enter_context(sync_playwright())
        for screen, (width, height) in SCREENS.items():
            loads: dict[str, list[tuple[float, float]]] = {name: [] for name in addresses}
            for _ in range(options.rounds):
                for name, address in addresses.items():
                    loads[name].append(load(playwright, address, width, height))
            for name, times in loads.items():
                painted, usable = zip(*times, strict=True)
                line = {
                    "page": name,
                    "screen": screen,
                    "loads": options.rounds,
                    "first_paint_ms": summary(list(painted)),
                    "usable_ms": summary(list(usable)),
                    "under_a_second": sum(each < GOAL for each in usable),
                }
                print(json.dumps(line), flush=True)
    print(json.dumps(describe_machine()))


if __name__ == "__main__":
    main()
