"""Results as events of OpenTelemetry, and the file that they are added to."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.datasets import TracePlace
from pincite.errors import InputError
from pincite.records import Failure, ItemResult, Result
from pincite.runs import EventsFile

PLACE = TracePlace("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "chatcmpl-1")
ITEM = ItemResult(
    key="k",
    position=0,
    query_id=PLACE.trace_id,
    answer="One [1].",
    results=(
        Result(
            metric="m1", score=0.5, numerator=1, denominator=2, unit="claims", threshold=0.7, passed=False
        ),
        Result(metric="m2", score=None, unjudged=2, reasons={"time-out": 2}),
        Result(metric="m3", score=None, not_scorable=1, reasons={"no quotes": 1}),
    ),
    failures=(Failure("not_supported", "a.txt", "the source does not say so"),),
)


def records_of(line: bytes) -> list[dict[str, Any]]:
    (resource,) = json.loads(line)["resourceLogs"]
    (scope,) = resource["scopeLogs"]
    assert scope["scope"]["name"] == "pincite"
    return list(scope["logRecords"])


def events_line(item: ItemResult, place: TracePlace) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.jsonl"
        with EventsFile(path) as file:
            file.add([item], {item.query_id: place})
        return path.read_bytes()


def attributes_of(record: dict[str, Any]) -> dict[str, Any]:
    return {one["key"]: next(iter(one["value"].values())) for one in record["attributes"]}


def test_each_metric_is_an_event_of_the_evaluated_span() -> None:
    records = records_of(events_line(ITEM, PLACE))
    assert {(one["eventName"], one["traceId"], one["spanId"]) for one in records} == {
        ("gen_ai.evaluation.result", PLACE.trace_id, PLACE.span_id)
    }
    (moment,) = {one["timeUnixNano"] for one in records}
    assert moment.isdecimal() and len(moment) == 19
    assert [attributes_of(one) for one in records] == [
        {
            "gen_ai.evaluation.name": "answer_failures",
            "gen_ai.evaluation.score.value": 1.0,
            "gen_ai.evaluation.score.label": "found",
            "gen_ai.evaluation.explanation": "not_supported (a.txt): the source does not say so",
            "gen_ai.response.id": "chatcmpl-1",
        },
        {
            "gen_ai.evaluation.name": "m1",
            "gen_ai.evaluation.score.value": 0.5,
            "gen_ai.evaluation.score.label": "fail",
            "gen_ai.evaluation.explanation": "Score: 0.50 (1 of 2 claims); Failed (threshold 0.7)",
            "gen_ai.response.id": "chatcmpl-1",
        },
        {
            "gen_ai.evaluation.name": "m2",
            "gen_ai.evaluation.score.label": "unjudged",
            "error.type": "unjudged",
            "gen_ai.evaluation.explanation": "Score: none (time-out: 2)",
            "gen_ai.response.id": "chatcmpl-1",
        },
        {
            "gen_ai.evaluation.name": "m3",
            "gen_ai.evaluation.score.label": "not_scorable",
            "gen_ai.evaluation.explanation": "Score: none (no quotes: 1)",
            "gen_ai.response.id": "chatcmpl-1",
        },
    ]


def test_an_answer_that_never_came_is_one_event_without_a_score() -> None:
    failed = ItemResult(
        key="k", position=0, query_id="q", failure="the model is overloaded", results=ITEM.results
    )
    (record,) = records_of(events_line(failed, PLACE))
    assert attributes_of(record) == {
        "gen_ai.evaluation.name": "answer_failures",
        "gen_ai.evaluation.score.label": "no_answer",
        "gen_ai.evaluation.explanation": "the model is overloaded",
        "error.type": "no_answer",
        "gen_ai.response.id": "chatcmpl-1",
    }


def test_a_trace_of_another_system_keeps_its_id_in_an_attribute(tmp_path: Path) -> None:
    place = TracePlace("trace-1", "obs-1")
    records = records_of(events_line(ITEM, place))
    assert all("traceId" not in one and "spanId" not in one for one in records)
    assert {attributes_of(one)["pincite.trace.id"] for one in records} == {"trace-1"}
    with EventsFile(tmp_path / "events.jsonl") as file:
        assert file.add([ITEM], {ITEM.query_id: place}) == 1
    with EventsFile(tmp_path / "events.jsonl") as file:
        assert file.traces == {"trace-1"}


def test_an_answer_of_no_trace_or_of_one_that_has_its_line_is_not_added(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with EventsFile(path) as file:
        assert file.add([ITEM, ITEM], {ITEM.query_id: PLACE}) == 1
        assert file.add([ITEM], {ITEM.query_id: PLACE}) == 0
        assert file.add([ITEM], {}) == 0
    assert path.read_bytes().count(b"\n") == 1


THREE_LINES = b"".join(events_line(ITEM, TracePlace(f"{place:032x}", PLACE.span_id)) for place in (1, 2, 3))


@given(st.integers(0, 2**31))
def test_a_file_that_was_cut_anywhere_loses_only_the_line_that_was_being_written(cut: int) -> None:
    whole = THREE_LINES
    size = cut % (len(whole) + 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.jsonl"
        path.write_bytes(whole[:size])
        told: list[str] = []
        with EventsFile(path, told.append) as file:
            complete = whole[:size].count(b"\n")
            assert file.traces == {f"{place:032x}" for place in range(1, complete + 1)}
            for place in range(complete + 1, 4):
                file.add([ITEM], {ITEM.query_id: TracePlace(f"{place:032x}", PLACE.span_id)})
        assert bool(told) == (not whole[:size].endswith(b"\n") and size > 0)
        found = path.read_bytes().splitlines()
        assert [records_of(line)[0]["traceId"] for line in found] == [f"{place:032x}" for place in (1, 2, 3)]


@pytest.mark.parametrize(
    "content", [b"notes of mine", b'{"answer": "Yes."}\n', b"\n{}\n", b"x\n" + b"{" * 10]
)
def test_nothing_of_a_file_that_is_not_ours_is_lost(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match="holds no events of `pincite eval`; give another file"):
        EventsFile(path)
    assert path.read_bytes() == content


def test_two_processes_do_not_write_to_one_file(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    with EventsFile(tmp_path / "events.jsonl"), pytest.raises(InputError, match="another process writes"):
        EventsFile(tmp_path / "events.jsonl")


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write the events"):
        EventsFile(tmp_path / "file" / "events.jsonl")


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    file = EventsFile(tmp_path / "events.jsonl")
    file.add([ITEM], {ITEM.query_id: PLACE})
    file._file.close()
    file._file = Path("/dev/full").open("wb", buffering=0)  # noqa: SIM115 - closed with it
    with pytest.raises(InputError, match="No space left"):
        file.add([ITEM], {ITEM.query_id: TracePlace("1" * 32, PLACE.span_id)})
    file.close()
    assert (tmp_path / "events.jsonl").read_bytes().count(b"\n") == 1
    assert file.traces == {PLACE.trace_id}
