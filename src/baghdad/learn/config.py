"""The configuration of a training run: every number that decides it, kept in the run's folder."""

import json
import math
import sys
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, get_args

from baghdad.bots.neural.network import Shape
from baghdad.files import atomic_write
from baghdad.rules.options import Options

FRACTIONS = (
    "shaping_until",
    "opening_share",
    "league_share",
    "league_frozen",
    "search_share",
    "gae_lambda",
    "discount",
    "average",
)
"""Numbers that are a part of something: from 0 to 1."""


OTHER_DEALS = ((5, 7), (7, 7), (5, 6, 8), (6, 6, 7), (7, 6, 7, 8), (7, 7, 7, 7))
"""First hands that a network learns besides R7's and the balanced ones."""


def named_value(kind: type, text: str) -> tuple[str, Any]:
    """A field of such a configuration, and the value that `name=value` gives it.

    Raises `ValueError` where there is no such field, or no such value for it.
    """
    name, _, value = text.partition("=")
    try:
        wanted: Any = {field.name: field.type for field in fields(kind)}[name]
        if wanted is bool:
            return name, {"true": True, "false": False}[value.lower()]
        if wanted in (int, float):
            return name, wanted(value)
        part = get_args(wanted)[0]
        return name, tuple(part(each) for each in value.split(","))
    except (KeyError, ValueError):
        raise ValueError(text) from None


def write_values(config: Any, path: Path) -> None:
    """Write a configuration as a file."""
    with atomic_write(path) as part:
        part.write_text(json.dumps(asdict(config), indent=1) + "\n", "utf-8")


@dataclass(frozen=True, slots=True)
class Config:
    """The configuration of a run. The defaults are for one large GPU."""

    seed: int = 1
    players: tuple[int, ...] = (2, 3, 4)
    variants: bool = True
    """Whether nine games in sixteen are played with other options of a table, or first hands."""
    games: int = 131_072
    """Played side by side."""
    rollout_length: int = 32
    """Decisions of each game in an iteration."""
    max_turns: int = 150
    """A game that goes on for longer is truncated: nobody wins it."""

    palace: int = 96
    table: int = 128
    pair: int = 32
    blocks: int = 3
    """The shape of the network: see `bots.neural.network.Shape`."""

    total_steps: float = 3.6e9
    """Decisions after which the run is over, and everything annealed is at its final value."""
    total_minutes: float = 0
    """If not 0: the same, by the clock."""
    minibatch: int = 32_768
    epochs: int = 1
    """Passes over the decisions of an iteration."""
    learning_rate: float = 4e-4
    final_learning_rate: float = 3e-5
    clip: float = 0.2
    """How far PPO lets an action's probability ratio move: epsilon of Schulman et al., 2017."""
    dual_clip: float = 3.0
    """Decisions with a negative advantage whose probability ratio is above this give no gradient
    (Ye et al., 2020). Without it, a few of them can outweigh everything else. 0: no limit."""
    max_surprisal: float = 16.0
    """Legal actions whose surprisal, minus the logarithm of their probability, is above this are
    made likelier. Otherwise the logits of actions that are never right fall without end, until a
    small change of the weights turns them over."""
    surprisal_coefficient: float = 1e-4
    target_kl: float = 0.015
    """After an iteration whose update moved the policy further than this (approximate KL
    divergence), the learning rate is scaled down for a while. 0: never."""
    gae_lambda: float = 0.95
    """See `advantages.generalized_advantages`."""
    discount: float = 0.997
    """Of a chance to win, what is left when a turn passes: a win now is better than one later."""
    average: float = 0.99
    """The mean of late selves that ships: how much of it stays when an iteration adds its own."""
    value_coefficient: float = 1.0
    max_grad_norm: float = 1.0

    entropy_coefficient: float = 0.02
    final_entropy_coefficient: float = 0.002
    entropy_floor: float = 0.15
    """Below this entropy (nats a decision, where the game is open) the coefficient grows."""
    max_entropy_coefficient: float = 0.05
    shaping: float = 1.0
    """At first, how much thieves in place and chests taken count beside winning."""
    shaping_until: float = 0.1
    """The part of the run after which only winning counts."""
    opening_share: float = 0.2
    """Games that begin with random decisions."""
    opening_decisions: int = 12
    """At most this many of them."""

    league_share: float = 0.2
    """Games in which others sit at the table: earlier versions of the learner, and scripts."""
    league_slots: int = 4
    """The first is the reference that the rating is measured against, the last is for scripts."""
    league_frozen: float = 0.7
    """The probability that another seat of such a game is played by them."""
    league_temperature: float = 1.0
    """Of the networks among them; at 0 they play their most probable action."""
    league_size: int = 10
    """Earlier versions that are kept."""
    league_every: float = 2e8
    """Decisions from one kept version to the next."""
    league_games: int = 2000
    """Games against the reference before the learner is compared with it."""

    search_share: float = 0.0
    """The last part of the run, which learns from searched turns (`turn_search`)."""
    search_positions: int = 8192
    """Positions searched in an iteration."""
    search_rollout_length: int = 8
    """Decisions of each game played between two searches."""
    search_samples: int = 32
    """Turns sampled in a position."""
    search_turns: int = 12
    """Different ones among them that are evaluated, at most."""
    search_deals: int = 16
    """Continuations that each is evaluated with."""
    search_batch: int = 32_768
    """Positions that the network evaluates together."""

    compile: bool = True
    """Whether PyTorch compiles, and on a GPU records CUDA graphs."""
    bfloat16: bool = True
    """Whether a GPU multiplies in half precision."""

    @property
    def shape(self) -> Shape:
        return Shape(self.palace, self.table, self.pair, self.blocks)

    @property
    def options(self) -> list[Options]:
        """The options that the games take in turn, as many for each number of players."""
        variants: list[dict[str, Any]] = [{}] * 7
        if self.variants:
            variants += [
                {"variant": "neutral"},
                {"rob": "smuggle"},
                {"hands": "seen"},
                {"spare": "chosen"},
                {"deal": "balanced"},
                {"deal": "balanced", "variant": "neutral"},
                {"deal": "balanced", "hands": "seen"},
            ]
        found = [Options(players, **each) for each in variants for players in self.players]
        if self.variants:
            found += [
                Options(len(deal), deal=deal) for deal in OTHER_DEALS if len(deal) in self.players
            ]
        return found

    def with_values(self, texts: list[str]) -> "Config":
        """The configuration with some values changed, given as `name=value`.

        >>> Config().with_values(["games=64", "players=2,3", "compile=false"]).players
        (2, 3)
        >>> Config().with_values(["total_minutes=16.5"]).total_minutes
        16.5
        >>> Config().with_values(["games=64.5"])
        Traceback (most recent call last):
        ValueError: games=64.5
        >>> Config().with_values(["players=2,7"])
        Traceback (most recent call last):
        ValueError: players=2,7
        """
        changes: dict[str, Any] = {}
        for text in texts:
            name, value = named_value(Config, text)
            if not self._is_valid(name, value):
                raise ValueError(text)
            changes[name] = value
        return replace(self, **changes)

    @staticmethod
    def _is_valid(name: str, value: Any) -> bool:
        """Whether a run can begin with it; whether that is wise is not checked."""
        if name == "players":
            return bool(value) and set(value) <= {2, 3, 4}
        if name == "seed" or isinstance(value, bool):
            return True
        if isinstance(value, int):
            return value >= (2 if name in ("rollout_length", "league_slots") else 1)
        if name in ("total_steps", "league_every"):
            return math.isfinite(value) and value > 0
        return 0 <= value <= (1 if name in FRACTIONS else sys.float_info.max)

    def write(self, path: Path) -> None:
        write_values(self, path)


