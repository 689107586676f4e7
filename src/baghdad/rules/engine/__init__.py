"""The compiled engine: one source for CPU and GPU. Every file here is part of the cache's name."""

from pathlib import Path

from baghdad.jit.sources import Sources

SOURCES = Sources(Path(__file__).parent)
