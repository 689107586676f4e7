"""Any opponent, in one block of memory: which kind it is, and with which numbers, is data."""

from pathlib import Path

from baghdad.bots.expert import SOURCES as EXPERT
from baghdad.jit.sources import Sources

SOURCES = Sources(Path(__file__).parent, EXPERT)
