"""Write the browser's types of the wire, and its action table, from the server's own.

python tools/wire_types.py            writes web/src/wire/messages.ts and actions.ts
python tools/wire_types.py --check    fails where those files are not current
"""

import sys
from itertools import groupby
from pathlib import Path
from typing import Any, get_args

from baghdad.arena import rating
from baghdad.bots import LEVELS
from baghdad.bots.levels import SPREAD, TABLE
from baghdad.cli.names import CHARACTERS
from baghdad.rules import options
from baghdad.rules.engine import material
from baghdad.rules.engine.actions import (
    ACTION_TABLE_VERSION,
    ACTIONS,
    CARRY,
    END,
    MOVE,
    MOVE_NEUTRAL,
    NAME,
    PASS,
    PAYMENTS,
    PLACE,
    PLACE_NEUTRAL,
    SMUGGLE,
    TOKENS,
    Meaning,
)
from baghdad.rules.engine.material import CARD_LETTERS, DANCER, PALACE_LETTERS
from baghdad.server.domain import commands
from baghdad.server.domain.agreement import DEFAULT_STAND_IN
from baghdad.server.wire import messages, requests
from baghdad.server.wire.openapi import components

FOLDER = Path(__file__).parents[1] / "web" / "src" / "wire"
HEAD = "// Made by tools/wire_types.py from the server's messages; not to be edited.\n"
ACTION_HEAD = """\
// Made by tools/wire_types.py from the engine's action table; not to be edited.
import type { CardKind, Palace } from './names'

/** A decision of the game. */
export interface Action {
  /** In the action table: what server and page call it. */
  number: number
  /** What a game record calls it. */
  token: string
  kind: %s
  /** The palace that is left. */
  from: Palace | null
  /** The palace where something arrives. */
  to: Palace | null
  /** Whose guard it brings there. */
  guard: 'own' | 'neutral' | null
  /** Whether it brings a thief there: alone (R12), or along with the guard (R14). */
  thief: boolean
  price: readonly CardKind[]
  /** The turn is over with it. */
  ends: boolean
  /** What is drawn besides: a dancer, or a card of the palace that was named (R23). */
  takes: CardKind | null
}

/**
 * The actions of a kind: what they have in common; a word for each; in the same order the letters
 * of where from, where to and what is drawn besides; and the prices. It is loaded four times.
 */
type Shared = [Action['kind'], Action['guard'], thief: boolean, ends: boolean]
type Columns = [tokens: string, from: string, to: string, takes: string, prices: string]
const NONE = '-'
const TABLE: readonly [...Shared, ...Columns][] = ["""
ACTION_FOOT = """\
]

function* all(): Generator<Omit<Action, 'number'>> {
  for (const [kind, guard, thief, ends, tokens, from, to, takes, prices] of TABLE) {
    const letter = (letters: string, n: number) => (letters[n] === NONE ? null : letters[n]!)
    const paid = prices.split(' ')
    for (const [n, token] of tokens.split(' ').entries())
      yield {
        token,
        kind,
        from: letter(from, n) as Palace | null,
        to: letter(to, n) as Palace | null,
        guard,
        thief,
        price: (paid[n] === NONE ? [] : [...paid[n]!]) as CardKind[],
        ends,
        takes: letter(takes, n) as CardKind | null,
      }
  }
}

/** The action table: every decision, by its number. */
export const ACTIONS: readonly Action[] = [...all()].map((each, number) => ({ number, ...each }))
"""
NONE = "-"
KINDS = {
    PLACE: "place",
    PLACE_NEUTRAL: "place_neutral",
    END: "end",
    PASS: "pass",
    SMUGGLE: "smuggle",
    MOVE: "move",
    CARRY: "carry",
    MOVE_NEUTRAL: "move_neutral",
    NAME: "name",
}
GUARDS = {
    PLACE: "own",
    PLACE_NEUTRAL: "neutral",
    MOVE: "own",
    CARRY: "own",
    MOVE_NEUTRAL: "neutral",
}
CONSTANTS = {
    "BALANCED": material.BALANCED,
    "CARD_LETTERS": material.CARD_LETTERS,
    "CHARACTERS": CHARACTERS,
    "CHAT_LENGTH": commands.CHAT_LENGTH,
    "CHESTS_TO_WIN": material.CHESTS_TO_WIN,
    "EMOTES": commands.EMOTES,
    "FIRST_HANDS": material.FIRST_HANDS,
    "GUARD_FIELDS": material.GUARD_FIELDS,
    "HEAVIEST_CHEST": material.HEAVIEST_CHEST,
    "LARGEST_HAND": material.LARGEST_HAND,
    "LEVELS": tuple(LEVELS),
    "RATINGS": {name: level.rating for name, level in TABLE.items()},
    "SPREAD": dict(SPREAD),
    "BEGINNER": (rating.BEGINNER, rating.DEVIATION),
    "DEFAULT_STAND_IN": DEFAULT_STAND_IN,
    "MOST_GAMES": requests.MOST_GAMES,
    "NAME_LENGTH": commands.NAME_LENGTH,
    "NEUTRAL": material.NEUTRAL,
    "PALACE_LETTERS": material.PALACE_LETTERS,
    "PRESETS": {name: preset._asdict() for name, preset in options.PRESETS.items()},
    "RECORD_LENGTH": requests.RECORD_LENGTH,
    "RULEBOOKS": options.RULEBOOKS,
    "THIEF_ACTIONS": material.THIEF_ACTIONS,
    "CARDS_AFTER_ACTIONS": material.CARDS_AFTER_ACTIONS,
    "CARDS_AFTER_NONE": material.CARDS_AFTER_NONE,
    "PLACING": material.PLACING,
    "DEALING": material.DEALING,
    "TURN": material.TURN,
    "OVER": material.OVER,
    "ACTION_TABLE_VERSION": ACTION_TABLE_VERSION,
}


