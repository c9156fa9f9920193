"""The engine of a Ray cluster: every task has one outcome, whatever happens to actors and machines."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from pincite.engine import Engine, EngineUnavailable, Job, open_engine

if find_spec("ray") is None:
    pytest.skip("Ray is not installed: `make test-ray` runs these tests", allow_module_level=True)

# Before Ray is imported, which reads them once: nobody else may use the cluster of these tests.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 - else they get nothing of a busy machine
os.environ["RAY_ENABLE_AUTO_CONNECT"] = "0"
os.environ["RAY_AUTH_MODE"] = "token"
os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(16)

import pyarrow.parquet
import ray
from ray.cluster_utils import Cluster

from pincite.config import load_settings
from pincite.datasets import sample_path
from pincite.errors import InputError
from pincite.records import Run
from pincite.runs import encode, evaluate
from pincite.store import open_store

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.filterwarnings("ignore"),  # of Ray's own
]
NODES = (1, 1, 1)
HANG_GUARD = 300.0


def prepare(given: dict[str, Any]) -> tuple[str, Callable[[Any], Any]]:
    """What the processes of these tests do: add, or end, or raise, or wait for somebody to let them go on."""

    def run_evaluation(task: Any) -> Any:
        if task == "end":
            os._exit(3)
        if task == "raise":
            raise ValueError("no such task")
        folder = given.get("folder")
        if folder:
            (Path(folder) / f"{os.getpid()}.begun").touch()
            (Path(folder) / f"{os.getppid()}.actor").touch()
            deadline = time.monotonic() + HANG_GUARD
            while not (Path(folder) / "go").exists() and time.monotonic() < deadline:
                time.sleep(0.02)
        return task + given["more"], os.getpid()

    return "adding/1", run_evaluation


def adding(folder: Path | None = None, signature: str = "adding/1", **more: Any) -> Job:
    given = {"more": 100, "folder": str(folder) if folder else None}
    return Job(f"{__name__}:prepare", given, signature, **more)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Three machines of one core each, whose processes find this file."""
    paths = [str(Path(__file__).parent), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": NODES[0], "object_store_memory": 10**8})
    try:
        for cpus in NODES[1:]:
            made.add_node(num_cpus=cpus, object_store_memory=10**8)
        ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
        made.wait_for_nodes()
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


def wait_for(found: Callable[[], bool]) -> None:
    deadline = time.monotonic() + HANG_GUARD
    while not found():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def evaluated(folder: Path, **more: Any) -> Run:
    more = {"evaluation_resamples": 200, "judge": "rules", **more}
    settings = load_settings(environment={}, folder=folder, **more)
    return evaluate("sample", answers="sample:a", settings=settings)


def test_without_an_address_a_cluster_is_started_here_and_ended(tmp_path: Path) -> None:
    run = evaluated(tmp_path, evaluation_engine="ray", evaluation_workers=2)
    assert (run.status, run.successful + run.failed) == ("finished", 40)
    assert not ray.is_initialized()


PLANTED = """
import os
with open(os.environ["TOLD"], "a") as told:
    told.write(__name__ + "\\n")
"""
IN_A_HOSTILE_FOLDER = """
import os, sys
from pincite.engine import Job, open_engine
sys.path += [os.getcwd(), ""]
with open_engine("ray", Job("test_ray_engine:prepare", {"more": 100}, "adding/1"), 1, expected=3) as engine:
    print(sorted(number for number, _ in engine.map(range(3))))
"""


@pytest.mark.parametrize("python_path", [".", "{folder}", ""])
def test_a_cluster_that_is_started_here_runs_no_module_of_the_working_folder(
    tmp_path: Path, python_path: str
) -> None:
    folder = tmp_path / "checkout"
    for name in ("pincite", "numpy", "encodings", "pyarrow", "pincite/engine"):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(PLANTED)
    (folder / "sitecustomize.py").write_text(PLANTED)
    program = tmp_path / "programs"
    program.mkdir()
    (program / "start.py").write_text(IN_A_HOSTILE_FOLDER)
    (program / "test_ray_engine.py").write_text(
        "def prepare(given):\n    return 'adding/1', lambda task: (task + given['more'], 0)\n"
    )
    environment = {**os.environ, "TOLD": str(tmp_path / "told"), "RAY_AUTH_MODE": "disabled"}
    environment["PYTHONPATH"] = python_path.format(folder=folder)
    # The program itself does not look there; its own folder is on its path.
    command = [sys.executable, "-E", str(program / "start.py")]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert not (tmp_path / "told").exists(), (tmp_path / "told").read_text()
    assert done.stdout == "[100, 101, 102]\n", done.stderr


def test_a_cluster_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no Ray cluster at 127\.0\.0\.1:1"):
        evaluated(tmp_path, evaluation_engine="ray", evaluation_engine_address="127.0.0.1:1")


def test_every_task_has_one_outcome_by_actors_on_all_machines(cluster: Cluster) -> None:
    with open_engine("ray", adding(), 0, expected=300) as made:
        engine: Engine = made
        assert engine.workers == 3
        found = list(engine.map(range(300)))
    assert sorted(number for number, _ in found) == list(range(100, 400))
    assert os.getpid() not in {process for _, process in found}
    assert ray.is_initialized()  # a cluster that was there stays


def test_more_tasks_than_were_expected_and_fewer_are_all_done(cluster: Cluster) -> None:
    with open_engine("ray", adding(), 0, expected=10) as engine:
        assert sorted(number for number, _ in engine.map(range(70))) == list(range(100, 170))
    with open_engine("ray", adding(), 0, expected=5_000) as engine:
        assert sorted(number for number, _ in engine.map(range(7))) == list(range(100, 107))
        assert list(engine.map([])) == []


def test_a_task_that_ends_its_process_costs_no_other_outcome(cluster: Cluster) -> None:
    job = adding(lost=lambda task: (f"lost: {task}", 0))
    with open_engine("ray", job, 0, expected=60) as engine:
        found = Counter(first for first, _ in engine.map([*range(30), "end", *range(30, 59)]))
    assert found == Counter([*range(100, 159), "lost: end"])


def test_what_a_task_raises_is_raised_here(cluster: Cluster) -> None:
    with (
        open_engine("ray", adding(), 0, expected=3) as engine,
        pytest.raises(ValueError, match="no such task"),
    ):
        list(engine.map([1, "raise", 2]))


def test_actors_that_would_work_otherwise_are_told_as_unavailable(cluster: Cluster) -> None:
    with (
        open_engine("ray", adding(signature="another/1"), 0, expected=5) as engine,
        pytest.raises(EngineUnavailable, match="would do it otherwise"),
    ):
        list(engine.map(range(5)))
    with pytest.raises(EngineUnavailable):
        open_engine("ray", Job(f"{__name__}:prepare", lambda: None, "adding/1"), 0)


def test_nothing_is_lost_or_doubled_when_an_actor_is_killed_and_a_machine_removed(
    cluster: Cluster, tmp_path: Path
) -> None:
    with open_engine("ray", adding(tmp_path), 0, expected=240) as engine:
        outcomes = engine.map(range(240))
        # All three machines are in the middle of a chunk. Nothing goes on until both have been lost.
        found: list[int] = []
        reading = threading.Thread(target=lambda: found.extend(number for number, _ in outcomes))
        reading.start()
        wait_for(lambda: len(list(tmp_path.glob("*.actor"))) >= 3)
        victim = int(next(tmp_path.glob("*.actor")).stem)
        os.kill(victim, signal.SIGKILL)
        before = len(list(tmp_path.glob("*.begun")))
        wait_for(lambda: len(list(tmp_path.glob("*.begun"))) > before)  # another actor has its chunk again
        removed = list(cluster.worker_nodes)[-1]
        cluster.remove_node(removed, allow_graceful=False)
        (tmp_path / "go").touch()
        reading.join(HANG_GUARD)
        assert not reading.is_alive()
    assert sorted(found) == list(range(100, 340))
    cluster.add_node(num_cpus=NODES[-1], object_store_memory=10**8)
    cluster.wait_for_nodes()


def test_few_tasks_are_fetched_ahead_of_those_that_are_done(cluster: Cluster) -> None:
    fetched = 0

    def tasks() -> Iterator[int]:
        nonlocal fetched
        for number in range(2_000):
            fetched += 1
            yield number

    ahead = 0
    with open_engine("ray", adding(), 0, expected=2_000) as engine:
        for done, _ in enumerate(engine.map(tasks())):
            ahead = max(ahead, fetched - done)
    assert fetched == 2_000
    assert ahead <= 9 * 41  # chunks of a sixteenth of what each of three actors gets


# --- a whole evaluation ----------------------------------------------------------------------------


@pytest.mark.parametrize("judge", ["rules", "entailment"])
def test_an_evaluation_on_a_cluster_gives_the_results_of_one_machine(
    cluster: Cluster, tmp_path: Path, judge: str
) -> None:
    here = evaluated(tmp_path, judge=judge)
    there = evaluated(tmp_path, judge=judge, evaluation_engine="ray")
    assert there.scores == here.scores
    assert there.fingerprint == here.fingerprint
    assert [encode(item) for item in there.items()] == [encode(item) for item in here.items()]
    assert there.document.breakdown == here.document.breakdown


def test_an_evaluation_on_a_cluster_resumes_what_was_done_here(cluster: Cluster, tmp_path: Path) -> None:
    def stop(progress: Any) -> None:
        if progress.done == 15:
            raise KeyboardInterrupt

    given: dict[str, Any] = {"environment": {}, "folder": tmp_path, "judge": "rules"}
    with open_store(tmp_path / "runs.sqlite") as store:
        settings = load_settings(**given)
        first = evaluate("sample", answers="sample:a", settings=settings, store=store, on_progress=stop)
        assert first.status == "interrupted"
        settings = load_settings(**given, evaluation_engine="ray")
        seen: list[int] = []
        run = evaluate(
            "sample",
            answers="sample:a",
            settings=settings,
            store=store,
            on_progress=lambda progress: seen.append(progress.resumed),
        )
        assert (run.run_id, run.status, max(seen)) == (first.run_id, "finished", 15)
        assert [item.position for item in store.items(run.run_id)] == list(range(40))


def test_answers_in_parquet_and_a_dataset_in_a_folder_give_the_same_on_a_cluster(
    cluster: Cluster, tmp_path: Path
) -> None:
    data, parts = tmp_path / "data", tmp_path / "parts"
    data.mkdir()
    parts.mkdir()
    sample = sample_path()
    shutil.copy(sample, data)
    rows = [json.loads(line) for line in (sample.parent / "answers_a.jsonl").read_text().splitlines()]
    fields = dict.fromkeys(field for row in rows for field in row)
    for number in range(3):
        table = pyarrow.Table.from_pylist(
            [{field: row.get(field) for field in fields} for row in rows[number::3]]
        )
        pyarrow.parquet.write_table(table, parts / f"part-{number}.parquet")
    here = evaluated(tmp_path)
    settings = load_settings(
        environment={},
        folder=tmp_path,
        judge="rules",
        evaluation_resamples=200,
        evaluation_engine="ray",
    )
    there = evaluate(data, answers=parts, settings=settings)
    assert there.scores == here.scores