SMALL = Config(
    games=256, rollout_length=32, minibatch=2048, epochs=2, palace=32, table=48, pair=16,
    blocks=1, total_steps=4e6, learning_rate=1e-3, entropy_floor=0.3, league_every=200_000,
    league_games=50, variants=False, compile=False, bfloat16=False,
    search_positions=32, search_samples=16, search_turns=8, search_deals=8, search_batch=512,
)  # fmt: skip
"""For a machine without a GPU: beats random play after minutes."""

EXPLOITER = Config(
    games=65_536, minibatch=131_072, players=(2,), variants=False,
    total_steps=1.1e9, learning_rate=5e-4, final_learning_rate=5e-5, shaping=0.0,
    opening_share=0.0, entropy_coefficient=0.01, entropy_floor=0.1,
    league_share=1.0, league_slots=1, league_frozen=1.0, league_temperature=0.0,
)  # fmt: skip
"""For a learner whose only opponent is a finished network, to find that network's weaknesses."""


def read_config(path: Path) -> Config:
    """A configuration from its file; raises where no run can begin with what it says."""
    values = json.loads(path.read_text("utf-8"))
    config = Config(**values | {"players": tuple(values["players"])})
    for field in fields(config):
        value = getattr(config, field.name)
        if field.type is float and type(value) is int:
            value = float(value)
        right = type(value) is (tuple if field.name == "players" else field.type)
        alone = field.name == "league_slots" and value == 1  # an exploiter's
        if not right or not (alone or Config._is_valid(field.name, value)):
            raise ValueError(f"{field.name} can't be {value}")
    return config
