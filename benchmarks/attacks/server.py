"""`baghdad serve` as a process of its own: started, watched, stopped."""

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".benchmarks" / "attacks"
"""On a real disk."""
READY_SECONDS = 180.0
QUIET_SECONDS = 60.0
"""For bots to compile, where they have to be ready."""
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = resource.getpagesize()
MOST_MEMORY = 1500.0
"""MB: a server that takes more is ended, so that the machine stands."""
LOOKS_A_SECOND = 10


class Server:
    """A server over a data folder."""

    def __init__(self, source: Path, cores: set[int]) -> None:
        self.source = source
        self.cores = cores
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(dir=FOLDER))
        self.fell = ""
        self.highest = 0.0
        self.port = 0
        self.took = 0.0
        """Seconds until it could be reached."""
        self._watching = threading.Event()

    def start(self, program: Sequence[str], files: int | None = None) -> None:
        limit = "" if files is None else f"ulimit -n {files}; "
        cores = ",".join(map(str, self.cores))
        begin = ["sh", "-c", f'{limit}exec taskset --cpu-list {cores} "$@"', "serve"]
        serve = ["--lang", "en", "serve", "--port", "0", "--data", str(self.folder)]
        self._log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen(
            [*begin, sys.executable, *program, *serve],
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(self.source), "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None, "started with a pipe"
        began = time.monotonic()
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                self.took = time.monotonic() - began
                break
        else:
            raise RuntimeError(self.log())
        threading.Thread(target=self._watch, daemon=True).start()

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")

    def log_size(self) -> int:
        return (self.folder / "log").stat().st_size

    def processes(self) -> Iterator[int]:
        """The server and all that it has started."""
        waiting = [self.process.pid]
        while waiting:
            pid = waiting.pop()
            try:
                for task in Path(f"/proc/{pid}/task").iterdir():
                    waiting += map(int, (task / "children").read_text().split())
            except (FileNotFoundError, ProcessLookupError):
                continue  # it has just ended
            yield pid

    def cpu_seconds(self) -> float:
        total = 0
        for pid in self.processes():
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            total += sum(map(int, fields[11:15]))  # with those of processes that have ended
        return total / TICKS

    def memory(self) -> float:
        """MB of all its processes in memory."""
        total = 0
        for pid in self.processes():
            try:
                total += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue
        return total * PAGE / 1e6

    def _watch(self) -> None:
        """Note the highest memory, and end a server that takes too much of it."""
        while not self._watching.wait(1 / LOOKS_A_SECOND):
            now = self.memory()
            self.highest = max(self.highest, now)
            if now > MOST_MEMORY and not self.fell:
                self.fell = f"ended at {now:,.0f} MB"
                self.process.kill()
            if self.process.poll() is not None and not self.fell:
                self.fell = f"exited with {self.process.returncode}"

    def own_memory(self) -> float:
        """MB of the server itself, without bots and other processes."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * PAGE / 1e6

    def until_ready(self) -> None:
        """Wait until bots have compiled what they need."""
        self.until_quiet(0.0, QUIET_SECONDS, window=1.5)

    def until_quiet(self, rate: float, most: float, window: float = 0.5) -> float:
        """Wait until it uses no more than `rate` of a core; the CPU seconds used above that."""
        began, first = time.monotonic(), self.cpu_seconds()
        marks = [(began, first)]
        while (now := time.monotonic()) - began < most and not self.fell:
            time.sleep(0.1)
            marks.append((time.monotonic(), self.cpu_seconds()))
            since, used = next(mark for mark in marks if mark[0] >= marks[-1][0] - window)
            if now - began > window and marks[-1][1] - used <= (rate + 0.1) * (
                marks[-1][0] - since
            ):
                break
        wall, cpu = marks[-1][0] - began, marks[-1][1] - first
        return max(0.0, cpu - rate * wall)

    def stop(self, keep: bool = False) -> None:
        self._watching.set()
        if self.port == 0:  # it was never started
            shutil.rmtree(self.folder, ignore_errors=True)
            return
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self._log.close()
        self._watching = threading.Event()
        if not keep:
            shutil.rmtree(self.folder, ignore_errors=True)
