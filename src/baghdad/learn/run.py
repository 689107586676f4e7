"""A run from its beginning or from where it stopped, in a folder that holds all of it.

recipe.json: every number that decides it. metrics.jsonl: a line of figures every few seconds.
checkpoint.pt and past.pt: what it takes to go on, written every minute. neural.bin: the weights as
they ship.
"""

import copy
import json
import math
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import torch

from baghdad.bots.neural.versions import NETWORK_VERSIONS, check_network_versions
from baghdad.files import atomic_write

from .config import Recipe, read_recipe
from .export import export
from .league import copy_of
from .network import PolicyNetwork
from .ppo import Learner

REPORT_SECONDS, SAVE_SECONDS = 10.0, 60.0
RECIPE, METRICS, CHECKPOINT = "recipe.json", "metrics.jsonl", "checkpoint.pt"
PAST, WEIGHTS = "past.pt", "neural.bin"

Figures = dict[str, Any]


class RunError(Exception):
    """A folder's run can't go on, for what is in one of its files."""

    def __init__(self, file: str, reason: object) -> None:
        first = (str(reason).strip() or type(reason).__name__).splitlines()[0]
        super().__init__(f"{file}: {first}")


def read_saved(path: Path) -> Any:
    """What a run has saved, unless it is damaged or was made for other numbers."""
    try:
        saved = torch.load(path, map_location="cpu", weights_only=True)
        check_network_versions(saved["versions"])
    except Exception as error:  # every kind of damage has an exception of its own
        raise RunError(path.name, error) from None
    return saved


def recipe_for(folder: Path, otherwise: Recipe, changes: Iterable[str]) -> Recipe:
    """The recipe that a folder has, or else this one; with some changes."""
    if (folder / CHECKPOINT).exists() or (folder / RECIPE).exists():
        try:
            otherwise = read_recipe(folder / RECIPE)
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise RunError(RECIPE, error) from None
    return otherwise.with_values(list(changes))


