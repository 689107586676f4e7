"""What is true of every game, however it is played (Hypothesis)."""

from random import Random

import hypothesis.strategies as st
import numpy as np
from hypothesis import given, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from baghdad import (
    ACTION_COUNT,
    CHANCE,
    TOKENS,
    Game,
    MoveError,
    Options,
    RecordError,
)
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.legality import empty_rows, is_legal, legal_rows
from baghdad.rules.engine.material import (
    CHESTS,
    GUARDS_OF_A_PLAYER,
    Hands,
    Rob,
    Variant,
)
from baghdad.rules.engine.state import STATE
from support.tables import (
    EVERY_TABLE,
    NAMING,
    Manner,
    asking,
    new_game,
    thieving,
)

tables = st.sampled_from([*EVERY_TABLE, *NAMING])


class AnyGame(RuleBasedStateMachine):
    """A game in which anything is tried."""

    @initialize(options=tables, seed=st.integers(0, 1000), dealt=st.booleans())
    def begin(self, options: Options, seed: int, dealt: bool) -> None:
        self.options = options
        self.game = new_game(options, seed if dealt else None)
        self.random = Random(seed)

    @precondition(lambda self: not self.game.over and self.game.to_move != CHANCE)
    @rule(choice=st.integers(0, 10_000))
    def play_a_legal_action(self, choice: int) -> None:
        legal = self.game.legal()
        before, count = self.game.state.tobytes(), len(self.game.tokens)
        self.game.play(legal[choice % len(legal)])
        if choice % 3 == 0:  # take it back, and the bytes are as they were; then play it again
            self.game.undo()
            assert self.game.state.tobytes() == before
            assert len(self.game.tokens) == count
            self.game.play(legal[choice % len(legal)])

    @precondition(lambda self: not self.game.over and self.game.to_move != CHANCE)
    @rule(steps=st.integers(1, 60))
    def play_some_turns(self, steps: int) -> None:
        self.go_on(steps, thieving)

    @precondition(lambda self: not self.game.over and self.game.to_move != CHANCE)
    @rule(steps=st.integers(1, 60))
    def ask_for_cards(self, steps: int) -> None:
        self.go_on(steps, asking)

    def go_on(self, steps: int, manner: Manner) -> None:
        for _ in range(steps):
            if self.game.over:
                return
            if self.game.to_move == CHANCE:
                self.game.deal(self.random.randrange(1 << 30))
            else:
                self.game.play(manner(self.game.legal_tokens(), self.random))

    @rule(seed=st.integers(0, 1 << 40))
    def what_is_hidden_changes_nothing(self, seed: int) -> None:
        for viewer in [*range(self.options.players), None]:
            view = self.game.view(viewer)
            other = Game.from_state(view.determinize(new_rng(seed)))
            assert bytes(other.view(viewer)) == bytes(view)
            if self.game.to_move == viewer:
                assert other.legal() == self.game.legal()

    @precondition(lambda self: self.game.to_move == CHANCE)
    @rule(seed=st.integers(0, 1 << 40))
    def deal(self, seed: int) -> None:
        before, due = self.game.state.tobytes(), self.game.due
        token = self.game.deal(seed)
        assert len(token) == 1 + due
        assert self.game.undo() == token
        assert self.game.state.tobytes() == before
        self.game.play(token)

    @precondition(lambda self: len(self.game.tokens) > 0)
    @rule(times=st.integers(1, 5))
    def take_back(self, times: int) -> None:
        for _ in range(times):
            try:
                self.game.undo()
            except MoveError:
                return

    @rule()
    def legal_and_play_agree_on_every_action(self) -> None:
        legal, mask, rows = self.game.legal(), self.game.legal_mask(), empty_rows()
        assert np.flatnonzero(mask).tolist() == legal
        legal_rows(self.game.state, rows)
        before = self.game.state.tobytes()
        for action in range(ACTION_COUNT):
            assert is_legal(rows, action) == mask[action]
            if not mask[action]:
                try:
                    self.game.play(action)
                except MoveError as error:
                    assert error.rule
                    assert str(error).startswith(f"{error.rule}: ")
                else:
                    raise AssertionError(f"{TOKENS[action]} was played and is not legal")
        assert self.game.state.tobytes() == before

    @rule()
    def the_record_tells_the_same_game(self) -> None:
        text = self.game.record()
        told = Game.from_record(text)
        assert told.record() == text
        assert told.state.tobytes() == self.game.state.tobytes()
        assert told.position() == self.game.position()

    @invariant()
    def nothing_is_lost_and_nothing_appears(self) -> None:
        state = self.game.state
        players, neutral = self.options.players, self.options.variant == "neutral"
        cards = state.deck.sum() + state.discard.sum() + state.hands.sum() + state.dancers
        assert cards == 110
        by_palace = state.deck + state.discard + state.hands[:, :6].sum(axis=0)
        assert by_palace.tolist() == [17] * 6
        assert state.dancers + state.hands[:, 6].sum() == 8
        own = state.guards[:, :players].sum(axis=0) + state.unplaced[:players, 0]
        assert own.tolist() == [GUARDS_OF_A_PLAYER[players]] * players
        black = state.guards[:, 4].sum() + state.unplaced[:, 1].sum()
        assert black == (2 * players if neutral else 6)
        assert state.guards.sum(axis=1).max() <= 4
        thieves = state.thieves.sum(axis=0) + state.stock
        assert thieves[:players].tolist() == [12] * players
        assert state.chests.sum() + state.loot.sum() == 6 * CHESTS
        assert not state.guards[:, players:4].any()
        assert not state.hands[players:].any()
        for name in STATE.names or ():
            assert name in ("winner", "named") or (np.asarray(state[name]) >= 0).all()


