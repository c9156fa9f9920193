"""A function in processes of its own: whatever it does to one costs its own query alone."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from small_system import RULES

from pincite.datasets import EvaluationQuery
from pincite.errors import InputError
from pincite.records import RecordedAnswer
from pincite.runs import ask
from pincite.runs.targets import make_target
from pincite.runs.targets.isolated import IsolatedTarget

GUARD = 60.0
MODULE = """
import asyncio, ctypes, os, re, subprocess, sys, time
from pathlib import Path

LOOPS = []

class Score(float):
    pass

def answer(text):
    print("printed to standard output")
    what, _, rest = text.partition(" ")
    if what == "exit":
        os._exit(7)
    if what == "segfault":
        ctypes.string_at(0)
    if what == "abort":
        os.abort()
    if what == "overflow":
        sys.setrecursionlimit(10**9)
        deep = []
        for _ in range(200_000):
            deep = [deep]
        repr(deep)
        import pickle
        pickle.dumps(deep)
        os.abort()  # this Python has no stack to overflow
    if what == "leave":
        sys.exit("no more")
    if what == "raise":
        raise ValueError("not that")
    if what == "lock":
        Path(rest).write_text(str(os.getpid()))
        re.match(r"(a+)+$", "a" * 60 + "b")  # for longer than anybody waits, and no other thread gets a turn
    if what == "eat":
        return "x" * (int(rest) * 2**20)
    if what == "large":
        return "é" * int(rest)
    if what == "classes":
        return {"generated_answer": "A", "retrieved": [{"document_id": "d", "score": Score(0.5)}],
                "usage": {"total_tokens": 3}, "mine": Score(0.25), "path": Path("a")}
    if what == "pid":
        return str(os.getpid())
    if what == "together":
        folder, count = rest.split(" ")
        Path(folder, str(os.getpid())).touch()
        while len(list(Path(folder).iterdir())) < int(count):
            time.sleep(0.01)
        return str(os.getpid())
    if what == "wait":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        Path(rest, str(os.getpid())).touch()
        Path(rest, str(child.pid)).touch()
        time.sleep(600)
    return f"answered {text}"

async def later(text):
    LOOPS.append(asyncio.get_running_loop())
    await asyncio.sleep(0)
    return f"{len(set(map(id, LOOPS)))} loop for {len(LOOPS)}"

async def pieces(text):
    yield "in "
    yield "pieces"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "hostile_system.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask_all(
    *texts: str, function: str = "answer", at_once: bool = False, seconds: float = GUARD, **more: int
) -> list[RecordedAnswer]:
    errors = msgspec.structs.replace(RULES.errors, max_retries=0)
    settings = msgspec.structs.replace(RULES, errors=errors)

    async def go() -> list[RecordedAnswer]:
        target = IsolatedTarget(f"hostile_system:{function}", seconds, **more)
        queries = [EvaluationQuery(query_id=str(n), query_text=text) for n, text in enumerate(texts)]
        try:
            if at_once:
                return await asyncio.gather(*(ask(target, query, settings) for query in queries))
            return [await ask(target, query, settings) for query in queries]
        finally:
            await target.close()

    return asyncio.run(go())


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(condition: object, what: str) -> None:
    end = time.monotonic() + GUARD
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, what
        time.sleep(0.02)


@pytest.mark.thorough
def test_what_ends_the_interpreter_is_one_failed_query_and_the_rest_is_answered(folder: Path) -> None:
    asked = ("pid", "exit", "pid", "segfault", "abort", "overflow", "leave", "raise", "hello")
    done = ask_all(*asked)
    failures = {text: one.failure or "" for text, one in zip(asked, done, strict=True)}
    assert failures["exit"] == "the function ended its process: exit code 7"
    for text, name in (("segfault", "SIGSEGV"), ("abort", "SIGABRT")):
        assert failures[text] == f"the function ended its process: {name}"
    assert failures["overflow"].startswith(("the function ended its process: SIG", "the function raised"))
    assert failures["leave"] == "the function raised SystemExit: no more"
    assert failures["raise"] == "the function raised ValueError: not that"
    assert done[0].answer != done[2].answer and done[0].failure is done[2].failure is None
    assert done[-1].answer == "answered hello" and done[-1].latency_ms is not None
    assert "hostile_system" not in sys.modules


