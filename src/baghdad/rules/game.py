"""The friendly face of the rules: a game that is played, taken back, looked at and written down."""

from collections.abc import Mapping
from dataclasses import replace
from operator import index
from secrets import randbits
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.jit.lazy import LazyModule
from baghdad.rules.engine.actions import (
    ACTION_COUNT,
    PASS_CARDS,
    PASSES_BY_NAME,
    TOKENS,
    Action,
)
from baghdad.rules.engine.material import (
    CARDS_AFTER_ACTIONS,
    CARDS_AFTER_NONE,
    DEALING,
    DRAWING,
    OVER,
    PLACING,
    Card,
    Deal,
    Hands,
    Rob,
    Seat,
    Spare,
    Variant,
)
from baghdad.rules.engine.state import STATE, State, States
from baghdad.rules.engine.views import CHANCE

from .ending import (
    ENDING_HEADERS,
    TERMINATIONS,
    Resigned,
    Termination,
    conclude,
    ending_headers,
    ends_with,
    over_by,
)
from .errors import (
    CutRecordError,
    IllegalMoveError,
    MoveError,
    NotAMoveError,
    OutOfTurnError,
    RecordError,
)
from .fair import SEED_HEADER
from .loading import load
from .notation import (
    OPTIONAL,
    REQUIRED,
    Move,
    Record,
    Token,
    is_beginning,
    kind_of,
    read_records,
    read_token,
    unseen,
    write_move,
    write_record,
)
from .options import Options, Rulebook
from .places import rows_of, start_of
from .position import position_of, shown_of
from .refusals import move_error, refusal, wrong_moment
from .setup import new_states
from .typed_moves import understand
from .views import View, options_of, view_of

if TYPE_CHECKING:
    from .engine import dealer, entry, legality
else:
    dealer = LazyModule("baghdad.rules.engine.dealer")
    entry = LazyModule("baghdad.rules.engine.entry")
    legality = LazyModule("baghdad.rules.engine.legality")


_DRAWS = {".": CARDS_AFTER_ACTIONS, "-*": CARDS_AFTER_NONE - 1} | {
    TOKENS[action]: CARDS_AFTER_NONE for action in (PASS_CARDS, *PASSES_BY_NAME)
}
"""By the token that ends a turn: cards that come, where there are as many."""


_PHASE, _SEAT, _WINNER, _ACTED, _DUE = map(start_of, ("phase", "seat", "winner", "acted", "due"))
(_CHESTS,), (_DECK,), (_DISCARD,), (_LOOT,) = map(rows_of, ("chests", "deck", "discard", "loot"))
_HANDS = rows_of("hands")
_NOBODY = 0xFF
"""-1 as a byte."""
_REMADE = ("_states", "_legal")
"""What follows from the rest of a game."""


class Past(NamedTuple):
    """A move that was played, and all that is needed to take it back."""

    token: str
    auto: bool
    """Played by the game's own dealer."""
    state: bytes
    rng: bytes
    before: "Past | None"
    """The move before it: a chain, so that copies of a game share what they have in common."""

    @property
    def chance(self) -> bool:
        return self.token[0] == "="


class Kept(NamedTuple):
    """Moves that are not taken back any more: what the record needs of them."""

    tokens: tuple[str, ...]
    seats: bytes
    """By token: whose turn it was, or to whom the cards came."""


