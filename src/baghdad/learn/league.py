"""Who else sits at the table: earlier selves of the learner, and who plays by a script.

Some games are the league's. They lie side by side in blocks, one for each slot, so that one
network decides for a whole block at once. In the last block, half of the games are for who plays at
random, and every other script has its part of the rest.
"""

import copy
import math
import random
from typing import Any

import torch
from torch import Tensor

from .config import Recipe
from .network import PolicyNetwork
from .scripts import SCRIPTS, likings

Weights = dict[str, Tensor]

ALIGNED = 16
"""A block of so many games begins where a GPU likes to read."""
CLEARLY_BETTER = 0.65
"""Wins against the reference, for two players, at which the learner becomes the reference."""
AS_GOOD = 0.45
"""The same, at which it may be gone back to. With more players: as much less than their share."""
FALLEN = 0.3
"""Likewise, at which it goes back to an earlier self."""


def copy_of(network: PolicyNetwork) -> Weights:
    return {name: weight.detach().clone() for name, weight in network.state_dict().items()}


def elo(share: float, players: int) -> float:
    """How much stronger who wins this share of games is than each of its equal rivals.

    >>> round(elo(0.75, 2)), round(elo(0.25, 4))
    (191, 0)
    """
    share = min(max(share, 1e-3), 1 - 1e-3)
    return 400 * math.log10(share * (players - 1) / (1 - share))


