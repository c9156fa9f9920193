"""Apply fixes, checked again, with nothing left to do on a second run. Unsafe ones only where asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from pincite.records import Finding, Fix, Report

ROUNDS = 8
"""A marker with several wrong targets is mended one target a round."""


class Fixed(Struct, frozen=True):
    """An answer's text after fixing, how many fixes it took, and the report on that text."""

    text: str
    applied: int
    report: Report


def apply_fixes(text: str, findings: Iterable[Finding]) -> str:
    """The text with every safe fix applied; of two that overlap, the first in the text wins."""
    return _apply(text, _fixes(findings))


def fix_answer(report: Report, check_again: Callable[[str], Report], unsafe: bool = False) -> Fixed:
    """Apply safe fixes until none is left, checking after each round.

    A round that does not lower the number of errors and malformed markers is taken back: a fix that does not
    help is not a fix. With `unsafe`, citations that surely fit are then added to uncited claims, one by one.
    """
    fixed = _fix_safely(report, check_again)
    if not unsafe:
        return fixed
    text, applied, report = fixed.text, fixed.applied, fixed.report
    refused: set[tuple[str, str]] = set()
    for _ in range(len(report.findings)):
        fix = next((one for one in _sure_fixes(report.findings) if _words(text, one) not in refused), None)
        if fix is None:
            break
        mended = _apply(text, [fix])
        after = check_again(mended)
        no_fewer = len(_sure_fixes(after.findings)) >= len(_sure_fixes(report.findings))
        if no_fewer or _wrongs(after) > _wrongs(report):
            refused.add(_words(text, fix))
            continue
        text, report, applied = mended, after, applied + 1
    return Fixed(text, applied, report)


def _sure_fixes(findings: Iterable[Finding]) -> list[Fix]:
    return [finding.fix for finding in findings if finding.fix is not None and finding.fix.sure]


def _words(text: str, fix: Fix) -> tuple[str, str]:
    """The fix by what it is about, wherever the text has moved to."""
    return text[max(0, fix.start - 200) : fix.start], fix.replacement


def _fix_safely(report: Report, check_again: Callable[[str], Report]) -> Fixed:
    text, applied = report.answer.text, 0
    for _ in range(ROUNDS):
        fixes = _fixes(report.findings)
        if not fixes:
            break
        mended = _apply(text, fixes)
        after = check_again(mended)
        if mended == text or _wrongs(after) >= _wrongs(report):
            break
        text, report, applied = mended, after, applied + len(fixes)
    return Fixed(text, applied, report)


def _fixes(findings: Iterable[Finding]) -> list[Fix]:
    fixes = [finding.fix for finding in findings if finding.fix is not None and finding.fix.safe]
    kept: list[Fix] = []
    for fix in sorted(fixes, key=lambda fix: (fix.start, fix.end)):
        if not kept or fix.start >= kept[-1].end:
            kept.append(fix)
    return kept


def _apply(text: str, fixes: list[Fix]) -> str:
    pieces, done = [], 0
    for fix in fixes:
        pieces += [text[done : fix.start], fix.replacement]
        done = fix.end
    return "".join([*pieces, text[done:]])


def _wrongs(report: Report) -> int:
    return sum(finding.severity == "error" or finding.code == "PIN401" for finding in report.findings)
