"""A player that tries out whole turns which the network proposes."""

from pathlib import Path

from baghdad.bots.neural import SOURCES as NEURAL
from baghdad.bots.search import SOURCES as SEARCH
from baghdad.jit.sources import Sources

SOURCES = Sources(Path(__file__).parent, NEURAL, SEARCH)
