"""A judge whose scores were compared with people's labels, and are moved accordingly from then on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from pincite.base import read_small_file
from pincite.errors import InputError, JudgeError
from pincite.judges.judge import Judge, WrappedJudge
from pincite.records import Pair, Question, Trace, Verdict
from pincite.stats import Calibration

CALIBRATION_VERSION = 1
MOST_BYTES = 1_000_000


class SavedCalibration(Struct, frozen=True):
    """What `pincite judge calibrate --save` writes: the fit, and what it was made from."""

    schema_version: int
    name: str
    judge: str
    """The judge that it was made for, by its full name: any other is refused."""
    question: Question
    slope: float
    intercept: float
    threshold: float
    """On the calibrated score: at and above it a claim is supported."""
    rows: int
    """How many labelled rows it was fitted on."""
    date: str
    data_sha256: str
    """Of the labelled rows, so that it can be told which they were."""


class CalibratedJudge(WrappedJudge):
    """Asks another judge and moves its scores by a saved calibration."""

    def __init__(self, judge: Judge, saved: SavedCalibration) -> None:
        if judge.name != saved.judge:
            raise JudgeError(
                f"the calibration {saved.name} was made for the judge {saved.judge}, and this one is "
                f"{judge.name}; make another with `pincite judge calibrate`, or leave `calibration` out"
            )
        super().__init__(judge)
        self._saved = saved

    @property
    def name(self) -> str:
        return f"{self._judge.name}+cal:{self._saved.name}"

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """The other judge's verdicts, moved where the question is the one that was calibrated."""
        verdicts = await self._judge.judge(pairs)
        if len(verdicts) != len(pairs):
            return verdicts  # whoever asked sees it, and says so
        return [
            recalibrated(verdict, self._saved, self.name)
            if pair.question == self._saved.question
            else msgspec.structs.replace(verdict, judge=self.name)
            for pair, verdict in zip(pairs, verdicts, strict=True)
        ]

    def trace(self, pair: Pair) -> Trace:
        """The other judge's trace; a calibration only moves its last number."""
        found = self._judge.trace(pair) or Trace()
        moved = f"scores are moved by the calibration {self._saved.name}, threshold {self._saved.threshold:g}"
        return Trace(found.stages, (*found.observations, moved))


def recalibrated(verdict: Verdict, saved: SavedCalibration, judge: str) -> Verdict:
    """The verdict with its score moved, and decided anew by the saved threshold.

    What a judge calls contradicted stays so: it has read something that speaks against the claim, and a score
    cannot unsay that.
    """
    if verdict.score is None or verdict.outcome == "unjudged":
        return msgspec.structs.replace(verdict, judge=judge)
    score = Calibration(saved.slope, saved.intercept).apply(verdict.score)
    enough = score >= saved.threshold
    moved = msgspec.structs.replace(verdict, score=round(score, 6), judge=judge)
    if verdict.outcome == "contradicted" or enough == (verdict.outcome == "supported"):
        return moved
    side = "at or above" if enough else "below"
    reason = (
        f"{verdict.reason}; its calibrated score {score:.2f} is {side} the threshold {saved.threshold:.2f}"
    )
    # What only the threshold decides is near it, and no ground for calling anything an error.
    return msgspec.structs.replace(
        moved, outcome="supported" if enough else "not_enough", reason=reason, sure=False, doubtful=False
    )


def load_calibration(path: Path) -> SavedCalibration:
    """Read what `pincite judge calibrate --save` wrote."""
    advice = "make one with `pincite judge calibrate ROWS.jsonl --save FILE`"
    try:
        raw = read_small_file(path, MOST_BYTES)
    except OSError as error:
        raise InputError(
            f"{path}: cannot read the calibration: {error.strerror or error}; {advice}"
        ) from error
    try:
        saved = msgspec.json.decode(raw, type=SavedCalibration)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path}: this is not a saved calibration ({error}); {advice}") from error
    if saved.schema_version > CALIBRATION_VERSION:
        raise InputError(
            f"{path}: schema version {saved.schema_version} is newer than this Pincite knows "
            f"({CALIBRATION_VERSION}); upgrade Pincite, or {advice}"
        )
    if saved.slope <= 0 or not 0 <= saved.threshold <= 1:
        raise InputError(f"{path}: the slope is above 0 and the threshold between 0 and 1; {advice}")
    return saved
