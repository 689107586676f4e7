"""A discrete-event simulation of servers, database and bus, to the cost of every step.

What is simulated: threads that do one thing after another, machines with so many processors for
them, a writer in each server that commits all that waits in one transaction, a disk that makes all
commits durable which wait for it, and commands whose sockets are at any server. What is not: the
rules, the network's delays, garbage collection.
"""

import heapq
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

MOST_IN_ONE = 500
"""Events in a commit, as in the event store."""
SEATS = 4
Then = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds of a processor, but for the disk's."""

    command: float
    """A server: to read, decide, and send to four sockets of its own."""
    commit: float
    """A server: to write whatever waits."""
    relay: float
    """Either server: a message that crosses the bus."""
    database_commit: float
    database_event: float
    bus: float
    """A message."""
    client: float
    """Those who play: a command and its four messages, where they share the machine."""
    disk: float
    """Until the disk has what was written; not a processor's time."""


class Kernel:
    """Time, and what is to happen at which moment; in the order of arrival at the same one."""

    def __init__(self) -> None:
        self.now = 0.0
        self._next = 0
        self._due: list[tuple[float, int, Then]] = []

    def later(self, seconds: float, then: Then) -> None:
        self._next += 1
        heapq.heappush(self._due, (self.now + seconds, self._next, then))

    def run(self, until: float) -> None:
        while self._due and self._due[0][0] <= until:
            self.now, _, then = heapq.heappop(self._due)
            then()
        self.now = until


class Machine:
    """Processors, which threads wait for in the order of their coming."""

    def __init__(self, kernel: Kernel, processors: int) -> None:
        self._kernel = kernel
        self.processors = processors
        self.running = 0
        self.worked = 0.0
        self._waiting: deque[tuple[float, Then]] = deque()

    def work(self, seconds: float, then: Then) -> None:
        self._waiting.append((seconds, then))
        self._start()

    def _start(self) -> None:
        while self._waiting and self.running < self.processors:
            seconds, then = self._waiting.popleft()
            self.running += 1
            self._kernel.later(seconds, lambda s=seconds, t=then: self._done(s, t))  # type: ignore[misc]

    def _done(self, seconds: float, then: Then) -> None:
        self.running -= 1
        self.worked += seconds
        then()
        self._start()


