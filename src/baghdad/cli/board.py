"""The table drawn for a terminal: what a seat may know, as lines of coloured text.

Every piece and card has a letter or digit as well as a colour: nothing is told by colour alone.
A palace is a letter as in the record, a seat a digit.
"""

import textwrap
from collections.abc import Sequence
from typing import TypeAlias

from baghdad.rules.engine.material import (
    CARD_LETTERS,
    CHESTS_TO_WIN,
    DANCER,
    GUARD_FIELDS,
    HEAVIEST_CHEST,
    NEUTRAL,
    OWNERS,
    PALACE_LETTERS,
    PALACES,
    PLACING,
    THIEF_ACTIONS,
    TURN,
    Palace,
    Seat,
)
from baghdad.rules.views import View
from baghdad.text import say

StyledLine: TypeAlias = list[tuple[str, str]]
"""Pieces of a line, each with its style; the styles are those of prompt_toolkit."""

PALACE_STYLES = (
    "bg:#b3261e #ffffff", "bg:#1f7a34 #ffffff", "bg:#f1ead9 #000000",
    "bg:#8e24aa #ffffff", "bg:#e0b020 #000000", "bg:#1f5fb0 #ffffff",
)  # fmt: skip
DANCER_STYLE = "bg:#20b2aa #000000"
SEAT_STYLES = (
    "bg:#1f7a34 #ffffff bold", "bg:#1f5fb0 #ffffff bold",
    "bg:#b3261e #ffffff bold", "bg:#e0b020 #000000 bold",
)  # fmt: skip
NEUTRAL_STYLE = "bg:#000000 #ffffff bold"
BOLD, DIM = "bold", "#767676"

BOX_WIDTH, BOX_GAP = 26, 1
THREE_BOXES = 3 * BOX_WIDTH + 2 * BOX_GAP
SIX_BOXES = 6 * BOX_WIDTH + 5 * BOX_GAP
FREE, PAYABLE, ON_TURN = "·", "✓", "▶"
NARROW = 58
"""What a board takes at most where no width is known."""
NAME_WIDTH = 14
PLAIN_CHARACTERS = str.maketrans("┌┐└┘─│·✓▶…", "++++-|.y>.")
"""For consoles that can't show the better ones."""


def plain(lines: Sequence[StyledLine]) -> str:
    """The lines without their colours."""
    return "\n".join("".join(text for _, text in line).rstrip() for line in lines)


def seat_mark(seat: Seat) -> tuple[str, str]:
    return SEAT_STYLES[seat], f" {seat + 1} "


def step_lines(seat: Seat, name: str, text: str, width: int) -> list[StyledLine]:
    """What a seat has done, in lines that fit."""
    start = f" {name}: "
    room = max(width - 1, NARROW) - len(start) - len(seat_mark(seat)[1])
    first, *rest = textwrap.wrap(text, room) or [""]
    lines: list[StyledLine] = [[seat_mark(seat), (BOLD, start), ("", first)]]
    return lines + [[("", " " * 4 + line)] for line in rest]


def draw(view: View, names: Sequence[str], language: str, width: int) -> list[StyledLine]:
    """The whole table: palaces, players, piles, whose turn it is, and the viewer's own hand.

    Palaces are boxes where there is room for three side by side, and lines otherwise.
    """
    if width < THREE_BOXES:
        palaces = _palace_lines(view, language)
    else:
        palaces = _palace_boxes(view, language, 6 if width >= SIX_BOXES else 3)
    return [*palaces, *_players(view, names, language), *_hand(view, language, width)]


def _name(palace: Palace, language: str) -> str:
    return say(f"palace.{PALACE_LETTERS[palace]}", language).split()[0]


def _mark(palace: Palace) -> tuple[str, str]:
    return PALACE_STYLES[palace], f" {PALACE_LETTERS[palace]} "


def _chest(view: View, palace: Palace) -> str:
    left = int(view.fields.chests[palace])
    return str(HEAVIEST_CHEST + 1 - left) if left else FREE


def _guards(view: View, palace: Palace) -> StyledLine:
    """The four guard fields: a digit for a seat's guard, n for a neutral one."""
    fields: StyledLine = []
    for owner in range(OWNERS):
        style = NEUTRAL_STYLE if owner == NEUTRAL else SEAT_STYLES[owner]
        letter = "n" if owner == NEUTRAL else str(owner + 1)
        fields += [(style, letter)] * int(view.fields.guards[palace, owner])
    fields += [("", FREE)] * (GUARD_FIELDS - len(fields))
    return [piece for field in fields for piece in (field, ("", " "))][:-1]


def _thieves(view: View, palace: Palace) -> StyledLine:
    line: StyledLine = []
    for seat, count in enumerate(view.fields.thieves[palace].tolist()):
        if count:
            line += [("", " ")] if line else []
            line += [(SEAT_STYLES[seat], str(seat + 1)), (BOLD, f":{count}")]
    return line


def _price(view: View, palace: Palace) -> StyledLine:
    price = view.price(palace)
    if price is None:
        return [("", "-")]
    may_pay = view.hand[palace] + view.hand[DANCER] >= price
    return [("", str(price)), (BOLD, f" {PAYABLE}" if may_pay else "")]


def _length(line: StyledLine) -> int:
    return sum(len(text) for _, text in line)


def _padded(line: StyledLine, width: int) -> StyledLine:
    return [*line, ("", " " * max(0, width - _length(line)))]


