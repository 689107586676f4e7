"""All that can break between several servers, once each: `benchmarks/faults` at a small size."""

import json
import os
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from benchmarks.faults.clusters import together
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


def test_what_clusters_show_is_added_up() -> None:
    options = Namespace(clusters=2, times=3, processes=3, kinds=["kill", "freeze"])
    first, second = cluster(1, kill=[1.0, 2.0], freeze=[4.0]), cluster(2, kill=[6.0], freeze=[5.0])
    report = together([first, second], options)
    assert report["faults"] == {"kill": 3, "freeze": 2}
    assert report["seconds until tables went on"]["kill"]["count"] == 3
    assert report["seconds until tables went on"]["kill"]["most"] == 6.0
    assert report["compared"] == {"acknowledged": 20}
    assert (report["tables"], report["intrusions"], report["exits"]) == (12, 8, [0, 0])
    # Too few of one cluster are enough together; too few together are not.
    assert report["missed"] == ["freeze: only 2 times"]
    second["missed"].append("lost: 1")
    assert together([first, second], options)["missed"][0] == "cluster 1: lost: 1"
    assert "1 clusters have left nothing" in together([first], options)["missed"]


def cluster(seed: int, **waits: list[float]) -> dict[str, Any]:
    """The report of one, with so many seconds for each fault."""
    return {
        "machine": "one",
        "minutes": 1.0,
        "seed": seed,
        "faults": {kind: len(found) for kind, found in waits.items()},
        "compared": {"acknowledged": 10},
        "all seconds": {"went on": waits, "in order": waits},
        "milliseconds outside faults": {},
        "exits": [0],
        "details": [],
        "missed": ["freeze: only 1 times"],
        **{name: {} for name in ("histories", "counts", "log", "wrong")},
        **dict.fromkeys(("sockets at the end", "owners given", "writes refused to servers"), 1),
        "tables": 6,
        "intrusions": 4,
        "orphans": 0,
    }
