"""Logs as JSON, a line each, for people with tools; as plain lines on a terminal."""

import json
import logging
import sys
import time

_PLAIN = {*logging.makeLogRecord({}).__dict__, "message", "asctime", "taskName", "color_message"}


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


def set_up_logs() -> None:
    """Send all logs to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    if sys.stderr.isatty():
        handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    else:
        handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for noisy in ("uvicorn.access", "alembic", "httpx"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
