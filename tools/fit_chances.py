"""Fits how a position's worth tells the winner, for `bots.heuristic.win_probability`.

Run `python tools/fit_chances.py`. The heuristic plays against itself. When a turn begins, the
winner is taken to be drawn by a softmax over the seats of steepness times worth, plus a tempo for
the seat whose turn it is; both are fitted by maximum likelihood, every game weighing the same.
"""

import argparse
import json
from typing import Any

import numpy as np
import numpy.typing as npt

from baghdad.bots.heuristic.beam import new_beam, play_turn
from baghdad.bots.heuristic.bot import PATIENCE, WIDTH
from baghdad.bots.heuristic.evaluation import EvalParams, make_value_table, worth_to
from baghdad.bots.playing import MAX_TURNS
from baghdad.rules.engine.dealer import awaits_chance, deal_all, new_rng
from baghdad.rules.engine.material import OVER, TURN
from baghdad.rules.options import Options
from baghdad.rules.setup import new_states

STEPS = 20
"""Of Newton's method; the likelihood is concave, and ten are enough."""

Floats = npt.NDArray[Any]


def positions(players: int, number: int) -> tuple[Floats, int]:
    """[turn, seat, 2]: worth of every seat and whether it is its turn; and the winner, or -1."""
    state, rng = new_states(Options(players))[0], new_rng("fit", number)
    table, beam, rows = make_value_table(EvalParams()), new_beam(), []
    while state.phase != OVER and state.turn < MAX_TURNS:
        if awaits_chance(state):
            deal_all(state, rng)
            if state.phase == TURN:
                seats = range(players)
                rows.append([(worth_to(state, seat, table), state.seat == seat) for seat in seats])
        else:
            play_turn(state, table, WIDTH, PATIENCE, beam)
    return np.array(rows, np.float64), int(state.winner)


def fit(features: Floats, winners: Floats, weights: Floats) -> Floats:
    """Steepness and tempo of the greatest likelihood. `features` [position, seat, 2]."""
    best = np.zeros(2)
    for _ in range(STEPS):
        odds = np.exp(features @ best)
        chances = odds / odds.sum(axis=1, keepdims=True)
        mean = np.einsum("ns,nsf->nf", chances, features)
        slope = weights @ (features[np.arange(len(winners)), winners] - mean)
        apart = features - mean[:, None]
        curvature = np.einsum("n,ns,nsf,nsg->fg", weights, chances, apart, apart)
        best = best + np.linalg.solve(curvature, slope)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1500, help="for each number of players")
    options = parser.parse_args()
    for players in (2, 3, 4):
        features, winners, weights = [], [], []
        for number in range(options.games):
            rows, winner = positions(players, number)
            if winner < 0:
                continue
            features.append(rows - rows[:, :1] * [1.0, 0.0])
            winners.append(np.full(len(rows), winner))
            weights.append(np.full(len(rows), 1 / len(rows)))
        steepness, tempo = fit(*map(np.concatenate, (features, winners, weights)))
        told = {"players": players, "games": len(winners)}
        print(json.dumps(told | {"steepness": round(steepness, 2), "tempo": round(tempo, 2)}))


if __name__ == "__main__":
    main()
