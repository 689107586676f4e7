"""Plays the same random games natively, in Node and in Chromium, and compares: states and speed.

    python -m benchmarks.wasm.steps                         a hundred million steps in each
    python -m benchmarks.wasm.steps --steps 1000000

The steps are spread over all options and numbers of players. Along the way state and generator must
be the same bytes; where they are not it ends with 1 and says at which table.
"""

import argparse
import json
import time
from base64 import b64encode
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from baghdad.cli.progress import progress
from baghdad.machine import describe_machine
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.legality import empty_rows
from baghdad.rules.engine.material import BALANCED, HANDS, ROBS, SPARES, VARIANTS
from baghdad.rules.engine.simulate import random_steps
from baghdad.rules.options import Options
from baghdad.rules.setup import new_states
from baghdad.wasm.module import MODULE

from .engines import Run, all_engines

PROGRAM = (Path(__file__).parent / "steps.js").read_text("utf-8")

EVERY_TABLE = [
    Options(players, variant, rob, hands, spare, BALANCED[players] if balanced else ())
    for players, variant, rob, hands, spare, balanced in product(
        (2, 3, 4), VARIANTS, ROBS, HANDS, SPARES, (False, True)
    )
]
TICK = 1e-4
"""Seconds: of a browser's clock."""
LOOKS = 10
"""At state and generator, in each part: the speed of a part is one figure."""


class Played(NamedTuple):
    """What somebody has made of the steps."""

    games: int
    seconds: list[float]
    """That each part took. The shortest tells the speed: what else runs only makes one slower."""
    seen: list[str]
    """State and generator at each look, as hexadecimal bytes."""


def natively(options: Options, parts: int, steps: int) -> Played:
    """So many parts, with so many steps up to each look."""
    start, rng, rows = new_states(options), new_rng(str(options)), empty_rows()
    states, games, seconds, seen = start.copy(), 0, [], []
    random_steps(states.copy(), start, rng.copy(), rows, 20_000)
    for _ in range(parts):
        began = time.perf_counter()
        for _ in range(LOOKS):
            games += random_steps(states, start, rng, rows, steps)
            seen.append(states.tobytes() + rng.tobytes())
        seconds.append(time.perf_counter() - began)
    return Played(games, seconds, [each.hex() for each in seen])


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
    return {
        "module": module,
        "start": start,
        "rng": rng,
        "parts": parts,
        "looks": LOOKS,
        "steps": steps,
    }


def in_module(run: Run, options: Options, parts: int, steps: int) -> Played:
    """The same in the module, wherever it runs."""
    return Played(**run(PROGRAM, given(options, parts, steps)))


def measure(steps: int, parts: int) -> dict[str, Any]:
    each = -(-steps // (len(EVERY_TABLE) * parts * LOOKS))
    rates: dict[str, list[float]] = {}
    games = 0
    with all_engines() as engines:
        for options in progress(EVERY_TABLE, len(EVERY_TABLE), "Tables"):
            played = {"native": natively(options, parts, each)}
            for name, run in engines.items():
                played[name] = in_module(run, options, parts, each)
            for name, theirs in played.items():
                if (theirs.games, theirs.seen) != (played["native"].games, played["native"].seen):
                    raise SystemExit(f"{name} plays other games: {options}")
                rates.setdefault(name, []).append(LOOKS * each / max(min(theirs.seconds), TICK))
            games += played["native"].games
    return {
        "machine": describe_machine(),
        "steps": each * LOOKS * parts * len(EVERY_TABLE),
        "tables": len(EVERY_TABLE),
        "games": games,
        "compared": LOOKS * parts * len(EVERY_TABLE),
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
    parser.add_argument("--parts", type=int, default=20, help="a table; its fastest one counts")
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
    print(f"the same states in {report['compared']:,} places\n")
    print(f"{'':<10}{'steps a second':>14}  to native (from, to)")
    for name, rate in report["steps_per_second"].items():
        ratio = "{median:.2f} ({min:.2f}, {max:.2f})".format(**report["to_native"][name])
        print(f"{name:<10}{rate:>14,.0f}  {ratio}")


if __name__ == "__main__":
    main()
