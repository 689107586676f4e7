"""Settings of the expert, tried out in thousands of games side by side: alone against `neural`.

Run `python benchmarks/expert.py 4 prior_weight=0 prior_weight=0.004,simulations=9600 --games 1024`.
What is not said is as the expert has it; with no time to keep to, it plays so many simulations.
Every deal is played in all seats, by each of the settings, again and again with other deals until
`--minutes` are over; they are compared with the first. An NVIDIA GPU does in minutes what
`benchmarks/strength.py` does in days; without one it works, too, with few games.

It is the expert but for its clock, and for the tactician, who finds wins that nobody thought of.
"""

import argparse
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.bots.neural.expert import (
    DEFAULT_SIMULATIONS,
    MAX_ACTIONS,
    SIMULATIONS_PER_CANDIDATE,
    ExpertBot,
)
from baghdad.bots.playing import MAX_TURNS
from baghdad.envs.vector import new_rngs
from baghdad.learn.batch_engine import BatchEngine, state_field
from baghdad.learn.cuda_graphs import compiled
from baghdad.learn.export import import_network
from baghdad.learn.sampling import mask_logits, sample_at_temperatures
from baghdad.learn.turn_search import distinct_turns
from baghdad.machine import describe_machine
from baghdad.rules.engine.material import OVER
from baghdad.rules.options import Options
from baghdad.rules.setup import new_states

EXPERT = ExpertBot()
PORTION = {"cpu": 4096, "cuda": 65_536}
"""Positions that the network looks at together."""


@dataclass(frozen=True)
class Settings:
    simulations: int = DEFAULT_SIMULATIONS
    num_samples: int = EXPERT.num_samples
    max_temperature: float = EXPERT.max_temperature
    max_candidates: int = EXPERT.max_candidates
    prior_weight: float = EXPERT.prior_weight
    temperature: float = 1.0
    """At which all seats play on where turns are tried out; at 0 what they like best."""


def read_settings(text: str) -> tuple[str, Settings]:
    """
    >>> read_settings("prior_weight=0,simulations=300")[1].simulations
    300
    """
    kinds = {field.name: field.type for field in fields(Settings)}
    changes: dict[str, Any] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        if name not in kinds:
            raise argparse.ArgumentTypeError(f"{part}: it is one of {', '.join(kinds)}")
        changes[name] = int(value) if kinds[name] is int else float(value)
        if changes[name] < (2 if kinds[name] is int else 0):
            raise argparse.ArgumentTypeError(f"{part} is too few")
    return text, replace(Settings(), **changes)


