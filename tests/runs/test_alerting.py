"""Which earlier runs a run is held against."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.config import Alerts, Settings
from pincite.records import Alert, Run, Score
from pincite.runs import RunResult
from pincite.runs.alerts import find_alerts

DRIFT = Alert(kind="drift", metric="span_f1", value=0.5, message="worse")
MISSED = Alert(kind="threshold", metric="span_f1", value=0.5, message="too low")
GOOD, BAD = 0.9, 0.5


class Nights:
    """A history to which a run a night is added."""

    def __init__(self, window: int = 10) -> None:
        self.kept: list[Run] = []
        self.settings = Settings(alerts=Alerts(window=window))

    def runs(self, dataset: str | None = None, *, limit: int | None = None) -> list[Run]:
        return self.kept[::-1][:limit]

    def night(self, value: float, **more: Any) -> RunResult:
        number = len(self.kept)
        # No two nights are quite the same.
        score = Score(metric="span_f1", value=value + number % 3 / 1000, n=50)
        run = Run(run_id=f"r{number}", status="finished", scores=(score,), successful=50, total=50, **more)
        result = RunResult(run=run, items=lambda: iter(()))
        alerts, notes = find_alerts(result, self, self.settings)  # type: ignore[arg-type]
        run = msgspec.structs.replace(run, alerts=alerts)
        self.kept.append(run)
        return msgspec.structs.replace(result, run=run, notes=notes)

    def alerted(self, *values: float) -> list[bool]:
        return [bool(self.night(value).run.alerts) for value in values]


def test_every_bad_night_is_told_and_not_the_first_alone() -> None:
    nights = Nights()
    assert nights.alerted(*[GOOD] * 6, BAD, BAD, BAD) == [False] * 6 + [True] * 3


def test_after_as_many_bad_nights_as_the_window_holds_they_are_the_new_normal_and_a_note_says_so() -> None:
    nights = Nights(window=4)
    assert nights.alerted(*[GOOD] * 5, *[BAD] * 4) == [False] * 5 + [True] * 4
    accepted = nights.night(BAD)
    assert accepted.run.alerts == ()
    assert accepted.notes == (
        "4 of the 4 earlier runs that this one is compared with had got worse themselves: after that many "
        "in a row, worse is the new normal",
    )
    assert nights.alerted(BAD, BAD) == [False, False]
    assert nights.night(BAD).notes[0].startswith("1 of the 4")
    assert nights.night(BAD).notes == ()


def test_a_good_night_between_bad_ones_begins_the_count_anew() -> None:
    nights = Nights(window=4)
    nights.alerted(*[GOOD] * 4)
    for _ in range(3):
        assert nights.alerted(BAD, BAD, GOOD) == [True, True, False]


def test_a_new_fall_from_the_new_normal_is_told_again() -> None:
    nights = Nights(window=3)
    nights.alerted(*[GOOD] * 3, *[BAD] * 6)
    assert nights.alerted(0.1) == [True]


def test_runs_without_an_answer_and_other_alerts_do_not_change_the_window() -> None:
    nights = Nights()
    nights.alerted(*[GOOD] * 3)
    silent = Run(
        run_id="silent",
        status="finished",
        scores=(Score(metric="span_f1", value=0.0, n=50),),
        failed=50,
        total=50,
    )
    missed = Run(run_id="missed", status="finished", scores=nights.kept[0].scores, successful=50, total=50)
    nights.kept += [silent, Run(**{**_fields(missed), "alerts": (MISSED,)})]
    (alert,) = nights.night(BAD).run.alerts
    assert "the mean of 4 earlier runs" in alert.message


def _fields(run: Run) -> dict[str, Any]:
    return {name: getattr(run, name) for name in run.__struct_fields__}


@pytest.mark.parametrize("difference", [{"name": "other"}, {"judge": "other"}, {"target": "other:system"}])
def test_runs_of_other_systems_are_no_window(difference: dict[str, str]) -> None:
    nights = Nights()
    for _ in range(4):
        nights.night(GOOD, **difference)
    assert not nights.night(BAD).run.alerts


@given(st.lists(st.booleans(), max_size=40), st.integers(1, 6))
def test_whatever_the_past_the_window_holds_no_more_than_it_should(past: list[bool], window: int) -> None:
    nights = Nights(window)
    for number, bad in enumerate(past):
        alerts = (DRIFT,) if bad else ()
        run = Run(
            run_id=f"p{number}",
            status="finished",
            scores=(Score(metric="span_f1", value=GOOD + number / 1e4, n=50),),
            successful=50,
            total=50,
            alerts=alerts,
        )
        nights.kept.append(run)
    for alert in nights.night(BAD).run.alerts:
        counted = int(alert.message.partition("the mean of ")[2].partition(" ")[0])
        assert 3 <= counted <= window


def test_production_is_held_against_earlier_traces_though_nobody_asks_the_same_twice() -> None:
    nights = Nights()
    for number in range(6):
        assert not nights.night(GOOD, target=f"traces:{number}", dataset_digest=str(number)).run.alerts
    assert nights.night(BAD, target="traces:6", dataset_digest="6").run.alerts


def test_recorded_answers_to_other_questions_are_not_held_against_each_other() -> None:
    nights = Nights()
    for number in range(6):
        nights.night(GOOD, target=f"recorded:{number}", dataset_digest=str(number))
    assert not nights.night(BAD, target="recorded:6", dataset_digest="6").run.alerts
