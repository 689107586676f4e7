"""Makes the figures of docs/game.md anew: its tables, its pictures and what they are made of.

Run `python tools/game_page.py`, which takes about half an hour on one core, and on a machine with
an NVIDIA GPU `python tools/game_page.py --bot neural --games 120000 --pair-games 40000`, some
minutes (`tools/lab_h200.sh` does both). What was found is in docs/game/heuristic.json and
docs/game/neural.json, or where `--out` says. With `--draw` nothing is played: tables and pictures
are made of the files that are there.
"""

import argparse
import json
import re
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from baghdad.cli.lab import gpu_player
from baghdad.cli.progress import bar
from baghdad.files import atomic_write
from baghdad.lab.figures import pictures
from baghdad.lab.formatting import BY_PAIR, figure_table, markdown, sentence
from baghdad.lab.questions import (
    QUESTIONS,
    Answer,
    ask,
    games_to_play,
)
from baghdad.lab.setup import NEIGHBOURS, Setup
from baghdad.lab.trial import PlayBatch
from baghdad.machine import describe_machine
from baghdad.rules.engine.material import BALANCED, FIRST_HANDS
from baghdad.rules.options import Options, first_hands, written_deal

DOCS = Path(__file__).parent.parent / "docs"
PLAYERS = (2, 3, 4)
SEED = "baghdad"
BOTS = ("heuristic", "neural")
Answers = dict[str, list[Answer]]
Report = dict[str, Any]

GRID: dict[int, tuple[range, ...]] = {
    2: (range(4, 11), range(5, 14)),
    3: (range(4, 9), range(5, 10), range(6, 12)),
    4: (range(5, 10), range(5, 10), range(6, 10), range(7, 11)),
}
"""First hands by seat that are searched for fair ones, coarsely, and then the best with care."""
BEST = 6
"""Of them."""
TABLES = ("neutral", "seen")
"""Options under which fair first hands may be others: they are searched, too."""


class Asked:
    """What has been found so far; written down after every step, for it may be stopped."""

    def __init__(
        self, options: argparse.Namespace, batch_player: PlayBatch | None, gpu: str
    ) -> None:
        self._options, self._batch_player, self._began = options, batch_player, time.perf_counter()
        given = {
            "bot": options.bot, "device": options.device, "games": options.games,
            "pair-games": options.pair_games, "search-games": options.search_games,
            "seed": options.seed, "jobs": options.jobs,
        }  # fmt: skip
        said = " ".join(f"--{name} {value}" for name, value in given.items())
        self.report: Report = {"runs": [], "search": {}, "answers": []}
        if options.on:
            self.report = json.loads(options.out.read_text("utf-8"))
        self._run: Report = {
            "command": f"python tools/game_page.py {said}{' --on' if options.on else ''}",
            "machine": ", ".join(filter(None, [gpu, describe_machine()])),
            "minutes": 0.0,
            "processor_minutes": 0.0,
            "played": 0,
        }
        self.report["runs"].append(self._run)

    def ask(self, questions: list[str], setup: Setup) -> list[Answer]:
        """Answers to questions; a line says how long they took."""
        options, began = self._options, time.perf_counter()
        total = games_to_play(questions, setup)
        with bar(total, "games") as shown:
            found = ask(
                questions, setup, options.seed, options.jobs, shown.update, self._batch_player
            )
        took = time.perf_counter() - began
        print(
            f"{setup.players} players, {', '.join(questions)}: {total} games, {took:.1f} s",
            flush=True,
        )
        self._run["played"] += total
        return found

    def known(self, question: str, players: int, table: str = "") -> Report | None:
        """The answer that there is already."""
        for data in self.report["answers"]:
            key = (data["question"], data["players"], data.get("table", ""))
            if key == (question, players, table):
                found: Report = data
                return found
        return None

    def keep(self, answers: list[Answer]) -> None:
        """Write answers down; rows that are new join those that there are."""
        for answer in answers:
            data, known = (
                rounded(answer.as_json()),
                self.known(answer.question, answer.players, answer.table),
            )
            if known is None:
                self.report["answers"].append(data)
            else:
                known["rows"] |= data["rows"]
        self.write()

    def keep_search(self, answer: Answer) -> None:
        """By first hands, the most even first: how often each seat wins, and the spread."""
        rows = {
            deal: [figure.value for figure in figures.values()]
            for deal, figures in answer.rows.items()
        }
        by_spread = dict(sorted(rows.items(), key=lambda row: row[1][-1]))
        found = {"games": answer.games, "deals": rounded(by_spread)}
        self.report["search"][f"{answer.players} {answer.table}".strip()] = found
        self.write()

    def write(self) -> None:
        self._run["minutes"] = round((time.perf_counter() - self._began) / 60, 1)
        self._run["processor_minutes"] = round(time.process_time() / 60, 1)
        out = self._options.out
        out.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(out) as part:
            part.write_text(json.dumps(self.report, indent=1, ensure_ascii=False) + "\n", "utf-8")


