"""Reports made by hand, so that each format is tested on its own."""

from __future__ import annotations

from typing import Any

from pincite.findings.report import count
from pincite.records import Answer, Finding, Fix, Report, Severity, SourceExcerpt, Span, Summary, UnreadSource

ANSWER = (
    "# Results\n"
    "\n"
    "Revenue rose by 12% in the first quarter [report.txt:0-41]. Staff stayed the same.\n"
    "The 本社 moved to 東京 [report.txt:900-950].\n"
)


def make_finding(
    text: str,
    marker: str,
    code: str,
    message: str,
    severity: Severity = "error",
    *,
    source: SourceExcerpt | None = None,
    fix: Fix | None = None,
    mark: str | None = None,
    is_citation: bool = True,
    claim: str | None = None,
    targets: tuple[int, ...] = (),
) -> Finding:
    """A finding on the first place where `marker` stands in `text`."""
    start = text.index(marker)
    line = text.count("\n", 0, start) + 1
    return Finding(
        code=code,
        severity=severity,
        message=message,
        start=start,
        end=start + len(marker),
        line=line,
        column=start - (text.rfind("\n", 0, start) + 1) + 1,
        citation=marker if is_citation else None,
        source=source,
        fix=fix,
        targets=targets,
        mark=mark,
        claim=Span(text.index(claim), text.index(claim) + len(claim)) if claim is not None else None,
    )


def make_report(
    text: str = ANSWER,
    findings: tuple[Finding, ...] = (),
    name: str = "answer.md",
    unread: tuple[UnreadSource, ...] = (),
    **counts: Any,
) -> Report:
    summary = Summary(judge="rules/1", sources_failed=len(unread), **counts)
    return Report(Answer(text=text, name=name), findings, count(summary, findings), unread)


def sample_report(name: str = "answer.md") -> Report:
    """Two errors, one with a safe fix, a warning, and a source that could not be read."""
    number = make_finding(
        ANSWER,
        "[report.txt:0-41]",
        "PIN203",
        "12% in the claim, 21% in the source",
        source=SourceExcerpt("report.txt", None, 0, 41, "Revenue rose by 21% in the first quarter.", "21%"),
        mark="12%",
        claim="Revenue rose by 12% in the first quarter [report.txt:0-41].",
        targets=(0,),
    )
    wide = "[report.txt:900-950]"
    start = ANSWER.index(wide)
    bounds = make_finding(
        ANSWER,
        wide,
        "PIN105",
        "report.txt has 120 characters; 900-950 was cited",
        fix=Fix(start, start + len(wide), "[report.txt:90-95]", True, "cite the place where it stands"),
        targets=(1,),
    )
    uncited = make_finding(
        ANSWER, "Staff stayed the same.", "PIN301", "no citation", "warning", is_citation=False
    )
    unread = (UnreadSource("scan.pdf", "no text: it seems to be scanned"),)
    return make_report(
        ANSWER, (number, uncited, bounds), name, unread, citations=2, targets=2, claims=3, judged=1
    )


HOSTILE = (
    "</script><b>x</b> | a | `code` ``` \x1b[31mred\x1b[0m ::error file=x::boom ]]> "
    "&amp; \u202egnp.exe\u202c \x00\x07 "
    "[link](https://evil.example) ![i](http://e.example/x.png) @someone $x$ <!-- c --> \u2028 %0A \ud800 "
    "www.evil.example *bold* _it_ # h\r\n::warning::second line\n```\n"
)


def hostile_report() -> Report:
    """Every text from outside is hostile: the answer, its name, messages, passages, fixes, sources."""
    text = f"First {HOSTILE}[1] end\n"
    fix = Fix(0, 5, HOSTILE, True, HOSTILE)
    finding = make_finding(
        text, "[1]", "PIN201", HOSTILE, source=SourceExcerpt(HOSTILE, 1, 0, 9, HOSTILE, "code"), fix=fix
    )
    finding = Finding(
        **{
            **{name: getattr(finding, name) for name in finding.__struct_fields__},
            "citation": HOSTILE,
            "mark": "link",
        }
    )
    return make_report(
        text,
        (finding,),
        f"a{HOSTILE}.md",
        (UnreadSource(HOSTILE, HOSTILE),),
        citations=1,
        targets=1,
        claims=1,
    )
