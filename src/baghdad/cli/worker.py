"""`baghdad worker`: lets bots of servers elsewhere think on this machine."""

import argparse
import asyncio
import os
import signal
from contextlib import suppress

from baghdad.text import say

from .arguments import CommandParser
from .files import UsageError
from .serve import BUS_VARIABLE


def add_arguments(parser: CommandParser) -> None:
    text = parser.text
    parser.add_argument("--bus", metavar="URL", help=text("worker.bus"))
    parser.add_argument(
        "--processes", type=parser.whole(1), metavar="N", help=text("worker.processes")
    )


def run(options: argparse.Namespace, language: str) -> int:
    """Let bots think until somebody says stop."""
    from baghdad.server.bus.bus import NoBusError, shown
    from baghdad.server.ops.logs import set_up_logs

    address = options.bus or os.environ.get(BUS_VARIABLE)
    if not address:
        raise UsageError(say("cli.worker.no_address", language))
    set_up_logs()
    try:
        asyncio.run(_work(address, options.processes, language))
    except NoBusError as error:
        text = say("cli.serve.no_bus", language, where=shown(address), reason=error)
        raise UsageError(text) from error
    return 0


async def _work(address: str, processes: int | None, language: str) -> None:
    from baghdad.bots import LESSON, LEVELS
    from baghdad.jit.compiler import COMPILED
    from baghdad.server.bot_machine import BotMachine

    machine, loop = BotMachine(address, processes), asyncio.get_running_loop()
    working = asyncio.current_task()
    assert working is not None, "this is one"
    for each in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # Windows has neither
            loop.add_signal_handler(each, working.cancel)
    try:
        await machine.open((LESSON, *LEVELS) if COMPILED else ())
        print(say("cli.worker.ready", language, n=machine.processes), flush=True)
        await machine.run()
    except asyncio.CancelledError:
        pass
    finally:
        await machine.close()
