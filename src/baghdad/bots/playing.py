"""Bots at a table: a seeded game is played to its end, every bot seeing only its own view."""

from collections.abc import Iterator, Sequence

from baghdad.rules.engine.actions import ACTION_COUNT, TOKENS, Action
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.material import Seat
from baghdad.rules.errors import MoveError
from baghdad.rules.game import Game

from .api import Bot, Budget, decide

MAX_TURNS = 400
"""Ten times a usual game. Where bots are measured, one that goes on for longer is won by nobody."""


def moves(
    game: Game,
    bots: Sequence[Bot],
    seed: str,
    budget: Budget,
    max_turns: int | None = None,
) -> Iterator[tuple[Seat, Action]]:
    """Play a game with a dealer of its own; yields each decision after it is played.

    Every seat has a random generator of its own. At the limit of turns the game ends.
    """
    rngs = [new_rng(seed, stream=1 + seat) for seat in range(len(bots))]
    while (seat := game.to_move) is not None:
        if max_turns is not None and game.turns >= max_turns:
            game.end("turn limit")
            return
        for action in decide(bots[seat], game.view(seat), game.legal(), budget, rngs[seat]):
            try:
                game.play(action, seat=seat)
            except MoveError as error:
                token = TOKENS[action] if action in range(ACTION_COUNT) else "no action"
                error.add_note(f"{type(bots[seat]).__name__} chose {action!r} ({token})")
                raise
            yield seat, action


def play_to_end(
    game: Game,
    bots: Sequence[Bot],
    seed: str,
    budget: Budget,
    max_turns: int | None = None,
) -> Game:
    """Play all `moves` of a game; returns it.

    >>> from baghdad.bots import make_bot
    >>> bots = [make_bot("heuristic"), make_bot("random")]
    >>> play_to_end(Game(players=2, seed="1"), bots, "1", Budget()).winner
    0
    """
    for _ in moves(game, bots, seed, budget, max_turns):
        pass
    return game
