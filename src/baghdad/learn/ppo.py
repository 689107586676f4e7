"""Self-play with proximal policy optimization (Schulman et al., 2017), on many games at once.

A lesson is some decisions of every game, and then a pass over all of them. All seats are played by
the one network, but for the league's; what a decision was worth is told by `returns`.
"""

import math
import warnings
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from baghdad.rules.engine.actions import (
    ACTION_COUNT,
    END_TURN,
    PASS_CARDS,
    PASS_WITH_DANCER,
    PASSES_BY_NAME,
)
from baghdad.rules.engine.observation import (
    FEATURES,
    OBSERVATION_SIZE,
    PALACE_SIZE,
    SEATS_AT,
)

from .advantages import frames, judge, outcomes
from .config import Recipe
from .cuda_graphs import Recorded, compiled, side_by_side
from .games import Games
from .league import League, Weights
from .network import PolicyNetwork
from .teacher import Teacher, draw

ILLEGAL = -1e9
NOBODY, OUTCOMES, PROGRESS = 4, slice(0, 5), 5
"""Places of what is expected: each outcome, then how far the seat has come."""
CHESTS_TAKEN = FEATURES.index("seat : chests taken")
THIEVES = slice(FEATURES.index("palace 1: thieves of the observer"), SEATS_AT, PALACE_SIZE)
"""Of the observer, in all palaces."""


BETAS = 0.9, 0.95
"""How long the optimizer remembers. With its usual 0.999, what has been silent for long and then
speaks is heard seven times too loud: actions that are hardly ever taken."""
MOST_CHANGE = 20.0
"""Of a likelihood's logarithm: more would be infinite before long."""
SPREAD = 320
"""Decisions after which games that began together are everywhere in their course."""


class Lesson(NamedTuple):
    """What is kept of each decision, [decisions, games, ...]."""

    observations: Tensor
    masks: Tensor
    actions: Tensor
    likelihoods: Tensor
    """Logarithms, of the actions that were chosen."""
    expected: Tensor
    """Each outcome's likelihood, from the chair of who decides; and how far it has come."""
    seats: Tensor
    chosen: Tensor
    """Whether the learner chose it, by its own policy."""
    over: Tensor
    results: Tensor
    """[..., 4, 6]: where it was the last of its game, what was expected then came out so."""


def new_lesson(decisions: int, games: int, device: str) -> Lesson:
    def empty(*size: int, of: torch.dtype) -> Tensor:
        return torch.zeros(decisions, games, *size, dtype=of, device=device)

    return Lesson(
        empty(OBSERVATION_SIZE, of=torch.int8),
        empty(ACTION_COUNT, of=torch.bool),
        empty(of=torch.int64),
        empty(of=torch.float32),
        empty(6, of=torch.float32),
        empty(of=torch.int8),
        empty(of=torch.bool),
        empty(of=torch.bool),
        empty(4, 6, of=torch.float32),
    )


def progress_of(observations: Tensor) -> Tensor:
    """How far the observer has come: a chest counts more than the thieves that it takes."""
    thieves = observations[:, THIEVES].sum(1)
    return 0.2 * observations[:, CHESTS_TAKEN] + 0.02 * thieves


def of_each(values: Tensor, actions: Tensor) -> Tensor:
    """[n]: of each row of values that of its action. Gathering is slow to go back through."""
    places = torch.arange(values.shape[1], device=values.device)
    return torch.where(places == actions[:, None], values, 0.0).sum(1)


