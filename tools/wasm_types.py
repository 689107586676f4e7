"""Write the page's types of the WebAssembly module, and its list for readers, from its functions.

python tools/wasm_types.py            writes web/src/engine/exports.ts and docs/wasm-functions.md
python tools/wasm_types.py --check    fails where those files are not current
"""

import sys
from json import dumps
from pathlib import Path

import numpy as np

from baghdad.analysis.engine.analyst import MOST_REASONS
from baghdad.analysis.engine.facts import KINDS
from baghdad.analysis.engine.ledger import DECIDED, DRAWN, ENDED
from baghdad.analysis.engine.machine import SAMPLES
from baghdad.analysis.engine.marks import THRESHOLDS
from baghdad.analysis.engine.nudges import NUDGES
from baghdad.analysis.engine.turns import ROBBED_AT
from baghdad.analysis.marks import MARKS
from baghdad.bots.levels import TABLE
from baghdad.bots.neural.trunk import NAMES
from baghdad.bots.proposals import ACCEPT_BELOW
from baghdad.bots.value.network import ValueShape, value_sizes
from baghdad.bots.value.twin import KINDS as KINDS_OF_VALUE
from baghdad.rules.engine.refusals import REASONS
from baghdad.rules.engine.soundness import PARTS
from baghdad.wasm.all_exports import EXPORTS
from baghdad.wasm.exports.export import Cells, Export, Kind, Record, Records
from baghdad.wasm.minds.levels import levels

ROOT = Path(__file__).parents[1]
TYPES, LIST = ROOT / "web/src/engine/exports.ts", ROOT / "docs/wasm-functions.md"

HEAD = "// Made by tools/wasm_types.py from the module's functions; not to be edited."
TYPE_HEAD = """\
/** The address of a thing in the module's memory. */
export type At<Name extends keyof typeof SIZES> = number & { readonly at: Name }

/** Where a field of a record lies. */
export interface Field {
  readonly offset: number
  readonly type: 'i1' | 'i2' | 'i4' | 'i8' | 'f4' | 'f8'
  readonly shape: readonly number[]
}
"""
LIST_HEAD = """\
# The functions of the WebAssembly module

Made by `tools/wasm_types.py` from `src/baghdad/wasm/exports`, where each is a line or two. How the
module is built and used is in [How Baghdad is built](architecture.md#one-source).

A name with a capital is an address: the caller brings the memory, and an array where `[count]` is
written has as many elements as that parameter says. `int` is a 32-bit integer, `float` has 64 bits.
Nothing is checked."""
LEVELS_HEAD = """\
/** The opponents for people, the weakest first: the bytes of a `Level`, two digits each. */
export const LEVELS: Readonly<Record<string, string>> = {"""
REASONS_HEAD = """\
/** Why moves are refused: the key of the words, the rule, and what they name. */
export const REASONS: readonly { key: string; rule: string; names: readonly string[] }[] = ["""


def files() -> dict[Path, str]:
    """What is written where."""
    return {TYPES: types(), LIST: listed()}


def types() -> str:
    """The types of everything, for the page."""
    kinds = [kind for export in EXPORTS.values() for kind in export.parameters.values()]
    records = {kind.name: kind.dtype for kind in map(plain, kinds) if isinstance(kind, Record)}
    sizes = {name_of(kind): size_of(kind) for kind in kinds if not isinstance(kind, type)}
    return "\n".join(
        [
            HEAD,
            TYPE_HEAD,
            "/** By name: bytes of one, or of an element where the caller says how many. */",
            f"export const SIZES = {dumps(dict(sorted(sizes.items())))} as const\n",
            *(record_type(name, dtype) for name, dtype in sorted(records.items())),
            REASONS_HEAD,
            *(
                f"  {dumps({'key': key, 'rule': rule, 'names': list(names)})},"
                for key, rule, names, _ in REASONS
            ),
            "]\n",
            "/** What can be wrong with a position that somebody brings. */",
            f"export const PARTS: readonly string[] = {dumps(PARTS)}\n",
            LEVELS_HEAD,
            *(f"  {name}: {dumps(level.tobytes().hex())}," for name, level in levels().items()),
            "}\n",
            "/** Those of them that play by the network. */",
            f"export const LEARNED: readonly string[] = {dumps(learned())}\n",
            "/** A bot agrees to end a game when its chance is under this (R28). */",
            f"export const ACCEPT_BELOW = {ACCEPT_BELOW}\n",
            "/** The arrays of a network, in the order in which their places are told. */",
            "export const ARRAYS: readonly string[] = [",
            *(f"  {dumps(name)}," for name in NAMES),
            "]\n",
            "/** Those of a network that says who wins. */",
            "export const VALUE_ARRAYS: readonly string[] = [",
            *(f"  {dumps(name)}," for name in NAMES if name in value_sizes(ValueShape())),
            "]\n",
            "/** Kinds of networks that an oracle has, by what they see; the last one plays. */",
            f"export const ORACLE = {dumps((*KINDS_OF_VALUE, 'network'))} as const\n",
            "/** Kinds of steps of a game. */",
            f"export const DECIDED = {DECIDED}, DRAWN = {DRAWN}, ENDED = {ENDED}\n",
            "/** How a turn is marked. */",
            f"export const MARKS = {dumps(MARKS)} as const\n",
            "/** Points from which on a turn has the marks between the first and the last. */",
            f"export const THRESHOLDS = {dumps(THRESHOLDS)} as const\n",
            "/** What a fact is of. */",
            f"export const FACTS = {dumps(KINDS)} as const\n",
            "/** What a hint begins with, the strongest first. */",
            f"export const NUDGES = {dumps(NUDGES)} as const\n",
            "/** Turns that the policy is asked for, as a rule. */",
            f"export const SAMPLES = {SAMPLES}\n",
            "/** Reasons that are named, at most. */",
            f"export const MOST_REASONS = {MOST_REASONS}\n",
            "/** A robbery is so often the palace, and the number on the chest. */",
            f"export const ROBBED_AT = {ROBBED_AT}\n",
            "/** The functions of the module. */",
            "export interface Exports {",
            "  readonly memory: WebAssembly.Memory",
            "  /** Where memory begins that no function uses by itself. */",
            "  readonly __heap_base: WebAssembly.Global<'i32'>",
            *(method(export) for export in EXPORTS.values()),
            "}\n",
        ]
    )


