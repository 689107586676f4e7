"""Several clusters side by side, each with servers, database, bus, folder and seed of its own."""

import argparse
import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

PASSED_ON = ("processes", "tables", "rate", "longest", "between", "minutes")
SUMMED = (
    *("tables", "sockets at the end", "owners given", "intrusions"),
    *("writes refused to servers", "orphans"),
)
COUNTED = ("faults", "compared", "histories", "counts", "log", "wrong")
"""What is there by name, and added up by it."""
TOO_FEW = ": only "
"""How a cluster says that it had too few faults of a kind, which is looked at together."""


def keep(report: dict[str, Any], file: Path | None) -> None:
    """What is known so far: who is killed leaves that. Others may read it at any moment."""
    if file is not None:
        new = file.with_suffix(".new")
        new.write_text(json.dumps(report, indent=1) + "\n")
        new.replace(file)


async def run_clusters(options: argparse.Namespace) -> dict[str, Any]:
    """Each has its share of the faults; the report of all together."""
    share = -(-options.times // options.clusters)
    files = [options.folder / f"cluster{place}.json" for place in range(options.clusters)]

    def so_far() -> dict[str, Any]:
        return together([json.loads(each.read_text()) for each in files if each.exists()], options)

    clusters: list[Process] = []
    try:
        for place, file in enumerate(files):
            file.unlink(missing_ok=True)
            given = [f"--{name}={getattr(options, name)}" for name in PASSED_ON]
            given += [f"--times={share}", f"--seed={options.seed + place}", f"--json={file}"]
            given += [f"--folder={options.folder}", "--kinds", *options.kinds]
            clusters.append(
                await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", __package__, *given, *["--keep"] * options.keep),
                    stdout=PIPE,
                )
            )

        async def show(place: int, cluster: Process) -> None:
            assert cluster.stdout is not None
            async for line in cluster.stdout:
                print(f"{place}: {line.decode().rstrip()}", flush=True)
                keep(so_far(), options.json)
            await cluster.wait()

        await asyncio.gather(*(show(*each) for each in enumerate(clusters)))
    finally:
        # Whoever ends this one ends them: they stop what they have started.
        for each in clusters:
            if each.returncode is None:
                each.terminate()
        for each in clusters:
            await each.wait()
    return so_far()


def together(reports: Sequence[dict[str, Any]], options: argparse.Namespace) -> dict[str, Any]:
    """What several clusters have shown, as if it had been one."""
    missed = [
        f"cluster {place}: {line}"
        for place, report in enumerate(reports)
        for line in report["missed"]
        if TOO_FEW not in line
    ]
    if len(reports) < options.clusters:
        missed.append(f"{options.clusters - len(reports)} clusters have left nothing")
    report: dict[str, Any] = {
        "machine": next((each["machine"] for each in reports), ""),
        "clusters": len(reports),
        "minutes": max((each["minutes"] for each in reports), default=0.0),
        "processes": options.processes,
        "seeds": [each["seed"] for each in reports],
    }
    for name in SUMMED:
        report[name] = sum(each[name] for each in reports)
    for name in COUNTED:
        added: Counter[str] = Counter()
        for each in reports:
            added.update(each[name])
        report[name] = dict(added.most_common())
    for name, shown in (
        ("went on", "until tables went on"),
        ("in order", "until all was in order"),
    ):
        report[f"seconds {shown}"] = {
            kind: seconds(found)
            for kind in options.kinds
            if (found := [at for each in reports for at in each["all seconds"][name].get(kind, [])])
        }
    report["milliseconds outside faults"] = [
        each["milliseconds outside faults"] for each in reports
    ]
    report["exits"] = [code for each in reports for code in each["exits"]]
    report["details"] = [line for each in reports for line in each["details"]]
    done = {kind: report["faults"].get(kind, 0) for kind in options.kinds}
    missed += [f"{kind}{TOO_FEW}{n} times" for kind, n in done.items() if n < options.times]
    report["missed"] = missed
    return report


def seconds(values: Sequence[float]) -> dict[str, float]:
    """How many, and how long."""
    p50, p99 = np.percentile(values, [50, 99])
    named = {"p50": p50, "p99": p99, "most": max(values)}
    return {"count": len(values)} | {name: round(float(at), 2) for name, at in named.items()}
