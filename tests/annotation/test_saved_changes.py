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

from annotation.small_work import dataset, workspace
from pincite.annotation import ItemKey, ItemState, StaleChange, Workspace
from pincite.errors import InputError

TESTS = Path(__file__).parents[1]


def open_work(folder: Path) -> Workspace:
    """A workspace with the pairs a and b, as another process would open it."""
    return workspace(folder, dataset(1), pairs=[{"id": name, "claim": f"Claim {name}."} for name in "ab"])


def key(item: str) -> ItemKey:
    return ItemKey("first", "verdicts", item)


def change(work: Workspace, item: str, revision: int, said: dict[str, Any], **more: Any) -> ItemState:
    return work.change("ada", key(item), revision, said, **more)


def state_of(work: Workspace, item: str = "a") -> ItemState:
    return work.states("ada").get(str(key(item)), ItemState())


def log_of(folder: Path) -> Path:
    return folder / "annotations" / "ada" / "changes.jsonl"


def test_a_change_is_on_disk_when_it_is_acknowledged(tmp_path: Path) -> None:
    state = change(open_work(tmp_path), "a", 0, {"verdict": "supported"}, done=True, seconds=3)
    assert (state.revision, state.done, state.seconds) == (1, True, 3)
    assert open_work(tmp_path).states("ada") == {str(key("a")): state}


def test_a_stale_change_is_refused_with_the_newer_state(tmp_path: Path) -> None:
    one, other = open_work(tmp_path), open_work(tmp_path)
    change(one, "a", 0, {"note": "first"})
    with pytest.raises(StaleChange, match="nothing was overwritten") as refused:
        change(other, "a", 0, {"note": "second"})
    assert (refused.value.state.said, refused.value.state.revision) == ({"note": "first"}, 1)
    assert change(other, "a", 1, {"note": "second"}).revision == 2
    assert state_of(one).said == {"note": "second"}


def test_a_change_that_is_sent_twice_is_kept_once(tmp_path: Path) -> None:
    work = open_work(tmp_path)
    state = change(work, "a", 0, {"verdict": "unsure"})
    assert change(work, "a", 0, {"verdict": "unsure"}) == state
    assert len(log_of(tmp_path).read_bytes().splitlines()) == 1


def test_undo_goes_back_step_by_step_and_survives_a_restart(tmp_path: Path) -> None:
    work = open_work(tmp_path)
    for revision, verdict in enumerate(["supported", "contradicted", "unsure"]):
        change(work, "a", revision, {"verdict": verdict})
    assert work.undo("ada", key("a"), 3).said == {"verdict": "contradicted"}
    again = open_work(tmp_path)
    assert again.undo("ada", key("a"), 4).said == {"verdict": "supported"}
    first = again.undo("ada", key("a"), 5)
    assert (first.said, first.can_undo) == ({}, False)
    assert again.undo("ada", key("a"), 6) == first


def test_a_note_that_was_typed_key_by_key_is_undone_at_once(tmp_path: Path) -> None:
    work = open_work(tmp_path)
    change(work, "a", 0, {"verdict": "unsure"})
    for revision, note in enumerate(["o", "of", "off"], start=1):
        change(work, "a", revision, {"verdict": "unsure", "note": note})
    assert work.undo("ada", key("a"), 4).said == {"verdict": "unsure"}
    assert work.undo("ada", key("a"), 5).said == {}


def test_half_a_line_of_a_killed_writer_is_cut_off(tmp_path: Path) -> None:
    change(open_work(tmp_path), "a", 0, {"note": "kept"})
    with log_of(tmp_path).open("ab") as file:
        file.write(b'{"item": "first/verdicts/a", "revision": 2, "said": {"no')
    again = open_work(tmp_path)
    assert state_of(again).said == {"note": "kept"}
    change(again, "a", 1, {"note": "next"})
    lines = log_of(tmp_path).read_text().splitlines()
    assert [json.loads(line)["revision"] for line in lines] == [1, 2]


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    change(open_work(tmp_path), "a", 0, {"note": "kept"})
    with log_of(tmp_path).open("ab") as file:
        file.write(b"nonsense\n")
    with pytest.raises(InputError, match="line 2 is damaged"):
        open_work(tmp_path)


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from annotation.test_saved_changes import StaleChange, change, open_work, state_of

