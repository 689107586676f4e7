"""How often people may do what costs nothing: the generic cell rate algorithm, a number each."""

from baghdad.server.domain.events import Milliseconds, PersonNumber


class Pace:
    """Lets some things pass at once, and then a lasting number a minute, of each person."""

    def __init__(self, burst: int, a_minute: float) -> None:
        self._each = 60_000 / a_minute
        self._most = burst * self._each
        self._due: dict[PersonNumber, float] = {}
        """By person: when all that has passed would have been due, one after another."""

    def allows(self, person: PersonNumber, now: Milliseconds) -> bool:
        return self._ahead(person, now) + self._each <= self._most

    def take(self, person: PersonNumber, now: Milliseconds) -> None:
        """Something has passed. Whoever is not ahead any more is forgotten."""
        due = now + self._ahead(person, now) + self._each
        self._due = {who: each for who, each in self._due.items() if each > now} | {person: due}

    def _ahead(self, person: PersonNumber, now: Milliseconds) -> float:
        ahead = max(0.0, self._due.get(person, 0.0) - now)
        return ahead if ahead <= self._most else 0.0  # nobody gets so far: the clock was set back
