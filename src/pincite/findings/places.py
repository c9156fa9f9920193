"""Lines, columns and findings: where in the answer something stands, counted from 1 in code points."""

from __future__ import annotations

from bisect import bisect_right

from pincite.findings.catalogue import RULES
from pincite.records import Finding, Fix, Passage, Severity, SourceExcerpt, Span


class Places:
    """Makes findings for one answer, each with its line and column."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line_starts = [0]
        offset = text.find("\n")
        while offset >= 0:
            self._line_starts.append(offset + 1)
            offset = text.find("\n", offset + 1)

    def line_and_column(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def finding(
        self,
        code: str,
        message: str,
        start: int,
        end: int,
        *,
        citation: str | None = None,
        source: SourceExcerpt | None = None,
        fix: Fix | None = None,
        targets: tuple[int, ...] = (),
        mark: str | None = None,
        severity: Severity | None = None,
        claim: Span | None = None,
    ) -> Finding:
        """One finding; `severity` only where it is not the one that the code usually has."""
        line, column = self.line_and_column(start)
        return Finding(
            code=code,
            severity=severity or RULES[code].severity,
            message=message,
            start=start,
            end=end,
            line=line,
            column=column,
            citation=citation,
            source=source,
            fix=fix,
            targets=targets,
            mark=mark,
            claim=claim,
        )


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
