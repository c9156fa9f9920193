"""Every code that Pincite reports: its name, its severity, what it means, and how a judge came to it.

The long explanations, with an example each, live in `explanations.md` beside this file and are read only when
one is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from pincite.base import did_you_mean
from pincite.errors import InputError
from pincite.records import Finding, Report, Severity

if TYPE_CHECKING:
    from pincite.judges import Judge


class Rule(Struct, frozen=True):
    """One kind of finding."""

    code: str
    name: str
    severity: Severity
    summary: str

    @property
    def explanation(self) -> str:
        """Markdown for a person: what it means, why it matters, what to do, an example."""
        return _explanations()[self.code]


_ROWS: tuple[tuple[str, str, Severity, str], ...] = (
    ("PIN101", "unknown-document", "error", "The cited document is not among the sources."),
    ("PIN102", "ambiguous-document", "error", "The cited name matches more than one source."),
    ("PIN103", "no-such-page", "error", "The cited page does not exist in the document."),
    ("PIN104", "page-and-offsets-disagree", "error", "The cited characters are on another page."),
    ("PIN105", "out-of-bounds", "error", "The cited span runs past the end of the text."),
    ("PIN106", "bad-span", "error", "The cited span is reversed or empty."),
    ("PIN107", "path-not-found", "error", "The cited path points to no value in the data."),
    ("PIN108", "missing-reference", "error", "The cited number or work has no entry to point to."),
    ("PIN109", "unreadable-source", "error", "The cited source was given but cannot be read."),
    ("PIN110", "no-such-section", "note", "The document has no such heading; the whole document was used."),
    ("PIN111", "page-unverified", "note", "The source has no pages, so the cited page cannot be checked."),
    ("PIN201", "not-supported", "error", "The cited text does not state the claim."),
    ("PIN202", "contradicted", "error", "The cited text says the opposite of the claim."),
    ("PIN203", "number-differs", "error", "A number in the claim differs from the one in the cited text."),
    ("PIN204", "quote-not-found", "error", "The quoted words are not in the cited source."),
    ("PIN205", "wrong-location", "error", "The quote, or the support for the claim, is somewhere else."),
    ("PIN206", "unjudged", "note", "Whether the citation supports the claim could not be judged."),
    ("PIN301", "uncited-claim", "warning", "A claim has no citation, and no source was found to support it."),
    ("PIN302", "uncited-but-supported", "note", "A claim has no citation, though a source supports it."),
    ("PIN401", "malformed", "warning", "This looks like a citation but cannot be parsed."),
    ("PIN402", "unused-reference", "warning", "An entry in the reference list is never cited."),
)

RULES: dict[str, Rule] = {row[0]: Rule(*row) for row in _ROWS}


def explain(code: str) -> Rule:
    """The rule of that code (`PIN203`, `pin203`, `203` or `number-differs`)."""
    wanted = code.strip()
    for rule in RULES.values():
        if wanted.upper() in (rule.code, rule.code.removeprefix("PIN")) or wanted.lower() == rule.name:
            return rule
    # Of codes any is near any other; a mistyped name says what was meant.
    hint = did_you_mean(wanted, (rule.name for rule in RULES.values()), "; `pincite explain` lists them all")
    raise InputError(f"there is no code {code!r:.60}{hint}")


def require_known_codes(given: Iterable[str]) -> None:
    """A code or a group that no rule has is an error: it would silently select nothing."""
    for code in given:
        if not any(known.startswith(code) for known in RULES):
            raise InputError(f"there is no code {code}; `pincite explain` lists them all")


def explanations_text() -> str:
    """All explanations as one Markdown page."""
    return files("pincite.findings").joinpath("explanations.md").read_text(encoding="utf-8")


@cache
def _explanations() -> dict[str, str]:
    """Code → its section of `explanations.md`, without the heading."""
    sections = explanations_text().split("\n## ")[1:]
    return {section[:6]: section.partition("\n")[2].strip() for section in sections}


# --- the judge's way to its verdict -----------------------------------------------------------------

_PLACE = re.compile(r"(?:(?P<file>.+):)?(?P<line>\d+):(?P<column>\d+)|(?P<only>\d+)")


def require_known_finding(which: str) -> None:
    """What names neither a place nor a code is refused before anything is checked."""
    if _PLACE.fullmatch(which) is None and which.lower() not in {rule.name for rule in RULES.values()}:
        require_known_codes((which.upper(),))


def explain_findings(report: Report, judge: Judge, which: str | None = None) -> Report:
    """The report with a trace in the explanation of its findings, and of what it found doubtful.

    `which` keeps to some of them: a code or the beginning of one (`PIN203`, `PIN2`), a code's name, a line
    (`3`), or a place as findings are printed with it (`3:42`, `answer.md:3:42`).
    """
    from pincite.judges import trace_verdict

    def explained(finding: Finding) -> Finding:
        found = finding.explanation
        if found is None or (which is not None and not _is_meant(finding, report.answer.name, which)):
            return finding
        traced = structs.replace(found, trace=trace_verdict(judge, found.pair, found.verdict))
        return structs.replace(finding, explanation=traced)

    findings, doubtful = map(explained, report.findings), map(explained, report.doubtful)
    return structs.replace(report, findings=tuple(findings), doubtful=tuple(doubtful))


def is_explained(finding: Finding) -> bool:
    return finding.explanation is not None and finding.explanation.trace is not None


def _is_meant(finding: Finding, name: str, which: str) -> bool:
    place = _PLACE.fullmatch(which)
    if place is None:
        return finding.code.startswith(which.upper()) or RULES[finding.code].name == which.lower()
    if place["only"] is not None:
        return finding.line == int(place["only"])
    here = place["file"] is None or place["file"] == name
    return here and (finding.line, finding.column) == (int(place["line"]), int(place["column"]))
