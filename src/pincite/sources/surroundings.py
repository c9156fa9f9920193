"""What belongs to a passage without being part of it, and which parts of a source are never evidence.

A reader of a sentence knows the headings above it, the line that opens its list, and the question that it
answers. None of these is evidence alone: a heading names a thing, and a question claims nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from msgspec import Struct

from pincite.records import Source, Span
from pincite.sources.memo import per_object
from pincite.text import comment_spans, front_matter_end, merge, trimmed

MOST_HEADINGS = 3
"""The nearest headings are given, each with those above it."""
MOST_MARKED = 50_000
"""Of a text with more headings than this, such as a log full of `#`, only the first are known."""
LONGEST_PART = 200
REACH = 4_000
"""How many characters above a passage the opening of its list or its question may be."""
_MOST_LINES = 100
_ANSWER_LINES = 6
"""A question belongs to so many lines of its answer."""

_MARKED = ("markdown", "text")
"""Kinds whose text shows its own headings."""
_STRUCTURE = re.compile(
    r"^(?:[ ]{0,3}(?P<fence>```|~~~)"
    r"|[ ]{0,3}(?P<atx>\#{1,6})[ \t]++(?P<title>[^\n]*+)"
    r"|(?P<bold>\*\*[^*\n]{1,150}+\*\*:?+)[ \t\r]*+$"
    r"|(?P<under>={3,}+|-{3,}+)[ \t\r]*+$)",
    re.MULTILINE,
)
_LINK = r"\[[^\[\]\n]{1,200}+\]\([^()\s]{1,500}+\)"
_LINKS_ONLY = re.compile(
    rf"^[ \t]*+(?:(?:[-*+•]|\d{{1,3}}[.)])[ \t]++)?+(?P<first>{_LINK})"
    rf"(?P<more>(?:[ \t]*+[|·•>/»›→←–—-]*+[ \t]*+{_LINK})*+)[ \t|]*+\r?$",
    re.MULTILINE,
)
_FEWEST_ENTRIES = 3
"""So many lines in a row that are a link into the same site and nothing else are a menu."""

_BULLET = re.compile(r"([ \t]*+)(?:[-*+•‣◦▪●–]|\(?(?:\d{1,3}|[a-z])[.)])[ \t]++(?=\S)")
_EDGES = " \t\r\n#*_>`"


class SourceHeading(Struct, frozen=True, gc=False):
    """A heading of a source, its marks included."""

    start: int
    end: int
    level: int
    """1 to 6; 7 for a bold line, which is below all others."""


class _Marks:
    """The headings of a source and the parts that are never evidence, found once."""

    def __init__(self, source: Source) -> None:
        text = source.text
        no_evidence = list(source.navigation)
        self.headings = [SourceHeading(span.start, span.end, 1) for span in source.headings]
        if source.kind in _MARKED:
            no_evidence += [Span(0, front_matter_end(text)), *comment_spans(text), *_menus(text)]
        self.no_evidence = merge(no_evidence)
        if source.kind in _MARKED:
            self.headings = _find_headings(text, self.no_evidence)
        self.starts = [heading.start for heading in self.headings]

    def heading_at(self, offset: int) -> SourceHeading | None:
        """The heading that holds this character."""
        place = bisect_right(self.starts, offset) - 1
        return self.headings[place] if place >= 0 and offset < self.headings[place].end else None

    def skips(self, offset: int) -> bool:
        """Whether this character is in a part that is never evidence."""
        return any(True for _ in _between(self.no_evidence, Span(offset, offset + 1)))


_marks = per_object(_Marks)


def context_above(source: Source, start: int, end: int) -> str:
    """The headings above a passage, outermost first, then what opens its list or the question it answers."""
    if start <= 0 or source.kind in ("csv", "json") or end <= start:
        return ""
    marks = _marks(source)
    if marks.heading_at(start) is not None:
        return ""
    headings = _headings_above(marks, source.text, start)
    lead = _lead_in(source.text, start, marks) or _question(source.text, start, marks)
    return "\n".join(part for part in (" > ".join(headings), lead) if part)


def headings_of(source: Source) -> list[SourceHeading]:
    """The headings of a source in order."""
    return _marks(source).headings


def heading_above(source: Source, offset: int) -> str | None:
    """The nearest heading above a character, without its marks; None where there is none."""
    marks = _marks(source)
    place = bisect_right(marks.starts, offset) - 1
    if place < 0:
        return None
    heading = marks.headings[place]
    return _short(source.text[heading.start : heading.end]) or None


def has_no_evidence(source: Source) -> bool:
    """Whether any part of a source is never evidence."""
    return bool(_marks(source).no_evidence)


def evidence_in(source: Source, span: Span) -> list[Span]:
    """A stretch of a source without its front matter, comments and navigation."""
    parts = []
    start = span.start
    for gap in _between(_marks(source).no_evidence, span):
        if gap.start > start:
            parts.append(Span(start, gap.start))
        start = max(start, gap.end)
    if start < span.end:
        parts.append(Span(start, span.end))
    return parts if parts == [span] else trimmed(parts, source.text)


def is_label(source: Source, span: Span) -> bool:
    """Whether a sentence only names or asks: a heading, or a question."""
    words = span.of(source.text).rstrip(_EDGES)
    return words.endswith("?") or _marks(source).heading_at(span.start) is not None


# --- headings --------------------------------------------------------------------------------------


def _headings_above(marks: _Marks, text: str, start: int) -> list[str]:
    titles: list[str] = []
    level = 8
    place = bisect_right(marks.starts, start) - 1
    # A text whose headings are all of one level has no path, and is not searched to its beginning for one.
    for heading in marks.headings[max(0, place - _MOST_LINES) : place + 1][::-1]:
        if heading.level >= level:
            continue
        level = heading.level
        titles.append(_short(text[heading.start : heading.end]))
        if level == 1 or len(titles) == MOST_HEADINGS:
            break
    return [title for title in reversed(titles) if title]


def _find_headings(text: str, no_evidence: list[Span]) -> list[SourceHeading]:
    found: list[SourceHeading] = []
    fence = ""
    skipped = [span.start for span in no_evidence]
    for match in _STRUCTURE.finditer(text):
        if match["fence"]:
            fence = "" if fence == match["fence"] else fence or match["fence"]
            continue
        inside = bisect_right(skipped, match.start()) - 1
        if fence or (inside >= 0 and match.start() < no_evidence[inside].end):
            continue
        if match["atx"]:
            found.append(SourceHeading(match.start(), match.end(), len(match["atx"])))
        elif match["bold"]:
            if text[match.end("bold") - 3] not in ".!":
                found.append(SourceHeading(match.start(), match.end("bold"), 7))
        else:
            above = _underlined(text, match.start())
            if above is not None:
                found.append(SourceHeading(above.start, above.end, 1 if match["under"][0] == "=" else 2))
        if len(found) >= MOST_MARKED:
            break
    return found


def _underlined(text: str, line: int) -> Span | None:
    """The short line above an underline, where a blank line or nothing is above it."""
    end = line - 1
    start = text.rfind("\n", max(0, end - 130), max(0, end)) + 1
    title = text[start:end].strip()
    if end <= 0 or not title or len(title) > 120 or title[-1] in ".!:;|" or title[0] in "-*+|>#":
        return None
    above = text[max(0, start - 2) : start]
    return Span(start, end) if start == 0 or (not above.strip() and above.count("\n") == 2) else None


# --- the opening of a list, and the question of an answer --------------------------------------------


def _lines_above(text: str, start: int) -> Iterator[Span]:
    """The lines above the one that holds `start`, the nearest first."""
    floor = max(0, start - REACH)
    end = text.rfind("\n", floor, start)
    for _ in range(_MOST_LINES):
        if end < 0:
            return
        begin = text.rfind("\n", floor, end) + 1
        if begin == 0 and floor > 0:
            return
        yield Span(begin, end)
        end = begin - 1


def _lead_in(text: str, start: int, marks: _Marks) -> str:
    """What opens the list that a passage is in: the line above it and, in a nested list, the item."""
    line = text.rfind("\n", max(0, start - REACH), start) + 1
    bullet = _BULLET.match(text, line, line + 200)
    if bullet is None and text[line : line + 1] in (" ", "\t"):
        # An item of several lines, and the passage begins in a later one.
        line = next((above.start for above in _lines_above(text, start) if _BULLET.match(above.of(text))), 0)
        bullet = _BULLET.match(text, line, line + 200)
    if bullet is None:
        return ""
    start = line
    indent = len(bullet[1].expandtabs(4))
    openings: list[str] = []
    for above in _lines_above(text, start):
        words = above.of(text)
        if not words.strip():
            continue
        if marks.heading_at(above.start) is not None or marks.skips(above.start):
            break
        item = _BULLET.match(words)
        here = len(words) - len(words.lstrip(" \t"))
        if item is not None:
            if len(item[1].expandtabs(4)) < indent:
                indent = len(item[1].expandtabs(4))
                openings.append(_short(words))
        elif here == 0 or here < indent:
            if words.rstrip(_EDGES).endswith(":"):
                openings.append(_short(words))
            break
    return " ".join(reversed(openings[:2]))


def _question(text: str, start: int, marks: _Marks) -> str:
    """The question on a line of its own that the passage answers."""
    lines = 0
    for above in _lines_above(text, start):
        words = above.of(text).strip(_EDGES)
        if not words:
            continue
        lines += 1
        if lines > _ANSWER_LINES or len(words) > 2 * LONGEST_PART or marks.heading_at(above.start):
            return ""
        if words.endswith("?"):
            before = text[max(0, above.start - 2) : above.start].rstrip("\n")
            return _short(words) if before[-1:] in ("", ".", "!", "?", ":", "\r") else ""
    return ""


def _short(line: str) -> str:
    """A line without its marks, cut where it is long: its end leads over to what follows."""
    bullet = _BULLET.match(line)
    words = " ".join(line[bullet.end() :].split() if bullet else line.split()).strip(_EDGES)
    return words if len(words) <= LONGEST_PART else "…" + words[-LONGEST_PART:]


# --- what is never evidence -----------------------------------------------------------------------------


def _menus(text: str) -> Iterator[Span]:
    """Lines of nothing but links: several on one line, or several lines that lead into the same site."""
    if "](" not in text:
        return
    run: list[Span] = []
    for match in _LINKS_ONLY.finditer(text):
        span = Span(match.start(), match.end())
        if match["more"]:
            yield span
            continue
        if run and text[run[-1].end : span.start].strip():
            yield from run if len(run) >= _FEWEST_ENTRIES else ()
            run = []
        if "://" not in match["first"]:
            run.append(span)
    yield from run if len(run) >= _FEWEST_ENTRIES else ()


def _between(spans: list[Span], within: Span) -> Iterable[Span]:
    """Those of some spans in order, none overlapping another, that touch a stretch."""
    first = max(0, bisect_right(spans, Span(within.start, within.start)) - 1)
    for place in range(first, len(spans)):
        span = spans[place]
        if span.start >= within.end:
            return
        if span.end > within.start:
            yield Span(max(span.start, within.start), min(span.end, within.end))
