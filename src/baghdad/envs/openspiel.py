"""The game for OpenSpiel: `import baghdad.envs.openspiel`, then `pyspiel.load_game(NAME)`.

Chance is explicit, one card at a time. What a player knows is kept as the history that it has
seen: every decision, its own cards, and that others have drawn.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import pyspiel
except ModuleNotFoundError as error:
    error.add_note("pip install 'baghdad[openspiel]' brings it")
    raise

from baghdad.rules.engine.actions import ACTION_COUNT, TOKENS, Action
from baghdad.rules.engine.material import (
    CARD_LETTERS,
    CARDS_AFTER_NONE,
    GUARDS_OF_A_PLAYER,
    NEUTRALS_TO_PLACE,
    Card,
    Seat,
)
from baghdad.rules.engine.observation import (
    FEATURES,
    OBSERVATION_SIZE,
    TABLE_AT,
    observe,
)
from baghdad.rules.options import Options
from baghdad.rules.setup import new_states
from baghdad.rules.text_board import board_of
from baghdad.rules.views import view_of

from .events import Event, Recollection, drawn, no_events, seen_by, told, told_to
from .stepping import (
    CHANCE,
    ILLEGAL,
    NOBODY,
    empty_choices,
    fill_choices,
    reward,
    step_event,
    why_not,
)

NAME = "python_baghdad"
MAX_TURNS = 200
"""Turns after which a game ends without a winner: OpenSpiel wants games to be finite."""

USUAL = "usual"
"""An option that is left to the rulebook, and to what is usual where none is named."""
HYPHEN = "_"
"""What first hands are written with: OpenSpiel takes `6-8` for a number, and `6_8` as it is."""
DEFAULTS: dict[str, Any] = {
    "players": 2,
    "rulebook": USUAL,
    "variant": "standard",
    "rob": USUAL,
    "hands": USUAL,
    "spare": USUAL,
    "deal": USUAL,
    "max_turns": MAX_TURNS,
}

ATTEMPTS = 20
"""How often other cards are looked for. In the second half what was paid stays as it was drawn."""

_PLAYERS = {
    **{seat: seat for seat in range(4)},
    CHANCE: int(pyspiel.PlayerId.CHANCE),
    NOBODY: int(pyspiel.PlayerId.TERMINAL),
}
"""By what a step returns: OpenSpiel's number for it."""

NOT_ON_THE_BOARD = [
    place
    for place, name in enumerate(FEATURES)
    if place >= TABLE_AT or name.endswith(("cards in the discard pile", "guards to place"))
]
"""What an observation tells and a drawing of the table does not."""


def longest(options: Options, max_turns: int) -> int:
    """More events than a game can have.

    Guards are placed and cards dealt. A turn brings at most 4 cards and has one end, and every
    other action pays at least one card.

    >>> longest(Options(), 200), longest(Options(4, "neutral", deal=(25, 25, 25, 25)), 1)
    (1834, 225)
    """
    guards = GUARDS_OF_A_PLAYER[options.players]
    if options.variant == "neutral":
        guards += NEUTRALS_TO_PLACE
    cards = CARDS_AFTER_NONE
    return options.players * guards + 2 * sum(options.deal) + (cards + cards + 1) * max_turns


GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Thief of Baghdad",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)


class BaghdadGame(pyspiel.Game):
    """The rules and a table's options, as OpenSpiel sees them."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen = DEFAULTS | dict(params or {})
        chosen["deal"] = chosen["deal"].replace("-", HYPHEN)
        params = dict(chosen)
        chosen["deal"] = chosen["deal"].replace(HYPHEN, "-")
        self.max_turns = int(chosen.pop("max_turns"))
        if self.max_turns < 1:
            raise ValueError(f"max_turns: 1 or more, not {self.max_turns}")
        self.options = Options(**{name: value for name, value in chosen.items() if value != USUAL})
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTION_COUNT,
            max_chance_outcomes=6,
            num_players=self.options.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=longest(self.options, self.max_turns),
        )
        super().__init__(GAME_TYPE, info, params)
        self.start, self.first_choices = new_states(self.options), empty_choices()
        self.first_moment = fill_choices(self.start, self.first_choices, self.max_turns)

    def new_initial_state(self) -> "BaghdadState":
        return BaghdadState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> "BaghdadObserver | None":
        """An observer that sees all that is public and a player's own cards; no other kind."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return BaghdadObserver(kind, params, longest(self.options, self.max_turns))


