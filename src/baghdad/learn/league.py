"""The league: games in which others sit at the table, and what follows from their results.

Guests are earlier versions of the learner, of which one is the reference that it is measured
against, and scripts. The league's games lie side by side in blocks, one for each slot, so that one
network decides for a whole block at once. In the last block half of the games are for random play,
and every other script has its part of the rest.

When the learner clearly beats the reference, it becomes the reference; when it clearly loses
against it, the learner has collapsed and returns to an earlier version. Results come late, when the
learner may be collapsing already. So both are decided about the candidate, the version of when
counting began, and only after it has played on.
"""

import copy
import math
import random
from typing import Any, TypeAlias

import torch
from torch import Tensor

from .config import Config
from .network import PolicyNetwork
from .scripted import SCRIPTS, script_logits

StateDict: TypeAlias = dict[str, Tensor]
"""All weights of a network by name, as PyTorch calls it."""

ALIGNED = 16
"""A block of this many games begins where a GPU likes to read."""
CLEARLY_BETTER = 0.65
"""The share of games won against the reference, for two players, at which a candidate becomes the
reference. With more players these limits are as far from an equal share, in Elo."""
NOT_WORSE = 0.45
"""Likewise, at which it becomes the version to return to."""
COLLAPSED = 0.3
"""Likewise, at which the learner returns to an earlier version."""


def snapshot(network: PolicyNetwork) -> StateDict:
    """A copy of its weights."""
    return {name: weight.detach().clone() for name, weight in network.state_dict().items()}


def elo(share: float, players: int) -> float:
    """How much stronger a player is that wins this share of games than each of its equal opponents.

    >>> round(elo(0.75, 2)), round(elo(0.25, 4))
    (191, 0)
    """
    share = min(max(share, 1e-3), 1 - 1e-3)
    return 400 * math.log10(share * (players - 1) / (1 - share))


