"""R28: a bot agrees to end a game when it thinks that its own chance is under 3 %."""

import pytest

from baghdad import Game, View, new_rng
from baghdad.bots import LEVELS, make_bot
from baghdad.bots.proposals import ACCEPT_BELOW, accepts_ending, win_probability
from support.tables import table

PLAYERS = (2, 3, 4)


def nearly_won(players: int, on_turn: int = 1) -> Game:
    """Seat 1 needs one more chest, and has all that it takes; the others have nothing."""
    own = {2: 5, 3: 4, 4: 3}[players]
    return table(
        players,
        guards={"R": "1n", "G": "2n"},
        thieves={"R": "111"},
        hands=["RRR*", "W", "W", "W"][:players],
        loot=[own],
        seat=on_turn,
    )


@pytest.mark.parametrize("level", LEVELS)
def test_r28_a_bot_agrees_when_it_has_lost_and_not_when_it_may_win(level: str) -> None:
    bot = make_bot(level)
    for players in PLAYERS:
        for on_turn in range(1, players + 1):
            game = nearly_won(players, on_turn)
            assert not accepts_ending(bot, game.view(0), new_rng("a"))
        for seat in range(1, players):
            assert accepts_ending(bot, nearly_won(players).view(seat), new_rng("a"))
        begun = Game(players, seed="fair")
        for seat in range(players):
            assert win_probability(bot, begun.view(seat), new_rng("a")) > ACCEPT_BELOW


@pytest.mark.parametrize("level", ["morgiana", "scheherazade"])
def test_what_seats_think_of_themselves_adds_up(level: str) -> None:
    """Whoever's turn it is: the chances of all, each from its own view, are about one."""
    bot, game = make_bot(level), Game(3, seed=5)
    for _ in range(60):
        if game.over:
            break
        seen = [win_probability(bot, game.view(seat), new_rng("b")) for seat in range(3)]
        assert 0.7 < sum(seen) < 1.3
        game.play(game.legal()[-1])


@pytest.mark.parametrize("level", ["kasim", "scheherazade"])
def test_it_knows_no_more_than_its_view(level: str) -> None:
    """Hands that it can't see are changed, and it thinks the same."""
    bot = make_bot(level)
    one = table(2, guards={"R": "12n"}, hands=["RGW", "PYB"])
    other = table(2, guards={"R": "12n"}, hands=["RGW", "RRR"])
    assert one.view(0) == other.view(0)
    asked = [win_probability(bot, game.view(0), new_rng("c")) for game in (one, other)]
    assert asked[0] == asked[1]


def test_a_bot_may_say_itself_what_it_thinks() -> None:
    class Pessimist:
        def choose(self, view: View, legal: list[int], *_: object) -> int:
            return legal[0]

        def chance(self, view: View, rng: object) -> float:
            return 0.01

    view = Game(2, seed=1).view(0)
    assert accepts_ending(Pessimist(), view, new_rng("d"))  # type: ignore[arg-type]
