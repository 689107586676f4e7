"""Any opponent, and the analyst, in one block of memory: which one thinks, and how, is data."""

from pathlib import Path

from baghdad.analysis.engine import SOURCES as ANALYST
from baghdad.jit.sources import Sources

SOURCES = Sources(Path(__file__).parent, ANALYST)
