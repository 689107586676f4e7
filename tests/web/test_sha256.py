"""The page's own SHA-256, for browsers that keep theirs from pages over plain HTTP."""

import hashlib
import json
import subprocess
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
SCRIPT = """
const ts = require('typescript'), fs = require('fs'), path = require('path')
const options = { compilerOptions: { module: 'commonjs', target: 'es2022' } }
const load = name => {
  const module = { exports: {} }
  const { outputText } = ts.transpileModule(fs.readFileSync(`src/${name}.ts`, 'utf8'), options)
  const need = from => from === './storage' ? {} : load(path.join(path.dirname(name), from))
  new Function('module', 'exports', 'require', outputText)(module, module.exports, need)
  return module.exports
}
const { sha256 } = load('device/sha256'), { newNumber, sealed } = load('device/numbers')
const { texts, numbers } = JSON.parse(fs.readFileSync(0, 'utf8'))
console.log(JSON.stringify({
  hashes: texts.map(sha256),
  made: [newNumber(), newNumber()],
  sealed: numbers.map((each, n) => sealed(each, 'key', 'F7KQXM', n)),
  opened: numbers.map((each, n) => sealed(sealed(each, 'key', 'F7KQXM', n), 'key', 'F7KQXM', n)),
}))
"""
KNOWN = {
    "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq": (
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmno"
    "pqrsmnopqrstnopqrstu": "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
    "a" * 1_000_000: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
}
"""The vectors of NIST's Secure Hash Standard."""


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    ran = subprocess.run(
        ["node", "-e", SCRIPT],
        cwd=WEB,
        input=json.dumps({"texts": texts(), "numbers": NUMBERS}),
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, list[str]] = json.loads(ran.stdout)
    return answer


NUMBERS = [hashlib.sha256(bytes([n])).hexdigest() for n in range(5)]


def texts() -> list[str]:
    """The known ones, every length around one and two blocks, and letters of many bytes."""
    return [*KNOWN, *("x" * n for n in range(200)), "čtyři zloději", "Diebe 🏺" * 20]


def test_it_is_sha_256(found: dict[str, list[str]]) -> None:
    assert found["hashes"] == [hashlib.sha256(text.encode()).hexdigest() for text in texts()]
    assert dict(zip(texts(), found["hashes"], strict=True)).items() >= KNOWN.items()


def test_numbers_are_new_and_have_256_bits(found: dict[str, list[str]]) -> None:
    one, two = found["made"]
    assert one != two
    assert len(one) == len(two) == 64
    assert int(one, 16) != int(two, 16)


def test_numbers_are_sealed_as_documented(found: dict[str, list[str]]) -> None:
    assert found["opened"] == NUMBERS
    for n, (number, sealed) in enumerate(zip(NUMBERS, found["sealed"], strict=True)):
        pad = hashlib.sha256(f"key F7KQXM {n}".encode()).hexdigest()
        assert int(sealed, 16) == int(number, 16) ^ int(pad, 16)
        assert len(sealed) == 64
