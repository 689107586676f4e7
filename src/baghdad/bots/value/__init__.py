"""How likely every seat is to win, at every moment: with open hands, and from one seat's eyes."""

import os
from pathlib import Path

from baghdad.bots.neural import SOURCES as NEURAL
from baghdad.jit.sources import Sources

SOURCES = Sources(Path(__file__).parent, NEURAL)

_WEIGHTS = Path(__file__).parent / "weights"
OPEN_FILE = Path(os.environ.get("BAGHDAD_OPEN_WEIGHTS") or _WEIGHTS / "open.bin")
EYES_FILE = Path(os.environ.get("BAGHDAD_EYES_WEIGHTS") or _WEIGHTS / "eyes.bin")
"""The weights of the trained networks that ship, or of others to be tried out."""
