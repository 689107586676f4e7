"""Plays the deals of a match, in as many processes as wanted."""

import signal
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context

from .match import Match, Played, play_deal


def play_deals(
    match: Match, deals: Iterable[int], jobs: int
) -> Generator[list[Played], None, None]:
    """The games of each deal as it is done, in any order. Stop asking, and the rest is dropped."""
    if jobs == 1:
        for deal in deals:
            yield play_deal(match, deal)
        return
    # Spawned, not forked: compiled code and threads don't survive a fork well.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _leave_interrupts_to_the_parent)
    waiting = iter(deals)
    try:
        running: set[Future[list[Played]]] = set()
        while True:
            for deal in islice(waiting, 2 * jobs - len(running)):
                running.add(pool.submit(play_deal, match, deal))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