class Experts:
    """Many experts at once, each with a position of its own."""

    def __init__(self, device: str) -> None:
        self.device, self._engine = device, BatchEngine(device)
        self._network = import_network(WEIGHTS_FILE).to(device).eval()
        self._evaluate = compiled(self._evaluate_eager, device != "cpu")

    def _evaluate_eager(self, seen: Tensor, may: Tensor) -> tuple[Tensor, Tensor]:
        with torch.autocast(self.device, torch.float16, enabled=self.device != "cpu"):
            liked, outcomes = self._network(seen)
        return mask_logits(liked, may).log_softmax(1), outcomes.softmax(1)[:, 0]

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def ask(self, words: Tensor) -> tuple[Tensor, Tensor]:
        """The policy's logarithms, and how likely who is on wins."""
        size, on_gpu = PORTION[self.device], self.device != "cpu"
        _, _, policy, winning = self._engine.evaluate(words, self._evaluate, size, on_gpu)
        return policy, winning

    def choose(self, words: Tensor, settings: Settings) -> Tensor:
        """[n, MAX_ACTIONS]: the turn that each plays, -1 after its last action."""
        turns, ends, tried, ahead = self._propose(words, settings)
        seats, rows = state_field(words, "seat"), torch.arange(len(words), device=self.device)
        alive = tried >= 0
        sums, counts = torch.zeros_like(ahead), torch.zeros_like(ahead)
        played = torch.zeros_like(rows)
        rounds = alive.sum(1).clamp(min=2).float().log2().ceil().long()
        means = ahead
        for number in range(int(rounds.max())):
            left, many = (rounds - number).clamp(min=1), alive.sum(1)
            on = (many > 1) & (number < rounds)
            if not on.any():  # nobody has a choice
                break
            deals = ((settings.simulations - played) // left // many).clamp(min=1)
            row, turn = (alive & on[:, None]).nonzero(as_tuple=True)
            won = self._try_out(ends[tried[row, turn]], row, seats[row], deals[row], settings)
            sums[row, turn] += won
            counts[row, turn] += deals[row]
            played += torch.where(on, deals * many, 0)
            means = torch.where(alive, sums / counts.clamp(min=1) + ahead, -math.inf)
            rank = means.argsort(dim=1, descending=True, stable=True).argsort(dim=1)
            alive &= (rank < (many[:, None] + 1) // 2) | ~on[:, None]
        chosen = tried[rows, torch.where(alive, means, -math.inf).argmax(1)]
        winner = state_field(ends, "winner") == seats.repeat_interleave(settings.num_samples)
        wins = winner.view(-1, settings.num_samples)
        first_win = wins.int().argmax(1) + rows * settings.num_samples
        return turns[torch.where(wins.any(1), first_win, chosen)]

    def _propose(self, words: Tensor, settings: Settings) -> tuple[Tensor, ...]:
        """Turns drawn in each position [lanes, MAX_ACTIONS] and what they lead to; which of them
        are tried out [n, keep], lanes or -1, and the priors of these [n, keep]."""
        samples, device = settings.num_samples, self.device
        keep = min(
            settings.max_candidates, max(settings.simulations // SIMULATIONS_PER_CANDIDATE, 2)
        )
        states = words.repeat_interleave(samples, 0)
        seats, phases = state_field(states, "seat").clone(), state_field(states, "phase").clone()
        warmth = torch.linspace(1, settings.max_temperature, samples, device=device)
        warmth[0] = 0
        warmth = warmth.repeat(len(words))
        turns = torch.full((len(states), MAX_ACTIONS), -1, device=device)
        open_ = torch.arange(len(states), device=device)
        for place in range(MAX_ACTIONS):
            going = states[open_]
            lots = torch.rand(len(open_), device=device)
            actions = sample_at_temperatures(self.ask(going)[0], warmth[open_], lots)
            turns[open_, place] = actions
            self._engine.apply(going, actions, None)
            states[open_] = going
            mine = (state_field(going, "phase") == phases[open_]) & (
                state_field(going, "seat") == seats[open_]
            )
            open_ = open_[mine]
            if len(open_) == 0:
                break
        rows, lanes, shares = distinct_turns(states, samples, keep)
        places = torch.arange(len(rows), device=device) - torch.searchsorted(rows, rows)
        tried = torch.full((len(words), keep), -1, device=device)
        tried[rows, places] = lanes
        ahead = torch.zeros(len(words), keep, device=device)
        ahead[rows, places] = settings.prior_weight * shares.float().log()
        return turns, states, tried, ahead

    def _try_out(
        self, ends: Tensor, rows: Tensor, seats: Tensor, deals: Tensor, settings: Settings
    ) -> Tensor:
        """[turns]: how often each wins in so many deals, the same for all turns of a row."""
        device = self.device
        turn = torch.arange(len(ends), device=device).repeat_interleave(deals)
        deal = torch.arange(len(turn), device=device) - (deals.cumsum(0) - deals)[turn]
        row, seat, states = rows[turn], seats[turn], ends[turn]
        size = (int(rows.max()) + 1, int(deals.max()))
        luck = torch.randint(1 << 32, (*size, 4), device=device)[row, deal].contiguous()
        self._engine.determinize(states, seat, luck)
        self._engine.apply(states, torch.full_like(turn, -1), luck)
        warmth = torch.full((len(turn),), settings.temperature, device=device)
        open_ = torch.arange(len(turn), device=device)
        while True:
            going_on = (state_field(states, "phase")[open_] != OVER) & (
                state_field(states, "seat")[open_] != seat[open_]
            )
            open_ = open_[going_on]
            if len(open_) == 0:
                break
            going, theirs = states[open_], luck[open_]
            lots = torch.rand(size, device=device)[row[open_], deal[open_]]
            actions = sample_at_temperatures(self.ask(going)[0], warmth[open_], lots)
            self._engine.apply(going, actions, theirs)
            states[open_], luck[open_] = going, theirs
        won = (state_field(states, "winner") == seat).float()
        unsure = (state_field(states, "phase") != OVER).nonzero()[:, 0]
        if len(unsure):
            won[unsure] = self.ask(states[unsure])[1]
        return torch.zeros(len(ends), device=device).index_add_(0, turn, won)

    def duel(self, players: int, games: int, settings: Settings, seed: int) -> Tensor:
        """[deals]: which share of its games the expert wins, alone against the policy's best."""
        torch.manual_seed(seed)
        deals = games // players
        fresh = new_states(Options(players), deals * players)
        words = torch.from_numpy(fresh.view(np.int32).reshape(len(fresh), -1)).to(self.device)
        lots = torch.from_numpy(new_rngs(f"expert {seed}", deals)).to(self.device)
        rngs = lots.repeat_interleave(players, 0).contiguous()
        alone = torch.arange(len(words), device=self.device) % players
        nothing = torch.full_like(alone, -1)
        self._engine.apply(words, nothing, rngs)
        for _ in range(MAX_TURNS * MAX_ACTIONS):
            open_ = (state_field(words, "phase") != OVER).nonzero()[:, 0]
            if len(open_) == 0:
                break
            theirs = open_[state_field(words, "seat")[open_] != alone[open_]]
            # All rivals go on until every expert is on, so that experts think together.
            now = theirs if len(theirs) else open_
            going, luck = words[now], rngs[now]
            if len(theirs):
                self._engine.apply(going, self.ask(going)[0].argmax(1), luck)
            else:
                for actions in self.choose(going, settings).T.contiguous():
                    self._engine.apply(going, actions, None)
                self._engine.apply(going, nothing[: len(now)], luck)
            words[now], rngs[now] = going, luck
        return (state_field(words, "winner") == alone).float().view(deals, players).mean(1).cpu()


def report(texts: Sequence[str], won: Sequence[Sequence[Tensor]], players: int) -> None:
    first = torch.cat(list(won[0]))
    for text, shares in zip(texts, won, strict=True):
        share = torch.cat(list(shares))
        more = share - first
        mean, sure, gain, sure_of_it = (
            100 * float(each)
            for one in (share, more)
            for each in (one.mean(), 1.96 * one.std() / len(one) ** 0.5)
        )
        than = f"   {gain:+.2f} ± {sure_of_it:.2f} to the first" if shares is not won[0] else ""
        print(f"{text:<32}{len(share) * players:>7} games {mean:6.2f} % ± {sure:.2f}{than}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", type=int, choices=(2, 3, 4))
    parser.add_argument("settings", nargs="+", type=read_settings, metavar="NAME=VALUE,...")
    parser.add_argument("--games", type=int, default=1020, help="side by side")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--device", choices=tuple(PORTION))
    options = parser.parse_args()
    texts, settings = zip(*options.settings, strict=True)
    device = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_num_threads(1)
    experts, began, seed = Experts(device), time.perf_counter(), 0
    won: list[list[Tensor]] = [[] for _ in settings]
    while not seed or time.perf_counter() - began < 60 * options.minutes:
        seed += 1
        for place, each in enumerate(settings):
            won[place].append(experts.duel(options.players, options.games, each, seed))
        print(f"after {time.perf_counter() - began:.0f} s, {options.players} players:", flush=True)
        report(texts, won, options.players)
    gpu = torch.cuda.get_device_name() if device == "cuda" else "no GPU"
    print(gpu, describe_machine(), sep=", ")


if __name__ == "__main__":
    main()
