"""A table on one's own device says what a server's says: the same commands, the same messages.

Every conversation is held with a live server, and then with the page's own tables in Node, over the
compiled rules. Compared is everything that anybody is told, ids and times aside.
"""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from baghdad.bots.lesson import script
from baghdad.server.runtime import registry as registry_module
from support.conversations import Chance, Conversation, table
from support.live_server import LiveServer, Message
from support.pledges import number_of, promise_of
from support.same import check

Talk = Callable[..., Conversation]
LEARNERS = [
    step["move"]
    for step in json.loads((Path(script.__file__).parent / "lesson.json").read_text("utf-8"))[
        "script"
    ]
    if "move" in step and "say" in step
]
"""The guided game, played as it is meant."""
BOT = {"kind": "bot", "level": "kasim"}


@pytest.fixture
def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Talk]:
    """Begins a conversation at a new table."""
    chance = Chance()
    monkeypatch.setattr(registry_module, "new_seed", chance.new_seed)
    monkeypatch.setattr(registry_module, "randbelow", chance.pick)
    server = LiveServer(tmp_path)
    yield partial(Conversation, server, chance)
    server.stop()


def whole_games(talk: Talk) -> list[Message]:
    """One after another with all options, several people at one device."""
    tables = [
        table(2),
        table(3, rulebook="cs", deal="balanced", start=1),
        table(4, variant="neutral", rob="smuggle", start="order"),
        table(2, hands="seen", spare="chosen", deal="9-4", move_seconds=600, game_seconds=1200),
    ]
    found = []
    for asked in tables:
        here = talk(**asked)
        here.send(0, "start")
        here.play(60)
        here.look(whole=True)
        here.play(mistakes=0.05)
        here.look(whole=True)
        found.append(here.done())
    return found


def gathering(talk: Talk) -> list[Message]:
    """Chairs, colours, who begins, and all that is refused there."""
    here = talk(**table(4, [{"kind": "human", "name": " Bea\t"}, BOT, {"kind": "closed"}]))
    for person, kind, values in (
        (0, "sit", {"chair": 1}), (0, "sit", {"chair": 2}), (1, "sit", {"colour": 2}),
        (1, "sit", {"colour": 0}), (0, "sit", {"chair": 3}),
        (0, "arrange", {"chair": 0, "to": "closed"}), (0, "arrange", {"chair": 1, "to": "open"}),
        (0, "arrange", {"chair": 2, "to": "bot", "level": "nobody"}), (0, "start", {}),
        (0, "arrange", {"chair": 2, "to": "bot", "level": "maruf"}),
        (1, "arrange", {"chair": 1, "to": "open"}), (0, "choose_start", {"start": 1}),
        (0, "choose_start", {"start": 3}), (0, "arrange", {"chair": 3, "to": "closed"}),
        (0, "choose_start", {"start": 3}), (0, "choose_start", {"start": "random"}),
        (1, "choose_start", {"start": "order"}), (0, "choose_start", {"start": "order"}),
        (0, "move", {"action": 0}), (0, "undo", {}), (0, "resign", {}), (0, "propose_end", {}),
        (0, "answer_end", {"yes": True}), (0, "return", {}), (0, "rematch", {}), (1, "start", {}),
        (0, "decline", {}), (0, "bring", {"number": "0" * 64}), (1, "leave", {}), (0, "start", {}),
        (0, "arrange", {"chair": 1, "to": "closed"}), (0, "arrange", {"chair": 0, "to": "closed"}),
        (0, "start", {}), (0, "start", {"version": 99}), (0, "sit", {"chair": 1}),
    ):  # fmt: skip
        here.send(person, kind, **values)
    here.look(whole=True)
    refused = [
        table(2, name=" "), table(2, name="\u0301"), table(2, [BOT, BOT]), table(3, start=3),
        table(2, [{"kind": "human"}]), table(2, [{"kind": "bot", "level": "none"}]),
        table(2, rulebook="nl", rob="smuggle"), table(3, deal="6-8"), table(2, deal="x"),
        table(2, deal="26-1"), table(2, stand_in="none"), {**table(2), "lesson": True},
    ]  # fmt: skip
    for asked in refused:
        here.set_up(asked)
    return [here.done()]


