"""Apply fixes: only safe ones, checked again, and with nothing left to do on a second run."""

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
    return _apply(text, _safe_fixes(findings))


def fix_answer(report: Report, check_again: Callable[[str], Report]) -> Fixed:
    """Apply safe fixes until none is left, checking after each round.

    A round that does not lower the number of errors and malformed markers is taken back: a fix that does not
    help is not a fix.
    """
    text, applied = report.answer.text, 0
    for _ in range(ROUNDS):
        fixes = _safe_fixes(report.findings)
        if not fixes:
            break
        mended = _apply(text, fixes)
        after = check_again(mended)
        if mended == text or _wrongs(after) >= _wrongs(report):
            break
        text, report, applied = mended, after, applied + len(fixes)
    return Fixed(text, applied, report)


def _safe_fixes(findings: Iterable[Finding]) -> list[Fix]:
    fixes = sorted(
        (finding.fix for finding in findings if finding.fix is not None and finding.fix.safe),
        key=lambda fix: (fix.start, fix.end),
    )
    kept: list[Fix] = []
    for fix in fixes:
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
