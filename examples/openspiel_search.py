"""OpenSpiel's own searches against a player that plays at random, with the speed of each.

Needs `pip install 'baghdad[openspiel]'`. Run `python examples/openspiel_search.py`.
"""

import argparse
import time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.bots import uniform_random

from baghdad.envs.openspiel import NAME

EXPLORATION = 2.0
ROLLOUT_STEPS = 60
"""A rollout is cut here, and worth nothing then unless somebody has won."""


def search(kind: str, game: Any, simulations: int, seed: Any) -> Any:
    rollouts = mcts.RandomRolloutEvaluator(1, seed, max_length=ROLLOUT_STEPS)
    if kind == "MCTS":  # it sees all cards
        return mcts.MCTSBot(game, EXPLORATION, simulations, rollouts, random_state=seed)
    return ismcts.ISMCTSBot(game, rollouts, EXPLORATION, simulations, random_state=seed)


def decisions(kind: str, game: Any, simulations: int, seed: Any) -> tuple[int, float]:
    """Plays a game against chance; returns how often the search decided, and how long it took."""
    bots = [search(kind, game, simulations, seed), uniform_random.UniformRandomBot(1, seed)]
    state, decided, took = game.new_initial_state(), 0, 0.0
    while not state.is_terminal():
        if state.is_chance_node():
            cards, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(seed.choice(cards, p=odds)))
            continue
        player = state.current_player()
        began = time.perf_counter()
        state.apply_action(int(bots[player].step(state)))
        if player == 0:
            decided += 1
            took += time.perf_counter() - began
    return decided, took


def learners_steps(game: Any, games: int, seed: Any) -> tuple[int, float]:
    """Plays at random in OpenSpiel's environment for learners; returns steps and seconds."""
    env, steps, began = rl_environment.Environment(game), 0, time.perf_counter()
    for _ in range(games):
        now = env.reset()
        while not now.last():
            player = now.observations["current_player"]
            now = env.step([seed.choice(now.observations["legal_actions"][player])])
            steps += 1
    return steps, time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument("--turns", type=int, default=20, help="in a game")
    options = parser.parse_args()
    game = pyspiel.load_game(NAME, {"max_turns": options.turns})
    seed = np.random.RandomState(1)
    for kind in ("ISMCTS", "MCTS"):
        count, took = decisions(kind, game, options.simulations, seed)
        rate = count * options.simulations / took
        print(f"{kind}: {count} decisions, {rate:,.0f} simulations a second")
    steps, took = learners_steps(game, 3, seed)
    print(f"rl_environment: {steps / took:,.0f} steps a second")


if __name__ == "__main__":
    main()
