"""The game for one learner against bots, as a Gymnasium environment.

Importing this module registers it: `gymnasium.make("baghdad/Thief-v0", opponents="heuristic")`.
"""

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as error:
    error.add_note("pip install 'baghdad[envs]' brings it")
    raise

from baghdad.bots import (
    Budget,
    bot_names,
    decide,
    make_bot,
)
from baghdad.rules.engine.actions import ACTION_COUNT
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.legality import empty_ids, empty_rows, legal_ids
from baghdad.rules.engine.material import (
    Deal,
    Hands,
    Rob,
    Seat,
    Spare,
    Variant,
)
from baghdad.rules.engine.observation import HIGH, OBSERVATION_SIZE
from baghdad.rules.engine.state import State
from baghdad.rules.options import Options, Rulebook
from baghdad.rules.setup import new_states
from baghdad.rules.views import view_of

from .drawing import RENDER_MODES, check_rendering, render
from .stepping import (
    ILLEGAL,
    RUNNING,
    TERMINATED,
    TRUNCATED,
    observe_and_mask,
    reset_one,
    reward,
    step_one,
    turn_limit,
    why_not,
)

ID = "baghdad/Thief-v0"
Observation = npt.NDArray[np.int8]


class ThiefEnv(gymnasium.Env[Observation, np.int64]):
    """One seat is the learner's, the others are played by bots.

    The learner sits at `seat`, or at another place each game. `opponents` names a bot for all the
    others, or one for each, in the order in which they sit after the learner.

    A step is one action of the learner, and all that the others do until it is its turn again. A
    win brings 1; a loss brings -1, shared with the other losers. An illegal action loses the game
    at once; `action_masks()` and `info["action_mask"]` say what is legal.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 4}  # noqa: RUF012 (Gymnasium's way)

    def __init__(
        self,
        opponents: str | Sequence[str] = "heuristic",
        players: int = 2,
        *,
        seat: Seat | None = None,
        rulebook: Rulebook | None = None,
        variant: Variant = "standard",
        rob: Rob | None = None,
        hands: Hands | None = None,
        spare: Spare | None = None,
        deal: Deal | str = (),
        simulations: int | None = None,
        max_turns: int | None = None,
        render_mode: str | None = None,
        language: str = "en",
    ) -> None:
        options = Options(players, variant, rob, hands, spare, deal, rulebook)  # type: ignore[arg-type]
        if seat is not None and seat not in range(players):
            raise ValueError(f"seat: 0 to {players - 1}, or None for any, not {seat!r}")
        check_rendering(render_mode, language)
        names = [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
        if len(names) != players - 1:
            raise ValueError(f"opponents: {players - 1} of them, not {len(names)}")
        if unknown := set(names).difference(bot_names()):
            raise ValueError(f"opponents: {', '.join(bot_names())}, not {', '.join(unknown)}")
        bots = {name: make_bot(name) for name in set(names)}
        self.opponents = [bots[name] for name in names]
        self.render_mode = render_mode
        self.language = language
        self.observation_space = spaces.Box(np.zeros_like(HIGH), HIGH, dtype=np.int8)
        self.action_space = spaces.Discrete(ACTION_COUNT)
        self.seat: Seat = seat or 0
        self._fixed_seat = seat
        self._players = players
        self._budget = Budget(simulations=simulations)
        self._max_turns = turn_limit(max_turns)
        self._start = new_states(options)
        self._states = self._start.copy()
        self._rows, self._unused, self._ids = empty_rows(), empty_rows(), empty_ids()
        self._mask = np.zeros(ACTION_COUNT, np.bool_)
        self._status, self._to_move = TERMINATED, 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game and let the others play until it is the learner's turn. There are no
        `options`."""
        super().reset(seed=seed)
        if self._fixed_seat is None:
            self.seat = int(self.np_random.integers(self._players))
        dealt = int(self.np_random.integers(2**63))
        self._rng = new_rng(dealt)
        self._bot_rngs = [new_rng(dealt, 1 + seat) for seat in range(self._players)]
        self._status = RUNNING
        self._to_move = reset_one(self._states, self._start, self._rng, self._rows)
        self._let_others_play()
        self._show()
        return self._observe()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self._status != RUNNING:
            raise gymnasium.error.ResetNeeded("no game is going on: reset() begins one")
        number = operator.index(action)
        self._play(number)
        if self._status == ILLEGAL:
            row, info = self._observe()
            why = str(why_not(self._states[0], number))
            return row, -1.0, True, False, info | {"illegal": why}
        self._let_others_play()
        self._show()
        row, info = self._observe()
        won = float(reward(self._states[0], self.seat))
        return row, won, self._status == TERMINATED, self._status == TRUNCATED, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """[ACTION_COUNT]: what is legal, as sb3-contrib asks for it."""
        return self._mask.copy()

    @property
    def game_state(self) -> State:
        """A copy of the full state, hidden cards and all."""
        state: State = self._states.copy()[0]
        return state

    def render(self) -> str | None:
        """The table as the learner sees it: as text, as SVG, or printed for humans."""
        return render(view_of(self._states[0], self.seat), self.render_mode, self.language)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _play(self, action: int) -> None:
        self._status, self._to_move = step_one(
            self._states, self._rng, self._rows, action, self._max_turns
        )

    def _let_others_play(self) -> None:
        while self._status == RUNNING and self._to_move != self.seat:
            seat = self._to_move
            bot = self.opponents[(seat - self.seat) % self._players - 1]
            legal = self._ids[: legal_ids(self._rows, self._ids)].tolist()
            view = view_of(self._states[0], seat)
            for action in decide(bot, view, legal, self._budget, self._bot_rngs[seat]):
                self._play(action)
                if self._status == ILLEGAL:
                    raise why_not(self._states[0], action)

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        row = np.empty(OBSERVATION_SIZE, np.int8)
        observe_and_mask(self._states, 0, self.seat, self._unused, row, self._mask)
        return row, {"action_mask": self._mask.astype(np.int8), "seat": self.seat}


gymnasium.register(ID, f"{__name__}:ThiefEnv")
