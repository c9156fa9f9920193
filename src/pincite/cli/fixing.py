"""`--fix` and `--diff`: fixes written whole or not at all, or shown as a unified diff."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence

import msgspec

from pincite.answers.read import STDIN, Loaded, encoded_like
from pincite.cli.output import emit, emit_quoted, note, write_file
from pincite.errors import InputError
from pincite.findings.fix import Fixed, fix_answer
from pincite.records import Answer, Report
from pincite.reports.wording import plural

CONTEXT = 3


def refuse_impossible(options: Namespace) -> None:
    wanted = options.fix or options.diff
    if options.unsafe_fixes and not wanted:
        raise InputError("--unsafe-fixes needs --fix or --diff")
    if wanted and options.provider is not None:
        raise InputError("--fix and --diff rewrite an answer's own markers; a provider's response has none")


def refuse_records(loaded: Sequence[Loaded]) -> None:
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
    options: Namespace,
) -> list[Report]:
    """Write (or show) every answer's fixes; the reports on what the answers say then."""
    after = []
    applied = changed = 0
    for item, report in zip(loaded, reports, strict=True):

        def check_text(text: str, answer: Answer = item.answer) -> Report:
            return check_again(msgspec.structs.replace(answer, text=text))

        fixed = fix_answer(report, check_text, unsafe=options.unsafe_fixes)
        applied += fixed.applied
        changed += fixed.applied > 0
        if options.diff:
            emit_quoted("".join(unified_diff(item.answer.text, fixed.text, item.answer.name)))
        else:
            _write(item, fixed)
        after.append(report if options.diff else fixed.report)
    if not options.quiet:
        verb = "would apply" if options.diff else "applied"
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


def unified_diff(before: str, after: str, name: str) -> Iterator[str]:
    """The lines of the diff, each with its line break; none when nothing changed."""
    if before == after:
        return
    old, new = _split(before), _split(after)
    yield f"--- {name}\n"
    yield f"+++ {name}\n"
    if len(old) != len(new):
        from difflib import unified_diff as general_diff

        lines = list(general_diff(old, new, n=CONTEXT))[2:]
    else:
        # A fix replaces a marker inside its line, so lines pair up and no search for them is needed.
        lines = list(_paired(old, new))
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _split(text: str) -> list[str]:
    *lines, last = text.split("\n")
    return [*(f"{line}\n" for line in lines), *([last] if last else [])]


def _paired(old: list[str], new: list[str]) -> Iterator[str]:
    changed = [index for index, line in enumerate(old) if line != new[index]]
    for first, last in _hunks(changed):
        start, end = max(0, first - CONTEXT), min(len(old), last + CONTEXT + 1)
        yield f"@@ -{start + 1},{end - start} +{start + 1},{end - start} @@\n"
        index = start
        while index < end:
            run = index
            while run < end and old[run] != new[run]:
                run += 1
            yield from (f"-{line}" for line in old[index:run])
            yield from (f"+{line}" for line in new[index:run])
            if run < end:
                yield f" {old[run]}"
            index = run + 1


def _hunks(changed: list[int]) -> Iterator[tuple[int, int]]:
    """Runs of changed lines, joined where their context would touch."""
    first = last = changed[0]
    for index in changed[1:]:
        if index - last > 2 * CONTEXT:
            yield first, last
            first = index
        last = index
    yield first, last
