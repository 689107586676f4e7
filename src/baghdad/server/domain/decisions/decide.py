"""The event that a command makes, by its kind."""

from baghdad.server.domain import events
from baghdad.server.domain.commands import (
    Admit,
    AnswerEnd,
    AnyCommand,
    Arrange,
    Bring,
    Chat,
    ChooseStart,
    Decline,
    Emote,
    Hush,
    Kick,
    Leave,
    Lend,
    Move,
    OpenDoor,
    ProposeEnd,
    Rematch,
    Resign,
    Return,
    Sit,
    Start,
    Undo,
)
from baghdad.server.domain.events import PersonNumber
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.domain.table import Table

from . import ending, gathering, playing
from .conditions import cleaned, must_host, must_not_be_hushed, seat_at
from .world import Outcome, World


def decide(table: Table, person: PersonNumber, command: AnyCommand, world: World) -> Outcome:
    """The event that a person's command makes. Raises `RefusedError` or `MoveError`."""
    if person not in table.people:
        raise RefusedError("no_longer_here")
    match command:
        case Move():
            return playing.move(table, seat_at(table, person), command.action)
        case Undo():
            return playing.undo(table, seat_at(table, person), world.limits.undos_a_turn)
        case Bring():
            return playing.bring(table, person, command.number)
        case Start():
            return gathering.start(table, person, world), None
        case Sit():
            return gathering.sit(table, person, command), None
        case Leave():
            return events.Left(person), None
        case Kick():
            return gathering.kick(table, person, command), None
        case Admit():
            return gathering.admit(table, person, command), None
        case OpenDoor():
            return gathering.open_door(table, person), None
        case Arrange():
            return gathering.arrange(table, person, command, world), None
        case ChooseStart():
            return gathering.choose_start(table, person, command), None
        case Chat():
            must_not_be_hushed(table)
            return events.Chatted(person, cleaned(command.text)), None
        case Emote():
            must_not_be_hushed(table)
            return events.Emoted(person, command.emote), None
        case Hush():
            must_host(table, person)
            return events.Hushed(command.off), None
        case Return():
            return playing.return_to_seat(table, seat_at(table, person)), None
        case Resign():
            return ending.resign(table, person), None
        case ProposeEnd():
            return ending.propose_end(table, person), None
        case AnswerEnd():
            return ending.answer_end(table, person, command), None
        case Rematch():
            return ending.rematch(table, person, command, world), None
        case Decline():
            return ending.decline(table, person), None
        case Lend():
            return ending.lend(table, person, command), None
