"""The simulation of many servers: nothing is lost or made up, and it is the same every time."""

import pytest

from benchmarks.capacity.costs import fit
from benchmarks.capacity.plan import Assumptions, Prices, Sizes, plan
from benchmarks.capacity.simulation import Costs, Machine, World
from benchmarks.scale.__main__ import RESERVE, clients_for

COSTS = Costs(
    command=150e-6,
    commit=300e-6,
    relay=60e-6,
    database_commit=200e-6,
    database_event=20e-6,
    bus=10e-6,
    client=40e-6,
    disk=1e-3,
)


def world(servers: int, tables: int, *, together: bool = True, seed: int = 1) -> World:
    return World(COSTS, servers=servers, tables=tables, processors=4, together=together, seed=seed)


def test_one_command_at_a_time_takes_what_its_steps_cost() -> None:
    outcome = world(1, 1).closed(2.0)
    steps = (
        COSTS.client
        + COSTS.command
        + COSTS.commit
        + COSTS.database_commit
        + COSTS.database_event
        + COSTS.disk
    )
    assert outcome.p50 == pytest.approx(steps)
    assert outcome.rate == pytest.approx(1 / steps, rel=0.01)
    assert outcome.group == pytest.approx(1)


@pytest.mark.parametrize("servers", [1, 2, 5])
def test_commands_are_conserved(servers: int) -> None:
    simulated = world(servers, 40)
    simulated.closed(0.5)
    counts = simulated.counts
    # Each table has one under way at every moment.
    assert counts.called == counts.done + 40
    assert counts.done <= counts.events <= counts.called
    assert counts.commits <= counts.events


def test_work_is_conserved() -> None:
    """All processor time belongs to a step that was taken."""
    simulated = world(2, 40)
    simulated.closed(0.5)
    counts = simulated.counts
    least, most = (
        number * (COSTS.client + COSTS.command + COSTS.database_event)
        + counts.commits * (COSTS.commit + COSTS.database_commit)
        + counts.crossed * (2 * COSTS.relay + COSTS.bus)
        for number in (counts.done, counts.called)
    )
    worked = sum(each.worked for each in simulated.machines)
    # Those 40 that are under way have taken some of their steps.
    under_way = 40 * (COSTS.commit + COSTS.database_commit + 4 * (2 * COSTS.relay + COSTS.bus))
    assert least - under_way <= worked <= most + under_way


def test_no_machine_runs_more_than_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    begin, seen = Machine._start, set()

    def watched(machine: Machine) -> None:
        begin(machine)
        seen.add(machine.running)
        assert machine.running <= machine.processors

    monkeypatch.setattr(Machine, "_start", watched)
    outcome = world(8, 80).closed(0.5)
    assert max(seen) == 4
    assert outcome.busy <= 4


def test_it_is_the_same_every_time() -> None:
    def runs(seed: int) -> list[object]:
        return [world(3, 30, seed=seed).closed(0.3), world(3, 30, seed=seed).open(500, 0.3)]

    assert runs(1) == runs(1)
    assert runs(1) != runs(2)


def test_costs_are_found_again_in_what_they_make() -> None:
    """Measurements that the simulation itself has made are fitted to the costs behind them."""
    measured: dict[str, dict[str, dict[str, float]]] = {}
    for sockets, servers in ((4, 1), (400, 1), (400, 2)):
        outcome = world(servers, sockets // 4).closed(2.0)
        crossing = {1: 0.0, 2: 2.5}[servers]
        measured.setdefault(str(sockets), {})[str(servers)] = {
            "full p50": 1e3 * outcome.p50,
            "events in a commit": outcome.group,
            "µs of servers": 1e6
            * (COSTS.command + COSTS.commit / outcome.group + 2 * crossing * COSTS.relay),
            "µs of database": 1e6 * (COSTS.database_event + COSTS.database_commit / outcome.group),
            "µs of bus": 1e6 * crossing * COSTS.bus,
            "µs of clients": 1e6 * COSTS.client,
        }
    found = fit(measured, processors=4)
    for name in Costs.__slots__:
        assert getattr(found, name) == pytest.approx(getattr(COSTS, name), rel=0.01), name


def test_twice_the_tables_need_twice_of_everything() -> None:
    sizes = Sizes(event=400, log=350, socket=40_000, message=750)
    one, two = (
        plan(COSTS, sizes, Assumptions(tables=tables), Prices(), group=10) for tables in (1e6, 2e6)
    )
    assert {name: pytest.approx(2 * value) for name, value in one.items()} == two


def test_no_client_has_more_sockets_than_it_may_have_files() -> None:
    assert [clients_for(64_000, files) for files in (float("inf"), 200_000, 20_000)] == [1, 1, 4]
    for files in (600, 1024, 16_500, 20_000):
        clients = clients_for(64_000, files)
        assert 64_000 / clients + RESERVE <= files
        assert 64_000 / (clients - 1) + RESERVE > files
