"""The short form of `tools/fuzz.py`: what it has found, and thousands of other inputs like that."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from websockets.frames import Close, Opcode

from baghdad.server.transport.routes import lobby
from support.fuzzing import BOUNDS, TARGETS, wire
from support.fuzzing.costs import Bound
from support.fuzzing.mutating import LONGEST, mutated
from support.fuzzing.seeds import WORDS, seeds
from support.programs import ROOT, load

OTHERS = {
    "http": 1000,
    "socket": 250,
    "bodies": 3000,
    "headers": 2000,
    "records": 250,
    "positions": 1000,
    "texts": 1500,
    "tables": 400,
}
"""Inputs besides those that are known, for each target: about a second's worth."""
GROWN = 4
"""Of the known inputs, made as long as any."""
BYTES = [word.encode("latin-1") for word in WORDS]


@pytest.fixture(scope="module", autouse=True)
def _server_let_go() -> Iterator[None]:
    yield
    wire.close()


@pytest.mark.parametrize("target", TARGETS)
def test_whatever_comes_is_taken_or_refused(target: str) -> None:
    known = seeds(target)
    for data in (b"", *known, *mutated(known, BYTES, OTHERS[target])):
        TARGETS[target](data)


@pytest.mark.parametrize("target", TARGETS)
def test_work_and_memory_grow_no_faster_than_what_comes(target: str) -> None:
    known = [data for data in seeds(target) if data]
    some = known[:: max(1, len(known) // GROWN)]
    for data in (*some, *(each * (4 * LONGEST // len(each)) for each in some)):
        TARGETS[target](data)  # what comes first also fills caches
        BOUNDS[target].check(TARGETS[target], data)
        BOUNDS[target].check_memory(TARGETS[target], data)


def test_a_client_who_goes_in_the_middle_of_a_request_is_no_failure() -> None:
    TARGETS["http"](
        b"\0\0POST /api/replay HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
        b"Content-Type: application/json\r\n\r\n{"
    )


def test_a_text_that_is_no_utf8_closes_the_socket_and_is_no_failure() -> None:
    text = wire.frame(Opcode.TEXT, b'{"id":"\xff"}')
    assert wire.talk_at_table(b"\4\0" + text).endswith(Close(1007, "").serialize())


def test_an_answer_of_500_is_found() -> None:
    with (
        patch.object(lobby, "LEVELS", None),
        pytest.raises(AssertionError, match="a request failed"),
    ):
        TARGETS["http"](b"\0\0GET /api/levels HTTP/1.1\r\nHost: localhost\r\n\r\n")


def test_work_that_grows_with_the_square_is_found() -> None:
    def slow(data: bytes) -> None:
        for _ in data:
            for _ in data:
                pass

    with pytest.raises(AssertionError, match="lines of code"):
        Bound(1000, 10).check(slow, bytes(1000))


def test_a_place_in_the_code_is_told_once(tmp_path: Path) -> None:
    fuzz = load("tools/fuzz.py")
    for data in (b"one", b"two"):
        try:
            int(data, 1)
        except ValueError as error:
            fuzz.note(tmp_path, "texts", data, error)
    assert sorted(file.suffix for file in tmp_path.iterdir()) == [".bin", ".txt"]
    assert (next(tmp_path.glob("*.bin"))).read_bytes() == b"one"


def test_without_atheris_the_fuzzer_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fuzz = load("tools/fuzz.py")
    monkeypatch.setattr("sys.argv", ["fuzz.py", "texts"])
    monkeypatch.setattr(fuzz.importlib.util, "find_spec", lambda _: None)
    assert fuzz.main() == 2
    assert "pip install atheris" in capsys.readouterr().err


def test_a_fuzzer_that_does_not_run_has_not_found_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    fuzz = load("tools/fuzz.py")
    monkeypatch.setattr(fuzz.sys, "executable", shutil.which("false"))
    assert fuzz.fuzz_all(["texts"], 60, 1, tmp_path) == 2
    told = capsys.readouterr()
    assert "texts: the fuzzer does not run" in told.err
    assert "nothing was found" not in told.out


def test_the_fuzzer_leaves_out_what_is_compiled() -> None:
    out = load("tools/fuzz.py").not_followed()
    assert {"baghdad.rules.engine", "baghdad.rules.engine.steps", "baghdad.bots"} <= set(out)
    assert not {"baghdad.rules.notation", "baghdad.server.wire.codec"} & set(out)


def test_what_is_kept_for_the_tests_stays_small() -> None:
    kept = ROOT / "tests" / "data" / "fuzz"
    assert sum(file.stat().st_size for file in kept.iterdir()) < 200_000
