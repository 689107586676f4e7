"""Where people in the room, or anywhere, find this server, and which visitors may know."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from baghdad.server.wire.replies import Reach

from .addresses import (
    Interface,
    in_url,
    own_addresses,
    plain_address,
)

FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""Headers of proxies: whoever sends them speaks for somebody else."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the server listens, and what address it is to be given out with."""

    host: str = "127.0.0.1"
    """The address that it is bound to."""
    port: int = 0
    name: str = ""
    """How the operator calls the host, where it is one of several addresses."""
    public: str | None = None
    """What the operator says that everybody uses: `https://baghdad.example.org`."""
    proxied: bool = False
    """Whether a proxy stands before it."""
    secure: bool = False
    """Whether it is reached through HTTPS only, so that cookies never go another way."""
    find: Callable[[], list[Interface]] = own_addresses

    @property
    def is_open(self) -> bool:
        """Whether other devices can connect."""
        address = plain_address(self.host)
        return address is None or not address.is_loopback

    @property
    def here(self) -> str:
        """The URL on this machine. Always the same one, so that a browser finds its games again."""
        address = plain_address(self.host)
        everywhere = address is not None and address.is_unspecified
        return self._url("127.0.0.1" if everywhere else self.name or self.host)

    def is_called(self, host: str) -> bool:
        """Whether a `Host` header can mean this server.

        A page of somebody else, whose name has been pointed at this machine, comes with that name.
        Somewhere else than on loopback a server may have names that it does not know, and behind
        a proxy those of the proxy.
        """
        if self.is_open or (self.proxied and self.public is None):
            return True
        try:
            named = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if not named:
            return False
        if named in ("localhost", self.name.lower()) or named.endswith(".localhost"):
            return True
        if self.public is not None and named == urlsplit(self.public).hostname:
            return True
        address = plain_address(named)
        return address is not None and address.is_loopback

    def addresses(self) -> tuple[str, ...]:
        """URLs for other devices, the likely one first."""
        address = plain_address(self.host)
        if not self.is_open:
            return ()
        if address is None or not address.is_unspecified:
            return (self._url(self.name or self.host),)
        # "::" takes IPv4, too.
        versions = (4,) if address.version == 4 else (4, 6)
        return tuple(self._url(str(each.ip)) for each in self.find() if each.version in versions)

    def reach_for(self, peer: str, headers: Mapping[str, str]) -> Reach:
        """What a visitor may know: the machine's own addresses are for its own room alone."""
        if self.public is not None:
            return Reach((), self.public, True)
        told = self.is_open and not self.proxied and self._is_near(peer, headers)
        return Reach(self.addresses() if told else (), None, self.is_open)

    def _is_near(self, peer: str, headers: Mapping[str, str]) -> bool:
        """Whether somebody sits at this machine, or in a private network of its, and asks directly.

        A page of somebody else, whose name has been pointed at this machine, comes with that name.
        """
        if any(name in headers for name in FORWARDED) or not names_machine(headers.get("host", "")):
            return False
        address = plain_address(peer)
        if address is None or address.is_global:
            return False
        return address.is_loopback or any(address in each.network for each in self.find())

    def _url(self, host: str) -> str:
        return f"http://{in_url(host)}:{self.port}"


def names_machine(host: str) -> bool:
    """Whether a `Host` header names a machine by itself, without anybody's DNS.

    >>> [names_machine(each) for each in ("localhost:8080", "[::1]", "192.168.1.20", "evil.test")]
    [True, True, True, False]
    """
    try:
        named = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return named == "localhost" or plain_address(named) is not None


def host_and_port(text: str) -> tuple[str, int]:
    """Where to listen; raises `ValueError` for what is not a host and a port.

    >>> host_and_port("127.0.0.1:9100"), host_and_port("[::1]:9100")
    (('127.0.0.1', 9100), ('::1', 9100))
    """
    parts = urlsplit(f"//{text.strip()}")
    if not parts.hostname or not parts.port or parts.netloc != text.strip():
        raise ValueError(text)
    return parts.hostname, parts.port


def public_url(text: str) -> str:
    """The origin that a URL names; raises `ValueError` for what is not one.

    >>> public_url("HTTPS://Baghdad.Example.org:443/"), public_url("http://[fd00::1]:8080")
    ('https://baghdad.example.org', 'http://[fd00::1]:8080')
    """
    parts = urlsplit(text.strip())
    host, port = parts.hostname, parts.port
    if parts.scheme not in ("http", "https") or not host or parts.username is not None:
        raise ValueError(text)
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError(text)
    if ":" not in host:
        host = host.encode("idna").decode()  # as browsers say it
        if not re.fullmatch(r"[a-z0-9._-]+", host):
            raise ValueError(text)
    elif plain_address(host) is None:
        raise ValueError(text)
    usual = {"http": 80, "https": 443}[parts.scheme]
    shown = "" if port in (None, usual) else f":{port}"
    return f"{parts.scheme}://{in_url(host)}{shown}"
