"""`baghdad serve`: tables for everybody who has the link. `baghdad` alone: for this machine."""

import argparse
import asyncio
import errno
import os
import socket
import sys
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from platformdirs import user_data_path

from baghdad.text import say

from .arguments import CommandParser, add_database, add_room
from .files import UsageError

if TYPE_CHECKING:
    from baghdad.server.domain.limits import Limits
    from baghdad.server.transport.reach import Endpoint

EVERYWHERE = "0.0.0.0"
"""Every address of this machine."""
BACKLOG = 2048
"""Connections that may wait to be accepted."""


DATABASE_VARIABLE = "BAGHDAD_DATABASE_URL"
BUS_VARIABLE = "BAGHDAD_BUS"
HOST, PORT = "127.0.0.1", 8080
LAST_PORT = 65_535


def add_arguments(parser: CommandParser) -> None:
    add, text = parser.add_argument, parser.text
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--host", default=HOST, metavar="HOST", help=text("serve.host", default=HOST)
    )
    add_room(where, text("room"))
    about_port = text("serve.port_", default=PORT)
    add("--port", type=parser.whole(0, LAST_PORT), default=PORT, metavar="PORT", help=about_port)
    add_database(parser)
    add("--bus", metavar="URL", help=text("serve.bus"))
    add("--open", action="store_true", help=text("serve.open"))

    def public(given: str) -> str:
        from baghdad.server.transport.reach import public_url

        try:
            return public_url(given)
        except ValueError:
            raise parser.refusal("cli.serve.bad_url", given=given) from None

    add("--public-url", type=public, metavar="URL", help=text("serve.public_url"))
    add("--proxy", metavar="ADDRESSES", help=text("serve.proxy"))
    add("--https", action="store_true", help=text("serve.https"))
    about_tables = text("serve.tables_per_client")
    add("--tables-per-client", type=parser.whole(1), metavar="N", help=about_tables)
    about_connections = text("serve.connections_per_client")
    add("--connections-per-client", type=parser.whole(1), metavar="N", help=about_connections)

    def place(given: str) -> tuple[str, int]:
        from baghdad.server.transport.reach import host_and_port

        try:
            return host_and_port(given)
        except ValueError:
            raise parser.refusal("cli.serve.bad_place", given=given) from None

    add("--metrics", type=place, metavar="HOST:PORT", help=text("serve.metrics"))


def run(options: argparse.Namespace, language: str) -> int:
    """Serve until somebody says stop."""
    from baghdad.bots import LESSON, LEVELS
    from baghdad.jit.compiler import COMPILED
    from baghdad.server.app import make_app
    from baghdad.server.ops.collector import tune_garbage_collector
    from baghdad.server.ops.logs import set_up_logs
    from baghdad.server.ops.open_files import raise_open_files
    from baghdad.server.ops.warmup import warm_up
    from baghdad.server.transport.reach import Endpoint
    from baghdad.server.transport.serving import serving

    database = database_of(options, language)
    bus = options.bus or os.environ.get(BUS_VARIABLE) or None
    # `baghdad --room` has said it before there was a command.
    name = EVERYWHERE if getattr(options, "room", False) else options.host
    with take_port(name, options.port, language, search=options.open) as port:
        host, number = port.getsockname()[:2]
        endpoint = Endpoint(
            host,
            number,
            name,
            public=options.public_url,
            proxied=options.proxy is not None,
            secure=options.https,
        )

        def welcome() -> None:
            for line in greeting(endpoint, language, playing=options.open):
                print(line, flush=True)
            if options.open and can_open():
                Thread(target=webbrowser.open, args=(f"{endpoint.here}/",), daemon=True).start()

        check_database(database, bus, options, language)
        warm_up()
        set_up_logs()
        raise_open_files()
        app = make_app(
            database,
            limits=limits_of(options),
            endpoint=endpoint,
            ready_for=(LESSON, *LEVELS) if COMPILED else (),
            metrics=options.metrics is None,
            bus=bus,
        )
        if options.metrics is not None:
            serve_metrics(options.metrics, language)
        server = serving(app, proxy=options.proxy, welcome=welcome)
        tune_garbage_collector()
        server.run(sockets=[port])
    return 0


def limits_of(options: argparse.Namespace) -> "Limits":
    """The usual ones, but for what the operator says."""
    from baghdad.server.domain.limits import Limits

    said = {
        "tables_an_hour": options.tables_per_client,
        "connections": options.connections_per_client,
    }
    return Limits(**{name: value for name, value in said.items() if value is not None})


def serve_metrics(place: tuple[str, int], language: str) -> None:
    """Prometheus's own small server, in a thread, which ends with the process."""
    from prometheus_client import start_http_server

    host, port = place
    try:
        start_http_server(port, host)
    except OSError as error:
        raise port_taken(host, port, error, language) from error


