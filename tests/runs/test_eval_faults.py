"""`pincite eval` as a process, while the machine, the history or the system under test fails."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from small_system import answer, http_system, reply, write_answers, write_dataset

from pincite.store import open_store

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals and limits are others there")
METRICS = ("-m", "hit@1", "-m", "span_f1", "-m", "citation_correctness", "--set", "evaluation.resamples=200")


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PINCITE_")}
    return {**kept, "PINCITE_JUDGE": "rules", **more}


def start(folder: Path, *arguments: object, before: str = "", **options: Any) -> subprocess.Popen[str]:
    """The command as a process of its own; `before` is Python that runs first in it."""
    (folder / "pincite.toml").touch()
    code = (
        f"import sys\n{textwrap.dedent(before)}\nfrom pincite.cli import main\nsys.exit(main(sys.argv[1:]))"
    )
    given = {"env": environment(), "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    command = [sys.executable, "-c", code, "eval", *map(str, arguments), *METRICS]
    return subprocess.Popen(command, cwd=folder, text=True, **given)


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=100)
    assert "Traceback" not in err
    return process.returncode, out, err


def items_in(path: Path) -> int:
    """How many items a history has while somebody writes to it."""
    if not path.exists():
        return 0
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return int(connection.execute("SELECT count(*) FROM pincite_items").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        connection.close()


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def figures(document: dict[str, Any]) -> list[Any]:
    done = document["summary"]["successful_queries"]
    return [done, document["retrieval_metrics"], document["citation_metrics"]]


# --- killed --------------------------------------------------------------------------------------


def children(pid: int) -> list[int]:
    return [
        int(child)
        for listed in Path(f"/proc/{pid}/task").glob("*/children")
        for child in listed.read_text().split()
    ]


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_killed_while_several_processes_score_it_leaves_none_behind_and_goes_on(tmp_path: Path) -> None:
    count = 1200
    path, answers = write_dataset(tmp_path, count), write_answers(tmp_path, range(count))
    history = tmp_path / "runs.sqlite"
    given = (path, "--answers", answers, "--store", history, "-f", "json")
    parallel = {"env": environment(PINCITE_EVALUATION_WORKERS="2")}
    process = start(tmp_path, *given, **parallel)
    wait_for(lambda: items_in(history) >= 50 or process.poll() is not None)
    scoring = children(process.pid)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert len(scoring) == 2
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in scoring))
    assert 50 <= items_in(history) < count
    code, out, err = finish(start(tmp_path, *given, **parallel))
    assert code == 0, err
    _, whole, _ = finish(start(tmp_path, path, "--answers", answers, "--store", "none", "-f", "json"))
    assert figures(json.loads(out)) == figures(json.loads(whole))
    with open_store(history) as store:
        (run,) = store.runs()
        assert [item.query_id for item in store.items(run.run_id)] == [f"q{n}" for n in range(count)]


SLOW = """
import time
from small_system import answer

def slow(text):
    time.sleep({seconds})
    return answer(int(text.rpartition(" ")[2].rstrip("?")))
