"""How good the value networks are, on fresh games: Brier scores and calibration, and the goals.

Run `python benchmarks/value.py FOLDER [--games 200000] [--players 2 3 4]`: a folder of
`tools/train_value.py`, in which `open.bin` and `eyes.bin` are. Exits with 1 where a goal is missed.
Brier scores are of one seat, in the thirds of games in which all play at temperature 1; beside them
those of the playing network's own value, for positions in which a seat is to move. Tenths are
judged where they have positions of enough games.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.learn.export import import_network
from baghdad.learn.value.config import ValueConfig, read_value_config
from baghdad.learn.value.games import PositionGames, Positions
from baghdad.learn.value.measures import MOMENTS, Judged, brier, judge, play_out, tenths
from baghdad.learn.value.network import import_value
from baghdad.learn.value.run import CONFIG, WEIGHTS
from baghdad.machine import describe_machine

TRIAL = {2: (0.2205, 0.1981, 0.1096), 4: (0.171, 0.144, 0.085)}
"""Brier scores of a trial, by number of players: to be beaten in every third."""
WITHIN = 0.02
"""Of a tenth's mean chance, how often it came true; and of open hands, the seat's eyes."""
NOT_TO_MOVE = 0.01
"""How much worse chances of seats may be whose turn it is not."""
CHUNK = {"cpu": 512, "cuda": 262_144}
"""Games played side by side."""
KINDS = ("open", "eyes", "others")


def positions(
    config: ValueConfig, device: str, networks: list[Any], games: int, seed: str
) -> tuple[Positions, int]:
    """Positions of this many games, and how many games were left out at the limit of turns."""
    parts: list[Positions] = []
    left_out = done = 0
    while done < games:
        count = min(CHUNK[device], games - done)
        source = PositionGames(
            replace(config, games=count), device, networks, f"{seed} {len(parts)}"
        )
        found = list(play_out(source))
        left_out += source.config.games - source.finished
        whole = Positions(*[torch.cat(each) for each in zip(*found, strict=True)])
        parts.append(whole._replace(games=whole.games + done))
        done += count
    return Positions(*[torch.cat(each) for each in zip(*parts, strict=True)]), left_out


def part(judged: Judged, which: Tensor) -> Judged:
    return Judged(*[each[which] for each in judged])


def scores(judged: Judged) -> dict[str, Any]:
    """Brier scores by third."""
    told: dict[str, Any] = {}
    for third in range(3):
        here = part(judged, judged.third == third)
        deciding = part(here, ~here.today.isnan())
        mine = part(deciding, deciding.to_move)
        told[f"third {third + 1}"] = {
            "open": brier(here.open, here.won),
            "eyes": brier(here.eyes, here.won),
            "open, to move": brier(here.open[here.to_move], here.won[here.to_move]),
            "open, not to move": brier(here.open[~here.to_move], here.won[~here.to_move]),
            "eyes, to move": brier(here.eyes[here.to_move], here.won[here.to_move]),
            "eyes, not to move": brier(here.eyes[~here.to_move], here.won[~here.to_move]),
            "today": brier(deciding.today, deciding.won),
            "open, there": brier(deciding.open, deciding.won),
            "eyes, there": brier(deciding.eyes, deciding.won),
            "today, to move": brier(mine.today, mine.won),
            "eyes, to move, there": brier(mine.eyes, mine.won),
            "base rate": brier(here.won.mean().expand_as(here.won), here.won),
        }
    return told


def calibration(judged: Judged, levels: list[str]) -> dict[str, list[dict[str, Any]]]:
    """Tenths, by kind of chance, whether the seat is to move, kind of moment, and level."""
    groups = {"to move": judged.to_move, "not to move": ~judged.to_move}
    groups |= {name: judged.moment == place for place, name in enumerate(MOMENTS)}
    groups |= {name: judged.level == place for place, name in enumerate(levels)}
    groups["mixed levels"] = judged.level < 0
    told = {}
    for name, which in groups.items():
        here = part(judged, which)
        if len(here.won):
            for kind in KINDS:
                happened = here.next_won if kind == "others" else here.won
                told[f"{kind}, {name}"] = tenths(getattr(here, kind), happened, here.game)
    told["open, by the seat's eyes"] = tenths(judged.eyes, judged.open, judged.game)
    return told


def missed(players: int, told: dict[str, Any], enough: int) -> list[str]:
    """The goals that are not reached."""
    found = []
    for third, each in enumerate(told["scores"].values()):
        if players in TRIAL and not each["open"] < TRIAL[players][third]:
            found.append(
                f"third {third + 1}: open {each['open']:.4f}, trial {TRIAL[players][third]}"
            )
        for kind in ("open", "eyes"):
            worse = each[f"{kind}, not to move"] - each[f"{kind}, to move"]
            if not worse <= NOT_TO_MOVE:
                found.append(f"third {third + 1}: {kind}, not to move, worse by {worse:.4f}")
        for kind, now in (("open, there", "today"), ("eyes, to move, there", "today, to move")):
            if not each[kind] <= each[now]:
                found.append(f"third {third + 1}: {kind} {each[kind]:.4f}, {now} {each[now]:.4f}")
    for name, bins in told["calibration"].items():
        for each in bins:
            off = each["came"] - each["chance"]
            if each["games"] >= enough and abs(off) > WITHIN:
                found.append(f"{name}, tenth {each['tenth'] + 1}: off by {off:+.4f}")
    if told["sums"] > 1e-5:
        found.append(f"sums are off by {told['sums']}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=200_000, help="for each number of players")
    parser.add_argument("--players", nargs="+", type=int, default=[2, 3, 4], choices=(2, 3, 4))
    parser.add_argument("--weights", nargs="+", type=Path, default=[WEIGHTS_FILE])
    parser.add_argument("--enough", type=int, default=2500, help="games, to judge a tenth by")
    parser.add_argument("--max-turns", type=int, default=400)
    parser.add_argument("--seed", default="measured")
    parser.add_argument("--device", choices=("cpu", "cuda"))
    parser.add_argument("--json", type=Path, help="where to write everything")
    options = parser.parse_args()
    device = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
    if device == "cuda":
        torch.cuda.init()  # PyTorch's context is the one that Numba then finds
    else:
        torch.set_num_threads(1)
    torch.manual_seed(7)
    # Every table would be compiled for anew, which takes longer than to play without.
    config = replace(
        read_value_config(options.folder / CONFIG), max_turns=options.max_turns, compile=False
    )
    open_net, eyes_net = (
        import_value(options.folder / WEIGHTS[sees]).to(device).eval() for sees in ("open", "eyes")
    )
    networks = [import_network(path).to(device).eval() for path in options.weights]
    levels = [
        f"{path.stem} at {temperature:g}"
        for path in options.weights
        for temperature in config.temperatures
    ]
    plain = config.temperatures.index(1.0)
    everything: dict[str, Any] = {"machine": describe_machine(), "games": options.games}
    failed = False
    for players in options.players:
        here = replace(config, players=(players,))
        found, left_out = positions(
            here, device, networks, options.games, f"{options.seed} {players}"
        )
        judged = judge(found, open_net, eyes_net, networks[0])
        told: dict[str, Any] = {
            "positions": len(found.winners),
            "left out": left_out,
            "scores": scores(part(judged, judged.level == plain)),
            "calibration": calibration(judged, levels),
            "sums": float(judged.sums.max()),
        }
        told["missed"] = missed(players, told, options.enough)
        everything[str(players)] = told
        failed |= bool(told["missed"])
        print(f"{players} players: {len(found.winners):,} positions, {left_out} games left out")
        for third, each in told["scores"].items():
            print(f"  {third}: " + ", ".join(f"{name} {score:.4f}" for name, score in each.items()))
        for name, bins in told["calibration"].items():
            shown = [f"{each['came'] - each['chance']:+.3f} ({each['games']})" for each in bins]
            print(f"  {name}: " + " ".join(shown))
        for line in told["missed"]:
            print(f"  MISSED {line}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(everything, indent=1) + "\n", "utf-8")
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
