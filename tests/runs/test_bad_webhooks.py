"""Webhooks that misbehave, each on a real socket. A delivery ends in time and says truly how it went."""

from __future__ import annotations

import shutil
import socket
import ssl
import struct
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from pincite.config import Alerts
from pincite.records import Alert, Run
from pincite.runs import deliver, message

RUN = Run(run_id="r", alerts=(Alert(kind="threshold", metric="m", value=0.5, message="too low"),))
HANG_GUARD = 60.0
MOST = 64 * 1024 * 1024

Behaviour = Callable[[socket.socket, threading.Event], None]


@contextmanager
def server(behave: Behaviour, scheme: str = "http") -> Iterator[tuple[str, list[int]]]:
    """Serves each connection with `behave`; gives the address, and a list with an entry a connection."""
    over, seen = threading.Event(), list[int]()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.05)

        def serve() -> None:
            while not over.is_set():
                with suppress(TimeoutError):
                    connection, _ = listening.accept()
                    seen.append(1)
                    connection.settimeout(HANG_GUARD)
                    with connection, suppress(OSError):
                        behave(connection, over)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"{scheme}://127.0.0.1:{listening.getsockname()[1]}/hook/SECRET", seen
        finally:
            over.set()
            thread.join(HANG_GUARD)
            assert not thread.is_alive()


def told(address: str, seconds: float = 10.0, tries: int = 1) -> str:
    settings = Alerts(webhook=address)
    problems = deliver(message(RUN), settings, seconds=seconds, tries=tries).values()
    assert all("SECRET" not in problem for problem in problems)
    return " ".join(problems)


def answer(head: str) -> Behaviour:
    def behave(connection: socket.socket, _: threading.Event) -> None:
        connection.recv(65536)
        connection.sendall(head.encode("latin-1"))

    return behave


def hang_at_once(_: socket.socket, over: threading.Event) -> None:
    over.wait(HANG_GUARD)


def hang_after_the_request(connection: socket.socket, over: threading.Event) -> None:
    connection.recv(65536)
    over.wait(HANG_GUARD)


def hang_within_the_head(connection: socket.socket, over: threading.Event) -> None:
    connection.recv(65536)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-")
    over.wait(HANG_GUARD)


def drip(connection: socket.socket, over: threading.Event) -> None:
    """A byte every now and then, each well within what a socket would wait for."""
    connection.recv(65536)
    connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
    while not over.wait(0.02):
        connection.sendall(b"x")


def endless_interim_replies(connection: socket.socket, over: threading.Event) -> None:
    connection.recv(65536)
    while not over.wait(0.01):
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("behave", [hang_at_once, hang_after_the_request, hang_within_the_head])
def test_a_server_that_hangs_at_any_stage_ends_at_the_deadline(behave: Behaviour, scheme: str) -> None:
    with server(behave, scheme) as (address, _):
        assert "did not take the alerts" in told(address, seconds=0.3)


@pytest.mark.parametrize("behave", [drip, endless_interim_replies])
def test_a_server_that_keeps_sending_does_not_move_the_deadline(behave: Behaviour) -> None:
    with server(behave) as (address, _):
        assert "there was no answer within 0.3 s" in told(address, seconds=0.3)


def test_a_server_that_takes_no_connection_ends_at_the_deadline() -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = [socket.socket() for _ in range(8)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        assert "did not take the alerts" in told(
            f"http://127.0.0.1:{full.getsockname()[1]}/SECRET", seconds=0.3
        )
        for one in waiting:
            one.close()


def test_a_name_that_is_looked_up_forever_ends_at_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()

    def look_up(*_: object, **__: object) -> list[object]:
        over.wait(HANG_GUARD)
        raise socket.gaierror(socket.EAI_AGAIN, "gone")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    assert "there was no answer within 0.3 s" in told("http://hooks.example.invalid/SECRET", seconds=0.3)
    over.set()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_no_delivery_and_is_not_followed(status: int) -> None:
    head = f"HTTP/1.1 {status} Moved\r\nLocation: /other?SECRET\r\nContent-Length: 0\r\n\r\n"
    with server(answer(head)) as (address, seen):
        assert f"it redirects (HTTP {status}), which is not followed" in told(address)
        assert len(seen) == 1


def test_an_endless_body_is_not_read() -> None:
    sent = 0

    def pour(connection: socket.socket, over: threading.Event) -> None:
        nonlocal sent
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while sent < MOST and not over.is_set():
            sent += connection.send(b"x" * 65536)

    with server(pour) as (address, seen):
        assert told(address) == ""
        assert len(seen) == 1
    assert sent < MOST / 2, "what fits into buffers, and no more"


def test_a_body_that_drips_or_breaks_off_changes_nothing() -> None:
    with server(answer("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nx")) as (address, _):
        assert told(address) == ""


@pytest.mark.parametrize(
    "head",
    [
        "HTTP/1.1 200 OK\r\nX: " + "x" * 200_000 + "\r\n\r\n",
        "HTTP/1.1 200 OK\r\n" + "X: y\r\n" * 10_000 + "\r\n",
        "SSH-2.0-OpenSSH\r\n",
        "HTTP/1.1 2 OK\r\n\r\n",
        "\x00\xff" * 100 + "\r\n",
    ],
    ids=["long line", "many lines", "another protocol", "no status", "noise"],
)
def test_what_is_no_reply_is_no_delivery(head: str) -> None:
    with server(answer(head)) as (address, _):
        assert "the reply is not HTTP" in told(address) or "closed" in told(address)


def test_a_connection_that_is_reset_is_tried_again_and_then_told() -> None:
    def reset(connection: socket.socket, _: threading.Event) -> None:
        connection.recv(65536)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    with server(reset) as (address, seen):
        assert "did not take the alerts: Connection reset" in told(address, tries=3)
        assert len(seen) == 3


def test_an_error_of_the_server_is_tried_again_and_then_told() -> None:
    with server(answer("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n")) as (address, seen):
        assert "HTTP 500" in told(address, tries=3)
        assert len(seen) == 3


def test_a_server_without_tls_gets_nothing_over_https() -> None:
    got = b""

    def listen(connection: socket.socket, _: threading.Event) -> None:
        nonlocal got
        got += connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")

    with server(listen, "https") as (address, seen):
        assert "no safe connection" in told(address)
        assert len(seen) == 1
    assert b"SECRET" not in got and b"too low" not in got


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate with openssl")
def test_a_certificate_that_nobody_vouches_for_is_no_delivery(tmp_path: Path) -> None:
    certificate, key = tmp_path / "c.pem", tmp_path / "k.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    named = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "1"]
    subprocess.run([*made, *named, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    got: list[bytes] = []

    def listen(connection: socket.socket, _: threading.Event) -> None:
        with context.wrap_socket(connection, server_side=True) as secure:
            got.append(secure.recv(65536))

    with server(listen, "https") as (address, seen):
        assert "no safe connection (self-signed certificate)" in told(address)
        assert len(seen) == 1
    assert got == []
