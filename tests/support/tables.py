"""Sets up the positions that the tests talk about, and plays games in different manners."""

from collections.abc import Callable, Mapping, Sequence
from itertools import cycle, islice
from random import Random
from typing import Any

import pytest

from baghdad import Game, IllegalMoveError, MoveError
from baghdad.rules.engine.material import (
    CARD_LETTERS,
    CHESTS,
    NEUTRAL,
    PALACE_LETTERS,
    THIEVES,
    TURN,
    Hands,
    Rob,
    Spare,
    Variant,
)
from baghdad.rules.engine.views import CHANCE
from baghdad.rules.options import Options, Rulebook

NAMING = [
    Options(2, spare="chosen"),
    Options(2, rob="smuggle", hands="seen", spare="chosen", deal=(25, 1)),
    Options(3, "neutral", spare="chosen", deal=(6, 7, 9)),
    Options(4, rulebook="cs"),
]
"""Tables at which a card of a named palace can be asked for."""

EVERY_TABLE = [
    Options(players, variant, rob, hands)
    for players in (2, 3, 4)
    for variant in ("standard", "neutral")
    for rob in ("arrival", "smuggle")
    for hands in ("hidden", "seen")
]


def new_game(options: Options, seed: int | str | None = None) -> Game:
    return Game.with_options(options, seed=seed)


def table(
    players: int = 2,
    *,
    guards: Mapping[str, str] | None = None,
    thieves: Mapping[str, str] | None = None,
    hands: Sequence[str] = (),
    discard: str = "",
    deck: str | None = None,
    chests: Mapping[str, int] | None = None,
    loot: Sequence[int] = (),
    seat: int = 1,
    rob: Rob | None = None,
    variant: Variant = "standard",
    hands_option: Hands | None = None,
    spare: Spare | None = None,
    rulebook: Rulebook | None = None,
) -> Game:
    """A game in the middle, seat 1 on turn unless said otherwise.

    Guards are written like `{"R": "1n"}`: one of seat 1 and a neutral one; thieves likewise. The
    cards that are in nobody's hand and not in the discard pile are in the stack, unless `deck`
    says what is; then the rest is out of the game.
    """
    state = Game(
        players, rulebook=rulebook, variant=variant, rob=rob, hands=hands_option, spare=spare
    ).state
    state.phase, state.seat, state.due = TURN, seat - 1, 0
    state.unplaced[:] = 0
    state.guards[:] = 0
    for letter, owners in (guards or {}).items():
        for owner in owners:
            state.guards[
                PALACE_LETTERS.index(letter), NEUTRAL if owner == "n" else int(owner) - 1
            ] += 1
    for letter, seats in (thieves or {}).items():
        for owner in seats:
            state.thieves[PALACE_LETTERS.index(letter), int(owner) - 1] += 1
    state.stock[:players] = THIEVES - state.thieves.sum(axis=0)[:players]
    for letter, count in (chests or {}).items():
        state.chests[PALACE_LETTERS.index(letter)] = count
    state.loot[: len(loot)] = loot
    for place, hand in enumerate(hands):
        for card in hand:
            state.hands[place, CARD_LETTERS.index(card)] += 1
    for card in discard:
        state.discard[CARD_LETTERS.index(card)] += 1
    state.dancers -= state.hands[:, 6].sum()
    state.deck -= state.hands[:, :6].sum(axis=0) + state.discard
    if deck is not None:
        state.deck[:] = 0
        for card in deck:
            state.deck[CARD_LETTERS.index(card)] += 1
    assert state.stock.min() >= 0
    assert state.deck.min() >= 0
    assert state.dancers >= 0
    assert state.chests.max() <= CHESTS
    return Game.from_state(state, rulebook=rulebook)


PLACES = (("R", "G", "W", "P"), ("Y", "B", "W", "P"))
"""Where the guards of two seats stand in the games below, one in front of each."""


