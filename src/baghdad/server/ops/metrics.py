"""What an operator wants to see, for Prometheus."""

from functools import cache

from prometheus_client import Counter, Gauge, Histogram

from baghdad.server.storage.event_store import EventStore

COMMANDS = Counter("baghdad_commands", "Commands, by what became of them", ["result"])
ACCEPTED = COMMANDS.labels("accepted")
EVENTS = Counter("baghdad_events", "Events stored", ["kind"])
event_of = cache(EVENTS.labels)
"""The counter of a kind of event; to find one takes longer than to count."""
SOCKETS = Gauge("baghdad_sockets", "Open sockets")
WRITABLE = Gauge(
    "baghdad_database_writable", "1 where the last event, or trial of /ready, was stored"
)
TABLES = Gauge("baghdad_tables", "Tables in memory")
PAUSED = Gauge("baghdad_tables_paused", "Tables in memory whose bots wait for somebody to look")
BOTS_WAITING = Gauge("baghdad_bots_waiting", "Bots that wait for a process to think in")
SLOW = Counter("baghdad_slow_clients", "Sockets closed because they did not keep up")
CUT_CONNECTIONS = Counter(
    "baghdad_connections_cut", "Connections that sent too much, or took too long", ["why"]
)
REFUSED_CONNECTIONS = Counter(
    "baghdad_connections_refused",
    "Connections for which there was no room: of their address, or no file left",
    ["why"],
)
COMMIT = Histogram(
    "baghdad_commit_seconds",
    "From a command to its durable event",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)
THINKING = Histogram(
    "baghdad_bot_seconds",
    "How long bots think",
    ["level"],
    buckets=(0.01, 0.03, 0.1, 0.3, 1, 3, 10),
)
RECORDS_WAITING = Gauge("baghdad_records_waiting", "Records that wait or are played through")
TURNED_DOWN = Counter(
    "baghdad_turned_down", "Heavy requests refused since too many waited", ["kind"]
)
INSTEAD = Counter("baghdad_bots_replaced", "Bots that crashed or were late", ["level", "why"])
SLOW_COMMITS = Gauge("baghdad_slow_commits", "Commits that took longer than a second")
LOG_BYTES = Gauge("baghdad_wal_bytes", "Length of SQLite's write-ahead log")
FENCED = Gauge("baghdad_fenced", "Events refused since the table, or the lease, was lost")
TAKEOVERS = Gauge("baghdad_takeovers", "Tables taken over from a process that is gone")
PROCESSES = Gauge("baghdad_processes", "Processes that share the database, this one included")
BUS = Gauge("baghdad_bus_connected", "1 where the bus is reached")
RELAYED = Gauge("baghdad_relayed_sockets", "Sockets here of tables that another process owns")
RESETS = Counter("baghdad_bus_resets", "Times that something was missed on the bus, and asked for")
COLLECTING = Gauge("baghdad_collection_seconds", "What the last full garbage collection took")


def watch(storage: EventStore) -> None:
    """Show what a storage counts by itself."""
    SLOW_COMMITS.set_function(lambda: storage.slow_commits)
    LOG_BYTES.set_function(lambda: storage.log_bytes)
    FENCED.set_function(lambda: storage.lease.fenced if storage.lease else 0)
    TAKEOVERS.set_function(lambda: storage.lease.takeovers if storage.lease else 0)
