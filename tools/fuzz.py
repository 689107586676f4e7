"""Looks for bytes that the server does not stand: a coverage-guided fuzzer over all that it reads.

Run `python tools/fuzz.py [TARGET ...] [--minutes N] [--jobs N] [--corpus FOLDER]`, which needs
Atheris besides what the tests need: `pip install atheris`, for Linux. The time is shared out among
the targets (`--help` names them); with more jobs than targets some are worked on side by side.

What was tried and led to new code stays in FOLDER, so that a later run goes on from there. What is
wrong is told, and lies in FOLDER/findings with the bytes that show it: `--replay FILE` runs them
once more. Then the command ends with 1. With `--keep`, inputs that take ways of their own through
the code are written to tests/data/fuzz, for the tests.
"""

import argparse
import hashlib
import importlib.util
import re
import subprocess
import sys
import time
import traceback
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "build" / "fuzz"
PACKAGE = ROOT / "src" / "baghdad"
FOLLOWED = ("server", "rules", "replay")
"""Folders of the package whose ways through the code count,"""
LIBRARIES = ("uvicorn", "websockets", "starlette")
"""and those of others."""
NOT_FOLLOWED = ("rules/engine", "server/storage", "server/ops")
"""Compiled for itself, or no parser."""
LONGEST_INPUT = 4096
"""Bytes: room for a request with all its headers, and short enough to try thousands a second."""
HANG_SECONDS = 60
MOST_MEGABYTES = 2048
COUNTED = 32
"""Of so many inputs one is run once more to count what it costs."""
LARGEST_KEPT = 20_000
"""Bytes of a target's inputs that tests may have."""
NO_ATHERIS = (
    "The fuzzer is Atheris, which is not installed here: `.venv/bin/pip install atheris` "
    "(Linux on x86-64). `.venv/bin/pytest tests/server/test_fuzz.py` does without."
)


def main() -> int:
    asked = arguments()
    if asked.replay is not None:
        return replay(asked.targets, asked.replay)
    if asked.keep:
        return keep(asked.targets, asked.corpus)
    if importlib.util.find_spec("atheris") is None:
        print(NO_ATHERIS, file=sys.stderr)
        return 2
    if asked.until:
        return fuzz(asked.targets[0], asked.until, asked.corpus)
    return fuzz_all(asked.targets, asked.minutes * 60, asked.jobs, asked.corpus)


