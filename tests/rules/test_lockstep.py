"""The engine and a naive second reading of the rules play the same games, step by step."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from baghdad import Game, Options
from baghdad.rules.engine.material import (
    HANDS,
    ROBS,
    SPARES,
    VARIANTS,
)
from support.naive import ACTIONS, PALACES, NaiveGame
from support.styles import (
    Style,
    at_random,
    for_cards,
    for_chests,
    for_dancers,
    for_nothing,
)
from support.tables import new_game

DEALS: dict[int, list[tuple[int, ...]]] = {
    2: [(6, 7), (6, 8), (1, 25), (25, 25)],
    3: [(6, 7, 8), (6, 7, 9), (25, 1, 13), (25, 25, 25)],
    4: [(6, 7, 8, 9), (8, 7, 8, 9), (2, 25, 1, 24), (25, 25, 25, 25)],
}
"""R7's, the balanced one, an odd one, and the one that leaves the smallest stack."""

LONGEST: dict[Style, int] = {
    at_random: 80,
    for_chests: 230,
    for_cards: 150,
    for_dancers: 120,
    for_nothing: 170,
}
"""After how many tokens games of each style are left: random play alone would need thousands."""


def random_draw(naive: NaiveGame, random: Random) -> str:
    """A draw that can come, made without our dealer, card by card (R23, R24)."""
    stack, discard, cards = list(naive.stack), list(naive.discard), ""
    for number in range(naive.due()):
        stack, discard = (stack, discard) if stack else (discard, [])
        card = random.choice(stack)
        if number == 0 and naive.named in stack:
            card = naive.named
        stack.remove(card)
        cards += card
        stack, discard = (stack, discard) if stack else (discard, [])
    return f"={cards}"


def what_is_rare(naive: NaiveGame) -> Counter[str]:
    """What the pending draw shows of the rules that are rarely needed."""
    due, stack, discard = naive.due(), len(naive.stack), len(naive.discard)
    named = naive.named is not None
    found = named and naive.named in (naive.stack or naive.discard)
    return Counter(
        {
            "renewed in the middle": 0 < stack < due,
            "renewed after the last card": 0 < stack == due and discard > 0,
            "used up for good": 0 < stack == due and discard == 0,
            "renewed when a card is needed": stack == 0 and discard > 0,
            "named and found": found,
            "named and not found": named and not found,
            "named, renewed": named and 0 < stack <= due and discard > 0,
            "named, short": named and due < 4,
            "short": naive.phase == "drawing" and 0 < due < naive.cards_wanted,
            "nothing left": due == 0,
        }
    )


def accepts(game: Game | NaiveGame, token: str) -> bool:
    """Whether the token can be played; the game itself stays as it is."""
    try:
        game.copy().play(token)
    except ValueError:
        return False
    return True


def another_token(token: str, random: Random) -> str:
    """A token that may be legal or not: another action, or a draw with a card changed."""
    if not token.startswith("="):
        return random.choice(list(ACTIONS))
    cards = list(token)
    change = random.randrange(4)
    if change == 0:
        cards.append(random.choice(PALACES))
    elif change == 1 and len(cards) > 1:
        cards.pop()
    elif change == 2 and len(cards) > 2:
        cards[1], cards[-1] = cards[-1], cards[1]
    elif len(cards) > 1:
        cards[random.randrange(1, len(cards))] = random.choice(PALACES)
    return "".join(cards)


def play_in_lockstep(options: Options, style: Style, seed: str) -> Counter[str]:
    """One game on both tables; returns what happened in it."""
    random = Random(seed)
    game = new_game(options)
    naive = NaiveGame(
        options.players,
        variant=options.variant,
        rob=options.rob,
        hands=options.hands,
        spare=options.spare,
        deal=options.deal,
    )
    happened: Counter[str] = Counter()
    position = game.position()
    assert position == naive.position()
    for _ in range(LONGEST[style]):
        if position["to_move"] is None:
            break
        if position["to_move"] == "chance":
            assert game.due == naive.due()
            token = random_draw(naive, random)
            happened += what_is_rare(naive)
        else:
            token = style(position, random)
        if random.random() < 0.05:
            other = another_token(token, random)
            agreed = accepts(naive, other)
            assert accepts(game, other) == agreed, f"{other} in\n{game.record()}"
            happened["refused"] += not agreed
        loaded = None
        if random.random() < 0.05:  # the position that one reading writes, the other goes on from
            loaded = Game.from_position(naive.position())
            loaded.play(token)
            happened[f"loaded while {position['phase']}"] += 1
        loot = sum(position["loot"])
        game.play(token)
        naive.play(token)
        position = game.position()
        assert position == naive.position(), f"after {token} in\n{game.record()}"
        assert loaded is None or loaded.position() == position, f"{token} in\n{game.record()}"
        happened["robbery"] += sum(position["loot"]) > loot
        happened["all thieves in"] += not any(naive.stock.values())
    happened["won"] += game.winner is not None
    over = game.over and game.winner is None
    happened["stalemate"] += over and token.startswith("=")
    happened["dead"] += over and token.startswith("+")
    return happened


def must_happen(style: Style, options: Options) -> set[str]:
    """The games must have gone where rules are rare."""
    rare: dict[Style, set[str]] = {
        at_random: set(),
        for_chests: {"robbery", "won", "renewed in the middle"},
        for_cards: {"short", "nothing left", "used up for good", "stalemate"},
        for_dancers: {"renewed in the middle", "renewed after the last card"},
        for_nothing: {"dead" if options.rob == "smuggle" else "all thieves in"},
    }
    if options.players == 4:  # whose hands may hold all cards
        rare[for_dancers] |= {"renewed when a card is needed", "nothing left"}
    if options.spare == "chosen":
        rare[for_dancers] |= {"named and found", "named and not found", "named, renewed"}
        rare[for_cards] |= {"named and found", "named and not found", "named, short"}
    phases = {f"loaded while {phase}" for phase in ("placing", "dealing", "turn", "drawing")}
    return rare[style] | phases | {"refused"}


@pytest.mark.parametrize("style", LONGEST, ids=lambda style: style.__name__)
@pytest.mark.parametrize("spare", SPARES)
@pytest.mark.parametrize("rob", ROBS)
@pytest.mark.parametrize("players", DEALS)
def test_same_legal_moves_and_same_position_at_every_step(
    players: int, rob: Any, spare: Any, style: Style
) -> None:
    happened: Counter[str] = Counter()
    for variant in VARIANTS:
        for hands in HANDS:
            for deal in DEALS[players]:
                options = Options(players, variant, rob, hands, spare, deal)
                seed = f"{players} {variant} {rob} {hands} {spare} {deal}"
                happened += play_in_lockstep(options, style, seed)
    assert must_happen(style, options) <= happened.keys()
    if rob == "arrival":
        assert not happened["dead"]
    if spare == "stack":
        assert not happened["named and found"] + happened["named and not found"]
