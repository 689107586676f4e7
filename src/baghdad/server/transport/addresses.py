"""The addresses of this machine that other devices may know, the likely one first."""

import socket
from collections.abc import Iterable
from ipaddress import (
    IPv4Address,
    IPv4Interface,
    IPv6Address,
    IPv6Interface,
    ip_address,
    ip_interface,
)
from typing import TypeAlias

import ifaddr

Address: TypeAlias = IPv4Address | IPv6Address
Interface: TypeAlias = IPv4Interface | IPv6Interface

TUNNELS = ("tun", "tap", "wg", "utun", "ppp", "ipsec", "tailscale", "zt")
BRIDGES = (
    "docker", "br-", "bridge", "veth", "virbr", "vmnet", "vboxnet", "lxc", "lxd", "cni", "flannel",
    "podman", "cali",
)  # fmt: skip
"""How the names of tunnels begin, and of networks that exist inside this machine alone."""
TUNNEL_WORDS = ("wireguard", "tunnel", "tap-", "vpn")
BRIDGE_WORDS = ("virtual", "hyper-v", "vmware")
"""On Windows adapters are described in words."""
NOWHERE = ("192.0.2.1", "2001:db8::1")
"""Addresses for documentation, at which nobody is (RFC 5737, RFC 3849)."""


def addresses_of(adapters: Iterable[ifaddr.Adapter], routed: Iterable[str] = ()) -> list[Interface]:
    """Those that another device can use, the likely one first.

    `routed`: the machine's own addresses on the way to the rest of the world. Real networks come
    before tunnels, which lead away from the room, and before networks of containers.
    """
    first = set(routed)
    ranked: list[tuple[tuple[int, bool, int], int, Interface]] = []
    for adapter in adapters:
        for ip in adapter.ips:
            text = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            # A zone, as in fe80::1%eth0, means nothing to other devices.
            interface = ip_interface(f"{text.partition('%')[0]}/{ip.network_prefix}")
            address = interface.ip
            if not is_shareable(address):
                continue
            rank = (rank_of_adapter(adapter), str(address) not in first, rank_of_address(address))
            ranked.append((rank, len(ranked), interface))
    return list(dict.fromkeys(interface for _, _, interface in sorted(ranked)))


def is_shareable(address: Address) -> bool:
    return not (
        address.is_loopback
        or address.is_link_local
        or address.is_multicast
        or address.is_unspecified
    )


def rank_of_adapter(adapter: ifaddr.Adapter) -> int:
    """0 for a network that others may be in, 1 for a tunnel, 2 for one inside this machine."""
    name, words = adapter.name.lower(), adapter.nice_name.lower()
    if name.startswith(BRIDGES) or any(word in words for word in BRIDGE_WORDS):
        return 2
    return int(name.startswith(TUNNELS) or any(word in words for word in TUNNEL_WORDS))


def rank_of_address(address: Address) -> int:
    """The short ones of home networks first: they can be typed."""
    return (0 if address.is_private else 1) + 2 * (address.version == 6)


def routed_addresses() -> list[str]:
    """This machine's own addresses on its default routes, where it has any."""
    found = []
    for family, nowhere in zip((socket.AF_INET, socket.AF_INET6), NOWHERE, strict=True):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as asking:
                asking.connect((nowhere, 9))  # chooses a route; nothing is sent
                found.append(str(asking.getsockname()[0]))
        except OSError:
            continue  # no such route
    return found


def own_addresses() -> list[Interface]:
    """What this machine can be reached at now; changes with its networks."""
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:
        return []
    return addresses_of(adapters, routed_addresses())


def plain_address(text: str) -> Address | None:
    """An address as text, one of IPv4 inside IPv6 as itself; None for what is not an address.

    >>> plain_address("::ffff:192.168.1.20"), plain_address("[fd00::1]"), plain_address("ali")
    (IPv4Address('192.168.1.20'), IPv6Address('fd00::1'), None)
    """
    try:
        address = ip_address(text.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def in_url(host: str) -> str:
    """A host as it stands in a URL.

    >>> in_url("fd00::1"), in_url("192.168.1.20")
    ('[fd00::1]', '192.168.1.20')
    """
    return f"[{host}]" if ":" in host else host
