"""How much one client may ask for: every limit of the server, with its reason.

docs/server.md has the same as a table.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one client may ask for. Beyond it requests are refused, never people.

    Every field has its reason below it, and a row in the table "Limits" of docs/server.md that
    names it in the third column: `| what | how much | field | why |`. A test compares them.
    """

    body: int = 256 * 1024
    """Bytes of a request: a long game record fits in twice."""
    frame: int = 4 * 1024
    """Bytes of a message on a socket: the longest command has some 500."""
    pieces: int = 1000
    """Chunks of a request, or fragments of a message: no program cuts them so small by itself."""
    head: int = 32 * 1024
    """Bytes of a request's line and headers: browsers send some 1,000, and cookies of tables go to
    each table alone."""
    headers: int = 100
    """Of a request: browsers send some 20."""
    head_seconds: float = 10.0
    """For the head of a request to come: one packet, even over a poor line."""
    body_seconds: float = 30.0
    """For its body: the largest record over a poor mobile line."""
    pipelined: int = 16
    """Requests that wait on one connection: browsers await an answer before they send the next."""
    unread_seconds: float = 60.0
    """After which it is looked whether a client still reads: a train's tunnel is shorter."""
    unread_bytes: int = 16 * 1024
    """That it must have read in this time: the slowest mobile line carries ten times as much."""
    connections: int = 400
    """Open at a time from one address: a school behind one router, each with a few."""
    handshakes: int = 200
    """Of them, those that have not sent a whole request yet: a school class opens the page at the
    same moment, with six each, and all of them may be there before the first request."""
    arrivals_a_second: float = 50.0
    """New connections of one address, lasting: whoever is cut off must not just come again,"""
    arrivals_at_once: int = 400
    """and a school class opens the page at the same moment, with six connections each."""
    households: int = 16
    """Of IPv6 networks of 56 bits, which count as an address: as many in one of 48 bits may do all
    that they may; a household commonly has 56 bits, and some have 48."""
    tables_an_hour: int = 60
    """Tables set up from one address: a club evening behind one router stays below."""
    strong_bot: int = 1
    """Tables that a bot which thinks for as long as it may counts as, besides the table at which it
    sits: it takes a hundred times as long as the others."""
    listed_of_one: int = 3
    """Tables of one address in the lobby at a time: a club fills it no further."""
    tickets_an_hour: int = 30
    """To take seats to other devices, of one address: a family behind one router stays below."""
    requests_a_second: float = 50.0
    """Of one address, lasting; polls of a busy household stay below."""
    pages_a_second: float = 300.0
    """Files of the page to one address, lasting; they cost little,"""
    pages_at_once: int = 2_000
    """and a school class opens the page at the same moment, with some 30 files each."""
    messages_a_second: float = 10.0
    """Of one person at a table, lasting, on all sockets together: nobody clicks faster."""
    frames_a_message: int = 8
    """Frames on a socket for each message that may come: pings, pongs and fragments count, too."""
    speakers: int = 10
    """People of one address who may all send as much as one may: a school class sends less."""
    burst: int = 60
    """How far one may run ahead of these rates for a moment."""
    joins_a_table: int = 4
    """People who sit down from one address in an hour, for each table that it may set up in it: a
    table has four chairs, and somebody who sits down and leaves in a loop is slowed down."""
    misses_at_once: int = 20
    """Codes of tables that don't exist, of one address: people mistype,"""
    misses_a_minute: float = 6.0
    """and lasting: guessing a code takes years. Then those who hold no secret of a table wait."""
    absent_seconds: float = 3.0
    """How long somebody must be away before the others are told: whoever polls or flaps comes back
    sooner, and would make everybody at the table receive messages without end."""
    undos_a_turn: int = 50
    """Of one player: several times all that can be done in a turn, and its trace is bounded."""
    talk_at_once: int = 60
    """Messages, faces, changes of chairs, offers of one person at a table, for a moment,"""
    talk_a_minute: float = 20.0
    """and lasting: a table that is talked to all day keeps a bounded trace of it."""
    record_steps: int = 20_000
    """Of a record that is played through: twice as many as the longest of some hundred games
    between random players. Counted before the first is played."""
    heavy_cost: int = 5
    """Requests that one page of a whole game, or one record, counts as: it takes as long."""
    heavy_each: int = 4
    """Of these from one address, at work or waiting: several people behind one router. One of them
    is worked on at a time."""
    heavy_in_all: int = 32
    """Of these at work or waiting: more would wait longer than anybody does."""
    idle_tables: int = 500
    """In memory while nobody is connected and nothing goes on there, some 150 KB each. The others
    sleep, and come back when they are asked for."""
    addresses: int = 10_000
    """Remembered at a time; the longest silent are forgotten first, so memory is bounded."""
