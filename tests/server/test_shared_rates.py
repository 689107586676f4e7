"""Limits of an address that comes by way of several processes."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from baghdad.server.runtime.members import RENEW_SECONDS
from baghdad.server.transport import rates
from baghdad.server.transport.rates import AddressLimiter
from baghdad.server.transport.shared_rates import SharedRates

RATE, BURST, SECONDS, STEP = 20.0, 40, 60.0, 0.1


class Processes:
    """So many processes with a limit each, and a clock that is set by hand."""

    def __init__(self, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(rates, "time", SimpleNamespace(monotonic=lambda: self.now))
        self.told: list[bytes] = []
        self.limits: list[AddressLimiter] = []
        self._members: list[Any] = []
        for _ in range(number):
            limit = AddressLimiter(RATE, BURST, 100)
            links = SimpleNamespace(call=lambda _, body: self.told.append(body))
            living = set(range(number - 1))
            members: Any = SimpleNamespace(living=living, links=links, every=[], heard={})
            SharedRates({"requests": limit}, members)
            self.limits.append(limit)
            self._members.append(members)

    def pass_time(self, act: Callable[[], int]) -> int:
        """How often something passes in a while."""
        passed, ticks = 0, 0.0
        while ticks < SECONDS:
            passed += act()
            self.now += STEP
            ticks += STEP
            if ticks % RENEW_SECONDS < STEP:
                self.tell()
        return passed

    def tell(self) -> None:
        for members in self._members:
            for each in members.every:
                each()
            for other in self._members:
                if other is not members:
                    for body in self.told:
                        other.heard["spent"](body)
            self.told.clear()


@pytest.mark.parametrize("address", ["192.0.2.7", "2001:db8:0:100::/56"])
def test_an_address_does_little_more_by_several_ways_than_by_one(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    processes = Processes(3, monkeypatch)

    def all_it_can() -> int:
        return sum(limit.take(address) for limit in processes.limits for _ in range(BURST))

    passed = processes.pass_time(all_it_can)
    assert RATE * SECONDS * 0.9 < passed < 1.5 * RATE * SECONDS + 3 * BURST


def test_whoever_stays_just_below_what_is_told_does_half_as_much_again_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    processes = Processes(3, monkeypatch)
    debt = 0.0

    def quietly() -> int:
        nonlocal debt
        debt += RATE * STEP / 4.1  # at each of them: a little less than what is told of
        taken = int(debt)
        debt -= taken
        return sum(limit.take("192.0.2.7") for limit in processes.limits for _ in range(taken))

    assert processes.pass_time(quietly) < 1.5 * RATE * SECONDS


def test_a_neighbour_is_not_slowed_down(monkeypatch: pytest.MonkeyPatch) -> None:
    processes = Processes(2, monkeypatch)
    for limit in processes.limits:
        for _ in range(BURST):
            limit.take("192.0.2.7")
    processes.tell()
    assert [limit.take("192.0.2.7") for limit in processes.limits] == [False, False]
    assert [limit.take("192.0.2.8") for limit in processes.limits] == [True, True]
    processes.now += 2 * BURST / RATE
    assert [limit.take("192.0.2.7") for limit in processes.limits] == [True, True]
