"""How strong a bot is with how much to think: alone against copies of another, at many budgets.

Run `python benchmarks/strength.py --jobs 16 2:1s:64 3:1s:60 2:300:120`. Each run is a number of
players, a budget (simulations, or seconds with an `s`) and a number of games, or which of them,
such as 64-128. Every deal is played in all seats; intervals are 95 %, over deals. Prints a line of
JSON for each run: the summary that `baghdad arena --json` prints, and what decisions took.

Long runs: with `-o FOLDER` every deal is kept when it is over, in a result file of the arena for
each run, and what is there already is not played again. Files of several machines can be added up,
packed ones (.xz), too: `--sum FILE FILE.xz`.

`python benchmarks/strength.py --plot docs/strength.jsonl > docs/strength.svg` draws such lines.
"""

import argparse
import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from baghdad import Options, arena
from baghdad.arena.plots import WIDTH, curve, line, picture, scale, text, upright
from baghdad.bots import Budget
from baghdad.cli.progress import bar

Run: TypeAlias = tuple[int, str, range]
"""Players, budget, games."""
HEIGHT, LEFT = 300, 50
"""Of the plot, and where its lines begin."""


def read_budget(text: str) -> Budget:
    return Budget(seconds=float(text[:-1])) if text.endswith("s") else Budget(simulations=int(text))


def read_run(text: str) -> Run:
    players, budget, games = text.split(":")
    read_budget(budget)
    first, dash, last = games.rpartition("-")
    return int(players), budget, range(int(first) if dash else 0, int(last))


def play(bots: Sequence[str], run: Run, jobs: int, folder: Path | None) -> arena.Outcome:
    """Play a run."""
    players, budget, games = run
    match = arena.Match(
        tuple(bots), Options(players), "strength", read_budget(budget), first_alone=True, timed=True
    )
    deals = range(1 + games.start // players, 1 - (-games.stop // players))
    output = None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        output = folder / f"{'-'.join(bots)}-{players}-{budget}.jsonl"
    with bar(len(deals), f"{' '.join(bots)} {players}:{budget}") as shown:
        return arena.run(
            match,
            deals=deals,
            jobs=jobs,
            output=output,
            progress=lambda _, done, __: shown.update(done - shown.n),
        )


def measure(bots: Sequence[str], run: Run, jobs: int, folder: Path | None) -> bool:
    """Play a run and print what it has shown; returns whether it was not interrupted."""
    outcome = play(bots, run, jobs, folder)
    if outcome.results.deals:
        report(outcome.results, outcome.about)
    return not outcome.interrupted


def report(results: arena.Results, about: dict[str, Any]) -> None:
    """Print a summary."""
    print(json.dumps(summary(results, about)), flush=True)


def summary(results: arena.Results, about: dict[str, Any]) -> dict[str, Any]:
    """What a match has shown, with the fingerprint of those who played."""
    return arena.summarize(results) | {"players": results.players} | about


def add_up(files: Iterable[Path]) -> None:
    """A summary of each match; a deal that was played twice counts once."""
    matches: dict[str, arena.Results] = {}
    machines: dict[str, set[str]] = {}
    for file in files:
        found = arena.read_results(file)
        key = json.dumps([found.match.as_json(), found.players])
        matches.setdefault(key, found).deals.update(found.deals | matches[key].deals)
        machines.setdefault(key, set()).add(found.about["machine"])
    for key, results in sorted(matches.items()):
        report(results, {"machine": "; ".join(sorted(machines[key]))})


def plot(runs: Sequence[dict[str, Any]]) -> str:
    """Share of wins against seconds a decision, with intervals, as SVG."""
    points = sorted((run["match"]["budget"]["seconds"], run["pairs"][0]["share"]) for run in runs)
    ends = math.log10(points[0][0]), math.log10(points[-1][0])
    x, y = scale(*ends, LEFT + 20, WIDTH - 20), scale(0.4, 1.0, HEIGHT, 0)
    body = []
    for percent in range(40, 101, 10):
        height, kind = y(percent / 100), "par" if percent == 50 else "axis"
        body.append(line(LEFT, height, WIDTH, height, kind))
        body.append(text(LEFT - 8, height + 4, f"{percent} %", "end"))
    places = [(x(math.log10(seconds)), arena.Interval(*share)) for seconds, share in points]
    body.append(curve([(at, y(share.value)) for at, share in places], 0))
    for (at, share), (seconds, _) in zip(places, points, strict=True):
        body += upright(share, at, y, 0)
        body.append(text(at, HEIGHT + 20, f"{seconds:g} s", "middle"))
    one, rest = runs[0]["match"]["bots"]
    title = f"{one} against {rest}, 2 players: games won, by time for a decision"
    return picture(title, body, HEIGHT + 24)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="*", type=read_run, metavar="PLAYERS:BUDGET:GAMES")
    parser.add_argument("--bots", nargs=2, default=("search", "heuristic"), metavar="BOT")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="keep all games in it")
    parser.add_argument("--sum", nargs="+", type=Path, metavar="FILE", help="add up such files")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the 2-player lines in it")
    options = parser.parse_args()
    if options.plot:
        found = map(json.loads, options.plot.read_text("utf-8").splitlines())
        matches = [run for run in found if run["match"]["options"]["players"] == 2]
        print(plot([run for run in matches if run["match"]["budget"]["seconds"]]), end="")
    elif options.sum:
        add_up(options.sum)
    else:
        for run in options.runs:
            if not measure(options.bots, run, options.jobs, options.output):
                break


if __name__ == "__main__":
    main()
