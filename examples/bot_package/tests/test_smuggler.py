"""Whole games, and one decision by hand."""

import pytest

from baghdad import TOKENS, Game, new_rng
from baghdad.bots import Budget, decide, make_bot


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_plays_legal_moves_until_somebody_has_won(players: int) -> None:
    game, bot, rng = Game(players, seed=1), make_bot("smuggler"), new_rng("test")
    while (seat := game.to_move) is not None:
        for action in decide(bot, game.view(seat), game.legal(), Budget(), rng):
            game.play(action, seat=seat)
    assert game.winner is not None


def test_it_smuggles_where_its_own_thieves_are() -> None:
    game = Game(players=2)
    for token in ["@R", "@G", "@G", "@R", "@B", "@P", "@Y", "@Y", "=RRBBBB", "=GGGPPBY", "+B(B)"]:
        game.play(token)
    [action] = decide(make_bot("smuggler"), game.view(0), game.legal(), Budget(), new_rng("test"))
    assert TOKENS[action] == "+B(B)", "not +R(RR): nobody waits there"
