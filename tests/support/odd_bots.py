"""Bots that nobody should write. A server survives them."""

import os
import sys
import threading
from collections.abc import Sequence

from baghdad.bots import Budget
from baghdad.rules.engine.actions import PASS_WITH_DANCER, Action
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.views import View


class Odd:
    """Does something odd, and then decides in a plain way."""

    def choose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng
    ) -> Action | Sequence[Action]:
        self.be_odd()
        return legal[0]

    def be_odd(self) -> None: ...


class Crashing(Odd):
    def be_odd(self) -> None:
        os._exit(3)


class Hanging(Odd):
    def be_odd(self) -> None:
        threading.Event().wait()


class Raising(Odd):
    def be_odd(self) -> None:
        raise ValueError("no idea")


class Leaving(Odd):
    def be_odd(self) -> None:
        sys.exit()


class Reading(Odd):
    def be_odd(self) -> None:
        input("your move? ")


class Printing(Odd):
    def be_odd(self) -> None:
        print("thinking " * 1000)
        os.write(1, b"\0\0\0\5hello")


class Cheating(Odd):
    def choose(self, *_: object) -> Action:
        return PASS_WITH_DANCER  # never while guards are placed


class Raving(Odd):
    def choose(self, *_: object) -> Action:
        return 123_456


class Muddled(Odd):
    def choose(self, *_: object) -> Sequence[Action]:
        return ["@R"]  # type: ignore[list-item]


class Silent(Odd):
    def choose(self, *_: object) -> Sequence[Action]:
        return []
