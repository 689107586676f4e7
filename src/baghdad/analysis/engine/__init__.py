"""The analyst, compiled: turns compared, facts found and taken away, in memory that is brought."""

from pathlib import Path

from baghdad.bots.expert import SOURCES as EXPERT
from baghdad.jit.sources import Sources

SOURCES = Sources(Path(__file__).parent, EXPERT)
"""Whole turns of a seat, tried out against each other and against the one that it played."""
