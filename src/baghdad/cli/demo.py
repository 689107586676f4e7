"""`baghdad demo`: a game between bots to watch in the terminal."""

import argparse
import secrets
from collections.abc import Iterable, Sequence
from itertools import cycle, islice

from baghdad.bots import Budget, make_bot
from baghdad.bots.playing import moves
from baghdad.rules.engine.actions import (
    ACTIONS,
    END,
    NAME,
    PASS,
    Action,
)
from baghdad.rules.engine.material import TURN, Seat
from baghdad.rules.game import Game
from baghdad.rules.narration import cards_that_came, describe, robbery
from baghdad.text import say

from .board import Line, draw, told
from .names import ending, table_names
from .options import agreed, table_options
from .parser import DEMO_TURNS
from .record import seat_names
from .terminal import Plain, open_terminal

CAST = ("ali", "kasim")
"""Who plays where nobody is named: two who think alike but not equally far."""
FEWEST_STEPS, MOST_STEPS = 2, 8
"""Steps that are told beneath the board, as there is room."""


def run(options: argparse.Namespace, language: str) -> int:
    """Let bots play, step by step on a terminal, and say how it ended."""
    given = options.bots or ",".join(islice(cycle(CAST), options.players))
    bots = seat_names(given, options.players, language)
    seed = options.seed if options.seed is not None else str(secrets.randbits(32))
    table = table_options(options, options.players, language)
    names, game = table_names([], bots), Game.with_options(table, seed=seed)
    played = moves(game, [make_bot(name) for name in bots], seed, Budget())
    terminal = open_terminal(language, to_type=False) if options.pace else Plain(language)
    try:
        if terminal.drawn:
            _watch(terminal, game, played, names, options)
        else:
            _print(terminal, game, played, names, options.turns)
    finally:
        terminal.close()
    terminal.tell(f"\n{say('cli.demo.seed', language, seed=seed)}")
    if others := agreed(table, language):
        terminal.tell(others)
    terminal.write(draw(game.view(None), names, language, terminal.board_width))
    terminal.tell(f"\n{ending(game, names, language)}")
    return 0


def _watch(
    terminal: Plain,
    game: Game,
    played: Iterable[tuple[Seat, Action]],
    names: Sequence[str],
    options: argparse.Namespace,
) -> None:
    """Every step on the board, and the last ones in words beneath it."""
    steps: list[Line] = []
    loot = sum(game.loot)
    for seat, action in played:
        texts = [_told(game, action, terminal.language)]
        if sum(game.loot) > loot:
            loot += 1
            texts.append(robbery(game, action, terminal.language))
        for text in texts:
            steps += told(seat, names[seat], text, terminal.width)
        board = draw(game.view(None), names, terminal.language, terminal.board_width)
        room = max(FEWEST_STEPS, min(MOST_STEPS, terminal.height - len(board) - 2))
        terminal.show([*board, [], *steps[-room:]])
        if options.turns is None or game.turns < options.turns:
            terminal.pause(options.pace)


def _told(game: Game, action: Action, language: str) -> str:
    ends = ACTIONS[action].kind in (END, PASS, NAME)
    return describe(action, language, cards_that_came(game) if ends else None)


def _print(
    terminal: Plain,
    game: Game,
    played: Iterable[tuple[Seat, Action]],
    names: Sequence[str],
    turns: int | None,
) -> None:
    """The first turns in full, then the robberies."""
    language, loot, shown = terminal.language, sum(game.loot), -1
    turns = DEMO_TURNS if turns is None else turns
    for seat, action in played:
        if shown < turns:
            terminal.tell(f"{names[seat]}: {_told(game, action, language)}")
        if sum(game.loot) > loot:
            loot += 1
            terminal.tell(f"{names[seat]}: {robbery(game, action, language)}")
        if game.state.phase == TURN and game.turns > shown and shown < turns:
            shown = game.turns
            if shown < turns:
                terminal.show(draw(game.view(None), names, language, terminal.board_width))
            else:
                terminal.tell(f"\n{say('cli.demo.forward', language)}")
