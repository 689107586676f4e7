"""The walks of CONTRIBUTING.md begin at what is there, and their code runs."""

import ast
from textwrap import dedent

import pytest

from baghdad import Game, new_rng
from baghdad.bots import Budget, decide
from baghdad.rules.engine.actions import ACTIONS, SMUGGLE
from support.documents import blocks
from support.programs import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
CODE = [dedent(block) for block in blocks(TEXT, "python")]

STARTS = [
    ("src/baghdad/rules/engine/material.py", "THIEF_ACTIONS = 3"),
    ("tests/rules/by_number/test_turn.py", "def test_r11_"),
    ("src/baghdad/text/messages.en.json", '"refusal.three_thief_actions"'),
    ("src/baghdad/bots/registry.py", "BUILTIN_BOTS = {"),
    ("web/src/board/Piles.svelte", "aria-label={say('pile.stack', { n: piles.stack })}"),
    ("tests/web/test_replay.py", "def paste("),
    ("src/baghdad/text/messages.en.json", '"cli.bots.broken"'),
    ("src/baghdad/cli/bots.py", "for name, text in descriptions.items():"),
    ("tests/cli/test_cli.py", "does_not_hide_the_others("),
    ("tests/cli/test_cli.py", "    broken, random = capsys.readouterr().out.splitlines()"),
    ("tests/server/test_gathering.py", "def test_chat_emotes_and_silence("),
    ("tests/server/test_gathering.py", 'server.people(2, watching="table")'),
    ("tests/server/test_gathering.py", 'host.wants("chat", text='),
    ("tests/server/test_gathering.py", "server.spectator(people[0].code)"),
    (
        "src/baghdad/server/wire/projection.py",
        "def message_for(projection: Projection, table: Table, ",
    ),
    ("src/baghdad/server/wire/projection.py", "    public = projection.public\n"),
    ("src/baghdad/server/domain/events.py", "CHAT_EVENTS = (Chatted, Emoted)"),
    ("src/baghdad/server/wire/snapshots.py", "def snapshot("),
    ("web/src/wire/chat.ts", "export function isChat("),
    ("web/src/state/table.svelte.ts", "#start(snapshot: Snapshot)"),
    ("web/src/state/table.svelte.ts", "#take(event: EventMessage)"),
]
"""What each walk changes, and tells its reader to look for."""


@pytest.mark.parametrize(("file", "text"), STARTS)
def test_a_walk_begins_at_what_is_there(file: str, text: str) -> None:
    assert text in (ROOT / file).read_text("utf-8")


def test_the_code_of_the_walks_can_be_read() -> None:
    assert len(CODE) == 5
    for block in CODE:
        ast.parse(block)


def test_the_bot_of_the_walk_plays() -> None:
    module = {"__name__": "baghdad.bots.eager", "__package__": "baghdad.bots"}
    exec(CODE[0], module)
    bot, rng = module["EagerBot"](), new_rng("walk")  # type: ignore[operator]
    game = Game(players=3, seed=1)
    for _ in range(60):
        seat = game.to_move
        assert seat is not None
        [action] = decide(bot, game.view(seat), game.legal(), Budget(), rng)
        may_smuggle = any(ACTIONS[legal].kind == SMUGGLE for legal in game.legal())
        assert (ACTIONS[action].kind == SMUGGLE) == may_smuggle
        game.play(action, seat=seat)
