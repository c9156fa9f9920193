"""Ctrl-C and SIGTERM at any moment of any command: it ends, with its code, and leaves nothing half done."""

from __future__ import annotations

import csv
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc"),
]

COUNTED = """
import os, sys
number, wanted, begun, told = *(int(sys.argv.pop(1)) for _ in range(3)), sys.argv.pop(1)
seen = 0

def hook(event, given):
    global seen
    if event == "import" and given[0] == "pincite.cli.app":
        os.close(begun)
    seen += 1
    if seen == wanted:
        os.kill(os.getpid(), number)

from pincite.cli import main
sys.addaudithook(hook)
code = main()
with open(told, "w") as file:
    file.write(str(seen))
sys.exit(code)
"""
"""The command, which gets a signal at the n-th thing that Python reports: an import, a file, a process.

It closes a pipe when it has begun. Before that a signal meets Python itself, which may end with a traceback.
"""

SERVERS = ("serve", "annotate", "mcp")
COMMANDS = {
    "check": "check answer.md --sources docs -o out.json -f json",
    "check on two processes": "check many.jsonl -s docs -o out.json -f json --set evaluation.workers=2",
    "check --fix": "check answer.md --sources docs --fix",
    "answer": "answer question.jsonl --sources docs --model extractive -o out.jsonl",
    "verify": "verify saved.json --sources docs -o out.json",
    "eval": "eval sample --answers sample:a -m hit@1 --store out.sqlite -o out.results.json --limit 20",
    "eval on two processes": (
        "eval sample --answers sample:b --store runs.sqlite -o out.json --set evaluation.workers=2"
    ),
    "eval of a function": "eval sample --target system:answer --store runs.sqlite --limit 20 -o out.json",
    "runs list": "runs list --store runs.sqlite",
    "runs show": "runs show latest --items --store runs.sqlite",
    "runs compare": "runs compare latest~1 latest --store runs.sqlite",
    "runs report": "runs report latest --store runs.sqlite",
    "runs trend": "runs trend hit@1 --store runs.sqlite -f html -o out.html",
    "runs export": "runs export latest -o out.results.json --store runs.sqlite",
    "runs export, printed": "runs export latest -o - --store runs.sqlite",
    "runs prune": "runs prune --older-than 0d --yes --store runs.sqlite",
    "data check": "data check data.eval.json",
    "data convert": "data convert data.eval.json out.eval.csv",
    "data fill": "data fill data.eval.json out.eval.json --sources docs",
    "data new": "data new --from docs -o out.eval.json",
    "data labels": "data labels --of-run latest -o out.jsonl --store runs.sqlite",
    "judge score": "judge score pairs.jsonl --judge rules -o out.jsonl",
    "judge calibrate": "judge calibrate labelled.jsonl --judge rules --save out.json --store runs.sqlite",
    "bibliography": "bibliography saved.json --sources docs -o out.txt",
    "parse": "parse answer.md",
    "sources": "sources docs",
    "locate": "locate costs --sources docs",
    "cache": "cache info",
    "serve": "serve --port 0 --store runs.sqlite",
    "annotate": "annotate data.eval.json --as ann --no-open --port 0 --dir out",
    "mcp": "mcp --sources docs",
    "mcp over HTTP": "mcp --http --port 0 --sources docs",
}


