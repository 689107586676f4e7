"""The game for OpenSpiel: `import baghdad.envs.openspiel`, then `pyspiel.load_game(NAME)`.

Chance is explicit, one card at a time. What a player knows is kept as the history that it has
seen: every decision, its own cards, and that others have drawn.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import pyspiel
except ModuleNotFoundError as error:
    error.add_note("pip install 'baghdad[openspiel]' brings it")
    raise

from baghdad.rules.engine.actions import ACTION_COUNT, TOKENS, Action
from baghdad.rules.engine.legality import (
    empty_ids,
    empty_rows,
    legal_ids,
    legal_rows,
)
from baghdad.rules.engine.material import (
    CARD_LETTERS,
    CARDS_AFTER_NONE,
    DEALING,
    DRAWING,
    GUARDS_OF_A_PLAYER,
    NEUTRALS_TO_PLACE,
    OVER,
    Card,
    Seat,
)
from baghdad.rules.engine.observation import (
    FEATURES,
    OBSERVATION_SIZE,
    TABLE_AT,
    observe,
)
from baghdad.rules.engine.steps import (
    named_card,
    play,
    refill,
    reveal,
    settle,
)
from baghdad.rules.options import Options
from baghdad.rules.setup import new_states
from baghdad.rules.text_board import board_of
from baghdad.rules.views import view_of

from .stepping import may_play, reward, why_not

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

# Events: a decision is its action; a card that was drawn comes after those, by card and seat.
UNSEEN_CARD = 6
"""What is known of a card that another seat drew."""

NOT_ON_THE_BOARD = [
    place
    for place, name in enumerate(FEATURES)
    if place >= TABLE_AT or name.endswith(("cards in the discard pile", "guards to place"))
]
"""What an observation tells and a drawing of the table does not."""


def drawn(card: Card, seat: Seat) -> int:
    return ACTION_COUNT + 4 * card + seat


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
    """A position, and the events that led to it."""

    def __init__(self, game: BaghdadGame) -> None:
        super().__init__(game)
        self.max_turns = game.max_turns
        self.states = new_states(game.options)
        self.events: list[int] = []

    def current_player(self) -> int:
        state = self.states[0]
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if state["phase"] in (DEALING, DRAWING):
            return int(pyspiel.PlayerId.CHANCE)
        return int(state["seat"])

    def _legal_actions(self, player: Seat) -> list[Action]:
        rows, ids = empty_rows(), empty_ids()
        legal_rows(self.states[0], rows)
        return list(ids[: legal_ids(rows, ids)].tolist())

    def chance_outcomes(self) -> list[tuple[Card, float]]:
        deck = self.states["deck"][0].tolist()
        if self.states["named"][0] >= 0:
            named = int(named_card(self.states[0]))
            if named >= 0:
                return [(named, 1.0)]
        size = sum(deck)
        return [(card, count / size) for card, count in enumerate(deck) if count]

    def _apply_action(self, action: int) -> None:
        state = self.states[0]
        self._check(action)
        if self.is_chance_node():
            self.events.append(drawn(action, int(state["seat"])))
            reveal(state, action)
        else:
            self.events.append(action)
            play(state, action)
        while state["phase"] in (DEALING, DRAWING):
            if state["due"] > 0:
                refill(state)
                return
            settle(state)

    def _check(self, action: int) -> None:
        """OpenSpiel itself asks nobody, and the rules are not made for nonsense."""
        if self.is_chance_node():
            if action not in dict(self.chance_outcomes()):
                raise ValueError(f"chance: a card that can come, by its number, not {action}")
            return
        rows = empty_rows()
        legal_rows(self.states[0], rows)
        if not may_play(rows, action):
            raise why_not(self.states[0], action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"={CARD_LETTERS[action]}"
        return TOKENS[action]

    def is_terminal(self) -> bool:
        state = self.states[0]
        return bool(state["phase"] == OVER or state["turn"] >= self.max_turns)

    def returns(self) -> list[float]:
        state = self.states[0]
        return [float(reward(state, seat)) for seat in range(int(state["players"]))]

    def seen_by(self, player: Seat) -> list[int]:
        """The events, with others' cards face down."""
        return [
            event
            if event < ACTION_COUNT or (event - ACTION_COUNT) % 4 == player
            else drawn(UNSEEN_CARD, (event - ACTION_COUNT) % 4)
            for event in self.events
        ]

    def __str__(self) -> str:
        return _told(self.events)


def _told(events: list[int]) -> str:
    """Events as tokens of the record, a card at a time, with the seat that drew it."""
    letters = CARD_LETTERS[:6] + "?"
    return " ".join(
        TOKENS[event]
        if event < ACTION_COUNT
        else f"{(event - ACTION_COUNT) % 4 + 1}={letters[(event - ACTION_COUNT) // 4]}"
        for event in events
    )


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
            events = state.seen_by(player)
            self.dict["history"][len(events) :] = 0
            self.dict["history"][: len(events)] = np.array(events) + 1

    def string_from(self, state: BaghdadState, player: Seat) -> str:
        """The events that the player has seen, or the table as it sees it now, and all that the
        row tells besides."""
        if self.recalls:
            return f"seat {player + 1}: {_told(state.seen_by(player))}"
        row = np.zeros(OBSERVATION_SIZE, np.int8)
        observe(state.states[0], player, row)
        more = [f"{FEATURES[place]} {row[place]}" for place in NOT_ON_THE_BOARD if row[place]]
        return f"{board_of(view_of(state.states[0], player))}\n{', '.join(more)}"


pyspiel.register_game(GAME_TYPE, BaghdadGame)