def greeting(endpoint: "Endpoint", language: str, *, playing: bool) -> Iterator[str]:
    """Where the game is: on this machine, in this room, for everybody.

    `playing`: somebody only wants to play, and may not know how to let others in.
    """
    here, others = f"{endpoint.here}/", [f"{each}/" for each in endpoint.addresses()]
    if endpoint.public is not None:
        yield say("cli.serve.ready", language, address=f"{endpoint.public}/")
        yield say("cli.serve.here", language, address=here)
        return
    yield say("cli.serve.ready", language, address=here)
    if not endpoint.is_open:
        if playing:
            yield say("cli.serve.alone", language)
    elif not others:
        yield say("cli.serve.nowhere", language)
    elif others != [here]:
        yield say("cli.serve.room", language, address=others[0])
        yield from (say("cli.serve.or", language, address=each) for each in others[1:])


def can_open() -> bool:
    """Whether there is a browser to open: a text browser in this terminal would be in the way."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def database_of(options: argparse.Namespace, language: str) -> str:
    """Where the events go: the given database, or SQLite in the data folder."""
    from baghdad.server.storage.event_store import async_url, database_url
    from baghdad.server.storage.files import make_private_folder

    given = given_database(options)
    if given:
        url = async_url(given)
        if not url.startswith(("postgresql+asyncpg://", "sqlite+aiosqlite:///")):
            shown = without_password(given)
            raise UsageError(say("cli.serve.bad_database", language, url=shown))
        return url
    folder = Path(options.data) if options.data else user_data_path("baghdad")
    try:
        make_private_folder(folder, ours=not options.data)
    except OSError as error:
        reason = error.strerror or str(error)
        text = say("cli.serve.bad_folder", language, folder=folder, reason=reason)
        raise UsageError(text) from error
    return database_url(folder)


def database_there(options: argparse.Namespace, language: str) -> str:
    """The same of a server that has run already: no folder is made for one that is not there."""
    from baghdad.server.storage.event_store import DATABASE

    if options.data and not options.database_url:
        file = Path(options.data) / DATABASE
        if not file.exists():
            reason = os.strerror(errno.ENOENT)
            raise UsageError(say("cli.no_file", language, file=file, reason=reason))
    return database_of(options, language)


def given_database(options: argparse.Namespace) -> str | None:
    """A database that was named: by an option, or where none is given by the environment.

    Everybody on a machine may read the command lines of its processes, and a URL has a password.
    """
    if options.database_url or options.data:
        return options.database_url or None
    return os.environ.get(DATABASE_VARIABLE) or None


def without_password(url: str) -> str:
    """An address of a database that may be shown.

    >>> without_password("postgresql://ali:sesame@localhost/baghdad")
    'postgresql://ali:***@localhost/baghdad'
    >>> without_password("games/baghdad.db")
    'games/baghdad.db'
    """
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return url


def check_database(
    database: str, bus: str | None, options: argparse.Namespace, language: str
) -> None:
    """Say what is wrong with a database, or with the bus, before anything is served."""
    from baghdad import __version__
    from baghdad.server.bus.bus import Bus, NoBusError, shown
    from baghdad.server.runtime.members import SecondError, join
    from baghdad.server.storage.event_store import EventStore

    async def check() -> None:
        storage = await EventStore.open(database)
        try:
            lease = storage.own(__version__, linked=None if bus is None else False)
            if bus is not None:
                if lease is None:
                    raise UsageError(say("cli.serve.bus_alone", language))
                line = Bus(bus, lease.id)
                await line.open()
                await line.close()
            if lease is not None:
                await join(lease)
                await lease.leave()
                await lease.forget(lease.id)
        finally:
            await storage.close()

    try:
        asyncio.run(check())
    except UsageError:
        raise
    except SecondError as error:
        where = without_password(given_database(options) or "")
        raise UsageError(say("cli.serve.second", language, where=where)) from error
    except NoBusError as error:
        text = say("cli.serve.no_bus", language, where=shown(bus or ""), reason=error)
        raise UsageError(text) from error
    except Exception as error:
        raise no_database(error, database, options, language) from error


def no_database(
    error: Exception, database: str, options: argparse.Namespace, language: str
) -> UsageError:
    """What to say where a database can't be opened."""
    from baghdad.server.storage.migrations import OtherVersionError

    where = without_password(given_database(options) or database.partition("///")[2])
    if isinstance(error, OtherVersionError):
        key = "newer_database" if error.newer else "old_database"
        return UsageError(say(f"cli.serve.{key}", language, where=where))
    reason = str(error).strip().partition("\n")[0] or type(error).__name__
    return UsageError(say("cli.serve.no_database", language, where=where, reason=reason))


def take_port(host: str, port: int, language: str, *, search: bool) -> socket.socket:
    """Listen at the port, or at the next free one where somebody only wants to play.

    From now on nobody else gets it, and an early client waits instead of being refused.
    """
    for candidate in range(port, min(port + (20 if search else 1), LAST_PORT + 1)):
        try:
            return listening(host, candidate)
        except OSError as error:
            problem = port_taken(host, port, error, language)
    raise problem


def port_taken(host: str, port: int, error: OSError, language: str) -> UsageError:
    reason = error.strerror or str(error)
    return UsageError(say("cli.serve.port", language, host=host, port=port, reason=reason))


def listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere it would share the port with the process that has it
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:  # "::" is every address, old ones too
            taken.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        taken.bind((host, port))
        taken.listen(BACKLOG)
    except OSError:
        taken.close()
        raise
    return taken