def endings(talk: Talk) -> list[Message]:
    """R28: giving up, agreeing, leaving; and another game after the end."""
    found = []
    two = talk(**table(2, start="order"))
    two.send(0, "start")
    two.play(20, mistakes=0)
    for person, kind, values in (
        (1, "answer_end", {"yes": True}), (0, "propose_end", {}), (0, "propose_end", {}),
        (0, "answer_end", {"yes": True}), (1, "answer_end", {"yes": False}),
        (0, "propose_end", {}), (1, "propose_end", {}), (0, "answer_end", {"yes": True}),
        (0, "move", {"action": 5}), (0, "resign", {}), (0, "rematch", {}), (0, "rematch", {}),
        (1, "decline", {}), (1, "decline", {}), (1, "rematch", {}), (0, "start", {}),
    ):  # fmt: skip
        two.send(person, kind, **values)
        two.look()
    two.play(15, mistakes=0)
    two.send(1, "resign")
    two.send(1, "resign")
    two.look(whole=True)
    two.send(1, "rematch", now=True)
    two.send(0, "rematch", now=True)
    two.send(1, "sit")
    two.send(0, "start")
    two.play(3, mistakes=0)
    two.send(0, "leave")
    two.look(whole=True)
    found.append(two.done())
    four = talk(**table(4, stand_in="kasim", start=2))
    four.send(0, "start")
    four.play(40, mistakes=0)
    four.send(2, "resign")
    four.send(2, "move", action=0)
    four.send(2, "undo")
    four.send(2, "propose_end")
    four.play(10, mistakes=0.1)
    four.send(3, "propose_end")
    four.play(12, mistakes=0)
    four.look(whole=True)
    four.send(0, "leave")
    four.play(6, mistakes=0)
    four.send(1, "propose_end")
    four.send(3, "answer_end", yes=True)
    four.look(whole=True)
    four.send(3, "rematch")
    four.send(1, "rematch")
    four.look(whole=True)
    found.append(four.done())
    return found


def with_bots(talk: Talk) -> list[Message]:
    """People and bots, a proposal that bots answer, and the guided game."""
    found = []
    three = talk(**table(3, [BOT, {"kind": "human", "name": "Cem"}], start="order"))
    three.send(0, "start")
    three.play(25, mistakes=0.1)
    three.send(0, "propose_end")
    three.send(1, "answer_end", yes=True)
    three.play(12, mistakes=0)
    three.look(whole=True)
    three.play(mistakes=0)
    three.look(whole=True)
    found.append(three.done())
    others = [{"kind": "bot", "level": level} for level in ("hindbad", "zubaida", "morgiana")]
    four = talk(**table(4, others, start="order", spare="chosen"))
    four.send(0, "start")
    four.play(8, mistakes=0)
    found.append(four.done())
    lesson = talk(name="Ali", lesson=True)
    for kind, values in (
        ("sit", {"colour": 2}), ("arrange", {"chair": 1, "to": "open"}),
        ("choose_start", {"start": "random"}), ("start", {}),
    ):  # fmt: skip
        lesson.send(0, kind, **values)
    for token in LEARNERS:
        lesson.send(0, "move", action=token)
    lesson.play(30, mistakes=0.1)
    lesson.send(0, "resign")
    lesson.look(whole=True)
    lesson.send(0, "rematch")
    lesson.look(whole=True)
    found.append(lesson.done())
    return found


def fair_deals(talk: Talk) -> list[Message]:
    """Numbers that are promised and brought, the wrong one, and not at all."""
    found = []
    for hands in ("hidden", "seen"):
        here = talk(promise=promise_of("Ali"), **table(2, hands=hands, start="order"))
        here.send(1, "sit", promise=promise_of("Bea"))
        here.send(0, "start")
        here.look()
        here.play(3, mistakes=0)
        here.send(0, "move", action=0)
        here.send(1, "bring", number=number_of("Ali"))
        here.send(0, "bring", number=number_of("Ali"))
        here.send(0, "bring", number=number_of("Ali"))
        here.look()
        here.send(1, "bring", number=number_of("Bea"))
        here.look(whole=True)
        here.play(30, mistakes=0)
        here.send(1, "resign")
        here.look(whole=True)
        here.send(0, "rematch", promise=promise_of("Ali again"))
        here.send(1, "rematch")
        here.send(0, "start")
        here.send(1, "bring", number=number_of("Bea"))
        here.send(0, "bring", number=number_of("Ali again"))
        here.play(mistakes=0)
        here.look(whole=True)
        found.append(here.done())
    return found


CASES: dict[str, Callable[[Talk], list[Message]]] = {
    "whole games": whole_games,
    "gathering": gathering,
    "endings": endings,
    "with bots": with_bots,
    "fair deals": fair_deals,
}


@pytest.mark.parametrize("case", CASES)
def test_a_table_without_a_server_says_the_same(
    case: str, talk: Talk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check("tables", CASES[case](talk), tmp_path, monkeypatch)
