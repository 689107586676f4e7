"""A game between bots as people watch it: drawn step by step, or printed."""

from collections.abc import Iterable, Sequence

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

from .board import StyledLine, draw, step_lines
from .terminal import Plain

FEWEST_STEPS, MOST_STEPS = 2, 8
"""Steps that are told beneath the board, as there is room."""


def watch(
    terminal: Plain,
    game: Game,
    played: Iterable[tuple[Seat, Action]],
    names: Sequence[str],
    pace: float,
    pause_until: int | None,
) -> None:
    """Every step on the board, and the last ones in words beneath it.

    There is a pause of `pace` seconds after each, up to the turn `pause_until`.
    """
    steps: list[StyledLine] = []
    loot = sum(game.loot)
    for seat, action in played:
        texts = [_described(game, action, terminal.language)]
        if sum(game.loot) > loot:
            loot += 1
            texts.append(robbery(game, action, terminal.language))
        for text in texts:
            steps += step_lines(seat, names[seat], text, terminal.width)
        board = draw(game.view(None), names, terminal.language, terminal.board_width)
        room = max(FEWEST_STEPS, min(MOST_STEPS, terminal.height - len(board) - 2))
        terminal.show([*board, [], *steps[-room:]])
        if pause_until is None or game.turns < pause_until:
            terminal.pause(pace)


def _described(game: Game, action: Action, language: str) -> str:
    ends = ACTIONS[action].kind in (END, PASS, NAME)
    return describe(action, language, cards_that_came(game) if ends else None)


def print_moves(
    terminal: Plain,
    game: Game,
    played: Iterable[tuple[Seat, Action]],
    names: Sequence[str],
    turns: int,
) -> None:
    """The first turns in full, then the robberies."""
    language, loot, shown = terminal.language, sum(game.loot), -1
    for seat, action in played:
        if shown < turns:
            terminal.tell(f"{names[seat]}: {_described(game, action, language)}")
        if sum(game.loot) > loot:
            loot += 1
            terminal.tell(f"{names[seat]}: {robbery(game, action, language)}")
        if game.state.phase == TURN and game.turns > shown and shown < turns:
            shown = game.turns
            if shown < turns:
                terminal.show(draw(game.view(None), names, language, terminal.board_width))
            else:
                terminal.tell(f"\n{say('cli.demo.forward', language)}")
