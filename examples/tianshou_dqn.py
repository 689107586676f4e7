"""Teaches Tianshou's deep Q-network to beat a player that plays at random, on the PettingZoo game.

Needs `pip install 'baghdad[envs,train]' 'tianshou>=2'`. Run `python examples/tianshou_dqn.py`.
"""

import argparse
import logging
import time
from typing import Any

import numpy as np
import torch
from pettingzoo.utils.wrappers import BaseWrapper
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step, torch_train_mode

from baghdad.envs.pettingzoo_env import env
from baghdad.rules.engine.observation import FEATURES, HIGH

CHESTS = FEATURES.index("seat : chests taken")
THIEVES = [FEATURES.index(f"palace {palace}: thieves of the observer") for palace in range(1, 7)]
MAX_TURNS = 400
GAMES = 16
"""Played side by side."""
ROUND = 1024
"""Steps between two rounds of learning."""
UPDATES, BATCH = 24, 512
"""In such a round."""
HORIZON = 40
"""Steps, the opponent's too, until the network's own estimate counts. It is an estimate of whatever
position is next, also of one where the opponent is to move: so it had better not count soon."""


class Lessons(BaseWrapper[str, Any, int]):
    """Numbers from 0 to 1, and a little reward on the way: thieves in place, chests taken."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(seed, options)
        self.rewards = dict(self.env.rewards)

    def step(self, action: int | None) -> None:
        agent = self.env.agent_selection
        before = self._progress(agent)
        self.env.step(action)
        self.rewards = dict(self.env.rewards)
        if agent in self.rewards:
            self.rewards[agent] += self._progress(agent) - before

    def last(self, observe: bool = True) -> Any:
        seen, *others = self.env.last(bool(observe))
        row = seen["observation"] / HIGH.astype(np.float32)
        return {"observation": row, "action_mask": seen["action_mask"]}, *others

    def _progress(self, agent: str) -> float:
        """A chest counts as much as the thieves that it takes, and a little more."""
        row = self.env.observe(agent)["observation"]
        return float(0.02 * row[THIEVES].sum() + 0.2 * row[CHESTS])


def make() -> PettingZooEnv:
    return PettingZooEnv(Lessons(env(players=2, max_turns=MAX_TURNS)))


def learner_against_random(game: PettingZooEnv) -> MultiAgentOffPolicyAlgorithm:
    """Seat 1 learns, seat 2 plays anything."""
    network = Net(state_shape=HIGH.shape, action_shape=game.action_space.n, hidden_sizes=[128, 128])
    policy = DiscreteQLearningPolicy(model=network, action_space=game.action_space)
    learner = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=0.97,
        n_step_return_horizon=HORIZON,
        target_update_freq=100,
    )
    at_random = MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=game.action_space)
    return MultiAgentOffPolicyAlgorithm(algorithms=[learner, at_random], env=game)


def wins(algorithm: MultiAgentOffPolicyAlgorithm, games: int) -> float:
    """The share of games that seat 1 wins; one at the limit of turns is not won."""
    game, won = make(), 0
    policy = algorithm.get_algorithm("seat_1").policy
    rng = np.random.default_rng(1)
    for number in range(games):
        game.env.reset(seed=1 + number)
        while True:
            seen, _, terminated, truncated, _ = game.env.last()
            if terminated or truncated:
                break
            mask = seen["action_mask"].astype(bool)
            action = int(rng.choice(np.flatnonzero(mask)))
            if game.env.agent_selection == "seat_1":
                values = policy.model(seen["observation"][None])[0][0].detach().numpy()
                action = int(np.where(mask, values, -np.inf).argmax())
            game.env.step(action)
        won += game.env.unwrapped.rewards["seat_1"] > 0
    return won / games


def learn(algorithm: MultiAgentOffPolicyAlgorithm, steps: int) -> int:
    """Play this number of steps, both seats', and learn from them; returns how many were played."""
    games = DummyVectorEnv([make] * GAMES)
    games.seed(1)
    collector = Collector(algorithm, games, VectorReplayBuffer(60_000, GAMES))
    collector.reset()
    policy = algorithm.get_algorithm("seat_1").policy
    done = 0
    while done < steps:
        policy.set_eps_training(max(0.05, 1 - 2 * done / steps))
        with policy_within_training_step(algorithm.policy):
            done += collector.collect(n_step=ROUND).n_collected_steps
            with torch_train_mode(algorithm.policy):
                for _ in range(UPDATES):
                    algorithm.update(collector.buffer, BATCH)
    return done


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=30_000)
    parser.add_argument("--games", type=int, default=50, help="to play before and after")
    options = parser.parse_args()
    # It tells each time that it takes the mean over both seats' rewards.
    logging.getLogger("tianshou").setLevel(logging.ERROR)
    torch.set_num_threads(1)
    torch.manual_seed(1)
    np.random.seed(1)
    algorithm = learner_against_random(make())
    before = wins(algorithm, options.games)
    began = time.process_time()
    steps = learn(algorithm, options.steps)
    took = time.process_time() - began
    print(f"{steps:,} steps in {took:.0f} seconds of one core: {steps / took:,.0f} a second")
    print(f"wins before {before:.0%}, after {wins(algorithm, options.games):.0%}")


if __name__ == "__main__":
    main()