@pytest.mark.thorough
def test_a_function_that_never_lets_go_is_ended_when_its_time_is_over(folder: Path) -> None:
    done = ask_all("pid", f"lock {folder}/pid", "pid", seconds=3.0)
    assert done[1].failure == "no answer within 3 s: its process was ended"
    assert done[0].failure is done[2].failure is None and done[0].answer != done[2].answer
    assert not is_running(int((folder / "pid").read_text()))


def test_a_process_answers_one_query_after_the_other_and_several_answer_at_once(folder: Path) -> None:
    one, other = ask_all("pid", "pid")
    assert one.answer == other.answer
    (folder / "together").mkdir()
    done = ask_all(*[f"together {folder}/together 3"] * 3, at_once=True)
    assert len({answered.answer for answered in done}) == 3


def test_asynchronous_functions_share_a_loop_and_give_their_text_in_pieces(folder: Path) -> None:
    assert [one.answer for one in ask_all("a", "b", function="later")] == ["1 loop for 1", "1 loop for 2"]
    assert [one.answer for one in ask_all("a", "b", function="pieces")] == ["in pieces"] * 2


def test_what_comes_back_is_plain_and_may_be_large_and_prints_go_to_standard_error(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    large, classes = ask_all("large 5000000", "classes")
    assert large.answer == "é" * 5_000_000
    assert classes.answer == "A" and classes.failure is None
    assert type(classes.extra["mine"]) is float and classes.extra["path"] == "a"
    out, err = capfd.readouterr()
    assert out == "" and err.count("printed to standard output") == 2


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to it")
def test_the_memory_of_a_process_can_be_limited(folder: Path) -> None:
    eaten, fine = ask_all("eat 4000", "hello", memory_mb=2000)
    assert eaten.failure == "the function raised MemoryError"
    assert fine.answer == "answered hello"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import os\nos._exit(3)", "its process could not be started: exit code 3"),
        ("import os\nos.abort()", "its process could not be started: SIGABRT"),
        ("raise ValueError('no')", "cannot import 'hostile_system' of the target"),
        ("other = 1", "has no 'answer'"),
    ],
)
def test_a_module_that_cannot_be_imported_is_told_before_anything_is_asked(
    folder: Path, code: str, told: str
) -> None:
    (folder / "hostile_system.py").write_text(code, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        IsolatedTarget("hostile_system:answer", GUARD)


@pytest.mark.parametrize("target", ["http://localhost:1/", "answer", lambda text: text])
def test_only_a_function_that_is_named_can_be_isolated(target: object) -> None:
    with pytest.raises(InputError, match="--isolate is for a function that is named"):
        make_target(target, None, isolate=True)  # type: ignore[arg-type]


@pytest.fixture
def evaluation(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """An evaluation whose queries all wait, and start a process that waits too."""
    queries = [{"query_id": str(n), "query_text": f"wait {folder}/pids"} for n in range(4)]
    dataset = {"dataset_id": "d", "name": "D", "version": "1.0.0", "queries": queries}
    (folder / "d_1.0.0.eval.json").write_text(json.dumps(dataset), encoding="utf-8")
    (folder / "pids").mkdir()
    command = [
        "eval",
        "d_1.0.0.eval.json",
        "--target",
        "hostile_system:answer",
        "--isolate",
        "--set",
        "evaluation.max_in_flight=2",
    ]
    program = [
        sys.executable,
        "-m",
        "pincite",
        *command,
        "--judge",
        "rules",
        "--set",
        "evaluation.timeout_seconds=600",
    ]
    process = subprocess.Popen(
        program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    wait_until(lambda: len(list((folder / "pids").iterdir())) == 4, "the queries were never asked")
    yield process
    process.kill()
    for path in (folder / "pids").iterdir():
        if is_running(int(path.name)):
            os.kill(int(path.name), signal.SIGKILL)
    process.communicate()


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_ctrl_c_leaves_no_process_behind(folder: Path, evaluation: subprocess.Popen[bytes]) -> None:
    evaluation.send_signal(signal.SIGINT)
    _, err = evaluation.communicate(timeout=GUARD)
    assert evaluation.returncode == 130 and b"Traceback" not in err
    pids = [int(path.name) for path in (folder / "pids").iterdir()]
    wait_until(lambda: not any(is_running(pid) for pid in pids), "a process was left behind")


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_a_function_does_not_outlive_an_evaluation_that_was_killed(
    folder: Path, evaluation: subprocess.Popen[bytes]
) -> None:
    pids = [int(path.name) for path in (folder / "pids").iterdir()]
    evaluation.kill()
    wait_until(lambda: not any(is_running(pid) for pid in pids), "a process was left behind")