def play(options: argparse.Namespace, asked: Asked) -> Iterator[Callable[[], None]]:
    """Everything that is to be asked and not yet known, what matters most first. Pairs are many,
    so each of them plays fewer games; and so do the first hands that are only searched."""

    def table(players: int, name: str) -> Options:
        return {
            "": Options(players),
            "neutral": Options(players, variant="neutral"),
            "seen": Options(players, hands="seen"),
        }[name]

    def found(questions: list[str], players: int, games: int) -> Callable[[], None]:
        def run() -> None:
            new = [name for name in questions if asked.known(name, players) is None]
            if new:
                asked.keep(asked.ask(new, Setup(Options(players), games, options.bot)))

        return run

    def search(players: int, name: str = "") -> Callable[[], None]:
        def run() -> None:
            usual, games = table(players, name), options.games
            known = asked.known("deals", players, name)
            deals = [FIRST_HANDS[:players], BALANCED[players]]
            deals += NEIGHBOURS[players] if not name else ()
            if known is None:
                grid = tuple(product(*GRID[players]))
                coarse = Setup(usual, options.search_games, options.bot, grid)
                (answer,) = asked.ask(["deals"], coarse)
                asked.keep_search(answer)
                spreads = {deal: figures["spread"].value for deal, figures in answer.rows.items()}
                best = sorted(spreads, key=spreads.__getitem__)[:BEST]
                deals += [first_hands(players, deal) for deal in best]
            else:  # some may have been added to those that are compared since
                deals = [deal for deal in deals if written_deal(deal) not in known["rows"]]
                games = known["games"]
            if deals:
                care = Setup(usual, games, options.bot, tuple(deals))
                asked.keep(asked.ask(["deals"], care))

        return run

    first = ["start", "length", "race", "rob"]
    # The network does not know the cards that can be named: it never asks for one.
    apart = (*first, "deals", *BY_PAIR, *(["spare"] if options.bot == "neural" else []))
    rest = [name for name in QUESTIONS if name not in apart]
    for players in PLAYERS:
        yield found(first, players, options.games)
    for players in PLAYERS:
        yield search(players)
    for players in PLAYERS:
        yield found(rest, players, options.games)
    for players in PLAYERS:
        yield found(list(BY_PAIR), players, options.pair_games)
    if options.bot == "neural":
        for players in reversed(PLAYERS):
            for name in TABLES:
                yield search(players, name)


def rounded(data: Any) -> Any:
    """The same with no more digits than mean something."""
    if isinstance(data, dict):
        return {str(key): rounded(value) for key, value in data.items()}
    if isinstance(data, list):
        return [rounded(value) for value in data]
    return round(data, 5) if isinstance(data, float) else data


def by_question(report: Report) -> Answers:
    """In the order of players; those about other tables than the usual are apart."""
    answers: Answers = {}
    for data in report["answers"]:
        name = f"{data['question']} {data['table']}".strip()
        answers.setdefault(name, []).append(Answer.from_json(data))
    return {name: sorted(each, key=lambda one: one.players) for name, each in answers.items()}


def fill(page: str, reports: dict[str, Report]) -> str:
    """The page with all between its markers made anew.

    `<!-- neural start 3 -->` begins what the network's games say to a question with three players,
    without a number with each; `<!-- neural deals 3 seen -->` under another option;
    `<!-- neural search 3 -->` the most even first hands of all that were searched;
    `<!-- neural run -->` how it was run; `<!-- end -->` ends any of them.
    """
    answers = {bot: by_question(report) for bot, report in reports.items()}

    def block(marker: re.Match[str]) -> str:
        bot, question, *more = marker[1].split()
        players, table = int(more[0]) if more else 0, " ".join(more[1:])
        if question == "run":
            said = "\n".join(f"- {describe_run(run)}" for run in reports[bot]["runs"])
        elif question == "search":
            said = searched(reports[bot]["search"][" ".join(more)], players)
        else:
            found = answers[bot][f"{question} {table}".strip()]
            if players:
                (answer,) = (one for one in found if one.players == players)
                said = f"{markdown(figure_table([answer]))}\n\n{sentence(answer)} {command(answer)}"
            else:
                said = f"{markdown(figure_table(found))}\n\n{command(found[0], 'N')}"
        return f"<!-- {marker[1]} -->\n\n{said}\n\n<!-- end -->"

    return re.sub(r"<!-- (?!end)([\w ]+) -->.*?<!-- end -->", block, page, flags=re.DOTALL)


