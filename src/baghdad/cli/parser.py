"""What the command line understands."""

import argparse
import math
from collections.abc import Callable
from importlib import import_module

from baghdad import __version__
from baghdad.rules.options import VALUES
from baghdad.text import LANGUAGES, catalogue, say

HOST, PORT = "127.0.0.1", 8080
LAST_PORT = 65_535
MOST_ELO = 2000
DEMO_TURNS = 8
DEMO_PACE, PLAY_PACE = 0.8, 1.2
SLOWEST = 60
"""Seconds between two steps of a bot, at most."""
BENCH_SECONDS = 3.0
BENCH_GPU_GAMES = 1 << 18
LAB_GAMES = 1000
LAB_QUESTIONS = (
    "start", "deals", "balance", "strength", "length", "race",
    "variant", "rob", "hands", "spare", "luck", "causes",
)  # fmt: skip
"""Named here, too, since help must not wait for the laboratory to be imported."""


def make_parser(language: str) -> argparse.ArgumentParser:
    """The parser, all its words in one language."""
    _teach_argparse(language)

    def plain(key: str) -> str:
        return say(f"cli.{key}", language)

    def text(key: str, **values: object) -> str:
        # In the help of an option argparse fills in % itself.
        return say(f"cli.{key}", language, **values).replace("%", "%%")

    parser = argparse.ArgumentParser(
        prog="baghdad", description=plain("about"), epilog=plain("more"), allow_abbrev=False
    )
    parser.add_argument(
        "--version", action="version", version=f"baghdad {__version__}", help=text("version")
    )
    _add_language(parser, text("lang"))
    _add_room(parser, text("room"))
    commands = parser.add_subparsers(
        title=text("commands"), metavar=text("command"), dest="command"
    )

    def command(name: str) -> argparse.ArgumentParser:
        parser = commands.add_parser(
            name, help=text(name), description=plain(f"{name}.more"), allow_abbrev=False
        )
        parser.set_defaults(run=_run_later(name))
        _add_language(parser, text("lang"))
        return parser

    def whole(least: int, most: int | None = None) -> Callable[[str], int]:
        def number(given: str) -> int:
            known = given.strip().removeprefix("-").isdecimal()
            if not known or int(given) < least or (most is not None and int(given) > most):
                key = "cli.at_least" if most is None else "cli.from_to"
                raise argparse.ArgumentTypeError(
                    say(key, language, least=least, most=most, given=given)
                )
            return int(given)

        return number

    def real(fits: Callable[[float], bool], key: str, **bounds: float) -> Callable[[str], float]:
        def number(given: str) -> float:
            try:
                found = float(given)
            except ValueError:
                found = math.nan
            if not fits(found):
                raise argparse.ArgumentTypeError(say(key, language, **bounds, given=given))
            return found

        return number

    positive = real(lambda number: 0 < number < math.inf, "cli.positive")
    rating = real(
        lambda number: abs(number) <= MOST_ELO, "cli.between", least=-MOST_ELO, most=MOST_ELO
    )

    def seed(given: str) -> str:
        if not given.isprintable():
            raise argparse.ArgumentTypeError(say("cli.bad_seed", language))
        return given

    def public(given: str) -> str:
        from baghdad.server.transport.reach import public_url

        try:
            return public_url(given)
        except ValueError:
            raise argparse.ArgumentTypeError(
                say("cli.serve.bad_url", language, given=given)
            ) from None

    def players(parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--players",
            type=int,
            choices=(2, 3, 4),
            default=2,
            metavar="N",
            help=text("players", default=2),
        )

    def rules_of_a_table(parser: argparse.ArgumentParser) -> None:
        for name in ("rulebook", "variant", "rob", "hands", "spare"):
            parser.add_argument(f"--{name}", choices=VALUES[name], help=text(f"record.{name}"))
        parser.add_argument("--deal", metavar="N-N|balanced", help=text("record.deal"))
        parser.add_argument("--seed", type=seed, metavar="SEED", help=text("seed"))

    def table(parser: argparse.ArgumentParser) -> None:
        players(parser)
        rules_of_a_table(parser)

    def pace(parser: argparse.ArgumentParser, default: float) -> None:
        parser.add_argument(
            "--pace",
            type=real(lambda number: 0 <= number <= SLOWEST, "cli.between", least=0, most=SLOWEST),
            default=default,
            metavar="SECONDS",
            help=text("pace", default=default),
        )

    record = command("record")
    table(record)
    record.add_argument("--games", type=whole(1), default=1, metavar="N", help=text("record.games"))
    record.add_argument("--seats", default="random", metavar="BOTS", help=text("record.seats"))
    record.add_argument("--max-turns", type=whole(1), metavar="N", help=text("record.max_turns"))
    record.add_argument("-o", "--output", default="-", metavar="FILE", help=text("record.output"))

    replay = command("replay")
    replay.add_argument("file", metavar="FILE", help=text("file"))
    form = replay.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=text("json"))
    form.add_argument("--html", metavar="FILE", help=text("replay.html"))

    perft = command("perft")
    perft.add_argument("file", metavar="FILE", help=text("file"))
    perft.add_argument(
        "--depth", type=whole(0), required=True, metavar="DEPTH", help=text("perft.depth")
    )
    perft.add_argument("--divide", action="store_true", help=text("perft.divide"))
    perft.add_argument("--json", action="store_true", help=text("json"))

    bench = command("bench")
    players(bench)
    bench.add_argument(
        "--threads", type=whole(1), default=1, metavar="N", help=text("bench.threads")
    )
    bench.add_argument(
        "--device", choices=("cpu", "cuda"), default="cpu", help=text("bench.device")
    )
    bench.add_argument(
        "--seconds",
        type=float,
        default=BENCH_SECONDS,
        metavar="S",
        help=text("bench.seconds", default=BENCH_SECONDS),
    )
    bench.add_argument(
        "--games",
        type=whole(1),
        default=BENCH_GPU_GAMES,
        metavar="N",
        help=text("bench.games", default=BENCH_GPU_GAMES),
    )
    bench.add_argument("--start", action="store_true", help=text("bench.start"))
    bench.add_argument("--json", action="store_true", help=text("json"))

    def matches(parser: argparse.ArgumentParser) -> None:
        table(parser)
        add = parser.add_argument
        add("--games", type=whole(1), metavar="N", help=text("arena.games"))
        add("--seconds", type=positive, metavar="S", help=text("arena.seconds"))
        add("--simulations", type=whole(1), metavar="N", help=text("arena.simulations"))
        add("--max-turns", type=whole(1), default=400, metavar="N", help=text("arena.max_turns"))
        where = parser.add_mutually_exclusive_group().add_argument
        where("--jobs", type=whole(1), default=1, metavar="N", help=text("arena.jobs"))
        where("--ray", metavar="ADDRESS", help=text("arena.ray"))
        add("-o", "--output", metavar="FILE", help=text("arena.output"))
        add("--html", metavar="FILE", help=text("arena.html"))
        add("--json", action="store_true", help=text("json"))

    arena = command("arena")
    arena.add_argument("bots", nargs="+", metavar="BOT", help=text("arena.bots"))
    arena.add_argument(
        "--sprt", type=rating, nargs=2, metavar=("ELO0", "ELO1"), help=text("arena.sprt")
    )
    matches(arena)

    matches(command("ladder"))

    lab = command("lab")
    lab.add_argument(
        "questions", nargs="*", metavar="QUESTION",
        help=text("lab.questions", names=", ".join(LAB_QUESTIONS)),
    )  # fmt: skip
    table(lab)
    lab.add_argument(
        "--games",
        type=whole(2),
        default=LAB_GAMES,
        metavar="N",
        help=text("lab.games", default=LAB_GAMES),
    )
    lab.add_argument(
        "--bot", choices=("heuristic", "neural"), default="heuristic", help=text("lab.bot")
    )
    lab.add_argument(
        "--device", choices=("auto", "cpu", "cuda"), default="auto", help=text("lab.device")
    )
    lab.add_argument("--deals", default="", metavar="N-N,N-N", help=text("lab.deals"))
    lab.add_argument("--jobs", type=whole(1), default=1, metavar="N", help=text("lab.jobs"))
    lab.add_argument("--json", action="store_true", help=text("json"))

    train = command("train")
    train.add_argument("folder", metavar="FOLDER", help=text("train.folder"))
    train.add_argument("--minutes", type=positive, metavar="M", help=text("train.minutes"))
    train.add_argument("--steps", type=whole(1), metavar="N", help=text("train.steps"))
    train.add_argument("--device", choices=("cpu", "cuda"), help=text("train.device"))
    train.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help=text("train.set")
    )
    train.add_argument("--json", action="store_true", help=text("json"))

    bots = command("bots")
    bots.add_argument("--json", action="store_true", help=text("json"))

    rules = command("rules")
    rules.add_argument(
        "language", nargs="?", choices=LANGUAGES, metavar="LANGUAGE", help=text("rules.language")
    )
    rules.add_argument("--json", action="store_true", help=text("json"))

    def data(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--data", metavar="FOLDER", help=text("serve.data"))
        parser.add_argument("--database-url", metavar="URL", help=text("serve.database_url"))

    serve = command("serve")
    where = serve.add_mutually_exclusive_group()
    where.add_argument(
        "--host", default=HOST, metavar="HOST", help=text("serve.host", default=HOST)
    )
    _add_room(where, text("room"))
    serve.add_argument(
        "--port",
        type=whole(0, LAST_PORT),
        default=PORT,
        metavar="PORT",
        help=text("serve.port_", default=PORT),
    )
    data(serve)
    serve.add_argument("--open", action="store_true", help=text("serve.open"))
    serve.add_argument("--public-url", type=public, metavar="URL", help=text("serve.public_url"))
    serve.add_argument("--proxy", metavar="ADDRESSES", help=text("serve.proxy"))
    serve.add_argument("--https", action="store_true", help=text("serve.https"))
    serve.add_argument(
        "--tables-per-client", type=whole(1), metavar="N", help=text("serve.tables_per_client")
    )

    verify = command("verify")
    verify.add_argument("file", metavar="FILE", help=text("file"))
    verify.add_argument("--promise", metavar="HASH", help=text("verify.promise"))
    verify.add_argument("--number", metavar="NUMBER", help=text("verify.number"))
    verify.add_argument("--json", action="store_true", help=text("json"))

    export = command("export")
    data(export)
    export.add_argument("-o", "--output", default="-", metavar="FILE", help=text("record.output"))

    play = command("play")
    play.add_argument("file", nargs="?", metavar="FILE", help=text("play.file"))
    play.add_argument(
        "--players", type=int, choices=(2, 3, 4), metavar="N", help=text("play.players")
    )
    play.add_argument("--bots", metavar="BOTS", help=text("play.bots"))
    play.add_argument("--people", metavar="NAMES", help=text("play.people"))
    rules_of_a_table(play)
    play.add_argument("--save", metavar="FILE", help=text("play.save"))
    pace(play, PLAY_PACE)

    demo = command("demo")
    players(demo)
    demo.add_argument("--bots", metavar="BOTS", help=text("demo.bots"))
    rules_of_a_table(demo)
    demo.add_argument(
        "--turns", type=whole(0), metavar="N", help=text("demo.turns", default=DEMO_TURNS)
    )
    pace(demo, DEMO_PACE)
    return parser


def _add_language(parser: argparse.ArgumentParser, help_: str) -> None:
    # main() has read it already; here it is only accepted, before and after the command.
    parser.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help=help_)


def _add_room(parser: "argparse._ActionsContainer", help_: str) -> None:
    # Before the command and after it, as the language.
    parser.add_argument("--room", action="store_true", default=argparse.SUPPRESS, help=help_)


def _run_later(name: str) -> Callable[[argparse.Namespace, str], int]:
    """A command that loads its module when it runs."""

    def run(options: argparse.Namespace, language: str) -> int:
        code: int = import_module(f"{__package__}.{name}").run(options, language)
        return code

    return run


def _teach_argparse(language: str) -> None:
    """Give argparse our words for its own: it asks a function named `_` for each."""
    words = {
        key.removeprefix("argparse."): word
        for key, word in catalogue("messages", language).items()
        if key.startswith("argparse.")
    }
    setattr(argparse, "_", lambda word: words.get(word, word))  # noqa: B010

    def of_number(one: str, many: str, number: int) -> str:
        word = one if number == 1 else many
        return str(words.get(word, word))

    setattr(argparse, "ngettext", of_number)  # noqa: B010
