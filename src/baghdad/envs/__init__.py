"""Environments for learning: observations, and the game as other people's programs expect it."""

from pathlib import Path

from baghdad.jit.sources import Sources
from baghdad.rules.engine import SOURCES as RULES

SOURCES = Sources(Path(__file__).parent, RULES)
