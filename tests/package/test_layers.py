"""Which folder may import which, as docs/architecture.md draws it and the folders show it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import baghdad
from support.programs import ROOT

SOURCE = Path(baghdad.__file__).parent

RULES = {"text", "jit", "rules", "rules.engine"}
BOTS = {"bots", "bots.api", "bots.levels", "bots.players"} | {
    f"bots.{player}" for player in ("heuristic", "search", "neural", "expert", "lesson")
}
DOMAIN = {"server.domain", "server.domain.decisions", "server.domain.evolution"}

MAY_IMPORT: dict[str, set[str]] = {
    "files": set(),
    "machine": set(),
    "text": set(),
    "jit": set(),
    "rules.engine": {"jit"},
    "rules": {"text", "jit", "rules.engine"},
    "bots.api": {"rules", "rules.engine"},
    "bots.heuristic": {"jit", "rules", "rules.engine", "bots.api"},
    "bots.search": {"jit", "rules", "rules.engine", "bots.api", "bots.heuristic"},
    "bots.neural": {
        "jit",
        "rules",
        "rules.engine",
        "bots.api",
        "bots.heuristic",
        "files",
    },
    "bots.expert": {"jit", "rules", "rules.engine", "bots.api", "bots.neural", "bots.search"},
    "bots.value": {"jit", "rules", "rules.engine", "bots.neural"},
    "bots.levels": set(),
    "bots.players": {"bots.api", "bots.levels", "bots.heuristic", "bots.search", "bots.neural"}
    | {"bots.expert"},
    "bots.lesson": {"rules", "rules.engine", "bots.api", "bots.levels", "bots.players"},
    "bots": {"jit", "rules", "rules.engine"} | BOTS,
    "bench": {"jit", "rules", "rules.engine"},
    "client": {"rules", "rules.engine"},
    "wasm": {"jit", "wasm.exports"},
    "wasm.minds": {"jit", "rules.engine", "bots.levels", "bots.heuristic", "bots.search"}
    | {"bots.neural", "bots.expert", "bots.value", "analysis.engine"},
    "wasm.exports": {"jit", "rules.engine", "bots.neural", "bots.search", "bots.expert"}
    | {"bots.value", "analysis.engine", "wasm.minds"},
    "alone": {"files"},
    "analysis.engine": {"jit", "rules.engine", "bots.heuristic", "bots.search", "bots.expert"}
    | {"bots.neural", "bots.value"},
    "analysis.believing": {"jit", "rules", "rules.engine", "bots.neural"},
    "analysis": {"text", "rules", "rules.engine", "files"}
    | {"bots", "bots.api", "bots.heuristic", "bots.search", "bots.neural", "bots.expert"}
    | {"bots.value", "analysis.engine", "analysis.believing"},
    "replay": {"rules", "rules.engine"},
    "arena": RULES | {"", "machine", "bots", "bots.levels", "bots.neural"},
    "lab": {"text", "rules", "rules.engine", "bots", "bots.heuristic", "bots.neural", "arena"},
    "envs": RULES | {"bots"},
    "learn": {"rules", "rules.engine", "bots.heuristic", "bots.neural", "bots.expert", "envs"}
    | {"files"},
    "learn.value": {
        "rules",
        "rules.engine",
        "bots.neural",
        "bots.value",
        "envs",
        "files",
        "learn",
    },
    "server.domain": {"text", "rules", "rules.engine", "bots", "bots.lesson", "replay"},
    "server.domain.decisions": {"rules", "rules.engine", "server.domain"}
    | {"bots", "bots.levels", "bots.lesson"},
    "server.domain.evolution": {"rules", "rules.engine", "server.domain"},
    "server.storage": {"server.domain", "server.storage.migrations"},
    "server.storage.migrations": set(),
    "server.wire": {"rules", "rules.engine", "replay", "server.domain", "server.domain.evolution"},
    "server.ops": {
        "rules",
        "rules.engine",
        "server.domain",
        "server.domain.evolution",
        "server.storage",
    },
    "server.runtime": DOMAIN
    | {"jit", "rules", "rules.engine", "bots", "server.storage", "server.wire", "server.ops"},
    "server.bus": {"server.ops"},
    "server.transport": {"text", "server.domain", "server.storage", "server.bus", "server.wire"}
    | {"server.runtime", "server.ops"},
    "server.transport.routes": {"text", "bots", "replay", "server.domain", "server.storage"}
    | {"server.wire", "server.runtime", "server.transport"},
    "server.app": {"", "text", "server.domain", "server.ops", "server.storage", "server.wire"}
    | {"server.bus", "server.runtime", "server.transport", "server.transport.routes"},
    "server.bot_machine": {"server.bus", "server.runtime"},
    "cli": RULES
    | {
        "",
        "alone",
        "files",
        "machine",
        "analysis",
        "analysis.believing",
        "bench",
        "bots",
        "bots.levels",
        "bots.neural",
        "arena",
        "lab",
        "replay",
        "learn",
    }
    | {"server.storage", "server.storage.migrations", "server.transport", "server.ops"}
    | {"server.app", "server.bot_machine", "server.domain", "server.bus", "server.runtime"},
}
"""Folders, and what each imports of others; the package itself is the empty name. A module that is
listed by itself is a layer of its own: players import `bots.api`, and `bots` lists the players."""


def folder_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).parts
    beside = len(parts) == 1 and not path.stem.startswith("__")
    return path.stem if beside else ".".join(parts[:-1])


def layer_of(path: Path) -> str:
    """The folder of a file, or the file itself where it is listed as a layer of its own."""
    module = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    return module if module in MAY_IMPORT else folder_of(path)


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """All layers whose modules a file imports, at its top, within functions and for types."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            above = (
                ("baghdad", *path.relative_to(SOURCE).parts[: -node.level]) if node.level else ()
            )
            module = ".".join([*above, *([node.module] if node.module else [])])
            names = [f"{module}.{name.name}" for name in node.names]
        elif isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names = [node.value] if is_module(node.value) else []
        else:
            continue
        for name in names:
            if name.partition(".")[0] == "baghdad":
                yield node.lineno, home(name)


