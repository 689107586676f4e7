"""Inviting people in the same room: links, QR codes and what the couch screen says."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from baghdad.server.transport.addresses import own_addresses

from .conftest import Served, Visitor
from .test_access import examine

pytestmark = pytest.mark.xdist_group(__name__)
FAR = "192.168.77.20"
"""An address that nobody has here: pages that show it are read, never opened."""
LINK = "Link to this table"

Start = Callable[..., Served]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts servers of a test's own."""
    running: list[Served] = []

    def begin(*arguments: str) -> Served:
        server = Served(tmp_path, *arguments)
        server.start()
        running.append(server)
        return server

    yield begin
    for server in running:
        server.stop()


def reaches(page: Page, *addresses: str, opened: bool = True, public: str | None = None) -> None:
    """Let the page believe that the server told it so: tests run on machines of all kinds."""
    told = {"addresses": list(addresses), "public": public, "open": opened}
    page.route("**/api/server*", lambda route: route.fulfill(json=told))


def gather(page: Page, *, couch: bool = False) -> str:
    """Set a table up; returns its link."""
    page.get_by_role("link", name="Couch" if couch else "Set up a table").click()
    page.get_by_role("button", name="Set up", exact=True).click()
    field = page.get_by_label(LINK)
    field.wait_for()
    return field.input_value()


def test_a_server_on_loopback_says_what_to_do(visitor: Visitor) -> None:
    page = visitor("/")
    link = gather(page)
    expect(page.get_by_text("Only this computer can open this link.")).to_be_visible()
    expect(page.get_by_text("make play ROOM=1")).to_be_visible()
    expect(page.get_by_text("baghdad --room")).to_be_visible()
    expect(page.get_by_role("img", name="QR")).to_have_count(0)
    expect(page.get_by_role("button", name="Share the link")).to_have_count(0)
    assert link.startswith(page.evaluate("location.origin"))  # for another window
    examine(page)


def test_the_couch_of_a_server_on_loopback(visitor: Visitor) -> None:
    page = visitor("/", viewport={"width": 1920, "height": 1080})
    gather(page, couch=True)
    expect(page.get_by_text("make play ROOM=1")).to_be_visible()
    expect(page.get_by_text("Scan the code")).to_have_count(0)
    expect(page.get_by_role("img", name="QR")).to_have_count(0)


def test_a_page_on_this_machine_links_to_an_address_in_the_room(visitor: Visitor) -> None:
    page = visitor(None)
    reaches(page, f"http://{FAR}:8080", "http://[fd00::7]:8080")
    page.goto("/")
    gather(page)
    field = page.get_by_label(LINK)
    expect(field).to_have_value(f"http://{FAR}:8080/t/{page.url.rpartition('/')[2]}")
    before = page.get_by_role("img", name="QR").locator("path").get_attribute("d")
    examine(page)
    page.get_by_label("can’t open it").select_option("[fd00::7]:8080")
    expect(field).to_have_value(f"http://[fd00::7]:8080/t/{page.url.rpartition('/')[2]}")
    assert page.get_by_role("img", name="QR").locator("path").get_attribute("d") != before
    page.reload()
    expect(field).to_have_value(f"http://[fd00::7]:8080/t/{page.url.rpartition('/')[2]}")


def test_the_couch_names_an_address_in_the_room(visitor: Visitor) -> None:
    page = visitor(None, viewport={"width": 1920, "height": 1080})
    reaches(page, f"http://{FAR}:8080")
    page.goto("/")
    gather(page, couch=True)
    expect(page.get_by_text(f"go to {FAR}:8080 and enter")).to_be_visible()
    code = page.url.split("/")[-2]
    expect(page.get_by_label(LINK)).to_have_value(f"http://{FAR}:8080/t/{code}/hand")
    expect(page.get_by_label("can’t open it")).to_have_count(0)
    page.get_by_role("img", name="QR").wait_for()
    examine(page)


def test_a_machine_in_no_network_says_so(visitor: Visitor) -> None:
    page = visitor(None)
    reaches(page)
    page.goto("/")
    gather(page)
    expect(page.get_by_text("This computer is not connected to a network.")).to_be_visible()
    expect(page.get_by_role("img", name="QR")).to_have_count(0)


def test_a_public_address_wins(visitor: Visitor, start: Start) -> None:
    server = start("--public-url", "https://baghdad.example.org")
    page = visitor(f"{server.address}/")
    code = gather(page).rpartition("/")[2]
    expect(page.get_by_label(LINK)).to_have_value(f"https://baghdad.example.org/t/{code}")
    page.get_by_role("img", name="QR").wait_for()


@pytest.mark.skipif(sys.platform != "linux", reason="it needs a second address")
def test_a_guest_comes_by_the_link(visitor: Visitor, start: Start) -> None:
    """Opened as localhost, the server gives out a link that works from another address."""
    server = start("--room")
    found = [str(each.ip) for each in own_addresses() if each.version == 4]
    host = visitor(f"http://localhost:{server.port}/")
    gather(host)
    code = host.url.rpartition("/")[2]
    if found:
        link = f"http://{found[0]}:{server.port}/t/{code}"
        expect(host.get_by_label(LINK)).to_have_value(link)
    else:  # a machine without a network has a second address all the same
        link = f"http://127.0.0.2:{server.port}/t/{code}"
    guest = visitor(link)
    # Browsers lend no clipboard to plain HTTP from another machine; the link is copied without.
    assert not guest.evaluate("isSecureContext") or not found
    guest.get_by_role("button", name="Share the link").click()
    expect(guest.get_by_role("button", name="Copied")).to_be_visible()
    guest.get_by_label("Your name").fill("Benedikt")
    guest.get_by_role("button", name="Sit down").click()
    expect(host.get_by_role("list").get_by_text("Benedikt", exact=True)).to_be_visible()
