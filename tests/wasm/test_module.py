"""The module is made from the sources as they are, and needs nothing but what it is given."""

import gzip
import json

import pytest
import wasmtime

from baghdad.jit.compiler import COMPILED
from baghdad.wasm import module
from baghdad.wasm.module import BUILT_FROM, MODULE, is_fresh
from support.programs import load

SMALL_ENOUGH = 250_000


def test_it_was_made_from_these_sources() -> None:
    assert is_fresh(), "the sources are newer than the module: run `make wasm`"


def test_an_edit_of_what_it_is_made_from_shows(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    built = json.loads(BUILT_FROM.read_text("utf-8"))
    assert {"rules/engine/steps.py", "wasm/exports/game.py", "wasm/lower.py"} <= {*built["sources"]}
    built["sources"]["rules/engine/steps.py"] = "another"
    (tmp_path / "built.json").write_text(json.dumps(built), "utf-8")
    monkeypatch.setattr(module, "BUILT_FROM", tmp_path / "built.json")
    assert not is_fresh()


def test_it_imports_nothing_and_is_small() -> None:
    found = wasmtime.Module(wasmtime.Engine(), MODULE.read_bytes())
    assert found.imports == []
    assert len(gzip.compress(MODULE.read_bytes(), 9)) < SMALL_ENOUGH


@pytest.mark.skipif(not COMPILED, reason="the functions are marked where there is Numba")
def test_it_exports_what_is_marked() -> None:
    from baghdad.wasm.all_exports import EXPORTS

    found = wasmtime.Module(wasmtime.Engine(), MODULE.read_bytes())
    assert {each.name for each in found.exports} == {*EXPORTS, "memory", "__heap_base"}


def test_types_and_documents_are_current() -> None:
    program = load("tools/wasm_types.py")
    for file, text in program.files().items():
        assert file.read_text("utf-8") == text, "run python tools/wasm_types.py"
