"""`baghdad serve` for people who click faster than people do: few tables at their highest rate.

`python -m benchmarks.scale.server serve …` as `python -m baghdad serve …`; the limits are checked
as ever, but far off.
"""

import argparse
import sys
from dataclasses import replace

from baghdad.cli import main, serve
from baghdad.server.domain.limits import Limits

FAST = 1e6
"""Messages a second of one person."""
limits_of = serve.limits_of


def far_off(options: argparse.Namespace) -> Limits:
    return replace(limits_of(options), messages_a_second=FAST, burst=int(FAST))


if __name__ == "__main__":
    serve.limits_of = far_off
    sys.exit(main())