class League:
    """Guests in their slots, who sits where, and how the learner does against each."""

    def __init__(
        self,
        config: Config,
        players: Tensor,
        learner: PolicyNetwork,
        target: PolicyNetwork | None = None,
        seed: str = "",
    ) -> None:
        """`players` [games] are the numbers of players. With a `target` that network alone sits in
        all slots, and stays there: it is to be exploited. Consumes PyTorch's randomness; `seed`
        decides which earlier versions are guests."""
        self.config, self.target = config, target
        self.slots = config.league_slots
        block = int(config.games * config.league_share) // self.slots
        self.block = block - block % ALIGNED if block > ALIGNED else block
        """Games of a slot."""
        self.games = self.block * self.slots
        """Games of the league: the first ones of all."""
        device = players.device
        self._players = players[: self.games].long()
        self._counts = torch.stack([self._players == count for count in config.players], 1).float()
        self._random = random.Random(seed)
        self.networks = [
            copy.deepcopy(target or learner).to(device).requires_grad_(False)
            for _ in range(self.slots - (target is None))
        ]
        """The first is the reference."""
        self._names = ["target"] * self.slots
        opponents = torch.arange(self.games, device=device) // max(self.block, 1)
        if target is None:
            self._names = ["reference", *["past"] * (self.slots - 2), "random", "scripted"]
            last = slice(self.block * (self.slots - 1), self.games)
            at_random, *others = (script_logits(script).to(device) for script in SCRIPTS)
            count = len(others)
            scripts = torch.arange(self.block, device=device) * 2 * count // max(self.block, 1)
            self._script_logits = torch.stack([at_random] * count + others)[scripts]
            opponents[last] += scripts >= count
        numbers = torch.arange(len(self._names), device=device)
        self._meets = (opponents == numbers[:, None]).float()
        """[names, games]: whether the learner meets them there, 0 or 1."""
        self.past: list[StateDict] = [snapshot(learner)]
        """Earlier versions, the oldest first."""
        self.rating = 0.0
        """Of the reference."""
        self.frozen = torch.zeros(self.games, 4, dtype=torch.bool, device=device)
        """[games, seat]: whether a guest sits there."""
        self._tally = torch.zeros(len(self._names), len(config.players), 2, device=device)
        """[names, numbers of players, (won, played)]: since the last report."""
        self.fallback = self.candidate = self.past[0]
        """The version to return to, and that of when counting began."""
        self._candidate_lead = 0.0
        """In Elo, how much stronger than the reference the candidate was in the games before."""
        self._kept_since = [0, 0]
        """Versions kept after the fallback: before counting began, and since."""
        self._restart_comparison()
        self.assign_seats(torch.ones(self.games, dtype=torch.bool, device=device))

    def assign_seats(self, begins: Tensor) -> None:
        """In games [games] that begin, draw who plays where; the learner has a seat always.
        Consumes randomness."""
        device = self.frozen.device
        frozen = torch.rand(self.games, 4, device=device) < self.config.league_frozen
        mine = (torch.rand(self.games, device=device) * self._players).long()
        frozen &= torch.arange(4, device=device)[None] < self._players[:, None]
        frozen.scatter_(1, mine[:, None], False)
        self.frozen.copy_(torch.where(begins[:, None], frozen, self.frozen))

    def guests_to_move(self, to_move: Tensor) -> Tensor:
        """[league games]: whether it is a guest's turn; `to_move` [games] are the seats."""
        return self.frozen.gather(1, to_move[: self.games].long()[:, None])[:, 0]

    @property
    def blocks(self) -> list[tuple[PolicyNetwork | Tensor, slice]]:
        """Every slot's guest, a network or the logits of its games' scripts [games, ACTION_COUNT];
        and the games that are its own."""
        guests: list[PolicyNetwork | Tensor] = [*self.networks]
        if self.target is None:
            guests.append(self._script_logits)
        return [
            (guest, slice(slot * self.block, (slot + 1) * self.block))
            for slot, guest in enumerate(guests)
        ]

    def count_results(self, done: Tensor, rewards: Tensor) -> None:
        """Count games that are over, [games] and [games, 4], where the learner sat alone against
        guests."""
        alone = self.frozen.sum(1) == self._players - 1
        counted = (done[: self.games] & alone).float()
        won = ((rewards[: self.games] > 0) & ~self.frozen).any(1).float() * counted
        both = torch.stack([won, counted], 1)
        by_count = self._counts[:, :, None] * both[:, None]
        self._tally += (self._meets @ by_count.flatten(1)).view_as(self._tally)

    def results(self) -> dict[str, Any]:
        """Shares of games won since the last call, by opponent and number of players; the rating
        of the learner."""
        tally = self._tally.tolist()
        self._tally.zero_()
        shares: dict[str, Any] = {}
        for name in dict.fromkeys(self._names):
            rows = [row for row, each in zip(tally, self._names, strict=True) if each == name]
            for place, players in enumerate(self.config.players):
                won, games = (sum(row[place][n] for row in rows) for n in (0, 1))
                if games:
                    shares[f"{name} {players}"] = round(won / games, 4)
        for sums, now in zip(self._against_reference, tally[0], strict=True):
            sums[0] += now[0]
            sums[1] += now[1]
        rating = round(self.rating + self._leads()[0], 1)
        if self.target is not None:
            self._clear_counts()
        return {"won": shares, "rating": rating}

    def _leads(self, doubt: float = 0.0) -> list[float]:
        """For each number of players, how much stronger than the reference the learner was since
        counting began, in Elo; with this many standard errors in its favour."""
        return [
            elo((won + 1) / (games + players) + doubt / math.sqrt(games + players), players)
            for players, (won, games) in zip(
                self.config.players, self._against_reference, strict=True
            )
        ]

    def _clear_counts(self) -> None:
        self._against_reference = [[0.0, 0.0] for _ in self.config.players]

    def _restart_comparison(self) -> None:
        """Compare another learner or another reference from now on: games that are going on don't
        count for it."""
        self._clear_counts()
        self._tally[0].zero_()
        self.frozen[: self.block] = False  # the learner plays them out against itself

    @property
    def collapsed(self) -> bool:
        """Whether the learner is clearly much worse, with any number of players."""
        return self.target is None and min(self._leads(doubt=1)) <= elo(COLLAPSED, 2)

    def update(self, learner: PolicyNetwork, remember: bool) -> StateDict | None:
        """Keep the learner's version if asked, replace the reference if due, and change the guests.

        Returns the version to return to, where the learner has collapsed.
        """
        if self.target is not None:
            return None
        earlier = None
        if self._against_reference[0][1] >= self.config.league_games:
            if self.collapsed:
                # If it collapses once more before it is as good again, it returns further back.
                earlier, self.fallback = self.fallback, snapshot(self.networks[0])
                del self.past[max(1, len(self.past) - sum(self._kept_since)) :]
                remember = False
                self.candidate, self._candidate_lead, self._kept_since = earlier, 0.0, [0, 0]
                self._restart_comparison()
            else:
                self._judge_candidate()
                self.candidate = snapshot(learner)
        if remember:
            self.past.append(snapshot(learner))
            self._kept_since[1] += 1
            if len(self.past) > self.config.league_size:
                del self.past[self._random.randrange(len(self.past) - 1)]
        for network in self.networks[1:]:
            network.load_state_dict(self._random.choice(self.past))
        return earlier

    def _judge_candidate(self) -> None:
        """Whether the candidate becomes the version to return to, or even the reference: it has
        played on since, and the games since say that it had not begun to collapse."""
        lead, at_most = self._leads()[0], self._leads(doubt=1)
        before, since = self._kept_since
        self._kept_since = [before + since, 0]
        promoted = False
        if min(at_most) >= elo(NOT_WORSE, 2):
            self.fallback, self._kept_since = self.candidate, [since, 0]
            promoted = self._candidate_lead >= elo(CLEARLY_BETTER, 2)
        if promoted:
            self.rating += self._candidate_lead
            self.networks[0].load_state_dict(self.candidate)
            self._candidate_lead = 0.0
            self._restart_comparison()
        else:
            self._candidate_lead = lead
            self._clear_counts()
