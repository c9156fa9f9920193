"""Places in a document: characters, pages, lines, the part under a heading. Each has one key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import UNSET, Struct, UnsetType

from pincite.citations.formats.form import ENDING, NAME_END
from pincite.records import Malformed, SpanTarget

_TRIED = re.compile(rf"(.{{1,300}}?\.{ENDING})((?:[ ]?[:#,;][ ]?[\w.–—+ -]{{0,40}}+){{1,4}}+)$", re.I | re.S)
# One word directly after the colon: `[limits.md:abc]`, but not `[report.pdf: the summary]`.
_WORD_AFTER = re.compile(r":[\w.–—+-]{1,40}+")
# Of these, `[app.py:main]` and `[config.yaml:port]` name a part of a program or of a setting.
PARTS_HAVE_NAMES = re.compile(r"\.(?:py|js|ts|java|json|jsonl|ndjson|yaml|yml|toml|xml|log|ipynb|tex)$", re.I)


def read_attempt(text: str, start: int, end: int, content: str) -> Malformed | None:
    """A document name followed by something that tries to be a place in it. None when that is not sure."""
    tried = _TRIED.match(content)
    if tried is None:
        return None
    name, rest = tried[1], tried[2]
    if not any(map(str.isdecimal, rest)):
        if not _WORD_AFTER.fullmatch(rest) or PARTS_HAVE_NAMES.search(name) or " " in name:
            return None
        return Malformed(text[start:end], start, end, "the part after the document is not page:start-end")
    parts = [part for part in re.split(r"(?:(?<![ ])[ ]++)?[:#;][ ]*+", rest.strip()) if part]
    page_words = ("p", "pp", "page", "pages")
    words = [word for word in re.findall(r"[^\W\d_]++", rest) if word.lower() not in page_words]
    if len(words) > 2 or (rest[:1] not in ":" and words):
        return None
    numbers = [re.sub(r"[ ]|^pp?\.?|^pages?", "", part) for part in parts]
    problem = "the part after the document is not page:start-end"
    if re.search(r"\d{19}", rest):
        problem = "an offset has more than 18 digits"
    return Malformed(text[start:end], start, end, problem, _repaired(name, numbers))


def _repaired(name: str, numbers: list[str]) -> str | None:
    """The marker as it was surely meant, where only spaces or separators are wrong."""
    joined = [re.sub(r"\.\.|—|--", "-", number) for number in numbers]
    if 1 <= len(joined) <= 2 and re.fullmatch(r"(?:\d{1,9}:)?\d{1,18}[-–]\d{1,18}", ":".join(joined)):
        return f"[{name}:{':'.join(joined)}]"
    if len(joined) == 3 and all(re.fullmatch(r"\d{1,18}", number) for number in joined):
        return f"[{name}:{joined[0]}:{joined[1]}-{joined[2]}]"
    return None


IsName = Callable[[str], bool]

PAGE_TAIL = re.compile(r"(:|,[ ]|[ ])((?:pp?\.[ ]?|p(?=\d)|page[ ])?)(\d{1,9}+)$")
PAGES_TAIL = re.compile(r"(:|,[ ]|[ ])(pp?\.[ ]?|pages?[ ])(\d{1,9}+)([ ]?[-–—][ ]?)(\d{1,9}+)$")
LINES_TAIL = re.compile(
    r"(#L|:[ ]?L|,?[ ](?:L|lines?[ ])|,[ ]ll?\.[ ]?)(\d{1,9}+)(?:([ ]?[-–—][ ]?L?|[ ]to[ ])(\d{1,9}+))?$",
    re.I,
)
_SECTION_JOINT = re.compile(r",[ ](?:§[ ]?)?|[ ]§[ ]?|[ ][>–—][ ]|:[ ]?(?=rows?[ ]\d)")
_LONGEST_SECTION = 100
_MOST_JOINTS = 6


class DocumentPlace(Struct, frozen=True):
    """What stands after a document's name in a marker. `tail` is its part of the form."""

    name: str
    tail: str
    page: int | None = None
    end_page: int | UnsetType = UNSET
    lines: tuple[int, int] | UnsetType = UNSET
    section: str | UnsetType = UNSET

    def target(self, document: str) -> SpanTarget:
        if self.section is not UNSET:
            return section_target(document, self.section)
        if self.lines is not UNSET:
            return lines_target(document, *self.lines)
        if self.end_page is not UNSET and self.page is not None:
            return pages_target(document, self.page, self.end_page)
        return span_target(document, self.page)


