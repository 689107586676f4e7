"""How likely every seat is to win, at every moment: with open hands, and from one seat's eyes."""

from pathlib import Path

from baghdad.bots.neural import SOURCES as NEURAL
from baghdad.jit.sources import Sources

SOURCES = Sources(Path(__file__).parent, NEURAL)
