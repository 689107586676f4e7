"""Answers of the laboratory in words: a table of figures with intervals, and a sentence."""

from collections.abc import Sequence

from baghdad.arena.statistics import Interval
from baghdad.bots.playing import MAX_TURNS
from baghdad.rules.engine.material import BALANCED, FIRST_HANDS
from baghdad.rules.options import written_deal
from baghdad.text import say

from .players import ROSTERS
from .questions import EVEN, FAR_BEHIND, Answer

TURNS = ("turns", "of_a_player")
WHOLE = ("shortest", "quarter", "half", "three_quarters", "longest", "gap")
"""Figures that are not shares: with a decimal, and without."""
RARE = ("nobody", "limit")
"""Shares so small that they need another decimal."""
BY_PAIR = ("luck", "causes")
"""Questions with a line for every pair of players."""
IN_LINES = (*BY_PAIR, "deals", "balance")
"""Questions with a line for every row; the others have a column for a condition."""


def figure_table(answers: Sequence[Answer], language: str = "en") -> list[list[str]]:
    """Cells of a table, its head first, for answers to one question."""
    roster = answers[0].roster
    if answers[0].question in IN_LINES:
        (answer,) = answers
        names = list(next(iter(answer.rows.values())))
        lines = [["", *(figure_label(name, language, roster) for name in names)]]
        for row, figures in answer.rows.items():
            label = row_label(row, answer, language)
            lines.append([label, *(shown(name, figures[name]) for name in names)])
        return lines
    columns = [(answer, row) for answer in answers for row in answer.rows]
    if len(answers) > 1:
        heads = [say("lab.players", language, players=answer.players) for answer, _ in columns]
    else:
        heads = [row_label(row, answer, language) for answer, row in columns]
    lines = [["", *heads]]
    for name in next(iter(answers[0].rows.values())):
        cells = [shown(name, answer.rows[row][name], row == "change") for answer, row in columns]
        lines.append([figure_label(name, language, roster), *cells])
    return lines


def row_label(row: str, answer: Answer, language: str) -> str:
    """A condition: the cards dealt, or a player's letter, or a pair, or words."""
    players = answer.players
    if row in ("even", "rules", "balanced"):
        dealt = {"even": EVEN[:players], "rules": FIRST_HANDS[:players]}
        deal = written_deal(dealt.get(row, BALANCED[players]))
        return deal if answer.question == "start" else answer.deal or deal
    by_name = row.isalpha() and len(row) > 1
    return say(f"lab.condition.{row}", language) if by_name else row


def figure_label(name: str, language: str, roster: str = "heuristic") -> str:
    """A figure in words; players are named by their letters."""
    kind, _, number = name.partition(" ")
    key = f"{kind}_n" if number else kind
    who = {"one": ROSTERS[roster].usual, "other": ROSTERS[roster].weaker}
    told = {"seat": number, "chests": FAR_BEHIND, "turns": MAX_TURNS, **who}
    return say(f"lab.figure.{key}", language, **told)


def number(name: str, value: float, signed: bool = False) -> str:
    """A figure as people read it: shares in per cent.

    >>> number("close", 0.5), number("turns", 0.5, signed=True), number("gap", -0.4)
    ('50.0', '+0.5', '0')
    """
    digits = 0 if name in WHOLE else 2 if name in RARE else 1
    value *= 1 if name in TURNS + WHOLE else 100
    value = round(value, digits) + 0.0  # no minus before a zero
    return f"{value:+.{digits}f}" if signed and value else f"{value:.{digits}f}"


def shown(name: str, figure: Interval, signed: bool = False) -> str:
    """A figure and its interval."""
    value, low, high = (
        number(name, part, signed) for part in (figure.value, figure.low, figure.high)
    )
    return f"{value} ({low} … {high})"


def sentence(answer: Answer, language: str = "en") -> str:
    """The answer in short."""
    rows, question = answer.rows, answer.question

    def percent(row: str, name: str) -> str:
        return f"{rows[row][name].value:.1%}"

    if question == "start":
        even, rules = percent("even", "seat 1"), percent("rules", "seat 1")
        par = f"{1 / answer.players:.1%}"
        return say("lab.says.start", language, even=even, rules=rules, par=par)
    if question == "deals":
        best = min(rows, key=lambda row: rows[row]["spread"].value)
        return say("lab.says.deals", language, deal=best, spread=percent(best, "spread"))
    if question == "balance":
        spreads = {row: rows[row]["spread"].value for row in rows}
        worst = max(spreads, key=spreads.__getitem__)
        told = {"rules": percent("standard", "spread"), "most": f"{spreads[worst]:.1%}"}
        return say("lab.says.balance", language, row=row_label(worst, answer, language), **told)
    if question == "strength":
        shares = sorted(figures["seat 1"].value for figures in rows.values())
        low, high = f"{shares[0]:.1%}", f"{shares[-1]:.1%}"
        return say("lab.says.strength", language, low=low, high=high)
    if question == "length":
        figures = {name: number(name, figure.value) for name, figure in rows["rules"].items()}
        low, high, own = (figures[name] for name in ("quarter", "three_quarters", "of_a_player"))
        return say("lab.says.length", language, low=low, high=high, own=own)
    if question == "race":
        close, back = percent("rules", "close"), percent("rules", "comeback")
        return say("lab.says.race", language, close=close, comeback=back, chests=FAR_BEHIND)
    if question == "luck":
        pair = max(rows, key=lambda pair: rows[pair]["gap"].value)
        gap, rest = f"{rows[pair]['gap'].value:.0f}", f"{1 - rows[pair]['share'].value:.1%}"
        return say("lab.says.luck", language, pair=pair, gap=gap, rest=rest)
    if question == "causes":
        pair = max(rows, key=lambda pair: rows[pair]["skill"].value)
        parts = {name: percent(pair, name) for name in ("skill", "dealt", "drawn")}
        return say("lab.says.causes", language, pair=pair, **parts)
    figures = {name: shown(name, figure, True) for name, figure in rows["change"].items()}
    turns, seat, stronger = (figures[name] for name in ("turns", "seat 1", "stronger"))
    return say("lab.says.option", language, turns=turns, seat=seat, stronger=stronger)


def markdown(lines: Sequence[Sequence[str]]) -> str:
    """Cells as a table in Markdown."""
    head, *rest = (f"| {' | '.join(cells)} |".replace("|  |", "| |") for cells in lines)
    return "\n".join([head, f"|{' --- |' * len(lines[0])}", *rest])
