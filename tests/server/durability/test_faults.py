"""All that can break between several servers, once each: `benchmarks/faults` at a small size."""

import json
import os
import subprocess
import sys
from pathlib import Path

from support.programs import ROOT, load

SIZE = ("--tables", "6", "--rate", "20", "--times", "1", "--longest", "3.5", "--between", "0.5")
SLOW = ("kill:",)
"""Goals in seconds are for the benchmark."""


def test_nothing_is_lost_whatever_breaks_between_servers(folder: Path) -> None:
    load("hatch_build.py").build()  # people look at the page, too
    result = folder / "result.json"
    # Uncompiled, which starts sooner.
    subprocess.run(
        [
            *(sys.executable, "-m", "benchmarks.faults", *SIZE),
            *("--folder", str(folder), "--json", str(result)),
        ],
        cwd=ROOT,
        env=os.environ | {"BAGHDAD_PLAIN": "1"},
        stdout=subprocess.DEVNULL,
        check=False,  # what it has missed is looked at here
    )
    report = json.loads(result.read_text())
    assert not [each for each in report["missed"] if not each.startswith(SLOW)], report["details"]
    assert len(report["faults"]) == 6
    assert report["compared"]["acknowledged"] > 50
    assert report["histories"]["operations"] > 100
    assert report["intrusions"] >= 6
    # Tables changed hands.
    assert report["owners given"] > report["tables"]
