"""A replay as one HTML file that needs no server: the page with a game written into it."""

from pathlib import Path

import msgspec

from .steps import Replay

TEMPLATE = Path(__file__).parents[1] / "server" / "static" / "offline.html"
"""Built along with the page, every script, style and text inside."""
PLACE = '<script type="application/json" id="game">{}</script>'
"""Where the game goes. The page puts it there in the same way when it saves a file."""


def offline(template: str, replay: Replay) -> str:
    """The file with a game in it.

    >>> "</" in inside('{"name": "</script>"}')
    False
    """
    empty = PLACE.format("null")
    assert template.count(empty) == 1, "the page has one place for a game"
    return template.replace(empty, PLACE.format(inside(msgspec.json.encode(replay).decode())))


def inside(json: str) -> str:
    """JSON that can stand in HTML: no name or header in it can end the script."""
    return json.replace("<", "\\u003c")
