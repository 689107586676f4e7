"""What strangers can send, as bytes: targets of `tools/fuzz.py` and `tests/server/test_fuzz.py`.

A target takes any bytes. It returns where they were taken or refused as documented, and raises
whatever else came out: that is a finding.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from .costs import Bound
from .parsers import bodies, headers, positions, records, texts
from .tables import tables
from .wire import http, socket

Target: TypeAlias = Callable[[bytes], None]

TARGETS: Mapping[str, Target] = {
    "http": http,
    "socket": socket,
    "bodies": bodies,
    "headers": headers,
    "records": records,
    "positions": positions,
    "texts": texts,
    "tables": tables,
}

BOUNDS: Mapping[str, Bound] = {
    "http": Bound(60_000, 100),
    "socket": Bound(80_000, 150),
    "bodies": Bound(3_000, 5),
    "headers": Bound(5_000, 20),
    "records": Bound(20_000, 400),
    "positions": Bound(60_000, 60),
    "texts": Bound(5_000, 15),
    "tables": Bound(400_000, 0),
}
"""What each may cost: about four times the most that was seen of good and bad inputs."""
