"""A bot of your own at a table: `python examples/online_bot.py http://localhost:8080 CODE`."""

import sys

from baghdad.client import Table
from baghdad.rules.views import View


def choose(view: View, legal: list[int]) -> int:
    """The action to take. This one takes the first or the last that is legal: it will lose."""
    return max(legal) if view.deck_size % 2 else legal[0]


with Table.join(sys.argv[1], sys.argv[2], name="First steps") as table:
    for view, legal in table.turns():
        table.play(choose(view, legal))
    print({table.seat: "won", None: "nobody won"}.get(table.winner, "lost"))
