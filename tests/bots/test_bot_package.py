"""The example of a package with a bot: installed, tested by its own tests, played in the arena."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.programs import ROOT

PACKAGE = ROOT / "examples" / "bot_package"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment in which it is installed as by pip, without a network."""
    place = tmp_path_factory.mktemp("site-packages")
    options = ["--no-build-isolation", "--no-deps", "--no-index", "--quiet", "--target"]
    run([sys.executable, "-m", "pip", "install", *options, str(place), str(PACKAGE)], {})
    return {"PYTHONPATH": str(place)}


def run(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
        cwd=PACKAGE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_own_tests_pass(installed: dict[str, str]) -> None:
    plain = ["-p", "no:cacheprovider", "-p", "no:xdist"]
    assert "4 passed" in run([sys.executable, "-m", "pytest", *plain], installed)


def test_every_command_knows_it(installed: dict[str, str], tmp_path: Path) -> None:
    baghdad = [sys.executable, "-m", "baghdad"]
    assert re.search(r"^smuggler +Smuggles thieves in", run([*baghdad, "bots"], installed), re.M)
    report = tmp_path / "report.html"
    command = ["arena", "smuggler", "random", "--games", "20", "--html", str(report)]
    assert "smuggler" in run([*baghdad, *command], installed)
    assert "smuggler" in report.read_text("utf-8")


def test_the_commands_of_its_readme_are_those_that_were_tried() -> None:
    readme = (PACKAGE / "README.md").read_text("utf-8")
    commands = ["pip install", "pytest", "baghdad bots", "baghdad arena smuggler random --games"]
    for command in commands:
        assert f"\n{command}" in readme
