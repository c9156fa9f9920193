"""A folder of traces that grows: nothing is read half or twice, and what cannot be read is said once."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.datasets import WatchedTraces
from pincite.datasets.traces.watched import WatchRound
from pincite.errors import InputError

RECORDED = Path(__file__).parents[2] / "answers" / "traces" / "recorded"
LINES = (RECORDED / "genai.jsonl").read_bytes().splitlines(keepends=True)
IDS = [f"000000000000006a000000000000000{place}" for place in (1, 2, 3)]


class Watch:
    """A folder, and a clock that somebody else moves."""

    def __init__(self, folder: Path, **more: Any) -> None:
        self.now = 0.0
        self.folder = folder
        self.watched = WatchedTraces(folder, clock=lambda: self.now, **more)
        self.problems: list[str] = []

    def look(self, seconds: float = 1.0) -> list[str]:
        self.now += seconds
        found: WatchRound = self.watched.look()
        self.problems += found.problems
        return [record["trace_id"] for record in found.records]

    def looks(self, times: int = 3) -> list[str]:
        return [trace for _ in range(times) for trace in self.look()]


@pytest.fixture
def watch(tmp_path: Path) -> Watch:
    return Watch(tmp_path)


def test_a_trace_is_handed_out_once_when_its_outermost_span_has_come(watch: Watch, tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_bytes(b"".join(LINES[:2]))
    assert watch.looks() == []
    with path.open("ab") as file:
        file.write(LINES[2])
    assert watch.look() == []  # more of it may be in the next file
    assert watch.look() == IDS[:1]
    assert watch.looks() == []
    assert watch.watched.waiting == 0
    assert watch.problems == []


@given(st.lists(st.integers(0, sum(map(len, LINES))), max_size=8))
def test_a_file_that_is_written_in_any_pieces_is_read_as_if_it_had_been_there(cuts: list[int]) -> None:
    import tempfile

    whole = b"".join(LINES)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        watch = Watch(folder)
        found: list[str] = []
        ends = sorted({*cuts, len(whole)})
        for start, end in zip([0, *ends], ends, strict=False):
            with (folder / "traces.jsonl").open("ab") as file:
                file.write(whole[start:end])
            found += watch.look()  # one look: a second one would find the file at rest
        found += watch.looks()
        assert sorted(found) == IDS
        assert watch.problems == []


def test_a_document_over_several_lines_is_read_when_it_is_complete(watch: Watch, tmp_path: Path) -> None:
    text = json.dumps([json.loads(line) for line in LINES], indent=1)
    path = tmp_path / "traces.json"
    for end in (1, len(text) // 2, len(text) - 1):
        path.write_text(text[:end])
        assert watch.look() == []
    path.write_text(text)
    assert sorted(watch.looks(4)) == IDS
    assert watch.problems == []


def test_a_broken_document_is_said_once_and_read_when_it_is_mended(watch: Watch, tmp_path: Path) -> None:
    path = tmp_path / "traces.json"
    text = json.dumps([json.loads(line) for line in LINES], indent=1)
    path.write_text(text[:-5])
    assert watch.looks(5) == []
    assert len(watch.problems) == 1
    assert "traces.json: this is not JSON" in watch.problems[0]
    path.write_text(text)
    assert sorted(watch.looks(4)) == IDS
    assert len(watch.problems) == 1


def test_a_bad_line_costs_only_itself_and_is_said_once(watch: Watch, tmp_path: Path) -> None:
    bad = b'{"resourceSpans": oops}\n'
    (tmp_path / "traces.jsonl").write_bytes(bad + LINES[0] + bad + b"".join(LINES[1:]) + b'{"other": 1}\n')
    assert sorted(watch.looks(4)) == IDS
    assert [problem.partition(": ")[2][:24] for problem in watch.problems] == [
        "line 1: this is not JSON",
        "line 3: this is not JSON",
        "line 12: expected OTLP a",
    ]


def test_a_last_line_without_its_end_is_read_when_nobody_writes_to_it(watch: Watch, tmp_path: Path) -> None:
    (tmp_path / "traces.jsonl").write_bytes(b"".join(LINES).rstrip(b"\n"))
    assert sorted(watch.looks(4)) == IDS


def test_a_last_line_that_stays_cut_off_is_said_once(watch: Watch, tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_bytes(b"".join(LINES)[:-20])
    assert sorted(watch.looks(5)) == IDS[:2]
    assert len(watch.problems) == 1 and "may be incomplete" in watch.problems[0]
    with path.open("ab") as file:
        file.write(b"".join(LINES)[-20:])
    assert watch.looks() == IDS[2:]


def test_a_trace_whose_outermost_span_never_comes_is_taken_after_a_while(tmp_path: Path) -> None:
    watch = Watch(tmp_path, settle=30)
    (tmp_path / "traces.jsonl").write_bytes(b"".join(LINES[:2]))
    assert watch.look(1) == []
    assert watch.look(29) == []
    assert watch.look(1) == IDS[:1]
    assert watch.watched.waiting == 0


def test_spans_of_one_trace_may_be_in_several_files(watch: Watch, tmp_path: Path) -> None:
    for place, line in enumerate(LINES):
        (tmp_path / f"part-{8 - place}.jsonl").write_bytes(line)
    assert sorted(watch.looks()) == IDS


def test_a_file_that_was_rotated_or_cut_is_not_measured_again(watch: Watch, tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_bytes(b"".join(LINES[:3]))
    assert watch.looks() == IDS[:1]
    path.rename(tmp_path / "traces-1.jsonl")
    path.write_bytes(b"".join(LINES[3:6]))
    assert watch.looks() == IDS[1:2]
    path.write_bytes(b"".join(LINES[6:]))
    assert watch.looks() == IDS[2:]
    assert watch.problems == []


def test_a_file_that_was_emptied_and_has_outgrown_what_it_was_is_read_from_its_beginning(
    watch: Watch, tmp_path: Path
) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_bytes(b"".join(LINES[:2]))
    assert watch.looks() == []
    path.write_bytes(b"".join(LINES[3:]))  # the same file, as a tool that copies and truncates leaves it
    assert watch.looks(4) == IDS[1:]
    assert watch.problems == []


def test_traces_that_were_done_before_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "traces.jsonl").write_bytes(b"".join(LINES))
    assert Watch(tmp_path, done=IDS[:2]).looks() == IDS[2:]


def test_compressed_files_and_tables_are_read_when_they_have_stopped_changing(
    watch: Watch, tmp_path: Path
) -> None:
    packed = gzip.compress(b"".join(LINES))
    path = tmp_path / "traces.jsonl.gz"
    path.write_bytes(packed[: len(packed) // 2])
    assert watch.look() == []
    path.write_bytes(packed)
    (tmp_path / "phoenix.csv").write_bytes((RECORDED / "phoenix.csv").read_bytes())
    assert len(watch.looks(4)) == 6
    assert watch.problems == []


def test_a_file_that_cannot_be_opened_is_said_once(watch: Watch, tmp_path: Path) -> None:
    (tmp_path / "link.jsonl").symlink_to("/etc/hostname")
    (tmp_path / "notes.txt").write_text("not a file of traces")
    assert watch.looks() == []
    assert len(watch.problems) == 1 and "link.jsonl" in watch.problems[0]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission_is_said_once(watch: Watch, tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_bytes(b"".join(LINES))
    path.chmod(0)
    assert watch.looks() == []
    assert len(watch.problems) == 1


def test_requests_that_are_about_no_answer_are_counted(watch: Watch, tmp_path: Path) -> None:
    (tmp_path / "traces.jsonl").write_bytes((RECORDED / "openinference.jsonl").read_bytes())
    watch.now = 1
    watch.watched.look()
    found = watch.watched.look()
    assert (len(found.records), found.passed_over) == (3, 1)


def test_a_single_file_can_be_watched(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_bytes(b"".join(LINES))
    assert sorted(Watch(path).looks()) == IDS
    with pytest.raises(InputError, match="there is nothing to follow"):
        WatchedTraces(tmp_path / "none")
