"""What the rules have in common: the reading they look at, and findings with their line and column.

Lines and columns are counted from 1 in code points.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

from pincite.findings.catalogue import RULES
from pincite.reading import Assessment, CitedTarget, Reading, Tell, Verdicts
from pincite.records import Finding, Match, Pair, Passage, Severity, SourceExcerpt


class CheckContext:
    """What the rules share about the answer that they look at."""

    def __init__(self, reading: Reading, tell: Tell | None = None) -> None:
        self.reading = reading
        self.tell = tell
        self.located: dict[tuple[str, str], list[Match]] = {}
        """Where a source speaks of a claim, by claim and source: many markers may ask the same."""
        text = reading.answer.text
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


class Check:
    """One thing to look for in an answer. It is made for one answer, and asks before it tells."""

    def __init__(self, context: CheckContext) -> None:
        self.context = context
        self.reading = context.reading

    def questions(self) -> Iterable[Pair]:
        """What the judge is to be asked."""
        return ()

    def remedies(self, verdicts: Verdicts) -> Iterable[Pair]:
        """What it is to be asked next, about what failed: whether something else would do."""
        return ()

    def findings(self, assessment: Assessment, verdicts: Verdicts) -> Iterable[Finding]:
        """What is wrong, once everything is judged."""
        raise NotImplementedError


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
