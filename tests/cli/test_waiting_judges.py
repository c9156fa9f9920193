"""`pincite check` with a judge that waits and costs: order, usage, an estimate first, and Ctrl-C."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from cli_run import REPORT, RIGHT, WRONG, Runner

from pincite.judges import Judge
from pincite.records import Pair, Usage, Verdict

DOCS = ("--sources", "docs")


class Costly(Judge):
    """Waits, and counts what it took."""

    name = "llm:costly support/1"

    def __init__(self) -> None:
        self.taken = Usage()
        self.closed = False

    @property
    def usage(self) -> Usage:
        return self.taken

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        await asyncio.sleep(0.05 if "12%" in pairs[0].claim else 0)
        self.taken += Usage(requests=1, input_tokens=100, output_tokens=10, cost=0.001)
        return [Verdict("supported", 1.0, "yes", judge=self.name) for _ in pairs]

    async def close(self) -> None:
        self.closed = True


@pytest.fixture
def costly(monkeypatch: pytest.MonkeyPatch) -> Costly:
    judge = Costly()
    monkeypatch.setattr("pincite.findings.checker.open_judge", lambda name, settings: judge)
    return judge


def test_reports_keep_the_order_of_the_answers_and_say_what_they_took(
    pincite: Runner, costly: Costly
) -> None:
    pincite.write("a.md", WRONG)
    pincite.write("b.md", RIGHT)
    done = pincite("check", "a.md", "b.md", *DOCS, "--judge", "llm:costly")
    assert done.code == 0
    assert "judged by llm:costly support/1: 2 requests, 220 tokens, $0.0020" in done.out
    done = pincite("check", "a.md", "b.md", *DOCS, "--judge", "llm:costly", "-f", "json")
    shape = json.loads(done.out)
    assert [answer["file"] for answer in shape["answers"]] == ["a.md", "b.md"]
    assert shape["summary"]["usage"]["requests"] == 4
    assert costly.closed


def test_the_rules_say_nothing_of_usage(pincite: Runner) -> None:
    pincite.write("answer.md", RIGHT)
    assert "judged by" not in pincite("check", "answer.md", *DOCS).out


def test_a_dry_run_counts_and_asks_nobody(pincite: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.findings.checker.open_judge", lambda *_: pytest.fail("no judge is made"))
    pincite.write("a.md", WRONG)
    pincite.write("b.md", RIGHT)
    done = pincite("check", "a.md", "b.md", *DOCS, "--judge", "llm:gpt-4o-mini", "--dry-run")
    assert (done.code, done.err) == (0, "")
    counts, cost = done.out.splitlines()
    assert counts.startswith("2 answers, 2 claims and ")
    assert cost.startswith("gpt-4o-mini: estimated at most ")
    assert "request" in cost and "token" in cost and "$0.00" in cost


def test_a_dry_run_of_a_judge_that_runs_here_costs_nothing(pincite: Runner) -> None:
    pincite.write("answer.md", WRONG)
    done = pincite("check", "answer.md", *DOCS, "--dry-run")
    assert done.out.splitlines()[1] == "the judge runs locally: no calls, no cost"


@pytest.mark.parametrize(
    "judge", ["roolz", "panel:majority:rules,roolz", "panel:vote:rules,llm:x", "nli:nowhere"]
)
def test_a_dry_run_announces_no_run_that_cannot_begin(pincite: Runner, judge: str) -> None:
    pincite.write("answer.md", RIGHT)
    done = pincite("check", "answer.md", *DOCS, "--judge", judge, "--dry-run")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")


def test_a_dry_run_as_json(pincite: Runner) -> None:
    pincite.write("answer.md", RIGHT)
    judge = "panel:cascade:rules,llm:nobody-knows-its-price"
    done = pincite("check", "answer.md", *DOCS, "--judge", judge, "--dry-run", "-f", "json")
    shape = json.loads(done.out)["dry_run"]
    assert (shape["answers"], shape["claims"], shape["models"]) == (1, 1, ["nobody-knows-its-price"])
    assert shape["pairs"] == 1
    assert (shape["usage"]["requests"], shape["usage"]["cost"]) == (1, None)


def test_somebody_who_watches_is_told_what_it_may_take(
    pincite: Runner, costly: Costly, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.cli.commands.check.is_terminal", lambda stream: True)
    pincite.write("answer.md", RIGHT)
    done = pincite("check", "answer.md", *DOCS, "--judge", "llm:gpt-4o-mini")
    assert "estimated at most" in done.err
    assert "estimated" not in pincite("check", "answer.md", *DOCS, "--judge", "llm:gpt-4o-mini", "-q").err


SCRIPT = """
import asyncio, sys
import pincite.findings.checker as checking

from pincite.judges import Judge

class Stuck(Judge):
    name = "stuck/1"
    async def judge(self, pairs):
        print("asked", file=sys.stderr, flush=True)
        await asyncio.sleep(60)
    async def close(self):
        print("closed", file=sys.stderr, flush=True)

checking.open_judge = lambda *_: Stuck()
from pincite.cli import main
sys.exit(main(["check", "a.md", "b.md", "--sources", "docs", "--judge", "llm:stuck"]))
"""


@pytest.mark.skipif(os.name == "nt", reason="signals work differently there")
def test_an_interrupt_while_answers_are_judged_prints_nothing_and_exits_130(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text("")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "report.txt").write_text(REPORT)
    (tmp_path / "a.md").write_text(WRONG)
    (tmp_path / "b.md").write_text(RIGHT)
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    assert [process.stderr.readline() for _ in range(2)] == [b"asked\n", b"asked\n"]
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, b"", b"closed\n")
