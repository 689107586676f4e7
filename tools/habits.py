"""What one network does otherwise than another, in games of two between them.

Run `python tools/habits.py exploiter.bin neural.bin --games 1000`: habits of both, and how they
ended. Both play what they like best, as the bot `neural` does.
"""

import argparse
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from baghdad import Game
from baghdad.arena.statistics import bootstrap
from baghdad.bots import Budget
from baghdad.bots.neural import NeuralBot
from baghdad.bots.playing import moves
from baghdad.bots.weights_file import load_network
from baghdad.rules.actions import ACTIONS, CARRY, END, MOVE, MOVE_NEUTRAL, PASS, SMUGGLE

MAX_TURNS = 400
KINDS = {SMUGGLE: "smuggles", MOVE: "guards moved", CARRY: "guards moved with a thief",
         MOVE_NEUTRAL: "neutral guards moved"}  # fmt: skip


class Habits:
    """What one of them has done in all games."""

    def __init__(self) -> None:
        self.counts = defaultdict[str, int](int)
        self.turns = 0

    def note(self, game: Game, seat: int, action: int) -> None:
        """After the action is played."""
        meaning, counts = ACTIONS[action], self.counts
        if meaning.kind in KINDS:
            counts[KINDS[meaning.kind]] += 1
            counts["cards paid"] += meaning.pays + meaning.pays_to
            counts["dancers paid"] += meaning.pays_dancers
        elif meaning.kind in (PASS, END):
            self.turns += 1
            counts["passes for cards"] += meaning.kind == PASS and not meaning.takes_dancer
            counts["passes for a dancer"] += meaning.takes_dancer
            counts["cards held after it"] += game.view(seat).hand_sizes[seat]
            counts["thieves at home after it"] += int(game.state.stock[seat])


def play(bots: Sequence[NeuralBot], deal: int, first: int, habits: Sequence[Habits]) -> bool:
    """Whether the first of the two wins; `first` is its seat."""
    game, seed = Game(2, seed=f"habits {deal}"), f"habits {deal}"
    seats = [bots[first], bots[1 - first]]
    for seat, action in moves(game, seats, seed, Budget(), MAX_TURNS):
        habits[seat ^ first].note(game, seat, action)
    return game.winner == first


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", nargs=2, type=Path)
    parser.add_argument("--games", type=int, default=1000)
    options = parser.parse_args()
    bots = [NeuralBot(load_network(path)) for path in options.weights]
    habits = [Habits(), Habits()]
    shares = [
        sum(play(bots, deal, first, habits) for first in (0, 1)) / 2
        for deal in range(options.games // 2)
    ]
    share = bootstrap(shares)
    print(f"the first wins {share.value:.1%} ({share.low:.1%} … {share.high:.1%})")
    print("of a turn:")
    for name in dict.fromkeys(name for each in habits for name in each.counts):
        one, other = (each.counts[name] / each.turns for each in habits)
        print(f"{name:<28}{one:8.3f}{other:8.3f}")


if __name__ == "__main__":
    main()
