"""How a beginner fares against the levels: a written-down model of somebody after a first game.

Run `python benchmarks/beginner.py` for 400 games against the easiest level, or name levels and
`--games`, `--players`. Every deal is played in all seats; intervals are 95 %, over deals. Prints a
line of JSON for each level.

What the beginner does:

- Guards go where the beginner has the fewest, and of those places where the fewest stand at all.
- A chest that one action takes is taken.
- Otherwise a thief is smuggled in wherever the cards pay for it and a chest is left: where the
  fewest thieves are missing for the chest, then where it is cheapest. Dancers are paid only for
  what palace cards don't pay.
- If none can be, the beginner looks one step ahead: an own guard moves, from where no own thief
  waits, if another thief can be smuggled in right after it.
- Otherwise the turn ends. Whoever has done nothing takes a dancer while holding fewer than two, and
  four cards after that.

The beginner never moves a neutral guard, takes a thief along only to rob, saves nothing for a
later turn and never looks at what the others are about to do. Ties are broken by chance.
"""

import argparse
import json
from collections.abc import Sequence
from typing import Any

from baghdad import Action, Game, View
from baghdad.arena.statistics import bootstrap
from baghdad.bots import (
    LEVELS,
    Bot,
    Budget,
    make_bot,
)
from baghdad.bots.playing import MAX_TURNS, play_to_end
from baghdad.cli.progress import progress
from baghdad.machine import describe_machine
from baghdad.rules.engine.actions import (
    ACTIONS,
    CARRY,
    END_TURN,
    MOVE,
    PASS_CARDS,
    PASS_WITH_DANCER,
    PLACE,
    SMUGGLE,
)
from baghdad.rules.engine.dealer import Rng, below
from baghdad.rules.engine.material import (
    DANCER,
    HEAVIEST_CHEST,
    THIEF_ACTIONS,
    Palace,
)

FEW_DANCERS = 2


class Beginner:
    """Smuggles where it can and looks one step ahead."""

    def choose(self, view: View, legal: Sequence[Action], _budget: Budget, rng: Rng) -> Action:
        table, me = view.fields, view.viewer
        guards, thieves, chests = table.guards, table.thieves, table.chests

        def missing(palace: Palace) -> int:
            """Thieves that the top chest still needs."""
            return int(HEAVIEST_CHEST + 1 - chests[palace] - thieves[palace, me])

        def best(rated: Sequence[tuple[tuple[int, ...], Action]]) -> Action:
            least = min(rating for rating, _ in rated)
            alike = [action for rating, action in rated if rating == least]
            return alike[below(rng, len(alike))]

        if ACTIONS[legal[0]].kind == PLACE:
            own, there = guards[:, me].tolist(), guards.sum(axis=1).tolist()
            places = [(ACTIONS[action].palace, action) for action in legal]
            return best([((own[place], there[place]), action) for place, action in places])
        robbing, smuggling, moving = [], [], []
        for action in legal:
            kind, palace, to, pays, pays_to, dancers, _ = ACTIONS[action]
            if kind in (SMUGGLE, CARRY) and chests[to] and missing(to) == 1:
                robbing.append(((dancers, pays + pays_to), action))
            elif kind == SMUGGLE and chests[to]:
                smuggling.append(((missing(to), dancers, pays), action))
            elif kind == MOVE and chests[to] and not thieves[palace, me]:
                price = int(guards[to].sum() - guards[to, me])
                cards = int(table.hand[to]) - pays_to + int(table.hand[DANCER]) - dancers
                if not guards[to, me] and 0 < price <= cards:
                    moving.append(((missing(to), dancers, price), action))
        thief_is_free = table.thief_actions < THIEF_ACTIONS and table.stock[me] > 0
        for rated in (robbing, smuggling, moving if thief_is_free else []):
            if rated:
                return best(rated)
        if END_TURN in legal:
            return END_TURN
        wants_dancer = PASS_WITH_DANCER in legal and table.hand[DANCER] < FEW_DANCERS
        return PASS_WITH_DANCER if wants_dancer else PASS_CARDS


def against(level: Bot, players: int, deal: int) -> list[bool]:
    """Whether the beginner won a deal in each seat, alone against copies of a bot."""
    won = []
    for seat in range(players):
        seed = f"beginner {deal}"
        game, seats = Game(players, seed=seed), [level] * players
        seats[seat] = Beginner()
        play_to_end(game, seats, seed, Budget(simulations=100), MAX_TURNS)
        won.append(game.winner == seat)
    return won


def report(name: str, players: int, games: int) -> dict[str, Any]:
    deals, level = -(-games // players), make_bot(name)
    shares = [
        sum(against(level, players, deal)) / players
        for deal in progress(range(deals), deals, f"beginner {name}")
    ]
    share = bootstrap(shares)
    return {
        "bots": ["beginner", name],
        "players": players,
        "games": deals * players,
        "share": [round(each, 4) for each in (share.value, share.low, share.high)],
        "machine": describe_machine(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("levels", nargs="*", default=LEVELS[:1], metavar="LEVEL")
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--games", type=int, default=400)
    options = parser.parse_args()
    for name in options.levels:
        print(json.dumps(report(name, options.players, options.games)), flush=True)


if __name__ == "__main__":
    main()
