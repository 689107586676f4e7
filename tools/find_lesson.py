"""Look for a deal for the guided game, and say what a strong player thinks of its script.

`python tools/find_lesson.py 0 100` deals by the seeds "Lesson 0" to "Lesson 99". The learner makes
turns that `expert` values within 0.03 of its best one, the opponent plays as `maruf`. Printed are
games that end with the learner's first robbery and have taught nearly everything on the way: what
is missing, how much was lost in each turn, the turns. The rest is a matter of taste: a game
whose reasons can be told in a few words, and replies of the opponent that give such reasons.

`python tools/find_lesson.py --check` values every turn of the script that ships: what the learner's
chance is after it and after the best turn that `expert` knows, over the same deals.
"""

import argparse
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from baghdad import (
    CHANCE,
    Action,
    Game,
    new_rng,
)
from baghdad.bots import (
    LEVELS,
    Bot,
    Budget,
    decide,
    make_bot,
)
from baghdad.bots.expert.bot import ExpertBot
from baghdad.bots.expert.machine import MAX_ACTIONS
from baghdad.bots.lesson.script import (
    LEARNER,
    MOVES,
    RIVAL,
    SEED,
)
from baghdad.machine import describe_machine
from baghdad.rules.engine.actions import (
    ACTION_OF,
    ACTIONS,
    CARRY,
    MOVE,
    MOVE_NEUTRAL,
    SMUGGLE,
    TOKENS,
)
from baghdad.rules.engine.dealer import Rng, spawn
from baghdad.rules.engine.material import THIEF_ACTIONS
from baghdad.rules.fair import fair_draw

PLACING = ["@R", "@W", "@G", "@B", "@P", "@P", "@Y", "@Y"]
"""A way into four palaces for the learner; one guard is foreign in two of them, two in the rest."""
NEEDED = frozenset({"smuggle", "three", "own", "carry", "neutral", "pass", "dancer", "rob"})
DEEP, WIDE, LONGEST_TURN = 6, 2, 6
"""Turns of the learner; of them tried at each; moves in one, its end included."""
NEARLY = 0.03
"""How much less than the best turn one may win."""
PROPOSALS, DEALS = 20, 96


class Variation(NamedTuple):
    turns: list[list[str]]
    """Of both seats, in order."""
    lost: list[float]
    """By turn of the learner, in chances to win."""
    taught: frozenset[str]


def play(game: Game, tokens: Sequence[str], seed: str) -> None:
    for token in tokens:
        game.play(token)
        while game.to_move == CHANCE:
            game.play(fair_draw(game, seed))


def values(
    expert: ExpertBot, game: Game, tokens: Sequence[str] = (), deals: int = DEALS
) -> list[tuple[float, list[str]]]:
    """Turns that the expert thinks of, and this one first: the chance to win after each."""
    seat = game.to_move
    assert seat is not None
    view, rng = game.view(seat), new_rng("lesson")
    turns = expert.propose(view, rng)[0][:PROPOSALS]
    if tokens:
        given = np.full((1, MAX_ACTIONS), -1, np.int16)
        given[0, : len(tokens)] = [ACTION_OF[token] for token in tokens]
        turns = np.concatenate([given, turns])
    everything = np.arange(len(turns))
    won = expert.try_out(view, turns, new_deals(rng, deals)) / deals
    # Of many the best is also the luckiest: those in question are tried again, by other deals.
    candidates = np.flatnonzero(
        (won >= won.max() - 2 * NEARLY) | (everything == (0 if tokens else -1))
    )
    won = expert.try_out(view, turns[candidates], new_deals(rng, 2 * deals)) / deals / 2
    return [
        (float(chance), [TOKENS[action] for action in turn if action >= 0])
        for chance, turn in zip(won, turns[candidates], strict=True)
    ]


def new_deals(rng: Rng, count: int) -> Any:
    """[count, 4]: a new generator for each deal."""
    rngs = np.zeros((count, 4), np.int64)
    spawn(rng, rngs)
    return rngs


