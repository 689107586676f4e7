"""`baghdad demo`: a game between bots to watch in the terminal."""

import argparse
import secrets

from ..bots import make_bot
from ..rules.actions import ACTIONS, SMUGGLE, Action
from ..rules.dealer import new_rng
from ..rules.game import Game
from ..rules.material import HEAVIEST_CHEST, PALACE_LETTERS, TURN
from ..rules.position import board_of
from ..rules.words import describe, outcome
from ..text import say


def run(options: argparse.Namespace, language: str) -> int:
    """Show the first turns with every move, then the robberies, then how it ended."""
    seed = options.seed if options.seed is not None else str(secrets.randbits(32))
    game = Game(options.players, seed=seed)
    bot, rng = make_bot("random"), new_rng(seed, stream=1)
    shown, told = -1, False
    while (seat := game.to_move) is not None:
        in_full = game.turns < options.turns
        if in_full and game.turns != shown and game.state.phase == TURN:
            shown = game.turns
            print(f"\n{board_of(game.view(None), language)}")
        elif not in_full and not told:
            told = True
            print(f"\n{say('cli.demo.forward', language)}")
        loot, action = game.state.loot[seat], bot.choose(game.view(seat), game.legal(), rng)
        game.play(action)
        name = say("log.seat", language, seat=seat + 1)
        if in_full:
            print(f"{name}: {describe(action, language)}")
        if game.state.loot[seat] > loot:
            print(f"{name}: {robbery(game, action, language)}")
    print(f"\n{board_of(game.view(None), language)}\n\n{outcome(game, language)}")
    return 0


def robbery(game: Game, action: Action, language: str) -> str:
    """The robbery that an action has brought about."""
    meaning = ACTIONS[action]
    palace = meaning.palace if meaning.kind == SMUGGLE else meaning.to
    number = HEAVIEST_CHEST - int(game.state.chests[palace])
    return say("log.rob", language, palace=PALACE_LETTERS[palace], number=number)
