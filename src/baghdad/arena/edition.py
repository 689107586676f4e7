"""What plays here, by version and text: games of another edition are not games of these bots."""

import hashlib
from pathlib import Path

from .. import __version__
from ..bots import SOURCES as BOTS
from ..bots import WEIGHTS
from ..rules.sources import Sources


def _weights() -> str:
    """The beginning of their SHA-256."""
    try:
        return hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()[:12]
    except OSError:
        return "none"  # the bots that need them say so


LEARNED = _weights()
"""Which weights are loaded here."""
PLAYERS = f"baghdad {__version__} ({BOTS.name}, weights {LEARNED})"
"""Rules, bots and what they have learned. Bots of other packages are their makers' matter."""
EDITION = f"{PLAYERS}, arena {Sources(Path(__file__).parent, BOTS).name}"
"""The same, and how their games are counted: all nodes of a cluster must have the same."""
