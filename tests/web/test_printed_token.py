"""The token of the printed address, with real servers: who has it is let in, and it is seen nowhere else."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from web_server import Client

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(sys.platform == "win32", reason="a signal cannot be sent to one process there"),
]

COMMANDS = {
    "serve": (("serve", "--store", "h.db"), "/", "/runs"),
    "annotate": (("annotate", "sample", "--as", "ada"), "/as/ada", "/as/ada"),
}


@contextmanager
def printed(folder: Path, *command: str, **more: str) -> Iterator[tuple[Client, str, str]]:
    """A server, and the path and token of the address that it printed. It says nothing else until its end."""
    with subprocess.Popen(
        [sys.executable, "-m", "pincite", *command, "--port", "0"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **more},
    ) as server:
        try:
            assert server.stdout is not None
            found = re.search(r":(\d+)(/\S*)\?token=([\w-]{43}) ", server.stdout.readline())
            assert found is not None
            yield Client(int(found[1])), found[2], found[3]
            server.send_signal(signal.SIGINT)
            out, err = server.communicate(timeout=100)
            assert (server.returncode, out, err) == (0, "", "")
        finally:
            server.kill()


@pytest.mark.parametrize("name", COMMANDS)
def test_it_is_exchanged_for_a_cookie_and_shown_by_no_page(tmp_path: Path, name: str) -> None:
    command, path, page = COMMANDS[name]
    more = ("--no-open",) if name == "annotate" else ()
    with printed(tmp_path, *command, *more) as (client, where, token):
        assert where == path
        for asked in (path, page, "/api/session", "/runs?format=json", "/static/x/y", f"{path}?token=wrong"):
            assert Client(client.port).get(asked).status == 401
        answer = client.get(f"{path}?token={token}")
        assert (answer.status, answer.headers["location"]) == (303, path)
        assert token not in str(answer.headers) and token not in answer.text
        shown = client.get(page)
        assert shown.status == 200 and token not in shown.text and token not in str(shown.headers)
        assert client.get(f"{page}?token={token}").status == 303  # never shown under such an address
        assert all(value != token for value in client.cookies.values())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_browser_is_started_with_a_token_that_works_once(tmp_path: Path, name: str) -> None:
    command, path, _ = COMMANDS[name]
    browser = tmp_path / "browser"
    browser.write_text(
        f'#!/bin/sh\nprintf "%s" "$1" > {tmp_path}/part; mv {tmp_path}/part {tmp_path}/opened\n'
    )
    browser.chmod(0o700)
    more = ("--open",) if name == "serve" else ()
    with printed(tmp_path, *command, *more, BROWSER=f"{browser} %s") as (client, _, token):
        while not (tmp_path / "opened").exists():
            assert client.get("/api/session").status == 401
        opened = (tmp_path / "opened").read_text().partition(f"{client.port}")[2]
        assert opened.startswith(f"{path}?token=") and token not in opened
        assert client.get(opened).status == 303 and client.get(path).status in (200, 303)
        assert Client(client.port).get(opened).status == 401
        assert Client(client.port).get(f"{path}?token={token}").status == 303
