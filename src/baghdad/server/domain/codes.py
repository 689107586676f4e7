"""Codes that name tables: short enough to be called across a room, too rare to be guessed."""

CODE_LETTERS = "23456789BCDFGHJKMNPQRSTVWXZ"
"""No vowels, so that no word comes out, and nothing that is mistaken for another letter."""
SHORTEST_CODE = 6
"""Enough for the first tables of a server at home."""
LONGEST_CODE = 12
"""More than any number of tables needs; the database has room for 16."""
RARITY = 10_000_000
"""Of so many codes at most one names a table: whoever tries as many as `Limits` allow finds one
in years, however many finished tables there are."""
CODE_PATTERN = f"^[2-9A-Z]{{{SHORTEST_CODE},{LONGEST_CODE}}}$"


def code_length(tables: int) -> int:
    """How many letters the code of the next table needs, beside so many others.

    >>> [code_length(tables) for tables in (0, 37, 38, 1_000, 10_000, 100_000, 10_000_000)]
    [6, 6, 7, 7, 8, 9, 10]
    """
    length = SHORTEST_CODE
    while len(CODE_LETTERS) ** length < (tables + 1) * RARITY and length < LONGEST_CODE:
        length += 1
    return length


def is_code(text: str) -> bool:
    """Whether that could name a table."""
    fits = SHORTEST_CODE <= len(text) <= LONGEST_CODE
    return fits and all(letter in CODE_LETTERS for letter in text)
