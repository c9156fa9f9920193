"""Findings for people on a terminal: in full, as a compiler would show them, or in one line each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from pincite.config import Settings
from pincite.findings import is_explained
from pincite.records import Explanation, Finding, Report, SourceExcerpt
from pincite.reports.display import (
    Paint,
    cells_width,
    fold_words,
    folded,
    plural,
    safe,
    says_replacement,
    where,
)
from pincite.reports.display import width as cell_width
from pincite.reports.findings.excerpt import CUT, ExcerptLines, Mark, ShownPassage, find_words, show, wrap
from pincite.reports.findings.summary import (
    Presentation,
    count_lines,
    skipped_lines,
    unjudged_lines,
    unread_lines,
    usage_lines,
    verdict_level,
    verdict_line,
)


def write_concise(reports: Sequence[Report], how: Presentation) -> str:
    paint = Paint(how.color)
    lines = [
        headline(report.answer.name, finding, paint) for report in reports for finding in report.findings
    ]
    if not how.quiet:
        lines += unread_lines(reports, how.settings)
        lines += usage_lines(reports, how.usage)
        lines.append(f"{verdict_line(reports)}; {count_lines(reports, how.settings)[0]}")
        lines += unjudged_lines(reports)
        lines += skipped_lines(reports)
    return "".join(f"{line}\n" for line in lines)


def headline(name: str, finding: Finding, paint: Paint) -> str:
    """`answer.md:3:42 PIN203 12% in the claim, 21% in the source`."""
    place = paint(f"{safe(name)}:{finding.line}:{finding.column}", "bold")
    kind = "" if finding.severity == "error" else f" {paint(f'[{finding.severity}]', finding.severity)}"
    can_fix = paint(" [*]", "safe") if finding.fix is not None and finding.fix.safe else ""
    return f"{place} {paint(finding.code, finding.severity)}{kind}{can_fix} {safe(finding.message)}"


DEFAULT_WIDTH = 100
MOST_ROWS = 40
"""Rows of the answer that are shown for a finding: some 1,200 characters on a narrow terminal."""
MOST_QUOTED = 600
"""Characters of a passage in an explanation."""
REACH = 2000
"""How far round a finding its line and its passage are looked at."""
_LIST_MARK = re.compile(r"[\s>]*+(?:[-*+•#]{1,6}|\d{1,3}[.)])?+\s*+")
_UNCITED = ("PIN301", "PIN302")


def write_full(reports: Sequence[Report], how: Presentation) -> str:
    paint, width, settings = Paint(how.color), how.width, how.settings
    columns = max(width or DEFAULT_WIDTH, 40)
    blocks: list[str] = []
    folded_away = 0
    for report in reports:
        lines = ExcerptLines(report.answer.text)
        listed = [(finding, False) for finding in report.findings]
        listed += [(finding, True) for finding in report.doubtful if is_explained(finding)]
        for finding, doubtful in listed:
            if finding.code in _UNCITED and not settings.reporting.hallucination_details and not doubtful:
                folded_away += 1
                continue
            block = [
                *_heading(report.answer.name, finding, paint, width),
                *_shown_finding(finding, lines, settings, paint, columns),
                *(() if doubtful else _fix(finding, lines, paint, width)),
                *_explained(finding, lines, paint, columns),
            ]
            blocks.append("\n".join(block))
    if folded_away:
        blocks.append(f"{plural(folded_away, 'claim')} without a citation, not listed")
    if not how.quiet:
        blocks.append("\n".join(_ending(reports, how, paint)))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _heading(name: str, finding: Finding, paint: Paint, columns: int | None) -> Iterator[str]:
    """One line, as `grep` likes it; on a terminal too narrow for that, the message is below its place."""
    if columns is None or cell_width(headline(name, finding, Paint(False))) <= columns:
        yield headline(name, finding, paint)
        return
    yield headline(name, msgspec.structs.replace(finding, message=""), paint).rstrip()
    yield from (f"    {line}" for line in fold_words(safe(finding.message), columns - 4))


def _shown_finding(
    finding: Finding, lines: ExcerptLines, settings: Settings, paint: Paint, columns: int
) -> Iterator[str]:
    gutter = _gutter(finding, lines)
    bar = paint(f"{'':>{gutter}} |", "faint")
    room = columns - gutter - 4
    yield bar
    for number, shown in _answer_lines(finding, lines, room):
        label = f"{number:>{gutter}} |"
        yield f"{paint(label, 'faint')} {shown.text}".rstrip()
        if shown.underline:
            yield f"{bar} {paint(shown.underline, finding.severity)}"
    if finding.source is not None and settings.reporting.detailed_span_analysis:
        yield f"{'':>{gutter}} {paint('=', 'faint')} {paint(safe(where(finding.source)), 'bold')}"
        for shown in _passage(finding.source, room - 2):
            yield f"{bar}   {shown.text}".rstrip()
            if shown.underline:
                yield f"{bar}   {paint(shown.underline, 'note')}"


def _answer_lines(finding: Finding, lines: ExcerptLines, room: int) -> Iterator[tuple[str, ShownPassage]]:
    """The claim that was judged, all of it; each row with the number of its line, if it begins one.

    For a marker without a claim, its line is shown, cropped around it.
    """
    low, high = _region(finding, lines)
    cropped = finding.claim is None and finding.citation is not None
    marks = _marks(finding, lines.text[low:high], low)
    first, last = lines.place(low)[0], lines.place(max(low, high - 1))[0]
    left = MOST_ROWS
    for number in range(first, last + 1):
        if left <= 0:
            yield "...", ShownPassage(f"({plural(last - number + 1, 'more line')})", "")
            return
        start, end = lines.start(number), lines.end(number)
        if end - start <= room - 2 and cells_width(lines.text[start:end]) <= room - 2:
            rows = [show(lines.text[start:end], _moved(marks, start, end), room)]
        else:
            most = 1 if cropped else left
            rows = _wrapped(lines.text, start, end, max(low, start), min(high, end), marks, room, most)
        for row, shown in enumerate(rows):
            yield ("" if row else str(number)), shown
        left -= len(rows)


def _region(finding: Finding, lines: ExcerptLines) -> tuple[int, int]:
    """From where to where the answer is shown: the claim and its marker, or the lines of the finding.

    A line may be megabytes long and hold thousands of findings, so no finding looks at all of it.
    """
    low, high = finding.start, finding.end
    if finding.claim is not None:
        together = min(low, finding.claim.start), max(high, finding.claim.end)
        if together[1] - together[0] <= 3 * REACH:
            return together
    if finding.claim is not None or finding.citation is not None:
        low = max(lines.start(lines.place(low)[0]), low - REACH)
        high = lines.end(lines.place(max(finding.start, high - 1))[0])
    return low, min(high, low + 3 * REACH)


def _marks(finding: Finding, text: str, low: int) -> list[Mark]:
    """The finding's place, and the words that decided; the one that should be seen first comes first."""
    start = finding.start - low
    marks = [Mark(finding.start, finding.end)]
    decided = find_words(finding.mark, text, start) or find_words(finding.mark, text)
    if decided is not None:
        words = Mark(low + decided.start, low + decided.end, decided.sign)
        if not finding.start <= words.start < finding.end:
            marks.append(words)
        elif finding.citation is None:
            marks.insert(0, words)
    return marks


