from __future__ import annotations

import difflib

from hypothesis import given
from hypothesis import strategies as st

from pincite.cli.fixes import unified_diff

lines = st.lists(st.sampled_from(["a", "b", "c", "", "d\r"]), max_size=14)


def patched(before: str, diff: list[str]) -> str:
    """Apply a unified diff."""
    old = before.split("\n")
    old = [f"{line}\n" for line in old[:-1]] + ([old[-1]] if old[-1] else [])
    result: list[str] = []
    at = 0
    for index, line in enumerate(diff[2:]):
        if line.startswith("@@"):
            start = int(line.split()[1][1:].split(",")[0])
            count = int(line.split()[1].partition(",")[2] or 1)
            begin = start - 1 if count else start
            result += old[at:begin]
            at = begin
            continue
        line = line.partition("\n\\ No newline")[0]
        text = line[1:]
        if line.startswith(" "):
            assert old[at] == text
            result.append(text)
            at += 1
        elif line.startswith("-"):
            assert old[at] == text, index
            at += 1
        else:
            result.append(text)
    return "".join([*result, *old[at:]])


def test_nothing_changed_is_no_diff() -> None:
    assert list(unified_diff("a\n", "a\n", "x")) == []


def test_distant_changes_are_two_hunks() -> None:
    before = "".join(f"{number}\n" for number in range(30))
    after = before.replace("\n3\n", "\nthree\n").replace("\n25\n", "\n25!\n")
    shown = list(unified_diff(before, after, "x.md"))
    assert shown == list(
        difflib.unified_diff(before.splitlines(True), after.splitlines(True), "x.md", "x.md", lineterm="\n")
    )


@given(lines, st.data())
def test_changed_lines_give_a_diff_that_applies(before: list[str], data: st.DataObject) -> None:
    after = [data.draw(st.sampled_from([line, f"{line}!"])) for line in before]
    old, new = "\n".join(before), "\n".join(after)
    if old != new:
        assert patched(old, list(unified_diff(old, new, "x"))) == new


@given(lines, lines)
def test_any_two_texts_give_a_diff_that_applies(before: list[str], after: list[str]) -> None:
    old, new = "\n".join(before), "\n".join(after)
    if old != new:
        assert patched(old, list(unified_diff(old, new, "x"))) == new
