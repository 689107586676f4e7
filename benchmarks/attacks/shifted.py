"""`baghdad`, whose wall clock can be set: back an hour by SIGUSR1, on an hour by SIGUSR2.

Python's own `time.time` alone: the machine's clocks and the monotonic one stay as they are.
"""

import runpy
import signal
import time
from types import FrameType

HOUR = 3600.0


def main() -> None:
    real, shift = time.time, 0.0

    def shifted() -> float:
        return real() + shift

    def turn(number: int, _: FrameType | None) -> None:
        nonlocal shift
        shift += -HOUR if number == signal.SIGUSR1 else HOUR

    time.time = shifted
    signal.signal(signal.SIGUSR1, turn)
    signal.signal(signal.SIGUSR2, turn)
    runpy.run_module("baghdad", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
