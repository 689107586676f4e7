"""Whole turns that the network proposes, tried out against what it would do in the other seats.

Turns are sampled from the policy, and equal ones merged. Each is played out in deals that could be
the true one, all seats going on by the policy, until it is the searcher's turn again; there the
network says how likely the searcher is to win. Turns that do badly drop out in rounds, and every
turn meets the same deals. Of two that do about as well, the one that was drawn more often is
preferred: of many that are tried, the best is also the luckiest.
"""

import time
from collections.abc import Sequence

import numpy as np

from baghdad.bots import Budget
from baghdad.bots.search.halving import halve
from baghdad.bots.search.tactician import Tactician
from baghdad.rules.engine.actions import ACTION_COUNT, Action
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.legality import empty_rows
from baghdad.rules.engine.material import (
    CHESTS_TO_WIN,
    OVER,
    TURN,
    Seat,
)
from baghdad.rules.engine.observation import OBSERVATION_SIZE
from baghdad.rules.engine.state import STATE, States
from baghdad.rules.views import View

from .layers import Floats
from .minds import (
    Numbers,
    choose_all,
    deal_until,
    look_all,
    new_generators,
    play_all,
    try_turns,
)
from .network import Network
from .weights_file import load_network

LONGEST = 24
"""Actions in a sampled turn; the rest of a longer one is for the next decision."""
LANES = 128
"""Games that the network looks at together: with fewer the processor waits for memory."""
DEFAULT_SIMULATIONS = 1000
DEALS_FOR_A_TURN = 8
"""With fewer simulations than that for each, fewer turns are tried."""
SIMULATIONS_IN_A_SECOND = 500
"""On a slow machine with four players: with too little time for all turns, fewer are tried."""
MOST_POSITIONS = 5000
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
        samples: int = 192,
        warmest: float = 3.0,
        keep: int = 32,
        trust: float = 0.004,
    ) -> None:
        self.network = network or load_network()
        self.samples = samples
        """Turns drawn from the policy."""
        self.warmest = warmest
        """They are drawn at temperatures up to this: the policy alone has but a few in mind, and
        what it overlooks is what there is to gain."""
        self.keep = keep
        """Different turns that are tried out, at most."""
        self.trust = trust
        """In its policy: how much more another turn has to win, each time that it was drawn e times
        less often."""
        self.simulations = 0
        """Played out for the last decision."""
        self._tactician = Tactician(MOST_POSITIONS)
        self._rows = empty_rows()

    def choose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng
    ) -> Sequence[Action]:
        began = time.perf_counter()
        self.simulations = 0
        if len(legal) == 1:
            return legal
        if budget == Budget():
            budget = Budget(simulations=DEFAULT_SIMULATIONS)
        enough = budget.simulations_at(SIMULATIONS_IN_A_SECOND)
        few = min(self.keep, max(enough // DEALS_FOR_A_TURN, 2))
        turns, drawn = (each[:few] for each in self._propose(view, rng))
        best = 0
        if len(turns) > 1:

            def try_out(alive: Numbers, deals: int) -> Numbers:
                return self._try_out(view, turns, alive, new_generators(rng, deals))

            best, self.simulations = halve(
                len(turns), budget, began, LANES, try_out, self.trust * np.log(drawn)
            )
        return [int(action) for action in turns[best] if action >= 0]

    def _propose(self, view: View, rng: Rng) -> tuple[Numbers, Numbers]:
        """[turn, LONGEST]: different turns, what the policy likes best and then the most often
        drawn first; -1 after the last action. [turn]: how often each was drawn. One that wins is
        the only one."""
        seat = view.viewer
        assert seat is not None
        state = view.determinize(rng)
        if state.phase == TURN:
            tactic = self._tactician.ask(view, MOST_POSITIONS)
            if state.loot[seat] + tactic.chests >= CHESTS_TO_WIN[state.players]:
                return np.array([tactic.actions]), np.ones(1)
        states = np.zeros(self.samples, STATE)
        states[:] = state
        turns = np.full((self.samples, LONGEST), -1, np.int16)
        rngs = new_generators(rng, self.samples)
        temperatures = np.linspace(1, self.warmest, self.samples)
        temperatures[0] = 0
        open_ = np.arange(self.samples)
        for place in range(LONGEST):
            going = states[open_]
            turns[open_, place] = self._decide(going, rngs, open_, temperatures[open_])
            states[open_] = going
            open_ = open_[(going["phase"] == state.phase) & (going["seat"] == seat)]
            if len(open_) == 0:
                break
        won = np.flatnonzero(states["winner"] == seat)
        if len(won):
            return turns[won[:1]], np.ones(1)
        # Turns that come to the same position are the same turn, in another order.
        found: dict[bytes, list[int]] = {}
        for number in range(self.samples):
            found.setdefault(states[number].tobytes(), []).append(number)
        first, *others = found.values()
        often = [first, *sorted(others, key=len, reverse=True)]
        drawn = np.array([len(numbers) for numbers in often])
        return turns[[numbers[0] for numbers in often]], drawn

    def _try_out(self, view: View, turns: Numbers, alive: Numbers, rngs: Numbers) -> Numbers:
        """[turn]: what each turn that is alive has won in all deals together."""
        seat = view.viewer
        assert seat is not None
        states = np.zeros(len(rngs) * len(alive), STATE)
        luck = np.zeros((len(states), 4), np.int64)
        try_turns(view.fields, turns, alive, rngs, states, luck)
        won = self._play_out(states, seat, luck).reshape(len(rngs), len(alive))
        sums = np.zeros(len(turns))
        sums[alive] = won.sum(axis=0)
        return sums

    def _play_out(self, states: States, seat: Seat, luck: Numbers) -> Floats:
        """[game]: how likely the seat is to win when it is its turn again."""
        open_ = np.arange(len(states))
        while len(open_):
            going, their_luck = states[open_], luck[open_]
            waiting = np.zeros(len(open_), np.bool_)
            deal_until(going, seat, their_luck, waiting)
            states[open_], luck[open_] = going, their_luck
            open_ = open_[waiting]
            if len(open_):
                going = states[open_]
                self._decide(going, luck, open_, np.ones(len(open_)))
                states[open_] = going
        won = (states["winner"] == seat).astype(np.float32)
        going_on = np.flatnonzero(states["phase"] != OVER)
        if len(going_on):
            observations, _ = self._look(states[going_on])
            won[going_on] = self.network(observations)[1][:, 0]
        return won

    def _decide(
        self, states: States, rngs: Numbers, games: Numbers, temperatures: Numbers
    ) -> Numbers:
        """Choose an action by the policy in each state, and play it; says which.

        `games` are the states' places among the generators.
        """
        observations, masks = self._look(states)
        liked, _ = self.network(observations)
        actions, mine = np.zeros(len(states), np.int64), rngs[games]
        choose_all(liked, masks, temperatures, mine, actions)
        rngs[games] = mine
        play_all(states, actions)
        return actions

    def _look(self, states: States) -> tuple[Numbers, Numbers]:
        observations = np.zeros((len(states), OBSERVATION_SIZE), np.int8)
        masks = np.zeros((len(states), ACTION_COUNT), np.bool_)
        look_all(states, self._rows, observations, masks)
        return observations, masks
