"""The analyst, compiled: turns compared, facts found and taken away, luck told from play, in memory
that is brought."""

from pathlib import Path

from baghdad.bots.expert import SOURCES as EXPERT
from baghdad.bots.value import SOURCES as VALUE
from baghdad.jit.sources import Sources

SOURCES = Sources(Path(__file__).parent, EXPERT, VALUE)
"""Whole turns of a seat, tried out against each other and against the one that it played; and what
cards were worth."""