def command(answer: Answer, players: str = "") -> str:
    """What prints an answer: the same table, by the same games."""
    options = {
        "bot": answer.roster,
        "players": players or answer.players,
        "games": answer.games,
        "seed": SEED,
        "variant": answer.table if answer.table == "neutral" else "",
        "hands": answer.table if answer.table == "seen" else "",
        "deals": ",".join(answer.rows) if answer.question == "deals" else "",
    }
    said = " ".join(f"--{name} {value}" for name, value in options.items() if value)
    return f"(`baghdad lab {answer.question} {said}`)"


def describe_run(run: Report) -> str:
    """How some games were played."""
    return (
        f"`{run['command']}`: {run['played']:,} games in {run['minutes']} minutes "
        f"({run['processor_minutes']} of processor time), {run['machine']}."
    )


def searched(found: dict[str, Any], players: int, lines: int = 10) -> str:
    """The most even first hands of a search."""
    seats = [f"seat {seat + 1} wins, %" for seat in range(players)]
    rows = [["", *seats, "best less worst seat, %"]]
    for deal, shares in list(found["deals"].items())[:lines]:
        rows.append([deal, *(f"{100 * share:.1f}" for share in shares)])
    return markdown(rows)


def all_pictures(reports: dict[str, Report]) -> dict[str, str]:
    """By the names of their files."""
    return {
        f"{bot}-{name}": drawn
        for bot, report in reports.items()
        for name, drawn in pictures(by_question(report)).items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bot", choices=BOTS, default="heuristic")
    parser.add_argument(
        "--device",
        choices=("auto", "cpu", "cuda", "torch"),
        default="auto",
        help="torch: PyTorch on the CPU, to try out what a GPU will do",
    )
    parser.add_argument("--games", type=int, default=10_000, help="under each condition")
    parser.add_argument("--pair-games", type=int, default=3_000, help="of each pair of players")
    parser.add_argument("--search-games", type=int, default=2_000, help="with searched hands")
    parser.add_argument("--seed", default=SEED)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, help="begin nothing new after so many")
    parser.add_argument("--on", action="store_true", help="go on with what has been found")
    parser.add_argument("--out", type=Path, help="write what is found there, and draw nothing")
    parser.add_argument("--draw", action="store_true", help="play nothing")
    options = parser.parse_args()
    folder, page = DOCS / "game", DOCS / "game.md"
    draw = options.out is None
    if not options.draw:
        options.out = options.out or folder / f"{options.bot}.json"
        batch_player, gpu = players_of(options)
        began, asked = time.perf_counter(), Asked(options, batch_player, gpu)
        for step in play(options, asked):
            if options.minutes and time.perf_counter() - began > 60 * options.minutes:
                print("there is no time for the rest")
                break
            step()
        print(describe_run(asked.report["runs"][-1]))
    if draw:
        reports = {bot: json.loads((folder / f"{bot}.json").read_text("utf-8")) for bot in BOTS}
        page.write_text(fill(page.read_text("utf-8"), reports), "utf-8")
        for name, drawn in all_pictures(reports).items():
            (folder / f"{name}.svg").write_text(drawn, "utf-8")


def players_of(options: argparse.Namespace) -> tuple[PlayBatch | None, str]:
    """Who plays the network's games, and on what."""
    if options.bot != "neural" or options.device == "cpu":
        return None, ""
    if options.device == "torch":
        from baghdad.learn.batch_games import BatchPlayer

        return BatchPlayer("cpu").play, "PyTorch on the CPU"
    batch_player = gpu_player(options.device == "cuda", "en")
    if batch_player is None:
        return None, ""
    import torch

    return batch_player, torch.cuda.get_device_name()


if __name__ == "__main__":
    main()
