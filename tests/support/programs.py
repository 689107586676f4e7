"""Programs that lie beside the package, for the tests to call."""

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def load(path: str) -> ModuleType:
    """A program of the repository, such as tools/game_page.py, as a module of its own."""
    spec = spec_from_file_location(path.replace("/", "_").removesuffix(".py"), ROOT / path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


def call(path: str, monkeypatch: pytest.MonkeyPatch, *arguments: object) -> ModuleType:
    """Run such a program with these arguments."""
    program = load(path)
    monkeypatch.setattr("sys.argv", [path, *map(str, arguments)])
    program.main()
    return program


def has_gpu() -> bool:
    code = "from baghdad.rules.engine.gpu import gpu_name; gpu_name()"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    return result.returncode == 0
