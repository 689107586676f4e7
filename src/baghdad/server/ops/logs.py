"""Logs as JSON, a line each, for people with tools; as plain lines on a terminal."""

import json
import logging
import sys
import time

_PLAIN = {*logging.makeLogRecord({}).__dict__, "message", "asctime", "taskName", "color_message"}

SAME_LINES, SAME_SECONDS = 100, 60.0
"""How often the same line is written in how long a time: enough to see what goes on."""


class JsonLines(logging.Formatter):
    """A line of JSON for each record, with all extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        line = {key: value for key, value in record.__dict__.items() if key not in _PLAIN}
        line |= {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class Seldom(logging.Filter):
    """Lets a line of the same wording pass a number of times in a while: whoever makes the server
    write it must not fill the disk with it."""

    def __init__(self, most: int = SAME_LINES, seconds: float = SAME_SECONDS) -> None:
        super().__init__()
        self._most = most
        self._seconds = seconds
        self._since = 0.0
        self._counts: dict[tuple[str, str], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if not 0 <= record.created - self._since < self._seconds:
            self._since = record.created
            self._counts.clear()
        line = (record.name, str(record.msg))
        count = self._counts[line] = self._counts.get(line, 0) + 1
        if count == self._most:
            record.msg = f"{record.msg} (and more of these, which are left out for a while)"
        return count <= self._most


def set_up_logs() -> None:
    """Send all logs to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(Seldom())
    if sys.stderr.isatty():
        handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    else:
        handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for noisy in ("uvicorn.access", "alembic", "httpx"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
