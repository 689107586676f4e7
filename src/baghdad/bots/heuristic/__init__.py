"""A player that plans its own turn: tuned values of positions, and a beam over its actions."""

from pathlib import Path

from baghdad.jit.sources import Sources
from baghdad.rules.engine import SOURCES as ENGINE

SOURCES = Sources(Path(__file__).parent, ENGINE)
