"""Teaches a small network to beat a player that plays at random, in a minute on one core.

Needs `pip install 'baghdad[envs]' sb3-contrib`. Run `python examples/maskable_ppo.py`.
"""

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

from baghdad.envs.gymnasium_env import ID
from baghdad.rules.engine.observation import FEATURES, HIGH

CHESTS = FEATURES.index("seat : chests taken")
THIEVES = [FEATURES.index(f"palace {palace}: thieves of the observer") for palace in range(1, 7)]
MAX_TURNS = 400


class Lessons(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Numbers from 0 to 1, and a little reward on the way: thieves in place, chests taken."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        self.observation_space = spaces.Box(0, 1, HIGH.shape, np.float32)
        self._reached = 0.0

    def reset(self, **options: Any) -> Any:
        row, info = self.env.reset(**options)
        self._reached = self._progress(row)
        return row / HIGH.astype(np.float32), info

    def step(self, action: Any) -> Any:
        row, reward, terminated, truncated, info = self.env.step(action)
        before, self._reached = self._reached, self._progress(row)
        shaped = float(reward) + self._reached - before
        info["won"] = float(reward) > 0
        return row / HIGH.astype(np.float32), shaped, terminated, truncated, info

    @staticmethod
    def _progress(row: Any) -> float:
        """A chest counts as much as the thieves that it takes, and a little more."""
        return float(0.02 * row[THIEVES].sum() + 0.2 * row[CHESTS])


def make(**options: Any) -> gymnasium.Env[Any, Any]:
    return Lessons(gymnasium.make(ID, opponents="random", max_turns=MAX_TURNS, **options).unwrapped)


def wins(model: MaskablePPO, games: int, seed: int = 1) -> float:
    """The share of games that the model wins; one at the limit of turns is not won."""
    env, won = make(), 0
    for game in range(games):
        row, info = env.reset(seed=seed + game)
        terminated = truncated = False
        while not (terminated or truncated):
            action, _ = model.predict(row, action_masks=info["action_mask"].astype(bool))
            row, _, terminated, truncated, info = env.step(int(action))
        won += info["won"]
    return won / games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=60_000)
    parser.add_argument("--games", type=int, default=50, help="to play before and after")
    options = parser.parse_args()
    torch.set_num_threads(1)
    model = MaskablePPO(
        "MlpPolicy",
        DummyVecEnv([make] * 8),
        n_steps=256,
        batch_size=512,
        learning_rate=1e-3,
        gamma=0.99,
        ent_coef=0.005,
        seed=1,
        device="cpu",
    )
    before = wins(model, options.games)
    began = time.perf_counter()
    model.learn(options.steps)
    took = time.perf_counter() - began
    print(f"{model.num_timesteps:,} steps in {took:.0f} seconds")
    print(f"wins before {before:.0%}, after {wins(model, options.games):.0%}")


if __name__ == "__main__":
    main()
