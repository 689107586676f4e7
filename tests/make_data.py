"""Makes the recorded games in tests/data: a whole game for every table, both readings agreeing.

Run `python tests/make_data.py` only to add games: those on file are what the tests hold on to.
"""

import hashlib
import json
from pathlib import Path
from random import Random

from baghdad import CHANCE, Game, Options
from baghdad.rules.notation import read_records
from naive import NaiveGame
from tables import EVERY_TABLE, Manner, hoarding, new_game, thieving

DATA = Path(__file__).parent / "data"
LONGEST = 1500


def expectation(record: str) -> str:
    """What a replay must come to: the last position, and a hash of all on the way."""
    told = read_records(record)[0]
    game = Game.beginning(told)
    digest = hashlib.sha256(json.dumps(game.position()).encode())
    for token in told.tokens:
        game.play_token(token)
        digest.update(json.dumps(game.position()).encode())
    return json.dumps({"positions": digest.hexdigest(), "last": game.position()}) + "\n"


def play(options: Options, manner: Manner, seed: str) -> Game:
    """A game to its end, the naive reading playing along."""
    random, game = Random(seed), new_game(options)
    naive = NaiveGame(
        options.players, variant=options.variant, rob=options.rob, hands=options.hands
    )
    while not game.over and len(game.tokens) < LONGEST:
        if game.to_move == CHANCE:
            token = game.deal(random.randrange(1 << 30))
        else:
            token = manner(game.legal_tokens(), random)
            game.play(token)
        naive.play(token)
        if naive.position() != game.position():
            raise SystemExit(f"the two readings differ after {token}:\n{game.record()}")
    if not game.over:
        game.end("turn limit")
    return game


def main() -> None:
    for options in EVERY_TABLE:
        for manner in (thieving, hoarding):
            if manner is hoarding and (options.rob, options.hands) != ("arrival", "hidden"):
                continue
            words = (options.players, options.variant, options.rob, options.hands)
            name = "-".join(map(str, words)) + f"-{manner.__name__}"
            for seed in range(40):
                game = play(options, manner, f"{name} {seed}")
                if game.over:
                    break
            (DATA / f"{name}.txt").write_text(game.record())
            (DATA / f"{name}.json").write_text(expectation(game.record()))
            print(f"{name}: {len(game.tokens)} tokens, result {game.result}")


if __name__ == "__main__":
    main()
