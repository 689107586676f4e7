"""The guided game, as data: its deal, its moves and what is said to each of them.

`lesson.json` is the one source of it, for the server, the bot that plays along and the page.
"""

import json
from pathlib import Path
from typing import Any

_LESSON: dict[str, Any] = json.loads((Path(__file__).parent / "lesson.json").read_text("utf-8"))

SEED: str = _LESSON["seed"]
"""Everybody may know it: the deal has to be the one that the words are about."""
MOVES: tuple[str, ...] = tuple(step["move"] for step in _LESSON["script"] if "move" in step)
"""Tokens of both seats in order, without chance, which follows from the seed."""
SAID: tuple[str, ...] = tuple(step["say"] for step in _LESSON["script"] if "say" in step)
"""Names of all that is said, in order."""
LEARNER, RIVAL = 0, 1
"""Seats."""
