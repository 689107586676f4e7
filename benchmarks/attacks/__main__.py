"""Attacks a server of its own as a hostile visitor would, and measures what the others feel.

Run `python -m benchmarks.attacks [NAME …] [--list] [--json] [--quick] [--before CHECKOUT]` (Linux,
two cores). Attacks that need bots, a limit or a restart of their own meet a `baghdad serve` of
their own with SQLite in a new folder, the others share one, each from a new address. All of it
stays on this machine and is bounded in bytes, requests and seconds. Exits with 1 where a goal is
missed.
"""

import argparse
import json
import signal
import sys
from pathlib import Path

from baghdad.machine import describe_machine

from . import bots, clock, connections, floods, frames, headers, page, records, restart, tables
from .attack import Attack
from .measure import Cores, Measuring
from .report import as_data, cells, show, table
from .server import ROOT

MODULES = (headers, frames, records, bots, connections, tables, restart, page, clock, floods)
ATTACKS: dict[str, type[Attack]] = {
    kind.name: kind
    for module in MODULES
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Attack) and kind.__module__ == module.__name__
    if hasattr(kind, "name")
}


def group(kind: type[Attack]) -> tuple[bool, str]:
    return kind.alone, kind.database


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attacks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="of attacks; all unless told")
    parser.add_argument("--list", action="store_true", help="the attacks there are")
    parser.add_argument("--json", action="store_true", help="one object per attack and line")
    parser.add_argument("--quick", action="store_true", help="half as long, for a first look")
    parser.add_argument("--before", type=Path, metavar="CHECKOUT", help="attack that code instead")
    options = parser.parse_args()
    if options.list:
        for name, kind in ATTACKS.items():
            print(f"{name:<16} {kind.what}")
        return 0
    if unknown := set(options.names) - set(ATTACKS):
        parser.error(f"no such attack: {', '.join(sorted(unknown))}; see --list")
    source = (options.before or ROOT).resolve() / "src"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # no server is left behind
    cores, rows, missed = Cores(), [], []
    measuring = Measuring(source, cores)
    # Those that share a server come one after another.
    for name in sorted(options.names or ATTACKS, key=lambda name: group(ATTACKS[name])):
        attack = ATTACKS[name](options.quick)
        outcome = measuring.run(attack)
        checks = list(attack.checks(outcome))
        rows.append(cells(attack, outcome, checks))
        if options.json:
            print(json.dumps(as_data(attack, outcome, checks)), flush=True)
        else:
            show(attack, outcome, checks)
        if not all(check.met for check in checks):
            missed.append(name)
    measuring.close()
    if not options.json:
        print(f"\n{describe_machine()}; {cores}\n\n{table(rows)}")
        print(f"\nMissed: {', '.join(missed)}" if missed else "\nAll goals are met.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
