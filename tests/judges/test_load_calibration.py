from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest

import pincite
from pincite.base import run_sync
from pincite.config import Settings
from pincite.errors import InputError, JudgeError
from pincite.judges import Judge, NumberRules, SavedCalibration, load_calibration, open_judge
from pincite.records import Pair, Passage, Usage, Verdict

SAVED = SavedCalibration(1, "mine-1a2b", "stub/1", "support", 1.0, 0.0, 0.7, 100, "2026-01-01", "ab" * 32)


class Stub(Judge):
    """Says what it is told to say."""

    name = "stub/1"
    usage = Usage(requests=3)

    def __init__(self, *verdicts: Verdict) -> None:
        self.verdicts = list(verdicts)

    async def judge(self, pairs: Any) -> list[Verdict]:
        return self.verdicts


def calibrated(judge: Judge, saved: SavedCalibration = SAVED) -> Judge:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "cal.json"
        path.write_bytes(msgspec.json.encode(saved))
        return open_judge(judge, Settings(calibration=str(path)))


def judged(*verdicts: Verdict, saved: SavedCalibration = SAVED, question: Any = "support") -> list[Verdict]:
    pairs = [Pair("c", (Passage("e"),), question)] * len(verdicts)
    return run_sync(calibrated(Stub(*verdicts), saved).judge(pairs))


def test_the_name_says_which_calibration_moved_the_scores() -> None:
    judge = calibrated(Stub())
    assert isinstance(judge, Judge)
    assert judge.name == "stub/1+cal:mine-1a2b"
    (verdict,) = judged(Verdict("supported", 0.9, "r"))
    assert verdict.judge == judge.name


def test_scores_are_moved_on_their_log_odds() -> None:
    saved = msgspec.structs.replace(SAVED, slope=2.0, intercept=0.0, threshold=0.5)
    (verdict,) = judged(Verdict("supported", 0.75, "r"), saved=saved)
    assert verdict.score == pytest.approx(0.9)
    assert (verdict.outcome, verdict.reason) == ("supported", "r")


def test_the_threshold_decides_anew_and_says_so_and_is_not_sure() -> None:
    low, high = judged(Verdict("supported", 0.6, "most words"), Verdict("not_enough", 0.8, "a word missing"))
    assert (low.outcome, low.sure) == ("not_enough", False)
    assert low.reason == "most words; its calibrated score 0.60 is below the threshold 0.70"
    assert (high.outcome, high.sure) == ("supported", False)
    assert "at or above the threshold" in high.reason


def test_what_is_contradicted_stays_so_and_what_is_unjudged_too() -> None:
    against, none = judged(Verdict("contradicted", 0.95, "12% not 21%"), Verdict("unjudged", None, "down"))
    assert (against.outcome, against.reason, against.sure) == ("contradicted", "12% not 21%", True)
    assert (none.outcome, none.score, none.reason) == ("unjudged", None, "down")


def test_another_question_is_left_alone() -> None:
    (verdict,) = judged(Verdict("supported", 0.6, "r"), question="consistency")
    assert (verdict.outcome, verdict.score) == ("supported", 0.6)


def test_too_few_verdicts_are_handed_on_for_the_caller_to_see() -> None:
    judge = calibrated(Stub())
    assert run_sync(judge.judge([Pair("c", (Passage("e"),))])) == []


def test_usage_and_waiting_are_those_of_the_judge_behind() -> None:
    judge = calibrated(Stub())
    assert judge.usage.requests == 3
    assert judge.waits
    rules = NumberRules()
    assert not calibrated(rules, msgspec.structs.replace(SAVED, judge=rules.name)).waits


def test_a_calibration_for_another_judge_is_refused() -> None:
    with pytest.raises(JudgeError, match=r"was made for the judge stub/1, and this one is rules/"):
        calibrated(NumberRules())


def write(folder: Path, **changes: Any) -> Path:
    path = folder / "cal.json"
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(SAVED, **changes)))
    return path


def test_a_check_applies_and_names_the_calibration(tmp_path: Path) -> None:
    path = write(tmp_path, judge=NumberRules().name, intercept=-20.0)
    answer, sources = "It rained in Oslo [1].", {"1": "It rained in Oslo."}
    assert pincite.check(answer, sources, judge="rules").ok
    report = pincite.check(answer, sources, judge="rules", settings=Settings(calibration=str(path)))
    assert report.summary.judge == f"{NumberRules().name}+cal:mine-1a2b"
    assert report.findings


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not a saved calibration"),
        (b"\xff", "not a saved calibration"),
        (b"[" * 100_000, "not a saved calibration"),
        (b'{"slope": 1}', "missing required field"),
        (b" " * 1_000_001, "more than 1,000,000 bytes"),
    ],
)
def test_a_file_that_is_no_calibration_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "cal.json").write_bytes(content)
    with pytest.raises(InputError, match=said):
        load_calibration(tmp_path / "cal.json")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"schema_version": 99}, "newer than this Pincite"),
        ({"slope": -1.0}, "slope is above 0"),
        ({"threshold": 2.0}, "threshold between 0 and 1"),
    ],
)
def test_a_calibration_out_of_range_is_refused(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        load_calibration(write(tmp_path, **changes))


def test_a_missing_file_is_said_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read the calibration.*pincite judge calibrate"):
        load_calibration(tmp_path / "none.json")
