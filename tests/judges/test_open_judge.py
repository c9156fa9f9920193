"""What every judge has, and what opening one does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pincite.base import run_sync
from pincite.config import Settings
from pincite.errors import JudgeError
from pincite.judges import Judge, NumberRules, SavedCalibration, open_judge
from pincite.records import Pair, Passage, Usage, Verdict

PAIR = Pair("It is so.", (Passage("It is so."),))
SAVED = SavedCalibration(1, "mine", "plain/1", "support", 1.0, 0.0, 0.7, 100, "2026-01-01", "ab" * 32)


class Plain:
    """Only what a judge must have."""

    name = "plain/1"

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        return [Verdict("supported", 0.6, "yes", judge=self.name) for _ in pairs]


class Closing(NumberRules):
    closed = 0

    async def close(self) -> None:
        self.closed += 1


def test_an_object_with_a_name_and_a_judge_method_is_a_judge_with_every_default() -> None:
    judge = open_judge(Plain())  # type: ignore[arg-type]
    assert (judge.name, judge.waits, judge.placement, judge.quick) == ("plain/1", True, "inline", False)
    assert (judge.usage, judge.prompts([PAIR]), judge.trace(PAIR)) == (Usage(), None, None)
    (verdict,) = run_sync(judge.judge([PAIR]))
    assert verdict.outcome == "supported"
    run_sync(judge.close())


@pytest.mark.parametrize("given", [7, object(), ["rules"]])
def test_anything_else_is_refused_by_its_type(given: Any) -> None:
    with pytest.raises(JudgeError, match=f"this is a {type(given).__name__}"):
        open_judge(given)


def test_a_given_judge_stays_open_and_in_this_process() -> None:
    given = Closing()
    assert given.placement == "process"
    judge = open_judge(given)
    assert judge.placement == "thread"
    run_sync(judge.close())
    assert given.closed == 0


def test_a_judge_is_closed_at_the_end_of_its_block() -> None:
    closing = Closing()

    async def ask() -> None:
        async with closing as judge:
            await judge.judge([PAIR])

    run_sync(ask())
    assert closing.closed == 1


def test_a_given_judge_is_calibrated_like_a_named_one(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    path.write_bytes(msgspec.json.encode(SAVED))
    judge = open_judge(Plain(), Settings(calibration=str(path)))  # type: ignore[arg-type]
    (verdict,) = run_sync(judge.judge([PAIR]))
    assert (judge.name, verdict.outcome) == ("plain/1+cal:mine", "not_enough")


def test_every_judge_declares_what_is_asked_of_it() -> None:
    for name in ("rules", "entailment", "panel:mean:rules,entailment"):
        judge = open_judge(name)
        assert isinstance(judge, Judge)
        assert (judge.waits, judge.placement) == (False, "process")
