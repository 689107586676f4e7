"""Searched play, given back to the policy: expert iteration by whole turns.

In positions of its own games the network draws many turns; equal ones are merged. Every turn is
tried with the same luck to come, all seats playing on by the policy until the seat is on again,
where the network says who is likely to win. What a turn brings more than the others of its position
is then the advantage of each of its decisions: learned from as in self-play, but measured and not
taken from the one game that happened to be played.

Hands stay as they are. Over many positions that is how cards are held by who plays so; dealt anew
they would be anybody's, and the learner would prepare for weaker rivals than it has. The policy
that learns from it sees its own cards alone, as ever.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from baghdad.bots.neural.expert import MAX_ACTIONS
from baghdad.bots.neural.network import NOBODY, OUTCOMES
from baghdad.envs.batch import PHASE, SEAT, WINNER
from baghdad.rules.engine.material import OVER

from .boards import Boards, Weigh, byte
from .config import Recipe


class Turns(NamedTuple):
    """Different turns of positions, each [turns, ...]; of a decision, [turns, MAX_ACTIONS, ...]."""

    roots: Tensor
    """Whose position it is a turn of."""
    share: Tensor
    """How often it was drawn."""
    actions: Tensor
    """-1 after the last."""
    observations: Tensor
    masks: Tensor
    likelihoods: Tensor
    """Logarithms, of each action."""
    ends: Tensor
    """[turns, STATE_WORDS]: what it leads to."""


def draw(policy: Tensor, lots: Tensor) -> Tensor:
    """[lanes]: an action by likelihood, for a lot from 0 to 1 each; never one of likelihood 0.

    >>> draw(torch.tensor([[0.0, 0.5, 0.0, 0.5]] * 3), torch.tensor([0.0, 0.6, 1.0])).tolist()
    [1, 3, 3]
    """
    places = torch.arange(policy.shape[1], dtype=torch.int32, device=policy.device)
    possible = policy > 0
    # Sums are rounded: the first possible one beyond the lot, at the latest the last possible one.
    beyond = possible & (policy.cumsum(1) > lots[:, None])
    first = torch.where(beyond, places, len(places)).amin(1)
    return torch.minimum(first, torch.where(possible, places, 0).amax(1)).long()


def different(words: Tensor, samples: int, keep: int) -> tuple[Tensor, Tensor, Tensor]:
    """Of `samples` lanes for each position: the first of those that are the same, at most `keep`
    of a position, the most frequent; the first lane always. [turns]: position, lane, share.

    >>> words = torch.tensor([[1], [2], [3], [2], [5], [5], [5], [5]], dtype=torch.int32)
    >>> [part.tolist() for part in different(words, samples=4, keep=2)]
    [[0, 0, 1], [0, 1, 4], [0.25, 0.5, 1.0]]
    """
    device = words.device
    wide = words.long()
    spread = torch.arange(1, words.shape[1] + 1, device=device) * 0x1E3779B97F4A7C15
    mixed = (wide + spread) * 0x3F58476D1CE4E5B9
    keys = ((mixed ^ (mixed >> 29)) * 0x14D049BB133111EB).sum(1).view(-1, samples)
    keys, order = keys.sort(dim=1, stable=True)
    begins = torch.ones_like(keys, dtype=torch.bool)
    begins[:, 1:] = keys[:, 1:] != keys[:, :-1]
    group = begins.long().cumsum(1) - 1
    count = torch.zeros_like(keys).scatter_add_(1, group, torch.ones_like(keys))
    first = torch.full_like(keys, samples).scatter_reduce_(1, group, order, "amin")
    # Of two that were drawn as often, the one that was drawn first: never by their names.
    liked = (count + samples * (first == 0)) * (samples + 1) - first
    best = liked.topk(min(keep, samples), dim=1).indices
    count, first = count.gather(1, best), first.gather(1, best)
    position, place = (count > 0).nonzero(as_tuple=True)
    lane = position * samples + first[position, place]
    by_lane = lane.argsort()
    return position[by_lane], lane[by_lane], (count[position, place] / samples)[by_lane]


class Teacher:
    """Tries turns out, for many positions at once."""

    def __init__(self, recipe: Recipe, device: str, weigh: Weigh) -> None:
        self.recipe, self.device, self._weigh = recipe, device, weigh
        self._boards = Boards(device)

    def ask(self, words: Tensor, players: Tensor) -> tuple[Turns, Tensor]:
        """Turns of these positions, and what each leads to: [turns, 5], from the seat's chair."""
        turns = self._propose(words)
        return turns, self._try_out(turns, byte(words, SEAT)[turns.roots], players[turns.roots])

    def _ask(self, words: Tensor) -> tuple[Tensor, ...]:
        """What is seen, what may be done, the policy and the outcomes."""
        recipe = self.recipe
        return self._boards.ask(words, self._weigh, recipe.search_portion, recipe.compile)

    def _propose(self, words: Tensor) -> Turns:
        samples, device = self.recipe.search_samples, self.device
        states = words.repeat_interleave(samples, 0)
        lanes = len(states)
        seat, phase = byte(states, SEAT).clone(), byte(states, PHASE).clone()
        kept: list[tuple[Tensor, ...]] = []
        open_ = torch.arange(lanes, device=device)
        while len(open_) and len(kept) < MAX_ACTIONS:
            going = states[open_]
            seen, may, policy, _ = self._ask(going)
            actions = draw(policy, torch.rand(len(open_), device=device))
            # The first of each position is what the policy likes best.
            actions = torch.where(open_ % samples == 0, policy.argmax(1), actions)
            likely = policy.gather(1, actions[:, None])[:, 0].log()
            kept.append((open_, seen, may, actions, likely))
            self._boards.apply_actions(going, actions, None)
            states[open_] = going
            mine = (byte(going, PHASE) == phase[open_]) & (byte(going, SEAT) == seat[open_])
            open_ = open_[mine]
        roots, lane, share = different(states, samples, self.recipe.search_turns)
        place = torch.full((lanes,), -1, device=device)
        place[lane] = torch.arange(len(lane), device=device)
        return self._gather(roots, share, states[lane], place, kept)

    def _gather(
        self,
        roots: Tensor,
        share: Tensor,
        ends: Tensor,
        place: Tensor,
        kept: list[tuple[Tensor, ...]],
    ) -> Turns:
        """The turns that are tried, out of all that were drawn; `place` says where each goes."""
        count = len(roots)

        def empty(like: Tensor, filled: float = 0) -> Tensor:
            size = (count, MAX_ACTIONS, *like.shape[1:])
            return torch.full(size, filled, dtype=like.dtype, device=self.device)

        _, seen, may, actions, likely = kept[0]
        turns = Turns(
            roots, share, empty(actions, -1), empty(seen), empty(may), empty(likely), ends
        )
        for step, (lanes, seen, may, actions, likely) in enumerate(kept):
            rows = place[lanes]
            tried = rows >= 0
            rows = rows[tried]
            turns.actions[rows, step] = actions[tried]
            turns.observations[rows, step] = seen[tried]
            turns.masks[rows, step] = may[tried]
            turns.likelihoods[rows, step] = likely[tried]
        return turns

    def _try_out(self, turns: Turns, seats: Tensor, players: Tensor) -> Tensor:
        """[turns, 5]: how likely each outcome is after each turn, over all deals."""
        deals, device = self.recipe.search_deals, self.device
        count, positions = len(turns.roots), int(turns.roots[-1]) + 1
        # All turns of a position meet the same cards to come, and the same lots.
        luck = torch.randint(1 << 32, (positions, deals, 4), device=device)
        lots = torch.rand(4 * MAX_ACTIONS, positions, deals, device=device)
        roots, seat, number = (
            each.repeat_interleave(deals) for each in (turns.roots, seats, players)
        )
        deal = torch.arange(deals, device=device).repeat(count)
        rngs = luck[roots, deal].contiguous()
        states = turns.ends.repeat_interleave(deals, 0)
        open_ = torch.arange(len(states), device=device)
        nobody = torch.full_like(open_, -1)
        step = 0
        while len(open_):
            going, theirs = states[open_], rngs[open_]
            actions = nobody[: len(open_)]
            if step:
                policy = self._ask(going)[2]
                now = lots[(step - 1) % len(lots), roots[open_], deal[open_]]
                actions = draw(policy, now)
            self._boards.apply_actions(going, actions, theirs)
            states[open_], rngs[open_] = going, theirs
            waiting = (byte(going, PHASE) != OVER) & (byte(going, SEAT) != seat[open_])
            open_ = open_[waiting]
            step += 1
        won = torch.zeros(len(states), OUTCOMES, device=device)
        over = byte(states, PHASE) == OVER
        terminated, going_on = over.nonzero()[:, 0], (~over).nonzero()[:, 0]
        winner = byte(states, WINNER)[terminated].long()
        turned = (winner - seat[terminated]) % number[terminated]
        won[terminated, torch.where(winner < 0, NOBODY, turned)] = 1
        if len(going_on):
            won[going_on] = self._ask(states[going_on])[3]
        return won.view(count, deals, OUTCOMES).mean(1)
