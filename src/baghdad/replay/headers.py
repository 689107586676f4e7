"""Headers of a record that tell who played: their names, and the colours of their pieces."""

from collections.abc import Sequence

SEATS_HEADER, COLOURS_HEADER = "Seats", "Colours"
TEACHING_HEADER = "Teaching"
"""`yes` where help was allowed during the game."""


def players_headers(names: Sequence[str], colours: Sequence[int]) -> dict[str, str]:
    """The names by seat, seat 1 first, and the colours of the pieces.

    >>> players_headers(["Ali", "Morgiana"], [1, 0])
    {'Seats': 'Ali, Morgiana', 'Colours': '2, 1'}
    """
    return {
        SEATS_HEADER: ", ".join(names),
        COLOURS_HEADER: ", ".join(str(colour + 1) for colour in colours),
    }


def names_in(header: str, players: int) -> tuple[str, ...]:
    """Who played, by seat. A name with a comma in it can't be told apart: then nobody is named.

    >>> names_in("Ali, Morgiana", 2), names_in("Ali, the baker, Morgiana", 2)
    (('Ali', 'Morgiana'), ())
    """
    names = tuple(name.strip() for name in header.split(","))
    return names if len(names) == players and all(names) else ()


def colours_in(header: str, players: int) -> tuple[int, ...]:
    """What the seats' pieces wear; each seat its own colour where the record does not say.

    >>> colours_in("2, 1", 2), colours_in("", 3), colours_in("1, 1", 2)
    ((1, 0), (0, 1, 2), (0, 1))
    """
    usual = tuple(range(players))
    given = [part.strip() for part in header.split(",")]
    if not all(part in ("1", "2", "3", "4") for part in given):
        return usual
    colours = tuple(int(part) - 1 for part in given)
    return colours if len(set(colours)) == len(colours) == players else usual
