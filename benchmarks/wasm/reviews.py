"""How long does the page review a game, and does it judge as the library does?

    python -m benchmarks.wasm.reviews
    python -m benchmarks.wasm.reviews --players 2 --games 2 --budgets 2000 8000

Plays games of `kasim`, and has every turn of every seat judged in the module, in Node and Chromium,
one after another in one thread: roughly, as the page's first picture is, then with each budget,
reasons included. It prints how many seconds that takes for a game and, with `--native`, in how many
turns the mark is the one of `baghdad review`, with the same budget and with its own.
"""

import argparse
import hashlib
from collections import Counter
from pathlib import Path
from statistics import mean
from typing import Any

from baghdad import Game
from baghdad.analysis.engine.analyst import JUDGEMENT
from baghdad.analysis.engine.machine import SAMPLES
from baghdad.analysis.judge import DEFAULT_BUDGET, Judge
from baghdad.analysis.marks import MARKS
from baghdad.analysis.reviewing import review_turn
from baghdad.analysis.turns import Turn, turns_of
from baghdad.bots import Budget, make_bot
from baghdad.bots.expert.machine import MAX_ACTIONS
from baghdad.bots.playing import MAX_TURNS, play_to_end
from baghdad.machine import describe_machine
from baghdad.rules.engine.dealer import new_rng

from .engines import ENGINES
from .minds import start, text

PROGRAM = (Path(__file__).parent / "reviews.js").read_text("utf-8")
ROUGH = 100, 24
"""Budget and samples of the first picture, as in `web/src/analysis/reviewing.ts`."""
AS_GOOD = "best", "unclear"
SEED = "review"
LEVEL = "kasim"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--budgets", type=int, nargs="+", default=[1000, 2000])
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--native", action="store_true", help="compare marks with the library's")
    chosen = parser.parse_args()
    print(describe_machine())
    for players in chosen.players:
        turns = [
            turn for number in range(chosen.games) for turn in turns_of_a_game(players, number)
        ]
        print(f"\n{players} players: {len(turns) / chosen.games:.0f} turns a game")
        natively = (
            {budget: native(turns, budget) for budget in (*chosen.budgets, DEFAULT_BUDGET)}
            if chosen.native
            else {}
        )
        for engine in chosen.engines:
            with ENGINES[engine]() as run:
                given: dict[str, Any] = {"start": {**start(), **places()}}
                for budget, samples in [ROUGH, *((each, SAMPLES) for each in chosen.budgets)]:
                    explain = samples == SAMPLES
                    asked = [question(turn, explain) for turn in turns]
                    found = run(
                        PROGRAM, {**given, "turns": asked, "budget": budget, "samples": samples}
                    )
                    given = {}
                    tell(engine, budget, samples, found, natively, chosen.games)


def turns_of_a_game(players: int, number: int) -> list[Turn]:
    """All turns of all seats."""
    bots = [make_bot(LEVEL) for _ in range(players)]
    seed = f"reviews {players} {number}"
    game = play_to_end(Game(players=players, seed=seed), bots, seed, Budget(), MAX_TURNS)
    turns = [turn for seat in range(players) for turn in turns_of(game, seat)]
    return [turn for turn in turns if len(turn.actions) <= MAX_ACTIONS]


def native(turns: list[Turn], budget: int) -> list[str]:
    """The marks of `baghdad review`."""
    judge = Judge(budget=budget)
    return [review_turn(judge, turn, SEED, explain=False).mark for turn in turns]


def question(turn: Turn, explain: bool) -> dict[str, Any]:
    known = hashlib.sha256(bytes(turn.view)).hexdigest()
    return {
        "view": text(bytes(turn.view)),
        "actions": list(turn.actions),
        "rng": text(new_rng(f"{SEED} {known}").tobytes()),
        "why": text(new_rng(f"{SEED} {known} why").tobytes()),
        "explain": explain,
    }


def places() -> dict[str, Any]:
    """Where the parts of a judgement lie, and marks that nothing explains."""
    assert JUDGEMENT.fields
    at = {name: JUDGEMENT.fields[name][1] for name in ("mark", "better", "simulations", "rival")}
    return {"at": at, "marks": [MARKS.index(mark) for mark in AS_GOOD]}


def tell(
    engine: str,
    budget: int,
    samples: int,
    found: list[dict[str, Any]],
    natively: dict[int, list[str]],
    games: int,
) -> None:
    marks = [MARKS[each["mark"]] for each in found]
    seconds, why = (sum(each[part] for each in found) / 1000 / games for part in ("ms", "why"))
    line = f"{engine:<9} budget {budget:>5}, {samples:>3} samples: {seconds + why:6.1f} s a game"
    line += (
        f" ({why:.1f} s of reasons), {mean(each['simulations'] for each in found):.0f} simulations"
    )
    line += f" a turn, longest slice {max(each['longest'] for each in found):.0f} ms,"
    line += f" can't tell {Counter(marks)['unclear'] / len(marks):.0%}"
    for other in dict.fromkeys((budget, DEFAULT_BUDGET)):
        if other in natively:
            same = mean(one == two for one, two in zip(marks, natively[other], strict=True))
            line += f", {same:.1%} as natively with {other}"
    print(line, flush=True)


if __name__ == "__main__":
    main()
