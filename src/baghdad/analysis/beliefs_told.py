"""Beliefs in words, and for other programs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from baghdad.rules.engine.material import DANCER, PALACE_LETTERS, PALACES, Seat
from baghdad.rules.game import Game
from baghdad.text import say

from .believing.beliefs import Belief, Beliefs
from .believing.histories import STACK
from .telling import in_digits, name_of

FORMAT = 1
"""Changes when what a program reads means something else."""
DIGITS = 4
NUMBER = 11
"""Letters for a number of cards, and for the true one beside it."""

Cards = tuple[int, ...]
"""[palace]"""
Truth = Mapping[int, Mapping[Seat, Cards]]
"""By tokens before a moment, and by holder."""


def truth_of(game: Game) -> Truth:
    """What everybody held, and the stack, whenever a turn began: for games that are over."""
    found, again = dict[int, Mapping[Seat, Cards]](), Game.with_options(game.options)
    for at, token in enumerate((*game.tokens, "")):
        if not again.acted:
            held = {seat: tuple(again.hand(seat)[:DANCER]) for seat in range(game.options.players)}
            found[at] = held | {STACK: tuple(again.state.deck.tolist())}
        if token:
            again.play(token)
    return found


def told(
    found: Sequence[Beliefs], truth: Truth, names: Sequence[str] | None, language: str
) -> Iterator[str]:
    """Mean numbers of cards by palace, line by line; true ones in brackets where they are known."""
    for moment in found:
        lines = [(_holder(each, names, language), each) for each in moment.of]
        wide = max(len(name) for name, _ in lines)
        turn = say("analysis.turn", language, number=moment.number)
        yield f"{turn:{wide}}" + "".join(f"{letter:>{NUMBER}}" for letter in PALACE_LETTERS)
        for name, each in lines:
            held = truth.get(moment.at, {}).get(each.holder)
            numbers = (_number(each, palace, held, language) for palace in PALACES)
            yield f"{name:{wide}}" + "".join(f"{number:>{NUMBER}}" for number in numbers)
        yield ""


def as_builtins(seat: Seat, found: Sequence[Beliefs], truth: Truth) -> dict[str, Any]:
    """The beliefs of a seat as they are written in JSON: seats count from 1 as in all records."""
    return {
        "seat": seat + 1,
        "moments": [
            {
                "at": moment.at,
                "turn": moment.number,
                "effective": round(moment.effective),
                "of": [_belief(each, truth.get(moment.at, {})) for each in moment.of],
            }
            for moment in found
        ],
    }


def _belief(belief: Belief, held: Mapping[Seat, Cards]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "holder": "stack" if belief.holder == STACK else belief.holder + 1,
        "size": belief.size,
        "chances": [[round(chance, DIGITS) for chance in each] for each in belief.chances],
    }
    return told | ({"held": held[belief.holder]} if held else {})


def _holder(belief: Belief, names: Sequence[str] | None, language: str) -> str:
    """Who holds the cards, and how many they are."""
    stack = belief.holder == STACK
    name = say("analysis.stack", language) if stack else name_of(belief.holder, names, language)
    return f"{name}, {say('analysis.palace_cards', language, n=belief.size)}"


def _number(belief: Belief, palace: int, held: Cards | None, language: str) -> str:
    mean = in_digits(belief.mean(palace), language)
    return mean if held is None else f"{mean} ({held[palace]})"