TestAnyGame = AnyGame.TestCase
TestAnyGame.settings = settings(max_examples=120, stateful_step_count=30, deadline=None)


@given(
    options=tables,
    seed=st.integers(0, 500),
    edits=st.lists(st.tuples(st.integers(0, 2000), st.text(max_size=6)), min_size=1, max_size=4),
)
@settings(max_examples=300, deadline=None)
def test_a_mangled_record_gets_a_clear_error_or_is_a_good_one(
    options: Options, seed: int, edits: list[tuple[int, str]]
) -> None:
    game = new_game(options, seed)
    random = Random(seed)
    while not game.over and len(game.tokens) < 60:
        game.play(thieving(game.legal_tokens(), random))
    text = game.record()
    for place, new in edits:
        at = place % len(text)
        text = text[:at] + new + text[at + len(new) // 2 :]
    check_text(text)


@given(st.text())
@settings(max_examples=500, deadline=None)
def test_any_text_gets_a_clear_error_or_is_a_good_record(text: str) -> None:
    check_text(text)


def check_text(text: str) -> None:
    try:
        game = Game.from_record(text)
    except RecordError as error:
        assert 1 <= error.line <= len(text.splitlines()) + 1
        assert error.column >= 1
        for language in ("en", "de", "nl", "cs"):
            assert error.said(language)
    else:
        assert Game.from_record(game.record()).record() == game.record()


LETTERS = "RGWPYB*n+@>=.-()x "


@given(options=tables, seed=st.integers(0, 300), text=st.text(LETTERS, max_size=9))
@settings(max_examples=500, deadline=None)
def test_any_token_is_played_or_refused_with_a_reason(
    options: Options, seed: int, text: str
) -> None:
    game = new_game(options, seed)
    random = Random(seed)
    for _ in range(seed % 40):
        game.play(thieving(game.legal_tokens(), random))
    legal, before = game.legal_tokens(), game.state.tobytes()
    try:
        game.play(text)
    except MoveError as error:
        assert text not in legal
        assert game.state.tobytes() == before
        assert str(error)
    else:
        assert text in legal


def test_options_are_values() -> None:
    variant: Variant = "neutral"
    rob: Rob = "smuggle"
    hands: Hands = "seen"
    assert Options(3, variant, rob, hands) == Options(3, variant, rob, hands)
    assert len(set(EVERY_TABLE)) == 24
