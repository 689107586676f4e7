"""What was found, in words and as a table for the documents."""

from collections.abc import Sequence
from typing import Any

from .attack import Attack, Check, Facts, Outcome, percentile

COLUMNS = (
    "attack",
    "sent",
    "`/health` of others: p50, p99, most, ms",
    "their moves: p50, p99, most, ms",
    "memory: before, highest, after, MB",
    "left over, CPU s",
    "found",
    "goal met",
)


def times_of(times: Sequence[float]) -> tuple[float, float, float]:
    """Median, 99th percentile and maximum in ms; nothing where nobody was asked."""
    if not times:
        return 0.0, 0.0, 0.0
    return (
        1e3 * percentile(times, 50),
        1e3 * percentile(times, 99),
        1e3 * max(times),
    )


def words(facts: Facts) -> str:
    return ", ".join(f"{name}: {value}" for name, value in facts.items())


def spelled(values: Sequence[float]) -> str:
    return ", ".join(f"{value:,.0f}" for value in values) if any(values) else "–"


def cells(attack: Attack, outcome: Outcome, checks: Sequence[Check]) -> list[str]:
    if outcome.skipped:
        return [f"`{attack.name}`: {attack.what}", *["–"] * 6, f"not measured: {outcome.skipped}"]
    missed = [f"{check.goal} ({check.found})" for check in checks if not check.met]
    return [
        f"`{attack.name}`: {attack.what}",
        words(outcome.sent),
        spelled(times_of(outcome.health)),
        spelled(times_of(outcome.moves)),
        spelled(outcome.memory),
        f"{outcome.leftover:.1f}",
        words(outcome.seen) or "–",
        "**no**: " + "; ".join(missed) if missed else "yes: " + "; ".join(c.goal for c in checks),
    ]


def show(attack: Attack, outcome: Outcome, checks: Sequence[Check]) -> None:
    """As soon as it is known."""
    print(f"\n{attack.name}: {attack.what}")
    if outcome.skipped:
        print(f"  not measured: {outcome.skipped}", flush=True)
        return
    for name, cell in zip(COLUMNS[1:-1], cells(attack, outcome, checks)[1:-1], strict=True):
        print(f"  {name.replace('`', '')}: {cell}")
    print(f"  before it, p99 of /health, ms: {1e3 * outcome.calm:,.0f}")
    for check in checks:
        print(f"  {'met   ' if check.met else 'MISSED'} {check.goal}: {check.found}", flush=True)


def table(rows: Sequence[Sequence[str]]) -> str:
    """All of it as Markdown."""
    lines = [COLUMNS, ["---"] * len(COLUMNS), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def as_data(attack: Attack, outcome: Outcome, checks: Sequence[Check]) -> dict[str, Any]:
    return {
        "attack": attack.name,
        "what": attack.what,
        "skipped": outcome.skipped,
        "sent": outcome.sent,
        "seen": outcome.seen,
        "health_ms": times_of(outcome.health),
        "moves_ms": times_of(outcome.moves),
        "asked": [len(outcome.health), len(outcome.moves)],
        "calm_p99_ms": 1e3 * outcome.calm,
        "memory_mb": outcome.memory,
        "leftover_s": outcome.leftover,
        "checks": [check._asdict() for check in checks],
        "met": all(check.met for check in checks),
    }
