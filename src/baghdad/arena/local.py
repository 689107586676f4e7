"""Plays the deals of a match, in as many processes as wanted."""

import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import TypeVar

from .match import Match, Played, play_deal

Work = TypeVar("Work")

AHEAD = 4
"""Deals handed out for each processor, so that a slow one keeps nobody waiting."""


def play_deals(
    match: Match, deals: Iterable[int], jobs: int
) -> Generator[list[Played], None, None]:
    """The games of each deal, in order. Stop asking, and the rest is dropped."""
    if jobs == 1:
        for deal in deals:
            yield play_deal(match, deal)
        return
    # Spawned, not forked: compiled code and threads don't survive a fork well.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _leave_interrupts_to_the_parent)
    try:
        yield from in_order(
            deals, lambda deal: pool.submit(play_deal, match, deal), Future.result, lambda: jobs
        )
    finally:
        workers = list(pool._processes.values())
        pool.shutdown(wait=False, cancel_futures=True)
        # What they still play nobody asks for, and Python would wait for it at its end.
        for worker in workers:
            worker.terminate()


def in_order(
    deals: Iterable[int],
    hand_out: Callable[[int], Work],
    collect: Callable[[Work], list[Played]],
    processors: Callable[[], int],
) -> Generator[list[Played], None, None]:
    """Deals are played side by side and come back in order, whichever is done first.

    So a match stopped early is a beginning of the whole one, and not the shorter of its games.
    """
    waiting = iter(deals)
    out: deque[Work] = deque()
    while True:
        out.extend(map(hand_out, islice(waiting, max(AHEAD * processors() - len(out), 0))))
        if not out:
            return
        yield collect(out.popleft())


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
