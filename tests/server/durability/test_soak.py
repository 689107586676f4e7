"""A day in an hour, in a few seconds: `benchmarks/soak` at a small size, over both databases."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.programs import ROOT, load

SIZE = ("--minutes", "0.12", "--sockets", "25", "--rate", "40", "--attacks", "5", "--away", "1.5")
NEVER = ("lost", "unsound", "gap", "gone back", "seat lost", "server error", "generator", "run")
"""What a slow machine is no excuse for."""


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_nothing_is_lost_whatever_happens_to_server_and_database(
    database: str, folder: Path
) -> None:
    load("hatch_build.py").build()  # people look at the page, too
    result = folder / "result.json"
    # Uncompiled, which starts sooner.
    subprocess.run(
        [
            *(sys.executable, "-m", "benchmarks.soak", "--unpinned", *SIZE),
            *("--database", database, "--folder", str(folder), "--json", str(result)),
        ],
        cwd=ROOT,
        env=os.environ | {"BAGHDAD_PLAIN": "1"},
        stdout=subprocess.DEVNULL,
        check=False,  # it also judges times, which are not for tests
    )
    report = json.loads(result.read_text())
    found = {kind: count for kind, count in report["wrong"].items() if kind in NEVER}
    assert not found, report["details"]
    assert not [line for line in report["log"] if line.startswith("trace")], report["log"]
    assert report["exit"] == 0
    assert [each["what"] for each in report["restarts"]] == ["kill -9", "database"]
    assert report["compared"]["acknowledged"] > 50
    # It was killed while commands were on their way.
    assert report["counts"].get("sent again"), report["counts"]