class Game:
    """A game of Thief of Baghdad.

    With a seed, a dealer deals and draws the cards. Without one, chance is yours to play, as
    tokens like `"=RGW"` or with `deal`.

    What is agreed on is named one by one, or by a rulebook.

    >>> Game(players=3, rulebook="cs", deal="balanced").options
    Options(players=3, spare='chosen', deal=(6, 7, 9), rulebook='cs')
    >>> game = Game(players=2, seed=7)
    >>> game.play("@R")
    >>> game.to_move, len(game.legal()), game.legal_tokens()[:3]
    (1, 6, ['@B', '@G', '@P'])
    >>> game.play("R>G(R)")
    Traceback (most recent call last):
    baghdad.rules.errors.OutOfTurnError: R6: guards are still being placed
    """

    _legal: "legality.Rows | None"
    """The legal actions as bits, where somebody has asked for them."""

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
        seed: int | str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.options = Options(players, variant, rob, hands, spare, deal, rulebook)  # type: ignore[arg-type]
        self.headers: dict[str, str] = dict(headers or {})
        """Free headers of the record: `Seats`, `Date`, `Event` and any other."""
        self.termination: Termination | None = None
        """How it has ended where no move has ended it (R28), or at a simulation's turn limit."""
        self.resigned: Resigned = {}
        """By seat that has given up (R28): the number of tokens before it."""
        self._hold(new_states(self.options).tobytes())
        self._rng = None if seed is None else dealer.new_rng(seed)
        self._past: Past | None = None
        self._kept: tuple[Kept, ...] = ()
        self._revealed = 0
        self._midway = False
        self._deal_if_seeded()

    @classmethod
    def with_options(
        cls,
        options: Options,
        *,
        seed: int | str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> "Game":
        """A game with options that are at hand as one value."""
        return cls(
            options.players,
            rulebook=options.rulebook,
            variant=options.variant,
            rob=options.rob,
            hands=options.hands,
            spare=options.spare,
            deal=options.deal,
            seed=seed,
            headers=headers,
        )

    # Looking

    @property
    def state(self) -> State:
        """A copy of the full state, hidden cards and all. Bots are given a `view` instead.

        To keep or send one, use its `tobytes()` and `state_from_bytes`.
        """
        state: State = self.states()[0]
        return state

    def states(self) -> States:
        """A copy of the full state as an array of one, for compiled code of your own."""
        return _thawed(self._raw)

    @property
    def to_move(self) -> Seat | None:
        """The seat that decides, `CHANCE`, or None when the game is over."""
        phase = self._raw[_PHASE]
        if phase == OVER:
            return None
        return CHANCE if phase in (DEALING, DRAWING) else self._raw[_SEAT]

    @property
    def over(self) -> bool:
        return self._raw[_PHASE] == OVER

    @property
    def winner(self) -> Seat | None:
        """The seat that has won; None before the end and after a stalemate."""
        winner = self._raw[_WINNER]
        return None if winner == _NOBODY else winner

    @property
    def turns(self) -> int:
        """Turns that are finished."""
        turns: int = self._states["turn"].item()
        return turns

    @property
    def loot(self) -> tuple[int, ...]:
        """By seat: chests taken."""
        return tuple(self._raw[_LOOT][: self.options.players])

    @property
    def acted(self) -> bool:
        """Whether an action was taken in this turn; it can be taken back until the turn ends."""
        return bool(self._raw[_ACTED])

    @property
    def due(self) -> int:
        """Cards that the pending chance step reveals."""
        return self._raw[_DUE]

    @property
    def revealed(self) -> int:
        """Palace cards dealt and drawn so far."""
        return self._revealed

    @property
    def placing(self) -> bool:
        """Whether guards are still being placed (R6)."""
        return self._raw[_PHASE] == PLACING

    @property
    def chests(self) -> tuple[int, ...]:
        """By palace: chests left."""
        return tuple(self._raw[_CHESTS])

    @property
    def deck_size(self) -> int:
        """Cards in the stack."""
        return sum(self._raw[_DECK])

    @property
    def discarded(self) -> int:
        """Cards that were played, and are not back in the stack."""
        return sum(self._raw[_DISCARD])

    @property
    def tokens(self) -> tuple[str, ...]:
        """All that was played, decisions and chance."""
        kept = [token for each in self._kept for token in each.tokens]
        return (*kept, *(past.token for past in self._pasts()))

    def legal(self) -> list[Action]:
        """The legal actions, ascending; none at a chance step and after the end."""
        ids = legality.empty_ids()
        found: list[Action] = ids[: legality.legal_ids(self._rows(), ids)].tolist()
        return found

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """[ACTION_COUNT]: which actions are legal."""
        mask = np.zeros(ACTION_COUNT, np.bool_)
        legality.legal_mask(self._rows(), mask)
        return mask

    def legal_tokens(self) -> list[str]:
        """The legal moves as sorted tokens; `["="]` at a chance step."""
        if self.to_move == CHANCE:
            return ["="]
        return sorted(TOKENS[action] for action in self.legal())

    def view(self, seat: Seat | None) -> View:
        """What a seat may know; None for a spectator."""
        return view_of(self._states[0], seat)

    def shown(self) -> dict[str, Any]:
        """What everybody at the table may know, as plain lists and numbers."""
        return shown_of(self._raw)

    def hand(self, seat: Seat) -> list[int]:
        """A seat's cards by palace, dancers last. Only that seat may know them."""
        return list(self._raw[_HANDS[seat]])

    def position(self) -> dict[str, Any]:
        """The whole position in the JSON form of the game record, nothing hidden."""
        return position_of(self._states[0], self.options, self.legal_tokens())

    # Playing

    def understand(self, text: str) -> Action:
        """The legal action that a person means who types this; nothing is played.

        Raises what `play` would, and `NotAMoveError` where several payments are possible.

        >>> game = Game(players=2, seed=7)
        >>> game.play(game.understand("r"))
        >>> game.tokens
        ('@R',)
        >>> game.understand("+r")
        Traceback (most recent call last):
        baghdad.rules.errors.OutOfTurnError: R6: guards are still being placed
        """
        self._must_go_on()
        state = self._states[0]
        return understand(text, self.legal(), lambda action: refusal(state, action))

    def play(self, move: Action | str, *, seat: Seat | None = None) -> None:
        """Play an action by number or any move by token.

        Raises `NotAMoveError`, `OutOfTurnError` or `IllegalMoveError`, and changes nothing then.
        With `seat`, also refuses what is not that seat's to decide: others' turns, and chance.
        """
        played = self._read(move)
        self._must_go_on()
        if isinstance(played, tuple):
            if seat is not None:
                raise OutOfTurnError("cards_by_chance", "R24")
            self.draw(played)
            return
        if seat is not None and self.to_move not in (seat, CHANCE, None):
            raise OutOfTurnError("not_your_turn", "R5", seat=int(self._states[0].seat) + 1)
        if not legality.is_legal(self._rows(), played):
            raise refusal(self._states[0], played)
        self._past = Past(TOKENS[played], False, *self._saved(), self._past)
        entry.play(self._states, played)
        self._legal = None
        self._deal_if_seeded()

    def draw(self, cards: tuple[Card, ...]) -> str:
        """Let these cards come at the pending chance step, and return its token.

        Raises what `play` would.

        >>> game = Game(players=2, hands="seen")
        >>> game.draw((0, 0, 1, 2, 3, 4))
        '=RRGWPY'
        """
        self._must_go_on()
        saved = self._saved()
        reason, *about = entry.try_draw(self._states, np.array(cards, np.int64), self._promised)
        if reason >= 0:
            self._hold(saved[0])
            raise move_error(reason, *about, given=len(cards))
        self._legal = None
        token = write_move(cards)
        self._past = Past(token, False, *saved, self._past)
        self._revealed += len(cards)
        return token

    def deal(self, seed: int | str | None = None) -> str:
        """Let chance decide the pending chance step, and return its token.

        Without a seed the outcome can't be repeated.
        """
        self._must_go_on()
        if error := wrong_moment(self._states[0], None):
            raise error
        return self._deal(dealer.new_rng(randbits(128) if seed is None else seed), auto=False)

    def undo(self) -> str:
        """Take back the last move and return its token.

        In a game with a seed that is the last decision, along with the cards dealt after it; the
        same cards will come again. An ending that was not a move is taken back with it. A seat that
        gave up earlier stays so.
        """
        past, revealed = self._past, 0
        while past is not None and past.auto:
            revealed += len(past.token) - 1
            past = past.before
        if past is None:
            raise OutOfTurnError("nothing_to_undo")
        self._revealed -= revealed + (len(past.token) - 1 if past.chance else 0)
        self._past = past.before
        self._hold(past.state)
        if self._rng is not None:
            self._rng = np.frombuffer(bytearray(past.rng), np.int64)
        self._go_on()
        return past.token

    def resign(self, seat: Seat) -> None:
        """A seat's player gives up, at any moment (R28).

        With two players the other has won. With more the seat is played on, and may even win; when
        all have given up nobody has won.

        >>> game = Game(players=2, seed=7)
        >>> game.resign(0)
        >>> game.winner, game.termination, game.resigned
        (1, 'resigned', {0: 0})
        """
        players = self.options.players
        if isinstance(seat, bool) or seat not in range(players):
            raise ValueError(f"seat: 0 to {players - 1}, not {seat!r}")
        self._must_go_on(by_moves=True)
        if seat in self.resigned:
            raise OutOfTurnError("has_resigned", "R28", seat=seat + 1)
        self.resigned = self.resigned | {int(seat): len(self.tokens)}
        if ends_with(players, self.resigned) is not None:
            self.end("resigned")

    def end(self, how: Termination) -> None:
        """End the game without a move: all have agreed, nobody plays any more, or it is too long.

        `"resigned"`: nobody is left who has not given up. Nobody has won, but with two players.
        """
        if how not in TERMINATIONS:
            raise ValueError(f"how: {', '.join(TERMINATIONS)}, not {how!r}")
        self._must_go_on(by_moves=True)
        if how == "resigned" and not self.resigned:
            raise ValueError("nobody has given up")
        self.termination = how
        self._states["phase"] = OVER
        self._legal = None
        if how == "resigned" and self.options.players == 2:
            self._states["winner"] = 1 - next(iter(self.resigned))

    def copy(self) -> "Game":
        """The same game, to go on from here apart from this one."""
        twin = Game.__new__(Game)
        twin.options = self.options
        twin.headers = dict(self.headers)
        twin.termination = self.termination
        twin.resigned = self.resigned
        twin._hold(self._raw)
        twin._legal = self._legal
        twin._rng = None if self._rng is None else self._rng.copy()
        twin._past = self._past
        twin._kept = self._kept
        twin._revealed = self._revealed
        twin._midway = self._midway
        return twin

    __copy__ = copy

    def from_this_turn(self) -> "Game":
        """The same game, to go on from here, without the moves of earlier turns: a light copy.

        What was done in this turn can be taken back. `tokens` and `record` begin with it.

        >>> game = Game(players=2, seed=7)
        >>> game.play("@R")
        >>> game.play("@G")
        >>> game.from_this_turn().tokens
        ('@G',)
        """
        twin = self.copy()
        twin.keep_this_turn()
        twin._kept = ()
        return twin

    def keep_this_turn(self) -> None:
        """Let go of all that was needed to take back moves of earlier turns.

        They stay in `tokens` and `record`, and need a fraction of the memory.

        >>> game = Game(players=2, seed=7)
        >>> game.play("@R")
        >>> game.play("@G")
        >>> game.keep_this_turn()
        >>> game.tokens[-2:], game.undo()
        (('@R', '@G'), '@G')
        >>> game.undo()
        Traceback (most recent call last):
        baghdad.rules.errors.OutOfTurnError: there is nothing to take back yet
        """
        pasts, first = self._pasts(), 0
        for at, past in enumerate(pasts):
            if not past.state[_ACTED]:
                first = at
        if first:
            earlier = pasts[:first]
            tokens = tuple(past.token for past in earlier)
            self._kept = (*self._kept, Kept(tokens, bytes(map(_seat_before, earlier))))
            self._past = None
            for past in pasts[first:]:
                self._past = past._replace(before=self._past)

    def __deepcopy__(self, memo: object) -> "Game":
        return self.copy()

    # Writing down

    @property
    def result(self) -> str:
        """As in the record: a seat from 1, `-` where nobody has won, `*` unfinished."""
        if self.winner is not None:
            return str(self.winner + 1)
        return "-" if self.over else "*"

    def record(self, *, seat: Seat | None = None) -> str:
        """The game as text, complete with its chance.

        With a seat, as that seat knows it: others' cards are written `?`, and the secret that all
        cards follow from is left out. Such a record can be read, but not replayed.
        """
        if self._midway:
            raise ValueError("a game that began with a position has no record")
        told = ENDING_HEADERS if seat is None else (*ENDING_HEADERS, SEED_HEADER)
        free = {name: self.headers[name] for name in self.headers if name not in told}
        headers = ending_headers(self.termination, self.resigned) | free
        tokens = self.tokens if seat is None else self._tokens_seen_by(seat)
        return write_record(self.options, self.result, headers, tokens)

    def _tokens_seen_by(self, seat: Seat) -> list[str]:
        if seat not in range(self.options.players):
            raise ValueError(f"seat: 0 to {self.options.players - 1}, not {seat!r}")
        told = [pair for each in self._kept for pair in zip(each.tokens, each.seats, strict=True)]
        told += [(past.token, _seat_before(past)) for past in self._pasts()]
        return [
            unseen(token) if token[0] == "=" and before != seat else token for token, before in told
        ]

    @classmethod
    def from_position(cls, position: Mapping[str, Any], *, seed: int | str | None = None) -> "Game":
        """The game that goes on from a `position()`. Raises `PositionError` if it is not one.

        What came before is not in it: such a game has no record.
        """
        options, states = load(position)
        return cls._midway_through(options, states.tobytes(), seed)

    @classmethod
    def from_state(
        cls, state: State, *, rulebook: Rulebook | None = None, seed: int | str | None = None
    ) -> "Game":
        """The game that goes on from a copy of a state, such as `View.determinize` returns.

        Nothing is checked: a state that can't come about is the caller's to answer for. What came
        before is not in it: such a game has no record.

        >>> view = Game(players=2, seed=7).view(0)
        >>> Game.from_state(view.determinize(dealer.new_rng("guess"))).view(0) == view
        True
        """
        options = replace(options_of(state), rulebook=rulebook)
        return cls._midway_through(options, state.tobytes(), seed)

    @classmethod
    def _midway_through(cls, options: Options, state: bytes, seed: int | str | None) -> "Game":
        game = cls.with_options(options)
        game._hold(state)
        game._midway = True
        game._rng = None if seed is None else dealer.new_rng(seed)
        game._deal_if_seeded()
        return game

    @classmethod
    def from_record(cls, record: str | Record) -> "Game":
        """The game that a record tells, every move checked.

        Raises `RecordError`, which says where the mistake is and which rule it breaks. One that
        stops early is a `CutRecordError`, which has the game as far as it goes.
        """
        if isinstance(record, str):
            records = read_records(record)
            if len(records) > 1:
                at = records[1].result_at
                raise RecordError(at.line, at.column, "", key="several", n=len(records))
            record = records[0]
        game = cls.beginning(record)
        for token in record.tokens:
            game.play_token(token, last=token is record.tokens[-1])
        game.check_result(record)
        return game

    @classmethod
    def beginning(cls, record: Record) -> "Game":
        """The game of a record before its first token."""
        return cls.with_options(
            record.options,
            headers={
                name: value
                for name, value in record.headers.items()
                if name not in (*REQUIRED, *OPTIONAL, *ENDING_HEADERS)
            },
        )

    def play_token(self, token: Token, *, last: bool = False) -> None:
        """Play a token of a record; a refusal says where it stands.

        The `last` one may have been cut off in the middle.
        """
        try:
            self.play(token.text)
        except MoveError as error:
            place = token.line, token.column, token.text
            few_cards = error.key == "cards_due" and len(token.text) <= self.due
            if last and (few_cards or is_beginning(token.text)):
                raise CutRecordError(*place, self, key="cut_token") from error
            raise RecordError(*place, error) from error

    def check_result(self, record: Record) -> None:
        """Let the game end as its record says; refuse what the moves don't bear out."""
        conclude(self, record)

    def __repr__(self) -> str:
        return f"<Game: {self.options.players} players, {self.turns} turns, result {self.result}>"

    # Inside

    def _hold(self, state: bytes | bytearray) -> None:
        """Go on from here. The same bytes twice: most numbers are read in a tenth of the time
        without NumPy."""
        self._raw = bytearray(state)
        self._states: States = np.frombuffer(self._raw, STATE)
        self._legal = None

    def _rows(self) -> "legality.Rows":
        # Whoever plays an action has commonly asked for all of them just before.
        if self._legal is None:
            rows = legality.empty_rows()
            entry.legal_rows(self._states, rows)
            self._legal = rows
        return self._legal

    @property
    def _promised(self) -> int:
        """Cards that the end of the turn would bring from a full stack (R22, R23), or -1."""
        return -1 if self._past is None else _DRAWS.get(self._past.token, -1)

    def _read(self, move: Action | str) -> Move:
        if isinstance(move, str):
            try:
                return read_token(move)
            except IllegalMoveError as error:
                raise wrong_moment(self._states[0], kind_of(move)) or error from None
        try:
            action = -1 if isinstance(move, bool) else index(move)
        except TypeError:
            action = -1
        if not 0 <= action < ACTION_COUNT:
            raise NotAMoveError("no_action", number=move, last=ACTION_COUNT - 1)
        return action

    def _must_go_on(self, *, by_moves: bool = False) -> None:
        """Refuse what comes after an ending. After one by a move, `wrong_moment` names the rule."""
        if self.termination is not None:
            raise over_by(self)
        if by_moves and self.over:
            raise wrong_moment(self._states[0], None) or AssertionError("it is over")

    def _go_on(self) -> None:
        """A move was taken back, and so is an ending that came after it."""
        if self.termination == "resigned":
            last = max(self.resigned.values())
            self.resigned = {seat: n for seat, n in self.resigned.items() if n < last}
        self.termination = None
        if self.resigned:
            tokens = len(self.tokens)
            self.resigned = {seat: min(n, tokens) for seat, n in self.resigned.items()}

    def _saved(self) -> tuple[bytes, bytes]:
        return bytes(self._raw), b"" if self._rng is None else self._rng.tobytes()

    def _deal(self, rng: "dealer.Rng", auto: bool) -> str:
        saved = self._saved()
        cards = [int(entry.reveal_any(self._states, rng)) for _ in range(self.due)]
        entry.settle(self._states)
        self._legal = None
        token = write_move(tuple(cards))
        self._revealed += len(cards)
        self._past = Past(token, auto, *saved, self._past)
        return token

    def _pasts(self) -> list[Past]:
        """All that can be taken back, in order."""
        pasts, past = [], self._past
        while past is not None:
            pasts.append(past)
            past = past.before
        return pasts[::-1]

    def __getstate__(self) -> dict[str, Any]:
        # A long chain would be too deep to pickle.
        kept = {name: value for name, value in vars(self).items() if name not in _REMADE}
        return kept | {"_past": [tuple(past[:-1]) for past in self._pasts()]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _past=None)
        self._hold(state["_raw"])
        for token, auto, saved, rng in state["_past"]:
            self._past = Past(token, auto, saved, rng, self._past)

    def _deal_if_seeded(self) -> None:
        if self._rng is not None:
            while self.to_move == CHANCE:
                self._deal(self._rng, auto=True)


def _seat_before(past: Past) -> Seat:
    """Whose turn it was, or to whom the cards came."""
    return past.state[_SEAT]


def _thawed(data: bytes | bytearray) -> States:
    """The state that these bytes are, to be changed."""
    return np.frombuffer(bytearray(data), STATE)
