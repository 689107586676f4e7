"""What plays here, by version and text: games of other code are not games of these bots."""

import hashlib
from collections.abc import Iterable
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from baghdad import __version__, bots
from baghdad.bots import BUILTIN_BOTS, ENTRY_POINT_GROUP
from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.jit.sources import Sources
from baghdad.rules.engine import SOURCES as ENGINE


def _weights() -> str:
    """The beginning of their SHA-256."""
    try:
        return hashlib.sha256(WEIGHTS_FILE.read_bytes()).hexdigest()[:12]
    except OSError:
        return "none"  # the bots that need them say so


WEIGHTS_HASH = _weights()
"""Which weights are loaded here."""
BOTS = Sources(Path(bots.__file__).parent, ENGINE)
"""The text of all bots, and of the rules that they know."""
PLAYERS_FINGERPRINT = f"baghdad {__version__} ({BOTS.name}, weights {WEIGHTS_HASH})"
"""Rules, bots and what they have learned."""
FINGERPRINT = f"{PLAYERS_FINGERPRINT}, arena {Sources(Path(__file__).parent, BOTS).name}"
"""The same, and how their games are counted: all nodes of a cluster must have the same."""


def players_fingerprint(names: Iterable[str]) -> str:
    """The same, with what is known of those bots that other packages bring."""
    return ", ".join(
        [PLAYERS_FINGERPRINT, *(_guest(name) for name in names if name not in BUILTIN_BOTS)]
    )


def _guest(name: str) -> str:
    """A bot's package, and the text of the module that it comes from."""
    entry = entry_points(group=ENTRY_POINT_GROUP)[name]
    spec = find_spec(entry.module)
    origin = Path(spec.origin) if spec and spec.origin else None
    text = origin.read_bytes() if origin and origin.is_file() else b""
    package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.module
    return f"{name} of {package} ({hashlib.sha256(text).hexdigest()[:12]})"
