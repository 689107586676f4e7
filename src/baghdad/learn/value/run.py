"""A training of both value networks, from its beginning or from where it stopped, in a folder.

config.json: every number that decides it. metrics.jsonl: a line every few seconds. checkpoint.pt:
what it takes to go on. open.bin and eyes.bin: the networks as bots load them.
"""

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from baghdad.bots.value.network import Sees
from baghdad.files import atomic_write
from baghdad.learn.export import import_network
from baghdad.rules.engine.observation import check_versions, versions

from .config import ValueConfig, read_value_config
from .games import PositionGames
from .network import export_value
from .trainer import Pool, ValueTrainer

CONFIG, METRICS, CHECKPOINT = "config.json", "metrics.jsonl", "checkpoint.pt"
WEIGHTS: dict[Sees, str] = {"open": "open.bin", "eyes": "eyes.bin"}
REPORT_SECONDS, SAVE_SECONDS = 10.0, 60.0

Metrics = dict[str, Any]


class ValueRunError(ValueError):
    """A folder has a run that can't go on."""


class ValueRun:
    """A run in its folder."""

    def __init__(
        self, folder: Path, config: ValueConfig, device: str, players: Sequence[Path],
        changes: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """`players` are the weights of the networks that play: the best one first."""
        self.folder, self.device = folder, device
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / CONFIG).exists():
            config = read_value_config(folder / CONFIG)
        self.config = config = config.with_values(list(changes))
        saved = self._read_checkpoint()
        config.write(folder / CONFIG)
        self.positions, self.seconds = 0, 0.0
        """Learned from by each of the two networks, and the time that it took, in all chunks."""
        torch.manual_seed(config.seed)
        self.trainers: dict[Sees, ValueTrainer] = {
            sees: ValueTrainer(config, device, sees) for sees in WEIGHTS
        }
        if saved is not None:
            self._restore(saved)
        torch.manual_seed(config.seed + self.positions)
        networks = [import_network(path).to(device).eval() for path in players]
        self.about = {
            "players": [hashlib.sha256(path.read_bytes()).hexdigest() for path in players],
            "temperatures": config.temperatures,
            "mixed_share": config.mixed_share,
        }
        self.games = PositionGames(
            config, device, networks, f"value {config.seed} {self.positions}"
        )
        self.pool = Pool(config.pool, device)
        self._due = 0.0
        """Minibatches that are still to be learned from, and the part of one."""

    @property
    def progress(self) -> float:
        """How far the run is, from 0 to 1."""
        config = self.config
        if config.total_minutes:
            return min(self.seconds / (60 * config.total_minutes), 1.0)
        return min(self.positions / config.total_positions, 1.0)

    def go_on(self, seconds: float, report: Callable[[Metrics], object]) -> None:
        """Train for this long, or to the end of the run."""
        config, began = self.config, time.perf_counter()
        before = self.seconds
        reported = saved = began
        self.games.play(config.warm_up)
        while True:
            fresh = self.games.take()
            self.pool.add(fresh)
            losses = self._updates(len(fresh.winners))
            now = time.perf_counter()
            self.seconds = before + now - began
            finished = self.progress >= 1 or now - began > seconds
            if losses and (finished or now - reported > REPORT_SECONDS):
                report(self._report(losses))
                reported = now
            if finished or now - saved > SAVE_SECONDS:
                self.save()
                saved = now
            if finished:
                return
            self.games.play(config.decisions)

    def _updates(self, fresh: int) -> dict[str, float]:
        """As many as so many new positions are worth; returns the mean losses, if any."""
        config = self.config
        self._due += config.reuse * fresh / config.minibatch
        count = int(self._due)
        if not count or self.pool.filled < config.minibatch:
            return {}
        self._due -= count
        first, final = config.learning_rate, config.final_learning_rate
        rate = first + self.progress * (final - first)
        losses: dict[str, list[torch.Tensor]] = {sees: [] for sees in self.trainers}
        for _ in range(count):
            for sees, trainer in self.trainers.items():
                states, winners = self.pool.sample(config.minibatch)
                losses[sees].append(trainer.update(states, winners, rate))
            self.positions += config.minibatch
        return {f"{sees}_loss": float(torch.stack(each).mean()) for sees, each in losses.items()}

    def _report(self, losses: dict[str, float]) -> Metrics:
        line = {
            "positions": self.positions,
            "seconds": round(self.seconds, 1),
            "progress": round(self.progress, 4),
            "games_over": self.games.finished,
            "left_out": self.games.left_out,
            **{name: round(loss, 4) for name, loss in losses.items()},
        }
        for name, loss in losses.items():
            if loss != loss:  # not a number
                raise FloatingPointError(f"{name} is {loss} after {self.positions} positions")
        with (self.folder / METRICS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        return line

    def save(self) -> None:
        """Write all that is needed to go on, and the weights as bots load them."""
        whole = {
            "versions": versions(),
            "positions": self.positions,
            "seconds": self.seconds,
            "trainers": {sees: trainer.saved() for sees, trainer in self.trainers.items()},
        }
        with atomic_write(self.folder / CHECKPOINT) as part:
            torch.save(whole, part)
        for sees, trainer in self.trainers.items():
            about = {**self.about, "positions": self.positions}
            export_value(trainer.averaged(), self.folder / WEIGHTS[sees], about)

    def _read_checkpoint(self) -> dict[str, Any] | None:
        path = self.folder / CHECKPOINT
        if not path.exists():
            return None
        try:
            saved: dict[str, Any] = torch.load(path, map_location=self.device, weights_only=True)
        except Exception as error:
            raise ValueRunError(f"{CHECKPOINT} is damaged: {error}") from None
        check_versions(saved["versions"])
        return saved

    def _restore(self, saved: dict[str, Any]) -> None:
        try:
            for sees, trainer in self.trainers.items():
                trainer.restore(saved["trainers"][sees])
        except (RuntimeError, ValueError, KeyError):
            raise ValueRunError(
                f"{CHECKPOINT} has networks of another shape than the configuration"
            ) from None
        self.positions, self.seconds = saved["positions"], saved["seconds"]
