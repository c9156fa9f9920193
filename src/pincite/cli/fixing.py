"""`--fix` and `--diff`: safe fixes only, written whole or not at all."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from pincite.answers.read import STDIN, Loaded, encoded_like
from pincite.cli.diffs import unified_diff
from pincite.cli.output import emit, is_terminal, may_be_ci_log, note, write_file
from pincite.errors import InputError
from pincite.findings.fix import Fixed, fix_answer
from pincite.records import Report
from pincite.reports.display import safe
from pincite.text.log_commands import break_commands

if TYPE_CHECKING:
    from pincite.cli.checking import Plan


def refuse_impossible(wanted: bool, provider: str | None, unsafe: bool = False) -> None:
    if unsafe and not wanted:
        raise InputError("--unsafe-fixes needs --fix or --diff")
    if wanted and provider is not None:
        raise InputError("--fix and --diff rewrite an answer's own markers; a provider's response has none")


def refuse_records(loaded: Sequence[Loaded]) -> None:
    """Only a text file or standard input can be rewritten."""
    for item in loaded:
        if item.path is None and item.answer.name != STDIN:
            raise InputError(
                f"{item.answer.name}: --fix and --diff rewrite text files, not answers inside JSON"
            )


def with_text(item: Loaded, text: str) -> Loaded:
    return msgspec.structs.replace(item, answer=msgspec.structs.replace(item.answer, text=text))


def fix_all(
    loaded: Sequence[Loaded],
    reports: Sequence[Report],
    check_again: Callable[[Loaded, str], Report],
    plan: Plan,
) -> list[Report]:
    """Write (or show) every answer's safe fixes; the reports on what the answers say then."""
    after = []
    applied = changed = 0
    for item, report in zip(loaded, reports, strict=True):
        fixed = fix_answer(
            report,
            lambda text, item=item: check_again(item, text),  # type: ignore[misc]
            unsafe=plan.unsafe_fixes,
        )
        applied += fixed.applied
        changed += fixed.applied > 0
        if plan.diff:
            _show(item, fixed)
        else:
            _write(item, fixed)
        after.append(report if plan.diff else fixed.report)
    if not plan.quiet:
        fixes = f"{applied} fix{'' if applied == 1 else 'es'}"
        answers = f"{changed} answer{'' if changed == 1 else 's'}"
        note(f"{'would apply' if plan.diff else 'applied'} {fixes} in {answers}")
    return after


def _write(item: Loaded, fixed: Fixed) -> None:
    if item.path is None:
        # Standard input has no file to rewrite: the text goes on, changed or not, so that pipes work.
        emit(fixed.text, sys.stdout)
    elif fixed.applied:
        if item.path.read_bytes() != item.raw:
            raise InputError(
                f"{item.path}: changed while it was being checked; nothing was written, run it again"
            )
        write_file(item.path, encoded_like(fixed.text, item.raw))


def _show(item: Loaded, fixed: Fixed) -> None:
    lines = unified_diff(item.answer.text, fixed.text, item.answer.name)
    if is_terminal(sys.stdout):
        lines = (safe(line.rstrip("\n")) + "\n" for line in lines)
    elif may_be_ci_log(sys.stdout):
        # A line that only stands beside a change begins with a blank, so that GitHub would obey it.
        lines = (break_commands(line) for line in lines)
    emit("".join(lines), sys.stdout)