class Learner:
    """A network, its games, and what it takes to improve it."""

    def __init__(
        self,
        recipe: Recipe,
        device: str,
        *,
        target: PolicyNetwork | None = None,
        network: PolicyNetwork | None = None,
        games_seed: str = "",
    ) -> None:
        """Begins with `network`, or a fresh one; with a `target` it learns to beat that alone."""
        seed = f"{recipe.seed} {games_seed}"
        torch.manual_seed(recipe.seed)
        self.recipe, self.device = recipe, device
        self.network = (network or PolicyNetwork(recipe.shape)).to(device)
        torch.manual_seed(Random(seed).getrandbits(32))
        on_gpu = device != "cpu"
        self._rate = torch.tensor(recipe.learning_rate, device=device)
        self._steering = {"lr": self._rate, "betas": BETAS, "fused": True, "capturable": on_gpu}
        self.optimizer = torch.optim.Adam(self.network.parameters(), eps=1e-5, **self._steering)
        tables = recipe.tables
        self.steps, self.lessons = 0, 0
        self._played = 0
        """Decisions of each game, by this learner."""
        self.entropy_weight = recipe.entropy_weight
        self.caution = self.most_caution = 1.0
        """Of the learning rate that is planned, how much is used, and how much may be."""
        self.games = Games(tables, recipe.games, device, seed, recipe.max_turns)
        counts = [tables[game % len(tables)].players for game in range(recipe.games)]
        self.players = torch.tensor(counts, device=device)
        self.frames = frames(self.players)
        self.league = League(recipe, self.players, self.network, target, seed)
        self.lesson = new_lesson(recipe.decisions, recipe.games, device)
        self.opening = torch.zeros(recipe.games, device=device)
        self._open(torch.ones(recipe.games, dtype=torch.bool, device=device))
        self.length = torch.zeros(recipe.games, device=device)
        self._progress = torch.zeros(recipe.games, 4, device=device)
        """[games, seat]: how far each has come when it last decided."""
        self._tally = torch.zeros(3, device=device)
        """Games over, their decisions, and how many of them nobody has won."""
        self._sums = torch.zeros(7, device=device)
        """Of the figures of all parts of a lesson."""
        self._half = recipe.half and device != "cpu"
        self._choose = compiled(self._choose_eagerly, recipe.compile)
        self._loss: Callable[..., Any] = compiled(self._loss_eagerly, recipe.compile)
        recorded = recipe.compile and on_gpu
        self._decide = Recorded(self._decide_one_by_one, recorded)
        self._notice = Recorded(self._notice_one_by_one, recorded)
        self._judge = Recorded(self._judge_one_by_one, recorded)
        self._improve_by = Recorded(self._improve_by_one, recorded)
        weigh = compiled(self._weigh_eagerly, recipe.compile)
        self.teacher = Teacher(recipe, device, Recorded(weigh, recorded))

    def learn(self, progress: float) -> dict[str, float]:
        """One lesson: play, judge, improve. `progress` is how far the run is, from 0 to 1."""
        recipe = self.recipe
        progress = min(max(progress, 0.0), 1.0)
        rate = recipe.learning_rate + progress * (recipe.last_learning_rate - recipe.learning_rate)
        rate *= self.caution
        self._rate.fill_(rate)
        for group in self.optimizer.param_groups:
            group.update(self._steering)  # a checkpoint brought its own
        shaping = recipe.shaping * max(0.0, 1 - progress / max(recipe.shaping_until, 1e-9))
        searched = progress >= 1 - recipe.searched
        goes_on = self.steps > 0 and not self._played
        if searched or goes_on:
            # All games have just begun: the next lessons would be of openings alone.
            while self._played < SPREAD:
                self._play(recipe.decisions)
        if searched:
            figures = self._play(min(recipe.search_decisions, recipe.decisions))
            decisions = self._search()
            learned = len(decisions[0])
        else:
            figures = self._play(recipe.decisions)
            decisions = self._judge(torch.tensor(shaping, device=self.device))
            learned = recipe.games * recipe.decisions
        figures |= self._improve(decisions)
        self.steps += learned
        self.lessons += 1
        told = {name: float(value) for name, value in figures.items()}
        for name, value in told.items():
            if not math.isfinite(value):
                raise FloatingPointError(f"{name} is {value} after {self.steps} decisions")
        weight = recipe.entropy_weight + progress * (
            recipe.last_entropy_weight - recipe.entropy_weight
        )
        # The floor is for decisions as they come in games; those of searched turns are others.
        if told["variety"] < recipe.entropy_floor and not searched:
            grown = min(1.1 * self.entropy_weight, recipe.most_entropy_weight)
        else:
            grown = 0.95 * self.entropy_weight
        self.entropy_weight = max(weight, grown)
        # A lesson that goes too far makes the next one worse: once begun, that undoes a whole run.
        too_far = 0 < recipe.most_moved < told["moved"]
        if too_far:
            self.caution = min(self.caution, max(0.5 * self.caution, 0.01))
        else:
            self.caution = min(1.05 * self.caution, self.most_caution)
        return told | {
            "learning_rate": rate,
            "shaping": shaping,
            "entropy_weight": self.entropy_weight,
            "caution": self.caution,
        }

    def go_back(self, earlier: Weights) -> None:
        """Be this earlier self again; forget how the weights moved since, and take more care."""
        self.network.load_state_dict(earlier)
        for moments in self.optimizer.state.values():
            for each in moments.values():
                each.zero_()
        self.most_caution *= 0.5
        self.caution = 0.1 * self.most_caution
        self.entropy_weight = self.recipe.last_entropy_weight

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def _play(self, decisions: int) -> dict[str, Tensor]:
        """Fill the lesson with decisions of every game; with fewer, a part of it."""
        games, lesson = self.games, self.lesson
        self._played += decisions
        self._tally.zero_()
        for step in range(decisions):
            decided = self._decide()
            for kept, now in zip(lesson[:7], decided, strict=True):
                kept[step].copy_(now)
            games.step(lesson.actions[step])
            for kept, now in zip(lesson[7:], self._notice(), strict=True):
                kept[step].copy_(now)
        over_sum, length_sum, unfinished = self._tally.clone()
        actions, chosen = lesson.actions[:decisions], lesson.chosen[:decisions]
        passes = (actions == PASS_CARDS) | (actions == PASS_WITH_DANCER)
        passes |= actions >= PASSES_BY_NAME[0]
        ends = (actions == END_TURN) | passes
        return {
            "games_over": over_sum,
            "length": length_sum / over_sum.clamp(min=1),
            "unfinished": unfinished / over_sum.clamp(min=1),
            "passes": (passes & chosen).sum() / (ends & chosen).sum().clamp(min=1),
        }

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def _decide_one_by_one(self) -> tuple[Tensor, ...]:
        """A decision in every game: what a lesson keeps of it before it is carried out."""
        games, league = self.games, self.league
        by_chance = self.opening > 0
        others = league.others(games.to_move)
        chosen = ~by_chance
        chosen[: league.games] &= ~others
        ours = partial(self._choose, self.network, games.observations, games.masks, by_chance)
        theirs = [partial(self._for_slot, *block) for block in league.blocks]
        (actions, likely, expected), *guests = side_by_side(self.device, [ours, *theirs])
        actions = actions.clone()
        guests_on = others & ~by_chance[: league.games]
        for (_, block), guest in zip(league.blocks, guests, strict=True):
            actions[block] = torch.where(guests_on[block], guest, actions[block])
        self._progress.scatter_(1, games.to_move.long()[:, None], expected[:, PROGRESS:])
        return games.observations, games.masks, actions, likely, expected, games.to_move, chosen

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def _notice_one_by_one(self) -> tuple[Tensor, Tensor]:
        """What came of it: whether the game is over, and how it went for each seat."""
        games, league = self.games, self.league
        over = games.over
        self.length += 1
        self._tally[0] += over.sum()
        self._tally[1] += torch.where(over, self.length, 0.0).sum()
        self._tally[2] += (over & (games.rewards <= 0).all(1)).sum()
        self.length.masked_fill_(over, 0.0)
        self.opening -= 1
        league.note(over, games.rewards)
        league.seat_anew(over[: league.games])
        self._open(over)
        results = [outcomes(games.rewards, self.frames), self._progress[..., None]]
        return over, torch.cat(results, 2)

    def _open(self, over: Tensor) -> None:
        """In games that begin, say how many decisions are left to chance at first."""
        random = torch.rand(2, len(over), device=self.device)
        count = (random[0] * self.recipe.opening_decisions).ceil()
        count = torch.where(random[1] < self.recipe.opening_share, count, 0.0)
        self.opening.copy_(torch.where(over, count, self.opening))

    def _for_slot(self, guest: PolicyNetwork | Tensor, games: slice) -> Tensor:
        """What a slot's network does in its games, or what scripts that like things so do."""
        now = self.games
        if isinstance(guest, Tensor):
            lots = torch.rand(len(guest), device=self.device)
            return draw(torch.where(now.masks[games], guest, ILLEGAL).softmax(1), lots)
        at_random = torch.zeros_like(now.to_move[games], dtype=torch.bool)
        seen, masks = now.observations[games], now.masks[games]
        warm = self.recipe.league_temperature
        actions: Tensor = self._choose(guest, seen, masks, at_random, warm)[0]
        return actions

    def _ask(self, network: PolicyNetwork, observations: Tensor) -> tuple[Tensor, Tensor]:
        with torch.autocast(self.device, torch.bfloat16, enabled=self._half):
            liked, winners = network(observations)
        return liked, winners

    def _weigh_eagerly(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """The policy, and how likely each outcome is."""
        liked, winners = self._ask(self.network, observations)
        return torch.where(masks, liked, ILLEGAL).softmax(1), winners.softmax(1)

    def _choose_eagerly(
        self,
        network: PolicyNetwork,
        observations: Tensor,
        masks: Tensor,
        at_random: Tensor,
        temperature: float = 1.0,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions by the network's policy, or any; how likely they were; expected outcomes.

        Without any temperature, the action that the network likes best.
        """
        liked, winners = self._ask(network, observations)
        liked = torch.where(at_random[:, None], 0.0, liked)
        liked = torch.where(masks, liked, ILLEGAL)
        if temperature:
            lots = torch.rand(len(liked), device=liked.device)
            actions = draw((liked / temperature).softmax(1), lots)
        else:
            actions = liked.argmax(1)
        likely = of_each(liked.log_softmax(1), actions)
        expected = torch.cat([winners.softmax(1), progress_of(observations)[:, None]], 1)
        return actions, likely, expected

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def _judge_one_by_one(self, shaping: Tensor) -> list[Tensor]:
        """What the lesson's decisions were worth: as `_loss` wants them, one after another."""
        recipe, lesson, now = self.recipe, self.lesson, self.games
        at_random = torch.zeros(recipe.games, dtype=torch.bool, device=self.device)
        next_expected = self._choose(self.network, now.observations, now.masks, at_random)[2]
        surprises, judged = judge(
            lesson.expected, lesson.seats, lesson.chosen, lesson.over, lesson.results,
            next_expected, now.to_move, recipe.trace, recipe.haste,
        )  # fmt: skip
        targets = (lesson.expected + surprises)[..., OUTCOMES]
        gains = surprises[..., 0] + shaping * surprises[..., PROGRESS]
        counts = self.players.expand(recipe.decisions, -1)
        advantages = self._even(gains, judged.float(), counts)
        parts = (*lesson[:4], targets, advantages, judged.float())
        return [part.flatten(0, 1) for part in parts]

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def _search(self) -> list[Tensor]:
        """Decisions of turns that were tried out, likewise."""
        recipe = self.recipe
        chosen = torch.randperm(recipe.games, device=self.device)[: recipe.search_positions]
        players = self.players[chosen]
        turns, led_to = self.teacher.ask(self.games.words(chosen), players)
        # What is expected of a position is what its turns lead to, as often as they are drawn.
        share = torch.zeros(len(chosen), device=self.device)
        share.index_add_(0, turns.roots, turns.share)
        weight = turns.share / share[turns.roots]
        expected = torch.zeros(len(chosen), led_to.shape[1], device=self.device)
        expected.index_add_(0, turns.roots, weight[:, None] * led_to)
        gains = led_to[:, 0] - expected[turns.roots, 0]
        gains = self._even(gains, weight, players[turns.roots])
        turn, step = (turns.actions >= 0).nonzero(as_tuple=True)
        targets = torch.where((step == 0)[:, None], expected[turns.roots[turn]], led_to[turn])
        decisions = [part[turn, step] for part in (turns.observations, turns.masks, turns.actions)]
        return [*decisions, turns.likelihoods[turn, step], targets, gains[turn], weight[turn]]

    def _improve(self, decisions: list[Tensor]) -> dict[str, Tensor]:
        """Make decisions more likely that were better than expected."""
        recipe = self.recipe
        entropy_weight = torch.tensor(self.entropy_weight, device=self.device)
        self._sums.zero_()
        weights = decisions[-1]
        heard = weights.nonzero()[:, 0]
        count = len(heard)
        # Compiled code is compiled for one size: what is missing in the last part comes once more.
        size = recipe.minibatch if recipe.compile else max(min(recipe.minibatch, count), 1)
        parts = -(-count // size)  # none, where openings and guests have decided everything
        times = -(-parts * size // max(count, 1))
        for _ in range(recipe.passes):
            order = heard[torch.randperm(count, device=self.device)]
            for rows in order.repeat(times)[: parts * size].split(size):
                self._improve_by(*[part[rows] for part in decisions], entropy_weight)
        names = (
            "policy_loss", "value_loss", "entropy", "variety", "moved", "clipped", "gradient",
        )  # fmt: skip
        means = self._sums / max(recipe.passes * parts, 1)
        return dict(zip(names, means, strict=True)) | {"judged": weights.mean()}

    def _improve_by_one(self, *given: Tensor) -> None:
        """By one part of the decisions."""
        self.optimizer.zero_grad(set_to_none=True)
        figures = self._go_back(given)
        norm = nn.utils.clip_grad_norm_(self.network.parameters(), self.recipe.gradient_norm)
        self.optimizer.step()
        self._sums[:6] += figures
        self._sums[6] += norm

    def _go_back(self, given: tuple[Tensor, ...]) -> Tensor:
        """Find the gradients. The way back is compiled when it is first gone, and may fail then."""
        loss, figures = self._loss(self.network, *given)
        try:
            loss.backward()
        except torch.OutOfMemoryError:
            raise
        except Exception as error:
            if self._loss == self._loss_eagerly:
                raise
            warnings.warn(f"PyTorch can't compile, it goes on without: {error}", stacklevel=2)
            self._loss = self._loss_eagerly
            self.optimizer.zero_grad(set_to_none=True)
            loss, figures = self._loss(self.network, *given)
            loss.backward()
        return figures.detach()

    def _even(self, advantages: Tensor, weights: Tensor, players: Tensor) -> Tensor:
        """Scaled for each number of players, so that none of them is heard more than another."""
        for count in self.recipe.players:
            of_count = players == count
            heard = torch.where(of_count, weights, 0.0)
            number = heard.sum().clamp(min=1e-6)
            mean = (heard * advantages).sum() / number
            spread = (heard * (advantages - mean).square()).sum() / number
            scaled = (advantages - mean) / (spread.sqrt() + 1e-6)
            advantages = torch.where(of_count, scaled, advantages)
        return advantages

    def _loss_eagerly(
        self,
        network: PolicyNetwork,
        observations: Tensor,
        masks: Tensor,
        actions: Tensor,
        before: Tensor,
        targets: Tensor,
        advantages: Tensor,
        weights: Tensor,
        entropy_weight: Tensor,
    ) -> tuple[Tensor, Tensor]:
        liked, winners = self._ask(network, observations)
        log_policy = torch.where(masks, liked, ILLEGAL).log_softmax(1)
        likely = of_each(log_policy, actions)
        weights = weights / weights.sum().clamp(min=1e-6)
        change = likely - before
        ratio = change.clamp(max=MOST_CHANGE).exp()
        clip, worst = self.recipe.clip, self.recipe.worst
        gain = torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)
        if worst:
            gain = torch.where(advantages < 0, torch.maximum(gain, worst * advantages), gain)
        policy_loss = -(weights * gain).sum()
        value_loss = -(weights * (targets * winners.log_softmax(1)).sum(1)).sum()
        log_policy = torch.where(masks, log_policy, 0.0)
        surprise = torch.where(masks, log_policy.exp() * log_policy, 0.0).sum(1)
        entropy = -(weights * surprise).sum()
        # Where all is decided every action is as good, and variety would be all that counts.
        open_yet = weights * (1 - winners.detach()[:, :NOBODY].softmax(1).amax(1))
        variety = -(open_yet * surprise).sum() / open_yet.sum().clamp(min=1e-6)
        too_rare = functional.relu(-self.recipe.rarest - log_policy).square().sum(1) / masks.sum(1)
        rare_loss = (weights * too_rare).sum()
        with torch.no_grad():
            # One decision that has become a million times likelier would be all that is seen.
            moved = (weights * 0.5 * change.clamp(-1, 1).square()).sum()
            clipped = (weights * ((ratio - 1).abs() > clip).float()).sum()
            figures = torch.stack([policy_loss, value_loss, entropy, variety, moved, clipped])
        loss = policy_loss + self.recipe.value_weight * value_loss - entropy_weight * variety
        return loss + self.recipe.rarest_weight * rare_loss, figures
