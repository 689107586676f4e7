"""Whole turns that the network proposes, tried out against what it would do in the other seats.

Turns are sampled from the policy, and equal ones merged. Each is played out in determinizations,
all seats going on by the policy, until it is the searcher's turn again; there the network returns
how likely the searcher is to win. Turns that do badly drop out in rounds (`search.seq_halving`),
and every turn meets the same deals. Of two that do about as well, the one that was drawn more often
is preferred: of many that are tried, the best is also the luckiest (the optimizer's curse, Smith
and Winkler 2006).
"""

import time
from collections.abc import Sequence

import numpy as np

from baghdad.bots.api import Budget
from baghdad.bots.search.seq_halving import sequential_halving
from baghdad.bots.search.tactician import Tactician
from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.material import (
    CHESTS_TO_WIN,
    OVER,
    TURN,
    Seat,
)
from baghdad.rules.engine.state import STATE, States
from baghdad.rules.views import View

from .batch import (
    Array,
    deal_all_games,
    observe_batch,
    play_all,
    play_candidates,
    sample_actions,
    spawn_rngs,
)
from .layers import Floats
from .network import Network
from .weights_file import load_network
from .win_probability import chance_of_view

MAX_ACTIONS = 24
"""Actions in a sampled turn; the rest of a longer one is for the next decision."""
BATCH_SIZE = 128
"""Games that the network looks at together: with fewer the processor waits for memory."""
DEFAULT_SIMULATIONS = 1000
SIMULATIONS_PER_CANDIDATE = 8
"""With fewer simulations than that for each, fewer turns are tried."""
SIMULATIONS_PER_SECOND = 500
"""On a slow machine with four players: with too little time for all turns, fewer are tried."""
MAX_POSITIONS = 5000
"""What the tactician may look at: some milliseconds."""


class ExpertBot:
    """Tries out whole turns that its network proposes.

    With a budget of seconds it stops in time, whatever it has; with simulations alone the same
    view and generator give the same decision.
    """

    def __init__(
        self,
        network: Network | None = None,
        *,
        num_samples: int = 192,
        max_temperature: float = 3.0,
        max_candidates: int = 32,
        prior_weight: float = 0.004,
    ) -> None:
        self.network = network or load_network()
        self.num_samples = num_samples
        """Turns drawn from the policy."""
        self.max_temperature = max_temperature
        """They are drawn at temperatures up to this: at 1 the policy proposes but a few different
        ones, and what it overlooks is what there is to gain."""
        self.max_candidates = max_candidates
        """Different turns that are tried out, at most."""
        self.prior_weight = prior_weight
        """How much more another turn has to win, each time that it was drawn e times less often."""
        self.simulations = 0
        """Simulations that the last decision took."""
        self._tactician = Tactician(MAX_POSITIONS)

    def choose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng
    ) -> Sequence[Action]:
        began = time.perf_counter()
        self.simulations = 0
        if len(legal) == 1:
            return legal
        if budget == Budget():
            budget = Budget(simulations=DEFAULT_SIMULATIONS)
        enough = budget.simulations_at(SIMULATIONS_PER_SECOND)
        few = min(self.max_candidates, max(enough // SIMULATIONS_PER_CANDIDATE, 2))
        turns, drawn = (each[:few] for each in self._propose(view, rng))
        best = 0
        if len(turns) > 1:

            def evaluate(candidates: Array, deals: int) -> Array:
                return self._try_out(view, turns, candidates, spawn_rngs(rng, deals))

            best, self.simulations = sequential_halving(
                len(turns), budget, began, BATCH_SIZE, evaluate, self.prior_weight * np.log(drawn)
            )
        return [int(action) for action in turns[best] if action >= 0]

    def chance(self, view: View, rng: Rng) -> float:
        """How likely it thinks that it is to win."""
        return chance_of_view(self.network, view, rng)

    def _propose(self, view: View, rng: Rng) -> tuple[Array, Array]:
        """[turn, MAX_ACTIONS]: different turns, -1 after the last action. [turn]: how often each
        was drawn. The policy's own comes first, then the most often drawn. One that wins is the
        only one."""
        seat = view.viewer
        assert seat is not None
        state = view.determinize(rng)
        if state.phase == TURN:
            tactic = self._tactician.ask(view, MAX_POSITIONS)
            if state.loot[seat] + tactic.chests >= CHESTS_TO_WIN[state.players]:
                return np.array([tactic.actions]), np.ones(1)
        states = np.zeros(self.num_samples, STATE)
        states[:] = state
        turns = np.full((self.num_samples, MAX_ACTIONS), -1, np.int16)
        rngs = spawn_rngs(rng, self.num_samples)
        temperatures = np.linspace(1, self.max_temperature, self.num_samples)
        temperatures[0] = 0
        active = np.arange(self.num_samples)
        for place in range(MAX_ACTIONS):
            now = states[active]
            turns[active, place] = self._play_policy(now, rngs, active, temperatures[active])
            states[active] = now
            active = active[(now["phase"] == state.phase) & (now["seat"] == seat)]
            if len(active) == 0:
                break
        won = np.flatnonzero(states["winner"] == seat)
        if len(won):
            return turns[won[:1]], np.ones(1)
        # Turns that come to the same position are the same turn, in another order.
        found: dict[bytes, list[int]] = {}
        for number in range(self.num_samples):
            found.setdefault(states[number].tobytes(), []).append(number)
        first, *others = found.values()
        often = [first, *sorted(others, key=len, reverse=True)]
        drawn = np.array([len(numbers) for numbers in often])
        return turns[[numbers[0] for numbers in often]], drawn

    def _try_out(self, view: View, turns: Array, candidates: Array, deal_rngs: Array) -> Array:
        """[turn]: what each candidate has won in all deals together."""
        seat = view.viewer
        assert seat is not None
        states = np.zeros(len(deal_rngs) * len(candidates), STATE)
        rngs = np.zeros((len(states), 4), np.int64)
        play_candidates(view.fields, turns, candidates, deal_rngs, states, rngs)
        won = self._rollout(states, seat, rngs).reshape(len(deal_rngs), len(candidates))
        sums = np.zeros(len(turns))
        sums[candidates] = won.sum(axis=0)
        return sums

    def _rollout(self, states: States, seat: Seat, rngs: Array) -> Floats:
        """[game]: how likely the seat is to win when it is its turn again."""
        active = np.arange(len(states))
        while len(active):
            now, now_rngs = states[active], rngs[active]
            others_turn = np.zeros(len(active), np.bool_)
            deal_all_games(now, seat, now_rngs, others_turn)
            states[active], rngs[active] = now, now_rngs
            active = active[others_turn]
            if len(active):
                now = states[active]
                self._play_policy(now, rngs, active, np.ones(len(active)))
                states[active] = now
        won = (states["winner"] == seat).astype(np.float32)
        undecided = np.flatnonzero(states["phase"] != OVER)
        if len(undecided):
            observations, _ = observe_batch(states[undecided])
            won[undecided] = self.network(observations)[1][:, 0]
        return won

    def _play_policy(self, states: States, rngs: Array, games: Array, temperatures: Array) -> Array:
        """Sample an action from the policy in each state, and play it; returns the actions.

        `games` are the states' places among the generators.
        """
        observations, masks = observe_batch(states)
        logits, _ = self.network(observations)
        actions, mine = np.zeros(len(states), np.int64), rngs[games]
        sample_actions(logits, masks, temperatures, mine, actions)
        rngs[games] = mine
        play_all(states, actions)
        return actions
