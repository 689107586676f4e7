"""Makes the recorded games in tests/data: a whole game for every table, both readings agreeing.

Run `python -m support.make_data` in `tests` only to add games: those on file are what the tests
hold on to.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from baghdad import CHANCE, Game, Options
from baghdad.rules.notation import read_records
from support.naive import NaiveGame
from support.styles import (
    Style,
    for_cards,
    for_dancers,
    for_nothing,
    with_thieves,
)
from support.tables import EVERY_TABLE, new_game

DATA = Path(__file__).parents[1] / "data"
LONGEST = 1500
BALANCED = {2: (6, 8), 3: (6, 7, 9), 4: (8, 7, 8, 9)}


def expectation(record: str) -> str:
    """What a replay must come to: the last position, and a hash of all on the way."""
    told = read_records(record)[0]
    game = Game.beginning(told)
    digest = hashlib.sha256(json.dumps(game.position()).encode())
    for token in told.tokens:
        game.play_token(token)
        digest.update(json.dumps(game.position()).encode())
    return json.dumps({"positions": digest.hexdigest(), "last": game.position()}) + "\n"


def play(options: Options, style: Style, seed: str) -> Game:
    """A game to its end, the naive reading playing along."""
    random, game = Random(seed), new_game(options)
    naive = NaiveGame(
        options.players,
        variant=options.variant,
        rob=options.rob,
        hands=options.hands,
        spare=options.spare,
        deal=options.deal,
    )
    while not game.over and len(game.tokens) < LONGEST:
        if game.to_move == CHANCE:
            token = game.deal(random.randrange(1 << 30))
        else:
            token = style(game.position(), random)
            game.play(token)
        naive.play(token)
        if naive.position() != game.position():
            raise SystemExit(f"the two readings differ after {token}:\n{game.record()}")
    return game


def wanted() -> Iterator[tuple[str, Options, Style, str]]:
    """Which games are made: a name, the table, the style of play and how the game must end."""
    for options in EVERY_TABLE:
        words = f"{options.players}-{options.variant}-{options.rob}-{options.hands}"
        first = options == EVERY_TABLE[0]  # other tests speak of this game's winner
        yield f"{words}-thieving", options, with_thieves, "won by 1" if first else "won"
        if (options.rob, options.hands) == ("arrival", "hidden"):
            yield f"{words}-hoarding", options, for_cards, "stalemate"
    for players in (2, 3, 4):
        even = Options(players, spare="chosen", deal=BALANCED[players])
        yield f"{players}-chosen-balanced", even, for_dancers, "won"
        odd = Options(players, "neutral", "arrival", "seen", "chosen", (1, 25, 2, 24)[:players])
        yield f"{players}-chosen-odd-deal", odd, for_cards, "stalemate"
        yield f"{players}-dead", Options(players, rob="smuggle"), for_nothing, "dead"


def ending(game: Game) -> str:
    """How a game ended: won by a seat, in one of R27's stalemates, or not at all."""
    if not game.over:
        return "unfinished"
    if game.winner is not None:
        return f"won by {game.winner + 1}"
    return "stalemate" if game.tokens[-1].startswith("=") else "dead"


def main() -> None:
    for name, options, style, end in wanted():
        for seed in range(400):
            game = play(options, style, f"{name} {seed}")
            if ending(game).startswith(end):
                break
        else:
            raise SystemExit(f"{name}: no game was {end}")
        (DATA / f"{name}.txt").write_text(game.record())
        (DATA / f"{name}.json").write_text(expectation(game.record()))
        print(f"{name}: {len(game.tokens)} tokens, result {game.result}, seed {seed}")


if __name__ == "__main__":
    main()
