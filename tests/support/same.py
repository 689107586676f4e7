"""What was said or judged here, held against what the page's own modules make of it, in Node."""

import json
from pathlib import Path
from typing import Any

import pytest

from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.bots.value import EYES_FILE, OPEN_FILE
from baghdad.wasm.module import MODULE

from .programs import load


def check(name: str, told: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start `web/tests/same/NAME.check.ts` with what was told; it fails where that is not so."""
    file = folder / "told.json"
    file.write_text(json.dumps(told), "utf-8")
    monkeypatch.setenv("BAGHDAD_CHECK", name)
    monkeypatch.setenv("BAGHDAD_TOLD", str(file))
    monkeypatch.setenv("BAGHDAD_RULES", str(MODULE))
    monkeypatch.setenv("BAGHDAD_WEIGHTS", str(WEIGHTS_FILE))
    monkeypatch.setenv("BAGHDAD_OPEN_WEIGHTS", str(OPEN_FILE))
    monkeypatch.setenv("BAGHDAD_EYES_WEIGHTS", str(EYES_FILE))
    load("hatch_build.py").script("same")
