"""A call when it is my turn: asked for when it makes sense, and where it can work."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from baghdad.rules.engine.actions import TOKENS

from .conftest import Visitor
from .gathering import KASIM, begin, command, create
from .playing import state, step, stepped
from .test_access import examine, narrow

pytestmark = pytest.mark.xdist_group(__name__)
FAKE = """
  // Headless browsers show none; what would be shown is noted.
  window.shown = []
  window.asked = 0
  window.Notification = class {
    static permission = sessionStorage.permission ?? 'default'
    static async requestPermission() {
      window.asked += 1
      return (Notification.permission = sessionStorage.permission = 'granted')
    }
    constructor(title, options) { window.shown.push([title, options.body]) }
  }
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
    window.shown.push([title, options.body, options.data.path])
  }
"""
AWAY = """
  window.away = on => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => on })
    document.dispatchEvent(new Event('visibilitychange'))
  }
"""


def legal(page: Page, code: str) -> tuple[list[int], int]:
    seen = page.request.get(f"/api/tables/{code}").json()
    return seen["own"]["legal"], seen["number"]


def place_all(code: str, *people: Page) -> None:
    """Guards are placed by whoever's turn it is, until the first turn."""
    end = TOKENS.index("-")
    while True:
        for page in people:
            moves, number = legal(page, code)
            if end in moves:
                return
            if moves:
                command(page, code, number, type="move", action=moves[0])
            elif len(people) == 1:  # a bot thinks
                page.request.get(f"/api/tables/{code}/events?after={number}&wait=20")


def waiting(visitor: Visitor, script: str = FAKE + AWAY, **options: Any) -> tuple[Page, Page, str]:
    """Two people at a table; it is the first one's turn, who looks at it."""
    page = visitor("/rules", service_workers="allow", **options)
    other = visitor("/rules")
    page.add_init_script(script)
    code = create(page, 2)
    assert other.request.post(f"/api/tables/{code}/join", data={"name": "Benedikt"}).ok
    command(page, code, 2, type="start")
    place_all(code, page, other)
    page.goto(f"/t/{code}")
    assert state(page) == "mine"
    return page, other, code


def questions(page: Page) -> list[str]:
    """What the page fetches from now on to ask its question: none where nobody is asked."""
    fetched: list[str] = []
    page.on("request", lambda each: fetched.append(each.url) if "AskNotify" in each.url else None)
    return fetched


def end_turn(page: Page) -> None:
    before = step(page)
    page.locator("[data-end][aria-disabled=false]").last.click()
    stepped(page, before)


def test_after_a_turn_with_another_person_one_is_asked_and_then_called(visitor: Visitor) -> None:
    page, other, code = waiting(visitor, viewport={"width": 390, "height": 844})
    question = page.get_by_role("region", name="Notify me")
    expect(question).to_have_count(0)
    asked = questions(page)
    end_turn(page)
    expect(question).to_be_visible()
    assert asked
    assert page.evaluate("asked") == 0, "the browser's own question comes after a yes"
    examine(page)
    assert narrow(page) == []
    question.get_by_role("button", name="Yes").click()
    expect(question).to_have_count(0)
    page.wait_for_function("() => asked === 1")
    page.evaluate("away(true)")
    moves, number = legal(other, code)
    assert moves
    command(other, code, number, type="move", action=TOKENS.index("-"))
    page.wait_for_function("() => shown.length === 1")
    assert page.evaluate("shown[0].slice(1)") == ["Your turn", f"/t/{code}"]
    assert page.evaluate("document.title").startswith("●")
    page.evaluate("away(false)")
    end_turn(page)
    expect(question).to_have_count(0)


def test_the_notification_is_a_real_one_and_a_click_leads_to_the_table(visitor: Visitor) -> None:
    wanted = "localStorage['baghdad-settings'] = JSON.stringify({ pace: 'off', notify: true });"
    page, other, code = waiting(visitor, wanted + AWAY, permissions=["notifications"])
    end_turn(page)
    page.evaluate("away(true)")
    _, number = legal(other, code)
    command(other, code, number, type="move", action=TOKENS.index("-"))
    notified = """async wanted => {
      for (;;) {
        const all = await (await navigator.serviceWorker.ready).getNotifications()
        if (all.length === wanted) return all.map(({ body, tag }) => [body, tag])
        await new Promise(requestAnimationFrame)
      }
    }"""
    assert page.evaluate(notified, 1) == [["Your turn", code]]
    (worker,) = page.context.service_workers
    outcome = worker.evaluate(
        """async () => {
          const [notification] = await self.registration.getNotifications()
          const click = new NotificationEvent('notificationclick', { notification })
          let done
          click.waitUntil = promise => { done = promise }
          self.dispatchEvent(click)
          return done.then(() => 'there', String)
        }"""
    )
    # Without a real finger the browser refuses; but it was the table's own window that was wanted.
    assert "focus a window" in outcome or outcome == "there"
    assert page.evaluate(notified, 0) == []


def test_a_no_is_remembered(visitor: Visitor) -> None:
    page, other, code = waiting(visitor)
    question = page.get_by_role("region", name="Notify me")
    end_turn(page)
    question.get_by_role("button", name="No").click()
    expect(question).to_have_count(0)
    assert page.evaluate("asked") == 0
    _, number = legal(other, code)
    command(other, code, number, type="move", action=TOKENS.index("-"))
    page.reload()
    assert state(page) == "mine"
    asked = questions(page)
    end_turn(page)
    _, number = legal(other, code)
    command(other, code, number, type="move", action=TOKENS.index("-"))
    assert state(page) == "mine"
    assert asked == []


def test_against_bots_alone_nobody_is_asked(visitor: Visitor) -> None:
    page = visitor("/rules")
    page.add_init_script(FAKE)
    code = begin(page, 2, KASIM)
    place_all(code, page)
    page.goto(f"/t/{code}")
    assert state(page) == "mine"
    asked = questions(page)
    end_turn(page)
    assert state(page) == "mine"  # the bot has played since
    assert asked == []


def test_where_it_cannot_work_the_settings_say_so(visitor: Visitor) -> None:
    """Over plain HTTP from another machine no browser allows it."""
    page = visitor(None)
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog")).to_contain_text("https")
    expect(page.get_by_role("group", name="Notify me")).to_have_count(0)
    examine(page)
