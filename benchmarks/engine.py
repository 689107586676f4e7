"""Compares the engine's random play with the same games in plain C, and with OpenSpiel.

Run `python benchmarks/engine.py [--players N] [--rounds N] [--seconds S] [--json]`; a C compiler
and a network connection, for OpenSpiel's first installation, are used where there are any.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, TypeAlias

from baghdad.bench import on_cpu, random_game, start_up
from baghdad.cli.progress import progress
from baghdad.machine import describe_machine
from baghdad.rules.engine.simulate import random_steps
from baghdad.rules.engine.state import State

HERE = Path(__file__).parent
OPEN_SPIEL = "open_spiel==2.0.2"
OPEN_SPIEL_HOME = HERE.parent / ".venv-openspiel"
OURS, SPIEL = "Baghdad", "OpenSpiel, hearts"
ONE_THREAD, TWO_THREADS = "Baghdad, 1 thread", "Baghdad, 2 threads"
C_PROGRAMS = {
    "C, list, -O2": ("-O2",),
    "C, rows, -O2": ("-O2", "-DROWS"),
    "C, list, -O3 -march=native": ("-O3", "-march=native"),
    "C, rows, -O3 -march=native": ("-O3", "-march=native", "-DROWS"),
}
SUMMED = ("guards", "thieves", "chests", "hands", "deck", "discard", "dancers", "stock", "loot")
CHECKED_STEPS = 100_000


class Run(NamedTuple):
    """What a loop of random steps reports; a checksum only where the game is Baghdad."""

    steps: int
    games: int
    seconds: float
    checksum: str = ""

    @property
    def rate(self) -> float:
        return self.steps / self.seconds


Player: TypeAlias = Callable[[int], float]
"""Plays one round, whose number it is given, and returns how many steps a second it made."""


def note(text: str) -> None:
    print(text, file=sys.stderr)


def checksum(state: State) -> str:
    """FNV-1a over the counts of a position, as plain.c reckons it."""
    value = 0xCBF29CE484222325
    for byte in b"".join(getattr(state, field).tobytes() for field in SUMMED):
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


def in_python(players: int, steps: int, stream: int) -> Run:
    states, start, rng, rows = random_game(players, stream)
    began = time.perf_counter()
    games = random_steps(states, start, rng, rows, steps)
    return Run(steps, games, time.perf_counter() - began, checksum(states[0]))


def in_c(program: Path, players: int, steps: int, stream: int) -> Run:
    rng = random_game(players, stream)[2]
    return run(str(program), str(players), str(steps), *map(str, rng.tolist()))


def run(*command: str) -> Run:
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Run(**json.loads(done.stdout))


def compile_c(folder: Path) -> dict[str, Path]:
    """The programs of plain.c that a compiler here can make, by name."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        note("No C compiler: going on without C.")
        return {}
    programs = {}
    for number, (name, flags) in enumerate(C_PROGRAMS.items()):
        program = folder / f"plain{number}"
        command = [compiler, "-std=c99", *flags, "-o", str(program), str(HERE / "plain.c")]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode == 0:
            programs[name] = program
        else:
            note(f"{name} does not compile: going on without.\n{done.stderr}")
    return programs


def check(programs: dict[str, Path], steps: int) -> None:
    """Stop unless C plays the very same games as the engine."""
    for players in (2, 3, 4):
        ours = in_python(players, steps, players)
        for name, program in programs.items():
            theirs = in_c(program, players, steps, players)
            if (ours.games, ours.checksum) != (theirs.games, theirs.checksum):
                raise SystemExit(f"{name} plays other games:\n  {ours}\n  {theirs}")


def open_spiel_python() -> Path | None:
    """The interpreter of an environment with OpenSpiel, made on first use."""
    python = OPEN_SPIEL_HOME / ("Scripts" if os.name == "nt" else "bin") / "python"
    try:
        if not OPEN_SPIEL_HOME.exists():
            note(f"Installing {OPEN_SPIEL} into {OPEN_SPIEL_HOME.name}.")
            venv.create(OPEN_SPIEL_HOME, with_pip=True)
        install = [str(python), "-m", "pip", "install", "--quiet", OPEN_SPIEL]
        subprocess.run(install, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        note(f"No OpenSpiel: going on without.\n{getattr(error, 'stderr', None) or error}")
        return None
    return python


def contenders(programs: dict[str, Path], players: int, seconds: float) -> dict[str, Player]:
    """Who plays in each round, in this order."""
    in_python(players, 1, 0)  # compiles
    steps = int(on_cpu(players, 1, seconds)["steps_per_second"] * seconds)

    def threads(count: int) -> Player:
        return lambda _: float(on_cpu(players, count, seconds)["steps_per_second"])

    def c(program: Path) -> Player:
        return lambda number: in_c(program, players, steps, number).rate

    who: dict[str, Player] = {OURS: lambda number: in_python(players, steps, number).rate}
    who |= {name: c(program) for name, program in programs.items()}
    if python := open_spiel_python():
        hearts = str(python), str(HERE / "hearts.py"), str(seconds)
        who[SPIEL] = lambda number: run(*hearts, str(1 + number)).rate
    return who | {ONE_THREAD: threads(1), TWO_THREADS: threads(2)}


def spread(ratios: list[float]) -> dict[str, float]:
    return {"median": median(ratios), "min": min(ratios), "max": max(ratios)}


def compare(rates: dict[str, list[float]]) -> dict[str, Any]:
    """Medians of the rates, and of the ratios of rates within one round."""

    def ratio(over: str, under: str) -> dict[str, float]:
        return spread([a / b for a, b in zip(rates[over], rates[under], strict=True)])

    others = [name for name in rates if name not in (OURS, ONE_THREAD, TWO_THREADS)]
    return {
        "steps_per_second": {name: median(rate) for name, rate in rates.items()},
        "ours_to": {name: ratio(OURS, name) for name in others},
        "two_threads_to_one": ratio(TWO_THREADS, ONE_THREAD),
    }


def measure(players: int, rounds: int, seconds: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        programs = compile_c(Path(folder))
        check(programs, CHECKED_STEPS)
        who = contenders(programs, players, seconds)
        rates: dict[str, list[float]] = {name: [] for name in who}
        for number in progress(range(rounds), rounds, "Rounds"):
            for name, player in who.items():
                rates[name].append(player(number))
    report: dict[str, Any] = {"players": players, "rounds": rounds, "seconds": seconds}
    return report | compare(rates) | {"start_up": start_up(), "machine": describe_machine()}


def show(report: dict[str, Any]) -> None:
    print(f"{report['machine']}\n")
    print(f"{report['players']} players, medians of {report['rounds']} rounds")
    print(f"{'':<28}{'steps a second':>14}  Baghdad to it (from, to)")
    ratios = report["ours_to"] | {TWO_THREADS: report["two_threads_to_one"]}
    for name, rate in report["steps_per_second"].items():
        print(f"{name:<28}{rate:>14,.0f}", end="")
        if name in ratios:
            print("  {median:.2f} ({min:.2f}, {max:.2f})".format(**ratios[name]), end="")
        print("  to 1 thread" if name == TWO_THREADS else "")
    print()
    for name, value in report["start_up"].items():
        print(f"{name.replace('_', ' '):<28}{value!s:>14}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each in each round")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = measure(options.players, options.rounds, options.seconds)
    if options.json:
        print(json.dumps(report))
    else:
        show(report)


if __name__ == "__main__":
    main()
