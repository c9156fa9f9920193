"""A small HTTP/1.1 client for one address: connections are kept open, sizes capped, no other host is asked.

It is our own because the time it takes counts as that of the system under test, and a library took twenty
times as much: `docs/decisions/0007-http-client.md`. A timeout cancels it at any stage.
"""

from __future__ import annotations

import asyncio
import math
import os
import re
import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC
from email.utils import parsedate_to_datetime
from urllib.parse import SplitResult, urljoin, urlsplit

from msgspec import Struct

from pincite.errors import InputError, PinciteError

MOST_BYTES = 32 * 1024 * 1024
"""Of a reply's body: more is no answer."""
MOST_HEADERS = 64 * 1024
MOST_REDIRECTS = 3
_RETRY = frozenset({408, 425, 429, 500, 502, 503, 504})

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class HttpFailed(PinciteError):
    """There is no reply, or none that can be read. `retryable` says whether another try may help."""

    def __init__(self, reason: str, retryable: bool = False) -> None:
        super().__init__(reason)
        self.retryable = retryable


class HttpReply(Struct, frozen=True):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def retryable(self) -> bool:
        return self.status in _RETRY

    @property
    def after(self) -> float | None:
        """In how many seconds to come back, where the reply says so."""
        return retry_after(self.headers)


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """The seconds that a reply asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date."""
    milliseconds = _seconds(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    said = headers.get("retry-after")
    seconds = _seconds(said)
    if seconds is not None or not said:
        return seconds
    try:
        moment = parsedate_to_datetime(said)
        aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
        return max(0.0, aware.timestamp() - (time.time() if now is None else now))
    except (ValueError, TypeError, OverflowError, OSError):
        return None


def _seconds(said: str | None) -> float | None:
    try:
        value = float(said) if said else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


class HttpClient:
    """Asks one host. What cannot be read, or breaks off, is an `HttpFailed`.

    A redirect is followed only where it stays on the host and repeats the request.
    """

    def __init__(self, url: str, headers: Mapping[str, str], most_bytes: int = MOST_BYTES) -> None:
        self._url = split_address(url)
        self._headers = dict(headers)
        self._most = most_bytes
        self._idle: list[Connection] = []
        self._tls: ssl.SSLContext | None = None

    async def post(self, body: bytes) -> HttpReply:
        return await self.request("POST", body)

    async def request(self, method: str, body: bytes | None = None, path: str = "") -> HttpReply:
        """Send a request to the address, or to another path of its host."""
        url = self._url if not path else split_address(urljoin(self._url.geturl(), path))
        for _ in range(MOST_REDIRECTS + 1):
            reply = await self._exchange(url, self._request(method, url, body))
            if reply.status not in (307, 308):
                return reply
            url = _redirected(url, reply)
        raise HttpFailed("too many redirects")

    async def close(self) -> None:
        for _, writer in self._idle:
            writer.close()
        for _, writer in self._idle:
            with suppress(OSError):
                await writer.wait_closed()
        self._idle.clear()

    async def _exchange(self, url: SplitResult, request: bytes) -> HttpReply:
        """One request. A kept connection may have been closed meanwhile: then a new one is tried."""
        while self._idle:
            connection = self._idle.pop()
            if connection[0].at_eof() or connection[1].is_closing():
                connection[1].close()
                continue
            try:
                return await self._send(connection, request)
            except _ClosedEarly:
                continue
        try:
            return await self._send(await self._connect(url), request)
        except _ClosedEarly:
            raise HttpFailed("the system closed the connection without an answer", retryable=True) from None

    async def _connect(self, url: SplitResult) -> Connection:
        secure = url.scheme == "https"
        if secure and self._tls is None:
            self._tls = ssl.create_default_context()
        try:
            return await asyncio.open_connection(
                url.hostname, _port(url), ssl=self._tls if secure else None, limit=MOST_HEADERS
            )
        except ssl.SSLError as error:
            raise HttpFailed(f"no safe connection to {url.hostname}: {error.reason or error}") from None
        except OSError as error:
            raise HttpFailed(
                f"cannot reach {url.hostname}:{_port(url)}: {_reason(error)}", retryable=True
            ) from None

    async def _send(self, connection: Connection, request: bytes) -> HttpReply:
        reader, writer = connection
        reusable = False
        try:
            writer.write(request)
            await writer.drain()
            reply, reusable = await _read_reply(reader, self._most)
            return reply
        except asyncio.IncompleteReadError as error:
            if not error.partial:
                raise _ClosedEarly from None
            raise HttpFailed("the connection closed in the middle of the answer", retryable=True) from None
        except ConnectionError:
            raise _ClosedEarly from None
        except (asyncio.LimitOverrunError, ValueError) as error:
            raise HttpFailed(f"the reply is not HTTP: {error}") from None
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise HttpFailed(f"the connection failed: {reason}", retryable=True) from None
        finally:
            if reusable:
                self._idle.append(connection)
            else:
                writer.close()

    def _request(self, method: str, url: SplitResult, body: bytes | None) -> bytes:
        """All of a request as it is sent."""
        path = (url.path or "/") + (f"?{url.query}" if url.query else "")
        host = url.hostname or ""
        shown = f"[{host}]" if ":" in host else host
        default = 443 if url.scheme == "https" else 80
        fields = {
            "host": shown if _port(url) == default else f"{shown}:{_port(url)}",
            "content-type": "application/json",
            "accept": "application/json, text/plain, */*",
            "accept-encoding": "identity",
            "user-agent": "pincite",
            **{name.lower(): value for name, value in self._headers.items()},
            **({} if body is None else {"content-length": str(len(body))}),
        }
        head = f"{method} {path} HTTP/1.1\r\n" + "".join(
            f"{name}: {value}\r\n" for name, value in fields.items()
        )
        return head.encode("latin-1") + b"\r\n" + (body or b"")


class _ClosedEarly(Exception):
    """Nothing at all came back: the usual sign of a kept connection that the server had closed."""


def split_address(url: str) -> SplitResult:
    """The parts of an address; `InputError` if it cannot be used."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InputError("the target is not a valid address: write http://host:port/path") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise InputError("the target needs an address such as http://localhost:8000/ask")
    if not url.isascii() or any(ord(character) <= 32 or ord(character) == 127 for character in url):
        raise InputError("the target has characters that no address may have; write them as %XX")
    return parts


def _port(url: SplitResult) -> int:
    return url.port or (443 if url.scheme == "https" else 80)


def _redirected(url: SplitResult, reply: HttpReply) -> SplitResult:
    said = reply.headers.get("location", "")
    if not said:
        raise HttpFailed("the system redirects and does not say where")
    try:
        new = split_address(urljoin(url.geturl(), said))
    except ValueError:  # an address that cannot be read is an InputError, which is one
        raise HttpFailed("the system redirects to something that is not an address") from None
    if (new.scheme, new.hostname, _port(new)) != (url.scheme, url.hostname, _port(url)):
        raise HttpFailed("the system redirects to another host, which is not followed")
    return new


async def _read_reply(reader: asyncio.StreamReader, most: int) -> tuple[HttpReply, bool]:
    """The reply, and whether its connection can be used again."""
    status, version, headers = await _read_head(reader)
    while 100 <= status < 200:  # an interim reply; the true one follows
        status, version, headers = await _read_head(reader)
    lasting = version == "HTTP/1.1" and "close" not in headers.get("connection", "").lower()
    if status in (204, 304):
        return HttpReply(status, headers, b""), lasting
    if "chunked" in headers.get("transfer-encoding", "").lower():
        return HttpReply(status, headers, await _read_chunks(reader, most)), lasting
    length = headers.get("content-length")
    if length is None:
        return HttpReply(status, headers, await _read_to_the_end(reader, most)), False
    if not (length.isascii() and length.isdigit() and len(length) < 16):
        raise ValueError(f"its length is {length!r:.40}")
    if int(length) > most:
        raise HttpFailed(f"the reply is over {most // 2**20} MB")
    try:
        body = await reader.readexactly(int(length))
    except asyncio.IncompleteReadError:
        raise HttpFailed("the connection closed in the middle of the answer", retryable=True) from None
    return HttpReply(status, headers, body), lasting


async def _read_head(reader: asyncio.StreamReader) -> tuple[int, str, dict[str, str]]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    version, _, rest = first.partition(" ")
    code = rest.partition(" ")[0]
    if not version.startswith("HTTP/1.") or not (code.isascii() and code.isdigit() and len(code) == 3):
        raise ValueError(f"it begins with {first!r:.40}")
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if colon:
            headers[name.strip().lower()] = value.strip()
    return int(code), version, headers


async def _read_chunks(reader: asyncio.StreamReader, most: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    try:
        while True:
            line = (await reader.readuntil(b"\r\n")).partition(b";")[0].strip()
            length = int(line, 16)
            if length < 0 or size + length > most:
                raise HttpFailed(f"the reply is over {most // 2**20} MB")
            if length == 0:
                while (await reader.readuntil(b"\r\n")) != b"\r\n":
                    pass
                return b"".join(parts)
            parts.append(await reader.readexactly(length))
            size += length
            await reader.readexactly(2)
    except asyncio.IncompleteReadError:
        raise HttpFailed("the connection closed in the middle of the answer", retryable=True) from None


async def _read_to_the_end(reader: asyncio.StreamReader, most: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while part := await reader.read(65536):
        parts.append(part)
        size += len(part)
        if size > most:
            raise HttpFailed(f"the reply is over {most // 2**20} MB")
    return b"".join(parts)


def _reason(error: OSError) -> str:
    """Why there is no connection, in the system's words.

    asyncio has words of its own, `Connect call failed ('127.0.0.1', 1)`, and joins those of all addresses.
    """
    joined = re.search(r"\[Errno (\d{1,5})\]", str(error))
    if joined is None or isinstance(error, socket.gaierror):
        return error.strerror or type(error).__name__
    return os.strerror(int(joined[1]))
