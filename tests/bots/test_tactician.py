"""The tactician is exact: brute force over every turn finds no more, and its way works."""

from random import Random

import pytest

from baghdad import Game, OutOfTurnError
from baghdad.bots.search.tactician import Tactician
from baghdad.jit.compiler import COMPILED
from baghdad.rules.engine.material import Rob
from support.tables import table

TACTICIAN = Tactician()
POSITIONS = 40 if COMPILED else 1


def random_position(random: Random, players: int, rob: Rob) -> Game:
    """A few cards, and thieves almost where they are needed."""
    guards = {}
    owners = ["n"] * 6 + [str(seat + 1) for seat in range(players) for _ in range(6 - players)]
    random.shuffle(owners)
    for palace in "RGWPYB":
        count = random.choice((1, 2, 2, 3, 4))
        guards[palace] = "".join(owners.pop() for _ in range(min(count, len(owners))))
    thieves = {palace: "1" * random.choice((0, 0, 1, 2, 3, 3)) for palace in "RGWP"}
    chests = {palace: random.choice((4, 4, 4, 3, 0)) for palace in "RGWPYB"}
    hand = "".join(random.choices("RGWPYB*", (3, 3, 3, 2, 1, 1, 1), k=random.choice((2, 3, 4))))
    return table(
        players, guards=guards, thieves=thieves, hands=[hand], chests=chests, rob=rob,
        loot=[random.choice((0, 0, 2))],
    )  # fmt: skip


def most_chests(game: Game) -> int:
    """By trying every turn there is."""
    before, best, seen = game.loot[0], 0, set()
    waiting = [game]
    while waiting:
        now = waiting.pop()
        best = max(best, now.loot[0] - before)
        if now.over:
            continue
        for token in now.legal_tokens():
            if "(" not in token:
                continue
            after = now.copy()
            after.play(token)
            key = after.state.tobytes()
            if key not in seen:
                seen.add(key)
                waiting.append(after)
    return best


@pytest.mark.parametrize("rob", ["arrival", "smuggle"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_brute_force_finds_no_more(players: int, rob: Rob) -> None:
    random = Random(f"{players} {rob}")
    found = set()
    for _ in range(POSITIONS):
        game = random_position(random, players, rob)
        tactic = TACTICIAN.ask(game.view(0))
        assert tactic.exact
        assert tactic.chests == most_chests(game), game.position()
        for action in tactic.actions:
            game.play(action, seat=0)
        found.add(tactic.chests)
    assert len(found) > 1 or not COMPILED, "positions with and without a chest"


def test_three_chests_in_one_turn() -> None:
    game = table(
        guards={"R": "1n", "G": "1n", "W": "n"},
        thieves={"R": "111", "G": "111", "W": "111", "P": "1"},
        hands=["RRGWW"],
    )
    tactic = TACTICIAN.ask(game.view(0))
    assert tactic.chests == 3
    assert tactic.exact


def test_it_stops_at_the_winning_chest() -> None:
    game = table(guards={"R": "1n"}, thieves={"R": "111"}, hands=["RRR"], loot=[5])
    tactic = TACTICIAN.ask(game.view(0))
    assert (tactic.chests, len(tactic.actions)) == (1, 1)


def test_it_says_when_it_gives_up() -> None:
    random, hasty, gave_up = Random(8), Tactician(max_positions=30), 0
    for _ in range(200):
        view = random_position(random, 3, "arrival").view(0)
        quick, thorough = hasty.ask(view), TACTICIAN.ask(view)
        assert quick.positions <= 31
        assert quick.chests <= thorough.chests
        assert not quick.exact or quick.chests == thorough.chests
        gave_up += not quick.exact
    assert gave_up


def test_only_for_the_seat_whose_turn_it_is() -> None:
    game = table(hands=["R"])
    with pytest.raises(ValueError, match="no turn of this seat"):
        TACTICIAN.ask(game.view(1))
    with pytest.raises(ValueError, match="no turn of this seat"):
        TACTICIAN.ask(game.view(None))
    game.play("-")
    with pytest.raises(ValueError, match="no turn of this seat"):
        TACTICIAN.ask(game.view(0))
    with pytest.raises(OutOfTurnError):
        game.play("-")
