"""A player that tries whole turns out in determinizations: deals that could be the true one."""

from pathlib import Path

from baghdad.bots.heuristic import SOURCES as HEURISTIC
from baghdad.jit.sources import Sources

SOURCES = Sources(Path(__file__).parent, HEURISTIC)
