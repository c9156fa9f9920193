"""Each finding as a compiler would show it: the answer's line, the source's passage, the fix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from pincite.config import Settings
from pincite.records import Finding, Report, SourceExcerpt, Usage
from pincite.reports.colour import Paint
from pincite.reports.concise import headline
from pincite.reports.display import fold_words, folded, safe
from pincite.reports.display import width as cell_width
from pincite.reports.excerpt import Lines, Mark, Shown, find_words, show, wrap
from pincite.reports.totals import count_lines, plural, usage_lines, verdict_line
from pincite.reports.wording import says_replacement, where

DEFAULT_WIDTH = 100
MOST_LINES = 3
"""Lines of the answer that are shown for a finding which spans several."""
REACH = 2000
"""How far round a finding its line and its passage are looked at."""
_UNCITED = ("PIN301", "PIN302")


def write_full(
    reports: Sequence[Report],
    settings: Settings,
    *,
    color: bool = False,
    width: int | None = None,
    quiet: bool = False,
    usage: Usage | None = None,
) -> str:
    paint = Paint(color)
    columns = max(width or DEFAULT_WIDTH, 40)
    blocks: list[str] = []
    folded_away = 0
    for report in reports:
        lines = Lines(report.answer.text)
        for finding in report.findings:
            if finding.code in _UNCITED and not settings.reporting.hallucination_details:
                folded_away += 1
                continue
            heading = "\n".join(_heading(report.answer.name, finding, paint, width))
            details = [
                *_details(finding, lines, settings, paint, columns),
                *_fix(finding, lines, paint, width),
            ]
            blocks.append("\n".join([heading, *details]))
    if folded_away:
        blocks.append(f"{plural(folded_away, 'claim')} without a citation, not listed")
    if not quiet:
        blocks.append("\n".join(_ending(reports, settings, paint, width, usage)))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _heading(name: str, finding: Finding, paint: Paint, columns: int | None) -> Iterator[str]:
    """One line, as `grep` likes it; on a terminal too narrow for that, the message stands below its place."""
    if columns is None or cell_width(headline(name, finding, Paint(False))) <= columns:
        yield headline(name, finding, paint)
        return
    yield headline(name, msgspec.structs.replace(finding, message=""), paint).rstrip()
    yield from (f"    {line}" for line in fold_words(safe(finding.message), columns - 4))


def _details(finding: Finding, lines: Lines, settings: Settings, paint: Paint, columns: int) -> Iterator[str]:
    gutter = _gutter(finding, lines)
    bar = paint(f"{'':>{gutter}} |", "faint")
    room = columns - gutter - 4
    yield bar
    for number, shown in _answer_lines(finding, lines, room):
        label = f"{number:>{gutter}} |" if number else f"{CONTINUED:>{gutter}} |"
        yield f"{paint(label, 'faint')} {shown.text}".rstrip()
        if shown.underline:
            yield f"{bar} {paint(shown.underline, finding.severity)}"
    if finding.source is not None and settings.reporting.detailed_span_analysis:
        yield f"{'':>{gutter}} {paint('=', 'faint')} {paint(safe(where(finding.source)), 'bold')}"
        for shown in _passage(finding.source, room - 2):
            yield f"{bar}   {shown.text}".rstrip()
            if shown.underline:
                yield f"{bar}   {paint(shown.underline, 'note')}"


CONTINUED = "..."


def _answer_lines(finding: Finding, lines: Lines, room: int) -> Iterator[tuple[int, Shown]]:
    first, _ = lines.place(finding.start)
    last, _ = lines.place(max(finding.start, finding.end - 1))
    for number in range(first, min(last, first + MOST_LINES - 1) + 1):
        start, end = lines.start(number), lines.end(number)
        # A line may be megabytes long and hold thousands of findings, so no finding looks at all of it.
        low = max(start, finding.start - REACH)
        high = min(end, low + 3 * REACH)
        text = lines.text[low:high]
        marks = [Mark(max(finding.start - low, 0), min(finding.end, high) - low)]
        if number == first:
            decided = find_words(finding.mark, text, marks[0].start) or find_words(finding.mark, text)
            if decided is not None and not marks[0].start <= decided.start < marks[0].end:
                marks.append(decided)
            elif decided is not None and finding.citation is None:
                marks.insert(0, decided)
        yield number, show(text, marks, room, more_before=low > start, more_after=high < end)
    if last >= first + MOST_LINES:
        yield 0, Shown(f"({plural(last - first - MOST_LINES + 1, 'more line')})", "")


def _passage(source: SourceExcerpt, room: int) -> list[Shown]:
    decided = find_words(source.mark, source.text)
    low = max(0, decided.start - REACH) if decided is not None else 0
    text = folded(source.text[low : low + 3 * REACH])
    mark = find_words(folded(source.mark or ""), text)
    return wrap(text, [mark] if mark else [], room)


def _fix(finding: Finding, lines: Lines, paint: Paint, columns: int | None) -> Iterator[str]:
    """On one line where there is room; otherwise folded, and then only what kind it is has a colour."""
    fix = finding.fix
    if fix is None:
        return
    indent = f"{'':>{_gutter(finding, lines)}} {paint('=', 'faint')} "
    kind, style = ("fix [safe]:", "safe") if fix.safe else ("suggestion:", "note")
    told, new = safe(fix.description), safe(fix.replacement)
    if says_replacement(fix):
        new = ""
    elif told:
        told += ": "
    plain, begin = f"{kind} {told}{new}", _gutter(finding, lines) + 3
    if columns is None or begin + cell_width(plain) <= columns:
        yield f"{indent}{paint(kind, style)} {told}{paint(new, 'new')}"
        return
    first, *more = fold_words(plain, columns - begin - 2)
    yield indent + paint(kind, style) + first.removeprefix(kind)
    yield from (f"{'':>{begin + 2}}{line}" for line in more)


def _gutter(finding: Finding, lines: Lines) -> int:
    return max(2, len(str(lines.place(finding.end)[0]))) + 1


def _ending(
    reports: Sequence[Report], settings: Settings, paint: Paint, columns: int | None, usage: Usage | None
) -> Iterator[str]:
    worst = {finding.severity for report in reports for finding in report.findings}
    style = next((severity for severity in ("error", "warning", "note") if severity in worst), "safe")
    yield paint(verdict_line(reports), style)
    for line in (*count_lines(reports, settings), *usage_lines(reports, usage)):
        first, *more = [line] if columns is None else fold_words(line, columns - 2)
        yield first
        yield from (f"  {part}" for part in more)
