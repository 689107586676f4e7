"""Tables of boardgame.io's server, spoken to in socket.io's own protocol."""

import asyncio
import random
from collections.abc import Sequence
from functools import partial

import msgspec

from .traffic import SEATS, Table, address_of
from .wire import Socket, connect, request

PALACES = 6
UNHEARD = 0.25
"""Seconds after which a move is made again, where there are several servers."""
OPEN, PING, PONG, CONNECTED, EVENT = b"0", b"2", b"3", b"40/palaces,", b"42/palaces,"
"""The packets of socket.io: its types, and the namespace of the game."""


class Context(msgspec.Struct):
    player: str = msgspec.field(name="currentPlayer")


class State(msgspec.Struct):
    context: Context = msgspec.field(name="ctx")
    number: int = msgspec.field(name="_stateID")


class Sync(msgspec.Struct):
    state: State


decode_update = msgspec.json.Decoder(tuple[str, str, State, list[msgspec.Raw]]).decode
decode_sync = msgspec.json.Decoder(tuple[str, str, Sync]).decode


class TheirTable(Table):
    """A match of four, made when the first one asks for it."""

    def __init__(self, ports: Sequence[int], place: int) -> None:
        """`ports`: of all servers; each seat comes to another one."""
        super().__init__()
        self._ports = [ports[(place + seat) % len(ports)] for seat in range(SEATS)]
        self._name = f"table{place}".encode()
        self._address = address_of(place)
        self._ready = 0
        self._turn = 0
        self._number = 0

    async def connect(self) -> None:
        for seat, port in enumerate(self._ports):
            asking = request("/socket.io/?EIO=4&transport=websocket", f"127.0.0.1:{port}")
            hear = partial(self._hear, b"%d" % seat)
            self.sockets.append(await connect(port, self._address, asking, hear))
            while self._ready <= seat:
                await asyncio.sleep(0.001)

    def command(self) -> None:
        self._ask()
        if len(set(self._ports)) > 1:
            asyncio.get_running_loop().call_later(UNHEARD, self._repeat, self._number)

    def _repeat(self, number: int) -> None:
        """Another server drops a move, without a word, that comes before the last one is stored."""
        if number == self._number:
            self.repeated += 1
            self._ask()
            asyncio.get_running_loop().call_later(UNHEARD, self._repeat, number)

    def _ask(self) -> None:
        # What boardgame.io's own client sends for `moves.smuggle(palace)`.
        self.sockets[self._turn].send(
            EVENT + b'["update",{"type":"MAKE_MOVE","payload":{"type":"smuggle","args":[%d],'
            b'"playerID":"%d"}},%d,"%b","%d"]'
            % (random.randrange(PALACES), self._turn, self._number, self._name, self._turn)
        )

    def _hear(self, seat: bytes, socket: Socket, text: bytes) -> None:
        if text.startswith(EVENT + b'["update"'):
            self._learn(decode_update(text[len(EVENT) :])[2])
            self.received()
        elif text.startswith(EVENT + b'["sync"'):
            self._learn(decode_sync(text[len(EVENT) :])[2].state)
            self._ready += 1
        elif text.startswith(CONNECTED):
            socket.send(EVENT + b'["sync","%b","%b",null,%d]' % (self._name, seat, SEATS))
        elif text.startswith(OPEN):
            socket.send(CONNECTED)
        elif text == PING:
            socket.send(PONG)
        elif not text.startswith(EVENT + b'["matchData"'):
            raise ValueError(text)

    def _learn(self, state: State) -> None:
        self._turn = int(state.context.player)
        self._number = state.number