class BaghdadState(pyspiel.State):
    """A position, and the events that led to it.

    OpenSpiel asks often whose turn it is: that, and what can be done, is kept with the position.
    It copies and pickles all attributes, one by one.
    """

    def __init__(self, game: BaghdadGame) -> None:
        super().__init__(game)
        self.max_turns = game.max_turns
        self.states = game.start.copy()
        self.choices = game.first_choices.copy()
        self.to_move, self.seat, self.count = game.first_moment
        self.events = no_events()

    def refresh(self) -> None:
        """Find out anew what can be done: for those who have changed `states` themselves."""
        self.to_move, self.seat, self.count = fill_choices(
            self.states, self.choices, self.max_turns
        )

    def current_player(self) -> int:
        return _PLAYERS[self.to_move]

    def is_chance_node(self) -> bool:
        return self.to_move == CHANCE

    def is_terminal(self) -> bool:
        return self.to_move == NOBODY

    def legal_actions(self, player: int | None = None) -> list[Action]:
        """As OpenSpiel's own, for which it would ask four times whose turn it is."""
        if self.to_move < 0 or (player is not None and player != self.to_move):
            return list(super().legal_actions(*(() if player is None else (player,))))
        return self._legal_actions(self.to_move)

    def _legal_actions(self, player: Seat) -> list[Action]:
        return self.choices[: self.count].tolist()

    def chance_outcomes(self) -> list[tuple[Card, float]]:
        counts = self.choices[:6].tolist()
        size = sum(counts)
        return [(card, count / size) for card, count in enumerate(counts) if count]

    def _apply_action(self, action: int) -> None:
        to_move, seat, count = step_event(
            self.states, self.choices, self.to_move, action, self.max_turns
        )
        if to_move == ILLEGAL:
            raise self._why_not(action)
        self.events.append(action if self.to_move >= 0 else drawn(action, self.seat))
        self.to_move, self.seat, self.count = to_move, seat, count

    def _why_not(self, action: int) -> ValueError:
        """OpenSpiel itself asks nobody, and the rules are not made for nonsense."""
        if self.to_move == NOBODY:
            return ValueError(f"the game is over, and nothing can be played, so not {action}")
        if self.to_move == CHANCE:
            return ValueError(f"chance: a card that can come, by its number, not {action}")
        return why_not(self.states[0], action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"={CARD_LETTERS[action]}"
        return TOKENS[action]

    def returns(self) -> list[float]:
        state = self.states[0]
        return [float(reward(state, seat)) for seat in range(int(state["players"]))]

    def resample_from_infostate(
        self, player: Seat, probability_sampler: Callable[[], float]
    ) -> "BaghdadState":
        """A state that the player can't tell from this one, with other cards for the others.

        It has a whole history of its own, which is played by the rules from the beginning.
        One number of the sampler decides it.
        """
        game = self.get_game()
        recollection = Recollection(game.options.players, player, self.events)
        random = Random(probability_sampler())
        for attempt in range(ATTEMPTS):
            cards = recollection.other_cards(
                random, oldest=attempt > 0, as_drawn=attempt >= ATTEMPTS // 2
            )
            if cards is not None:
                state: BaghdadState = game.new_initial_state()
                if state.replay(self.events, cards):
                    return state
        raise RuntimeError("no other cards were found for this history")

    def replay(self, events: Sequence[Event], cards: Mapping[int, Card]) -> bool:
        """Play these events, with `cards` at some places; whether all of it was legal."""
        for place, event in enumerate(events):
            action = event
            if event >= ACTION_COUNT:
                action = cards.get(place, (event - ACTION_COUNT) // 4)
            if self.to_move == CHANCE and not self.choices[action]:
                return False
            self.apply_action(action)
        return True

    def __str__(self) -> str:
        return told(self.events)


class BaghdadObserver:
    """What a player sees now and, where it recalls all, the history that it has seen."""

    def __init__(self, kind: Any, params: Mapping[str, Any] | None, length: int) -> None:
        if params:
            raise ValueError(f"an observer of {NAME} has no parameters, so not {params}")
        self.recalls = bool(kind.perfect_recall)
        self.tensor: npt.NDArray[np.float32] = np.zeros(
            OBSERVATION_SIZE + self.recalls * length, np.float32
        )
        self.dict = {"observation": self.tensor[:OBSERVATION_SIZE]}
        if self.recalls:
            self.dict["history"] = self.tensor[OBSERVATION_SIZE:]

    def set_from(self, state: BaghdadState, player: Seat) -> None:
        """Write the row of `rules.engine.observation`, and each seen event as its number plus 1."""
        observe(state.states[0], player, self.dict["observation"])
        if self.recalls:
            events = seen_by(player, state.events)
            self.dict["history"][len(events) :] = 0
            self.dict["history"][: len(events)] = events + 1

    def string_from(self, state: BaghdadState, player: Seat) -> str:
        """The events that the player has seen, or the table as it sees it now, and all that the
        row tells besides."""
        if self.recalls:
            return f"seat {player + 1}: {told_to(player, state.events)}"
        row = np.zeros(OBSERVATION_SIZE, np.int8)
        observe(state.states[0], player, row)
        more = [f"{FEATURES[place]} {row[place]}" for place in NOT_ON_THE_BOARD if row[place]]
        return f"{board_of(view_of(state.states[0], player))}\n{', '.join(more)}"


pyspiel.register_game(GAME_TYPE, BaghdadGame)