def _moved(marks: Sequence[Mark], start: int, end: int) -> list[Mark]:
    """The marks that lie in `[start, end]`, counted from `start`."""
    return [
        Mark(max(mark.start, start) - start, min(mark.end, end) - start, mark.sign)
        for mark in marks
        if mark.start <= end and (mark.end > start or mark.start >= start)
    ]


def _wrapped(
    text: str, start: int, end: int, low: int, high: int, marks: Sequence[Mark], room: int, most: int
) -> list[ShownPassage]:
    """The part `[low, high)` of the line `[start, end)` over several rows; `…` where the line continues."""
    if low - start <= 12 and _LIST_MARK.fullmatch(text, start, low):
        low = start
    before, after = low > start, text[high : min(end, high + 40)].strip() != ""
    shift = 2 if before else 0
    piece = f"{f'{CUT} ' if before else ''}{text[low:high]}{f' {CUT}' if after else ''}"
    inside = [Mark(m.start + shift, m.end + shift, m.sign) for m in _moved(marks, low, high)]
    return wrap(piece, inside, room, most)


def _passage(source: SourceExcerpt, room: int) -> list[ShownPassage]:
    decided = find_words(source.mark, source.text)
    low = max(0, decided.start - REACH) if decided is not None else 0
    text = folded(source.text[low : low + 3 * REACH])
    mark = find_words(folded(source.mark or ""), text)
    return wrap(text, [mark] if mark else [], room)