def learned() -> list[str]:
    """The levels that have no use for the module without a network."""
    return [name for name, level in TABLE.items() if level.kind in ("neural", "expert")]


def record_type(name: str, dtype: np.dtype[np.void]) -> str:
    """Where the fields of a record lie."""
    lines = [f"/** The fields of a {name.lower()}. */", f"export const {name.upper()} = {{"]
    assert dtype.fields is not None, "it is a record"
    for field, (inner, offset, *_) in dtype.fields.items():
        about = {"offset": offset, "type": inner.base.str[1:], "shape": list(inner.shape)}
        lines.append(f"  {field}: {dumps(about)},")
    return "\n".join([*lines, "} as const satisfies Record<string, Field>\n"])


def method(export: Export) -> str:
    """A function as the page may call it."""
    about = " ".join(export.doc.split())
    given = ", ".join(
        f"{name}: {'number' if isinstance(kind, type) else at(kind)}"
        for name, kind in export.parameters.items()
    )
    returns = "void" if export.returns is None else "number"
    return f"  /** {about} */\n  {export.name}({given}): {returns}"


def at(kind: Kind) -> str:
    return f"At<{dumps(name_of(kind))}>"


def plain(kind: Kind) -> Kind:
    return kind.record if isinstance(kind, Records) else kind


def name_of(kind: Kind) -> str:
    kind = plain(kind)
    assert not isinstance(kind, type | Records), "a number has no address"
    return kind.name


def size_of(kind: Kind) -> int:
    """Bytes of a thing that has an address."""
    kind = plain(kind)
    if isinstance(kind, Record):
        return kind.dtype.itemsize
    assert isinstance(kind, Cells), "a number has no address"
    return np.dtype(kind.dtype).itemsize * (kind.length if isinstance(kind.length, int) else 1)


def listed() -> str:
    """All functions by subject, for readers."""
    lines, subject = [LIST_HEAD], ""
    for export in EXPORTS.values():
        module = sys.modules[export.function.__module__]
        if module.__name__ != subject:
            subject = module.__name__
            lines.append(f"\n## {(module.__doc__ or '').strip().rstrip('.')}\n")
        given = ", ".join(
            f"{name}: {kind.__name__ if isinstance(kind, type) else shown(kind)}"
            for name, kind in export.parameters.items()
        )
        returns = f" → {export.returns.__name__}" if export.returns else ""
        lines.append(f"- `{export.name}({given}){returns}`  \n  {' '.join(export.doc.split())}")
    return "\n".join(lines) + "\n"


def shown(kind: Kind) -> str:
    length = kind.length if isinstance(kind, Cells | Records) else ""
    return name_of(kind) + (f"[{length}]" if isinstance(length, str) and length else "")


if __name__ == "__main__":
    for file, text in files().items():
        if sys.argv[1:] != ["--check"]:
            file.write_text(text, "utf-8")
        elif not file.is_file() or file.read_text("utf-8") != text:
            sys.exit(f"{file.name} is not what the module has: run python tools/wasm_types.py")