def arguments() -> argparse.Namespace:
    sys.path.insert(0, str(ROOT / "tests"))
    names = ("http", "socket", "bodies", "headers", "records", "positions", "texts", "tables")
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(names))
    parser.add_argument("--minutes", type=float, default=10.0, help="in all (10)")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time (1)")
    parser.add_argument("--corpus", type=Path, default=CORPUS, metavar="FOLDER")
    parser.add_argument("--keep", action="store_true", help="write tests/data/fuzz")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="one input, once more")
    parser.add_argument("--until", type=float, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if wrong := [each for each in asked.targets if each not in names]:
        parser.error(f"no such target: {', '.join(wrong)}; there are {', '.join(names)}")
    asked.targets = asked.targets or list(names)
    return asked


def fuzz_all(targets: list[str], seconds: float, jobs: int, corpus: Path) -> int:
    """Share the time out among the targets, and tell of all that was found."""
    copies = [targets[n % len(targets)] for n in range(max(jobs, len(targets)))]
    each = seconds * min(1.0, jobs / len(copies))
    began = time.time()
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for line in pool.map(lambda target: run_for(target, each, corpus), copies):
                print(line, flush=True)
        except RuntimeError as error:
            print(error, file=sys.stderr)
            return 2
    found = sorted(
        file for file in (corpus / "findings").glob("*") if file.stat().st_mtime >= began
    )
    found = [file for file in found if file.suffix != ".bin"]  # beside the text about it
    for file in found:
        print(f"\nFOUND {file}")
        if file.suffix == ".txt":
            print(file.read_text("utf-8"))
    print(f"{len(found)} findings" if found else "nothing was found")
    return 1 if found else 0


def run_for(target: str, seconds: float, corpus: Path) -> str:
    """Fuzz one target in processes of its own: a hang or too much memory ends one of them."""
    end, tried = time.time() + seconds, 0
    command = [sys.executable, __file__, target, "--corpus", str(corpus), "--until", str(end)]
    while end - time.time() > 1:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        stats = dict(re.findall(r"stat::(\w+):\s+(\d+)", done.stderr))
        if not stats:
            raise RuntimeError(f"{target}: the fuzzer does not run:\n{done.stderr[-3000:]}")
        tried += int(stats["number_of_executed_units"])
    kept = sum(1 for _ in (corpus / target).iterdir())
    return f"{target}: {tried:,} inputs in {seconds:.0f} s, {kept} kept"


def fuzz(target: str, until: float, corpus: Path) -> int:
    """One target in this process, until that time."""
    import atheris

    followed: AbstractContextManager[Any] = atheris.instrument_imports(
        include=["baghdad", *LIBRARIES], exclude=not_followed()
    )
    one, bound = load(target, followed)
    from support.fuzzing.seeds import WORDS, seeds

    own, findings = corpus / target, corpus / "findings"
    for folder in (own, findings):
        folder.mkdir(parents=True, exist_ok=True)
    for data in seeds(target):
        (own / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
    words = corpus / "words.txt"
    escaped = ["".join(f"\\x{ord(letter):02x}" for letter in word) for word in WORDS]
    words.write_text("".join(f'"{word}"\n' for word in escaped))

    def attempt(data: bytes) -> None:
        try:
            one(data)
            if zlib.crc32(data) % COUNTED == 0:
                bound.check(one, data)
        except Exception as error:
            note(findings, target, data, error)

    options = {
        "max_total_time": max(1, int(until - time.time())),
        "timeout": HANG_SECONDS,
        "report_slow_units": HANG_SECONDS,  # the first of a kind may have to load what is compiled
        "rss_limit_mb": MOST_MEGABYTES,
        "max_len": LONGEST_INPUT,
        "dict": words,
        "artifact_prefix": findings / f"{target}-",
        "print_final_stats": 1,
    }
    given = [f"-{name}={value}" for name, value in options.items()]
    atheris.Setup([sys.argv[0], *given, str(own)], attempt)
    atheris.Fuzz()
    return 0


def not_followed() -> list[str]:
    """Modules of the package, since Atheris takes whole packages, or leaves modules out."""
    files = [file.relative_to(PACKAGE).with_suffix("") for file in PACKAGE.rglob("*.py")]
    out = [
        path
        for path in files
        if path.parts[0] not in FOLLOWED or path.as_posix().startswith(NOT_FOLLOWED)
    ]
    return [".".join(("baghdad", *path.parts)).removesuffix(".__init__") for path in out]


def load(
    target: str, followed: AbstractContextManager[Any] | None = None
) -> tuple[Callable[[bytes], None], Any]:
    with followed or nullcontext():
        from support.fuzzing import BOUNDS, TARGETS
    return TARGETS[target], BOUNDS[target]


def note(findings: Path, target: str, data: bytes, error: Exception) -> None:
    """Keep an input that shows something new to be wrong: once for each place in the code."""
    text = "".join(traceback.format_exception(error))
    place = re.sub(r"\d+", "", text.partition("Error: ")[0] + text.rstrip().splitlines()[-1])
    name = f"{target}-{hashlib.sha256(place.encode()).hexdigest()[:10]}"
    if (findings / f"{name}.txt").exists():
        (findings / f"{name}.txt").touch()  # it is still so
    else:
        (findings / f"{name}.bin").write_bytes(data)
        (findings / f"{name}.txt").write_text(f"{target} {data!r}\n\n{text}", "utf-8")


def replay(targets: list[str], file: Path) -> int:
    """Run one input, and let what it raises be seen."""
    name = file.name.partition("-")[0] if len(targets) > 1 else targets[0]
    one, bound = load(name)
    bound.check(one, file.read_bytes())
    print(f"{name}: nothing is wrong")
    return 0


def keep(targets: list[str], corpus: Path) -> int:
    """Write for the tests what takes ways of its own through the code."""
    from support.fuzzing import wire
    from support.fuzzing.costs import distinct
    from support.fuzzing.seeds import read_corpus, write_corpus

    within = tuple(f"/{each}/" for each in (*(f"baghdad/{each}" for each in FOLLOWED), *LIBRARIES))
    for target in targets:
        one, _ = load(target)
        found = [file.read_bytes() for file in (corpus / target).glob("*")]
        kept, size = [], 0
        for data in distinct(one, {*found, *read_corpus(target)}, within):
            if size + len(data) <= LARGEST_KEPT:
                kept.append(data)
                size += len(data)
        write_corpus(target, kept)
        print(f"{target}: {len(kept)} inputs, {size} bytes")
    wire.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
