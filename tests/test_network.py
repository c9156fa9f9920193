"""Nothing leaves the machine, and nothing is written but to the folders that are named for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from llm_material import by_claim, verdict
from llm_server import LlmServer
from tiny_models import make_model
from watched import Watched

ALIVE = 30
"""Seconds. A library that reports home collects for a while first: onnxruntime 1.31 for nine seconds."""

LIBRARY_USER = """
import multiprocessing, os, sys, time

end = time.monotonic() + float(sys.argv[1])
SOURCE = "The council of the old city opened the bridge in 1990."

def check(number, judge=None):
    import pincite
    claim = f"The council opened bridge {number} [a.txt:0-54]."
    assert pincite.check(claim, {"a.txt": SOURCE}, judge=judge).summary.targets == 1

def check_now_and_then():
    number = 0
    while not number or time.monotonic() < end:
        check(number)
        number += 1
        time.sleep(2)

if __name__ == "__main__":
    before = dict(os.environ)
    check("one")
    child = multiprocessing.get_context("spawn").Process(target=check_now_and_then)
    child.start()
    check("two", "nli:" + sys.argv[2])
    import onnxruntime
    onnxruntime.InferenceSession(sys.argv[2] + "/model.onnx", providers=["CPUExecutionProvider"])
    assert dict(os.environ) == before
    check_now_and_then()
    child.join()
    sys.exit(child.exitcode)
"""

COMMANDS = """
import json, sys, time

from pincite.cli import main

end = time.monotonic() + float(sys.argv[1])
for arguments in json.loads(sys.argv[2]):
    assert main(arguments) in (0, 1), arguments
time.sleep(max(0, end - time.monotonic()))
"""

EVALUATE = ["eval", "sample", "--answers", "sample:b", "-q"]


@pytest.mark.thorough
@pytest.mark.timeout(600)
def test_the_default_judge_and_eval_open_no_socket_and_write_to_their_folders_alone(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(LIBRARY_USER, encoding="utf-8")
    model = make_model(tmp_path / "model")
    (tmp_path / "answer.md").write_text(
        "Revenue grew by 12% [report.pdf:1]. Staff stayed at 400 [page.html], see https://example.org/a.\n"
    )
    _write_sources(tmp_path / "docs")
    commands = [
        ["check", str(tmp_path / "answer.md"), "--sources", str(tmp_path / "docs")],
        [*EVALUATE, "--limit", "6"],
        [*EVALUATE, "--judge", "rules"],
    ]
    by_library = Watched(tmp_path / "library", [str(program), str(ALIVE), str(model)])
    by_command = Watched(
        tmp_path / "commands",
        ["-c", COMMANDS, str(ALIVE), json.dumps(commands)],
        XDG_CACHE_HOME=str(tmp_path / "commands" / "cache"),
        PINCITE_EVALUATION_WORKERS="2",
    )
    ended = [watched.finish() for watched in (by_library, by_command)]
    assert [code for code, _ in ended] == [0, 0], ended
    # Worker processes were watched too: the one that the library's user spawned, and the pool's two.
    assert by_library.programs() >= 2
    assert by_command.programs() >= 3
    assert by_library.sockets() == []
    assert by_command.sockets() == []
    assert by_library.changed() == []
    assert by_command.changed(by_command.work / "data", tmp_path / "commands" / "cache" / "pincite") == []
    assert (by_command.work / "data" / "evaluation" / "runs.sqlite").exists()


@pytest.mark.thorough
@pytest.mark.parametrize("sdk", ["openai", "anthropic"])
def test_a_language_model_is_reached_at_its_address_alone(sdk: str, tmp_path: Path) -> None:
    _write_sources(tmp_path / "docs")
    (tmp_path / "answer.md").write_text("Staff stayed at 400 [page.html].\n")
    (tmp_path / "cache").mkdir()
    with LlmServer(by_claim(lambda number, _: verdict(number, 0.9))) as server:
        address, model = (server.url, "small") if sdk == "openai" else (server.root, "anthropic:small")
        asked = ["check", str(tmp_path / "answer.md"), "--sources", str(tmp_path / "docs")]
        watched = Watched(
            tmp_path,
            ["-m", "pincite", *asked, "--judge", f"llm:{model}", "--base-url", address],
            XDG_CACHE_HOME=str(tmp_path / "cache"),
            ANTHROPIC_API_KEY="sk-none",
            OPENAI_API_KEY="sk-none",
        )
        code, printed = watched.finish()
    assert (code, len(server.bodies) > 0) == (0, True), printed
    assert watched.connections() == {server.root.removeprefix("http://")}
    assert watched.changed(tmp_path / "cache" / "pincite") == []


def test_what_a_program_opens_and_writes_is_seen(tmp_path: Path) -> None:
    """Without this, an empty list could as well mean that nobody looked."""
    program = (
        "import os, pathlib, socket, subprocess, sys, threading\n"
        "outside = pathlib.Path(sys.argv[1])\n"
        "def write():\n"
        "    (outside / 'new folder').mkdir()\n"
        "    (outside / 'by a thread').write_text('x')\n"
        "    os.replace(outside / 'by a thread', outside / 'renamed')\n"
        "thread = threading.Thread(target=write); thread.start(); thread.join()\n"
        "pathlib.Path('inside').write_text('x')\n"
        "pathlib.Path('../work/relative').mkdir()\n"
        "descriptor = os.open(outside, os.O_RDONLY)\n"
        "os.close(os.open('by descriptor', os.O_WRONLY | os.O_CREAT, dir_fd=descriptor))\n"
        "open(os.devnull, 'w').close()\n"
        "socket.socketpair()\n"
        "socket.socket(socket.AF_UNIX).close()\n"
        "child = 'from socket import *; socket(AF_INET, SOCK_DGRAM).connect((\"127.0.0.1\", 9))'\n"
        "subprocess.run([sys.executable, '-c', child], check=True)\n"
    )
    outside = tmp_path / "outside"
    outside.mkdir()
    watched = Watched(tmp_path, ["-c", program, str(outside)])
    assert watched.finish() == (0, "")
    assert [line.partition("(")[2].partition(",")[0] for line in watched.sockets()] == ["AF_INET"]
    assert watched.connections() == {"127.0.0.1:9"}
    seen = ["by a thread", "by descriptor", "new folder", "renamed"]
    assert watched.changed(watched.work) == [str(outside / name) for name in seen]


def _write_sources(folder: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    folder.mkdir()
    canvas = Canvas(str(folder / "report.pdf"))
    canvas.drawString(72, 700, "Revenue grew by 21% in the first quarter.")
    canvas.save()
    page = '<html><body><p>See <img src="http://example.org/i.png">. Staff stayed at 400.</p></body></html>'
    (folder / "page.html").write_text(page, encoding="utf-8")
