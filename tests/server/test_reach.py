"""How other devices find the server: its addresses, who is told, what is printed."""

import sys
from collections.abc import Mapping
from ipaddress import ip_interface
from pathlib import Path

import ifaddr
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from baghdad.cli.parser import make_parser
from baghdad.cli.serve import greeting
from baghdad.server.transport.addresses import addresses_of, own_addresses, routed_addresses
from baghdad.server.transport.reach import Endpoint, public_url
from support.live_server import LiveServer

from .test_running import serving

HERE = {"host": "127.0.0.1:8080"}


def adapter(name: str, *addresses: str, words: str = "") -> ifaddr.Adapter:
    ips = []
    for each in addresses:
        text, _, prefix = each.partition("/")
        ip = (text, 0, 0) if ":" in text else text
        ips.append(ifaddr.IP(ip, int(prefix or 24), name))
    return ifaddr.Adapter(name, words or name, ips)


LAPTOP = (
    adapter("lo", "127.0.0.1/8", "::1/128"),
    adapter("docker0", "172.17.0.1/16"),
    adapter("br-4f2a", "172.18.0.1/16"),
    adapter("veth91c", "fe80::42%veth91c/64"),
    adapter("tun0", "10.8.0.6/24"),
    adapter("eth0", "169.254.7.7/16"),
    adapter("wlan0", "192.168.1.20/24", "2001:db8:1::20/64", "fd00:1::20/64", "fe80::20/64"),
    adapter("eth1", "10.0.0.7/8"),
)


def hosts(adapters: tuple[ifaddr.Adapter, ...], *routed: str) -> list[str]:
    return [str(each.ip) for each in addresses_of(adapters, routed)]


def test_the_likely_address_comes_first() -> None:
    assert hosts(LAPTOP) == [
        "192.168.1.20",
        "10.0.0.7",
        "2001:db8:1::20",
        "fd00:1::20",
        "10.8.0.6",
        "172.17.0.1",
        "172.18.0.1",
    ]
    assert hosts(LAPTOP, "10.0.0.7", "2001:db8:1::20")[:3] == [
        "10.0.0.7",
        "2001:db8:1::20",
        "192.168.1.20",
    ]


def test_a_tunnel_that_takes_everything_does_not_lead_into_the_room() -> None:
    assert hosts(LAPTOP, "10.8.0.6")[0] == "192.168.1.20"


def test_a_machine_alone_has_nothing_to_give_out() -> None:
    assert hosts(LAPTOP[:1]) == []
    assert hosts(()) == []
    assert hosts((adapter("eth0"),)) == []


def test_adapters_of_windows_are_known_by_their_words() -> None:
    found = hosts(
        (
            adapter("{1}", "172.30.16.1/20", words="Hyper-V Virtual Ethernet Adapter"),
            adapter("{2}", "10.6.0.2/32", words="WireGuard Tunnel"),
            adapter("{3}", "192.168.0.9/24", words="Intel(R) Wi-Fi 6 AX201"),
        )
    )
    assert found == ["192.168.0.9", "10.6.0.2", "172.30.16.1"]


def test_this_machine() -> None:
    found = [str(each.ip) for each in own_addresses()]
    assert not {"127.0.0.1", "::1"} & set(found)
    assert all(":" in each or each.count(".") == 3 for each in [*found, *routed_addresses()])


def laptop(host: str = "0.0.0.0", **more: object) -> Endpoint:
    return Endpoint(host, 8080, host, find=lambda: addresses_of(LAPTOP[5:7]), **more)  # type: ignore[arg-type]


def test_urls_for_others() -> None:
    assert laptop().addresses() == ("http://192.168.1.20:8080",)
    assert laptop("::").addresses() == (
        "http://192.168.1.20:8080",
        "http://[2001:db8:1::20]:8080",
        "http://[fd00:1::20]:8080",
    )
    assert laptop("fd00:1::20").addresses() == ("http://[fd00:1::20]:8080",)
    assert Endpoint("192.168.1.20", 80, "ali.local").addresses() == ("http://ali.local:80",)
    for loopback in ("127.0.0.1", "::1", "127.0.0.2"):
        assert laptop(loopback).addresses() == ()
        assert not laptop(loopback).is_open
    assert laptop().here == laptop("::").here == laptop("127.0.0.1").here == "http://127.0.0.1:8080"


