"""Settings of the expert, tried out in thousands of games side by side: alone against `neural`.

Run `python benchmarks/expert.py 4 prior_weight=0 prior_weight=0.004,simulations=9600 --games 1024`.
What is not set is as in the expert, which has no clock here: it plays all its `simulations`.
Every deal is played in all seats, by each of the settings, again and again with other deals until
`--minutes` are over; they are compared with the first. An NVIDIA GPU does in minutes what
`benchmarks/strength.py` does in days; without one it works, too, with few games.

It is the expert but for its clock, and for the tactician, which finds wins that nobody proposed.
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

from baghdad.bots.expert.bot import DEFAULT_SIMULATIONS, ExpertBot
from baghdad.bots.expert.machine import MAX_ACTIONS, SIMULATIONS_PER_CANDIDATE
from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.bots.playing import MAX_TURNS
from baghdad.bots.search.seq_halving import num_rounds, num_survivors, visits_per_candidate
from baghdad.envs.vector import new_rngs
from baghdad.learn.batch_engine import BatchEngine, state_field
from baghdad.learn.cuda_graphs import compiled
from baghdad.learn.export import import_network
from baghdad.learn.playout import play_turns, play_until_turn
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
    num_samples: int = EXPERT.settings.num_samples
    max_temperature: float = EXPERT.settings.max_temperature
    max_candidates: int = EXPERT.settings.max_candidates
    prior_weight: float = EXPERT.settings.prior_weight
    temperature: float = 1.0
    """At which all seats play on where turns are tried out; at 0 by the most likely action."""


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
            logits, outcomes = self._network(seen)
        return mask_logits(logits, may).log_softmax(1), outcomes.softmax(1)[:, 0]

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def ask(self, words: Tensor) -> tuple[Tensor, Tensor]:
        """The policy's logarithms, and how likely the seat to move is to win."""
        size, on_gpu = PORTION[self.device], self.device != "cpu"
        _, _, policy, winning = self._engine.evaluate(words, self._evaluate, size, on_gpu)
        return policy, winning

    def choose(self, words: Tensor, settings: Settings) -> Tensor:
        """[n, MAX_ACTIONS]: the turn that each plays, -1 after its last action."""
        turns, ends, tried, priors = self._propose(words, settings)
        seats, rows = state_field(words, "seat"), torch.arange(len(words), device=self.device)
        candidates = tried >= 0
        sums, visit_counts = torch.zeros_like(priors), torch.zeros_like(priors)
        played = torch.zeros_like(rows)
        by_count = [num_rounds(count) for count in range(tried.shape[1] + 1)]
        rounds = torch.tensor(by_count, device=self.device)[candidates.sum(1)]
        means = priors
        for number in range(int(rounds.max())):
            count, left = candidates.sum(1), (rounds - number).clamp(min=1)
            choosing = number < rounds
            deals = visits_per_candidate(settings.simulations - played, left, count).clamp(min=1)
            row, turn = (candidates & choosing[:, None]).nonzero(as_tuple=True)
            won = self._try_out(ends[tried[row, turn]], row, seats[row], deals[row], settings)
            sums[row, turn] += won
            visit_counts[row, turn] += deals[row]
            played += torch.where(choosing, deals * count, 0)
            means = torch.where(candidates, sums / visit_counts.clamp(min=1) + priors, -math.inf)
            rank = means.argsort(dim=1, descending=True, stable=True).argsort(dim=1)
            candidates &= (rank < num_survivors(count)[:, None]) | ~choosing[:, None]
        chosen = tried[rows, torch.where(candidates, means, -math.inf).argmax(1)]
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
        temperatures = torch.linspace(1, settings.max_temperature, samples, device=device)
        temperatures[0] = 0
        temperatures = temperatures.repeat(len(words))

        def choose(_step: int, lanes: Tensor, now: Tensor) -> Tensor:
            uniforms = torch.rand(len(lanes), device=device)
            return sample_at_temperatures(self.ask(now)[0], temperatures[lanes], uniforms)

        turns = play_turns(self._engine, states, choose)
        rows, lanes, shares = distinct_turns(states, samples, keep)
        places = torch.arange(len(rows), device=device) - torch.searchsorted(rows, rows)
        tried = torch.full((len(words), keep), -1, device=device)
        tried[rows, places] = lanes
        priors = torch.zeros(len(words), keep, device=device)
        priors[rows, places] = settings.prior_weight * shares.float().log()
        return turns, states, tried, priors

    def _try_out(
        self, ends: Tensor, rows: Tensor, seats: Tensor, deals: Tensor, settings: Settings
    ) -> Tensor:
        """[turns]: how often each wins in this many deals, the same for all turns of a row."""
        device = self.device
        turn = torch.arange(len(ends), device=device).repeat_interleave(deals)
        deal = torch.arange(len(turn), device=device) - (deals.cumsum(0) - deals)[turn]
        row, seat, states = rows[turn], seats[turn], ends[turn]
        size = (int(rows.max()) + 1, int(deals.max()))
        rngs = torch.randint(1 << 32, (*size, 4), device=device)[row, deal].contiguous()
        self._engine.determinize(states, seat, rngs)
        temperatures = torch.full((len(turn),), settings.temperature, device=device)

        def choose(_step: int, lanes: Tensor, now: Tensor) -> Tensor:
            uniforms = torch.rand(size, device=device)[row[lanes], deal[lanes]]
            return sample_at_temperatures(self.ask(now)[0], temperatures[lanes], uniforms)

        play_until_turn(self._engine, states, seat, rngs, choose)
        won = (state_field(states, "winner") == seat).float()
        undecided = (state_field(states, "phase") != OVER).nonzero()[:, 0]
        if len(undecided):
            won[undecided] = self.ask(states[undecided])[1]
        return torch.zeros(len(ends), device=device).index_add_(0, turn, won)

    def duel(self, players: int, games: int, settings: Settings, seed: int) -> Tensor:
        """[deals]: which share of its games the expert wins, alone against the policy's best."""
        torch.manual_seed(seed)
        deals = games // players
        fresh = new_states(Options(players), deals * players)
        words = torch.from_numpy(fresh.view(np.int32).reshape(len(fresh), -1)).to(self.device)
        deal_rngs = torch.from_numpy(new_rngs(f"expert {seed}", deals)).to(self.device)
        rngs = deal_rngs.repeat_interleave(players, 0).contiguous()
        alone = torch.arange(len(words), device=self.device) % players
        nothing = torch.full_like(alone, -1)
        self._engine.apply(words, nothing, rngs)
        for _ in range(MAX_TURNS * MAX_ACTIONS):
            active = (state_field(words, "phase") != OVER).nonzero()[:, 0]
            if len(active) == 0:
                break
            rivals = active[state_field(words, "seat")[active] != alone[active]]
            # All rivals go on until it is every expert's turn, so that experts think together.
            lanes = rivals if len(rivals) else active
            now, now_rngs = words[lanes], rngs[lanes]
            if len(rivals):
                self._engine.apply(now, self.ask(now)[0].argmax(1), now_rngs)
            else:
                for actions in self.choose(now, settings).T.contiguous():
                    self._engine.apply(now, actions, None)
                self._engine.apply(now, nothing[: len(lanes)], now_rngs)
            words[lanes], rngs[lanes] = now, now_rngs
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
