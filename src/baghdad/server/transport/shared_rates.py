"""Limits of addresses that come by way of several processes: each tells the others what was taken.

Whoever takes a good part of a limit is told to all twice a second, and waits everywhere for what
was taken anywhere. So all processes together let an address do, lasting, at most one and a half
times what one would, and for a moment as many times as much as there are processes.
"""

from collections.abc import Mapping

import msgspec

from baghdad.server.runtime.members import RENEW_SECONDS, Members

from .rates import AddressLimiter, Buckets

KIND = "spent"
MOST_TOLD = 1000
"""Addresses at a time, of each limit: more than ever come near one."""

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(list[tuple[str, str, float]]).decode


class SharedRates:
    """The limits of this process, and what the others say of theirs."""

    def __init__(self, limits: Mapping[str, AddressLimiter], members: Members) -> None:
        self._members = members
        self._buckets: dict[str, Buckets] = {}
        for name, limit in limits.items():
            self._buckets[name], self._buckets[f"{name} of a site"] = limit.buckets
        members.every.append(self._tell)
        members.heard[KIND] = self._take

    def _tell(self) -> None:
        others = len(self._members.living)
        if not others or self._members.links is None:
            return
        told: list[tuple[str, str, float]] = []
        for limit, buckets in self._buckets.items():
            # What all others leave untold is less than half of what one may do.
            least = buckets.rate * RENEW_SECONDS / (2 * others)
            spent = ((limit, str(name), cost) for name, cost in buckets.spent(least))
            told += sorted(spent, key=lambda each: each[2], reverse=True)[:MOST_TOLD]
        if told:
            self._members.links.call(KIND, encode(told))

    def _take(self, body: bytes) -> None:
        for limit, name, cost in decode(body):
            if limit in self._buckets:  # else only a newer version has it
                self._buckets[limit].of(name).drain(cost)
