"""How a network is trained: every number that decides it, kept beside what comes out."""

import json
import math
import sys
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from baghdad.bots.neural.network import Shape
from baghdad.files import atomic_write
from baghdad.rules.options import Options

PARTS = (
    "shaping_until",
    "opening_share",
    "league_share",
    "league_frozen",
    "searched",
    "trace",
    "haste",
)
"""Numbers that are a part of something: not more than 1."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """The numbers of a run. As they stand here: for one large GPU."""

    seed: int = 1
    players: tuple[int, ...] = (2, 3, 4)
    variants: bool = True
    """Three games in eight are played by one of the other options of a table."""
    games: int = 131_072
    """Played side by side."""
    decisions: int = 32
    """Of each game between two lessons."""
    max_turns: int = 150
    """A game that goes on for longer is won by nobody."""

    palace: int = 96
    table: int = 128
    pair: int = 32
    blocks: int = 3

    total_steps: float = 4.8e9
    """What is annealed has reached its end by then."""
    total_minutes: float = 0
    """If not 0: the same, by the clock."""
    minibatch: int = 262_144
    passes: int = 1
    """Over all decisions of a lesson."""
    learning_rate: float = 1e-3
    last_learning_rate: float = 5e-5
    clip: float = 0.2
    worst: float = 3.0
    """A decision that went badly and has become likelier by more than this teaches nothing. Without
    it, few such decisions can be all that a lesson says. 0: they teach."""
    rarest: float = 16.0
    """A legal action is made likelier where the logarithm of its likelihood is below minus this:
    what is out of the question for a long time would go on to fall, and one day fall over."""
    rarest_weight: float = 1e-4
    most_moved: float = 0.015
    """After a lesson that has moved the policy further, the learning rate is lower for a while. 0:
    it is not."""
    trace: float = 0.95
    """Of later surprises, how much counts for a decision, for each further one of the seat."""
    haste: float = 0.003
    """How likely it is thought between two turns that nobody will win: so a win now is better than
    one later."""
    value_weight: float = 1.0
    gradient_norm: float = 1.0

    entropy_weight: float = 0.02
    last_entropy_weight: float = 0.002
    entropy_floor: float = 0.3
    """Under this many nats a decision, where the game is open, the weight of entropy grows."""
    most_entropy_weight: float = 0.05
    shaping: float = 1.0
    """At first, how much thieves in place and chests taken count beside winning."""
    shaping_until: float = 0.1
    """The part of the run after which only winning counts."""
    opening_share: float = 0.2
    """Games that begin with random decisions."""
    opening_decisions: int = 12
    """At most so many of them."""

    league_share: float = 0.2
    """Games in which others sit at the table: earlier selves, and who plays by a script."""
    league_slots: int = 4
    """The first is the reference that the rating is measured against, the last is for scripts."""
    league_frozen: float = 0.7
    """How likely it is that another seat of such a game is played by them."""
    league_temperature: float = 1.0
    """At 0 they play what they like best, else by likelihood."""
    league_size: int = 10
    """Earlier selves that are remembered."""
    league_every: float = 2e8
    """Steps from one earlier self to the next."""
    league_games: int = 2000
    """Against the reference, before it is asked whether the learner is clearly better."""

    searched: float = 0.0
    """The last part of the run, in which the lessons are of searched turns."""
    search_positions: int = 8192
    """In a lesson."""
    search_decisions: int = 8
    """Of each game between two lessons."""
    search_samples: int = 32
    """Turns drawn in a position."""
    search_turns: int = 12
    """Different ones that are tried out, at most."""
    search_deals: int = 16
    """In which each is."""
    search_portion: int = 32_768
    """Positions that the network looks at together."""

    compile: bool = True
    half: bool = True
    """Whether a GPU multiplies with bfloat16."""

    @property
    def shape(self) -> Shape:
        return Shape(self.palace, self.table, self.pair, self.blocks)

    @property
    def tables(self) -> list[Options]:
        """The tables that the games take in turn, as many of each number of players."""
        others = (
            [{"variant": "neutral"}, {"rob": "smuggle"}, {"hands": "seen"}] if self.variants else []
        )
        options: list[dict[str, Any]] = [{}] * 5 + others
        return [Options(players, **each) for each in options for players in self.players]

    def with_values(self, texts: list[str]) -> "Recipe":
        """The recipe with some numbers changed, given as `name=value`.

        >>> Recipe().with_values(["games=64", "players=2,3", "compile=false"]).players
        (2, 3)
        >>> Recipe().with_values(["total_minutes=16.5"]).total_minutes
        16.5
        >>> Recipe().with_values(["games=64.5"])
        Traceback (most recent call last):
        ValueError: games=64.5
        >>> Recipe().with_values(["players=2,7"])
        Traceback (most recent call last):
        ValueError: players=2,7
        """
        changes: dict[str, Any] = {}
        kinds = {field.name: field.type for field in fields(self)}
        for text in texts:
            name, _, value = text.partition("=")
            try:
                kind = kinds[name]
                if kind is bool:
                    changes[name] = {"true": True, "false": False}[value.lower()]
                elif kind is float:
                    changes[name] = float(value)
                elif kind is int:
                    changes[name] = int(value)
                else:
                    changes[name] = tuple(int(part) for part in value.split(","))
            except (KeyError, ValueError):
                raise ValueError(text) from None
            if not self._possible(name, changes[name]):
                raise ValueError(text)
        return replace(self, **changes)

    @staticmethod
    def _possible(name: str, value: Any) -> bool:
        """Whether a run can begin with it; whether it should is for who asks for it to know."""
        if name == "players":
            return bool(value) and set(value) <= {2, 3, 4}
        if name == "seed" or isinstance(value, bool):
            return True
        if isinstance(value, int):
            return value >= (2 if name in ("decisions", "league_slots") else 1)
        if name in ("total_steps", "league_every"):
            return math.isfinite(value) and value > 0
        return 0 <= value <= (1 if name in PARTS else sys.float_info.max)

    def write(self, path: Path) -> None:
        with atomic_write(path) as part:
            part.write_text(json.dumps(asdict(self), indent=1) + "\n", "utf-8")


SMALL = Recipe(
    games=256, decisions=32, minibatch=2048, passes=2, palace=32, table=48, pair=16,
    blocks=1, total_steps=4e6, league_every=200_000,
    league_games=50, variants=False, compile=False, half=False,
    search_positions=32, search_samples=16, search_turns=8, search_deals=8, search_portion=512,
)  # fmt: skip
"""For a machine without a GPU: beats who plays at random after minutes."""

EXPLOITER = Recipe(
    games=65_536, minibatch=131_072, players=(2,), variants=False,
    total_steps=1.1e9, learning_rate=5e-4, shaping=0.0,
    opening_share=0.0, entropy_weight=0.01, entropy_floor=0.1, league_share=1.0, league_slots=1,
    league_frozen=1.0, league_temperature=0.0,
)  # fmt: skip
"""For a learner whose only rival is a finished network, and who may use all its weaknesses."""


def read_recipe(path: Path) -> Recipe:
    """A recipe from its file, unless no run can begin with what it says."""
    values = json.loads(path.read_text("utf-8"))
    recipe = Recipe(**values | {"players": tuple(values["players"])})
    for field in fields(recipe):
        value = getattr(recipe, field.name)
        if field.type is float and type(value) is int:
            value = float(value)
        right = type(value) is (tuple if field.name == "players" else field.type)
        alone = field.name == "league_slots" and value == 1  # an exploiter's
        if not right or not (alone or Recipe._possible(field.name, value)):
            raise ValueError(f"{field.name} can't be {value}")
    return recipe