def _fix(finding: Finding, lines: ExcerptLines, paint: Paint, columns: int | None) -> Iterator[str]:
    fix = finding.fix
    if fix is None:
        return
    kind, style = ("fix [safe]:", "safe") if fix.safe else ("suggestion:", "note")
    told = safe(fix.description)
    if not says_replacement(fix):
        told += f"{': ' if told else ''}{safe(fix.replacement)}"
    gutter = _gutter(finding, lines)
    plain = f"{kind} {told}"
    fits = columns is None or gutter + 3 + cell_width(plain) <= columns
    first, *more = [plain] if columns is None or fits else fold_words(plain, columns - gutter - 5)
    yield f"{'':>{gutter}} {paint('=', 'faint')} {paint(kind, style)}{first.removeprefix(kind)}"
    yield from (f"{'':>{gutter + 5}}{line}" for line in more)


def _gutter(finding: Finding, lines: ExcerptLines) -> int:
    return max(2, len(str(lines.place(_region(finding, lines)[1])[0]))) + 1


def _ending(reports: Sequence[Report], how: Presentation, paint: Paint) -> Iterator[str]:
    worst = {finding.severity for report in reports for finding in report.findings}
    style = next((severity for severity in ("error", "warning", "note") if severity in worst), "safe")
    yield paint(verdict_line(reports), style)
    for line in (*count_lines(reports, how.settings), *usage_lines(reports, how.usage)):
        first, *more = [line] if how.width is None else fold_words(line, how.width - 2)
        yield first
        yield from (f"  {part}" for part in more)


# --- how a judge came to its verdict -------------------------------------------------------------


def _explained(finding: Finding, lines: ExcerptLines, paint: Paint, columns: int) -> Iterator[str]:
    """How the judge came to its verdict, where that was asked for."""
    if finding.explanation is None or not is_explained(finding):
        return
    gutter = _gutter(finding, lines)
    for depth, line in _explanation(finding.explanation):
        begin = gutter + 3 + 2 * depth
        mark = paint("|" if depth else "=", "faint")
        first, *more = fold_words(safe(line), max(columns - begin - 2, 20))
        yield f"{'':>{gutter}} {mark} {'':>{2 * depth}}{first}".rstrip()
        for part in more:
            yield f"{'':>{gutter}} {paint('|', 'faint')} {'':>{2 * depth + 2}}{part}".rstrip()


def _explanation(found: Explanation) -> Iterator[tuple[int, str]]:
    """Each line with its indentation: what was shown, each stage's number, what was noticed."""
    verdict = found.verdict
    yield 0, f"asked: {found.pair.claim}"
    yield 0, f"shown to {verdict.judge or 'the judge'}:"
    for number, passage in enumerate(found.pair.passages, 1):
        page = f", page {passage.page}" if passage.page is not None else ""
        name = passage.document or "a text without a name"
        yield 1, f"{number}. {name}{page}, characters {passage.start}–{passage.end}"
        yield 2, _shortened(passage.text)
        if passage.context:
            yield 2, f"read with: {_shortened(passage.context)}"
    score = "" if verdict.score is None else f" with a score of {verdict.score:.2f}"
    yield 0, f"verdict: {verdict.outcome.replace('_', ' ')}{score}, {verdict_level(verdict)}"
    if found.trace is None:
        return
    yield 0, "scores:"
    for stage in found.trace.stages:
        value = "–" if stage.score is None else f"{stage.score:.2f}"
        yield 1, f"{value}  {stage.name}" + (f" ({stage.note})" if stage.note else "")
    yield 0, "seen:" if found.trace.observations else "seen: nothing to note"
    for seen in found.trace.observations:
        yield 1, seen


def _shortened(text: str) -> str:
    line = " ".join(text[: 4 * MOST_QUOTED].split())
    return line if len(line) <= MOST_QUOTED else line[: MOST_QUOTED - 1] + "…"
