"""A table and all that people can ask of it: whatever they do, it goes on or they are refused."""

from collections.abc import Callable
from typing import Any, get_args

import msgspec
from msgspec import inspect

from baghdad.bots import LEVELS
from baghdad.rules.engine.actions import ACTION_COUNT
from baghdad.rules.errors import MoveError
from baghdad.rules.fair import commitment
from baghdad.server.domain.commands import AnyCommand, Join, Move, NewTable
from baghdad.server.domain.decisions import gathering, playing
from baghdad.server.domain.decisions.decide import decide
from baghdad.server.domain.decisions.world import Outcome, World
from baghdad.server.domain.events import StoredEvent, decode_event, encode_event
from baghdad.server.domain.evolution.evolve import evolve, replayed
from baghdad.server.domain.refusals import RefusedError, reason_of
from baghdad.server.domain.table import Table
from baghdad.server.wire.codec import encode
from baghdad.server.wire.games import played_games
from baghdad.server.wire.projection import message_for, project
from baghdad.server.wire.snapshots import snapshot, summary
from baghdad.text import LANGUAGES

from .choices import Choices

CODE = "F7KQXM"
NOON = 1_790_000_000_000
MOST_STEPS = 60
"""Of one input: each is played, told to everybody, and played again at the end."""
NUMBERS = tuple(f"{n:064x}" for n in range(4))
"""What devices bring to the deal; their promises are known, too, so that some fit."""
HEX = (*NUMBERS, *map(commitment, NUMBERS))
COMMANDS = [inspect.type_info(kind) for kind in get_args(AnyCommand)]


def tables(data: bytes) -> None:
    """A table is set up, and then asked for one thing after another."""
    choices = Choices(data)
    world = World(lambda: "5eed" * 16, choices.below, lambda: list(LEVELS))
    told: list[StoredEvent] = []
    table = Table(CODE)

    def attempt(wanted: Callable[[], Outcome]) -> None:
        nonlocal table
        try:
            event, game = wanted()
        except (RefusedError, MoveError) as error:
            for language in LANGUAGES:
                encode(reason_of(error, language))
            return
        assert decode_event(encode_event(event)) == event
        stored = StoredEvent(len(told) + 1, NOON + 1000 * len(told), event, str(len(told)))
        told.append(stored)
        before, table = table, evolve(table, stored, game)
        projection = project(before, table, stored)
        for person in (None, *table.people):
            encode(message_for(projection, table, person))

    new = msgspec.convert(made(inspect.type_info(NewTable), choices), NewTable)
    people = ["00" * 32] * (1 + len(new.chairs))
    attempt(lambda: (gathering.create(new, people, world), None))
    for _ in range(MOST_STEPS):
        if not table.people or not choices.left:
            break
        attempt(step(table, choices, world))
    if told:
        check_whole(table, told)


def step(table: Table, choices: Choices, world: World) -> Callable[[], Outcome]:
    """What the next bytes want."""
    kind, person = choices.below(4), choices.below(len(table.people) + 1)
    if kind == 0:
        joining = msgspec.convert(made(inspect.type_info(Join), choices), Join)
        return lambda: (gathering.join(table, joining, "11" * 32), None)
    if kind == 1 and table.game is not None and table.awaited:
        return lambda: playing.leave_out(table)
    if kind < 3 and table.game is not None and (legal := table.game.legal()):
        on_turn, action = table.game.to_move, choices.one_of(legal)
        who = next((each for each in table.people if table.seat_of(each) == on_turn), None)
        if who is not None:
            return lambda: decide(table, who, Move(action), world)
        if on_turn is not None and table.bot_at(on_turn):
            return lambda: playing.move(table, on_turn, action, bot=True)
    asked: Any = msgspec.convert(made(choices.one_of(COMMANDS), choices), AnyCommand)
    return lambda: decide(table, person, asked, world)


def check_whole(table: Table, told: list[StoredEvent]) -> None:
    """Everybody can be shown the table, and its events alone make the same of it."""
    again = replayed(CODE, told)
    for person in (None, *table.people):
        people = () if person is None else (person,)
        seen = [encode(snapshot(each, NOON, person, people, (), ())) for each in (table, again)]
        assert seen[0] == seen[1]
        encode(summary(table, NOON, people))
        encode(played_games(table, people))


def made(kind: inspect.Type, choices: Choices) -> Any:
    """Something that a message of this type may hold, as JSON has it."""
    match kind:
        case inspect.StructType():
            found = {kind.tag_field: kind.tag} if kind.tag_field else {}
            for field in kind.fields:
                if field.required or choices.byte() % 2:
                    found[field.encode_name] = made(field.type, choices)
            return found
        case inspect.UnionType():
            return made(choices.one_of(kind.types), choices)
        case inspect.LiteralType():
            return choices.one_of(kind.values)
        case inspect.VarTupleType() | inspect.ListType():
            return [made(kind.item_type, choices) for _ in range(choices.below(4))]
        case inspect.BoolType():
            return bool(choices.byte() % 2)
        case inspect.NoneType():
            return None
        case inspect.IntType():
            least, most = kind.ge or 0, 5 if kind.le is None else min(kind.le, ACTION_COUNT)
            return least + choices.below(most - least + 1)
        case inspect.StrType():
            return text_for(kind, choices)
    raise NotImplementedError(kind)


def text_for(kind: inspect.StrType, choices: Choices) -> str:
    """Often something that means something there."""
    if kind.pattern is None:
        known = choices.byte() % 2
        text = choices.one_of(LEVELS) if known else choices.text()
        return (text or "x")[: kind.max_length]
    return choices.one_of(HEX) if "64" in kind.pattern and "0-9a-f" in kind.pattern else "s" * 24