"""


def slow_system(folder: Path, seconds: float) -> dict[str, Any]:
    (folder / "slow_system.py").write_text(SLOW.format(seconds=seconds))
    return {"env": environment(PYTHONPATH=str(Path(__file__).parent))}


def test_ctrl_c_twice_ends_it_at_once(tmp_path: Path) -> None:
    options = slow_system(tmp_path, 0.05)
    history = tmp_path / "runs.sqlite"
    given = (
        write_dataset(tmp_path, 400),
        "--target",
        "slow_system:slow",
        "--set",
        "evaluation.max_in_flight=2",
    )
    process = start(tmp_path, *given, "--store", history, **options)
    wait_for(lambda: items_in(history) >= 5 or process.poll() is not None)
    for _ in range(2):
        process.send_signal(signal.SIGINT)
        time.sleep(0.02)
    began = time.monotonic()
    code, _, _ = finish(process)
    assert code == 130
    assert time.monotonic() - began < 10
    assert items_in(history) >= 5


# --- no room, no right, no answer from the history -----------------------------------------------


def limit_files_to_200_kb() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))


@pytest.mark.thorough
def test_a_disk_that_fills_up_costs_the_history_and_no_result(tmp_path: Path) -> None:
    """Neither the history nor the temporary file that stands in for it can grow."""
    count = 600
    path, answers = write_dataset(tmp_path, count), write_answers(tmp_path, range(count))
    history = tmp_path / "runs.sqlite"
    given = (path, "--answers", answers, "-f", "json")
    full = start(tmp_path, *given, "--store", history, preexec_fn=limit_files_to_200_kb)
    code, out, err = finish(full)
    assert code == 0
    assert "the history cannot be written" in err and "the disk is full" in err
    _, whole, _ = finish(start(tmp_path, *given, "--store", "none"))
    assert figures(json.loads(out)) == figures(json.loads(whole))
    assert items_in(history) < count  # none, where all came in one batch
    code, out, _ = finish(start(tmp_path, *given, "--store", history))  # there is room again
    assert code == 0
    assert items_in(history) == count


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_results_that_cannot_be_written_are_an_error_but_the_history_has_them(tmp_path: Path) -> None:
    path, answers = write_dataset(tmp_path, 40), write_answers(tmp_path, range(40))
    (tmp_path / "full.results.json").symlink_to("/dev/full")
    given = (path, "--answers", answers, "--store", tmp_path / "runs.sqlite", "-o", "full.results.json")
    code, out, err = finish(start(tmp_path, *given))
    assert code == 0
    assert "cannot write full.results.json: No space left on device" in err
    assert "hit@1" in out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_to_a_full_disk_is_one_line_and_the_history_has_the_run(tmp_path: Path) -> None:
    path, answers = write_dataset(tmp_path, 40), write_answers(tmp_path, range(40))
    with Path("/dev/full").open("wb") as full:
        process = start(tmp_path, path, "--answers", answers, "--store", tmp_path / "r.sqlite", stdout=full)
        code, _, err = finish(process)
    assert (code, err) == (2, "error: No space left on device\n")
    with open_store(tmp_path / "r.sqlite") as store:
        assert [run.status for run in store.runs()] == ["finished"]


@pytest.fixture
def read_only() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="pincite-read-only-"))
    yield folder
    folder.chmod(0o755)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()


BECOME_SOMEBODY = """
import os, pwd
from pincite.cli import main
# All is loaded before: the interpreter itself may lie where only root can go.
assert main([*sys.argv[1:], "--store", {first!r}, "-q"]) == 0
if os.geteuid() == 0:
    nobody = pwd.getpwnam("nobody")
    os.setgroups([])
    os.setgid(nobody.pw_gid)
    os.setuid(nobody.pw_uid)
