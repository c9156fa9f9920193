"""A process of ours: where it imports from, what it knows, how it is talked to and how it ends."""

from __future__ import annotations

import ast
import json
import os
import re
import signal
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pincite.base import ChildProcess, MessageTooLong, ProcessEnded, import_path

SOURCES = Path(__file__).parents[2] / "src"
GUARD = 60.0
PROGRAM = """
import json, os, subprocess, sys, time
import pincite

def serve(parent):
    while True:
        asked = parent.receive()
        if asked == b"where":
            told = {"pincite": pincite.__file__, "path": sys.path, "folder": os.getcwd(),
                    "environment": dict(os.environ), "safe": sys.flags.safe_path}
            parent.send(json.dumps(told).encode())
        elif asked == b"print":
            print("printed by a library", flush=True)
            parent.send(sys.stdin.read().encode() + b"done")
        elif asked == b"child":
            started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            parent.send(str(started.pid).encode())
        elif asked == b"hang":
            time.sleep(600)
        elif asked == b"leave":
            return
        else:
            parent.send(asked)
"""
PARENT = """
import json, sys
sys.path[:0] = json.loads(sys.argv[1])
from pincite.base import ChildProcess
process = ChildProcess("echo_program", reads_untrusted_file=sys.argv[2] == "untrusted")
process.send(b"where")
print(process.receive().decode(), flush=True)
if sys.argv[2] == "wait":
    process.send(b"child")
    print(process.pid, process.receive().decode(), flush=True)
    process.send(b"hang")
    process.receive()
process.end()
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "echo_program.py").write_text(PROGRAM)
    monkeypatch.syspath_prepend(str(folder))
    return folder


@contextmanager
def started(**options: bool) -> Iterator[ChildProcess]:
    process = ChildProcess("echo_program", **options)
    try:
        yield process
    finally:
        process.end()


def parent(
    folder: Path, path: list[str], how: str = "", *flags: str, **variables: str
) -> subprocess.Popen[str]:
    """A process that starts one of ours, in this folder and with these entries first on its path."""
    return subprocess.Popen(
        [sys.executable, "-P", *flags, "-c", PARENT, json.dumps(path), how],
        cwd=folder,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        text=True,
    )


def told_by(process: subprocess.Popen[str]) -> dict[str, str]:
    out, _ = process.communicate()
    assert process.returncode == 0
    return dict(json.loads(out))


# --- where it imports from ---


def test_the_path_has_no_working_folder_and_nothing_relative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "odd:name").mkdir()
    (tmp_path / "link").symlink_to(tmp_path)
    monkeypatch.chdir(tmp_path)
    hostile = [
        "",
        ".",
        "inside",
        f"{tmp_path}/",
        f"{tmp_path}/inside/..",
        f"{tmp_path}/link",
        f"{tmp_path}/odd:name",
    ]
    monkeypatch.setattr(sys, "path", [*hostile, str(tmp_path / "none"), str(tmp_path / "inside"), *sys.path])
    found = import_path()
    assert found[0] == str(tmp_path / "inside")
    assert not set(found) & {*hostile, str(tmp_path / "none")}
    assert Path(pytest.__file__).parents[1].as_posix() in found


def test_pincite_that_stands_in_the_working_folder_is_loaded_and_nothing_else_from_there(
    programs: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "pincite").symlink_to(SOURCES / "pincite")
    (folder / "json.py").write_text("raise SystemExit('planted')")
    (folder / "sitecustomize.py").write_text("raise SystemExit('planted')")
    program = f"import json\n{PARENT}"
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", program, json.dumps([str(folder), str(programs)]), ""],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    )
    told = told_by(process)
    assert told["pincite"] == str(folder / "pincite" / "__init__.py")
    assert str(folder) not in told["path"]
    assert told["safe"]


def test_pincite_in_an_archive_is_loaded_from_it(programs: Path, tmp_path: Path) -> None:
    archive = tmp_path / "pincite.zip"
    with zipfile.ZipFile(archive, "w") as written:
        for file in sorted((SOURCES / "pincite").rglob("*.py")):
            written.write(file, file.relative_to(SOURCES))
    told = told_by(parent(tmp_path, [str(archive), str(programs)]))
    assert told["pincite"] == f"{archive}{os.sep}pincite{os.sep}__init__.py"


def test_another_pincite_on_the_path_is_not_taken_for_ours(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other" / "pincite").mkdir(parents=True)
    (tmp_path / "other" / "pincite" / "__init__.py").write_text("raise SystemExit('another one')")
    monkeypatch.syspath_prepend(str(tmp_path / "other"))
    with started() as process:
        process.send(b"where")
        assert json.loads(process.receive())["pincite"] == str(SOURCES / "pincite" / "__init__.py")


@pytest.mark.parametrize("executable", ["", "python", "./python"])
def test_a_python_of_which_the_place_is_not_known_is_not_started(
    executable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    with pytest.raises(OSError, match="no Python program"):
        ChildProcess("echo_program")


# --- what it knows ---


def test_a_process_that_reads_untrusted_files_gets_no_secrets_and_leaves_the_working_folder(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    for untrusted in (False, True):
        with started(reads_untrusted_file=untrusted) as process:
            process.send(b"where")
            told = json.loads(process.receive())
        assert ("sk-secret" in told["environment"].values()) is not untrusted
        assert (told["folder"] == os.getcwd()) is not untrusted  # noqa: PTH109


def test_a_parent_that_ignores_the_environment_has_processes_that_do(programs: Path, tmp_path: Path) -> None:
    odd = {"PYTHONHASHSEED": "any Python that gets this ends at once", "PYTHONPATH": "."}
    told = told_by(parent(tmp_path, [str(SOURCES), str(programs)], "", "-E", **odd))
    assert str(tmp_path) not in told["path"]


# --- how it is talked to ---


@pytest.mark.parametrize("size", [0, 1, 70_000, 5_000_000])
def test_messages_of_any_size_come_back(programs: Path, size: int) -> None:
    with started() as process:
        for _ in range(3):
            process.send(b"x" * size)
            assert process.receive() == b"x" * size


def test_a_message_longer_than_expected_is_not_taken(programs: Path) -> None:
    with started() as process:
        process.send(b"x" * 11)
        with pytest.raises(MessageTooLong):
            process.receive(10)


def test_what_is_printed_there_is_no_message_and_nothing_can_be_read(
    programs: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for untrusted in (False, True):
        with started(reads_untrusted_file=untrusted) as process:
            process.send(b"print")
            assert process.receive() == b"done"
        assert capfd.readouterr().err == ("" if untrusted else "printed by a library\n")


# --- how it ends ---


def test_a_process_that_ended_is_told_to_whoever_talks_to_it(programs: Path) -> None:
    with started() as process:
        process.send(b"leave")
        with pytest.raises(ProcessEnded):
            process.receive()
        assert process.end(patience=GUARD) == 0
        with pytest.raises(ProcessEnded):
            process.send(b"more")


def test_a_process_that_takes_too_long_is_killed_and_one_in_time_is_not(programs: Path) -> None:
    with started() as process:
        with process.deadline(GUARD):
            process.send(b"quick")
            assert process.receive() == b"quick"
        assert not process.late
        process.send(b"hang")
        with process.deadline(0.01), pytest.raises(ProcessEnded):
            process.receive()
        assert process.late
        assert process.end() == -signal.SIGKILL


def test_a_kill_by_another_thread_ends_a_wait(programs: Path) -> None:
    with started() as process:
        process.send(b"hang")
        thread = threading.Timer(0.05, process.kill)
        thread.start()
        with pytest.raises(ProcessEnded):
            process.receive()
        thread.join()


def gone(pid: int) -> bool:
    """Waits for it: it is no child of ours, so that nobody tells us."""
    for _ in range(int(GUARD * 20)):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        threading.Event().wait(0.05)
    return False


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


@needs_proc
def test_what_a_process_started_ends_with_it(programs: Path) -> None:
    with started() as process:
        process.send(b"child")
        child = int(process.receive())
    assert gone(child)


@needs_proc
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_ends_with_its_parent_also_in_the_middle_of_something(
    programs: Path, tmp_path: Path, how: signal.Signals
) -> None:
    with parent(tmp_path, [str(SOURCES), str(programs)], "wait") as process:
        assert process.stdout is not None
        process.stdout.readline()
        pids = [int(pid) for pid in process.stdout.readline().split()]
        process.send_signal(how)
    assert len(pids) == 2
    assert [gone(pid) for pid in pids] == [True, True]


# --- nobody else starts one ---

STARTS = re.compile(
    r"\b(?:Popen|multiprocessing|ProcessPoolExecutor|sys\.executable|os\.(?:system|popen|fork|exec\w+|(?:posix_)?spawn\w*)"
    r"|subprocess\.(?:run|call|check_\w+)|create_subprocess_\w+)\b"
)
ALLOWED = {
    "base/child_process.py",
    "runs/notify.py",  # the command that a configuration names for its alerts
}


def test_no_other_module_starts_a_process() -> None:
    found = set()
    for file in (SOURCES / "pincite").rglob("*.py"):
        nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        # Without comments and docstrings, which may speak of it.
        used = (ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute | ast.Name | ast.alias))
        if any(STARTS.search(name) for name in used):
            found.add(file.relative_to(SOURCES / "pincite").as_posix())
    assert found == ALLOWED
