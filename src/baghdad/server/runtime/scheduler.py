"""Sees to it that tables go on: bots think, and timers wait for people."""

import asyncio
import logging
from collections.abc import Coroutine
from hashlib import sha256
from typing import Any, Literal

from baghdad.rules.engine.actions import END_TURN, PASS_CARDS
from baghdad.rules.engine.material import Seat
from baghdad.rules.errors import MoveError
from baghdad.rules.game import Game
from baghdad.server.domain.decisions import ending, playing
from baghdad.server.domain.decisions.world import Outcome
from baghdad.server.domain.events import Ended, EventNumber, Milliseconds, StoodIn
from baghdad.server.domain.table import Table
from baghdad.server.ops import metrics
from baghdad.server.storage.errors import StorageError

from .actor import StaleError, TableActor
from .bot_pool import BotPool
from .clock import Clock

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
"""After a failure: soon enough for people who wait, seldom enough for a database in trouble."""
NUMBER_SECONDS = 30
"""For a device to bring its number to the deal: over a slow network, or after a reload."""
LONGEST_WAIT = 600.0
"""Seconds: timers stand still while a laptop sleeps, so that long ones are set in steps. Whoever
opens it again waits no longer than this for a bot."""

ABANDONED_AFTER: Milliseconds = 60 * 86_400_000
"""A game that nobody has touched for so long is abandoned (R28): a game by correspondence outlives
a long holiday."""
MOST_TURNS = 3000
"""Of a game that bots play alone: twice as many as those need who play at random (R27)."""


