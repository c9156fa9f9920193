"""The fuzzer itself: its targets hold on a few inputs each, and no way to fail goes unnoticed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from bench.fuzzing import mutate, runner
from bench.fuzzing.target import Target
from bench.fuzzing.targets import TARGETS, shares

ROOT = Path(__file__).resolve().parents[2]
GENEROUS = 600
"""Seconds; only a hang takes so long, however slow the machine."""


def fuzz(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *arguments, f"--folder={folder}", f"--seconds={GENEROUS}"],
        cwd=ROOT,
        env=runner.environment(folder, os.environ),
        capture_output=True,
        text=True,
        errors="replace",
    )


@pytest.mark.thorough
@pytest.mark.timeout(GENEROUS)
def test_every_target_holds_on_a_few_inputs(tmp_path: Path) -> None:
    done = fuzz(tmp_path, "bench.fuzzing.worker", "--inputs=800", "--seed=1")
    assert done.returncode == 0, done.stderr[-3000:]
    stats = {path.name.split(".")[0]: json.loads(path.read_text()) for path in tmp_path.glob("*.stats.json")}
    assert stats.keys() == TARGETS.keys()
    failures = [failure["where"] for told in stats.values() for failure in told["failures"].values()]
    assert failures == []
    assert sum(told["tried"] for told in stats.values()) >= 800


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_an_input_depends_on_its_number_alone(target: Target) -> None:
    if target.form == "bytes":
        return
    data = (
        b'{"a": 1}\n'
        if target.form != "files"
        else mutate.pack({"a.json": b'{"a": 1}', "b.csv": b"a,b\n1,2\n"})
    )
    first, again, other = (mutate.several(data, target.form, Random(seed)) for seed in ("1", "1", "2"))
    assert first == again
    assert first != other


def test_files_keep_their_names_and_stay_inside_a_folder() -> None:
    files = {"a/b.json": b"{}", "c.txt": b"x\ny"}
    assert mutate.unpack(mutate.pack(files)) == files
    assert list(mutate.unpack(mutate.pack({"../../etc/pass wd": b"", "/": b""}))) == ["etc/passwd", "unnamed"]


def test_inputs_are_shared_out_by_weight_and_none_is_lost() -> None:
    share = shares(1_000_000, list(TARGETS))
    assert sum(share.values()) >= 1_000_000
    assert min(share.values()) >= 400


FAULTY = """
import ctypes, os, time
from bench.fuzzing import worker
from bench.fuzzing.target import Target
from bench.fuzzing.targets import TARGETS

def spin(data):
    while True:
        pass

def change(data):
    seen.append(data)
    return len(seen)

seen = []
faults = {
    "sound": lambda data: None,
    "raises": lambda data: {}[data],
    "leaves": lambda data: os._exit(3),
    "crashes": lambda data: ctypes.string_at(0),
    "spins": spin,
    "sleeps": lambda data: time.sleep(3600),
    "hoards": lambda data: bytearray(16 * 1024**3),
    "differs": change,
    "writes": lambda data: open("/tmp/outside-of-the-fuzzer", "w"),
    "calls": lambda data: os.system("true"),
}
for name, run in faults.items():
    TARGETS[name] = Target(name, run, lambda: [b"a"], "bytes")
worker.main()
"""


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Targets that fail, each in its own way."""
    if sys.platform != "linux":
        pytest.skip("the limits are those of Linux")
    program = tmp_path / "faulty.py"
    program.write_text(FAULTY)
    monkeypatch.setattr(runner, "WORKER", (str(program),))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path / "failed"


def fuzz_faulty(
    folder: Path, *names: str, inputs: int = 1, seconds: int = GENEROUS
) -> dict[str, runner.Fuzzed]:
    for name in names:
        TARGETS[name] = Target(name, lambda data: None, lambda: [b"a"], "bytes")
    try:
        done = runner.fuzz(inputs * len(names), "1", folder, names, guided=False, seconds=seconds)
        return {one.name: one for one in done}
    finally:
        for name in names:
            del TARGETS[name]


@pytest.mark.timeout(GENEROUS)
def test_no_way_to_fail_goes_unnoticed_and_each_input_is_kept(faulty: Path) -> None:
    names = ("sound", "raises", "leaves", "crashes", "hoards", "differs", "writes", "calls")
    found = fuzz_faulty(faulty, *names)
    said = {name: [(one.kind, one.where) for one in done.failures.values()] for name, done in found.items()}
    assert said.pop("sound") == []
    assert {name: told[0][0] for name, told in said.items()} == dict.fromkeys(said, "crash")
    assert "KeyError" in said["raises"][0][1]
    assert "process ended with 3" in said["leaves"][0][1]
    assert "process ended with -11 in __init__.py:string_at" in said["crashes"][0][1]
    assert "MemoryError" in said["hoards"][0][1]
    assert "two runs differ" in said["differs"][0][1]
    assert "PermissionError" in said["writes"][0][1]
    assert "PermissionError" in said["calls"][0][1]
    for name, done in found.items():
        for failure in done.failures.values():
            assert Path(failure.file).read_bytes() == b"a"
            told = Path(failure.file).with_suffix(".txt").read_text()
            assert f"target {name}, seed 1, input 0" in told
            assert f"--repeat {name} {failure.file}" in told


@pytest.mark.thorough
@pytest.mark.timeout(GENEROUS)
def test_an_input_without_an_end_is_a_hang(faulty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (spins,) = fuzz_faulty(faulty, "spins", seconds=1).values()
    (failure,) = spins.failures.values()
    assert failure.kind == "hang"
    assert "took too much CPU time in faulty.py:spin" in failure.where
    monkeypatch.setattr(runner, "WALL_SECONDS", 2)
    (sleeps,) = fuzz_faulty(faulty, "sleeps").values()
    assert [one.kind for one in sleeps.failures.values()] == ["hang"]


@pytest.mark.timeout(GENEROUS)
def test_an_input_that_ends_its_process_does_not_end_the_run(faulty: Path) -> None:
    (leaves,) = fuzz_faulty(faulty, "leaves", inputs=2).values()
    assert leaves.inputs == 2
    assert [one.count for one in leaves.failures.values()] == [2]


def test_nothing_of_pincite_is_loaded_before_it_is_watched_for_coverage() -> None:
    program = (
        "import bench.fuzzing.worker, sys; print([n for n in sys.modules if n.split('.')[0] == 'pincite'])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
