"""The game record as text: tokens, headers, and where each stands."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from baghdad.rules.engine.actions import (
    ACTION_OF,
    CARRY,
    MOVE,
    MOVE_NEUTRAL,
    SMUGGLE,
    TOKENS,
    Action,
)
from baghdad.rules.engine.material import (
    BALANCED_DEAL,
    CARD_LETTERS,
    HANDS,
    ROBS,
    SPARES,
    VARIANTS,
    Card,
)

from .ending import (
    RESIGNED_HEADER,
    TERMINATION_HEADER,
    TERMINATIONS,
    Resigned,
    Termination,
    read_resigned,
)
from .errors import (
    IllegalMoveError,
    MoveError,
    NotAMoveError,
    RecordError,
    shortened,
)
from .options import (
    RULEBOOKS,
    DealError,
    Options,
    RulebookError,
    first_hands,
    written_deal,
)

Move: TypeAlias = Action | tuple[Card, ...]
"""A decision, or the cards of a chance step."""

REQUIRED = ("Players", "Variant", "Rob", "Hands", "Result")
OPTIONAL = ("Rulebook", "Spare", "Deal")
"""Headers of options that are written where they are not the usual ones."""
EDITION_HEADER, EDITION = "Rules", "2"
_VALUES: dict[str, tuple[str, ...]] = {
    "Players": ("2", "3", "4"),
    "Variant": VARIANTS,
    "Rob": ROBS,
    "Hands": HANDS,
    "Result": ("1", "2", "3", "4", "-", "*"),
    "Spare": SPARES,
    "Rulebook": RULEBOOKS,
}

_SMUGGLE = re.compile(r"\+([RGWPYB])\(([RGWPYB*]*)\)")
_MOVE = re.compile(r"(n?)([RGWPYB])(>>?)([RGWPYB])\(([RGWPYB*]*)\)")
_UNSEEN = re.compile(r"=[RGWPYB?]*")
_DRAW = re.compile(r"=([RGWPYB*]*)")
_HEADER = re.compile(r'\s*\[\s*([A-Za-z][A-Za-z0-9_]*)\s+"((?:[^"\\]|\\.)*)"\s*\]')


def read_token(token: str) -> Move:
    """The move that a token stands for.

    Raises `NotAMoveError` for text that is not a token, and `IllegalMoveError` for a move that no
    position allows.

    >>> read_token("=RG*"), TOKENS[read_token("R>>G(*)")]
    ((0, 1, 6), 'R>>G(*)')
    >>> read_token("nR>>G(RG)")
    Traceback (most recent call last):
    baghdad.rules.errors.IllegalMoveError: R15: a neutral guard takes nobody along
    """
    action = ACTION_OF.get(token)
    if action is not None:
        return action
    if match := _DRAW.fullmatch(token):
        return tuple(CARD_LETTERS.index(letter) for letter in match[1])
    raise _impossible(token)


def _impossible(token: str) -> MoveError:
    if match := _SMUGGLE.fullmatch(token):
        palace, paid = match.groups()
        canonical = f"+{palace}({''.join(sorted(paid, key='*'.__eq__))})"
        if canonical in ACTION_OF:
            return NotAMoveError("written_so", token=token, canonical=canonical)
        if set(paid) <= {palace, "*"}:
            return IllegalMoveError("smuggle_cost_range", "R12")
        return IllegalMoveError("smuggle_payment", "R12", palace=palace)
    if match := _MOVE.fullmatch(token):
        neutral, here, arrow, there, paid = match.groups()
        if neutral and arrow == ">>":
            return IllegalMoveError("neutral_alone", "R15")
        rule = "R15" if neutral else "R13" if arrow == ">" else "R14"
        if here == there:
            return IllegalMoveError("same_palace", rule)
        canonical = f"{neutral}{here}{arrow}{there}({paid[::-1]})"
        if canonical in ACTION_OF:
            return NotAMoveError("written_so", token=token, canonical=canonical)
        key = "neutral_payment" if neutral else "move_payment"
        return IllegalMoveError(key, rule)
    if _UNSEEN.fullmatch(token):
        return NotAMoveError("unseen_cards", token=shortened(token))
    return NotAMoveError("no_token", token=shortened(token))


def is_beginning(text: str) -> bool:
    """Whether a text is not a token but the beginning of one: a record may have been cut there.

    >>> is_beginning("+R(R"), is_beginning("+R(R)"), is_beginning("hello")
    (True, False, False)
    """
    return text not in ACTION_OF and any(token.startswith(text) for token in TOKENS)


def kind_of(token: str) -> int:
    """The kind of action that a token of a turn, possible or not, would be."""
    if token.startswith("+"):
        return SMUGGLE
    if token.startswith("n"):
        return MOVE_NEUTRAL
    return CARRY if ">>" in token else MOVE


def unseen(token: str) -> str:
    """The token of a chance step as somebody writes it who did not see the cards.

    >>> unseen("=RGW")
    '=???'
    """
    return "=" + "?" * (len(token) - 1)


def write_move(move: Move) -> str:
    """The token of a move.

    >>> write_move((0, 1, 2)), write_move(0)
    ('=RGW', '@R')
    """
    if isinstance(move, tuple):
        return "=" + "".join(CARD_LETTERS[card] for card in move)
    return TOKENS[move]


@dataclass(frozen=True, slots=True)
class Token:
    """A token and where it stands in its text, both counted from 1."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Record:
    """One game record, read but not yet checked against the rules."""

    headers: Mapping[str, str]
    tokens: tuple[Token, ...]
    options: Options
    places: Mapping[str, Token]
    """Where each of its headers stands."""
    termination: Termination | None = None
    resigned: Resigned = field(default_factory=dict)

    @property
    def result(self) -> str:
        return self.headers["Result"]

    @property
    def result_at(self) -> Token:
        return self.places["Result"]


