"""`baghdad review`: what the turns of a finished game gave up, and what was better."""

import argparse
import sys
from typing import TYPE_CHECKING

from baghdad.rules.game import Game
from baghdad.text import say

from . import INTERRUPTED, complain
from .arguments import CommandParser
from .files import UsageError, check_output, open_output, read_text
from .progress import bar
from .saves import bots_of, may_be_helped, names_of

if TYPE_CHECKING:
    from baghdad.analysis import Review
    from baghdad.analysis.kept import Kept

LEAST_BUDGET = 100
"""Simulations for a turn; with fewer hardly a mark could be told."""


def add_arguments(parser: CommandParser) -> None:
    add, text = parser.add_argument, parser.text
    add("file", metavar="GAME", help=text("review.file"))
    add("--seat", type=parser.whole(1), metavar="N", help=text("review.seat"))
    add("--budget", type=parser.whole(LEAST_BUDGET), metavar="S", help=text("review.budget"))
    add("--seed", type=parser.seed, default="review", metavar="SEED", help=text("review.seed"))
    add("--jobs", type=parser.whole(1), metavar="N", help=text("review.jobs"))
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=text("json"))
    form.add_argument("--html", metavar="FILE", help=text("review.html"))


def run(options: argparse.Namespace, language: str) -> int:
    """Judge all turns and tell of them; an interrupt tells of those that are done."""
    from baghdad.analysis import Review
    from baghdad.analysis.judge import DEFAULT_BUDGET
    from baghdad.analysis.kept import Kept, as_json, place_beside
    from baghdad.analysis.page import html_page

    game = Game.from_record(read_text(options.file, language))
    if not (game.over or may_be_helped(game)):
        raise UsageError(say("cli.review.unfinished", language))
    seats = seats_of(game, options.seat, language)
    if options.html:
        check_output(options.html, language)
    budget = options.budget or DEFAULT_BUDGET
    code = 0
    with Kept(place_beside(options.file), game, budget, options.seed) as kept:
        try:
            _judge(game, seats, kept, options, budget, language)
        except KeyboardInterrupt:
            code = INTERRUPTED
        reviews = [
            Review(seat, budget, options.seed, tuple(turn for _, turn in sorted(done.items())))
            for seat in seats
            if (done := kept.turns.get(seat, {}))
        ]
    names = names_of(game)
    if options.json:
        print(as_json(reviews))
    elif options.html:
        page = open_output(options.html, language)
        page.write(html_page(reviews, names, language, _chances(game, names, language)))
        if options.html != "-":
            page.close()
            print(say("cli.replay.written", language, file=options.html))
    else:
        _tell(game, reviews, names, language)
    if code:
        again = "cli.review.stopped" if options.file != "-" else "cli.stopped"
        complain(say(again, language))
    return code


def _judge(
    game: Game,
    seats: list[int],
    kept: "Kept",
    options: argparse.Namespace,
    budget: int,
    language: str,
) -> None:
    """Judge what has not been judged yet, and keep it."""
    from baghdad.analysis import review_turns
    from baghdad.analysis.turns import turns_of

    total = sum(len(list(turns_of(game, seat))) for seat in seats)
    with bar(total, say("cli.review.progress", language)) as progress:
        for seat in seats:
            known = dict(kept.turns.get(seat, {}))
            for turn in review_turns(
                game,
                seat,
                budget=budget,
                seed=options.seed,
                jobs=options.jobs,
                known=known,
                running=True,
            ):
                if turn.at not in known:
                    kept.add(seat, turn)
                progress.update(1)


def seats_of(game: Game, wanted: int | None, language: str) -> list[int]:
    """The seat that is asked for; else those of people, or all where nobody says who sat there."""
    players = game.options.players
    if wanted is not None:
        if wanted > players:
            raise UsageError(say("cli.review.no_seat", language, players=players, given=wanted))
        return [wanted - 1]
    bots = bots_of(game) or []
    return [seat for seat, bot in enumerate(bots) if bot is None] or list(range(players))


def _chances(game: Game, names: list[str] | None, language: str) -> str:
    """The part of a page on chances and luck; nothing while the game goes on."""
    from baghdad.analysis import luck, win_chances
    from baghdad.analysis.chances_page import section

    if not game.over:
        return ""
    return section(win_chances(game), luck(game), game.options.players, names, language)


def _tell(game: Game, reviews: list["Review"], names: list[str] | None, language: str) -> None:
    from baghdad.analysis.telling import name_of, summary, told

    for review in reviews:
        print(name_of(review.seat, names, language))
        for line in summary(review, language):
            print(line)
        print()
        for line in told(review, language):
            print(line)
        print()
    if reviews:
        print(say("analysis.about", language))
    if reviews and game.over:
        _tell_luck(game, names, language)
    sys.stdout.flush()


def _tell_luck(game: Game, names: list[str] | None, language: str) -> None:
    """A line for each seat, then the turning points."""
    from baghdad.analysis import luck, win_chances
    from baghdad.analysis.luck_told import sentence, turning_points
    from baghdad.analysis.telling import name_of

    ledger = luck(game)
    print()
    print(say("analysis.luck.title", language))
    for seat in range(game.options.players):
        print(f"{name_of(seat, names, language)}. {sentence(ledger, seat, language)}")
    print(say("analysis.turning.title", language))
    for line in turning_points(win_chances(game), language):
        print(line)
    print(say("analysis.luck.about", language))
