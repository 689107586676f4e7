"""Draws a training run: rating, entropy, length and passes over the decisions that were trained.

Run `python tools/training_page.py RUN`: RUN is the folder of `baghdad train`. It draws a picture
of each there, or `--into` another folder, and prints a table of metrics. Those of the shipped
network are in docs/training.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from baghdad.arena.plots import (
    WIDTH,
    curve,
    legend,
    line,
    picture,
    scale,
    text,
)

HEIGHT, LEFT, BOTTOM = 240, 56, 208
PICTURES: dict[str, tuple[str, tuple[str, ...]]] = {
    "rating": ("Rating against earlier selves (Elo)", ("rating",)),
    "entropy": ("Entropy of a decision (nats)", ("entropy",)),
    "length": ("Decisions in a game", ("length",)),
    "passes": ("Share of turns that are passed", ("passes", "unfinished")),
    "random": ("Share of games won against random play", ()),
}
"""By file: title, and the metrics in it. Those without any show shares by number of players."""
ROWS = 12


def read(folder: Path) -> list[dict[str, Any]]:
    """Its metrics; a last line that is still being written is left out."""
    path = folder / "metrics.jsonl"
    text = path.read_text("utf-8") if path.exists() else ""
    return [json.loads(each) for each in text.splitlines() if each.endswith("}")]


def in_short(number: float) -> str:
    """A number of decisions or anything else, for an axis.

    >>> in_short(20_400_000_000), in_short(1500), in_short(0.25)
    ('20.4 G', '1.5 k', '0.25')
    """
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if abs(number) >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number:.3g}"


def draw(title: str, series: dict[str, list[tuple[float, float]]]) -> str:
    """Curves over the number of decisions."""
    points = [point for each in series.values() for point in each]
    highest = max((y for _, y in points), default=1.0)
    lowest = min(0.0, *(y for _, y in points), 0.0)
    x = scale(0, max((x for x, _ in points), default=1.0), LEFT, WIDTH)
    y = scale(lowest, highest or 1.0, BOTTOM, 12)
    body = []
    for number in range(5):
        value = lowest + (highest - lowest) * number / 4
        body += [line(LEFT, y(value), WIDTH, y(value)), text(0, y(value) + 4, in_short(value))]
        steps = points[-1][0] * number / 4 if points else 0
        anchor = "end" if number == 4 else "middle"
        body.append(text(x(steps), BOTTOM + 20, in_short(steps), anchor))
    for ink, each in enumerate(series.values()):
        body.append(curve([(x(step), y(value)) for step, value in each], ink))
    if len(series) > 1:
        body += legend(list(series), LEFT + 12, BOTTOM + 42, 150)
    return picture(title, body, HEIGHT + 12)


def pictures(lines: Sequence[dict[str, Any]]) -> dict[str, str]:
    drawn = {}
    for name, (title, metrics) in PICTURES.items():
        if metrics:
            series = {
                metric: [(each["steps"], each[metric]) for each in lines] for metric in metrics
            }
        else:
            kinds = sorted({kind for each in lines for kind in each["won"] if name in kind})
            series = {
                kind.replace(name, "players"): [
                    (each["steps"], each["won"][kind]) for each in lines if kind in each["won"]
                ]
                for kind in kinds
            }
        drawn[name] = draw(title, series)
    return drawn


def table(lines: Sequence[dict[str, Any]]) -> str:
    """The run in a dozen lines."""
    step = max(len(lines) // ROWS, 1)
    chosen = [*lines[step - 1 :: step]]
    if chosen[-1] is not lines[-1]:
        chosen.append(lines[-1])
    head = [
        "decisions",
        "seconds",
        "a second",
        "rating",
        "entropy",
        "value loss",
        "length",
        "passes",
    ]
    rows = [
        [
            in_short(each["steps"]), f"{each['seconds']:.0f}", in_short(each["steps_per_second"]),
            f"{each['rating']:.0f}", f"{each['entropy']:.2f}", f"{each['value_loss']:.3f}",
            f"{each['length']:.0f}", f"{each['passes']:.0%}",
        ]
        for each in chosen
    ]  # fmt: skip
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--into", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    lines = read(options.run)
    if not lines:
        raise SystemExit(f"the run in {options.run} has no metrics yet")
    into = options.into or options.run
    into.mkdir(parents=True, exist_ok=True)
    for name, drawing in pictures(lines).items():
        (into / f"{name}.svg").write_text(drawing, "utf-8")
    print(table(lines))


if __name__ == "__main__":
    main()
