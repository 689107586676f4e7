"""The guided game: its script is legal, ends in a robbery, and the opponent knows its part."""

import json
import re
from pathlib import Path

import pytest

from baghdad import CHANCE, Game, new_rng
from baghdad.bots import (
    LESSON,
    LEVELS,
    Budget,
    decide,
    make_bot,
)
from baghdad.bots.lesson.script import (
    LEARNER,
    MOVES,
    RIVAL,
    SAID,
    SEED,
)
from baghdad.rules.engine.actions import ACTION_OF, TOKENS
from baghdad.rules.fair import fair_draw
from baghdad.text import LANGUAGES, catalogue

STEPS = json.loads(
    (Path(__file__).parents[2] / "src/baghdad/bots/lesson/lesson.json").read_text("utf-8")
)


def play(game: Game, token: str) -> None:
    game.play(token)
    while game.to_move == CHANCE:
        game.play(fair_draw(game, SEED))


def test_the_script_is_legal_and_ends_with_a_robbery_by_the_learner() -> None:
    game = Game(players=2)
    for step in STEPS["script"]:
        if "move" in step:
            seat = LEARNER if "say" in step else RIVAL
            assert game.to_move == seat, "words are for the learner's moves, and for all of them"
            assert game.loot == (0, 0)
            play(game, step["move"])
    assert game.loot == (1, 0)
    assert game.to_move == LEARNER, "and it goes on"


def test_the_script_has_all_that_there_is_to_do() -> None:
    own = [step["move"] for step in STEPS["script"] if "move" in step and "say" in step]
    everything = ("@", r"\+", ".$", r"-\*", "n", "[A-Z]>[A-Z]", "[A-Z]>>", r".*\(\*\)")
    for kind in everything:
        assert any(re.match(kind, move) for move in own), kind
    turns = " ".join(own[4:]).split(" . ")
    assert max(len(re.findall(r"\+|>>", turn)) for turn in turns) == 3, "three with a thief"


def test_every_word_of_the_script_is_there_and_ten_minutes_are_enough() -> None:
    for language in LANGUAGES:
        texts = catalogue("web", language)
        found = [key.partition(".")[2] for key in texts if key.startswith("lesson.")]
        assert found == list(dict.fromkeys(SAID)), language
        words = sum(len(str(texts[f"lesson.{name}"]).split()) for name in SAID)
        # A slow reader's 150 words a minute; six seconds for each of two clicks a step, or three.
        assert words / 150 + 2.5 * len(SAID) * 6 / 60 <= 10, language


@pytest.mark.parametrize("in_another_order", [False, True])
def test_the_opponent_plays_its_part_as_long_as_the_learner_follows(
    in_another_order: bool,
) -> None:
    bot, game, played = make_bot(LESSON), Game(players=2), list[str]()
    learners: list[list[str]] = [[]]
    for step in STEPS["script"]:
        if "move" in step:
            if "say" in step:
                learners[-1].append(step["move"])
            elif learners[-1]:
                learners.append([])
    for turn in learners:
        order = turn
        if in_another_order and turn[:3] == ["+R(R)", "+R(R)", "+G(G)"]:
            order = [turn[2], *turn[:2], *turn[3:]]
        for token in order:
            play(game, token)
        played += turn
        while game.to_move == RIVAL:
            for action in decide(bot, game.view(RIVAL), game.legal(), Budget(), new_rng("any")):
                played.append(TOKENS[action])
                play(game, TOKENS[action])
    assert tuple(played[: len(MOVES)]) == MOVES


def test_elsewhere_it_plays_as_the_easiest_level() -> None:
    bots = [make_bot(name) for name in (LESSON, LEVELS[0])]
    game = Game(players=3, seed="another deal")
    for number in range(30):
        seat = game.to_move
        assert seat is not None
        chosen = [
            list(decide(bot, game.view(seat), game.legal(), Budget(), new_rng("same", number)))
            for bot in bots
        ]
        assert chosen[0] == chosen[1]
        for action in chosen[1]:
            game.play(action)


def test_a_turn_can_be_gone_on_with_in_the_middle() -> None:
    """After a restart of the server a bot is asked again where it was."""
    bot, game = make_bot(LESSON), Game(players=2)
    for token in MOVES[: MOVES.index("+B(B)") + 1]:
        play(game, token)
    rest = decide(bot, game.view(RIVAL), game.legal(), Budget(), new_rng("any"))
    assert list(rest) == [ACTION_OF["+B(B)"], ACTION_OF["."]]