def read_records(text: str) -> list[Record]:
    """All game records of a text, one after another, each beginning with its headers.

    Raises `RecordError` where it is not a record; tokens are not checked.
    """
    records: list[Record] = []
    headers: dict[str, Token] = {}
    values: dict[str, str] = {}
    tokens: list[Token] = []
    for number, line in enumerate(_without_comments(text), 1):
        if line.lstrip().startswith("["):
            name = line.lstrip().removeprefix("[").split(maxsplit=1)[:1]
            again = all(each in headers for each in (*name, *REQUIRED))
            if tokens or again:
                records.append(_record(headers, values, tokens))
                headers, values, tokens = {}, {}, []
            at = Token(line.strip(), number, len(line) - len(line.lstrip()) + 1)
            match = _HEADER.match(line)
            if not match or line[match.end() :].strip():
                raise RecordError(at.line, at.column, at.text, key="header")
            if match[1] in headers:
                raise RecordError(at.line, at.column, at.text, key="header_twice", name=match[1])
            headers[match[1]] = at
            values[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
        else:
            tokens += (
                Token(match[0], number, match.start() + 1) for match in re.finditer(r"\S+", line)
            )
    records.append(_record(headers, values, tokens))
    return records


def _without_comments(text: str) -> list[str]:
    """The lines of a text, its comments turned into spaces so that every place stays true."""
    lines = [line.removeprefix("\ufeff") for line in re.split(r"\r\n|\r|\n", text)]
    inside: tuple[int, int] | None = None
    for number, line in enumerate(lines):
        kept = list(line)
        # A header's value may hold braces.
        header = None if inside else _HEADER.match(line)
        for column, letter in enumerate(line):
            if header and column < header.end():
                continue
            if inside is None and letter == "{":
                inside = (number + 1, column + 1)
            if inside is not None:
                kept[column] = " "
                if letter == "}":
                    inside = None
        lines[number] = "".join(kept)
    if inside is not None:
        raise RecordError(*inside, "{", key="comment")
    return lines


def _record(headers: dict[str, Token], values: dict[str, str], tokens: list[Token]) -> Record:
    for name in REQUIRED:
        if name not in headers:
            line, column = (tokens[0].line, tokens[0].column) if tokens else (1, 1)
            usual = "*" if name == "Result" else _VALUES[name][0]
            raise RecordError(line, column, "", key="header_missing", name=name, value=usual)
    _check_values(headers, values)
    if values.get(EDITION_HEADER, EDITION) != EDITION:
        at = headers[EDITION_HEADER]
        edition = values[EDITION_HEADER]
        raise RecordError(at.line, at.column, at.text, key="edition", value=edition)
    options = _options(headers, values)
    ending = _ending(headers, values, options.players)
    return Record(values, tuple(tokens), options, headers, *ending)


def read_options(values: Mapping[str, str]) -> Options:
    """The options that headers name, each of them known; raises `RecordError` or `KeyError`."""
    headers = {name: Token(name, 1, 1) for name in values}
    _check_values(headers, values)
    return _options(headers, values)


def _check_values(headers: Mapping[str, Token], values: Mapping[str, str]) -> None:
    """Refuse what a header of ours can't say."""
    for name, allowed in _VALUES.items():
        if values.get(name, allowed[0]) not in allowed:
            at, known = headers[name], ", ".join(allowed)
            raise RecordError(
                at.line, at.column, at.text, key="header_value", name=name, allowed=known
            )


def _options(headers: Mapping[str, Token], values: Mapping[str, str]) -> Options:
    """The options that checked headers name; what they say of each other is checked here."""
    players, deal = int(values["Players"]), values.get("Deal", "")
    try:
        # What `balanced` means may change: a record holds the numbers.
        if "Deal" in values and deal in ("", BALANCED_DEAL):
            raise DealError(deal)
        hands = first_hands(players, deal)
    except DealError:
        at = headers["Deal"]
        raise RecordError(at.line, at.column, at.text, key="deal", n=players) from None
    try:
        return Options(
            players,
            VARIANTS[VARIANTS.index(values["Variant"])],
            ROBS[ROBS.index(values["Rob"])],
            HANDS[HANDS.index(values["Hands"])],
            SPARES[SPARES.index(values.get("Spare", SPARES[0]))],
            hands,
            RULEBOOKS[RULEBOOKS.index(values["Rulebook"])] if "Rulebook" in values else None,
        )
    except RulebookError as error:
        at = headers["Rulebook"]
        option = error.option.capitalize()
        raise RecordError(
            at.line,
            at.column,
            at.text,
            key="rulebook",
            value=error.rulebook,
            option=option,
            wanted=error.wanted,
            given=error.given,
        ) from None


def option_headers(options: Options) -> dict[str, str]:
    """The headers of all options, whether usual or not."""
    headers = {
        "Players": str(options.players),
        "Variant": options.variant,
        "Rob": options.rob,
        "Hands": options.hands,
        "Spare": options.spare,
        "Deal": written_deal(options.deal),
    }
    return headers | ({"Rulebook": options.rulebook} if options.rulebook else {})


def _ending(
    headers: dict[str, Token], values: dict[str, str], players: int
) -> tuple[Termination | None, Resigned]:
    """What is said of an ending without a move."""
    termination, resigned = values.get(TERMINATION_HEADER), values.get(RESIGNED_HEADER)
    if termination is not None and termination not in TERMINATIONS:
        at, allowed = headers[TERMINATION_HEADER], ", ".join(TERMINATIONS)
        place = at.line, at.column, at.text
        raise RecordError(*place, key="header_value", name=TERMINATION_HEADER, allowed=allowed)
    found = {} if resigned is None else read_resigned(resigned, players)
    if found is None:
        at = headers[RESIGNED_HEADER]
        raise RecordError(at.line, at.column, at.text, key="resigned", players=players)
    return next((each for each in TERMINATIONS if each == termination), None), found


def write_record(
    options: Options, result: str, headers: Mapping[str, str], tokens: Iterable[str]
) -> str:
    """A record as text: required headers, unusual options, free ones, then a line a turn."""
    known = option_headers(options) | {"Result": result}
    usual = option_headers(Options(options.players))
    unusual = [name for name in OPTIONAL if name in known and known[name] != usual.get(name)]
    lines = [_header(name, known[name]) for name in (*REQUIRED, *unusual)]
    written = {*REQUIRED, *OPTIONAL}
    lines += [_header(name, value) for name, value in headers.items() if name not in written]
    lines.append("")
    lines += _lines(options.players, tokens)
    return "\n".join(lines) + "\n"


def _header(name: str, value: str) -> str:
    escaped = re.sub(r'(["\\])', r"\\\1", value)
    line = f'[{name} "{escaped}"]'
    if not _HEADER.fullmatch(line) or "\n" in line or "\r" in line:
        raise ValueError(f"no header can be made of {name!r}: {value!r}")
    return line


def _lines(players: int, tokens: Iterable[str]) -> list[str]:
    """Tokens in lines: a round of placements, the deal, then every turn with its draw."""
    lines: list[list[str]] = [[]]
    placed = drawn = 0
    for token in tokens:
        placement, chance = token.startswith("@"), token.startswith("=")
        lines[-1].append(token)
        placed += placement
        drawn += chance
        if (placement and placed % players == 0) or (chance and drawn >= players):
            lines.append([])
    return [" ".join(line) for line in lines if line]
