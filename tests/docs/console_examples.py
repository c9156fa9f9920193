"""Reads a page of the documentation: the files it shows, and the commands with what they print."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

_FENCE = re.compile(
    r"^(?:`(?P<name>[^`\n]+)`:?\n\n?)?(?P<ticks>`{3,})(?P<kind>[a-z]*)\n(?P<body>.*?)^(?P=ticks)$",
    re.M | re.S,
)


SERVER_PORT = "8000"


class Example(NamedTuple):
    command: str
    printed: str


class Page(NamedTuple):
    files: dict[str, str]
    examples: list[Example]


def read_page(text: str) -> Page:
    """A block below a line that is only a name in backticks is a file; a `console` block holds commands."""
    files: dict[str, str] = {}
    examples: list[Example] = []
    for fence in _FENCE.finditer(text):
        if fence["kind"] == "console":
            for part in re.split(r"^\$ ", fence["body"], flags=re.M)[1:]:
                command, _, printed = part.partition("\n")
                examples.append(Example(command, printed))
        elif fence["name"]:
            files[fence["name"]] = fence["body"]
    return Page(files, examples)


def write_files(page: Page, folder: Path) -> None:
    # An empty configuration here ends the search upwards.
    (folder / "pincite.toml").write_text("")
    for name, body in page.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body, encoding="utf-8")


@contextmanager
def _served(page: Page, folder: Path) -> Iterator[str]:
    """Runs the page's `server.py`, if it has one, at a free port in the place of 8000; gives that port."""
    if "server.py" not in page.files:
        yield SERVER_PORT
        return
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = str(free.getsockname()[1])
    code = page.files["server.py"].replace(SERVER_PORT, port)
    server = subprocess.Popen([sys.executable, "-c", code], cwd=folder)
    try:
        for _ in range(200):
            with socket.socket() as client:
                if client.connect_ex(("localhost", int(port))) == 0:
                    break
            time.sleep(0.05)
        yield port
    finally:
        server.kill()
        server.wait()


def run_examples(page: Page, folder: Path) -> list[Example]:
    """Each command with what it really prints, run one after the other in the folder."""
    with _served(page, folder) as port:
        asked = [Example(one.command.replace(f":{SERVER_PORT}/", f":{port}/"), "") for one in page.examples]
        printed = _run_all(asked, folder)
    return [
        Example(one.command, real.replace(f":{port}/", f":{SERVER_PORT}/"))
        for one, real in zip(page.examples, printed, strict=True)
    ]


def _run_all(examples: list[Example], folder: Path) -> list[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PINCITE_")}
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        kept.pop(name, None)
    kept["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
    done: list[str] = []
    code = 0
    for example in examples:
        if example.command == "echo $?":
            done.append(f"{code}\n")
            continue
        ran = subprocess.run(
            ["bash", "-c", example.command],
            cwd=folder,
            env=kept,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        code = ran.returncode
        done.append(ran.stdout.decode("utf-8"))
    return done


def timeless(printed: str) -> str:
    """Without what differs each time: the run's number, how long it took, how far it was, our own latency."""
    printed = re.sub(r"^note: \d+/\d+ done, .*\n", "", printed, flags=re.M)
    printed = re.sub(r"eval_run_\d{8}_\d+", "eval_run_DAY_NUMBER", printed)
    printed = re.sub(r"^\d+\.\d s", "0.2 s", printed, flags=re.M)
    return re.sub(r"latency mean \d{1,3} ms, p95 \d{1,3} ms", "latency mean 0 ms, p95 0 ms", printed).strip(
        "\n"
    )


def refreshed(text: str) -> str:
    """The page with what its commands print today."""
    import tempfile

    page = read_page(text)
    with tempfile.TemporaryDirectory() as folder:
        write_files(page, Path(folder))
        real = run_examples(page, Path(folder))
    place = 0
    for before, now in zip(page.examples, real, strict=True):
        start = text.index(f"$ {before.command}\n{before.printed}", place)
        place = start + len(f"$ {before.command}\n")
        # The empty lines between two commands are the page's own.
        blank = len(before.printed) - len(before.printed.rstrip("\n")) - 1
        printed = (
            now.printed.rstrip("\n") + "\n" + "\n" * max(0, blank) if now.printed.strip() else before.printed
        )
        text = text[:place] + printed + text[place + len(before.printed) :]
        place += len(printed)
    return text


if __name__ == "__main__":
    # python tests/docs/console_examples.py docs/cli.md … writes what the commands print into the pages.
    for argument in sys.argv[1:]:
        Path(argument).write_text(refreshed(Path(argument).read_text(encoding="utf-8")), encoding="utf-8")