def span_target(
    document: str, page: int | None = None, start: int | None = None, end: int | None = None
) -> SpanTarget:
    """A whole document, a page of it, or characters of either. The key has one spelling for one place."""
    key = document if page is None else f"{document}:{page}"
    return SpanTarget(document, page, start, end, key if start is None else f"{key}:{start}-{end}")


def pages_target(document: str, first: int, last: int) -> SpanTarget:
    """A run of whole pages, the last one included."""
    key = f"{document}:{first}" if first == last else f"{document}:{first}–{last}"
    return SpanTarget(document, first, None, None, key, end_page=last)


def lines_target(document: str, first: int, last: int) -> SpanTarget:
    """Whole lines, the last one included."""
    key = f"{document}:L{first}" if first == last else f"{document}:L{first}-L{last}"
    return SpanTarget(document, None, None, None, key, lines=(first, last))


def section_target(document: str, section: str) -> SpanTarget:
    return SpanTarget(document, None, None, None, f"{document}#{section}", section=section)


def number_slot(field: str, digits: str) -> str:
    """Where a number of the first target goes; one written with leading zeros stays as it is."""
    return f"{{0.{field}}}" if digits == str(int(digits)) else digits


def read_place(content: str, is_name: IsName) -> DocumentPlace | str | None:
    """The place that a marker's inside ends with, where `is_name` takes the rest for a document's name.

    A string says why it cannot be one.
    """
    pages = PAGES_TAIL.search(content, max(0, len(content) - 40))
    if pages is not None and is_name(content[: pages.start()]):
        return read_pages(content[: pages.start()], pages)
    page = PAGE_TAIL.search(content, max(0, len(content) - 20))
    if page is not None and (page[1] == ":" or page[2]) and is_name(content[: page.start()]):
        return read_page(content[: page.start()], page)
    lines = LINES_TAIL.search(content, max(0, len(content) - 40))
    if lines is not None and is_name(content[: lines.start()]):
        return read_lines(content[: lines.start()], lines)
    for name, joint, section in _sections(content):
        if is_name(name):
            return DocumentPlace(name, f"{joint}{{0.section}}", section=section)
    return None


def read_page(name: str, found: re.Match[str]) -> DocumentPlace:
    return DocumentPlace(name, f"{found[1]}{found[2]}{number_slot('page', found[3])}", page=int(found[3]))


def read_pages(name: str, found: re.Match[str]) -> DocumentPlace | str:
    joint, word, first, dash, last = found.groups()
    if int(first) > int(last):
        return f"the pages {first}–{last} run backwards"
    tail = f"{joint}{word}{number_slot('page', first)}{dash}{number_slot('end_page', last)}"
    return DocumentPlace(name, tail, page=int(first), end_page=int(last))


def read_lines(name: str, found: re.Match[str]) -> DocumentPlace | str:
    lead, first, dash, last = found.groups()
    if last is None:
        return DocumentPlace(name, f"{lead}{number_slot('lines.0', first)}", lines=(int(first), int(first)))
    if int(first) > int(last):
        return f"the lines {first}–{last} run backwards"
    tail = f"{lead}{number_slot('lines.0', first)}{dash}{number_slot('lines.1', last)}"
    return DocumentPlace(name, tail, lines=(int(first), int(last)))


def _sections(content: str) -> Iterator[tuple[str, str, str]]:
    """The ways to cut `limits.md, Late payment` into a name, what joins them, and a heading."""
    if "|" in content or ";" in content or "{" in content or "}" in content:
        return
    for count, joint in enumerate(_SECTION_JOINT.finditer(content)):
        name, section = content[: joint.start()], content[joint.end() :]
        if count == _MOST_JOINTS or PARTS_HAVE_NAMES.search(name):
            return
        if _is_heading(section, "§" in joint[0]):
            yield name, joint[0], section


def _is_heading(section: str, numbered: bool) -> bool:
    """Whether this can be a heading; a number alone only where `§` says so."""
    if not section or len(section) > _LONGEST_SECTION or section != section.strip():
        return False
    return (numbered or any(map(str.isalpha, section))) and NAME_END.search(section) is None