class TurnScheduler:
    """Looks after all tables that are awake."""

    def __init__(self, bots: BotPool, clock: Clock, bot_seconds: float) -> None:
        self.bots = bots
        self.clock = clock
        self.bot_seconds = bot_seconds
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False

    async def close(self) -> None:
        """Begin nothing more. What was posted is still handled."""
        self._closing = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        # A process that is just being started for a bot has to be ended in peace.
        await asyncio.gather(*tasks, return_exceptions=True)

    def look_after(self, actor: TableActor) -> None:
        """Let a bot think, or a timer wait for a person."""
        if self._closing or actor.lost:
            return
        table = actor.table
        if self._how_over(actor) is not None:
            if actor.ending is None:
                actor.ending = self._spawn(self._end(actor))
            return
        if not actor.paused:
            if table.unanswered[1] and actor.asking is None:
                actor.asking = self._spawn(self._ask_bots(actor))
            if bot_waits(table) and actor.thinking is None:
                actor.thinking = self._spawn(self._think(actor))
        self.set_timer(actor)

    def retry_later(self, actor: TableActor) -> None:
        """Something failed: look after the table in a moment."""
        if actor.retry is None and not self._closing and not actor.lost:
            actor.retry = self.clock.later(RETRY_SECONDS, lambda: self._retry(actor))

    def _retry(self, actor: TableActor) -> None:
        actor.retry = None
        if actor.fresh:
            self.look_after(actor)
        elif not self._closing:
            self._spawn(self._refresh(actor))

    async def _refresh(self, actor: TableActor) -> None:
        """Have the events read again, even if nobody asks."""

        def nothing(_: Table) -> Outcome:
            raise StaleError

        try:
            await actor.post("", nothing)
        except StaleError:
            pass
        except Exception:  # the database is still away
            self.retry_later(actor)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # Bots

    async def _think(self, actor: TableActor) -> None:
        try:
            while (seat := actor.table.on_turn) is not None and not self._closing:
                level, game = actor.table.bot_to_ask(seat), actor.table.game
                if level is None or game is None or self._how_over(actor) is not None:
                    return
                if actor.paused:
                    return
                await self._bot_turn(actor, seat, level, game)
        except Exception as error:
            bug = not isinstance(error, StorageError)
            log.error("a bot could not move", extra={"table": actor.table.code}, exc_info=bug)
            self.retry_later(actor)
        finally:
            actor.thinking = None

    async def _bot_turn(self, actor: TableActor, seat: Seat, level: str, game: Game) -> None:
        """Let a bot decide, and play what it has decided, as long as nobody interferes."""
        base = actor.table.changed
        # Its generator: the same after a restart, unknown to opponents, and no word of the seed.
        stream = sha256(f"bot {actor.table.seed} {actor.table.number}".encode()).hexdigest()
        actions = await self.bots.think(
            level, bytes(game.view(seat)), game.legal(), stream, self.bot_seconds, actor.claim
        )
        instead = actions is None
        for action in actions or [simple_action(game)]:
            try:
                base = await self._bot_move(actor, seat, action, base, instead)
            except StaleError:
                return
            except MoveError as error:
                metrics.INSTEAD.labels(level, "illegal").inc()
                log.warning(
                    "a bot wanted what is illegal: %s",
                    error,
                    extra={"table": actor.table.code, "bot": level},
                )
                now = actor.table.game
                if now is not None and actor.table.on_turn == seat:
                    await self._bot_move(actor, seat, simple_action(now), base, True)
                return

    async def _bot_move(
        self, actor: TableActor, seat: Seat, action: int, base: EventNumber, instead: bool
    ) -> EventNumber:
        def decide(table: Table) -> Outcome:
            if table.changed != base or table.bot_at(seat) is None:
                raise StaleError  # the player is back, or another server was faster
            return playing.move(table, seat, action, bot=True, instead=instead)

        return await actor.post(f"bot:{base}", decide)

    # Endings without a move (R28)

    def _how_over(self, actor: TableActor) -> Literal["abandoned", "turn limit"] | None:
        """How a game is over by now that nobody has ended."""
        table = actor.table
        if not table.playing or table.game is None:
            return None
        if actor.now() - table.touched >= ABANDONED_AFTER:
            return "abandoned"
        alone = all(table.bot_at(seat) is not None for seat in range(len(table.order)))
        return "turn limit" if alone and table.game.turns >= MOST_TURNS else None

    async def _end(self, actor: TableActor) -> None:
        def decide(_: Table) -> Outcome:
            how = self._how_over(actor)
            if how is None:
                raise StaleError
            return Ended(how), None

        try:
            await actor.post(f"end:{actor.table.number}", decide)
        except StaleError:
            pass
        except Exception as error:
            bug = not isinstance(error, StorageError)
            log.error("a game does not end", extra={"table": actor.table.code}, exc_info=bug)
            self.retry_later(actor)
        finally:
            actor.ending = None

    async def _ask_bots(self, actor: TableActor) -> None:
        """Let bots think about a proposal to end the game, one after another."""
        try:
            while (seat := next(iter(actor.table.unanswered[1]), None)) is not None:
                proposal, game = actor.table.proposed, actor.table.game
                level = actor.table.bot_at(seat)
                if proposal is None or game is None or level is None or self._closing:
                    return
                if actor.paused:
                    return
                try:
                    await self._ask_bot(actor, proposal.number, seat, level, game)
                except StaleError:
                    continue  # there may be another proposal by now
        except Exception as error:
            bug = not isinstance(error, StorageError)
            log.error("a bot does not answer", extra={"table": actor.table.code}, exc_info=bug)
            self.retry_later(actor)
        finally:
            actor.asking = None

    async def _ask_bot(
        self, actor: TableActor, number: EventNumber, seat: Seat, level: str, game: Game
    ) -> None:
        stream = sha256(f"end {actor.table.seed} {number} {seat}".encode()).hexdigest()
        yes = await self.bots.agrees(level, bytes(game.view(seat)), stream, actor.claim)

        def decide(table: Table) -> Outcome:
            outcome = ending.bot_answers_end(table, number, seat, yes=yes)
            if outcome is None:
                raise StaleError  # it is over, refused, or another's by now
            return outcome

        await actor.post(f"end:{number}:{seat}", decide)

    # Clocks

    def set_timer(self, actor: TableActor) -> None:
        if actor.timer is not None:
            actor.timer.cancel()
            actor.timer = None
        due = self._due(actor)
        if due is not None and not self._closing and not actor.lost:
            wait = min(max(0.0, (due - actor.now()) / 1000), LONGEST_WAIT)
            actor.timer = self.clock.later(wait, lambda: self._timer_over(actor))

    def _timer_over(self, actor: TableActor) -> None:
        actor.timer = None
        if self._is_due(actor) and not self._closing:
            self._spawn(self._act_for_absent(actor))
        else:
            self.set_timer(actor)

    def _is_due(self, actor: TableActor) -> bool:
        due = self._due(actor)
        return due is not None and due <= actor.now()

    def _due(self, actor: TableActor) -> Milliseconds | None:
        """When something is to be done for people who do nothing; None where there is no reason."""
        return self._deal_due(actor) if actor.table.deal_waits else self._stand_in_due(actor)

    def _deal_due(self, actor: TableActor) -> Milliseconds:
        """When the cards are dealt without the numbers that are missing."""
        table = actor.table
        chairs = [table.chairs[table.order[seat]] for seat in table.awaited]
        if all(chair.person is None for chair in chairs):
            return actor.now()  # those who have left bring nothing any more
        return max(table.started, actor.since) + 1000 * NUMBER_SECONDS

    def _stand_in_due(self, actor: TableActor) -> Milliseconds | None:
        """When a bot stands in for whoever's turn it is; None while there is no reason to."""
        table, agreement = actor.table, actor.table.agreement
        if agreement.stand_in is None:
            return None
        seat = table.on_turn
        if not table.playing or seat is None:
            return None
        if table.bot_at(seat) is not None:
            return None
        grace = 1000 * agreement.grace_seconds
        end = table.deadline
        if end is not None:
            return max(end, actor.since) + grace
        person = table.chairs[table.order[seat]].person
        if person is None or person in actor.present():
            return None
        return max(table.on_since, actor.seen.setdefault(person, actor.now())) + grace

    async def _act_for_absent(self, actor: TableActor) -> None:
        def decide(table: Table) -> Outcome:
            if not self._is_due(actor):
                raise StaleError  # the player has come back in the meantime, or the number
            if table.deal_waits:
                return playing.leave_out(table)
            assert table.on_turn is not None, "else nothing is due"
            return StoodIn(table.on_turn, table.agreement.stand_in or ""), None

        try:
            await actor.post(f"alarm:{actor.table.number}", decide)
        except StaleError:
            self.set_timer(actor)
        except Exception as error:
            bug = not isinstance(error, StorageError)
            log.error("an alarm did nothing", extra={"table": actor.table.code}, exc_info=bug)
            self.retry_later(actor)


def bot_waits(table: Table) -> bool:
    """Whether it is the turn of a bot."""
    seat = table.on_turn
    return table.playing and seat is not None and table.bot_at(seat) is not None


def simple_action(game: Game) -> int:
    """What is played for a bot that has no answer: end the turn, or the first legal placement."""
    legal = game.legal()
    for action in (END_TURN, PASS_CARDS):
        if action in legal:
            return action
    return legal[0]
