"""A training run, from its beginning or from where it stopped, in a folder that holds all of it.

config.json: every number that decides it. metrics.jsonl: a line of metrics every few seconds.
checkpoint.pt and past.pt: what it takes to resume, written every minute. neural.bin: the weights as
bots load them.
"""

import copy
import json
import math
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import torch

from baghdad.bots.neural.versions import NETWORK_VERSIONS
from baghdad.files import atomic_write
from baghdad.rules.engine.observation import check_versions

from .config import Config, read_config
from .export import export
from .league import snapshot
from .learner import Learner
from .network import PolicyNetwork

REPORT_SECONDS, SAVE_SECONDS = 10.0, 60.0
CONFIG, METRICS, CHECKPOINT = "config.json", "metrics.jsonl", "checkpoint.pt"
PAST, WEIGHTS = "past.pt", "neural.bin"
FORMER_CONFIG = "recipe.json"
"""What the configuration was called in earlier runs, with other names in it."""
LEAGUE_EVERY = 8
"""Iterations between two looks at how the learner does in the league."""

Metrics = dict[str, Any]


class RunError(Exception):
    """A folder's run can't be resumed, because of what is in one of its files."""

    def __init__(self, file: str, reason: object) -> None:
        first = (str(reason).strip() or type(reason).__name__).splitlines()[0]
        super().__init__(f"{file}: {first}")


def read_saved(path: Path) -> Any:
    """What a run has saved; raises where it is damaged or was made for another version of
    observation or action table."""
    try:
        saved = torch.load(path, map_location="cpu", weights_only=True)
        check_versions(saved["versions"])
    except Exception as error:  # every kind of damage has an exception of its own
        raise RunError(path.name, error) from None
    return saved


def config_for(folder: Path, otherwise: Config, changes: Iterable[str]) -> Config:
    """The configuration that a folder has, or else this one; with some changes (`name=value`)."""
    if (folder / FORMER_CONFIG).exists() and not (folder / CONFIG).exists():
        raise RunError(FORMER_CONFIG, "this run was made by an earlier version; begin another one")
    if (folder / CHECKPOINT).exists() or (folder / CONFIG).exists():
        try:
            otherwise = read_config(folder / CONFIG)
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise RunError(CONFIG, error) from None
    return otherwise.with_values(list(changes))