def files() -> dict[Path, str]:
    """What is written where."""
    return {FOLDER / "messages.ts": wire(), FOLDER / "actions.ts": action_table()}


def wire() -> str:
    """The whole file of messages."""
    parts = [HEAD]
    for name, schema in sorted(components().items()):
        parts.append(interface(name, schema))
    parts.append("export type AnyCommand = CommandMessage['wish']\n")
    over_socket = " | ".join(kind.__name__ for kind in get_args(messages.ToClient))
    parts.append(f"export type ToClient = {over_socket}\n")
    parts += [f"export const {name} = {literal(value)}\n" for name, value in CONSTANTS.items()]
    return "\n".join(parts)


def action_table() -> str:
    """The whole file of actions: a row for those of a kind, which stand beside each other."""
    each = [described(*action) for action in zip(ACTIONS, TOKENS, PAYMENTS, strict=True)]
    common = ("kind", "guard", "thief", "ends")
    groups = groupby(each, key=lambda action: [action[name] for name in common])
    lines = [f"  {literal([*shared, *columns(list(found))])}," for shared, found in groups]
    head = ACTION_HEAD % " | ".join(map(literal, KINDS.values()))
    return "\n".join([head, *lines, ACTION_FOOT])


def columns(actions: list[dict[str, Any]]) -> list[str]:
    """What differs from action to action."""
    letters = ["".join(each[name] or NONE for each in actions) for name in ("from", "to", "takes")]
    prices = " ".join("".join(each["price"]) or NONE for each in actions)
    return [" ".join(each["token"] for each in actions), *letters, prices]


def described(action: Meaning, token: str, payment: str) -> dict[str, Any]:
    """An action as the page needs it, with letters for palaces and cards."""
    ends = action.kind in (END, PASS, NAME)
    here, there = PALACE_LETTERS[action.palace], PALACE_LETTERS[action.to]
    takes = CARD_LETTERS[DANCER] if action.takes_dancer else here if action.kind == NAME else None
    return {
        "token": token,
        "kind": KINDS[action.kind],
        "from": here if action.kind in (MOVE, CARRY, MOVE_NEUTRAL) else None,
        "to": None if ends else there,
        "guard": GUARDS.get(action.kind),
        "thief": action.kind in (SMUGGLE, CARRY),
        "price": list(payment),
        "ends": ends,
        "takes": takes,
    }


def interface(name: str, schema: dict[str, Any]) -> str:
    lines = []
    if about := schema.get("description"):
        lines.append(f"/** {' '.join(about.split())} */")
    lines.append(f"export interface {name} {{")
    # The tag is always sent, whatever the schema asks of others.
    required = {*schema.get("required", ()), "type"}
    for field, inner in schema["properties"].items():
        optional = "" if field in required else "?"
        lines.append(f"  {field}{optional}: {typescript(inner)}")
    return "\n".join([*lines, "}\n"])


def typescript(schema: dict[str, Any]) -> str:
    """A JSON schema as a type."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "enum" in schema:
        return " | ".join(literal(value) for value in schema["enum"])
    if "anyOf" in schema:
        # A position that was encoded before has the schema {}: it stands beside its own type.
        kinds = dict.fromkeys(typescript(each) for each in schema["anyOf"] if each)
        return " | ".join(kinds)
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"readonly [{', '.join(typescript(each) for each in schema['prefixItems'])}]"
        case "array":
            inner = typescript(schema["items"])
            return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"
        case "object":
            return f"Record<string, {typescript(schema.get('additionalProperties', {}))}>"
        case "integer" | "number":
            return "number"
        case "string":
            return "string"
        case "boolean":
            return "boolean"
        case "null":
            return "null"
    return "unknown"


def literal(value: object) -> str:
    if isinstance(value, str):
        return f"'{value}'"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(literal(each) for each in value)}]"
    if isinstance(value, tuple):
        return f"[{', '.join(literal(each) for each in value)}] as const"
    if isinstance(value, dict):
        inner = ", ".join(f"{_name(key)}: {literal(each)}" for key, each in value.items())
        return f"{{{inner}}}"
    return str(value)


def _name(key: object) -> str:
    """As a name in an object: in quotes where it is not an identifier."""
    bare = isinstance(key, int) or str(key).isidentifier()
    return str(key) if bare else f"'{key}'"


if __name__ == "__main__":
    for file, text in files().items():
        if sys.argv[1:] != ["--check"]:
            file.write_text(text, "utf-8")
        elif file.read_text("utf-8") != text:
            sys.exit(f"{file.name} is not what the server speaks: run python tools/wire_types.py")
