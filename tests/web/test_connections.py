"""Half-open requests: they end by themselves, and nobody who is served is cut off."""

from __future__ import annotations

import asyncio
import http.client
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from web_server import Client, served

from pincite.web import Section, WebRoute, server
from pincite.web.server import LEAST_RATE, PATIENCE_SECONDS, PatientProtocol, allowed_seconds

PATIENCE = 0.2
MOST_TRIES = 50
HEAD = "POST /take HTTP/1.1\r\nHost: localhost\r\n"


async def take(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


async def slow(request: Request) -> Response:
    await asyncio.sleep(5 * PATIENCE)
    return PlainTextResponse("done")


def large(request: Request) -> Response:
    return PlainTextResponse("x" * 50_000_000)


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setattr(PatientProtocol, "patience", PATIENCE)
    monkeypatch.setattr(PatientProtocol, "unread", PATIENCE)
    routes = (
        WebRoute("/take", take, ("POST",), 10_000_000),
        WebRoute("/slow", slow),
        WebRoute("/large", large),
    )
    with served([Section(routes)]) as found:
        yield found


def ended(connection: socket.socket, drip: bytes = b"") -> bytes:
    """What comes before the server ends the connection, while something is sent to it all the time."""
    stop = threading.Event()

    def send() -> None:
        while drip and not stop.wait(PATIENCE / 20):
            try:
                connection.sendall(drip)
            except OSError:
                return

    sender = threading.Thread(target=send)
    sender.start()
    received = b""
    try:
        while piece := connection.recv(1 << 16):
            received += piece
    except ConnectionResetError:
        pass
    finally:
        stop.set()
        sender.join()
    return received


def connected(client: Client) -> socket.socket:
    return socket.create_connection(("127.0.0.1", client.port), timeout=60)


@pytest.mark.parametrize(
    ("sent", "drip"),
    [
        ("", b""),
        ("GET /slow HTTP/1.1\r\nHost: loc", b""),
        ("GET /slow HTTP/1.1\r\nHost: localhost\r\n", b"a: b\r\n"),
        (f"{HEAD}Content-Length: 1000000\r\n\r\nx", b""),
        (f"{HEAD}Content-Length: 1000000\r\n\r\n", b"x"),
        (f"{HEAD}Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    ],
)
def test_a_request_that_does_not_come_to_its_end_is_given_up(client: Client, sent: str, drip: bytes) -> None:
    with connected(client) as connection:
        connection.sendall(sent.encode())
        assert b" 200 " not in ended(connection, drip)


def test_a_second_request_on_a_connection_is_given_up_as_well(client: Client) -> None:
    def first(connection: socket.socket) -> bytes:
        connection.sendall(b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return connection.recv(1 << 16)

    with ExitStack() as opened:
        for _ in range(MOST_TRIES):
            connection = opened.enter_context(connected(client))
            with suppress(OSError):
                if b" 404 " in first(connection):
                    break
        else:
            raise AssertionError("nothing was ever answered")
        ended(connection, b"G")


def test_a_response_that_nobody_reads_is_given_up(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    lost, served_before = threading.Event(), PatientProtocol.connection_lost

    def note(self: PatientProtocol, error: Exception | None) -> None:
        served_before(self, error)
        lost.set()

    monkeypatch.setattr(PatientProtocol, "connection_lost", note)
    with connected(client) as connection:
        connection.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert lost.wait(100)  # and not one byte was read


def test_a_crowd_of_silent_connections_takes_nobody_s_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "connections_allowed", lambda: 8)
    monkeypatch.setattr(PatientProtocol, "patience", 1000.0)
    begun, go_on = threading.Event(), threading.Event()

    def wait(request: Request) -> Response:
        begun.set()
        go_on.wait(100)
        return PlainTextResponse("done")

    with (
        served([Section((WebRoute("/wait", wait),))]) as client,
        ThreadPoolExecutor(1) as person,
        ExitStack() as crowd,
    ):
        waiting = person.submit(client.get, "/wait")
        begun.wait(100)
        silent = [crowd.enter_context(connected(client)) for _ in range(40)]
        assert client.get("/nowhere").status == 404
        assert [ended(one) for one in silent[:30]] == [b""] * 30
        go_on.set()
        assert waiting.result().text == "done"


def test_an_answer_may_take_its_time(client: Client) -> None:
    """On a busy machine it is a client who may be too slow, which says nothing about the answer."""
    for _ in range(MOST_TRIES):
        with suppress(OSError, http.client.HTTPException):
            assert client.get("/slow").text == "done"
            return
    raise AssertionError("it was never given the time")


def test_a_large_body_is_given_the_time_of_a_slow_line() -> None:
    assert allowed_seconds(0) == PATIENCE_SECONDS
    assert allowed_seconds(100) < PATIENCE_SECONDS + 0.1  # a byte now and then buys nothing
    assert allowed_seconds(10 * 1024 * 1024) > 10 * 1024 * 1024 / LEAST_RATE
