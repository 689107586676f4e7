"""Environments for learning: the game as PettingZoo, Gymnasium and OpenSpiel expect it, and
thousands of games at once on the CPU or a GPU."""

from pathlib import Path

from baghdad.jit.sources import Sources
from baghdad.rules.engine import SOURCES as RULES

SOURCES = Sources(Path(__file__).parent, RULES)