class Run:
    """A learner and its folder."""

    def __init__(
        self,
        folder: Path,
        config: Config,
        device: str,
        changes: Iterable[str] = (),
        *,
        target: PolicyNetwork | None = None,
        network: PolicyNetwork | None = None,
    ) -> None:
        """Resumes where the folder's run stopped, else begins. A configuration in the folder goes
        before `config`; `changes` (`name=value`) are made to either.

        With a `target` that network is the only opponent; `network` is what a new run begins with.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.seconds = folder, 0.0
        self.rollbacks = 0
        """Since the last report, how often the learner had to return to an earlier version."""
        self.resumed = (folder / CHECKPOINT).exists()
        config = config_for(folder, config, changes)
        if target is None and config.league_slots < 2:
            raise RunError(CONFIG, "this run has one rival: tools/exploit.py goes on with it")
        if target is not None and config.league_slots > 1:
            raise RunError(CONFIG, "this run has many rivals: baghdad train goes on with it")
        saved = read_saved(folder / CHECKPOINT) if self.resumed else {}
        steps = saved.get("steps", 0)
        self.learner = Learner(
            config, device, target=target, network=network, games_seed=f"from {steps}"
        )
        if self.resumed:
            self._restore(saved)
        self._drop_metrics_after(steps)
        config.write(folder / CONFIG)

    @property
    def progress(self) -> float:
        """How much of the planned run is done, from 0 to 1."""
        config = self.learner.config
        if config.total_minutes > 0:
            return min(self.seconds / 60 / config.total_minutes, 1.0)
        return min(self.learner.steps / config.total_steps, 1.0)

    def train(
        self,
        tell: Callable[[Metrics], None],
        *,
        until: float | None = None,
        steps: int | None = None,
    ) -> None:
        """Learn until a time of `time.perf_counter`, for this many further decisions, or to the end
        that the configuration plans, whichever comes first.

        `tell` is given metrics every few seconds. The run is saved every minute, at the end, and
        when it is interrupted.
        """
        learner, now = self.learner, time.perf_counter
        last = learner.steps + steps if steps is not None else None
        told_at = saved_at = now()
        told_steps, metrics = learner.steps, list[dict[str, float]]()
        try:
            while self.progress < 1 and not (last is not None and learner.steps >= last):
                began = now()
                if until is not None and began >= until:
                    break
                before = learner.steps
                metrics.append(learner.iterate(self.progress))
                self._update_league(before)
                self.seconds += now() - began
                if now() - told_at >= REPORT_SECONDS:
                    tell(self._report(metrics, learner.steps - told_steps, now() - told_at))
                    told_at, told_steps, metrics = now(), learner.steps, []
                if now() - saved_at >= SAVE_SECONDS:
                    self.save()
                    saved_at = now()
        except KeyboardInterrupt:
            self.save()
            raise
        if metrics:
            tell(self._report(metrics, learner.steps - told_steps, now() - told_at))
        self.save()

    def _update_league(self, before: int) -> None:
        """Keep earlier versions, and return to one where the learner has collapsed; `before` are
        the steps before the last iteration."""
        learner, every = self.learner, self.learner.config.league_every
        remember = learner.steps // every > before // every
        due = remember or learner.iterations % LEAGUE_EVERY == 0
        rating = learner.league.rating
        earlier = learner.league.update(learner.network, remember) if due else None
        if earlier:
            learner.roll_back(earlier)
            self.rollbacks += 1
        if learner.league.rating > rating:
            learner.max_learning_rate_scale = min(2 * learner.max_learning_rate_scale, 1.0)

    def _report(self, metrics: list[dict[str, float]], steps: int, seconds: float) -> Metrics:
        """The means since the last report, written as a line of the metrics' file."""
        learner = self.learner
        learner.self_play.env.check()
        means: Metrics = {
            name: float(f"{sum(each[name] for each in metrics) / len(metrics):.4g}")
            for name in metrics[0]
        }
        over = sum(each["games_over"] for each in metrics)
        for name in ("length", "unfinished"):  # means over games, not over iterations
            total = sum(each[name] * each["games_over"] for each in metrics)
            means[name] = round(total / max(over, 1), 4)
        line = {
            "steps": learner.steps,
            "seconds": round(self.seconds, 2),
            "steps_per_second": round(steps / seconds),
            "progress": round(self.progress, 5),
            **means,
            **learner.league.results(),
            "rollbacks": self.rollbacks,
        }
        self.rollbacks = 0
        with (self.folder / METRICS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        return line

    def save(self) -> None:
        """Write all that is needed to resume, and the weights as bots load them."""
        learner, league = self.learner, self.learner.league
        halves = [{name: part.half() for name, part in each.items()} for each in league.past]
        self._write(PAST, {"past": halves})
        self._write(
            CHECKPOINT,
            {
                "network": learner.network.state_dict(),
                "average": learner.average,
                "optimizer": learner.updater.optimizer.state_dict(),
                "reference": league.networks[0].state_dict(),
                "fallback": league.fallback,
                "rating": league.rating,
                "entropy_coefficient": learner.entropy_coefficient,
                "learning_rate_scale": [
                    learner.learning_rate_scale,
                    learner.max_learning_rate_scale,
                ],
                "steps": learner.steps,
                "iterations": learner.iterations,
                "seconds": self.seconds,
            },
        )
        about = {"steps": learner.steps, "seconds": round(self.seconds), "rating": league.rating}
        shipped = copy.deepcopy(learner.network)
        shipped.load_state_dict(league.fallback if league.collapsed else learner.average)
        export(shipped, self.folder / WEIGHTS, about)

    def _restore(self, saved: dict[str, Any]) -> None:
        learner, league = self.learner, self.learner.league
        try:
            learner.network.load_state_dict(saved["network"])
            learner.updater.optimizer.load_state_dict(saved["optimizer"])
            for name, weight in saved["average"].items():
                learner.average[name].copy_(weight)
            league.networks[0].load_state_dict(saved["reference"])
        except (RuntimeError, ValueError, KeyError):  # a changed configuration
            raise RunError(
                CHECKPOINT, "it has a network of another shape than the configuration"
            ) from None
        league.rating = saved["rating"]
        learner.entropy_coefficient = saved["entropy_coefficient"]
        learner.learning_rate_scale, learner.max_learning_rate_scale = saved.get(
            "learning_rate_scale", (1.0, 1.0)
        )
        learner.steps, learner.iterations = saved["steps"], saved["iterations"]
        self.seconds = saved["seconds"]
        league.past = [
            {name: part.float().to(learner.device) for name, part in each.items()}
            for each in read_saved(self.folder / PAST)["past"]
        ]
        league.candidate = snapshot(learner.network)
        league.fallback = saved.get("fallback") or snapshot(league.networks[0])
        league.update(learner.network, remember=False)

    def _drop_metrics_after(self, steps: int) -> None:
        """Drop metrics of what came after the last checkpoint: it is done again."""
        path = self.folder / METRICS
        lines = path.read_text("utf-8", "replace").splitlines() if path.exists() else []
        kept = [line for line in lines if steps_of(line) <= steps]
        if len(kept) < len(lines):
            with atomic_write(path) as part:
                part.write_text("".join(f"{line}\n" for line in kept), "utf-8")

    def _write(self, name: str, what: dict[str, Any]) -> None:
        with atomic_write(self.folder / name) as part:
            torch.save({"versions": NETWORK_VERSIONS, **what}, part)


def steps_of(line: str) -> float:
    """After how many decisions a line of metrics was written; one that was cut off in the middle
    comes after all others."""
    try:
        return float(json.loads(line)["steps"])
    except (ValueError, KeyError, TypeError):
        return math.inf
