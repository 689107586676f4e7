"""The engine and a naive second reading of the rules play the same games, step by step."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from baghdad import Options
from naive import NaiveGame
from tables import EVERY_TABLE, Manner, any_move, hoarding, new_game, thieving

PLAN: dict[Manner, tuple[int, int]] = {
    any_move: (36, 250),
    thieving: (28, 900),
    hoarding: (24, 450),
}
"""How many games in each manner at each of 24 tables, and after how many tokens they are left:
random play alone would need thousands to end."""


def random_cards(position: dict[str, Any], due: int, random: Random) -> str:
    """A draw that can come, made without our dealer."""
    deck, discard = list(position["deck"]), list(position["discard"])
    cards = ""
    for _ in range(due):
        if not any(deck):
            deck, discard = discard, deck
        card = random.choices(range(6), deck)[0]
        deck[card] -= 1
        cards += "RGWPYB"[card]
    return f"={cards}"


def play_in_lockstep(options: Options, manner: Manner, longest: int, seed: str) -> Counter[str]:
    """One game on both tables; returns what happened in it."""
    random = Random(seed)
    game = new_game(options)
    naive = NaiveGame(
        options.players, variant=options.variant, rob=options.rob, hands=options.hands
    )
    happened: Counter[str] = Counter()
    position = game.position()
    assert position == naive.position()
    for _ in range(longest):
        if position["to_move"] is None:
            break
        if position["to_move"] == "chance":
            due = game.due
            assert due == naive.due()
            token = random_cards(position, due, random)
            happened["reshuffle"] += 0 < sum(position["deck"]) < due
            happened["short"] += due < 3
        else:
            token = manner(position["legal"], random)
        loot = sum(position["loot"])
        game.play(token)
        naive.play(token)
        position = game.position()
        assert position == naive.position(), f"after {token} in\n{game.record()}"
        happened["robbery"] += sum(position["loot"]) > loot
    happened["won"] += game.winner is not None
    happened["stalemate"] += game.over and game.winner is None
    return happened


@pytest.mark.parametrize("manner", PLAN, ids=lambda manner: manner.__name__)
@pytest.mark.parametrize("options", EVERY_TABLE, ids=str)
def test_same_legal_moves_and_same_position_at_every_step(options: Options, manner: Manner) -> None:
    games, longest = PLAN[manner]
    happened: Counter[str] = Counter()
    for number in range(games):
        happened += play_in_lockstep(options, manner, longest, f"{options} {number}")
    # The games must have gone where rules are rare.
    if manner is thieving:
        assert happened["robbery"]
        assert happened["won"] or options.players > 2 or options.rob == "smuggle"
    if manner is hoarding:
        assert happened["stalemate"]
        assert happened["short"]
