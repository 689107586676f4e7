"""Plays the deals of a match on a Ray cluster: what a node that dies was playing, another plays.

Ray is an extra of its own, and imported only where it is asked for.
"""

import logging
import platform
import socket
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from importlib import import_module
from typing import Any, TypeAlias

from baghdad.bots import BUILTIN_BOTS, bot_names

from .fingerprint import FINGERPRINT as FINGERPRINT
from .local import in_order
from .match import Match, Played, play_deal

RETRIES = 20
"""Nodes come and go; but a bot that brings down whatever plays it must not be tried for ever."""
PATIENCE = 5.0
"""Seconds in which a cluster has to answer. Ray itself would go on trying for minutes."""

Complaint: TypeAlias = tuple[str, dict[str, str]]


class ClusterError(Exception):
    """Something is wrong with the cluster; `key` is its text under `cluster.`."""

    def __init__(self, key: str, **values: str) -> None:
        super().__init__(key, values)
        self.key, self.values = key, values


@contextmanager
def connected(address: str) -> Iterator[str]:
    """Work with the Ray cluster at this address; gives what it is, in words."""
    ray = _ray()
    # Ray tells of nodes that died on standard output, where the result has to be alone.
    with ExitStack() as leaving:
        leaving.enter_context(redirect_stdout(sys.stderr))
        leaving.callback(ray.shutdown)
        try:
            _knock(address)
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
        except Exception as error:  # Ray raises whatever it likes
            reason = " ".join(str(error).split())
            key = "versions" if reason.startswith("Version mismatch") else "unreachable"
            raise ClusterError(key, address=address, reason=reason) from None
        nodes = sum(node["Alive"] for node in ray.nodes())
        yield f"Ray {ray.__version__}, {nodes} nodes, {_processors()} cores"


def play_on_ray(match: Match, deals: Iterable[int]) -> Generator[list[Played], None, None]:
    """The games of each deal, in order, while `connected`."""
    ray = _ray()

    # Nested, and so sent as code and not as a name; and it names nothing of ours but where it
    # can fail: a node without Baghdad can say so.
    def play(match: Any, deal: int, fingerprint: str) -> Any:
        try:
            from .cluster import play_here
        except ImportError as error:
            import platform

            return "no_baghdad", {"node": platform.node(), "reason": str(error)}
        return play_here(match, deal, fingerprint)

    def collect(work: Any) -> list[Played]:
        try:
            games: list[Played] | Complaint = ray.get(work)
        except ray.exceptions.RayTaskError:
            raise  # a bot's mistake, with its place
        except ray.exceptions.RayError as error:
            raise ClusterError("lost", reason=" ".join(str(error).split())) from None
        if isinstance(games, tuple):
            key, values = games
            raise ClusterError(key, **values)
        return games

    data, task = match.as_json(), ray.remote(num_cpus=1, max_retries=RETRIES)(play)
    yield from in_order(
        deals, lambda deal: task.remote(data, deal, FINGERPRINT), collect, _processors
    )


def play_here(data: dict[str, Any], deal: int, fingerprint: str) -> list[Played] | Complaint:
    """On a node: the games of a deal, or why they would not be the same as elsewhere."""
    node = platform.node()
    if fingerprint != FINGERPRINT:
        return "fingerprint", {"node": node, "theirs": FINGERPRINT, "ours": fingerprint}
    match = Match.from_json(data)
    for name in set(match.bots) - set(BUILTIN_BOTS):
        if name not in bot_names():
            return "no_bot", {"node": node, "name": name}
    return play_deal(match, deal)


def _ray() -> Any:
    try:
        return import_module("ray")
    except ModuleNotFoundError:
        raise ClusterError("no_ray") from None


def _processors() -> int:
    """How many the cluster has at the moment; at least one, which may be yet to come."""
    return max(int(_ray().cluster_resources().get("CPU", 0)), 1)


def _knock(address: str) -> None:
    """Fail soon where nobody listens. For `auto` and the like Ray does so by itself."""
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal() or "/" in host:
        return
    if host in ("localhost", "127.0.0.1"):
        host = _ray().util.get_node_ip_address()  # where Ray looks for it
    socket.create_connection((host, int(port)), PATIENCE).close()
