"""What a seat could think the others held, from the record of a game as that seat knows it."""

from pathlib import Path

from baghdad.bots.neural import SOURCES as NEURAL
from baghdad.jit.sources import Sources

SOURCES = Sources(Path(__file__).parent, NEURAL)
"""Histories of the hidden cards, and how well the others' turns fit them."""
