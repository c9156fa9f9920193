"""The entries of the answer's own reference lists, and its footnote and link definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pincite.citations.formats import scan
from pincite.citations.formats.form import ENDING, Context
from pincite.citations.formats.number import FROM_RAISED, SUPERSCRIPTS
from pincite.citations.formats.span_places import span_target
from pincite.citations.formats.works import is_author, read_authors, work_key
from pincite.records import Citation, Reference, Span, SpanTarget, Target, WorkTarget
from pincite.text import HEADINGS, WEAK_HEADINGS, Block, heading_words

_LABEL = re.compile(
    r"[ \t>]*+(?:[-*+•‣–●▪][ \t]++)?+(?:\*\*)?+"
    r"(?:\[\^([^\]\s]{1,99}+)\]|\[(\d{1,4}+)\](?!\()|\[([^\]\n]{1,99}+)\](?=:)|【(\d{1,4}+)】"
    rf"|\(?(\d{{1,4}}+)[.)](?=\s)|\^(\d{{1,4}}+)\^?+|([{SUPERSCRIPTS}]{{1,4}}+))(?:\*\*)?+:?+[ \t]*+"
)
_BULLET = re.compile(r"[ \t>]*+[-*+•‣–●▪][ \t]++")
_INLINE_HEADING = re.compile(
    r"[ \t>]*+(?:[-*+][ ]|\*\*|__)?([^\W\d_][^\n:：*]{1,28})(?:\*\*|__)?[ ]?[:：](?:\*\*|__)?[ \t]*+"
)
_INLINE_LABEL = re.compile(r"(?:\[\^?(\w{1,20}+)\]:?|【(\d{1,4}+)】)[ ]{1,4}(?=[^\s\[【])")
_UNDERLINE = frozenset("=-|: \t")
_TO_NAME = re.compile(r".*[\s,;()\[\]\"“”‘`*|<>]", re.S)
_LONGEST_NAME = 200
_NAME_END = re.compile(rf"\.{ENDING}(?![\w/.])", re.I)
_PAGE = re.compile(r",?\s?\(?(?:p\.|page)\s?(\d{1,9}+)(?!\s?[-–]\s?\d)", re.I)
_WHOLE_NAME = re.compile(rf"[^,;()\[\]\"“”`*|<>\n:]{{1,120}}?\.{ENDING}", re.I)
_WORK = re.compile(
    r"([^()\d\n]{2,250}?)\s?\(((?:1[5-9]|20)\d\d[a-z]?|n\.d\.|in press|forthcoming)(?:,[^()\n]{0,30}+)?\)"
)
_WORK_BARE = re.compile(r"([^()\d\n\"“]{2,120}?)[.,]? ((?:1[5-9]|20)\d\d[a-z]?)[.,:]")


class _Entry(NamedTuple):
    label: str | None
    start: int
    content: int
    end: int


def read_references(text: str, blocks: Sequence[Block]) -> tuple[Reference, ...]:
    """Every entry in order, with its label and what can be read from it."""
    references: list[Reference] = []
    for block in blocks:
        for position, entry in enumerate(_entries(text, block), 1):
            written = text[entry.content : entry.end]
            targets = _targets(written)
            label = entry.label
            if label is None:
                plain = any(isinstance(target, WorkTarget) for target in targets)
                label = "" if plain and not _BULLET.match(text, entry.start, entry.end) else str(position)
            references.append(Reference(label, written, entry.start, entry.end, targets))
    return tuple(references)


def _entries(text: str, block: Block) -> Iterator[_Entry]:
    """The entries of one block: the lines below its heading, or what follows `Sources:` on its line."""
    lines = _lines(text, block.start, block.end)
    first_start, first_end = lines[0]
    first = text[first_start:first_end]
    words = heading_words(first.lstrip("> \t"))
    if words in HEADINGS or words in WEAK_HEADINGS:
        yield from _line_entries(text, lines[1:])
        return
    inline = _INLINE_HEADING.match(first)
    if inline is not None and heading_words(inline[1]) in HEADINGS | WEAK_HEADINGS:
        rest = first_start + inline.end()
        if len(lines) == 1 or not _LABEL.match(text, lines[1][0]):
            yield from _inline_entries(text, rest, block.end)
        else:
            yield from _line_entries(text, [(rest, first_end), *lines[1:]])
        return
    yield from _line_entries(text, lines)


def _lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    lines: list[tuple[int, int]] = []
    while start <= end:
        stop = text.find("\n", start, end)
        if stop < 0:
            stop = end
        lines.append((start, stop))
        start = stop + 1
    return lines


def _line_entries(text: str, lines: list[tuple[int, int]]) -> Iterator[_Entry]:
    """A label, a bullet or a new paragraph opens an entry; other lines continue the open one."""
    label: str | None = None
    start = content = end = -1
    gap = marked = False
    for line_start, line_end in lines:
        line = text[line_start:line_end]
        bare = line.strip(" \t\r>")
        if not bare or _UNDERLINE.issuperset(bare):
            if "|" in bare:  # the line above was a table's header
                start = -1
            gap = True
            continue
        if bare.startswith("<!--"):
            continue
        found = _LABEL.match(text, line_start, line_end)
        bullet = None if found else _BULLET.match(text, line_start, line_end)
        indented = line[:1] in (" ", "\t")
        goes_on = start >= 0 and not found and not bullet and ((marked and not gap) or indented)
        if goes_on:
            end = line_end
            continue
        if start >= 0:
            yield _finished(text, label, start, content, end)
        marked = bool(found or bullet)
        opening = found or bullet
        label = next(filter(None, found.groups()), "").translate(FROM_RAISED) if found else None
        start = line_start + len(line) - len(line.lstrip(" \t>"))
        content = opening.end() if opening else start
        end = line_end
        gap = False
    if start >= 0:
        yield _finished(text, label, start, content, end)


def _finished(text: str, label: str | None, start: int, content: int, end: int) -> _Entry:
    while end > content and text[end - 1].isspace():
        end -= 1
    if label is None and text.startswith("|", content):  # a table's row: its first cell may be the number
        cells = text[content:end].strip("| ").split("|")
        if len(cells) > 1 and cells[0].strip(" []").isdecimal():
            return _Entry(cells[0].strip(" []"), start, content, end)
    return _Entry(label, start, content, end)


def _inline_entries(text: str, start: int, end: int) -> Iterator[_Entry]:
    """`[1] a.txt, [2] b.txt` or `a.txt, b.txt` on one line."""
    labels = list(_INLINE_LABEL.finditer(text, start, end))
    if labels:
        for at, found in enumerate(labels):
            stop = labels[at + 1].start() if at + 1 < len(labels) else end
            while stop > found.end() and text[stop - 1] in " ,;\n\t\r":
                stop -= 1
            yield _Entry(found[1] or found[2], found.start(), found.end(), stop)
        return
    at = start
    for piece in re.split(r"([,;\n]\s?)", text[start:end]):
        bare = piece.strip(" ,;\n\r\t")
        if bare:
            begin = at + piece.index(bare)
            yield _Entry(None, begin, begin, begin + len(bare))
        at += len(piece)


def _targets(entry: str) -> tuple[Target, ...]:
    """What the entry names: markers and links in it, file names, authors with a year."""
    targets: list[Target] = []
    covered: list[tuple[int, int]] = []
    end = 0
    found = [one for one in scan(Context(entry, in_entry=True)) if isinstance(one, Citation)]
    for citation in sorted(found, key=lambda one: (one.start, -one.end)):
        if citation.start >= end and citation.family in ("span", "web", "author_year"):
            end = citation.end
            covered.append((citation.start, end))
            targets += citation.targets
    if not any(isinstance(target, SpanTarget) for target in targets):
        targets += _documents(entry, covered)
    if not any(isinstance(target, WorkTarget) for target in targets):
        work = _work(entry)
        if work is not None:
            targets.append(work)
    keys: dict[str, Target] = {}
    for target in targets:
        keys.setdefault(target.key, target)
    return tuple(keys.values())


def _documents(entry: str, covered: list[tuple[int, int]]) -> list[SpanTarget]:
    """File names outside the links and markers, with the page that follows one."""
    bare = entry.strip(" \t\"'“”‘’`*_.")
    if not covered and _WHOLE_NAME.fullmatch(bare):
        return [span_target(bare)]
    documents: list[SpanTarget] = []
    for name in _names(entry[:4000]):
        if not any(start < name.end and name.start < end for start, end in covered):
            page = _PAGE.match(entry, name.end)
            documents.append(span_target(name.of(entry).strip("_'"), int(page[1]) if page else None))
    return documents


def _names(text: str) -> Iterator[Span]:
    """Names of files, found by their endings: to look for whole names at every place is far dearer."""
    done = 0
    for found in _NAME_END.finditer(text):
        low = max(done, found.start() - _LONGEST_NAME)
        opening = _TO_NAME.match(text, low, found.start())
        start = opening.end() if opening else low
        if start < found.start():
            yield Span(start, found.end())
            done = found.end()


def _work(entry: str) -> WorkTarget | None:
    """Authors and year at the head of an entry: `Smith, J., & Jones, K. (2020). Title.`"""
    found = (_WORK.match(entry) if "(" in entry else None) or _WORK_BARE.match(entry)
    if found is None:
        return None
    written = found[1].strip(" *_")
    if written.endswith(".") and not written[-2:-1].isupper():  # `K.` is an initial, `Organization.` an end
        written = written[:-1]
    authors = read_authors(written)
    if not authors or not all(is_author(author.name, True) for author in authors):
        return None
    names = tuple(author.name for author in authors)
    return WorkTarget(names, found[2], None, work_key(names, found[2]))
