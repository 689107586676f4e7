"""The game as a PettingZoo environment: agents act one after another (AEC), with action masks."""

import operator
from secrets import randbits
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

try:
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from pettingzoo import AECEnv
    from pettingzoo.utils.env import AECIterable, AECIterator
except ModuleNotFoundError as error:
    error.add_note("pip install 'baghdad[envs]' brings it")
    raise

from baghdad.rules.engine.actions import ACTION_COUNT
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.legality import empty_rows
from baghdad.rules.engine.material import (
    Deal,
    Hands,
    Rob,
    Spare,
    Variant,
)
from baghdad.rules.engine.observation import HIGH, OBSERVATION_SIZE
from baghdad.rules.engine.state import STATE, State
from baghdad.rules.options import Options, Rulebook
from baghdad.rules.setup import new_states
from baghdad.rules.views import view_of

from .drawing import RENDER_MODES, check_rendering, render
from .stepping import (
    ILLEGAL,
    RUNNING,
    TRUNCATED,
    observe_and_mask,
    reset_one,
    reward,
    step_one,
    turn_limit,
    why_not,
)

NO_GAME = "no game is going on: reset() begins one"
Agent: TypeAlias = str
Observation: TypeAlias = dict[str, npt.NDArray[np.int8]]


def env(**options: Any) -> "raw_env":
    """The environment for learners: an illegal action ends the game, with -1 for its agent.

    `options` are the others of `raw_env`. It comes without PettingZoo's own wrappers, which would
    take five sixths of its speed; what they guard against is refused here, too.
    """
    return raw_env(illegal="lose", **options)


class raw_env(AECEnv[Agent, Observation, int]):  # noqa: N801 (PettingZoo's name for it)
    """A game with an agent a seat, `seat_1` to `seat_4`.

    An observation is a dict: the row of `rules.engine.observation`, and the mask of legal actions.
    The winner gets 1, the others share -1; after a stalemate (R27) and at the limit of turns all
    get 0.
    """

    metadata = {  # noqa: RUF012 (PettingZoo wants it on the class)
        "name": "baghdad_v1",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        players: int = 2,
        *,
        rulebook: Rulebook | None = None,
        variant: Variant = "standard",
        rob: Rob | None = None,
        hands: Hands | None = None,
        spare: Spare | None = None,
        deal: Deal | str = (),
        max_turns: int | None = None,
        illegal: Literal["raise", "lose"] = "raise",
        render_mode: str | None = None,
        language: str = "en",
    ) -> None:
        super().__init__()
        check_rendering(render_mode, language)
        if illegal not in ("raise", "lose"):
            raise ValueError(f"illegal: raise or lose, not {illegal!r}")
        self.render_mode = render_mode
        self.language = language
        self.illegal = illegal
        self.max_turns = turn_limit(max_turns)
        table = Options(players, variant, rob, hands, spare, deal, rulebook)  # type: ignore[arg-type]
        self._start = new_states(table)
        self._states = self._start.copy()
        self._rows, self._unused = empty_rows(), empty_rows()
        self.possible_agents = [f"seat_{seat + 1}" for seat in range(players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_spaces = {agent: _observation_space() for agent in self._seats}
        self._action_spaces = {agent: spaces.Discrete(ACTION_COUNT) for agent in self._seats}
        self.state_space = spaces.Box(-128, 127, (STATE.itemsize,), np.int8)
        self._rng = new_rng(0)
        self._begun = self._stepped = False

    def observation_space(self, agent: Agent) -> spaces.Space[Any]:
        return self._observation_spaces[agent]

    def action_space(self, agent: Agent) -> spaces.Space[Any]:
        return self._action_spaces[agent]

    @property
    def game_state(self) -> State:
        """A copy of the full state, hidden cards and all."""
        state: State = self._states.copy()[0]
        return state

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. The same seed brings the same cards; without one chance goes on where it
        was. There are no `options`."""
        if seed is not None or not self._begun:
            self._rng = new_rng(randbits(128) if seed is None else seed)
        seat = reset_one(self._states, self._start, self._rng, self._rows)
        agents = self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in agents}
        self.agent_selection = agents[seat]
        self._skip_agent_selection = None
        self._begun = self._stepped = True
        if self.render_mode == "human":
            self.render()

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[Agent, Observation, int]:
        """The agents in the order of their turns, until the game is over for all of them."""
        self._must_have_begun()
        return _Agents(self, max_iter)

    def observe(self, agent: Agent) -> Observation:
        """What an agent sees; its mask is empty unless it is its turn."""
        self._must_have_begun()
        row, mask = np.empty(OBSERVATION_SIZE, np.int8), np.empty(ACTION_COUNT, np.int8)
        observe_and_mask(self._states, 0, self._seats[agent], self._unused, row, mask)
        return {"observation": row, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action of the agent whose turn it is, and draw the cards after it.

        `None` for an agent whose game is over. What is not legal raises `MoveError` and changes
        nothing, or ends the game: see `env`. What is not an action at all is refused in any case.
        """
        self._stepped = True
        try:
            agent = self.agent_selection
            over = self.terminations[agent] or self.truncations[agent]
        except (AttributeError, KeyError):  # before the first game, and after the end for all
            raise ResetNeeded(NO_GAME) from None
        if over:
            self._was_dead_step(action)
            return
        number = -1 if action is None else operator.index(action)
        status, seat = step_one(self._states, self._rng, self._rows, number, self.max_turns)
        self._cumulative_rewards[agent] = 0.0
        if status == RUNNING:
            self.agent_selection = self.possible_agents[seat]
        elif status != ILLEGAL:
            state = self._states[0]
            self._finish(
                {agent: float(reward(state, seat)) for agent, seat in self._seats.items()},
                truncated=status == TRUNCATED,
            )
        elif self.illegal == "raise" or not 0 <= number < ACTION_COUNT:
            raise why_not(self._states[0], number)
        else:
            self._finish(dict.fromkeys(self.agents, 0.0) | {agent: -1.0}, truncated=False)
        if self.render_mode == "human":
            self.render()

    def _finish(self, rewards: dict[Agent, float], truncated: bool) -> None:
        self.terminations = dict.fromkeys(self.agents, not truncated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.rewards = rewards
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        """The table as a spectator sees it: as text, as SVG, or printed for humans."""
        self._must_have_begun()
        return render(view_of(self._states[0], None), self.render_mode, self.language)

    def state(self) -> npt.NDArray[np.int8]:
        """Everything, hidden cards too, for critics that may look: the bytes of `game_state`."""
        self._must_have_begun()
        return np.frombuffer(self._states.tobytes(), np.int8).copy()

    def _must_have_begun(self) -> None:
        if not self._begun:
            raise ResetNeeded(NO_GAME)

    def close(self) -> None:
        """Nothing is open."""


class _Agents(AECIterable[Agent, Observation, int]):
    def __iter__(self) -> AECIterator[Agent, Observation, int]:
        return _AgentAfterAgent(self.env, self.max_iter)


class _AgentAfterAgent(AECIterator[Agent, Observation, int]):
    """Raises where `step` was forgotten, instead of naming the same agent for ever."""

    env: raw_env

    def __next__(self) -> Agent:
        agent = super().__next__()
        if not self.env._stepped:
            raise RuntimeError("agent_iter() goes on when step() or reset() is called for an agent")
        self.env._stepped = False
        return agent


def _observation_space() -> spaces.Space[Any]:
    return spaces.Dict(
        {
            "observation": spaces.Box(np.zeros_like(HIGH), HIGH, dtype=np.int8),
            "action_mask": spaces.Box(0, 1, (ACTION_COUNT,), np.int8),
        }
    )
