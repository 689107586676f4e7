"""Write the browser's types of the wire, and its action table, from the server's own.

python tools/wire_types.py            writes web/src/wire/messages.ts
python tools/wire_types.py --check    says whether that file is current
"""

import sys
from pathlib import Path
from typing import Any

from baghdad.bots import LEVELS
from baghdad.cli.names import CHARACTERS
from baghdad.rules import options
from baghdad.rules.engine import material
from baghdad.rules.engine.actions import ACTION_TABLE_VERSION, TOKENS
from baghdad.server.domain.table import LEAVER
from baghdad.server.wire import messages
from baghdad.server.wire.openapi import components

FILE = Path(__file__).parents[1] / "web" / "src" / "wire" / "messages.ts"
HEAD = "// Made by tools/wire_types.py from the server's messages; not to be edited.\n"
CONSTANTS = {
    "BALANCED": material.BALANCED,
    "CARD_LETTERS": material.CARD_LETTERS,
    "CHARACTERS": CHARACTERS,
    "CHAT_LENGTH": messages.CHAT_LENGTH,
    "CHESTS_TO_WIN": material.CHESTS_TO_WIN,
    "EMOTES": messages.EMOTES,
    "FIRST_HANDS": material.FIRST_HANDS,
    "GUARD_FIELDS": material.GUARD_FIELDS,
    "HEAVIEST_CHEST": material.HEAVIEST_CHEST,
    "LARGEST_HAND": material.LARGEST_HAND,
    "LEVELS": tuple(LEVELS),
    "LEAVER": LEAVER,
    "MOST_GAMES": messages.MOST_GAMES,
    "NAME_LENGTH": messages.NAME_LENGTH,
    "NEUTRAL": material.NEUTRAL,
    "PALACE_LETTERS": material.PALACE_LETTERS,
    "PRESETS": {name: preset._asdict() for name, preset in options.PRESETS.items()},
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


def wire() -> str:
    """The whole file."""
    parts = [HEAD]
    for name, schema in sorted(components().items()):
        parts.append(interface(name, schema))
    parts.append("export type AnyWish = Command['wish']\n")
    parts.append("export type ToClient = Snapshot | Happened | Answer | Present | Beat\n")
    parts += [f"export const {name} = {literal(value)}\n" for name, value in CONSTANTS.items()]
    parts.append(
        "/** The action table: by number, the token of every decision. */\n"
        f"export const TOKENS = '{' '.join(TOKENS)}'.split(' ')\n"
    )
    return "\n".join(parts)


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
    if isinstance(value, tuple):
        return f"[{', '.join(literal(each) for each in value)}] as const"
    if isinstance(value, dict):
        inner = ", ".join(f"{_name(key)}: {literal(each)}" for key, each in value.items())
        return f"{{{inner}}}"
    return str(value)


def _name(key: object) -> str:
    """As a name in an object: in quotes where it is none by itself."""
    bare = isinstance(key, int) or str(key).isidentifier()
    return str(key) if bare else f"'{key}'"


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        if FILE.read_text("utf-8") != wire():
            sys.exit(f"{FILE.name} is not what the server speaks: run python tools/wire_types.py")
    else:
        FILE.write_text(wire(), "utf-8")