@pytest.mark.parametrize(
    ("peer", "headers", "told"),
    [
        ("127.0.0.1", HERE, True),
        ("::1", {"host": "localhost:8080"}, True),
        ("::ffff:127.0.0.1", {"host": "[::1]:8080"}, True),
        ("192.168.1.77", {"host": "192.168.1.20:8080"}, True),
        ("::ffff:192.168.1.77", {"host": "192.168.1.20:8080"}, True),
        ("fd00:1::77", {"host": "[fd00:1::20]:8080"}, True),
        # From another network, private or not.
        ("192.168.2.77", {"host": "192.168.1.20:8080"}, False),
        ("198.51.100.7", {"host": "192.168.1.20:8080"}, False),
        ("8.8.8.8", {"host": "192.168.1.20:8080"}, False),
        # Through a proxy on the same machine.
        ("127.0.0.1", HERE | {"x-forwarded-for": "8.8.8.8"}, False),
        ("127.0.0.1", HERE | {"forwarded": "for=8.8.8.8"}, False),
        ("127.0.0.1", HERE | {"via": "1.1 proxy"}, False),
        ("127.0.0.1", {"host": "baghdad.example.org"}, False),
        # Somebody else's page, whose name has been pointed here.
        ("127.0.0.1", {"host": "evil.test:8080"}, False),
        ("127.0.0.1", {}, False),
        ("127.0.0.1", {"host": "[nonsense"}, False),
        ("", HERE, False),
    ],
)
def test_the_machines_addresses_are_told_in_its_room_alone(
    peer: str, headers: Mapping[str, str], told: bool
) -> None:
    found = laptop().reach_for(peer, headers)
    assert found.open
    assert found.addresses == (("http://192.168.1.20:8080",) if told else ())
    assert laptop(proxied=True).reach_for(peer, headers).addresses == ()
    assert laptop("127.0.0.1").reach_for(peer, headers) == type(found)((), None, False)
    public = laptop(public="https://baghdad.example.org").reach_for(peer, headers)
    assert public == type(found)((), "https://baghdad.example.org", True)


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "baghdad.example.org",
        "ftp://baghdad.example.org",
        "https://",
        "https://ali@baghdad.example.org",
        "https://baghdad.example.org/games",
        "https://baghdad.example.org?a",
        "https://baghdad.example.org#a",
        "https://bagh dad.org",
        "https://baghdad.example.org:99999",
        "https://[nonsense]",
        "https://.",
        "javascript:alert(1)",
    ],
)
def test_what_is_no_public_url(bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        public_url(bad)
    with pytest.raises(SystemExit):
        make_parser("en").parse_args(["serve", "--public-url", bad])
    assert "--public-url" in capsys.readouterr().err


def test_a_public_url_as_browsers_write_it() -> None:
    assert public_url(" http://Bücher.example:80/ ") == "http://xn--bcher-kva.example"
    assert public_url("https://192.0.2.7:8443") == "https://192.0.2.7:8443"


def said(endpoint: Endpoint, *, playing: bool = False) -> list[str]:
    return list(greeting(endpoint, "en", playing=playing))


def test_what_is_printed() -> None:
    here = "Baghdad is at http://127.0.0.1:8080/ (stop with Ctrl-C)"
    assert said(laptop()) == [here, "In this room: http://192.168.1.20:8080/"]
    assert said(laptop("::"))[2:] == [
        "If that does not open there: http://[2001:db8:1::20]:8080/",
        "If that does not open there: http://[fd00:1::20]:8080/",
    ]
    assert said(laptop("127.0.0.1")) == [here]
    alone = said(laptop("127.0.0.1"), playing=True)
    assert alone[0] == here
    assert "make play ROOM=1" in alone[1]
    assert "baghdad --room" in alone[1]
    assert said(laptop("192.168.1.20")) == [here.replace("127.0.0.1", "192.168.1.20")]
    assert said(laptop(public="https://b.example.org")) == [
        "Baghdad is at https://b.example.org/ (stop with Ctrl-C)",
        "On this computer: http://127.0.0.1:8080/",
    ]
    assert "no network" in said(Endpoint("0.0.0.0", 8080, find=list))[1]


def test_the_room_is_a_word_before_or_after_the_command() -> None:
    parse = make_parser("en").parse_args
    assert parse(["--room", "serve"]).room
    assert parse(["serve", "--room"]).room
    assert not hasattr(parse(["serve"]), "room")
    with pytest.raises(SystemExit):
        parse(["serve", "--room", "--host", "192.0.2.7"])


def let_in(socket: str, origin: str) -> bool:
    """Whether the socket is opened to a page of that origin."""
    try:
        with connect(socket, proxy=None, origin=Origin(origin)):
            return True
    except InvalidStatus:
        return False


def test_a_server_for_the_room(tmp_path: Path) -> None:
    """Opened at another address of the machine, the page's socket is let in, a foreign one not."""
    with serving("--room", "--port", "0", "--data", str(tmp_path)) as running:
        assert running.url.startswith("http://127.0.0.1:")
        port = running.url.rpartition(":")[2]
        told = running.http.get("/api/server").json()
        assert told["open"]
        assert told["public"] is None
        expected = [str(each.ip) for each in own_addresses() if each.version == 4]
        assert told["addresses"] == [f"http://{each}:{port}" for each in expected]
        elsewhere = running.http.get("/api/server", headers={"host": "evil.test"}).json()
        assert elsewhere["addresses"] == []
        code = running.http.post("/api/tables", json={"name": "Ali"}).json()["code"]
        second = ["127.0.0.2"] if sys.platform == "linux" else []
        for host in (*second, *expected):
            socket = f"ws://{host}:{port}/api/tables/{code}/socket"
            assert let_in(socket, f"http://{host}:{port}")
            assert not let_in(socket, "http://evil.test")


def test_a_public_origin_is_let_in_whatever_the_proxy_says(tmp_path: Path) -> None:
    server = LiveServer(tmp_path, endpoint=Endpoint(public="https://b.example.org"))
    try:
        socket = f"ws://{server.address}/api/tables/{server.create().code}/socket"
        assert let_in(socket, "https://b.example.org")
        for origin in ("http://b.example.org", "https://b.example.org:8443", "https://evil.test"):
            assert not let_in(socket, origin)
        with server.client() as http:
            told = http.get("/api/server").json()
        assert told == {"addresses": [], "public": "https://b.example.org", "open": True}
    finally:
        server.stop()


def test_networks_are_those_of_the_adapters() -> None:
    assert addresses_of(LAPTOP[6:7])[0] == ip_interface("192.168.1.20/24")
