"""What cards were worth, looked at from where they are used: some turns of their seat later.

Right after a draw a network hardly knows what can be done with just these cards. So the draw is
played on by the network that plays, up to the end of a later turn of the seat that drew, and so are
others that might have come, with the same chance for all that follows. Whatever is compared
there, the mean over all draws is zero, as long as both are treated alike.

`begin` starts; `advance` goes on until it returns `DONE`. Where it returns a number above that, the
network that plays looks at as many rows of the sight; where one under that, the network that sees
all hands looks at as many of `rows`.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.bots.neural.layers import Floats
from baghdad.bots.neural.sight import OUTCOMES, RANDOM_RANGE, Sight, new_sight, sample_action, see
from baghdad.bots.value.rows import OPEN_SIZE, ROWS, observe_openly
from baghdad.bots.value.seats import Chances, by_seat
from baghdad.rules.engine.dealer import Rng, awaits_chance, deal, next_number, spawn
from baghdad.rules.engine.material import DRAWING, OVER
from baghdad.rules.engine.state import STATE, State, States
from baghdad.rules.engine.steps import play

from .compiled import compiled, noinline
from .draws import SPREAD, WAYS, Weights, spread

Array = npt.NDArray[Any]

DEALS = 32
"""How often the cards that came are played on, and as often others."""
TURNS = 2
"""Of the seat that drew, up to whose end."""
GAMES = 2 * DEALS
_ROWS = max(GAMES, WAYS)
TEMPERATURE = 1.0
"""At which they are played on, as by the expert. Whoever is weaker makes less of good cards than
can be made of them: to take that for granted would call more luck than there was."""
MOST_DECISIONS = 400
"""After which a game is looked at where it is."""
DONE = 0
_BEGUN, _WAYS, _PLAYED, _OVER = range(4)

_FIELDS = [
    ("stage", "i8"),
    ("who", "i8"),  # who gets the cards
    ("until", "i8"),  # turns of the table, after which it is to draw once more
    ("ways", "i8"),  # in which cards can come, where they are counted out; else 0
    ("active", "i8"),  # rows of the sight
    ("decisions", "i8"),  # that were played in every game
]
STAND = np.dtype((np.record, np.dtype(_FIELDS, align=True)))


class AheadMemory(NamedTuple):
    """Memory for one draw after another."""

    stand: Array
    """[1], dtype `STAND`"""
    rng: Rng
    before: States
    """[1]: before the draw; and after it."""
    came: States
    """[1]"""
    after: States
    """[SPREAD]: all that could have come."""
    weights: Weights
    worths: Chances
    """[WAYS, OUTCOMES]: what the network says right after each of them."""
    games: States
    """[GAMES]: the cards that came, `DEALS` times, and as often others."""
    ways: Array
    """[DEALS]: which of `after` each of the others is."""
    rngs: Array
    """[GAMES, 4]"""
    active: Array
    """[GAMES]: the game that a row of the sight is about."""
    sight: Sight
    rows: ROWS
    """[_ROWS, OPEN_SIZE]"""
    outcomes: Floats
    """[_ROWS, OUTCOMES]: what the network says of these rows."""
    one: Chances
    told: Chances
    """[2, OUTCOMES]: what the position was worth before the draw, and after it."""


def new_ahead_memory() -> AheadMemory:
    return AheadMemory(
        np.zeros(1, STAND),
        np.zeros(4, np.int64),
        np.zeros(1, STATE),
        np.zeros(1, STATE),
        np.zeros(SPREAD, STATE),
        np.zeros(SPREAD),
        np.zeros((WAYS, OUTCOMES)),
        np.zeros(GAMES, STATE),
        np.zeros(DEALS, np.int64),
        np.zeros((GAMES, 4), np.int64),
        np.zeros(GAMES, np.int64),
        new_sight(GAMES),
        np.zeros((_ROWS, OPEN_SIZE), np.int8),
        np.zeros((_ROWS, OUTCOMES), np.float32),
        np.zeros(OUTCOMES),
        np.zeros((2, OUTCOMES)),
    )


@compiled
def begin(before: State, came: State, rng: Rng, memory: AheadMemory) -> None:
    """Start to look at a draw: the position before it, and the one that came of it."""
    stand = memory.stand[0]
    stand.stage, stand.who, stand.ways, stand.decisions = _BEGUN, before.seat, 0, 0
    memory.before[0], memory.came[0] = before, came
    for part in range(4):
        memory.rng[part] = rng[part]
    stand.until = before.turn + (TURNS - 1) * before.players
    if before.phase == DRAWING:
        stand.until += 1
        stand.ways = spread(before, memory.rng, memory.after, memory.weights)


@noinline
def advance(memory: AheadMemory) -> int:
    """Go on for some milliseconds; returns `DONE`, or how many rows are to be looked at."""
    stand = memory.stand[0]
    ways = int(stand.ways)
    if stand.stage == _BEGUN:
        stand.stage = _WAYS
        if ways > 0:
            for way in range(ways):
                observe_openly(memory.after[way], memory.rows[way])
            return -ways
    if stand.stage == _WAYS:
        for way in range(ways):
            state = memory.after[way]
            by_seat(state, state.seat, memory.outcomes[way], memory.worths[way])
        _lay_out(memory)
        stand.stage = _PLAYED
        return _go_on(memory)
    if stand.stage == _PLAYED:
        sight = memory.sight
        for row in range(stand.active):
            game = memory.active[row]
            rng = memory.rngs[game]
            action = sample_action(sight.logits[row], sight.masks[row], TEMPERATURE, rng)
            play(memory.games[game], action)
        stand.decisions += 1
        return _go_on(memory)
    _add_up(memory)
    return DONE


@noinline
def _lay_out(memory: AheadMemory) -> None:
    """Begin all games: the cards that came, and of the others every so manyth by its weight."""
    spawn(memory.rng, memory.rngs[:DEALS])
    start = next_number(memory.rng) / RANDOM_RANGE
    way, reached = 0, memory.weights[0]
    for number in range(DEALS):
        other = DEALS + number
        memory.games[number] = memory.came[0]
        for part in range(4):
            memory.rngs[other, part] = memory.rngs[number, part]
        if memory.stand[0].ways > 0:
            while reached < (number + start) / DEALS and way < memory.stand[0].ways - 1:
                way += 1
                reached += memory.weights[way]
            memory.ways[number] = way
            memory.games[other] = memory.after[way]
        else:
            memory.games[other] = memory.before[0]
            deal(memory.games[other], memory.rng)


@compiled
def _is_there(state: State, stand: Any) -> bool:
    """Whether a game has come to where it is looked at: cards come to who drew before."""
    if state.phase == DRAWING and state.seat == stand.who and state.turn >= stand.until:
        return True
    return state.phase == OVER


@noinline
def _go_on(memory: AheadMemory) -> int:
    """Let cards come, and see who decides in every game that goes on; at the end see them all."""
    stand, active = memory.stand[0], 0
    for game in range(GAMES):
        state = memory.games[game]
        while awaits_chance(state) and not _is_there(state, stand):
            deal(state, memory.rngs[game])
        if not _is_there(state, stand):
            see(state, active, memory.sight)
            memory.active[active] = game
            active += 1
    stand.active = active
    if active > 0 and stand.decisions < MOST_DECISIONS:
        return active
    stand.stage = _OVER
    for game in range(GAMES):
        observe_openly(memory.games[game], memory.rows[game])
    return -GAMES


@noinline
def _add_up(memory: AheadMemory) -> None:
    """What the games have come to. Of the others, what the network had said of each before stands
    for all that could have come: so it matters less which they are."""
    for seat in range(OUTCOMES):
        memory.told[0, seat] = memory.told[1, seat] = 0.0
        for way in range(memory.stand[0].ways):
            memory.told[0, seat] += memory.weights[way] * memory.worths[way, seat]
    for game in range(GAMES):
        state, other = memory.games[game], game - DEALS
        by_seat(state, state.seat, memory.outcomes[game], memory.one)
        for seat in range(OUTCOMES):
            worth = memory.one[seat]
            if other >= 0 and memory.stand[0].ways > 0:
                worth -= memory.worths[memory.ways[other], seat]
            memory.told[0 if other >= 0 else 1, seat] += worth / DEALS
