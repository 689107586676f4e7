"""Which of two networks is stronger, and what it does otherwise.

Run `python tools/habits.py exploiter.bin neural.bin --players 2 --games 1000`: the first sits alone
against copies of the other, in all seats of every deal. Both play what they like best, as the bot
`neural` does.
"""

import argparse
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from baghdad import Game
from baghdad.arena.statistics import bootstrap
from baghdad.bots import Budget
from baghdad.bots.neural.bot import NeuralBot
from baghdad.bots.neural.weights_file import load_network
from baghdad.bots.playing import MAX_TURNS, moves
from baghdad.rules.engine.actions import (
    ACTIONS,
    CARRY,
    END,
    MOVE,
    MOVE_NEUTRAL,
    NAME,
    PASS,
    SMUGGLE,
)

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
        elif meaning.kind in (PASS, NAME, END):
            self.turns += 1
            counts["passes for cards"] += meaning.kind != END and not meaning.takes_dancer
            counts["passes for a dancer"] += meaning.takes_dancer
            counts["cards held after it"] += game.view(seat).hand_sizes[seat]
            counts["thieves at home after it"] += int(game.state.stock[seat])


def play(
    bots: Sequence[NeuralBot], players: int, deal: int, alone: int, habits: Sequence[Habits]
) -> bool:
    """Whether the first of the two wins, in the seat `alone`."""
    game = Game(players, seed=f"habits {deal}")
    seats = [bots[seat != alone] for seat in range(players)]
    for seat, action in moves(game, seats, f"habits {deal}", Budget(), MAX_TURNS):
        habits[seat != alone].note(game, seat, action)
    return game.winner == alone


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", nargs=2, type=Path)
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--games", type=int, default=1000)
    options = parser.parse_args()
    bots = [NeuralBot(load_network(path)) for path in options.weights]
    habits, players = (Habits(), Habits()), options.players
    shares = [
        sum(play(bots, players, deal, alone, habits) for alone in range(players)) / players
        for deal in range(-(-options.games // players))
    ]
    share = bootstrap(shares)
    told = f"{share.value:.1%} ({share.low:.1%} … {share.high:.1%})"
    print(f"the first wins {told} of {len(shares) * players} games, players {players}")
    print("of a turn:")
    for name in dict.fromkeys(name for each in habits for name in each.counts):
        one, other = (each.counts[name] / each.turns for each in habits)
        print(f"{name:<28}{one:8.3f}{other:8.3f}")


if __name__ == "__main__":
    main()
