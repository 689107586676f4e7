"""Players with a trained network: one that follows its policy, and one that searches with it."""

import os
from pathlib import Path

from baghdad.jit.sources import Sources
from baghdad.rules.engine import SOURCES as ENGINE

SOURCES = Sources(Path(__file__).parent, ENGINE)

WEIGHTS_FILE = Path(
    os.environ.get("BAGHDAD_WEIGHTS") or Path(__file__).parent / "weights" / "neural.bin"
)
"""The weights of the trained network that ships, or of another to be tried out."""