class Run:
    """A learner and its folder."""

    def __init__(
        self,
        folder: Path,
        recipe: Recipe,
        device: str,
        changes: Iterable[str] = (),
        *,
        target: PolicyNetwork | None = None,
        network: PolicyNetwork | None = None,
    ) -> None:
        """Goes on where the folder stopped, else begins; in a folder that has a recipe, by that
        one. `changes` are made to either."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.seconds = folder, 0.0
        self.falls = 0
        """Since the last report, how often the learner had to go back to an earlier self."""
        self.resumed = (folder / CHECKPOINT).exists()
        recipe = recipe_for(folder, recipe, changes)
        if target is None and recipe.league_slots < 2:
            raise RunError(RECIPE, "this run has one rival: tools/exploit.py goes on with it")
        if target is not None and recipe.league_slots > 1:
            raise RunError(RECIPE, "this run has many rivals: baghdad train goes on with it")
        saved = read_saved(folder / CHECKPOINT) if self.resumed else {}
        steps = saved.get("steps", 0)
        self.learner = Learner(
            recipe, device, target=target, network=network, games_seed=f"from {steps}"
        )
        if self.resumed:
            self._go_on(saved)
        self._forget(steps)
        recipe.write(folder / RECIPE)

    @property
    def progress(self) -> float:
        """How much of the planned run is done, from 0 to 1."""
        recipe = self.learner.recipe
        if recipe.total_minutes > 0:
            return min(self.seconds / 60 / recipe.total_minutes, 1.0)
        return min(self.learner.steps / recipe.total_steps, 1.0)

    def train(
        self,
        tell: Callable[[Figures], None],
        *,
        until: float | None = None,
        steps: int | None = None,
    ) -> None:
        """Learn until the clock (`time.perf_counter`) or so many further steps say stop, or the
        recipe's end; `tell` is given figures every few seconds. Interrupted it saves, too."""
        learner, now = self.learner, time.perf_counter
        last = learner.steps + steps if steps is not None else None
        told_at = saved_at = now()
        told_steps, figures = learner.steps, list[dict[str, float]]()
        try:
            while self.progress < 1 and not (last is not None and learner.steps >= last):
                began = now()
                if until is not None and began >= until:
                    break
                before = learner.steps
                figures.append(learner.learn(self.progress))
                self._renew(before)
                self.seconds += now() - began
                if now() - told_at >= REPORT_SECONDS:
                    tell(self._report(figures, learner.steps - told_steps, now() - told_at))
                    told_at, told_steps, figures = now(), learner.steps, []
                if now() - saved_at >= SAVE_SECONDS:
                    self.save()
                    saved_at = now()
        except KeyboardInterrupt:
            self.save()
            raise
        if figures:
            tell(self._report(figures, learner.steps - told_steps, now() - told_at))
        self.save()

    def _renew(self, before: int) -> None:
        """The league takes notice every few lessons; `before` are the steps before the last."""
        learner, every = self.learner, self.learner.recipe.league_every
        remember = learner.steps // every > before // every
        due = remember or learner.lessons % 8 == 0
        rating = learner.league.rating
        back_to = learner.league.renew(learner.network, remember) if due else None
        if back_to:
            learner.go_back(back_to)
            self.falls += 1
        if learner.league.rating > rating:
            learner.most_caution = min(2 * learner.most_caution, 1.0)

    def _report(self, figures: list[dict[str, float]], steps: int, seconds: float) -> Figures:
        """The means since the last report, as a line of the metrics."""
        learner = self.learner
        learner.games.check()
        means: Figures = {
            name: float(f"{sum(each[name] for each in figures) / len(figures):.4g}")
            for name in figures[0]
        }
        over = sum(each["games_over"] for each in figures)
        for name in ("length", "unfinished"):  # means over games, not over lessons
            total = sum(each[name] * each["games_over"] for each in figures)
            means[name] = round(total / max(over, 1), 4)
        line = {
            "steps": learner.steps,
            "seconds": round(self.seconds, 2),
            "steps_per_second": round(steps / seconds),
            "progress": round(self.progress, 5),
            **means,
            **learner.league.results(),
            "falls": self.falls,
        }
        self.falls = 0
        with (self.folder / METRICS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        return line

    def save(self) -> None:
        """Write all that is needed to go on, and the weights as they ship."""
        learner, league = self.learner, self.learner.league
        halves = [{name: part.half() for name, part in each.items()} for each in league.past]
        self._write(PAST, {"past": halves})
        self._write(
            CHECKPOINT,
            {
                "network": learner.network.state_dict(),
                "optimizer": learner.optimizer.state_dict(),
                "reference": league.networks[0].state_dict(),
                "good": league.good,
                "rating": league.rating,
                "entropy_weight": learner.entropy_weight,
                "caution": [learner.caution, learner.most_caution],
                "steps": learner.steps,
                "lessons": learner.lessons,
                "seconds": self.seconds,
            },
        )
        about = {"steps": learner.steps, "seconds": round(self.seconds), "rating": league.rating}
        shipped = copy.deepcopy(learner.network)
        if league.fallen:
            shipped.load_state_dict(league.good)
        export(shipped, self.folder / WEIGHTS, about)

    def _go_on(self, saved: dict[str, Any]) -> None:
        learner, league = self.learner, self.learner.league
        try:
            learner.network.load_state_dict(saved["network"])
            learner.optimizer.load_state_dict(saved["optimizer"])
            league.networks[0].load_state_dict(saved["reference"])
        except (RuntimeError, ValueError, KeyError):  # a changed recipe
            raise RunError(CHECKPOINT, "the recipe is for a network of another shape") from None
        league.rating = saved["rating"]
        learner.entropy_weight = saved["entropy_weight"]
        learner.caution, learner.most_caution = saved.get("caution", (1.0, 1.0))
        learner.steps, learner.lessons = saved["steps"], saved["lessons"]
        self.seconds = saved["seconds"]
        league.past = [
            {name: part.float().to(learner.device) for name, part in each.items()}
            for each in read_saved(self.folder / PAST)["past"]
        ]
        league.began = copy_of(learner.network)
        league.good = saved.get("good") or copy_of(league.networks[0])
        league.renew(learner.network, remember=False)

    def _forget(self, steps: int) -> None:
        """Drop figures of what came after the last checkpoint: it is done again."""
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
    """When a line of figures was written; one that was not finished comes after all others."""
    try:
        return float(json.loads(line)["steps"])
    except (ValueError, KeyError, TypeError):
        return math.inf
