"""`baghdad demo`: a game between bots to watch in the terminal."""

import argparse
import secrets

from ..bots import Budget, make_bot
from ..bots.playing import moves
from ..rules.actions import ACTIONS, SMUGGLE, Action
from ..rules.game import Game
from ..rules.material import HEAVIEST_CHEST, PALACE_LETTERS, TURN
from ..rules.position import board_of
from ..rules.words import describe, outcome
from ..text import say


def run(options: argparse.Namespace, language: str) -> int:
    """Show the first turns with every move, then the robberies, then how it ended."""
    seed = options.seed if options.seed is not None else str(secrets.randbits(32))
    game = Game(options.players, seed=seed)
    bots = [make_bot("heuristic") for _ in range(options.players)]
    shown, loot = -1, [0] * options.players
    for seat, action in moves(game, bots, seed, Budget()):
        name = say("log.seat", language, seat=seat + 1)
        if shown < options.turns:
            print(f"{name}: {describe(action, language)}")
        if game.state.loot[seat] > loot[seat]:
            loot[seat] += 1
            print(f"{name}: {robbery(game, action, language)}")
        if game.state.phase == TURN and game.turns > shown and shown < options.turns:
            shown = game.turns
            board = board_of(game.view(None), language)
            forward = say("cli.demo.forward", language)
            print(f"\n{board if shown < options.turns else forward}")
    print(f"\n{say('cli.demo.seed', language, seed=seed)}")
    print(f"{board_of(game.view(None), language)}\n\n{outcome(game, language)}")
    return 0


def robbery(game: Game, action: Action, language: str) -> str:
    """The robbery that an action has brought about."""
    meaning = ACTIONS[action]
    palace = meaning.palace if meaning.kind == SMUGGLE else meaning.to
    number = HEAVIEST_CHEST - int(game.state.chests[palace])
    return say("log.rob", language, palace=PALACE_LETTERS[palace], number=number)
