"""`make audit`: nothing known, something known, and nobody to ask are three different answers."""

import json
import sys
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from support.programs import ROOT, load

audit = load("tools/audit.py")

BAD = {"id": "PYSEC-2026-1", "fix_versions": ["9.9"], "aliases": [], "description": ""}
KNOWN = {"name": "uvicorn", "version": "0.54.0", "vulns": []}
SKIPPED = {"name": "tqdm", "skip_reason": "not found"}
ADVISORY = {
    "id": 1,
    "url": "https://example.org/1",
    "title": "tells too much",
    "severity": "high",
    "vulnerable_versions": "<99",
}


def pip_audit(folder: Path, answers: Mapping[str, object]) -> list[str]:
    """A program that answers as pip-audit does: by source, with JSON or a complaint."""
    program = folder / "pip_audit.py"
    program.write_text(
        "import json, sys\n"
        f"answers = json.loads({json.dumps(answers)!r})\n"
        "answer = answers[sys.argv[-1]]\n"
        "sys.exit(answer) if isinstance(answer, str) else print(json.dumps(answer))\n"
    )
    return [sys.executable, str(program)]


def packages(*each: object) -> dict[str, object]:
    return {"dependencies": each, "fixes": []}


@pytest.mark.parametrize(
    ("pypi", "osv", "code", "word"),
    [
        (packages(KNOWN), "never asked", 0, "no known vulnerability in 1 packages"),
        (packages(KNOWN | {"vulns": [BAD]}), "never asked", 1, "PYSEC-2026-1, not in 9.9"),
        (packages(KNOWN, SKIPPED), packages(KNOWN), 0, "no known vulnerability"),
        (packages(KNOWN, SKIPPED), "no such host", 3, "no answer about 1 of 2"),
        (packages(KNOWN | {"vulns": [BAD]}, SKIPPED), "no such host", 1, "NO all-clear"),
        ("no such host", packages(SKIPPED), 3, "NO all-clear: pypi: no such host; osv had no"),
        (packages(), "no such host", 3, "no package was read"),
    ],
)
def test_what_is_said_of_the_lock(
    tmp_path: Path, pypi: object, osv: object, code: int, word: str
) -> None:
    answer = audit.ask_python(pip_audit(tmp_path, {"pypi": pypi, "osv": osv}))
    assert answer.code == code
    assert word in audit.told("requirements.lock", answer)


def test_without_its_tool_nothing_is_cleared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "OWN", tmp_path)
    monkeypatch.setattr(audit, "TOOL", str(tmp_path / "not-there.whl"))
    monkeypatch.setattr(audit.venv, "create", lambda *_, **__: None)
    answer = audit.ask_python()
    assert answer.code == 3
    assert "can't be installed" in answer.missing


@pytest.fixture
def registry() -> Iterator[Any]:
    """A registry of packages that knows what it is told; `code` and `advisories` can be set."""

    class Registry(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(server.code)
            body = json.dumps(server.advisories).encode()
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            self.send_error(404)

        def log_message(self, *_: object) -> None: ...

    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    server.code, server.advisories = 200, {}
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    ("code", "advisories", "expected", "word"),
    [
        (200, {}, 0, "no known vulnerability"),
        (200, {"svelte": [ADVISORY]}, 1, "tells too much (high, https://example.org/1)"),
        (405, {}, 3, "NO all-clear: npm: 405"),
    ],
)
def test_what_npm_is_told_of_the_page(
    registry: Any, code: int, advisories: object, expected: int, word: str
) -> None:
    registry.code, registry.advisories = code, advisories
    answer = audit.ask_npm(f"http://127.0.0.1:{registry.server_port}/")
    assert answer.code == expected
    assert word in audit.told("web/package-lock.json", answer)


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        ((audit.Answer(9), audit.Answer(9)), 0),
        ((audit.Answer(9, ("bad",)), audit.Answer(missing="gone")), 1),
        ((audit.Answer(9), audit.Answer(missing="gone")), 3),
    ],
)
def test_the_worst_counts(
    monkeypatch: pytest.MonkeyPatch, answers: tuple[Any, Any], code: int
) -> None:
    monkeypatch.setattr(audit, "ask_python", lambda: answers[0])
    monkeypatch.setattr(audit, "ask_npm", lambda: answers[1])
    assert audit.main() == code


def test_make_has_it() -> None:
    assert "tools/audit.py" in (ROOT / "Makefile").read_text("utf-8")
