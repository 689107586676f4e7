"""The checker of histories: it takes what can have been, and finds every kind of wrong."""

from itertools import permutations
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.histories.linearizability import OPEN, Operation, check
from benchmarks.histories.register import (
    Accepted,
    Event,
    Log,
    Read,
    Recorded,
    Seen,
    What,
    Whole,
    check_register,
    step,
)

LONG = 1500
"""Events of a table: more than any of a benchmark's."""


def told(*commands: str) -> tuple[Recorded, list[Event]]:
    """Commands one after another, each accepted and seen by somebody else; and the database."""
    recorded = Recorded()
    for place, command in enumerate(commands):
        recorded.call(command, place)
        recorded.answer(command, place + 0.5, Accepted(command, place + 1))
        recorded.see(place + 1, f"at {place}", place + 0.7)
    stored = [Event(place + 1, each, f"at {place}") for place, each in enumerate(commands)]
    return recorded, stored


def holds(recorded: Recorded, stored: list[Event], *, reads: bool = True) -> bool:
    return check_register(recorded.history(stored, reads=reads)).linearizable


# What can have been


def test_commands_one_after_another_are_taken() -> None:
    recorded, stored = told("a", "b", "c")
    verdict = check_register(recorded.history(stored, reads=True))
    assert verdict.linearizable
    done = [each.what.command for each in verdict.order if isinstance(each.what, Accepted)]
    assert done == ["a", "b", "c"]


def test_an_unanswered_command_may_have_happened_or_not() -> None:
    recorded, stored = told("a", "b")
    recorded.call("c", 0.2)
    assert holds(recorded, stored)
    assert holds(recorded, [*stored, Event(3, "c", "at 9")])


def test_what_the_server_does_by_itself_is_taken() -> None:
    recorded, stored = told("a", "b")
    assert holds(recorded, [*stored, Event(3, "bot:1", "at 7"), Event(4, "bot:2", "at 8")])


def test_a_refusal_during_a_command_may_tell_either_number() -> None:
    for number in (1, 2):
        recorded, stored = told("a", "b")
        recorded.call("c", 1.1)
        recorded.answer("c", 1.4, Read(number))
        assert holds(recorded, stored), number


def test_a_command_sent_again_counts_from_its_first_sending() -> None:
    recorded, stored = told("a", "b")
    recorded.call("late", 0.1)
    recorded.call("late", 5.0)
    recorded.answer("late", 5.5, Accepted("late", 3))
    assert holds(recorded, [*stored, Event(3, "late", "at 9")])


# What can't


def test_an_acknowledged_command_that_is_lost() -> None:
    recorded, stored = told("a", "b", "c")
    assert not holds(recorded, stored[:2])


def test_an_acknowledged_command_whose_place_another_took() -> None:
    recorded, stored = told("a", "b", "c")
    assert not holds(recorded, [stored[0], Event(2, "other", "at 1"), stored[2]])


@pytest.mark.parametrize("answered", [True, False])
def test_a_command_that_is_done_twice(answered: bool) -> None:
    recorded, stored = told("a", "b")
    recorded.call("c", 2.0)
    if answered:
        recorded.answer("c", 2.5, Accepted("c", 3))
    twice = [Event(3, "c", "at 2"), Event(4, "c", "at 3")]
    assert holds(recorded, [*stored, twice[0]])
    assert not holds(recorded, [*stored, *twice])


def test_an_event_of_the_server_that_is_done_twice() -> None:
    recorded, stored = told("a")
    assert not holds(recorded, [*stored, Event(2, "bot:1", "x"), Event(3, "bot:1", "y")])


def test_commands_against_the_order_of_time() -> None:
    recorded = Recorded()
    for place, (command, number) in enumerate((("a", 2), ("b", 1))):
        recorded.call(command, place)
        recorded.answer(command, place + 0.5, Accepted(command, number))
    stored = [Event(1, "b", "x"), Event(2, "a", "y")]
    assert not holds(recorded, stored)
    recorded.commands["b"].called = 0.1  # at the same time it is none
    assert holds(recorded, stored)


def test_two_events_under_one_number() -> None:
    recorded, stored = told("a", "b")
    recorded.see(2, "something else", 3.0)
    assert not holds(recorded, stored)


