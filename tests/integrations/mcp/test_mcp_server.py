"""`pincite mcp` as a process, asked by the protocol's own client."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

# Not `mcp` alone: this folder has that name too.
pytest.importorskip("mcp.server.mcpserver", reason="pip install 'pincite[mcp]'")

import anyio
import httpx2 as httpx
import jsonschema
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "integrations" / "mcp.md").read_text(encoding="utf-8")
DRAFT = "Revenue grew by 12% in the first quarter of 2023 [report.txt]."
TOKEN = "a-token-of-the-tests-0123456789"
COMMAND = [sys.executable, "-m", "pincite", "mcp"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    (folder / "docs").mkdir()
    (folder / "docs" / "report.txt").write_text("Revenue grew by 21% in the first quarter of 2023.\n")
    (folder / "secret.txt").write_text("The password is swordfish.\n")
    # `sources` here opens nothing: only the command line does.
    (folder / "pincite.toml").write_text('judge = "rules"\nsources = ["."]\n')
    return folder


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "src"), **more}


def ask(folder: Path, use: Callable[[Client], Awaitable[Any]], *arguments: str) -> Any:
    """What a client gets from a server of its own on standard input and output."""
    server = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], *arguments], env=environment(), cwd=str(folder)
    )

    async def run() -> Any:
        async with Client(stdio_client(server)) as client:
            return await use(client)

    return anyio.run(run)


def test_the_tools_have_schemas_and_results_that_fit_them(folder: Path) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("check_citations", {"answer": DRAFT}),
        (
            "check_citations",
            {"answer": "Rent fell [r].", "contexts": [{"text": "Rent fell.", "id": "r"}, "x"]},
        ),
        ("locate", {"text": "Revenue grew", "limit": 1}),
        ("verify_quote", {"quote": "Revenue grew by 22%"}),
        ("explain_finding", {"code": "pin203"}),
    ]

    async def use(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"check_citations", "locate", "verify_quote", "explain_finding"}
        for tool in tools.values():
            assert tool.description
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint is True
        for name, given in calls:
            jsonschema.validate(given, tools[name].input_schema)
            done = await client.call_tool(name, given)
            assert not done.is_error
            jsonschema.validate(done.structured_content, tools[name].output_schema)
            assert json.loads(done.content[0].text) == done.structured_content

    ask(folder, use, "--sources", "docs")


def test_failures_are_errors_of_the_tool_and_the_server_goes_on(folder: Path) -> None:
    async def use(client: Client) -> None:
        for name, given, message in (
            ("check_citations", {"answer": "x", "sources": ["../secret.txt"]}, "is refused"),
            ("check_citations", {"answer": "x", "sources": [str(folder / "secret.txt")]}, "is refused"),
            ("check_citations", {"answer": "x", "sources": ["secret.txt"]}, "there is no source"),
            ("check_citations", {"answer": "x" * 200_001}, "at most 200,000"),
            ("check_citations", {"answer": 5}, "valid string"),
            ("check_citations", {}, "Field required"),
            ("locate", {"text": "", "limit": 5}, "is empty"),
            ("locate", {"text": "a", "limit": 10**9}, "less than or equal to 50"),
            ("explain_finding", {"code": "\ud7ff\0"}, "there is no code"),
            ("nothing", {}, "Unknown tool"),
        ):
            done = await client.call_tool(name, given)
            assert done.is_error, name
            assert message in done.content[0].text
        done = await client.call_tool("check_citations", {"answer": DRAFT})
        assert done.structured_content["findings"][0]["code"] == "PIN203"
        done = await client.call_tool("locate", {"text": "The password is swordfish"})
        assert done.structured_content == {"places": []}

    ask(folder, use, "--sources", "docs")


def test_lines_that_are_no_messages_do_not_end_it(folder: Path) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "0"},
        },
    }
    lines = ["", "{", "[]", '{"jsonrpc":"2.0","id":9,"method":"nope"}', "\x00\xff", json.dumps(hello)]
    done = subprocess.run(
        [*COMMAND, "--sources", "docs"],
        cwd=folder,
        env=environment(),
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        timeout=100,
    )
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert any(
        reply.get("id") == 1 and reply["result"]["serverInfo"]["name"] == "pincite" for reply in replies
    )
    assert (done.returncode, done.stderr) == (0, "")


# --- over HTTP ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    process = subprocess.Popen(
        [*COMMAND, "--http", "--port", "0", "--sources", "docs"],
        cwd=folder,
        env=environment(PINCITE_MCP_TOKEN=TOKEN),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found is not None
    yield found[0]
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert (process.returncode, out, err) == (0, "", "")


def test_a_client_with_the_token_is_served_over_http(address: str) -> None:
    async def run() -> None:
        async with (
            httpx.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=600) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            done = await client.call_tool("check_citations", {"answer": DRAFT})
            assert done.structured_content["findings"][0]["code"] == "PIN203"
            refused = await client.call_tool("locate", {"text": "x", "sources": ["../secret.txt"]})
            assert refused.is_error

    anyio.run(run)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": f"Bearer {TOKEN}x"}, 401),
        ({"Authorization": f"Basic {TOKEN}"}, 401),
        ({"Authorization": f"Bearer {TOKEN}", "Host": "evil.example"}, 403),
        ({"Authorization": f"Bearer {TOKEN}", "Origin": "https://evil.example"}, 403),
        ({"Authorization": f"Bearer {TOKEN}", "Origin": "null"}, 403),
    ],
)
def test_who_may_not_ask_is_refused(address: str, headers: dict[str, str], status: int) -> None:
    with httpx.Client() as http:
        for path in ("", "/", "?token=" + TOKEN):
            reply = http.post(
                address + path, headers=headers, json={"jsonrpc": "2.0", "id": 1, "method": "ping"}
            )
            assert reply.status_code == status
            assert TOKEN not in reply.text


def test_a_request_that_is_too_large_is_refused(address: str) -> None:
    with httpx.Client() as http:
        reply = http.post(
            address,
            headers={"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"},
            content=b'{"x":"' + b"x" * (33 * 1024 * 1024) + b'"}',
        )
        assert reply.status_code == 413


def test_a_token_is_made_up_where_none_is_given_and_a_short_one_is_refused(folder: Path) -> None:
    command = [*COMMAND, "--http", "--port", "0"]
    short = subprocess.run(
        command,
        cwd=folder,
        env=environment(PINCITE_MCP_TOKEN="abc"),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert short.returncode == 2
    assert short.stderr == "error: a token has at least 16 characters; leave it out to have one made\n"
    process = subprocess.Popen(command, cwd=folder, env=environment(), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    assert re.fullmatch(r"token: [\w-]{43}\n", process.stdout.readline())
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=600)
    assert process.returncode == 0


# --- the page ----------------------------------------------------------------------------------------


def test_the_example_of_the_page_prints_what_the_page_says(folder: Path, tmp_path: Path) -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    (report,) = re.findall(r"^`docs/report.txt`\n```\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "report.txt").write_text(report)
    (tmp_path / "pincite.toml").write_text("")
    # The command as it is installed, wherever this Python keeps its programs.
    tools = tmp_path / "bin"
    tools.mkdir()
    script = tools / "pincite"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m pincite "$@"\n')
    script.chmod(0o755)
    example = block.replace('command="pincite"', f"command={str(script)!r}, env={environment()!r}")
    done = subprocess.run(
        [sys.executable, "-c", example],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=110,
    )
    expected = [line.removeprefix("# ") for line in block.splitlines() if line.startswith("# ")]
    assert (done.stdout.splitlines(), done.stderr) == (expected, "")


def test_the_configurations_of_the_page_start_this_command() -> None:
    from pincite.cli.app import load_command
    from pincite.cli.commands.mcp import PORT

    first, second = (
        json.loads(one) for one in re.findall(r"^```json\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    )
    started = first["mcpServers"]["pincite"]
    assert started["command"] == "pincite"
    assert started["args"][0] == load_command("mcp").name
    assert load_command("mcp").parser().read(started["args"][1:]).folders == ["docs"]
    assert second["mcpServers"]["pincite"]["url"] == f"http://127.0.0.1:{PORT}/mcp"
