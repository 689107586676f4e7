"""Positions of every kind of moment, out of random games."""

from collections.abc import Iterator
from random import Random

import numpy as np

from baghdad import CHANCE, Game, Options
from baghdad.bots import Budget
from baghdad.envs.batch import STATE_WORDS, apply_actions, observe_states
from baghdad.envs.vector import new_rngs, start_states
from baghdad.rules.engine.material import OVER
from baghdad.rules.engine.state import STATE, States

from .tables import new_game, thieving

FEW = Budget(simulations=40)
TABLES = [
    Options(2),
    Options(2, "neutral", deal=(6, 8)),
    Options(3, rob="smuggle"),
    Options(3, spare="chosen"),
    Options(4, hands="seen"),
    Options(4, "neutral"),
]


def moments(games: int = 30, steps: int = 60) -> States:
    """While guards are placed and hands dealt, before and after draws, in the middle of turns."""
    words = start_states(TABLES).view(np.int32).reshape(-1, STATE_WORDS)
    words = words[np.arange(games) % len(words)]
    rngs, chance = new_rngs("moments", games), np.random.default_rng(1)
    found = []
    for _ in range(steps):
        found.append(words.copy())
        apply_actions(words, np.full(games, -1), rngs)
        found.append(words.copy())
        _, masks = observe_states(words)
        actions = (chance.random(masks.shape) * masks).argmax(1)
        over = words.view(STATE)[:, 0]["phase"] == OVER
        apply_actions(words, np.where(over, -1, actions), None)
    states: States = np.concatenate(found).view(STATE)[:, 0]
    return states


def decisions(options: Options, seed: int, steps: int, every: int) -> Iterator[Game]:
    """Positions of a game in which a seat decides."""
    random, game = Random(seed), new_game(options)
    for step in range(steps):
        if game.over:
            return
        if game.to_move == CHANCE:
            game.deal(random.randrange(1 << 30))
            continue
        if step % every == 0:
            yield game.copy()
        game.play(thieving(game.legal_tokens(), random))
