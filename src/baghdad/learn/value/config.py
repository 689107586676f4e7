"""The configuration of a training of the value networks: every number that decides it."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from baghdad.bots.value.network import Sees, ValueShape
from baghdad.learn.config import Config, named_value, write_values
from baghdad.rules.options import Options


@dataclass(frozen=True, slots=True)
class ValueConfig:
    """The defaults are for one large GPU."""

    seed: int = 1
    players: tuple[int, ...] = (2, 3, 4)
    variants: bool = True
    """Whether games are played with other options of a table and first hands, too."""
    games: int = 131_072
    """Played side by side."""
    max_turns: int = 400
    """A game that goes on for longer is left out: nobody knows who would have won."""
    positions: int = 16
    """Kept of each game, evenly out of all its moments."""

    temperatures: tuple[float, ...] = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0)
    """Levels of play: what the logits of the players' networks are divided by."""
    mixed_share: float = 0.2
    """Games in which every seat has a level of its own; in others all have the same."""
    script_share: float = 0.05
    """Seats of mixed games that a script plays."""

    pool: int = 8_388_608
    """Positions of finished games to draw from; new ones take the place of the oldest."""
    warm_up: int = 400
    """Decisions of each game before the first update: until then only short games are over."""
    decisions: int = 16
    """Played of each game between two rounds of updates."""
    reuse: float = 3.0
    """How often each position is learned from, on average; more would learn it by heart."""
    minibatch: int = 32_768
    learning_rate: float = 1e-3
    final_learning_rate: float = 1e-5
    average: float = 0.999
    """The mean of late weights, which is exported: how much stays when an update adds its own."""
    total_positions: float = 2e9
    """Learned from, after which the run is over and the learning rate at its final value."""
    total_minutes: float = 0
    """If not 0: the same, by the clock."""

    palace: int = 112
    table: int = 160
    blocks: int = 3
    compile: bool = True
    bfloat16: bool = True

    def shape(self, sees: Sees) -> ValueShape:
        return ValueShape(sees, self.palace, self.table, self.blocks)

    @property
    def options(self) -> list[Options]:
        """The options that the games take in turn."""
        return Config(players=self.players, variants=self.variants).options

    def with_values(self, texts: list[str]) -> "ValueConfig":
        """The configuration with some values changed, given as `name=value`.

        >>> ValueConfig().with_values(["games=64", "players=2,3", "temperatures=0,1.5"]).players
        (2, 3)
        >>> ValueConfig().with_values(["games=many"])
        Traceback (most recent call last):
        ValueError: games=many
        """
        changes = dict(named_value(ValueConfig, text) for text in texts)
        return replace(self, **changes)

    def write(self, path: Path) -> None:
        write_values(self, path)


SMALL = ValueConfig(
    games=1024, variants=False, pool=400_000, decisions=8, minibatch=1024,
    total_positions=4e6, palace=48, table=64, blocks=2, average=0.99, compile=False,
    bfloat16=False,
)  # fmt: skip
"""For a machine without a GPU."""


def read_value_config(path: Path) -> ValueConfig:
    """A configuration from its file."""
    values = json.loads(path.read_text("utf-8"))
    lists = {name: tuple(values[name]) for name in ("players", "temperatures")}
    return ValueConfig(**values | lists)
