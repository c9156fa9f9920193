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


@pytest.mark.timeout(GENEROUS)
def test_every_target_holds_on_a_few_inputs(tmp_path: Path) -> None:
    done = fuzz(tmp_path, "bench.fuzzing.worker", "--inputs=1200", "--seed=1")
    assert done.returncode == 0, done.stderr[-3000:]
    stats = {path.name.split(".")[0]: json.loads(path.read_text()) for path in tmp_path.glob("*.stats.json")}
    assert stats.keys() == TARGETS.keys()
    failures = [failure["where"] for told in stats.values() for failure in told["failures"].values()]
    assert failures == []
    assert sum(told["tried"] for told in stats.values()) >= 1200


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_an_input_depends_on_its_number_alone(target, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
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
    assert min(share.values()) >= 1_000
