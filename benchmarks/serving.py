"""A server of its own for those who measure pages."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def served(data: str) -> Iterator[str]:
    """The address of `baghdad serve`, which runs as long as somebody needs it."""
    server = subprocess.Popen(
        [sys.executable, "-m", "baghdad", "--lang", "en", "serve", "--port", "0", "--data", data],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert server.stdout is not None, "it was piped"
        yield next(word for word in server.stdout.readline().split() if "://" in word)
    finally:
        server.terminate()
        server.wait()
