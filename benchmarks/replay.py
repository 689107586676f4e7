"""How smooth a replay is: a long game at full speed, a step a frame, in a real browser.

python benchmarks/replay.py                # needs the built page (make web) and Chromium
python benchmarks/replay.py --steps 2000

Every frame shows one step. Its work is the processor's time that the page's thread spends on it:
scripts, styles, layout and paint, one task in Chromium's own trace, so that other programs on the
machine don't count. They disturb all the same: now and then any part of a frame takes some
milliseconds more, never the same step twice. So a step's work is the middle of its rounds; how many
single frames were over 16 ms is told beside it, and how many with all that the thread did until the
next frame: in that time Chromium collects garbage. `late` are the frames that came more than 25 ms
after the one before, for whatever reason: one was missed.
"""

import argparse
import json
import random
import statistics
import tempfile
from bisect import bisect_left
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from baghdad import Game
from baghdad.replay.offline import TEMPLATE, offline
from baghdad.replay.steps import replay_of

CHROMIUMS = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
"""The system's own; where there is none, the one that Playwright downloads."""
QUIET = ("--no-sandbox", "--disable-background-networking", "--disable-component-update")
SCREENS = {"desk": (1920, 1080), "tablet": (1024, 768), "phone": (360, 740)}
GOAL = 16.0
LATE = 25.0
PLAY = """() => new Promise((done) => {
  const last = document.querySelector('input[type=range]').max
  const step = document.querySelector('[data-step]')
  const frame = () => (step.dataset.step === last ? done() : requestAnimationFrame(frame))
  requestAnimationFrame(frame)
  document.querySelector('[data-play]').click()
})"""
CATEGORIES = ["toplevel", "devtools.timeline"]
FRAME, TASK = "FireAnimationFrame", "ThreadControllerImpl::RunTask"


def long_game(steps: int, players: int, seed: int) -> Game:
    """This many steps of random play: full hands, and something new in every step."""
    game, chance = Game(players, seed=seed), random.Random(seed)
    while len(game.tokens) < steps and not game.over:
        game.play(chance.choice(game.legal()))
    return game


def measure(file: Path, rounds: int) -> dict[str, dict[str, Any]]:
    found = next((path for path in CHROMIUMS if Path(path).exists()), None)
    results = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(QUIET))
        print(f"Chromium {browser.version}, headless")
        for name, (width, height) in SCREENS.items():
            work: list[list[float]] = []
            until_next: list[float] = []
            between: list[float] = []
            for _ in range(rounds):
                page = browser.new_page(viewport={"width": width, "height": height})
                page.goto(file.as_uri())
                page.get_by_label("Speed").select_option("0")
                browser.start_tracing(page=page, categories=CATEGORIES)
                page.evaluate(PLAY)
                events = json.loads(browser.stop_tracing())["traceEvents"]
                page.close()
                work_now, until_next_now, between_now = frames_of(events)
                work.append(work_now)
                until_next += until_next_now
                between += between_now
            results[name] = summary(work, until_next, between)
        browser.close()
    return results


def frames_of(events: list[dict[str, Any]]) -> tuple[list[float], list[float], list[float]]:
    """Of every frame, in ms: its own work, the thread's until the next one, and the time to it."""
    whole = [event for event in events if event["ph"] == "X"]
    asked = Counter((each["pid"], each["tid"]) for each in whole if each["name"] == FRAME)
    ((thread, _),) = asked.most_common(1)
    here = [event for event in whole if (event["pid"], event["tid"]) == thread]
    tasks = sorted((each["ts"], each["dur"], each["tdur"]) for each in here if each["name"] == TASK)
    calls = sorted(each["ts"] for each in here if each["name"] == FRAME)
    begins: list[float] = []
    work: list[float] = []
    until_next: list[float] = []
    for start, lasted, took in tasks:
        first = bisect_left(calls, start)
        if first < len(calls) and calls[first] < start + lasted:  # a frame is one task
            begins.append(start / 1000)
            work.append(took / 1000)
            until_next.append(took / 1000)
        elif work:
            until_next[-1] += took / 1000
    return work, until_next, [after - before for before, after in pairwise(begins)]


def summary(
    rounds: list[list[float]], until_next: list[float], between: list[float]
) -> dict[str, Any]:
    work = sorted(statistics.median(step) for step in zip(*rounds, strict=True))
    return {
        "steps": len(work),
        "frames": len(until_next),
        "median": round(statistics.median(work), 1),
        "p99": round(work[int(0.99 * len(work))], 1),
        "max": round(work[-1], 1),
        "over_goal": sum(each > GOAL for step in rounds for each in step),
        "with_garbage": sum(each > GOAL for each in until_next),
        "late": sum(each > LATE for each in between),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    game = long_game(options.steps, options.players, options.seed)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "replay.html"
        file.write_text(offline(TEMPLATE.read_text("utf-8"), replay_of(game)), "utf-8")
        kilobytes = file.stat().st_size // 1000
        results = measure(file, options.rounds)
    if options.json:
        print(json.dumps(results))
        return
    print(f"{len(game.tokens)} steps, {options.players} players; the file has {kilobytes} kB")
    print("work of a step, ms:   median    99 %     max  frames over 16 ms  with garbage  late")
    for name, row in results.items():
        screen = "{} x {}".format(*SCREENS[name])
        over = f"{row['over_goal']} of {row['frames']}"
        print(
            f"{screen:>20}  {row['median']:6}  {row['p99']:6}  {row['max']:6}"
            f"  {over:17}  {row['with_garbage']:12}  {row['late']:4}"
        )


if __name__ == "__main__":
    main()
