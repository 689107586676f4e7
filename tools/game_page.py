"""Makes the figures of docs/game.md anew: its tables, its pictures and docs/game/lab.json.

Run `python tools/game_page.py`, which takes about a quarter of an hour on one core. With `--draw`
nothing is played: tables and pictures are made of the lab.json that is there.
"""

import argparse
import json
import re
import time
from pathlib import Path
from typing import Any

from baghdad.arena.figures import pictures
from baghdad.arena.lab import QUESTIONS, Answer, ask, games_to_play
from baghdad.arena.tables import BY_PAIR, markdown, sentence, table
from baghdad.cli.bench import machine
from baghdad.cli.progress import bar

DOCS = Path(__file__).parent.parent / "docs"
PLAYERS = (2, 3, 4)
Answers = dict[str, list[Answer]]


def play(games: int, pair_games: int, seed: str, jobs: int) -> dict[str, Any]:
    """Ask everything, with every number of players; pairs are many, so each plays fewer games."""
    began, answers = time.process_time(), []
    tasks = [
        ([name for name in QUESTIONS if (name in BY_PAIR) == by_pair], players, number)
        for players in PLAYERS
        for by_pair, number in ((False, games), (True, pair_games))
    ]
    with bar(sum(games_to_play(*task) for task in tasks), "games") as shown:
        for questions, players, number in tasks:
            answers += ask(questions, players, number, seed, jobs, shown.update)
    return {
        "command": f"python tools/game_page.py --games {games} --pair-games {pair_games} "
        f"--seed {seed} --jobs {jobs}",
        "machine": machine(),
        "minutes": round((time.process_time() - began) / 60, 1),
        "answers": [rounded(answer.as_json()) for answer in answers],
    }


def rounded(data: Any) -> Any:
    """The same with no more digits than mean something."""
    if isinstance(data, dict):
        return {str(key): rounded(value) for key, value in data.items()}
    if isinstance(data, list):
        return [rounded(value) for value in data]
    return round(data, 5) if isinstance(data, float) else data


def by_question(report: dict[str, Any]) -> Answers:
    answers: Answers = {}
    for data in report["answers"]:
        answers.setdefault(data["question"], []).append(Answer.from_json(data))
    return answers


def fill(page: str, report: dict[str, Any]) -> str:
    """The page with all between its markers made anew.

    `<!-- start 3 -->` begins what the laboratory says to a question with three players, without a
    number with each; `<!-- run -->` how it was run; `<!-- end -->` ends either.
    """
    answers = by_question(report)

    def block(marker: re.Match[str]) -> str:
        question, _, players = marker[1].partition(" ")
        if question == "run":
            said = (
                f"`{report['command']}`: {report['minutes']} minutes of processor time, "
                f"{report['machine']}."
            )
        elif players:
            (answer,) = (one for one in answers[question] if one.players == int(players))
            said = f"{markdown(table([answer]))}\n\n{sentence(answer)}"
        else:
            said = markdown(table(answers[question]))
        return f"<!-- {marker[1]} -->\n\n{said}\n\n<!-- end -->"

    return re.sub(r"<!-- (?!end)([\w ]+) -->.*?<!-- end -->", block, page, flags=re.DOTALL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000, help="under each condition")
    parser.add_argument("--pair-games", type=int, default=3_000, help="of each pair of players")
    parser.add_argument("--seed", default="baghdad")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--draw", action="store_true", help="play nothing")
    options = parser.parse_args()
    file, page = DOCS / "game" / "lab.json", DOCS / "game.md"
    if not options.draw:
        report = play(options.games, options.pair_games, options.seed, options.jobs)
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", "utf-8")
    report = json.loads(file.read_text("utf-8"))
    page.write_text(fill(page.read_text("utf-8"), report), "utf-8")
    for name, drawn in pictures(by_question(report)).items():
        (DOCS / "game" / f"{name}.svg").write_text(drawn, "utf-8")


if __name__ == "__main__":
    main()
