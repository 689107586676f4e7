"""A seat at a table of a Baghdad server, for programs. It speaks plain HTTP, as documented in the
server's `/api/openapi.json`, comes back by itself after a break, and never plays a move twice.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from secrets import token_urlsafe
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx

from baghdad.rules.engine.actions import Action
from baghdad.rules.fair import commitment, new_number
from baghdad.rules.position import view_from_shown
from baghdad.rules.views import View

POLL_SECONDS = 20.0
"""How long the server may hold a request that has no answer yet."""
PATIENCE_SECONDS = 120.0
"""How long a server that does not answer is tried again: it may be restarting."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
AWAY = (429, 502, 503, 504)
"""What is answered by a server that has too much to do, or by a proxy whose server restarts."""


class TableError(Exception):
    """The server refused, or can't be reached."""

    def __init__(self, reason: str, rule: str | None = None) -> None:
        super().__init__(f"{rule}: {reason}" if rule else reason)
        self.reason = reason
        self.rule = rule


class Table:
    """One seat at one table.

    Made by `create` or `join`, or with a secret that was kept.
    """

    def __init__(self, url: str, code: str, secret: str, number: str | None = None) -> None:
        self.code = code
        self.secret = secret
        """Opens this seat, and nothing else. Keep it to come back later."""
        self.number = number
        """What this seat brings to the deal, so that nobody else can choose the cards: shown as
        soon as the game has begun. Keep it until then, and to prove the deal afterwards."""
        self._http = httpx.Client(
            base_url=url.rstrip("/"),
            headers={"Authorization": f"Bearer {secret}"},
            timeout=POLL_SECONDS + 10,
        )
        self._seen: dict[str, Any] = {}
        self.refresh()

    @classmethod
    def create(
        cls,
        url: str,
        name: str,
        *,
        chairs: Sequence[Mapping[str, Any]] = (),
        **agreement: object,
    ) -> "Table":
        """Set up a table, and sit on its first chair.

        `chairs` are the others, such as `{"kind": "bot", "level": "ali"}`; `agreement` is the
        rest: `players=3, rulebook="cs", deal="balanced", start="order"` …
        """
        number = new_number()
        new_table = {
            "name": name,
            "agreement": agreement,
            "chairs": list(chairs),
            "promise": commitment(number),
        }
        with httpx.Client(base_url=url.rstrip("/"), timeout=30) as http:
            welcome = _patiently(http, "POST", "/api/tables", json=new_table)
        return cls(url, welcome["code"], welcome["keys"][0]["secret"], number)

    @classmethod
    def join(cls, url: str, code: str, name: str, *, chair: int | None = None) -> "Table":
        """Sit down at a table that gathers.

        Where its host wants to be asked, this waits for the answer.
        """
        # Chosen here, so that asking again after a lost answer does not take a second chair.
        secret, number = token_urlsafe(18), new_number()
        body = {"name": name, "chair": chair, "secret": secret, "promise": commitment(number)}
        with httpx.Client(base_url=url.rstrip("/"), timeout=30) as http:
            welcome = _patiently(http, "POST", f"/api/tables/{code}/join", json=body)
        key = welcome["keys"][0]
        table = cls(url, welcome["code"], key["secret"], number)
        if welcome.get("waiting"):
            table._wait_at_the_door(key["person"])
        return table

    # Looking

    @property
    def link(self) -> str:
        """What others open to join."""
        base = urlsplit(str(self._http.base_url))
        return f"{base.scheme}://{base.netloc}/t/{self.code}"

    @property
    def state(self) -> str:
        """`gathering`, `playing` or `over`."""
        return str(self._seen["table"]["state"])

    @property
    def seat(self) -> int | None:
        """The own seat in the game, from 0; None before it begins."""
        own = self._seen["own"]
        return None if own is None else int(own["seat"])

    @property
    def winner(self) -> int | None:
        """The seat that has won."""
        shown = self._seen["shown"]
        return None if shown is None or shown["winner"] < 0 else int(shown["winner"])

    @property
    def termination(self) -> str | None:
        """How the game has ended where no move has ended it (R28): `resigned`, `agreed` …"""
        found = self._seen["table"].get("termination")
        return None if found is None else str(found)

    @property
    def resigned(self) -> list[int]:
        """Seats whose players have given up."""
        return list(self._seen["table"].get("resigned", ()))

    @property
    def proposal(self) -> dict[str, Any] | None:
        """The proposal to end the game without a winner: its proposer, and those still asked."""
        found: dict[str, Any] | None = self._seen["table"].get("proposal")
        return found

    @property
    def legal(self) -> list[Action]:
        """The actions that this seat may take now; none while it is not its turn."""
        own = self._seen["own"]
        return [] if own is None else list(own["legal"])

    @property
    def view(self) -> View:
        """What this seat may know."""
        own = self._seen["own"]
        if own is None:
            raise TableError("the game has not begun")
        return view_from_shown(self._seen["shown"], own["seat"], own["hand"])

    def refresh(self) -> None:
        """Fetch the table as it is now."""
        self._seen = _patiently(self._http, "GET", f"/api/tables/{self.code}")
        self._bring()

    def wait(self) -> None:
        """Return when something has happened, or after a while."""
        page = _patiently(
            self._http,
            "GET",
            f"/api/tables/{self.code}/events",
            params={"after": self._seen["number"], "wait": POLL_SECONDS},
        )
        if page["snapshot"] is not None:
            self._seen = page["snapshot"]
        for event in page["events"]:
            self._take_in(event)
        self._bring()

    def turns(self) -> Iterator[tuple[View, list[Action]]]:
        """What this seat sees and may do, each time that it must decide, until the game is over."""
        while self.state != "over":
            if self.legal:
                yield self.view, self.legal
            else:
                self.wait()

    # Acting

    def play(self, action: Action | str) -> None:
        """Take an action, by number or token. Raises `TableError`, which names the rule."""
        self.send("move", action=action)

    def start(self) -> None:
        """Begin the game, as its host."""
        self.send("start")

    def resign(self) -> None:
        """Give up (R28): final, and a loss. With more than two players a bot plays the seat on."""
        self.send("resign")

    def propose_end(self) -> None:
        """Propose to end the game without a winner."""
        self.send("propose_end")

    def answer_end(self, yes: bool) -> None:
        """Agree to such a proposal, or play on."""
        self.send("answer_end", yes=yes)

    def say(self, text: str) -> None:
        """Chat."""
        self.send("chat", text=text)

    def send(self, command: str, /, **values: object) -> None:
        """Any command of the wire: `send("arrange", chair=1, to="bot", level="ali")`.

        It happens once, even if the connection breaks in the middle. A rematch has a number of its
        own for the deal.
        """
        number = new_number() if command == "rematch" and "promise" not in values else None
        if number is not None:
            values["promise"] = commitment(number)
        answer = self._ask(uuid4().hex, {"type": command, **values})
        if answer["result"] != "accepted":
            if answer["result"] == "stale":
                knew = self._seen["own"]
                self.refresh()
                if command == "move" and knew is not None and knew == self._seen["own"]:
                    # Somebody has left, for example: the seat sees and may do what it could before.
                    self.send(command, **values)
                    return
            raise TableError(answer["reason"], answer.get("rule"))
        self.number = number or self.number
        while self._seen["number"] < answer["number"]:
            self.wait()

    def games(self) -> list[dict[str, Any]]:
        """All games of this table: number, state, names, loot, winner …"""
        found = _patiently(self._http, "GET", f"/api/tables/{self.code}/games")
        return list(found["games"])

    def record(self, game: int | None = None) -> str:
        """A finished game by its number, or the latest, with the seed that proves its deal."""
        place = "record" if game is None else f"games/{game}/record"
        response = self._http.get(f"/api/tables/{self.code}/{place}")
        if response.status_code != httpx.codes.OK:
            raise TableError(response.json()["reason"])
        return response.text

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> "Table":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, id_: str, command: Mapping[str, object]) -> dict[str, Any]:
        message = {"id": id_, "version": self._seen["number"], "wish": command}
        return _patiently(self._http, "POST", f"/api/tables/{self.code}/commands", json=message)

    def _bring(self) -> None:
        """Show the number that was promised, as soon as nobody can change a promise any more."""
        table, person = self._seen["table"], self._seen["person"]
        if self.number is None or person is None or table["state"] != "playing":
            return
        promise = commitment(self.number)
        for chair in table["chairs"]:
            due = not chair.get("number") and not chair.get("left_out")
            if chair.get("person") == person and chair.get("promise") == promise and due:
                # Its id makes it happen once; what became of it comes as an event.
                self._ask(f"bring-{table['games']}", {"type": "bring", "number": self.number})

    def _wait_at_the_door(self, person: int) -> None:
        while any(each["person"] == person for each in self._seen["table"]["waiting"]):
            self.wait()
        self.refresh()
        if not self._seen["people"]:
            self.close()
            raise TableError("the host has not let you sit down")

    def _take_in(self, event: Mapping[str, Any]) -> None:
        seen = self._seen
        seen["number"] = event["number"]
        if event.get("table") is not None:
            seen["table"] = event["table"]
            if event["kind"] == "rematched":
                seen["shown"] = seen["own"] = None
        if event.get("shown") is not None:
            seen["shown"], seen["own"] = event["shown"], event.get("own")


def _patiently(http: httpx.Client, method: str, path: str, **request: Any) -> dict[str, Any]:
    """Ask, and ask again while the server can't be reached or can't store."""
    pause, until = FIRST_PAUSE, time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            response = http.request(method, path, **request)
        except httpx.UnsupportedProtocol as error:
            raise TableError(f"{http.base_url} is not an address: {error}") from None
        except httpx.TransportError as error:
            reason = f"{http.base_url} does not answer: {error}"
        else:
            body = _body_of(response)
            reason = body.get("reason", f"{http.base_url} answers {response.status_code}")
            if response.status_code not in AWAY:
                if body and (response.is_success or "result" in body):
                    return body
                raise TableError(reason, body.get("rule"))
        if time.monotonic() > until:
            raise TableError(reason)
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def _body_of(response: httpx.Response) -> dict[str, Any]:
    """The body of an answer; nothing where it is not the server that answers."""
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