def is_module(text: str) -> bool:
    """Whether a text names a module of ours, for somebody who loads it later."""
    parts = text.split(".")
    return (
        parts[0] == "baghdad"
        and len(parts) > 2
        and SOURCE.joinpath(*parts[1:]).with_suffix(".py").is_file()
    )


def home(name: str) -> str:
    """The layer of a module, or of the module that a name stands in."""
    parts = name.split(".")[1:]
    if parts and SOURCE.joinpath(f"{parts[0]}.py").is_file():
        return parts[0]
    while parts and ".".join(parts) not in MAY_IMPORT and not SOURCE.joinpath(*parts).is_dir():
        parts.pop()
    return ".".join(parts)


FILES = sorted(path for path in SOURCE.rglob("*.py") if "versions" not in path.parts)
INSIDE = [path for path in FILES if layer_of(path) not in ("", "server")]


def test_every_folder_has_its_place() -> None:
    assert {layer_of(path) for path in INSIDE} == set(MAY_IMPORT)


@pytest.mark.parametrize("path", INSIDE, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_folders_import_only_what_lies_below(path: Path) -> None:
    mine = layer_of(path)
    for line, theirs in imported(path):
        allowed = theirs == mine or theirs in MAY_IMPORT[mine]
        assert allowed, f"{path.relative_to(SOURCE)}:{line} imports {theirs or 'baghdad'}"


def test_a_folder_says_in_a_sentence_what_it_is() -> None:
    for folder in {path.parent for path in FILES}:
        text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8")))
        assert text, folder


def test_what_is_allowed_has_no_circle() -> None:
    done: set[str] = set()

    def walk(folder: str, above: tuple[str, ...]) -> None:
        assert folder not in above, " → ".join([*above, folder])
        if folder not in done:
            for below in MAY_IMPORT.get(folder, set()):
                if below != folder:
                    walk(below, (*above, folder))
            done.add(folder)

    for folder in MAY_IMPORT:
        walk(folder, ())


def test_nothing_is_allowed_that_nobody_needs() -> None:
    used: dict[str, set[str]] = {}
    for path in INSIDE:
        used.setdefault(layer_of(path), set()).update(theirs for _, theirs in imported(path))
    used["bots"] |= BOTS  # which its registry loads by name
    for layer, allowed in MAY_IMPORT.items():
        assert allowed <= used.get(layer, set()) | {layer}, layer


def drawn(number: int) -> dict[str, set[str]]:
    """The arrows of a drawing in docs/architecture.md, by what they start from."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    drawing = re.findall(r"```mermaid\n(.*?)```", text, re.DOTALL)[number]
    arrows: dict[str, set[str]] = {name: set() for name in re.findall(r"(?m)^ +(\w+)\[", drawing)}
    for start, end in re.findall(r"(?m)^ +(\w+) --> (\w+)$", drawing):
        arrows[start].add(end)
    return arrows


def below(arrows: dict[str, set[str]], start: str) -> set[str]:
    return arrows[start].union(*(below(arrows, each) for each in arrows[start]))


@pytest.mark.parametrize(("number", "inside"), [(0, ""), (1, "server.")])
def test_the_drawings_show_what_is_allowed(number: int, inside: str) -> None:
    """All of it, and no arrow that nobody may follow."""

    def name(layer: str) -> str:
        return layer.removeprefix(inside).partition(".")[0] if layer.startswith(inside) else ""

    arrows = drawn(number)
    allowed: dict[str, set[str]] = {}
    for layer, others in MAY_IMPORT.items():
        if name(layer):
            theirs = {name(other) for other in others} - {"", name(layer)}
            allowed.setdefault(name(layer), set()).update(theirs)
    assert set(arrows) == set(allowed)
    for start, others in allowed.items():
        assert arrows[start] <= others, start
        assert others <= below(arrows, start), start
