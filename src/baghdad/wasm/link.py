"""From an object file to a module, by LLVM's linker: Debian's `lld`, or `ziglang` from PyPI."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

STACK = 1 << 16
"""Bytes for the functions' own numbers: at the bottom, so that too many stop the module."""


class NoLinkerError(RuntimeError):
    """There is no linker for WebAssembly on this machine."""


def linker() -> list[str]:
    """The command that links WebAssembly here."""
    if found := shutil.which("wasm-ld"):
        return [found]
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "wasm-ld"]
    raise NoLinkerError("install Debian's lld, or `pip install ziglang`")


def link(binary: bytes, names: Iterable[str]) -> bytes:
    """A module that exports these functions, its memory, and where free memory begins."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "module.o", Path(folder) / "module.wasm"
        source.write_bytes(binary)
        subprocess.run(
            [
                *linker(),
                *("--no-entry", "--gc-sections", "--strip-all", "--stack-first"),
                *("-z", f"stack-size={STACK}"),
                *(f"--export={name}" for name in (*names, "__heap_base")),
                *("-o", str(target), str(source)),
            ],
            check=True,
        )
        return target.read_bytes()
