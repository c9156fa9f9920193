"""`--fix` and `--diff`: fixes written whole or not at all, or shown as a unified diff."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from operator import eq
from typing import Any

import msgspec

from pincite.answers import STDIN, Loaded, encoded_like
from pincite.cli.output import emit, emit_quoted, note, write_file
from pincite.errors import InputError
from pincite.findings import Fixed, fix_answer
from pincite.records import Answer, Report
from pincite.reports import plural

CONTEXT = 3


def require_texts(loaded: Sequence[Loaded]) -> None:
    """Only a text file or standard input can be rewritten."""
    for item in loaded:
        if item.path is None and item.answer.name != STDIN:
            raise InputError(
                f"{item.answer.name}: --fix and --diff rewrite text files, not answers inside JSON"
            )


def fix_all(
    loaded: Sequence[Loaded],
    reports: Sequence[Report],
    check_again: Callable[[Answer], Report],
    *,
    unsafe: bool,
    only_show: bool,
    quiet: bool,
) -> list[Report]:
    """Write (or show) every answer's fixes; the reports on what the answers say then."""
    after = []
    applied = changed = 0
    for item, report in zip(loaded, reports, strict=True):

        def check_text(text: str, answer: Answer = item.answer) -> Report:
            return check_again(msgspec.structs.replace(answer, text=text))

        fixed = fix_answer(report, check_text, unsafe=unsafe)
        applied += fixed.applied
        changed += fixed.applied > 0
        if only_show:
            emit_quoted("".join(unified_diff(item.answer.text, fixed.text, item.answer.name)))
        else:
            _write(item, fixed)
        after.append(report if only_show else fixed.report)
    if not quiet:
        verb = "would apply" if only_show else "applied"
        note(f"{verb} {plural(applied, 'fix', 'fixes')} in {plural(changed, 'answer')}")
    return after


def _write(item: Loaded, fixed: Fixed) -> None:
    if item.path is None:
        # Standard input has no file to rewrite: the text is passed on, changed or not, so that pipes work.
        emit(fixed.text)
    elif fixed.applied:
        if item.path.read_bytes() != item.raw:
            raise InputError(
                f"{item.path}: changed while it was being checked; nothing was written, run it again"
            )
        write_file(item.path, encoded_like(fixed.text, item.raw))


class _PairedLines(SequenceMatcher[str]):
    """A fix replaces a marker inside its line, so lines pair up and need not be searched for."""

    a: list[str]
    b: list[str]

    def get_opcodes(self) -> list[Any]:
        groups = groupby(enumerate(map(eq, self.a, self.b)), lambda pair: pair[1])
        runs = [(same, [index for index, _ in group]) for same, group in groups]
        return [
            ("equal" if same else "replace", run[0], run[-1] + 1, run[0], run[-1] + 1) for same, run in runs
        ]


def unified_diff(before: str, after: str, name: str) -> Iterator[str]:
    """The lines of the diff, each with its line break; none when nothing changed."""
    if before == after:
        return
    old, new = _split(before), _split(after)
    matcher = (_PairedLines if len(old) == len(new) else SequenceMatcher)(None, old, new)
    yield f"--- {name}\n"
    yield f"+++ {name}\n"
    for group in matcher.get_grouped_opcodes(CONTEXT):
        (_, start, _, new_start, _), (_, _, end, _, new_end) = group[0], group[-1]
        yield f"@@ -{_span(start, end)} +{_span(new_start, new_end)} @@\n"
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                yield from _written(" ", old[i1:i2])
            else:
                yield from _written("-", old[i1:i2])
                yield from _written("+", new[j1:j2])


def _split(text: str) -> list[str]:
    *lines, last = text.split("\n")
    return [*(f"{line}\n" for line in lines), *([last] if last else [])]


def _span(start: int, end: int) -> str:
    return f"{start + 1 if end > start else start},{end - start}"


def _written(sign: str, lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield f"{sign}{line}" if line.endswith("\n") else f"{sign}{line}\n\\ No newline at end of file\n"
