"""A position for people: as text, or as a small drawing in SVG."""

from xml.sax.saxutils import escape

from baghdad.rules.engine.material import (
    GUARD_FIELDS,
    HEAVIEST_CHEST,
    NEUTRAL,
    OWNERS,
    PALACE_LETTERS,
    PALACES,
    Palace,
)
from baghdad.rules.engine.views import ViewFields, to_move
from baghdad.rules.text_board import board_of, piles_in_words, player_in_words
from baghdad.rules.views import View
from baghdad.text import catalogue, say

RENDER_MODES = ["human", "ansi", "svg"]
"""Printed, as text, or drawn."""

WIDTH, PALACE_HEIGHT, LINE = 720, 150, 26
PALACE_COLOURS = ("#8c2f39", "#2f7d5b", "#efe6d0", "#6b3f72", "#d99a2b", "#2b5aa0")
OWNER_COLOURS = ("#3fa66b", "#4a7fd0", "#c9473f", "#e5b93c", "#16130f")
MARKS = (
    '<circle r="10"/>',
    '<path d="M0-11 11 9H-11Z"/>',
    '<rect x="-9" y="-9" width="18" height="18"/>',
    '<path d="M0-12 12 0 0 12-12 0Z"/>',
    '<path d="M-7 11V-4a7 7 0 0 1 14 0V11Z"/>',
)
"""What tells owners apart where colour does not: the seats' shapes, then a cloak."""


def check_rendering(mode: str | None, language: str) -> None:
    """Whether a game can be shown like that, asked before it begins."""
    if mode not in (None, *RENDER_MODES):
        raise ValueError(f"render_mode: {', '.join(RENDER_MODES)} or None, not {mode!r}")
    catalogue("messages", language)  # refuses one that we don't have


def render(view: View, mode: str | None, language: str) -> str | None:
    """What an environment's `render` returns in a mode; prints for humans."""
    if mode == "svg":
        return svg_of(view, language)
    if mode == "ansi":
        return board_of(view, language)
    if mode == "human":
        print(board_of(view, language))
    return None


def svg_of(view: View, language: str = "en") -> str:
    """What a seat sees, drawn.

    >>> from baghdad import Game
    >>> picture = svg_of(Game(players=2).view(None))
    >>> picture[:4], picture[-6:]
    ('<svg', '</svg>')
    """
    seen = view.fields
    height = 2 * PALACE_HEIGHT + LINE * (int(seen.players) + 1) + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'font-family="Georgia, serif" font-size="15" fill="#f3e9d6">',
        f'<rect width="{WIDTH}" height="{height}" fill="#231a3a"/>',
        *(_palace(seen, palace, language) for palace in PALACES),
        *_lines(view, language),
        "</svg>",
    ]
    return "\n".join(parts)


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}"{more}>{escape(text)}</text>'


def _mark(x: float, y: float, owner: int) -> str:
    return (
        f'<g transform="translate({x} {y})" fill="{OWNER_COLOURS[owner]}" stroke="#f3e9d6">'
        f"{MARKS[owner]}</g>"
    )


def _palace(seen: ViewFields, palace: Palace, language: str) -> str:
    """Terrace, courtyard and guard fields, top to bottom."""
    letter = PALACE_LETTERS[palace]
    left, top = palace % 3 * WIDTH // 3, palace // 3 * PALACE_HEIGHT
    chests = int(seen.chests[palace])
    needs = str(HEAVIEST_CHEST + 1 - chests) if chests else "·"
    parts = [
        f'<g transform="translate({left} {top})">',
        f'<rect x="10" y="10" width="{WIDTH // 3 - 20}" height="{PALACE_HEIGHT - 16}" rx="12" '
        f'fill="#4a3c5e" stroke="{PALACE_COLOURS[palace]}" stroke-width="5"/>',
        _text(24, 36, f"{letter} {say(f'palace.{letter}', language)}", ' font-size="18"'),
        _text(WIDTH // 3 - 24, 36, f"{needs} ×{chests}", ' text-anchor="end"'),
    ]
    for place, seat in enumerate(s for s in range(4) if seen.thieves[palace, s]):
        x = 34 + 52 * place
        parts += [_mark(x, 70, seat), _text(x + 14, 75, str(seen.thieves[palace, seat]))]
    guards = [owner for owner in range(OWNERS) for _ in range(int(seen.guards[palace, owner]))]
    for field in range(GUARD_FIELDS):
        x = 40 + 50 * field
        parts.append(f'<rect x="{x - 18}" y="98" width="36" height="36" rx="6" fill="#2f2545"/>')
        if field < len(guards):
            owner = guards[field]
            parts.append(_mark(x, 116, owner))
            if owner != NEUTRAL:
                parts.append(f'<path d="M{x + 14} 100v32" stroke="#f3e9d6"/>')  # a spear
    return "".join(parts) + "</g>"


def _lines(view: View, language: str) -> list[str]:
    """A line a player, then the piles."""
    seen, lines = view.fields, []
    y = 2 * PALACE_HEIGHT + LINE
    for seat in range(seen.players):
        if to_move(seen) == seat:
            lines.append(_text(8, y, "▸"))
        lines.append(_mark(34, y - 5, seat))
        lines.append(_text(54, y, player_in_words(view, seat, language)))
        y += LINE
    return [*lines, _text(54, y, piles_in_words(view, language))]
