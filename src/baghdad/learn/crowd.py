"""`bots.neural.batch_games` in PyTorch: many games of the network at once, on the CPU or a GPU.

A GPU has room for more games than are ever open on it at once: where one ends the next begins, so
that it always has as much to do as it likes.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from baghdad.bots.heuristic.match import GAME_RESULT
from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.bots.neural.batch_games import GameBatch, Games
from baghdad.envs.batch import PHASE, SEAT, STATE_WORDS
from baghdad.rules.engine.dealer import LOW
from baghdad.rules.engine.material import OVER, TURN
from baghdad.rules.engine.state import STATE

from .boards import Boards, byte
from .cuda_graphs import compiled
from .export import import_network
from .ppo import ILLEGAL
from .teacher import draw

assert STATE.fields is not None
LOOT, TURNS = STATE.fields["loot"][1], STATE.fields["turn"][1] // 4
"""The byte and the word of a state where these begin."""
PORTION = {"cpu": 2048, "cuda": 32_768}
"""Positions that the network looks at together."""
LANES = {"cpu": 2048, "cuda": 131_072}
"""Games that are open at once."""
STEPS = 8
"""Decisions of every game between two looks at which are over; waiting for a GPU takes time."""
COLDEST = 0.05
"""Below that a temperature would only overflow."""

Judge = Callable[[Tensor], tuple[Tensor, Tensor]]
Lanes = dict[str, Tensor]


class Tables:
    """Tables enough for a crowd."""

    def __init__(self, device: str, network: Judge | None = None) -> None:
        """The network that ships plays, unless another is given."""
        if device != "cpu":
            torch.cuda.init()  # PyTorch's context is the one that Numba then finds
        self.device, self._on_gpu = device, device != "cpu"
        self._boards = Boards(device)
        self._network = network or import_network(WEIGHTS_FILE).to(device).eval()
        self._choose = compiled(self._choose_eagerly, self._on_gpu)

    def _choose_eagerly(self, seen: Tensor, may: Tensor, warmth: Tensor, lots: Tensor) -> Tensor:
        with torch.autocast(self.device, torch.float16, enabled=self._on_gpu):
            liked, _ = self._network(seen)
        liked = torch.where(may, liked, ILLEGAL)
        drawn = draw((liked / warmth.clamp(min=COLDEST)[:, None]).softmax(1), lots)
        return torch.where(warmth > 0, drawn, liked.argmax(1))

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def play(self, crowd: GameBatch, max_turns: int, tick: Callable[[int], object] = bool) -> Games:
        """As `bots.neural.batch_games.play_batch`; `tick` hears how many games are done."""
        games = np.zeros(len(crowd.condition), GAME_RESULT)
        plan = self._on_device(crowd)
        begun = min(LANES[self.device], len(games))
        lanes = self._begin(plan, torch.arange(begun, device=self.device))
        while len(lanes["game"]):
            for _ in range(STEPS):
                self._step(lanes, max_turns)
            over = self._over(lanes, max_turns)
            done = over.nonzero()[:, 0]
            _write({name: each[done] for name, each in lanes.items()}, games)
            tick(len(done))
            fresh = min(len(done), len(games) - begun)
            if fresh:
                new = torch.arange(begun, begun + fresh, device=self.device)
                for name, each in self._begin(plan, new).items():
                    lanes[name][done[:fresh]] = each
                begun += fresh
            if fresh < len(done):
                over[done[:fresh]] = False
                lanes = {name: each[~over] for name, each in lanes.items()}
        return games

    def _on_device(self, crowd: GameBatch) -> Lanes:
        starts = crowd.starts.view(np.int32).reshape(-1, STATE_WORDS)
        arrays: dict[str, Any] = {
            "starts": starts,
            "temperatures": crowd.temperatures.astype(np.float32),
            "fates": crowd.fates.astype(np.int64),
            "luck": crowd.card_rngs,
            "dice": crowd.policy_rngs,
            "condition": crowd.condition.astype(np.int64),
            "deal": crowd.deal.astype(np.int64),
        }
        return {name: torch.tensor(array, device=self.device) for name, array in arrays.items()}

    def _begin(self, plan: Lanes, games: Tensor) -> Lanes:
        """The lanes of games that begin."""
        condition, deal = plan["condition"][games], plan["deal"][games]
        fate = plan["fates"][condition]
        lanes = {
            "game": games,
            "words": plan["starts"][condition],
            "temperatures": plan["temperatures"][condition],
            "luck": plan["luck"][0, deal],
            "later": plan["luck"][fate, deal],
            "other_fate": fate > 0,
            "dice": plan["dice"][fate, deal],
            "first": torch.full_like(games, -1, dtype=torch.int8),
            "behind": torch.zeros(len(games), 4, dtype=torch.int8, device=self.device),
        }
        self._boards.apply_actions(lanes["words"], torch.full_like(games, -1), lanes["luck"])
        return lanes

    def _over(self, lanes: Lanes, max_turns: int) -> Tensor:
        words = lanes["words"]
        return (byte(words, PHASE) == OVER) | (words[:, TURNS] >= max_turns)

    def _step(self, lanes: Lanes, max_turns: int) -> None:
        """A decision of every game that is not over, the cards after it, and notes of both."""
        words = lanes["words"]
        over = self._over(lanes, max_turns)
        seats = byte(words, SEAT).long()[:, None]
        warmth = lanes["temperatures"].gather(1, seats)[:, 0]
        lots = throw(lanes["dice"], (warmth > 0) & ~over)
        actions = torch.where(over, -1, self._choices(words, warmth, lots))
        # Only when a turn has begun are all first hands dealt.
        now = lanes["other_fate"] & (byte(words, PHASE) == TURN)
        lanes["luck"] = torch.where(now[:, None], lanes["later"], lanes["luck"])
        lanes["other_fate"] = lanes["other_fate"] & ~now
        self._boards.apply_actions(words, actions, lanes["luck"])
        loot = words.view(torch.int8)[:, LOOT : LOOT + 4]
        most, leader = loot.max(1)
        nobody_yet = (lanes["first"] < 0) & (most > 0)
        lanes["first"] = torch.where(nobody_yet, leader.to(torch.int8), lanes["first"])
        lanes["behind"] = torch.maximum(lanes["behind"], most[:, None] - loot)

    def _choices(self, words: Tensor, warmth: Tensor, lots: Tensor) -> Tensor:
        """[lanes]; compiled code is compiled for one size, and the last portion filled up."""
        size, chosen = PORTION[self.device], []
        for first in range(0, len(words), size):
            part = slice(first, first + size)
            seen, may = self._boards.observe_states(words[part])
            asked = [seen, may, warmth[part], lots[part]]
            rest = size - len(seen)
            if rest and self._on_gpu:
                asked = [torch.cat([one, one[:1].expand(rest, *one.shape[1:])]) for one in asked]
            chosen.append(self._choose(*asked)[: len(seen)].clone())
        return torch.cat(chosen)


def throw(dice: Tensor, wanted: Tensor) -> Tensor:
    """[lanes]: a number from 0 to 1 of each generator [lanes, 4] that is wanted: the same numbers
    as `rules.engine.dealer.next_number`. The others stay as they are."""
    a, b, c, d = dice.unbind(1)
    number = (_rotated((a + d) & LOW, 7) + a) & LOW
    c, d = c ^ a, d ^ b
    after = torch.stack([a ^ d, b ^ c, c ^ ((b << 9) & LOW), _rotated(d, 11)], 1)
    dice.copy_(torch.where(wanted[:, None], after, dice))
    return (number / (LOW + 1)).float()


def _rotated(value: Tensor, by: int) -> Tensor:
    return ((value << by) & LOW) | (value >> (32 - by))


def _write(lanes: Lanes, games: Games) -> None:
    """How these games went, in their places."""
    at = lanes["game"].cpu().numpy()
    states = lanes["words"].cpu().numpy().view(STATE)[:, 0]
    winner, behind = states["winner"], lanes["behind"].cpu().numpy()
    won = winner >= 0
    games["winner"][at], games["loot"][at] = winner, states["loot"]
    games["first"][at] = lanes["first"].cpu().numpy()
    games["turns"][at] = states["turn"] + won
    games["behind"][at] = np.where(won, behind[np.arange(len(at)), np.maximum(winner, 0)], 0)