class League:
    """Opponents in their slots, who sits where, and how the learner does against each."""

    def __init__(
        self,
        recipe: Recipe,
        players: Tensor,
        learner: PolicyNetwork,
        target: PolicyNetwork | None = None,
        seed: str = "",
    ) -> None:
        """With a `target` it alone sits in all slots, and stays there: it is to be exploited."""
        self.recipe, self.target = recipe, target
        self.slots = recipe.league_slots
        block = int(recipe.games * recipe.league_share) // self.slots
        self.block = block - block % ALIGNED if block > ALIGNED else block
        self.games = self.block * self.slots
        device = players.device
        self._players = players[: self.games].long()
        self._counts = torch.stack([self._players == count for count in recipe.players], 1).float()
        self._random = random.Random(seed)
        self.networks = [
            copy.deepcopy(target or learner).to(device).requires_grad_(False)
            for _ in range(self.slots - (target is None))
        ]
        self._names = ["target"] * self.slots
        rivals = torch.arange(self.games, device=device) // max(self.block, 1)
        if target is None:
            self._names = ["reference", *["past"] * (self.slots - 2), "random", "scripted"]
            last = slice(self.block * (self.slots - 1), self.games)
            at_random, *told = (likings(script).to(device) for script in SCRIPTS)
            scripts = torch.arange(self.block, device=device) * 2 * len(told) // max(self.block, 1)
            self._likings = torch.stack([at_random] * len(told) + told)[scripts]
            rivals[last] += scripts >= len(told)
        numbers = torch.arange(len(self._names), device=device)
        self._meets = (rivals == numbers[:, None]).float()
        """[names, games]: whom the learner meets there, 0 or 1."""
        self.past: list[Weights] = [copy_of(learner)]
        self.rating = 0.0
        """Of the reference."""
        self.frozen = torch.zeros(self.games, 4, dtype=torch.bool, device=device)
        """[games, seat]: whether a slot's player sits there."""
        self._tally = torch.zeros(len(self._names), len(recipe.players), 2, device=device)
        self.good = self.began = self.past[0]
        """An earlier self to go back to, and who the learner was when counting began."""
        self._lead = 0.0
        """How much stronger than the reference the latter was, by the games counted before."""
        self._younger = [0, 0]
        """Selves remembered after the good one: before counting began, and since."""
        self._begin_to_count()
        self.seat_anew(torch.ones(self.games, dtype=torch.bool, device=device))

    def seat_anew(self, over: Tensor) -> None:
        """In games [games] that begin, say who plays where; the learner has a seat always."""
        device = self.frozen.device
        frozen = torch.rand(self.games, 4, device=device) < self.recipe.league_frozen
        mine = (torch.rand(self.games, device=device) * self._players).long()
        frozen &= torch.arange(4, device=device)[None] < self._players[:, None]
        frozen.scatter_(1, mine[:, None], False)
        self.frozen.copy_(torch.where(over[:, None], frozen, self.frozen))

    def others(self, to_move: Tensor) -> Tensor:
        """[games]: whether a slot's player is on."""
        return self.frozen.gather(1, to_move[: self.games].long()[:, None])[:, 0]

    @property
    def blocks(self) -> list[tuple[PolicyNetwork | Tensor, slice]]:
        """Every slot's network, or what the scripts of its games like [games, ACTION_COUNT]; and
        the games that are its own."""
        guests: list[PolicyNetwork | Tensor] = [*self.networks]
        if self.target is None:
            guests.append(self._likings)
        return [
            (guest, slice(slot * self.block, (slot + 1) * self.block))
            for slot, guest in enumerate(guests)
        ]

    def note(self, over: Tensor, rewards: Tensor) -> None:
        """Count the games that are over, where the learner sat alone against its rivals."""
        alone = self.frozen.sum(1) == self._players - 1
        counted = (over[: self.games] & alone).float()
        won = ((rewards[: self.games] > 0) & ~self.frozen).any(1).float() * counted
        both = torch.stack([won, counted], 1)
        by_count = self._counts[:, :, None] * both[:, None]
        self._tally += (self._meets @ by_count.flatten(1)).view_as(self._tally)

    def results(self) -> dict[str, Any]:
        """Shares of games won since the last call, by rival and number of players; the rating."""
        tally = self._tally.tolist()
        self._tally.zero_()
        shares: dict[str, Any] = {}
        for name in dict.fromkeys(self._names):
            rivals = [place for place, each in enumerate(self._names) if each == name]
            for place, players in enumerate(self.recipe.players):
                won, games = (sum(tally[rival][place][n] for rival in rivals) for n in (0, 1))
                if games:
                    shares[f"{name} {players}"] = round(won / games, 4)
        for sums, now in zip(self._against_reference, tally[0], strict=True):
            sums[0] += now[0]
            sums[1] += now[1]
        rating = round(self.rating + self._leads()[0], 1)
        if self.target is not None:
            self._count_anew()
        return {"won": shares, "rating": rating}

    def _leads(self, doubt: float = 0.0) -> list[float]:
        """For each number of players, how much stronger than the reference the learner was since
        counting began; with some doubt in its favour."""
        return [
            elo((won + 1) / (games + players) + doubt / math.sqrt(games + players), players)
            for players, (won, games) in zip(
                self.recipe.players, self._against_reference, strict=True
            )
        ]

    def _count_anew(self) -> None:
        self._against_reference = [[0.0, 0.0] for _ in self.recipe.players]

    def _begin_to_count(self) -> None:
        """From now on, who is compared with the reference; games that go on don't count for it."""
        self._count_anew()
        self._tally[0].zero_()
        self.frozen[: self.block] = False  # the learner plays them out against itself

    @property
    def fallen(self) -> bool:
        """Whether the learner is clearly much worse, with any number of players."""
        return self.target is None and min(self._leads(doubt=1)) <= elo(FALLEN, 2)

    def renew(self, learner: PolicyNetwork, remember: bool) -> Weights | None:
        """Remember the learner if asked, raise the reference if due, and change the guests. Says
        whom to go back to where the learner has become much worse than the reference."""
        if self.target is not None:
            return None
        back_to = None
        if self._against_reference[0][1] >= self.recipe.league_games:
            if self.fallen:
                # Who falls once more before it is as good again goes back further.
                back_to, self.good = self.good, copy_of(self.networks[0])
                del self.past[max(1, len(self.past) - sum(self._younger)) :]
                remember = False
                self.began, self._lead, self._younger = back_to, 0.0, [0, 0]
                self._begin_to_count()
            else:
                self._look_back()
                self.began = copy_of(learner)
        if remember:
            self.past.append(copy_of(learner))
            self._younger[1] += 1
            if len(self.past) > self.recipe.league_size:
                del self.past[self._random.randrange(len(self.past) - 1)]
        for network in self.networks[1:]:
            network.load_state_dict(self._random.choice(self.past))
        return back_to

    def _look_back(self) -> None:
        """At who began: may it be gone back to, or even be the reference? Results come late, and
        the learner of now may be falling already: only who has played on since is to be trusted."""
        lead, at_most = self._leads()[0], self._leads(doubt=1)
        before, since = self._younger
        self._younger = [before + since, 0]
        raised = False
        if min(at_most) >= elo(AS_GOOD, 2):
            self.good, self._younger = self.began, [since, 0]
            raised = self._lead >= elo(CLEARLY_BETTER, 2)
        if raised:
            self.rating += self._lead
            self.networks[0].load_state_dict(self.began)
            self._lead = 0.0
            self._begin_to_count()
        else:
            self._lead = lead
            self._count_anew()
