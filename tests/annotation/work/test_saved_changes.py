"""The log of one person's changes: nothing is lost, nothing is overwritten."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.annotation import StaleChange
from pincite.annotation.work.changes import NOTHING, ChangeLog, SavedChange
from pincite.errors import InputError

AT = "2026-01-01T09:00:00+00:00"


def change(log: ChangeLog, item: str, revision: int, said: dict[str, Any], **more: Any) -> Any:
    return log.change(SavedChange(item, revision, said, AT, **more))


def test_a_change_is_on_disk_when_it_is_acknowledged(tmp_path: Path) -> None:
    state = change(ChangeLog(tmp_path / "log"), "a", 0, {"verdict": "supported"}, done=True, seconds=3)
    assert (state.revision, state.done, state.seconds) == (1, True, 3)
    assert ChangeLog(tmp_path / "log").states() == {"a": state}


def test_a_stale_change_is_refused_with_the_newer_state(tmp_path: Path) -> None:
    one, other = ChangeLog(tmp_path / "log"), ChangeLog(tmp_path / "log")
    change(one, "a", 0, {"note": "first"})
    with pytest.raises(StaleChange, match="nothing was overwritten") as refused:
        change(other, "a", 0, {"note": "second"})
    assert refused.value.state.said == {"note": "first"}
    assert refused.value.state.revision == 1
    assert change(other, "a", 1, {"note": "second"}).revision == 2
    assert one.states()["a"].said == {"note": "second"}


def test_a_change_that_is_sent_twice_is_kept_once(tmp_path: Path) -> None:
    log = ChangeLog(tmp_path / "log")
    state = change(log, "a", 0, {"verdict": "unsure"})
    assert change(log, "a", 0, {"verdict": "unsure"}) == state
    assert len((tmp_path / "log").read_bytes().splitlines()) == 1


def test_undo_goes_back_step_by_step_and_survives_a_restart(tmp_path: Path) -> None:
    log = ChangeLog(tmp_path / "log")
    for revision, verdict in enumerate(["supported", "contradicted", "unsure"]):
        change(log, "a", revision, {"verdict": verdict})
    assert log.undo("a", 3, AT).said == {"verdict": "contradicted"}
    again = ChangeLog(tmp_path / "log")
    assert again.undo("a", 4, AT).said == {"verdict": "supported"}
    first = again.undo("a", 5, AT)
    assert (first.said, first.can_undo) == ({}, False)
    assert again.undo("a", 6, AT) == first


def test_a_note_that_was_typed_key_by_key_is_undone_at_once(tmp_path: Path) -> None:
    log = ChangeLog(tmp_path / "log")
    change(log, "a", 0, {"verdict": "unsure"})
    for revision, note in enumerate(["o", "of", "off"], start=1):
        change(log, "a", revision, {"verdict": "unsure", "note": note})
    assert log.undo("a", 4, AT).said == {"verdict": "unsure"}
    assert log.undo("a", 5, AT).said == {}


def test_half_a_line_of_a_killed_writer_is_cut_off(tmp_path: Path) -> None:
    log = ChangeLog(tmp_path / "log")
    change(log, "a", 0, {"note": "kept"})
    with (tmp_path / "log").open("ab") as file:
        file.write(b'{"item": "a", "revision": 2, "said": {"no')
    again = ChangeLog(tmp_path / "log")
    assert again.states()["a"].said == {"note": "kept"}
    change(again, "a", 1, {"note": "next"})
    assert [json.loads(line)["revision"] for line in (tmp_path / "log").read_text().splitlines()] == [1, 2]


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b'{"item": "a", "revision": 1, "said": {}, "at": ""}\nnonsense\n')
    with pytest.raises(InputError, match="line 2 is damaged"):
        ChangeLog(tmp_path / "log").states()


KILLED = """
import sys
from pathlib import Path
from pincite.annotation.work.changes import SavedChange, ChangeLog

log = ChangeLog(Path(sys.argv[1]))
revision = 0
while True:
    revision = log.change(SavedChange("a", revision, {"note": "x" * revision}, "")).revision
    print(revision, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("after", [1, 7, 40])
def test_kill_9_in_the_middle_loses_at_most_the_change_that_was_being_made(
    tmp_path: Path, after: int
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path / "log")], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        told = 0
        for line in writer.stdout:
            told = int(line)
            if told >= after:
                os.kill(writer.pid, signal.SIGKILL)
                break
        told = max([told, *(int(line) for line in writer.stdout.read().split())])
    log = ChangeLog(tmp_path / "log")
    state = log.states()["a"]
    # One may be on disk that nobody was told of.
    assert state.revision in (told, told + 1)
    assert state.said == {"note": "x" * (state.revision - 1)}
    assert change(log, "a", state.revision, {"note": "after"}).revision == state.revision + 1


WRITER = """
import sys
from pathlib import Path
from pincite.annotation.work.changes import SavedChange, ChangeLog, StaleChange

log, me = ChangeLog(Path(sys.argv[1])), sys.argv[2]
stale = 0
for number in range(25):
    while True:
        state = log.states().get("shared")
        revision, said = (state.revision, state.said) if state else (0, {})
        try:
            log.change(SavedChange("shared", revision, {**said, f"{me}{number}": True}, ""))
            break
        except StaleChange:
            stale += 1
print(stale)
"""


def test_two_processes_that_write_the_same_item_lose_nothing(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path / "log"), me], stdout=subprocess.PIPE)
        for me in ("x", "y")
    ]
    for writer in writers:
        writer.communicate(timeout=100)
        assert writer.returncode == 0
    state = ChangeLog(tmp_path / "log").states()["shared"]
    assert state.said == {f"{me}{number}": True for me in "xy" for number in range(25)}
    assert state.revision == 50


words = st.text(max_size=6)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("set"), st.sampled_from("ab"), words),
        st.tuples(st.just("undo"), st.sampled_from("ab")),
    ),
    max_size=20,
)


@settings(max_examples=60, deadline=None)
@given(steps)
def test_a_log_read_again_says_the_same(tmp_path_factory: pytest.TempPathFactory, made: list[Any]) -> None:
    path = tmp_path_factory.mktemp("log") / "log"
    log = ChangeLog(path)
    model: dict[str, list[Any]] = {"a": [{}], "b": [{}]}
    for step in made:
        state = log.states().get(step[1], NOTHING)
        if step[0] == "undo":
            log.undo(step[1], state.revision, AT)
            if len(model[step[1]]) > 1:
                model[step[1]].pop()
        elif model[step[1]][-1] != {"verdict": step[2]}:
            change(log, step[1], state.revision, {"verdict": step[2]})
            model[step[1]].append({"verdict": step[2]})
    assert {item: log.states().get(item, NOTHING).said for item in "ab"} == {
        item: said[-1] for item, said in model.items()
    }
    assert ChangeLog(path).states() == log.states()


@pytest.mark.parametrize("name", ["log", ".lock"])
def test_a_link_that_came_with_the_folder_is_not_written_through(tmp_path: Path, name: str) -> None:
    folder, precious = tmp_path / "annotations", tmp_path / "precious"
    folder.mkdir()
    precious.write_bytes(b"precious")  # without a line end: what is no whole line would be cut off
    (folder / name).symlink_to(precious)
    with pytest.raises(InputError, match=f"is a link to {precious}; move it away, or give another folder"):
        change(ChangeLog(folder / "log"), "a", 0, {"note": "first"})
    assert precious.read_bytes() == b"precious"
