"""Lines, columns and findings: where in the answer something is, counted from 1 in code points."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any

from pincite.findings.catalogue import RULES
from pincite.reading import CitedTarget
from pincite.records import Finding, Match, Passage, Severity, SourceExcerpt


class Places:
    """Makes findings for one answer, each with its line and column."""

    def __init__(self, text: str) -> None:
        self._line_starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def finding(
        self, code: str, message: str, start: int, end: int, severity: Severity | None = None, **more: Any
    ) -> Finding:
        """One finding; `severity` only where it is not the one that the code usually has."""
        line = bisect_right(self._line_starts, start)
        return Finding(
            code=code,
            severity=severity or RULES[code].severity,
            message=message,
            start=start,
            end=end,
            line=line,
            column=start - self._line_starts[line - 1] + 1,
            **more,
        )

    def about(self, cited: CitedTarget, code: str, message: str, **more: Any) -> Finding:
        """A finding about one target, at its marker."""
        citation = cited.citation
        more.setdefault("targets", (cited.ordinal,))
        return self.finding(code, message, citation.start, citation.end, citation=citation.text, **more)


def excerpt_of(
    passage: Passage, start: int = 0, end: int | None = None, mark: str | None = None
) -> SourceExcerpt:
    """What a finding shows of a passage: `passage.text[start:end]` with its true offsets in the source."""
    end = len(passage.text) if end is None else end
    return SourceExcerpt(
        document=passage.document,
        page=passage.page,
        start=passage.start + start,
        end=passage.start + end,
        text=passage.text[start:end],
        mark=mark,
    )


def excerpt_at(match: Match) -> SourceExcerpt:
    """What a finding shows of a place."""
    return SourceExcerpt(match.document, match.page, match.start, match.end, match.text)
