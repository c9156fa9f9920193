from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pincite.config import Alerts
from pincite.records import Alert, Run
from pincite.runs import deliver, message


def notify(run: Run, settings: Alerts, **limits: Any) -> tuple[str, ...]:
    return tuple(deliver(message(run), settings, **limits).values())


MISSED = Alert(kind="threshold", metric="span_f1", value=0.5, message="too low", threshold=0.8)
RUN = Run(run_id="eval_run_1", dataset_id="d", alerts=(MISSED,))


class Hook(HTTPServer):
    def __init__(self, statuses: list[int]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.statuses = statuses
        self.bodies: list[dict[str, Any]] = []
        self.paths: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    server: Hook

    def do_POST(self) -> None:
        self.server.paths.append(self.path)
        self.server.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        status = self.server.statuses.pop(0)
        if not status:  # cut the line
            self.connection.close()
            return
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture
def hook(request: pytest.FixtureRequest) -> Iterator[Hook]:
    server = Hook(list(request.param))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def address(hook: Hook) -> str:
    return f"http://127.0.0.1:{hook.server_port}/hook/SECRET?key=SECRET"


@pytest.mark.parametrize("hook", [[200]], indirect=True)
def test_a_webhook_gets_the_run_and_its_alerts_as_json(hook: Hook) -> None:
    assert notify(RUN, Alerts(webhook=address(hook))) == ()
    (body,) = hook.bodies
    assert body["run_id"] == "eval_run_1"
    assert body["alerts"][0]["metric"] == "span_f1"
    assert hook.paths == ["/hook/SECRET?key=SECRET"]


@pytest.mark.parametrize("hook", [[500, 0, 204]], indirect=True)
def test_a_webhook_that_fails_is_tried_again(hook: Hook) -> None:
    assert notify(RUN, Alerts(webhook=address(hook))) == ()
    assert len(hook.bodies) == 3


@pytest.mark.parametrize("hook", [[403]], indirect=True)
def test_a_webhook_that_refuses_is_a_warning_without_its_secret(hook: Hook) -> None:
    (problem,) = notify(RUN, Alerts(webhook=address(hook)))
    assert "HTTP 403" in problem
    assert "SECRET" not in problem


@pytest.mark.parametrize(
    "bad", ["ftp://host/x", "no address", "http://", "http://[::1", "http://host:99999/"]
)
def test_an_address_that_cannot_be_used_is_a_warning(bad: str) -> None:
    (problem,) = notify(RUN, Alerts(webhook=bad))
    assert "webhook" in problem


def test_the_words_about_a_webhook_hold_no_part_of_its_address_but_the_host() -> None:
    for address in (
        "http://ann:SECRET@127.0.0.1:1/SECRET?t=SECRET#SECRET",
        "http://127.0.0.1:1/SECRET path",
        "http://127.0.0.1:1/SECR\u00e4T\u20ac",
        "https://ann:SECRET@[::1:SECRET/",
        "http://SECRET\x00@127.0.0.1:SECRET/",
    ):
        (problem,) = notify(RUN, Alerts(webhook=address))
        assert "SECR" not in problem and "ann" not in problem.replace("cannot", "")


def test_a_command_gets_the_alerts_on_standard_input(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    script = f"import sys; open({str(told)!r}, 'w').write(sys.stdin.read())"
    assert notify(RUN, Alerts(command=(sys.executable, "-c", script))) == ()
    assert json.loads(told.read_text())["alerts"][0]["message"] == "too low"


def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    made = tmp_path / "made"
    (problem,) = notify(RUN, Alerts(command=(f"touch {made}; true",)))
    assert "could not be started" in problem
    assert not made.exists()


def test_a_command_that_fails_or_hangs_is_a_warning() -> None:
    (failed,) = notify(RUN, Alerts(command=(sys.executable, "-c", "raise SystemExit(3)")))
    assert "code 3" in failed
    (slow,) = notify(RUN, Alerts(command=(sys.executable, "-c", "import time; time.sleep(60)")), seconds=0.3)
    assert "longer than" in slow


def test_what_a_command_says_is_kept_in_part_however_much_it_is() -> None:
    script = "import sys; print('y' * 20_000_000); sys.exit('no such channel')"
    (problem,) = notify(RUN, Alerts(command=(sys.executable, "-c", script)))
    assert "ended with code 1: …" in problem and problem.endswith("no such channel")
    assert len(problem) < 1000


def test_a_command_that_reads_nothing_does_not_block() -> None:
    many = msgspec.structs.replace(RUN, alerts=(MISSED,) * 20_000)
    assert notify(many, Alerts(command=(sys.executable, "-c", "pass"))) == ()


@pytest.mark.skipif(os.name == "nt", reason="there are no process groups")
def test_a_command_that_never_stops_printing_is_ended_with_its_children(tmp_path: Path) -> None:
    pipe = tmp_path / "alive"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    # The child of the command holds the pipe open as long as it lives.
    child = f"file = open({str(pipe)!r}, 'w'); input()"
    script = (
        "import os, subprocess, sys\n"
        f"subprocess.Popen([sys.executable, '-c', {child!r}], stdin=subprocess.PIPE)\n"
        "while True: os.write(1, b'z' * 65536)"
    )
    try:
        (problem,) = notify(RUN, Alerts(command=(sys.executable, "-c", script)), seconds=2.0)
        assert "took longer than 2 s and was stopped" in problem
        os.set_blocking(reader, True)
        while os.read(reader, 100):
            pass  # ends only when nobody has the pipe open for writing any more
    finally:
        os.close(reader)
