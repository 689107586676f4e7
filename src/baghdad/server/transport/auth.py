"""Who asks: secrets in headers and cookies, the people they stand for, and where a page is from."""

from urllib.parse import urlsplit

from fastapi import Request, Response, WebSocket

from baghdad.server.domain.codes import is_code
from baghdad.server.domain.events import PersonNumber
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.domain.table import Table
from baghdad.server.runtime.actor import TableActor
from baghdad.server.runtime.credentials import gone_of, is_known, people_of, waiting_of

from .http import Services, address_of, services_of

COOKIE_SECONDS = 400 * 86_400
"""As long as browsers keep any; a game by correspondence may take that."""
MOST_SECRETS = 8
"""That are looked at of one request: a device with more people than the largest table has chairs,
and each costs a hash."""


class Visit:
    """A request to a table: the actor, and for whom the client holds secrets."""

    def __init__(
        self, actor: TableActor, secrets: list[str], people: tuple[PersonNumber, ...]
    ) -> None:
        self.actor = actor
        self.secrets = secrets
        self.people = people

    @property
    def players(self) -> tuple[PersonNumber, ...]:
        """The same, and those who have gone: whose finished games the client may see."""
        return (*self.people, *gone_of(self.actor.table, self.secrets))

    def person(self, wanted: PersonNumber | None) -> PersonNumber | None:
        """Whose eyes to look with: the one asked for, or the first; None for a spectator."""
        if wanted is None:
            return self.people[0] if self.people else None
        if wanted not in self.people:
            raise RefusedError("no_secret")
        return wanted


async def visit(request: Request | WebSocket, code: str, *, listing: bool = False) -> Visit:
    """Raises `RefusedError` where there is no such table.

    `listing`: for a list of games, so that bots play on only for people whose table it is.
    """
    code = code.upper()
    if not is_code(code):
        raise RefusedError("no_table", code=code)
    secrets = secrets_of(request, code)
    actor = await find(request, code, secrets)
    people = people_of(actor.table, secrets)
    if people or not listing:
        actor.look()
    return Visit(actor, secrets, people)


async def find(request: Request | WebSocket, code: str, secrets: list[str]) -> TableActor:
    """A table. Where an address has guessed too often, only for those who hold a secret of it."""
    services = services_of(request)
    misses, address = services.misses, address_of(request)
    if misses.is_spent(address) and not secrets:
        raise RefusedError("many_misses")
    try:
        actor = await services.registry.actor(code, address)
    except RefusedError:
        if not misses.take(address):
            raise RefusedError("many_misses") from None
        raise
    # Else the answer would tell that there is such a table, also to many who have asked at once.
    if misses.is_spent(address) and not is_known(actor.table, secrets):
        raise RefusedError("many_misses")
    return actor


def secrets_of(request: Request | WebSocket, code: str) -> list[str]:
    """Secrets from the bearer token and from the table's cookie."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    secrets = token.split(".") if scheme.lower() == "bearer" and token else []
    secrets += request.cookies.get(f"baghdad-{code}", "").split(".")
    return [secret for secret in secrets if secret][:MOST_SECRETS]


def worth_keeping(table: Table, secrets: list[str]) -> list[str]:
    """Secrets that still open something, seats first: only a limited number is looked at."""
    now = [secret for secret in secrets if people_of(table, [secret])]
    later = [secret for secret in secrets if waiting_of(table, [secret])]
    before = [secret for secret in secrets if gone_of(table, [secret])]
    return list(dict.fromkeys([*now, *later, *before]))[:MOST_SECRETS]


def with_secrets(services: Services, response: Response, code: str, secrets: list[str]) -> Response:
    """Let the browser keep the secrets: out of reach of scripts, for this table's paths alone."""
    response.set_cookie(
        f"baghdad-{code}",
        ".".join(dict.fromkeys(secrets)),
        max_age=COOKIE_SECONDS,
        path=f"/api/tables/{code}",
        httponly=True,
        samesite="lax",
        secure=services.endpoint.secure,
    )
    return response


def same_origin(socket: WebSocket, public: str | None) -> bool:
    """Whether a page of ours opened the socket, or a program, which has no origin.

    `public`: the origin that the operator gave out, where a proxy passes another `Host` on.
    """
    origin = socket.headers.get("origin")
    if origin is None or origin == public:
        return True
    try:
        return urlsplit(origin).netloc == socket.headers.get("host")
    except ValueError:
        return False
