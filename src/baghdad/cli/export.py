"""`baghdad export`: all finished games of a server as a data set."""

import argparse
import asyncio
import json

from .arguments import CommandParser, add_database, add_output
from .files import open_output
from .serve import database_there, no_database


def add_arguments(parser: CommandParser) -> None:
    add_database(parser)
    add_output(parser)


def run(options: argparse.Namespace, language: str) -> int:
    """Write a line of JSON for each finished game."""
    from baghdad.server.ops.export import finished_games
    from baghdad.server.storage.event_store import EventStore

    database = database_there(options, language)

    async def export() -> int:
        try:
            storage = await EventStore.open(database)
        except Exception as error:
            raise no_database(error, database, options, language) from error
        output, count = open_output(options.output, language), 0
        try:
            async for game in finished_games(storage):
                print(json.dumps(game, separators=(",", ":")), file=output)
                count += 1
        finally:
            await storage.close()
            if options.output != "-":
                output.close()
        return count

    asyncio.run(export())
    return 0