def _palace_lines(view: View, language: str) -> list[StyledLine]:
    """A line a palace."""
    keys = ["board.palace", "board.chest", "board.guards", "cli.board.thieves"]
    heads = [say(key, language) for key in keys]
    rows: list[list[StyledLine]] = [[[(DIM, head)] for head in heads]]
    for palace in PALACES:
        name: StyledLine = [_mark(palace), ("", f" {_name(palace, language)}")]
        chest: StyledLine = [(BOLD, _chest(view, palace))]
        rows.append([name, chest, _guards(view, palace), _thieves(view, palace)])
    if view.viewer is not None:
        rows[0].append([(DIM, say("cli.board.price", language))])
        for palace in PALACES:
            rows[palace + 1].append(_price(view, palace))
    widths = [max(map(_length, column)) for column in zip(*rows, strict=True)]
    return [
        [
            piece
            for cell, wide in zip(row, widths, strict=True)
            for piece in (*_padded(cell, wide), ("", "  "))
        ]
        for row in rows
    ]


def _palace_boxes(view: View, language: str, columns: int) -> list[StyledLine]:
    """Six palaces side by side, or in two rows of three."""
    boxes = [_box(view, palace, language) for palace in PALACES]
    lines: list[StyledLine] = []
    for first in range(0, len(boxes), columns):
        for parts in zip(*boxes[first : first + columns], strict=True):
            line: StyledLine = []
            for part in parts:
                line += [*part, ("", " " * BOX_GAP)]
            lines.append(line[:-1])
    return lines


def _box(view: View, palace: Palace, language: str) -> list[StyledLine]:
    inner = BOX_WIDTH - 4
    left: StyledLine = [_mark(palace), (BOLD, f" {_name(palace, language)} ")]
    right: StyledLine = [
        ("", f" {say('board.chest', language)} "),
        (BOLD, f"{_chest(view, palace)} "),
    ]
    fill = "─" * (inner + 2 - _length(left) - _length(right))
    top: StyledLine = [("", "┌"), *left, ("", fill), *right, ("", "┐")]
    rows = [
        ("board.guards", _guards(view, palace)),
        ("cli.board.thieves", _thieves(view, palace)),
    ]
    if view.viewer is not None:
        rows.append(("cli.board.price", _price(view, palace)))
    labels = [say(key, language) for key, _ in rows]
    wide = max(map(len, labels))
    if any(wide + 1 + _length(line) > inner for _, line in rows):
        wide = 1  # four players' thieves need the room: the label's first letter must do
    body: list[StyledLine] = [
        [
            ("", "│ "),
            *_padded([(DIM, f"{label[:wide]:<{wide}} "), *line], inner),
            ("", " │"),
        ]
        for label, (_, line) in zip(labels, rows, strict=True)
    ]
    return [top, *body, [("", f"└{'─' * (inner + 2)}┘")]]


def _players(view: View, names: Sequence[str], language: str) -> list[StyledLine]:
    """A line a player, and one for the piles."""
    seen = view.fields
    heads = [say(f"cli.board.{key}", language) for key in ("chests", "stock", "cards", "dancers")]
    lines: list[StyledLine] = [
        [(DIM, " " * (6 + NAME_WIDTH) + "".join(f"{head:>{len(head) + 2}}" for head in heads))]
    ]
    for seat in range(int(seen.players)):
        turn = view.to_move == seat
        cells = (
            f"{int(seen.loot[seat])}/{CHESTS_TO_WIN[seen.players]}",
            str(int(seen.stock[seat])),
            str(view.hand_sizes[seat]),
            str(view.hand_dancers[seat]),
        )
        figures = "".join(
            f"{cell:>{len(head) + 2}}" for cell, head in zip(cells, heads, strict=True)
        )
        lines.append(
            [
                (BOLD, f"{ON_TURN if turn else ' '} "),
                seat_mark(seat),
                (BOLD if turn else "", f" {names[seat][:NAME_WIDTH]:<{NAME_WIDTH}}"),
                ("", figures),
            ]
        )
    piles = say(
        "board.piles",
        language,
        deck=view.deck_size,
        discard=int(seen.discard.sum()),
        dancers=int(seen.dancers),
    )
    return [*lines, [(DIM, f"  {piles}")]]


def cards(hand: Sequence[int], width: int) -> StyledLine:
    """Cards by palace, dancers last: every one, or how many of each where that is too wide."""
    shown = [(card, count) for card, count in enumerate(hand) if count]
    every = sum(2 * count + 2 for _, count in shown) <= width
    line: StyledLine = []
    for card, count in shown:
        letter = CARD_LETTERS[card]
        style = DANCER_STYLE if card == DANCER else PALACE_STYLES[card]
        text = " ".join(letter * count) if every or count == 1 else f"{count}{letter}"
        line += [(style, f" {text} "), ("", " ")]
    return line


def _hand(view: View, language: str, width: int) -> list[StyledLine]:
    """The viewer's cards, and what is left to do."""
    if view.viewer is None:
        return []
    label = f"  {say('cli.board.hand', language)}: "
    line: StyledLine = [("", label), *cards(view.hand, max(width, NARROW) - len(label))]
    left = ""
    seen = view.fields
    if view.to_move == view.viewer and seen.phase == TURN:
        left = say("cli.board.thief_actions", language, n=THIEF_ACTIONS - int(seen.thief_actions))
    elif view.to_move == view.viewer and seen.phase == PLACING:
        own, neutral = seen.unplaced[view.viewer].tolist()
        left = say("cli.board.to_place", language, own=own)
        if neutral:
            left += say("cli.board.to_place_neutral", language, neutral=neutral)
    lines = [line] if any(view.hand) else []
    return [*lines, [("", f"  {left}")]] if left else lines
