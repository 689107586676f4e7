"""What runs elsewhere, on GitHub and before a commit, is what runs here."""

import re
import tomllib
from typing import Any

import yaml

from support.programs import ROOT

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
WORKFLOW = ROOT / ".github" / "workflows" / "test.yml"


def read(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text("utf-8"))


def prerequisites(target: str) -> list[str]:
    found = re.search(rf"^{re.escape(target)}:(.*)$", MAKEFILE, re.MULTILINE)
    assert found, target
    return found[1].split()


def test_the_workflow_tries_every_python_that_is_supported_on_two_systems() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    supported = re.findall(r":: (3\.\d+)", "\n".join(project["classifiers"]))
    matrix = read(".github/workflows/test.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == supported
    assert project["requires-python"] == f">={supported[0]}"
    assert len(matrix["system"]) == 2


def test_the_workflow_calls_commands_of_the_makefile() -> None:
    steps = read(".github/workflows/test.yml")["jobs"]["test"]["steps"]
    commands = [step["run"] for step in steps if "run" in step]
    assert commands == ["make test", "make docs"]
    assert {command.split()[1] for command in commands} <= set(prerequisites(".PHONY"))


def test_what_is_locked_is_looked_up_every_week() -> None:
    workflow = read(".github/workflows/audit.yml")
    commands = [step["run"] for step in workflow["jobs"]["audit"]["steps"] if "run" in step]
    assert commands == ["make audit", "make licences"]
    assert {command.split()[1] for command in commands} <= set(prerequisites(".PHONY"))
    assert "schedule" in workflow[True], "YAML takes `on` for a truth"


def test_the_workflow_names_what_its_matrix_has() -> None:
    matrix = read(".github/workflows/test.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert set(re.findall(r"\bmatrix\.(\w+)", WORKFLOW.read_text("utf-8"))) == set(matrix)


def test_the_hooks_are_the_steps_of_make_check() -> None:
    [local] = read(".pre-commit-config.yaml")["repos"]
    assert local["repo"] == "local", "nothing is downloaded"
    assert [hook["id"] for hook in local["hooks"]] == prerequisites("check")
    for hook in local["hooks"]:
        assert hook["entry"] == f"make {hook['id']}"
        assert not hook["pass_filenames"]
