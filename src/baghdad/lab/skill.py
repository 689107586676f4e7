"""How much is luck: players of different strength, and what decides between them.

Five players of one kind and of different strength meet in pairs, every deal in all seats.
"""

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from baghdad.arena.match import lone_seatings, pairings
from baghdad.arena.statistics import (
    ELO,
    Floats,
    Interval,
    Wins,
    bootstrap,
    plackett_luce,
    within,
)
from baghdad.bots.neural.batch_games import Games

from .players import ROSTERS
from .setup import Setup
from .trial import Trial

REDRAWS = 2
"""Every deal is played this often, each time with other cards drawn."""
RESAMPLES = 200
"""Of whole ladders: each means fitting all ratings anew."""


def pairs_of(roster: str) -> list[tuple[str, str]]:
    """Who meets whom, the better one first."""
    return list(combinations(ROSTERS[roster].players, 2))


def plan_luck(setup: Setup) -> dict[str, Trial]:
    """This many games of every pair: the better alone in each seat, then the other."""
    trials, players = {}, setup.players
    for pair in pairs_of(setup.roster):
        seatings = [
            names
            for alone, rest in pairings(*pair, players)
            for names in lone_seatings(alone, rest, players)
        ]
        deals = -(-setup.games // len(seatings))
        for names in seatings:
            seats = tuple(setup.player(name) for name in names)
            trials["".join(names)] = Trial(setup.options(), seats, deals)
    return trials


def conclude_luck(setup: Setup, played: Mapping[str, Games]) -> dict[str, dict[str, Interval]]:
    """By pair: the gap in rating, how often the better one wins alone, and what the gap predicts.

    The gap is taken from the games of all other pairs, so that nothing predicts itself.
    """
    rows, players = {}, setup.players
    for better, other in pairs_of(setup.roster):
        others = {key: played[key] for key in played if {*key} != {better, other}}
        gaps = _gaps(better, other, others, list(ROSTERS[setup.roster].players))
        gap = within(float(gaps[0]), gaps[1:])
        rows[f"{better} – {other}"] = {
            "gap": gap,
            "share": bootstrap(_won_alone(better, other, players, played)),
            "predicted": Interval(
                *(predicted(value, players) for value in (gap.value, gap.low, gap.high))
            ),
        }
    return rows


def predicted(gap: float, players: int) -> float:
    """How often one so much better wins alone against all others.

    >>> predicted(0, 4), round(predicted(400, 2), 3)
    (0.25, 0.909)
    """
    return 1 / (1 + (players - 1) * float(np.exp(-gap / ELO)))


def _won_alone(better: str, other: str, players: int, played: Mapping[str, Games]) -> Floats:
    """By deal: the share of games that the better one won, alone in each seat."""
    seatings = lone_seatings(better, other, players)
    won = [played["".join(names)]["winner"] == seat for seat, names in enumerate(seatings)]
    shares: Floats = np.mean(won, axis=0)
    return shares


def _gaps(better: str, other: str, played: Mapping[str, Games], ladder: list[str]) -> Floats:
    """The better one's rating less the other's: in all deals, then in new samples of deals."""
    outcomes, columns = [], []
    for names, games in played.items():
        for name in sorted({*names}):
            outcomes.append((tuple(sorted(names)), name))
            seats = [seat for seat, sits in enumerate(names) if sits == name]
            columns.append(np.isin(games["winner"], seats))
    by_deal = np.stack(columns, axis=1).astype(np.int64)
    deals, random = len(by_deal), np.random.default_rng(1)
    weights = random.multinomial(deals, np.full(deals, 1 / deals), RESAMPLES)
    gaps = []
    for counts in (by_deal.sum(axis=0), *(weights @ by_deal)):
        wins: Wins = Wins()
        for outcome, count in zip(outcomes, counts, strict=True):
            wins[outcome] += int(count)
        ratings = plackett_luce([wins], ladder)
        gaps.append(ratings[ladder.index(better)] - ratings[ladder.index(other)])
    return np.array(gaps, np.float64)


def plan_causes(setup: Setup) -> dict[str, Trial]:
    """Some pairs, the first alone in each seat, every deal with two draws."""
    players = setup.players
    deals = -(-setup.games // players)
    return {
        f"{pair} {seat} {redraw}": Trial(
            setup.options(),
            tuple(setup.player(pair[place != seat]) for place in range(players)),
            deals,
            redraw=redraw,
        )
        for pair in ROSTERS[setup.roster].parted
        for seat in range(players)
        for redraw in range(REDRAWS)
    }


def conclude_causes(setup: Setup, played: Mapping[str, Games]) -> dict[str, dict[str, Interval]]:
    """By pair: what explains who wins a game, as parts of the variance."""
    rows, players = {}, setup.players
    for pair in ROSTERS[setup.roster].parted:
        winners = np.array(
            [
                [played[f"{pair} {seat} {redraw}"]["winner"] for seat in range(players)]
                for redraw in range(REDRAWS)
            ]
        )
        won = _won(winners, players)
        random = np.random.default_rng(1)
        picks = random.integers(0, won.shape[2], (RESAMPLES, won.shape[2]))
        samples = [variance_parts(won[:, :, pick]) for pick in picks]
        rows[" – ".join(pair)] = {
            name: within(value, [sample[name] for sample in samples])
            for name, value in variance_parts(won).items()
        }
    return rows


def _won(winners: Games, players: int) -> Floats:
    """[…, seat]: 1 where that seat won; a game of nobody's is everybody's a bit."""
    winners = winners[..., None]
    won: Floats = np.where(winners < 0, 1 / players, winners == np.arange(players))
    return won


def variance_parts(won: Floats) -> dict[str, float]:
    """Split the variance of `won` [redraw, seating, deal, seat]; the parts add up to 1.

    The winner moves with the better player: skill. A seat wins more often with any player: the
    seat. The same seat wins with other cards drawn later: the hands. What is left can only
    be the cards drawn, and the dice of those who play at a temperature: heuristics roll none.
    """
    redraws, seatings, deals, players = won.shape
    by_seating = won.mean(axis=(0, 2))
    by_seat = by_seating.mean(axis=0)
    total = ((won - 1 / players) ** 2).sum() / (redraws * seatings * deals)
    left = won - by_seating[:, None]
    same_hands = (left[0] * left[1]).sum() / (seatings * deals)
    skill = ((by_seating - by_seat) ** 2).sum() / seatings
    seat = ((by_seat - 1 / players) ** 2).sum()
    split = {"skill": skill, "seat": seat, "dealt": same_hands}
    split = {name: float(part / total) for name, part in split.items()}
    return split | {"drawn": 1 - sum(split.values())}
