"""Browsers that are not Chromium: Firefox by Marionette, and Safari's WebKit by WebDriver.

Both drivers have nearly the same words; here are those that the tests need.
"""

import base64
import os
import shutil
import subprocess
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from .conftest import SLOWEST

CSS, XPATH = "css selector", "xpath"
MISSING = "no driver for this browser: `.venv/bin/pip install marionette_driver selenium`"
KEYS = {"End": "\ue010"}
"""As WebDriver writes them."""
RETRY = 0.05
"""Seconds between two looks at what is waited for."""
COMPLAINTS = ("JavaScript error:", "CONSOLE JS ERROR", "CONSOLE SECURITY ERROR", "console.error:")
"""What browsers write where a page of ours goes wrong."""
OURS = ("127.0.0.1", "file:///", "blob:")
PREFS = {
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.aboutwelcome.enabled": False,
    "browser.newtabpage.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "devtools.console.stdout.content": True,
    "extensions.update.enabled": False,
    "intl.accept_languages": "en-GB",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}


class OtherBrowser:
    """A window, by the driver of either."""

    def __init__(self, name: str, driver: Any, log: Path) -> None:
        self.name = name
        self._driver, self._log = driver, log

    def open(self, url: str) -> None:
        (self._driver.navigate if self.name == "firefox" else self._driver.get)(url)

    def reload(self) -> None:
        self._driver.refresh()

    def run(self, script: str, *given: Any) -> Any:
        """What a script returns."""
        if self.name == "firefox":
            return self._driver.execute_script(script, script_args=given, sandbox=None)
        return self._driver.execute_script(script, *given)

    def evaluate(self, function: str, given: Any) -> Any:
        """What an asynchronous function returns, as Playwright has it."""
        script = (
            f"const done = arguments[arguments.length - 1]; ({function})(arguments[0]).then(done)"
        )
        if self.name == "firefox":
            return self._driver.execute_async_script(script, script_args=[given], sandbox=None)
        return self._driver.execute_async_script(script, given)

    def wait(self, condition: str, *given: Any) -> Any:
        """Wait until an expression is true, in whatever page is there by then."""
        end = time.monotonic() + SLOWEST / 1000
        while not (found := self._found(condition, given)):
            assert time.monotonic() < end, f"{self.name} waits for {condition}"
            time.sleep(RETRY)
        return found

    def _found(self, condition: str, given: tuple[Any, ...]) -> Any:
        try:
            return self.run(f"return {condition}", *given)
        except Exception as error:  # a page on its way: each driver has words of its own for that
            if "JavascriptException" in type(error).__name__:
                raise
            return None

    def wait_for(self, css: str) -> None:
        self.wait("document.querySelector(arguments[0])?.checkVisibility()", css)

    def click(self, css: str) -> None:
        """Click on the first thing that a selector finds."""
        self.wait_for(css)
        self._driver.find_element(CSS, css).click()

    def choose(self, text: str) -> None:
        """Click on the button, the link or the choice with this text."""
        path = f"//*[self::button or self::a or self::label][normalize-space()={text!r}]"
        self.wait(
            "document.evaluate(arguments[0], document).iterateNext()?.checkVisibility()", path
        )
        self._driver.find_element(XPATH, path).click()

    def paste(self, css: str, text: str) -> None:
        """A text into a field, at once: typed by a driver it would take minutes."""
        self.wait_for(css)
        self.run(
            """const field = document.querySelector(arguments[0])
            field.value = arguments[1]
            field.dispatchEvent(new InputEvent('input', { bubbles: true }))""",
            css,
            text,
        )

    def press(self, key: str) -> None:
        """A key, where the focus is."""
        self._driver.find_element(CSS, ":focus").send_keys(KEYS[key])

    def resize(self, width: int, height: int) -> None:
        if self.name == "firefox":
            self._driver.set_window_rect(width=width, height=height)
        else:
            self._driver.set_window_size(width, height)

    def photograph(self, file: Path) -> None:
        shot = self._driver.screenshot(full=False) if self.name == "firefox" else None
        data = shot or self._driver.get_screenshot_as_base64()
        file.write_bytes(base64.b64decode(data))

    def complaints(self) -> list[str]:
        """What the browser has complained of."""
        lines = self._log.read_text("utf-8", "replace").splitlines()
        return [
            line
            for line in lines
            if any(each in line for each in COMPLAINTS) and any(each in line for each in OURS)
        ]


def program(name: str, package: str) -> str:
    found = shutil.which(name)
    if not found:
        pytest.skip(f"{name} is not there: install Debian's {package}")
    return found


@contextmanager
def firefox(folder: Path) -> Iterator[OtherBrowser]:
    """Debian's Firefox, without a screen."""
    marionette = pytest.importorskip("marionette_driver.marionette", reason=MISSING)
    command = program("firefox-esr", "firefox-esr")
    profile, log = folder / "profile", folder / "log.txt"
    profile.mkdir()
    prefs = [
        f"user_pref({name!r}, {str(value).lower() if isinstance(value, bool) else repr(value)});"
        for name, value in {**PREFS, "marionette.port": 0}.items()
    ]
    (profile / "user.js").write_text("\n".join(prefs))
    with log.open("wb") as said:
        process = subprocess.Popen(
            [command, "--marionette", "--headless", "--no-remote", "--profile", str(profile)],
            stdout=said,
            stderr=said,
        )
    try:
        driver = marionette.Marionette(port=_port_of(profile))
        driver.start_session()
        driver.timeout.script = SLOWEST / 1000
        yield OtherBrowser("firefox", driver, log)
        driver.delete_session()
    finally:
        process.terminate()
        process.wait(30)


def _port_of(profile: Path) -> int:
    """Firefox takes a port that is free, and writes down which."""
    end = time.monotonic() + SLOWEST / 1000
    while not (file := profile / "MarionetteActivePort").is_file() or not file.read_text():
        assert time.monotonic() < end, "Firefox did not start"
        time.sleep(RETRY)
    return int(file.read_text())


@contextmanager
def webkit(folder: Path) -> Iterator[OtherBrowser]:
    """WebKit in a small browser of its own, on a screen that nobody sees."""
    selenium = pytest.importorskip("selenium.webdriver", reason=MISSING)
    command = program("WebKitWebDriver", "webkit2gtk-driver")
    browser = next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
    log = folder / "log.txt"
    with screen() as display, log.open("wb") as said:
        options = selenium.WebKitGTKOptions()
        options.binary_location = str(browser)
        for argument in ("--automation", "--enable-write-console-messages-to-stdout=true"):
            options.add_argument(argument)
        environment = {**os.environ, "DISPLAY": display, "HOME": str(folder), "LANG": "en_GB.UTF-8"}
        service = selenium.webkitgtk.service.Service(command, log_output=said, env=environment)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of what it does itself
            driver = selenium.WebKitGTK(options=options, service=service)
        try:
            driver.set_script_timeout(SLOWEST / 1000)
            yield OtherBrowser("webkit", driver, log)
        finally:
            driver.quit()


@contextmanager
def screen() -> Iterator[str]:
    """A screen, as a program's DISPLAY."""
    process = subprocess.Popen(
        [program("Xvfb", "xvfb"), "-displayfd", "1", "-screen", "0", "1400x1000x24"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield f":{process.stdout.readline().strip()}"
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


OTHERS = {"firefox": firefox, "webkit": webkit}