def begun(**options: Any) -> Game:
    """A game of two whose guards stand and whose cards are dealt, none of them by a dealer."""
    game = Game(2, **options)
    for mine, theirs in zip(*PLACES, strict=True):
        game.play(f"@{mine}")
        game.play(f"@{theirs}")
    while game.to_move == CHANCE:
        game.play(_wanted(game, "RGY"))
    return game


def no_dancer_left(**options: Any) -> Game:
    """A game of two in which both have done nothing but take all dancers; seat 1 is on turn."""
    game = begun(**options)
    while game.position()["dancers"]:
        game.play("-*")
        game.play(_wanted(game, PALACE_LETTERS))
    return game


def last_thief(*, of_all: bool = False) -> Game:
    """A game of two under `smuggle` in which seat 1 has one thief in stock, and a card for it.

    It stands before `+P(PP)`, which would rob nothing; the other seat has thieves, or none.
    """
    game = begun(rob="smuggle")
    palaces = [list("RRRGGGWWWPPP"), list("YYYBBBWWWPPP")]
    while True:
        seat = game.to_move
        if seat == CHANCE:
            on = int(game.state.seat)
            game.play(_wanted(game, "".join(dict.fromkeys(palaces[on])) or "RGY"))
            continue
        assert seat is not None
        legal, mine = game.legal_tokens(), palaces[seat]
        ready = seat == 0 and len(mine) == 1 and "+P(PP)" in legal
        if ready and not (of_all and palaces[1]):
            return game
        way = next((t for t in legal if mine and t.startswith(f"+{mine[0]}(")), None)
        if way and not (seat == 0 and len(mine) == 1):
            mine.pop(0)
            game.play(way)
        else:
            game.play("." if game.acted else "-")


def _wanted(game: Game, letters: str) -> str:
    """The chance token of what is due: cards of these palaces in turn, while the stack has them."""
    deck = game.position()["deck"]
    token = "="
    for letter in islice(cycle(letters + PALACE_LETTERS), 1000):
        if len(token) > game.due:
            break
        if deck[PALACE_LETTERS.index(letter)]:
            deck[PALACE_LETTERS.index(letter)] -= 1
            token += letter
    return token


def allows(game: Game, *tokens: str) -> None:
    """Every token is legal here, and can be played."""
    for token in tokens:
        assert token in game.legal_tokens()
        twin = game.copy()
        twin.play(token)


def refuses(
    game: Game, token: str, rule: str, words: str, error: type[MoveError] = IllegalMoveError
) -> None:
    """The token is refused for this rule, in words with this in them; nothing changes."""
    before = game.state.tobytes(), game.tokens
    assert token == "=" or token not in game.legal_tokens()
    with pytest.raises(MoveError) as refused:
        game.play(token)
    assert type(refused.value) is error
    assert refused.value.rule == rule
    assert words in str(refused.value)
    assert (game.state.tobytes(), game.tokens) == before


Manner = Callable[[Sequence[str], Random], str]
"""A way to choose among legal tokens."""


def any_move(legal: Sequence[str], random: Random) -> str:
    return random.choice(legal)


def thieving(legal: Sequence[str], random: Random) -> str:
    """Brings thieves in wherever it can, so that games come to their end."""
    for kinds in ("+", ">>"):
        wanted = [token for token in legal if kinds in token]
        if wanted and random.random() < 0.7:
            return random.choice(wanted)
    return random.choice(legal)


def hoarding(legal: Sequence[str], random: Random) -> str:
    """Takes cards until there are none left."""
    passes = [token for token in legal if token.startswith("-")]
    return random.choice(passes if passes and random.random() < 0.99 else legal)


def asking(legal: Sequence[str], random: Random) -> str:
    """Takes all dancers, and then asks for cards of palaces (R23) until the stack runs low."""
    for wanted in (["-*"], [f"-{letter}" for letter in PALACE_LETTERS]):
        found = [token for token in wanted if token in legal]
        if found and random.random() < 0.93:
            return random.choice(found)
    return thieving(legal, random)