work, me, most = open_work(Path(sys.argv[2])), sys.argv[3], int(sys.argv[4])
written = 0
while written < most:
    state = state_of(work)
    try:
        revision = change(work, "a", state.revision, {"note": state.said.get("note", "") + me}).revision
    except StaleChange:
        continue
    written += 1
    print(revision, flush=True)
"""


def writer(folder: Path, me: str, most: int) -> subprocess.Popen[str]:
    arguments = [str(TESTS), str(folder), me, str(most)]
    return subprocess.Popen([sys.executable, "-c", WRITER, *arguments], stdout=subprocess.PIPE, text=True)


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("after", [1, 20])
def test_kill_9_in_the_middle_loses_at_most_the_change_that_was_being_made(
    tmp_path: Path, after: int
) -> None:
    with writer(tmp_path, "x", 4000) as process:
        assert process.stdout is not None
        told = 0
        for line in process.stdout:
            told = int(line)
            if told >= after:
                os.kill(process.pid, signal.SIGKILL)
                break
        told = max([told, *(int(line) for line in process.stdout.read().split())])
    work = open_work(tmp_path)
    state = state_of(work)
    # One may be on disk that nobody was told of.
    assert state.revision in (told, told + 1)
    assert state.said == {"note": "x" * state.revision}
    assert change(work, "a", state.revision, {"note": "after"}).revision == state.revision + 1


@pytest.mark.thorough
def test_two_processes_that_write_the_same_item_lose_nothing(tmp_path: Path) -> None:
    writers = [writer(tmp_path, me, 25) for me in "xy"]
    for one in writers:
        one.communicate(timeout=100)
        assert one.returncode == 0
    state = state_of(open_work(tmp_path))
    assert sorted(state.said["note"]) == ["x"] * 25 + ["y"] * 25
    assert state.revision == 50


steps = st.lists(
    st.one_of(
        st.tuples(st.just("set"), st.sampled_from("ab"), st.sampled_from(["supported", "unsure"])),
        st.tuples(st.just("undo"), st.sampled_from("ab")),
    ),
    max_size=12,
)


@settings(max_examples=25, deadline=None)
@given(steps)
def test_a_log_read_again_says_the_same(tmp_path_factory: pytest.TempPathFactory, made: list[Any]) -> None:
    folder = tmp_path_factory.mktemp("log")
    work = open_work(folder)
    model: dict[str, list[Any]] = {"a": [{}], "b": [{}]}
    for step in made:
        item = step[1]
        revision = state_of(work, item).revision
        if step[0] == "undo":
            work.undo("ada", key(item), revision)
            if len(model[item]) > 1:
                model[item].pop()
        elif model[item][-1] != {"verdict": step[2]}:
            change(work, item, revision, {"verdict": step[2]})
            model[item].append({"verdict": step[2]})
    assert {item: state_of(work, item).said for item in "ab"} == {
        item: said[-1] for item, said in model.items()
    }
    assert open_work(folder).states("ada") == work.states("ada")


@pytest.mark.parametrize("name", ["changes.jsonl", ".lock"])
def test_a_link_that_came_with_the_folder_is_not_written_through(tmp_path: Path, name: str) -> None:
    work, precious = open_work(tmp_path), tmp_path / "precious"
    log_of(tmp_path).parent.mkdir(parents=True)
    precious.write_bytes(b"precious")  # without a line end: what is no whole line would be cut off
    log_of(tmp_path).with_name(name).symlink_to(precious)
    with pytest.raises(InputError, match=f"is a link to {precious}; move it away, or give another folder"):
        change(work, "a", 0, {"note": "first"})
    assert precious.read_bytes() == b"precious"
