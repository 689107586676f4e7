"""What docs/environments.md shows is true."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from baghdad.rules.engine import observation
from support.documents import README, blocks

TEXT = (Path(__file__).parents[2] / "docs" / "environments.md").read_text()
EXAMPLES = [*blocks(TEXT, "python"), next(b for b in blocks(README, "python") if "gymnasium" in b)]


@pytest.mark.parametrize("code", EXAMPLES)
def test_the_examples_run(code: str) -> None:
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, capture_output=True)


def test_every_number_of_the_row_is_told() -> None:
    told = re.findall(r"^\| (\d+) \| (.*?) \| (\d+) \|$", TEXT, re.MULTILINE)
    expected = [
        (str(start + place), name, str(most))
        for start, features in (
            (0, observation.PALACE_FEATURES),
            (0, observation.SEAT_FEATURES),
            (observation.TABLE_AT, observation.TABLE_FEATURES),
            (observation.LATER_AT, observation.LATER_FEATURES),
        )
        for place, (name, most) in enumerate(features.items())
    ]
    assert told == expected
    assert f"A row of {observation.OBSERVATION_SIZE} whole numbers" in TEXT
    assert f"\nVersion {observation.OBSERVATION_VERSION}." in TEXT
