"""Plain HTTP that costs little: one request for a connection, from any address of this machine."""

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec

PATIENCE = 20.0
"""Seconds for an answer."""


async def ask(
    port: int,
    address: str,
    method: str,
    path: str,
    body: Mapping[str, Any] | None = None,
    secret: str | None = None,
) -> tuple[int, bytes]:
    """Status and body of the answer."""
    head = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: close"]
    content = b""
    if body is not None:
        content = msgspec.json.encode(body)
        head += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    if secret is not None:
        head.append(f"Authorization: Bearer {secret}")
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port, local_addr=(address, 0), limit=1 << 20
        )
        try:
            writer.write("\r\n".join([*head, "", ""]).encode() + content)
            answer = await reader.read()
        finally:
            writer.close()
    top, _, rest = answer.partition(b"\r\n\r\n")
    if not top.startswith(b"HTTP/1.1 "):
        raise EOFError
    return int(top[9:12]), rest
