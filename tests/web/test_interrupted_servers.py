"""Ctrl-C at any moment of `serve` and `annotate`: the documented exit code, and not a word more."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from web_server import Client

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(sys.platform == "win32", reason="a signal cannot be sent to one process there"),
]

SERVE = ("serve", "--store", "h.db", "--no-token", "--port", "0")
ANNOTATE = ("annotate", "sample", "--as", "ada", "--no-open", "--no-token", "--port", "0")


@contextmanager
def started(folder: Path, event: int, *command: str, **more: str) -> Iterator[subprocess.Popen[str]]:
    script = Path(__file__).with_name("interrupted.py")
    with subprocess.Popen(
        [sys.executable, str(script), str(event), *command],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **more},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("command", "event"),
    [(SERVE, event) for event in (1, 300, 1500, 4000, 6500)]
    + [(ANNOTATE, event) for event in (1, 200, 800, 1500)],
)
def test_an_interrupt_while_it_starts_ends_it_at_once(
    tmp_path: Path, command: tuple[str, ...], event: int
) -> None:
    with started(tmp_path, event, *command) as process:
        assert process.stdout is not None
        address = process.stdout.readline()
        if address:  # it does less than was counted before, and serves by now
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=100)
        assert (process.returncode, out, err) == (0 if address else 130, "", "")


def port_of(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    found = re.search(r":(\d+)/", process.stdout.readline())
    assert found is not None
    return int(found[1])


def test_no_request_under_way_keeps_it_from_ending(tmp_path: Path) -> None:
    """A check that never ends, one that waits, half a request, an idle connection."""
    form = {"answer": "Water [a].", "source_name": "a", "source_text": "Water."}
    with started(tmp_path, 0, *SERVE, STUCK_CHECK="1") as process:
        client = Client(port_of(process))
        client.csrf()  # one session for all

        def ask() -> None:
            with suppress(OSError, http.client.HTTPException):
                client.post("/try", form)

        asking = [threading.Thread(target=ask) for _ in range(3)]
        for one in asking:
            one.start()
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == ["stuck\n"] * 2
        with (
            socket.create_connection(("127.0.0.1", client.port)) as half,
            socket.create_connection(("127.0.0.1", client.port)),
        ):
            half.sendall(b"POST /try HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx")
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=100)
        assert (process.returncode, out, err) == (0, "", "")
        for one in asking:
            one.join()
