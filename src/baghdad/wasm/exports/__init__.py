"""The functions of the module, by subject: what they are given is memory that the caller brings."""

from pathlib import Path

from baghdad.jit.sources import Sources
from baghdad.rules.engine import SOURCES as ENGINE

SOURCES = Sources(Path(__file__).parent, ENGINE)