def taught(game: Game, tokens: Sequence[str]) -> frozenset[str] | None:
    """What a turn of the learner shows; None where it would show something badly."""
    game, found, thieves = game.copy(), set[str](), 0
    for token in tokens:
        kind, palace, to, _, _, dancers, _ = ACTIONS[ACTION_OF[token]]
        state = game.state
        if kind == MOVE_NEUTRAL:
            if state.thieves[to, LEARNER] or state.guards[to, LEARNER]:
                return None  # dearer for the learner
            if not state.guards[palace, LEARNER] and not state.thieves[to, RIVAL]:
                return None  # cheaper for nobody, and dearer for nobody
        names = {SMUGGLE: "smuggle", MOVE: "own", CARRY: "carry", MOVE_NEUTRAL: "neutral"}
        thieves += kind in (SMUGGLE, CARRY)
        found |= {names[kind]} if kind in names else set()
        found |= {"dancer"} if dancers else set()
        found |= {"pass"} if token == "-*" else set()
        found |= {"three"} if thieves == THIEF_ACTIONS else set()
        game.play(token)
        if any(game.loot):
            return frozenset(found | {"rob"})
    return frozenset(found)


def variations(
    expert: ExpertBot, rival: Bot, game: Game, seed: str, so_far: Variation
) -> Iterator[Variation]:
    """Games that go on from here to the learner's robbery."""
    if "rob" in so_far.taught:
        yield so_far
        return
    if len(so_far.lost) == DEEP:
        return
    known = values(expert, game)
    best = max(value for value, _ in known)
    choices = []
    for value, tokens in known:
        shows = taught(game, tokens)
        if shows is None or best - value > NEARLY or len(tokens) > LONGEST_TURN:
            continue
        if not so_far.lost and shows & {"neutral", "own", "carry"}:
            continue  # too much for a first turn
        if "rob" in shows and len(NEEDED - so_far.taught - shows) > 1:
            continue
        news = len(shows - so_far.taught)
        choices.append((news - 0.1 * len(tokens) - 10 * (best - value), value, tokens, shows))
    for _, value, tokens, shows in sorted(choices, reverse=True, key=lambda each: each[0])[:WIDE]:
        after, reply = game.copy(), list[str]()
        play(after, tokens, seed)
        if after.to_move == RIVAL:
            rng = new_rng(seed, len(so_far.lost))
            chosen: Sequence[Action] = decide(
                rival, after.view(RIVAL), after.legal(), Budget(), rng
            )
            reply = [TOKENS[action] for action in chosen]
            play(after, reply, seed)
        if after.loot[RIVAL]:
            continue
        lost = [*so_far.lost, round(best - value, 3)]
        line = Variation([*so_far.turns, tokens, reply], lost, so_far.taught | shows)
        yield from variations(expert, rival, after, seed, line)


def search(first: int, last: int) -> None:
    expert, rival = ExpertBot(), make_bot(LEVELS[0])
    for number in range(first, last):
        seed, game = f"Lesson {number}", Game(players=2)
        play(game, PLACING, seed)
        found = list(variations(expert, rival, game, seed, Variation([], [], frozenset())))
        if found:
            line = max(found, key=lambda each: (len(each.taught), -len(each.lost)))
            missing = ", ".join(sorted(NEEDED - line.taught)) or "nothing"
            turns = " | ".join(" ".join(turn) for turn in line.turns)
            print(f"{seed}: {missing} missing; lost {line.lost}\n  {turns}", flush=True)


def check() -> None:
    expert, game, turn = ExpertBot(), Game(players=2), list[str]()
    print(describe_machine())
    for number, token in enumerate(MOVES):
        turn.append(token)
        ends = number + 1 == len(MOVES) or token[0] in "@.-"
        if not ends:
            continue
        if game.to_move == LEARNER:
            whole = turn if token[0] in "@.-" else [*turn, "."]
            (own, _), *others = values(expert, game, whole, 500)
            best, tokens = max(others) if others else (own, whole)
            print(f"{' '.join(turn):44} {own:.3f}; best {max(own, best):.3f} {' '.join(tokens)}")
        play(game, turn, SEED)
        turn = []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", nargs="*", type=int, metavar="NUMBER", help="first and last")
    parser.add_argument("--check", action="store_true", help="value the script that ships")
    options = parser.parse_args()
    if options.check:
        check()
    else:
        search(*options.seeds)


if __name__ == "__main__":
    main()