class Thread:
    """Does one thing after another, on its machine."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._busy = False
        self._waiting: deque[tuple[float, Then]] = deque()

    def work(self, seconds: float, then: Then) -> None:
        self._waiting.append((seconds, then))
        if not self._busy:
            self._go_on()

    def _go_on(self) -> None:
        if not self._waiting:
            self._busy = False
            return
        self._busy = True
        seconds, then = self._waiting.popleft()

        def done() -> None:
            then()
            self._go_on()

        self._machine.work(seconds, done)


class Disk:
    """Makes everything durable that waits for it, one time after another."""

    def __init__(self, kernel: Kernel, seconds: float) -> None:
        self._kernel = kernel
        self._seconds = seconds
        self._waiting: list[Then] = []
        self._busy = False

    def sync(self, then: Then) -> None:
        self._waiting.append(then)
        if not self._busy:
            self._go_on()

    def _go_on(self) -> None:
        if not self._waiting:
            self._busy = False
            return
        self._busy = True
        group, self._waiting = self._waiting, []

        def done() -> None:
            for then in group:
                then()
            self._go_on()

        self._kernel.later(self._seconds, done)


@dataclass(slots=True)
class Command:
    """On its way."""

    began: float
    owner: "Server"
    sender: "Server"
    others: "list[Server]"
    """Where those four sockets are that are to hear of it."""
    done: Callable[[float], None]
    missing: int = SEATS


@dataclass(slots=True)
class Counts:
    """Of a run so far."""

    called: int = 0
    done: int = 0
    events: int = 0
    commits: int = 0
    crossed: int = 0
    """Messages over the bus."""
    times: list[float] = field(default_factory=list)


class Server:
    """A process: its thread, and its connection to the database."""

    def __init__(self, world: "World", machine: Machine) -> None:
        self.thread = Thread(machine)
        self.world = world
        self._backend = Thread(world.database)
        self._waiting: list[Command] = []
        self._writing = False

    def take(self, command: Command) -> None:
        """A command for a table of its own."""
        self.thread.work(self.world.costs.command, lambda: self._append(command))

    def _append(self, command: Command) -> None:
        self._waiting.append(command)
        if not self._writing:
            self._writing = True
            self._write()

    def _write(self) -> None:
        if not self._waiting:
            self._writing = False
            return
        world, costs = self.world, self.world.costs
        group, self._waiting = self._waiting[:MOST_IN_ONE], self._waiting[MOST_IN_ONE:]
        database = costs.database_commit + len(group) * costs.database_event

        def durable() -> None:
            world.counts.commits += 1
            world.counts.events += len(group)
            for command in group:
                self._tell(command)
            self._write()

        self.thread.work(
            costs.commit,
            lambda: self._backend.work(database, lambda: world.disk.sync(durable)),
        )

    def _tell(self, command: Command) -> None:
        for server in command.others:
            if server is self:
                self.world.heard(command)
            else:
                self.world.carry(self, server, lambda: self.world.heard(command))


class World:
    """Servers with their tables, over one database and one bus."""

    def __init__(
        self,
        costs: Costs,
        *,
        servers: int,
        tables: int,
        processors: int,
        together: bool,
        seed: int = 1,
    ) -> None:
        """`processors`: of a machine; `together`: there is but one, for everything."""
        self.costs = costs
        self.kernel = Kernel()
        self.counts = Counts()
        self.rng = random.Random(seed)
        one = Machine(self.kernel, processors)
        self.machines = [one]

        def machine() -> Machine:
            if together:
                return one
            self.machines.append(Machine(self.kernel, processors))
            return self.machines[-1]

        self.database = machine()
        self.disk = Disk(self.kernel, costs.disk)
        self._bus = Thread(machine())
        self._clients = Thread(one) if together else None
        self.servers = [Server(self, one if together else machine()) for _ in range(servers)]
        # Each seat of a table at another server, the first at the table's owner.
        self._seats = [
            [self.servers[(table + seat) % servers] for seat in range(SEATS)]
            for table in range(tables)
        ]

    def call(self, table: int, done: Callable[[float], None]) -> None:
        """Somebody at a table sends a command."""
        seats = self._seats[table]
        owner, sender = seats[0], self.rng.choice(seats)
        self.counts.called += 1
        command = Command(self.kernel.now, owner, sender, seats, done)

        def send() -> None:
            if sender is owner:
                owner.take(command)
            else:
                self.carry(sender, owner, lambda: owner.take(command))

        if self._clients is None:
            send()
        else:
            self._clients.work(self.costs.client, send)

    def carry(self, source: Server, target: Server, then: Then) -> None:
        """Over the bus, from one server to another."""
        self.counts.crossed += 1
        relay = self.costs.relay
        source.thread.work(
            relay,
            lambda: self._bus.work(self.costs.bus, lambda: target.thread.work(relay, then)),
        )

    def heard(self, command: Command) -> None:
        """One of the four sockets has it."""
        command.missing -= 1
        if command.missing == 0:
            taken = self.kernel.now - command.began
            self.counts.done += 1
            self.counts.times.append(taken)
            command.done(taken)

    # What is asked of it

    def closed(self, seconds: float, warm: float = 1.0) -> "Outcome":
        """Every table sends its next command when all have heard of the last."""
        for table in range(len(self._seats)):
            self._again(table)
        return self._measure(seconds, warm)

    def _again(self, table: int) -> None:
        self.call(table, lambda _: self._again(table))

    def open(self, rate: float, seconds: float, warm: float = 1.0) -> "Outcome":
        """So many commands a second, whatever becomes of them."""

        def next_one() -> None:
            self.call(self.rng.randrange(len(self._seats)), lambda _: None)
            self.kernel.later(self.rng.expovariate(rate), next_one)

        next_one()
        return self._measure(seconds, warm)

    def _measure(self, seconds: float, warm: float) -> "Outcome":
        self.kernel.run(warm)
        before, commits = self.counts.done, self.counts.commits
        worked = sum(each.worked for each in self.machines)
        self.counts.times.clear()
        self.kernel.run(warm + seconds)
        times = sorted(self.counts.times)
        done = self.counts.done - before
        return Outcome(
            rate=done / seconds,
            p50=times[len(times) // 2] if times else 0.0,
            p99=times[len(times) * 99 // 100] if times else 0.0,
            group=done / max(1, self.counts.commits - commits),
            busy=(sum(each.worked for each in self.machines) - worked) / seconds,
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a simulated run came to."""

    rate: float
    p50: float
    p99: float
    group: float
    """Events in a commit."""
    busy: float
    """Processors at work."""
