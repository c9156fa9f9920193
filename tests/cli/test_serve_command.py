"""`pincite serve` as a process: its address, its end, and what keeps it from starting."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

import pytest
from cli_run import Runner


def start(folder: Path, *arguments: str) -> tuple[subprocess.Popen[str], str]:
    """A server on a free port, and the address that it prints."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pincite", "serve", "--port", "0", "--store", "h.db", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found is not None
    return process, found[0]


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="a signal cannot be sent to one process there")
def test_it_prints_its_address_serves_and_ends_cleanly(tmp_path: Path) -> None:
    process, address = start(tmp_path)
    bare, _, token = address.partition("?token=")
    with pytest.raises(urllib.error.HTTPError, match="401"):  # another user of this machine
        urllib.request.urlopen(bare, timeout=30)
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    with browser.open(address, timeout=30) as answer:
        text = answer.read().decode()
        assert "<h1>Runs</h1>" in text and token not in text and answer.url == f"{bare}runs"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, "", "")


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="a signal cannot be sent to one process there")
def test_another_address_than_this_machine_demands_the_token_that_it_prints(tmp_path: Path) -> None:
    process, address = start(tmp_path, "--host", "0.0.0.0")
    token = re.search(r"\?token=([\w-]{43})$", address)
    assert token is not None
    bare = address.partition("?")[0]
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(bare, timeout=30)
    request = urllib.request.Request(bare, headers={"Authorization": f"Bearer {token[1]}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.status == 200
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=30)[1] == ""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="a signal cannot be sent to one process there")
@pytest.mark.parametrize("more", [("--no-token",), ()])
def test_the_token_can_be_given_or_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    monkeypatch.setenv("PINCITE_WEB_TOKEN", "a-token-of-my-own")
    process, address = start(tmp_path, *more)
    assert address.partition("?")[2] == ("" if more else "token=a-token-of-my-own")
    headers = {} if more else {"Authorization": "Bearer a-token-of-my-own"}
    asked = urllib.request.Request(address.partition("?")[0], headers=headers)
    with urllib.request.urlopen(asked, timeout=30) as answer:
        assert answer.status == 200
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=30)[1] == ""


@pytest.mark.parametrize("command", [("serve", "--store", "h.db"), ("annotate", "sample", "--as", "ada")])
def test_a_server_for_others_cannot_go_without_a_token(
    pincite: Runner, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    done = pincite(*command, "--host", "0.0.0.0", "--no-token")
    assert done.code == 2 and "--no-token serves this machine only" in done.err
    for token in ("short", "with spaces in it, and long", "ünïcödë-ünïcödë-ünïcödë"):
        monkeypatch.setenv("PINCITE_WEB_TOKEN", token)
        done = pincite(*command)
        assert done.code == 2 and "PINCITE_WEB_TOKEN has at least 16" in done.err and token not in done.err


def test_a_port_in_use_is_said_in_one_line(pincite: Runner) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = pincite("serve", "--port", str(port), "--store", "h.db")
    assert done.code == 2
    assert f"port {port} of 127.0.0.1 is in use" in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--port", "70000"), "0 to 65535"),
        (("--host", "no.such.host.invalid"), "there is no address"),
        (("--host", "x" * 300), "there is no address"),
        (("--store", "none"), "there is no history in `none`"),
    ],
)
def test_what_keeps_it_from_starting_is_said(pincite: Runner, arguments: tuple[str, ...], said: str) -> None:
    done = pincite("serve", "--store", "h.db", *arguments)
    assert done.code == 2
    assert said in done.err and "Traceback" not in done.err


def test_without_the_extra_it_says_how_to_install_it(
    pincite: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = pincite("serve")
    assert done.code == 2
    assert "pip install 'pincite[web]'" in done.err
