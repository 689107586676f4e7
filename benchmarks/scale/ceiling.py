"""What PostgreSQL alone commits: the servers' own transactions, sent by pgbench."""

import re
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import TextClause, insert
from sqlalchemy.dialects.postgresql import dialect

from baghdad.server.storage.event_store import EVENTS
from baghdad.server.storage.ownership import HELD, SHARE

TABLES_OF_EACH = 1000
"""Tables of a client, which takes them in turn."""
BODY = 58
"""Bytes of an event: the average of random games of two to four."""
SET_UP = """
INSERT INTO processes (id, until, session, linked, version)
SELECT 'p' || client, 9e15, 0, 1, 'pgbench' FROM generate_series(0, {clients} - 1) AS client;
INSERT INTO tables (code, created, state, changed, listed, clock, owner, epoch)
SELECT 'p' || client || 't' || place, 0, 'playing', 0, 0, 0, 'p' || client, 1
FROM generate_series(0, {clients} - 1) AS client, generate_series(0, {tables} - 1) AS place;
"""


class Ceiling(NamedTuple):
    """What was measured."""

    clients: int
    group: int
    """Events in a commit."""
    commits: float
    """A second."""
    milliseconds: float
    """Until one is durable, on average."""

    @property
    def events(self) -> float:
        """A second."""
        return self.commits * self.group


def statement(clause: TextClause, values: Mapping[str, str]) -> str:
    """A statement of the server's, with pgbench's expressions in the place of its parameters."""
    text = str(clause)
    for name, value in values.items():
        text = re.sub(rf":{name}\b", value, text)
    return text


def script(group: int) -> str:
    """A transaction as the event store makes it: the lease, the epochs, the events."""
    columns = [column.name for column in EVENTS.c]
    process = "'p' || CAST(:client_id AS text)"
    values = {
        "table_code": f"{process} || 't' || CAST(:place AS text)",
        "number": "CAST(:number AS bigint)",
        "command": "'0-c' || CAST(:number AS text)",
        "at": "1700000000000",
        "body": f"decode(repeat('7b', {BODY}), 'hex')",
        "epoch": "1",
    }
    add = str(insert(EVENTS).compile(dialect=dialect(paramstyle="named"), column_keys=columns))  # type: ignore[no-untyped-call]
    for name in columns:
        add = add.replace(f":{name}", values[name])
    codes = (
        f"ARRAY(SELECT {process} || 't' || (CAST(:number AS bigint) + i) % {TABLES_OF_EACH}"
        f" FROM generate_series(1, {group}) AS i)::varchar[]"
    )
    lines = ["BEGIN;", statement(SHARE, {"key": f"hashtext({process})"}) + ";"]
    lines += [statement(HELD, {"codes": codes, "id": process}) + ";"]
    lines += ["\\startpipeline"]
    for _ in range(group):
        lines += ["\\set number :number + 1", f"\\set place :number % {TABLES_OF_EACH}", add + ";"]
    lines += ["\\endpipeline", "COMMIT;"]
    return "\n".join(" ".join(line.split()) for line in lines) + "\n"


def measure(socket: Path, programs: Path, clients: int, group: int, seconds: float) -> Ceiling:
    """Let so many clients commit as fast as they can. The database has the schema, and no rows."""
    place = ["-h", str(socket.parent), "-U", "postgres"]
    clean = "TRUNCATE events, tables, processes;" + SET_UP
    text = clean.format(clients=clients, tables=TABLES_OF_EACH)
    subprocess.run(
        [programs / "psql", *place, "-q", "-v", "ON_ERROR_STOP=1", "-c", text, "soak"], check=True
    )
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script(group))
        file.flush()
        done = subprocess.run(
            [
                *(str(programs / "pgbench"), *place, "-n", "-M", "prepared", "-D", "number=0"),
                *(
                    "-c",
                    str(clients),
                    "-j",
                    "1",
                    "-T",
                    str(round(seconds)),
                    "-f",
                    file.name,
                    "soak",
                ),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
    tps = re.search(r"^tps = ([\d.]+)", done.stdout, re.MULTILINE)
    latency = re.search(r"^latency average = ([\d.]+) ms", done.stdout, re.MULTILINE)
    if tps is None or latency is None:
        raise RuntimeError(done.stdout + done.stderr)
    return Ceiling(clients, group, float(tps[1]), float(latency[1]))