def test_two_commands_acknowledged_under_one_number() -> None:
    recorded, stored = told("a", "b")
    recorded.call("c", 1.0)
    recorded.answer("c", 2.0, Accepted("c", 2))
    assert not holds(recorded, stored)


def test_an_event_that_is_shown_before_anybody_asked_for_it() -> None:
    recorded, stored = told("a", "b")
    recorded.seen[2, "at 1"] = 0.6
    assert not holds(recorded, stored)


def test_a_stale_read() -> None:
    recorded, stored = told("a", "b")
    recorded.call("c", 2.0)
    recorded.answer("c", 2.5, Read(1))
    assert not holds(recorded, stored)
    assert holds(recorded, stored, reads=False)


def test_a_refused_command_that_was_done() -> None:
    recorded, stored = told("a")
    recorded.call("b", 1.0)
    recorded.answer("b", 1.5, Read(1))
    for reads in (True, False):
        assert not holds(recorded, [*stored, Event(2, "b", "at 1")], reads=reads)


def test_a_gap_in_the_database() -> None:
    recorded, stored = told("a", "b", "c")
    assert not holds(recorded, [stored[0], stored[2]])


def test_the_verdict_names_where_it_breaks() -> None:
    recorded, stored = told("a", "b", "c")
    recorded.call("d", 1.6)
    recorded.answer("d", 1.8, Read(1))
    verdict = check_register(recorded.history(stored, reads=True))
    assert verdict.stuck is not None
    assert verdict.stuck.what == Read(1)
    done = [each.what.command for each in verdict.order if isinstance(each.what, Accepted)]
    assert done[:2] == ["a", "b"]


# The algorithm


COMMANDS = "abcd"
answers: st.SearchStrategy[What] = st.one_of(
    st.builds(Accepted, st.sampled_from(COMMANDS), st.sampled_from((None, 1, 2, 3))),
    st.builds(Read, st.integers(0, 3)),
    st.builds(Seen, st.integers(1, 3), st.sampled_from(COMMANDS)),
    st.builds(Whole, st.lists(st.sampled_from(COMMANDS), max_size=3).map(tuple)),
)
operations = st.builds(
    lambda called, lasts, what: Operation(called, called + lasts, what),
    st.integers(0, 8),
    st.sampled_from((0, 1, 2, 4, inf)),
    answers,
)


def brute(history: list[Operation[What]]) -> bool:
    """By trying every order of every choice of what was never answered."""
    must = [each for each in history if each.answered < OPEN]
    may = [each for each in history if each.answered == OPEN]
    for choice in range(2 ** len(may)):
        chosen = must + [each for place, each in enumerate(may) if choice >> place & 1]
        for order in permutations(chosen):
            if any(
                order[later].answered < order[first].called
                for first in range(len(order))
                for later in range(first + 1, len(order))
            ):
                continue
            state: Log | None = Log()
            for each in order:
                state = step(state, each.what) if state is not None else None
            if state is not None:
                return True
    return False


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(operations, max_size=4))
def test_it_finds_what_trying_every_order_finds(history: list[Operation[What]]) -> None:
    verdict = check(history, Log(), step)
    assert verdict.linearizable == brute(history)
    if verdict.linearizable:
        state: Log | None = Log()
        for each in verdict.order:
            assert state is not None
            state = step(state, each.what)
        assert state is not None
        assert {id(e) for e in history if e.answered < OPEN} <= {id(e) for e in verdict.order}


def test_a_long_history_takes_no_longer_than_it_is_long() -> None:
    """Steps of the model, not seconds: four people at once, a refusal now and then."""
    recorded, stored = Recorded(), []
    for place in range(LONG):
        command = f"c{place}"
        recorded.call(command, place - 3.0)  # with three others on the way
        recorded.answer(command, place + 0.5, Accepted(command, place + 1))
        recorded.see(place + 1, f"at {place}", place + 0.6)
        if place % 10 == 9:
            recorded.call(f"r{place}", place + 0.7)
            recorded.answer(f"r{place}", place + 0.8, Read(place + 1))
        stored.append(Event(place + 1, command, f"at {place}"))
    taken = 0

    def counted(log: Log, what: What) -> Log | None:
        nonlocal taken
        taken += 1
        return step(log, what)

    history = recorded.history(stored, reads=True)
    assert check(history, Log(), counted).linearizable
    assert taken < 10 * len(history)
