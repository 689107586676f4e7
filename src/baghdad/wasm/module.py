"""The module as it is kept beside the sources, and whether it was made from them."""

import ast
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parent
MODULE = FOLDER / "baghdad.wasm"
BUILT_FROM = FOLDER / "baghdad.wasm.json"
"""What the module was made from: a hash for each source, and the compilers."""

PACKAGE = FOLDER.parent
_ROOTS = ("all_exports.py", "lower.py", "link.py")


def sources() -> dict[str, str]:
    """By path in the package: a hash of each source that the module is compiled from.

    How native code is kept (`jit`) does not matter for it.
    """
    files: set[Path] = set()
    waiting = [FOLDER / name for name in _ROOTS]
    while waiting:
        file = waiting.pop()
        if file not in files:
            files.add(file)
            waiting += _imported(file)
    paths = {file.relative_to(PACKAGE).as_posix(): file for file in sorted(files)}
    return {path: _hash(file) for path, file in paths.items() if not path.startswith("jit/")}


def is_fresh() -> bool:
    """Whether the module was made from the sources as they are."""
    built: dict[str, str] = json.loads(BUILT_FROM.read_text("utf-8"))["sources"]
    return built == sources()


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_text("utf-8").encode()).hexdigest()[:16]


def _imported(file: Path) -> Iterator[Path]:
    """The files of ours that a file imports at its top, but for types alone."""
    for node in ast.parse(file.read_text("utf-8")).body:
        if not isinstance(node, ast.ImportFrom):
            continue
        if node.level:
            above = file.parents[node.level - 1]
        elif (node.module or "").partition(".")[0] == PACKAGE.name:
            above = PACKAGE.parent
        else:
            continue
        module = above.joinpath(*(node.module or "").split(".")) if node.module else above
        for path in (module, *(module / name.name for name in node.names)):
            for found in (path.with_suffix(".py"), path / "__init__.py"):
                if found.is_file():
                    yield found
