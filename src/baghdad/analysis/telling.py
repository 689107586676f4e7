"""A review in words."""

from collections.abc import Iterable, Sequence

from baghdad.rules.engine.actions import ACTION_OF
from baghdad.rules.narration import describe
from baghdad.text import say

from .facts import Fact
from .marks import MARKS
from .reviewing import Review, TurnReview


def turn_in_words(tokens: Sequence[str], robs: Sequence[str], language: str) -> str:
    """A whole turn in words, with what its actions rob.

    >>> turn_in_words(["+R(R)", "."], ["R4", ""], "en")[:70]
    'smuggles a thief into red, for R; robs red and carries off the chest w'
    """
    said = []
    for token, rob in zip(tokens, robs, strict=True):
        said.append(describe(ACTION_OF[token], language))
        if rob:
            said.append(say("log.rob", language, palace=rob[0], number=rob[1:]))
    return "; ".join(said)


def fact_in_words(fact: Fact, language: str) -> str:
    """A fact as a sentence.

    >>> fact_in_words(Fact("ready", "R", n=2, number=4), "en")
    'In red only 2 thieves are missing for the chest with the 4.'
    """
    values: dict[str, object] = {"n": fact.n, "number": fact.number}
    if fact.palace:
        values["palace"] = fact.palace
    if fact.seat >= 0:
        values["seat"] = say("log.seat", language, seat=fact.seat + 1)
    text = say(f"analysis.fact.{fact.kind}", language, **values)
    return text[0].upper() + text[1:]


def name_of(seat: int, names: Sequence[str] | None, language: str) -> str:
    """The seat, and who sat there where that is known."""
    text = say("log.seat", language, seat=seat + 1)
    return f"{text}: {names[seat]}" if names else text


def when(turn: TurnReview, language: str) -> str:
    """Which turn it was."""
    if turn.number == 0:
        return say("analysis.placing", language)
    return say("analysis.turn", language, number=turn.number)


def mark_name(mark: str, language: str) -> str:
    return say(f"analysis.mark.{mark}", language)


def points(turn: TurnReview, language: str) -> str:
    """What was given up, with its interval."""
    one, low, high = (in_digits(each, language) for each in (turn.given_up, turn.low, turn.high))
    return say("analysis.points", language, points=one, low=low, high=high)


def summary(review: Review, language: str) -> list[str]:
    """How a seat has played, in two lines."""
    choices = review.choices
    counts = ((mark, sum(turn.mark == mark for turn in choices)) for mark in MARKS)
    given_up = in_digits(review.given_up, language)
    turns = say("analysis.turns", language, n=len(review.turns))
    lines = [say("analysis.summary", language, turns=turns, n=len(choices), points=given_up)]
    told = [f"{mark_name(mark, language)} {count}" for mark, count in counts if count]
    return [*lines, ", ".join(told)] if told else lines


def told(review: Review, language: str) -> Iterable[str]:
    """All turns with a choice, line by line, in the order in which they were played."""
    marks = max(len(mark_name(mark, language)) for mark in MARKS)
    moments = [when(turn, language) for turn in review.choices]
    wide = max(map(len, moments), default=0)
    for turn, moment in zip(review.choices, moments, strict=True):
        name = mark_name(turn.mark, language)
        head = f"{moment:{wide}}  {name:{marks}}"
        if turn.best == turn.played or turn.mark == "best":
            yield f"{head}  {' '.join(turn.played)}"
            continue
        yield f"{head}  {points(turn, language)}"
        pad = " " * (wide + 2)
        yield f"{pad}{say('analysis.played', language)}: {' '.join(turn.played)}"
        yield f"{pad}{say('analysis.better', language)}: {' '.join(turn.best)}"
        yield f"{pad}{turn_in_words(turn.best, turn.best_robs, language)}"
        for reason in turn.reasons:
            yield f"{pad}{fact_in_words(reason.fact, language)}"


def in_digits(value: float, language: str) -> str:
    """With one digit after the point, or the comma.

    >>> in_digits(2.5, "en"), in_digits(2.5, "cs")
    ('2.5', '2,5')
    """
    text = f"{value:.1f}"
    return text if language == "en" else text.replace(".", ",")


def percent(chance: float, language: str) -> str:
    """A chance as people write it.

    >>> percent(0.4567, "en"), percent(0.4567, "de")
    ('45.7%', '45,7\u202f%')
    """
    number = in_digits(100 * chance, language)
    return f"{number}%" if language == "en" else f"{number}\u202f%"
