"""One pass a family over a text: every candidate marker, overlaps and all.

Each expression begins with a literal, so that the search for it runs at the speed of C, and fails within a
bounded number of steps or at the next bracket, so that the whole is linear whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.citations.formats import author_year, json_path, number, round_brackets, span, web
from pincite.citations.formats.json_path import HasPath
from pincite.citations.formats.shared import DOCUMENT_ENDINGS, KnowsName, is_indexing
from pincite.records import Citation, Malformed

Found = Citation | Malformed

_TITLE = r"([^\[\]\n]{0,600}+(?:\[[^\[\]\n]{0,200}+\][^\[\]\n]{0,300}+){0,3}+)"
_URL = r"(?:<([^<>\n]{1,2000}+)>|([^\s()<>]{0,2000}+(?:\([^\s()<>]{0,500}+\)[^\s()<>]{0,500}+){0,8}+))"
_LINK_TITLE = r"(?:[ ]{1,4}+(?:\"[^\"\n]{0,300}+\"|'[^'\n]{0,300}+'))?+"
_STEP = r"\[(?:\d{1,9}+|'[^'\n\]]{0,200}+'|\"[^\"\n\]]{0,200}+\")\]"
_NUMBERS = r"\d{1,4}+(?:[ ]?[,;–—-][ ]?\d{1,4}+)*+"
# The plain forms come first: most markers are plain, and then nothing else is tried.
_BRACKET = re.compile(
    r"\[(?<!\\\[)(?:"
    rf"({_NUMBERS})\](?!\([^\s()]{{1,2000}}+\))"  # 1 numbers
    r"|\^([^\]\[\s^]{1,100}+)\]"  # 2 a footnote
    rf"|{span.PLAIN}\]"  # 3 name, 4 page, 5 start, 6 end of a plain span
    r"|([A-Za-z_]\w{0,100}+(?:\.[A-Za-z_]\w{0,100}+){1,50}+)\](?!\()"  # 7 a plain path
    rf"|{_TITLE}\]\({_URL}{_LINK_TITLE}\)"  # 8 a link's title, 9 or 10 its URL
    r"|([^\[\]\n\d\\]{2,200}+(?:1[5-9]|20)\d\d(?!\d)[^\[\]\n]{0,300}+)\]"  # 11 perhaps authors and a year
    r"|([^\s\[\]\"](?:[^\[\]\n.:\\]{0,300}+)(?:[.:]|\\[^\n])"
    r"(?:[^\[\]\n\\]++|\\[^\n])*+)\]"  # 12 any other span or path
    rf"|((?:\$\.?)?+[^\W\d][\w$.-]{{0,200}}+(?:{_STEP}(?:\.[\w$-]{{1,200}}+)*+)++)\]"  # 13 a path, indexed
    rf"|({_NUMBERS}[ ]?[,;–-][ ]?)\]"  # 14 numbers that break off
    rf"|{span.UNCLOSED}"  # 15 a span whose bracket is not closed
    rf"|([ ]{{1,2}}+{_NUMBERS}[ ]{{0,2}}+|{_NUMBERS}[ ]{{1,2}}+)\](?!\()"  # 16 numbers with spaces around
    r"|([^\[\]\n\d\\]{2,200}+(?:(?<=in[ ]press)|(?<=forthcoming)))\]"  # 17 a work without a year
    rf"|(?={span.UNQUOTED})"  # 18 a name with brackets; those inside are looked at too
    r")"
)
_YEAR_OF_WORK = re.compile(r"\D{1,200}+\d{4}[a-z]?(?:[,;:/ ]|$)")
_BULLET_BEFORE = re.compile(r"[-*+•.)][ \t]{1,4}$")
_ANY_WORDS = re.compile(r"\[(?<!\\\[)([^\[\]\n|\"\\^][^\[\]\n|\"\\]{1,240}+)\](?!\()")
_SINGLE_SEGMENT = re.compile(r"\[(?<!\\\[)([^\W\d][\w$-]{0,100}+)\](?![(:])")


def scan(
    text: str,
    labels: frozenset[str] = frozenset(),
    has_path: HasPath | None = None,
    listed: frozenset[str] = frozenset(),
    in_entry: bool = False,
    knows: KnowsName | None = None,
    numbered: frozenset[str] = frozenset(),
) -> list[Found]:
    """Every candidate, unordered.

    `labels` are those of the answer's own references, `numbered` those written there, and `listed` the keys
    of their works. `in_entry` is for the text of an entry. `knows` says whether a source bears a name.
    """
    found: list[Found] = []
    taken: set[int] = (
        set()
    )  # where markers with an excerpt and the URLs of links begin: they are read already
    if "[" in text:
        if "|" in text and "xcerpt:" in text:
            found += span.find_excerpts(text)
            taken.update([citation.start for citation in found])
        _brackets(text, labels, has_path, taken, found)
        found += number.find_named(text)
        if '"' in text and '["' in text:
            found += span.find_quoted(text)
        if has_path is not None:
            found += _single_segments(text, has_path)
        if knows is not None:
            found += _known_names(text, knows)
    if ":" in text:
        web.find_urls(text, taken, found)
        found += web.find_arxiv(text)
    web.find_www(text, taken, found)
    web.find_dois(text, found)
    if "PMID" in text:
        found += web.find_pmids(text, lower=False)
    if "pmid" in text:
        found += web.find_pmids(text, lower=True)
    if "(" in text:
        author_year.find_author_years(text, found, listed, in_entry)
        if "." in text or knows is not None:
            found += round_brackets.find_round(text, knows)
        if numbered:
            found += round_brackets.find_round_numbers(text, numbered)
    if "." in text:
        found += round_brackets.find_attributed(text, knows)
    if "<" in text and ("<sup" in text or "<SUP" in text):
        found += number.find_sups(text)
    if "^" in text:
        found += number.find_carets(text)
    if not text.isascii():
        if "【" in text:
            found += number.find_lenticular(text)
        if number.has_raised(text):
            found += number.find_raised(text)
    return found


def _brackets(
    text: str, labels: frozenset[str], has_path: HasPath | None, taken: set[int], found: list[Found]
) -> None:
    for match in _BRACKET.finditer(text):
        kind = match.lastindex
        start, end = match.span()
        read: Found | None
        if kind == 1:
            read = number.read_bracket(text, start, end, match[1], labels)
        elif kind == 6:
            read = span.read_plain(match)
        elif kind == 7:
            read = json_path.read_plain(text, start, end, match[7], has_path) or _span_or_path(
                text, start, end, match[7], has_path, taken
            )
        elif kind == 9 or kind == 10:
            read = _link(text, match, kind, labels, taken)
        elif kind == 12:
            read = _span_or_path(text, start, end, match[12], has_path, taken)
        elif kind == 2:
            read = number.read_footnote(text, start, end, match[2])
        elif kind == 13:
            read = json_path.read_path(text, start, end, match[13], has_path)
        elif kind == 11:
            read = _work_or_span(text, start, end, match[11], has_path, taken)
        elif kind == 14:
            read = _broken_numbers(text, start, end, match[14])
        elif kind == 15:
            read = span.read_unclosed(match)
        elif kind == 16:
            read = number.read_spaced(text, start, end, match[16], labels)
        elif kind == 17:
            read = _work(text, start, end, match[17])
        else:
            read = span.read_unquoted(text, start, match[18])
        if read is not None:
            found.append(read)


def _link(
    text: str, match: re.Match[str], kind: int, labels: frozenset[str], taken: set[int]
) -> Found | None:
    start, end = match.span()
    if start and text[start - 1] == "!":
        taken.add(match.start(kind))
        return None
    read: Found | None = web.read_link(text, start, end, match[8], match[kind], match.start(kind))
    if read is None:
        title = match[8]
        close = start + len(title) + 2
        if title.isdecimal() and len(title) <= 4:
            return number.read_bracket(text, start, close, title, labels)
        return None
    taken.add(match.start(kind))
    return read


def _span_or_path(
    text: str, start: int, end: int, content: str, has_path: HasPath | None, taken: set[int]
) -> Found | None:
    if "|" in content and "xcerpt:" in content:
        return None if start in taken else _unread_excerpt(text, start, end, content)
    if content.endswith("n.d."):
        return _work(text, start, end, content)
    if (
        ":" in content
        or " " in content
        or "#" in content
        or content.rpartition(".")[2].lower() in DOCUMENT_ENDINGS
    ):
        if ":" not in content and has_path is not None and has_path(json_path.canonical_path(content)):
            return json_path.read_path(text, start, end, content, has_path)
        return span.read_bracket(text, start, end, content)
    return json_path.read_path(text, start, end, content, has_path)


def _unread_excerpt(text: str, start: int, end: int, content: str) -> Malformed | None:
    """A marker whose excerpt `find_excerpts` could not read."""
    head = content.partition("|")[0].rstrip()
    if not isinstance(span.read_bracket(text, start, end, head), Citation):
        return None
    return Malformed(text[start:end], start, end, 'the excerpt is not of the form | excerpt: "…"')


def _work_or_span(
    text: str, start: int, end: int, content: str, has_path: HasPath | None, taken: set[int]
) -> Found | None:
    """`[Smith et al., 2020]`, or a name that happens to hold a year."""
    work = _work(text, start, end, content) if _YEAR_OF_WORK.match(content) else None
    if work is not None:
        return work
    if (":" in content or "." in content) and content[0] != '"':  # `find_quoted` reads quoted names
        return _span_or_path(text, start, end, content, has_path, taken)
    return None


def _work(text: str, start: int, end: int, content: str) -> Citation | None:
    works = author_year.read_works(content)
    if works is None:
        return None
    return Citation("author_year", text[start:end], start, end, works[0], f"[{works[1]}]")


def _broken_numbers(text: str, start: int, end: int, content: str) -> Malformed | None:
    """`[1,]` and `[1-]` in prose."""
    if content[0] == "0" or (start and (text[start - 1].isalnum() or text[start - 1] in "_$)]=")):
        return None
    if is_indexing(text, start, end):
        return None
    kept = content.rstrip(" ,;")
    whole = not kept.endswith(("-", "–"))
    problem = "the list of numbers breaks off"
    return Malformed(text[start:end], start, end, problem, f"[{kept}]" if whole else None)


def _known_names(text: str, knows: KnowsName) -> Iterator[Citation]:
    """`[Annual Report 2023]` counts only if a source bears that name or title."""
    for match in _ANY_WORDS.finditer(text):
        start, end = match.span()
        read = span.read_known(text, start, end, match[1], knows)
        if read is not None:
            yield read


def _single_segments(text: str, has_path: HasPath) -> Iterator[Citation]:
    """`[premium]` counts only if it resolves."""
    for match in _SINGLE_SEGMENT.finditer(text):
        start, end = match.span()
        box = match[1] in "xX" and _BULLET_BEFORE.search(text, max(0, start - 8), start)
        if not box and has_path(match[1]):
            read = json_path.read_path(text, start, end, match[1], has_path)
            if read is not None:
                yield read
