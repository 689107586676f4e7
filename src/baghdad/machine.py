"""The machine that a result was made on, in words: a number without it says little."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def describe_machine() -> str:
    """Processor, cores, system, Python and libraries, in one line."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass  # not Linux: what Python knows must do
    libraries = []
    for name in ("numpy", "numba", "numba-cuda"):
        try:
            libraries.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    system = f"{platform.system()} {platform.machine()}"
    python = f"Python {platform.python_version()}"
    return ", ".join([f"{model}, {os.cpu_count()} cores", system, python, *libraries])