class Ended(NamedTuple):
    code: int
    out: str
    err: str
    left: list[str]
    """The processes that are still there."""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("signals")
    (folder / "docs").mkdir()
    (folder / "pincite.toml").write_text('judge = "rules"\n')
    (folder / "docs" / "water.txt").write_text("A cubic metre of water costs 2.50 euros in the town. " * 200)
    answer = "A cubic metre of water costs 2.50 euros [water.txt:0-52]. It costs 3 euros [water.txt:0-52]. "
    (folder / "answer.md").write_text(answer * 30)
    (folder / "many.jsonl").write_text(
        "".join(json.dumps({"id": str(n), "answer": f"{n}. {answer * 4}"}) + "\n" for n in range(30))
    )
    (folder / "question.jsonl").write_text(
        "".join(json.dumps({"id": str(n), "question": "What does water cost?"}) + "\n" for n in range(20))
    )
    (folder / "system.py").write_text(
        "import time\n\ndef answer(text):\n    time.sleep(0.01)\n    return 'It is so.'\n"
    )
    rows = [
        {"claim": f"Water costs {n} euros.", "evidence": "Water costs 2 euros.", "label": n % 2}
        for n in range(300)
    ]
    (folder / "labelled.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for row in rows:
        del row["label"]
    (folder / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for made in (
        "data new -o data.eval.json",
        "eval sample --answers sample:a --store runs.sqlite -q",
        "eval sample --answers sample:b --store runs.sqlite -q",
        "answer Water? --sources docs --model extractive -f json -o saved.json",
    ):
        done = subprocess.run(
            [sys.executable, "-m", "pincite", *made.split()], cwd=folder, env=environment(folder), text=True,
            capture_output=True,
        )  # fmt: skip
        assert done.returncode in (0, 1), (made, done.stderr)
    return folder


@pytest.fixture
def folders(template: Path, tmp_path: Path) -> Iterator[Path]:
    """A new copy of the template for each call."""

    def copies() -> Iterator[Path]:
        for number in range(1000):
            copy = tmp_path / str(number)
            shutil.copytree(template, copy)
            yield copy

    return copies()


def environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PINCITE_")}
    (folder / "tmp").mkdir(exist_ok=True)
    return {**kept, "TMPDIR": str(folder / "tmp"), "XDG_CACHE_HOME": str(folder / "cache")}


def start(folder: Path, command: str, number: int = 0, wanted: int = 0) -> subprocess.Popen[str]:
    """Start the command, and wait until it handles signals."""
    waited_for, begun = os.pipe()
    told = str(folder / "tmp-seen")
    process = subprocess.Popen(
        [sys.executable, "-c", COUNTED, str(number), str(wanted), str(begun), told, *command.split()],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        pass_fds=[begun],
    )
    os.close(begun)
    os.read(waited_for, 1)
    os.close(waited_for)
    return process


def ended(process: subprocess.Popen[str]) -> Ended:
    out, err = process.communicate(timeout=200)
    for _ in range(400):  # a process that was killed takes a moment to be gone
        left = list(session(process.pid))
        if not left:
            break
        time.sleep(0.05)
    return Ended(process.returncode, out, err, left)


def session(leader: int) -> Iterator[str]:
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                fields = (place / "stat").read_text(errors="replace").rpartition(")")[2].split()
                if int(fields[3]) == leader and fields[0] != "Z":
                    yield (place / "cmdline").read_text(errors="replace").replace("\0", " ")[:200]
            except (OSError, IndexError):
                continue


def assert_whole(folder: Path, done: Ended, number: int, usual: int) -> None:
    assert done.code in (128 + number, -number, usual), done
    assert done.left == []
    assert not [line for line in done.err.splitlines() if "Traceback" in line or "Exception" in line], (
        done.err
    )
    assert "bug in Pincite" not in done.err
    assert list((folder / "tmp").iterdir()) == []
    made = [path for path in folder.rglob("*") if path.is_file()]
    assert not [path.name for path in made if path.name.endswith(".tmp")]
    for path in made:
        if not path.name.startswith(("out", "answer")):
            continue
        text = path.read_text(errors="replace") if path.suffix != ".sqlite" else ""
        if path.suffix == ".json":
            json.loads(text)
        elif path.suffix == ".jsonl":
            assert not text or text.endswith("\n")
            list(map(json.loads, text.splitlines()))
        elif path.suffix == ".csv":
            assert len({len(row) for row in csv.reader(text.splitlines())}) <= 2
        elif path.suffix == ".html":
            assert text.rstrip().endswith("</html>")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_signal_at_any_moment_ends_a_command_and_leaves_nothing_half_done(
    name: str, folders: Iterator[Path]
) -> None:
    command = COMMANDS[name]
    is_server = command.split()[0] in SERVERS
    if command.startswith("mcp") and not any(one.name == "mcp" for one in distributions()):
        pytest.skip("needs pincite[mcp]")
    folder = next(folders)
    first, began = start(folder, command), time.monotonic()
    if is_server:
        assert first.stdout is not None
        if "--port" in command:
            first.stdout.readline()
        taken = time.monotonic() - began
        first.send_signal(signal.SIGINT)
        usual, things = ended(first).code, 3000
        assert usual == (0 if "--port" in command else 130)
    else:
        done = ended(first)
        taken, usual = time.monotonic() - began, done.code
        assert usual in (0, 1), done.err
        things = int((folder / "tmp-seen").read_text())
    moments = random.Random(name)
    for number in (signal.SIGINT, signal.SIGTERM):
        for wanted in (moments.randrange(1, things), moments.randrange(things // 2, things)):
            folder = next(folders)
            process = start(folder, command, number, wanted)
            if is_server:
                # It may not have come so far when it waits for somebody to ask.
                time.sleep(taken + 0.5)
                process.send_signal(number)
            assert_whole(folder, ended(process), number, usual)
        folder = next(folders)
        process = start(folder, command)
        time.sleep(taken * moments.random())
        process.send_signal(number)
        assert_whole(folder, ended(process), number, usual)


WAITING = """
import ctypes, pathlib, sys
from pincite.cli import app, main

libc = ctypes.CDLL(None)

def blocked(options):
    from pincite.cli.process import run_to_end
    lock = ctypes.create_string_buffer(64)
    libc.pthread_mutex_lock(lock)
    pathlib.Path("stuck").touch()
    work = lambda: libc.pthread_mutex_lock(lock)  # for ever: a signal does not end it
    return run_to_end(work, "cut off") if KEEPING else work()

usual = app.load_command
app.load_command = lambda name: usual(name)._replace(run=blocked)
sys.exit(main())
"""


@pytest.mark.parametrize("keeping", [False, True])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_library_that_never_returns_is_ended_too(tmp_path: Path, number: int, keeping: bool) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", f"KEEPING = {keeping}\n{WAITING}", "explain"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not (tmp_path / "stuck").exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(number)
    done = ended(process)
    assert (done.code, done.err, done.left) == (128 + number, "cut off" if keeping else "", [])