"""


def test_in_a_folder_that_may_only_be_read_it_measures_all_the_same(read_only: Path, tmp_path: Path) -> None:
    path, answers = write_dataset(read_only, 40), write_answers(read_only, range(40))
    (read_only / "pincite.toml").touch()
    read_only.chmod(0o555)
    before = BECOME_SOMEBODY.format(first=str(tmp_path / "first.sqlite"))
    process = start(read_only, path, "--answers", answers, "-f", "json", before=before)
    code, out, err = finish(process)
    assert code == 0
    assert "run not saved" in err
    assert out.count('"successful_queries": 40') == 2


IMPATIENT = """
import pincite.store
pincite.store.open_store.__kwdefaults__["patience"] = 0.5
"""


@pytest.mark.thorough
def test_a_history_that_another_process_locks_is_waited_for(tmp_path: Path) -> None:
    options = slow_system(tmp_path, 0.02)
    history = tmp_path / "runs.sqlite"
    given = (
        write_dataset(tmp_path, 100),
        "--target",
        "slow_system:slow",
        "--set",
        "evaluation.max_in_flight=2",
    )
    process = start(tmp_path, *given, "--store", history, "-f", "json", **options)
    wait_for(lambda: items_in(history) >= 5 or process.poll() is not None)
    with sqlite3.connect(history, isolation_level=None, timeout=20) as other:
        other.execute("BEGIN IMMEDIATE")
        time.sleep(2)
        assert items_in(history) < 100
        other.rollback()
    other.close()
    code, _, err = finish(process)
    assert code == 0 and "warning" not in err
    assert items_in(history) == 100


@pytest.mark.thorough
def test_a_history_that_stays_locked_is_told_and_nothing_measured_is_lost(tmp_path: Path) -> None:
    options = slow_system(tmp_path, 0.02)
    history = tmp_path / "runs.sqlite"
    given = (
        write_dataset(tmp_path, 200),
        "--target",
        "slow_system:slow",
        "--set",
        "evaluation.max_in_flight=2",
        "--system-version",
        "1",
    )
    process = start(tmp_path, *given, "--store", history, "-f", "json", before=IMPATIENT, **options)
    wait_for(lambda: items_in(history) >= 5 or process.poll() is not None)
    with sqlite3.connect(history, isolation_level=None, timeout=20) as other:
        other.execute("BEGIN IMMEDIATE")
        code, out, err = finish(process)
        other.rollback()
    other.close()
    assert code == 0
    assert "locked by another program" in err and "this run continues without it" in err
    assert json.loads(out)["summary"]["successful_queries"] == 200
    again, _, _ = finish(start(tmp_path, *given, "--store", history, **options))
    assert again == 0
    with open_store(history) as store:
        (run,) = store.runs()
        assert [item.position for item in store.items(run.run_id)] == list(range(200))


# --- a system that fails -------------------------------------------------------------------------


@pytest.mark.thorough
def test_whatever_a_system_does_each_query_has_an_answer_or_a_reason(tmp_path: Path) -> None:
    asked: dict[int, list[float]] = {}

    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        number = int(json.loads(body)["query"].rpartition(" ")[2].rstrip("?"))
        times = asked.setdefault(number, [])
        times.append(time.monotonic())
        good = reply("200 OK", json.dumps(answer(number)).encode())
        if number == 0:
            writer.write(reply("200 OK", b"\x00\xff\x1b]0;garbage"))
        elif number == 1:
            await asyncio.sleep(30)
        elif number == 2:
            writer.write(good[:40])
            await writer.drain()
            writer.close()
        elif number == 3:
            large = {**answer(3), "generated_answer": answer(3)["generated_answer"] + " " * 10_000_000}
            writer.write(reply("200 OK", json.dumps(large).encode()))
        elif number in (4, 5) and len(times) == 1:
            status = ("429 Too Many Requests", "503 Busy")[number % 2]
            writer.write(reply(status, b"later", extra="Retry-After: 1\r\n"))
        elif number == 6:
            writer.write(reply("404 Not Found", b"<b>no such query</b>"))
        else:
            writer.write(good)

    with http_system(handler) as url:
        given = (
            "--target",
            url,
            "--set",
            "evaluation.timeout_seconds=1",
            "--set",
            "errors.max_retries=1",
            "--store",
            tmp_path / "runs.sqlite",
        )
        process = start(tmp_path, write_dataset(tmp_path, 9), *given, "-o", "run.results.json")
        code, out, err = finish(process)
    assert code == 1
    assert "4 of 9 queries failed, 5% are allowed" in err
    assert "4 failed" in out and "\x1b" not in out
    document = json.loads((tmp_path / "run.results.json").read_text())
    reasons = [one.get("failure") for one in document["query_results"]]
    assert reasons == [
        "the reply is not UTF-8 text",
        "no answer within 1 s",
        "the connection closed in the middle of the answer",
        *(None,) * 3,
        "HTTP 404: <b>no such query</b>",
        *(None,) * 2,
    ]
    assert [len(asked[number]) for number in range(9)] == [2, 2, 2, 1, 2, 2, 1, 1, 1]
    for number in (4, 5):
        first, second = asked[number]
        assert second - first >= 0.95
    assert len(document["query_results"][3]["generated_answer"]) > 10_000_000


@pytest.mark.thorough
def test_a_system_that_never_answers_ends_with_2_and_the_same_command_asks_again(tmp_path: Path) -> None:
    path = write_dataset(tmp_path, 3)
    up = False

    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        number = int(json.loads(body)["query"].rpartition(" ")[2].rstrip("?"))
        good = reply("200 OK", json.dumps(answer(number)).encode())
        writer.write(good if up else reply("500 Oops", b"down"))

    with http_system(handler) as url:
        given = (path, "--target", url, "--set", "errors.max_retries=0", "--store", tmp_path / "runs.sqlite")
        code, _, err = finish(start(tmp_path, *given))
        assert code == 2
        assert "every query failed: HTTP 500: down" in err
        up = True
        code, out, _ = finish(start(tmp_path, *given))
    assert code == 0
    assert "3 queries in 2 groups, 0 failed" in out
