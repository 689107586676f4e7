"""Environments for learning: observations, and the game as other people's programs expect it."""

from pathlib import Path

from ..rules import SOURCES as RULES
from ..rules.sources import Sources

SOURCES = Sources(Path(__file__).parent, RULES)
