"""Spans: `[file:page:start-end]`, `[file:start-end]`, several spans, an excerpt, a whole page or document."""

from __future__ import annotations

import re

import msgspec

from pincite.citations.formats.form import (
    ENDING,
    ODD,
    Context,
    Form,
    KnownSources,
    double_braces,
    has_ending,
    is_mentioned_file,
)
from pincite.citations.formats.span_places import (
    PAGE_TAIL,
    DocumentPlace,
    number_slot,
    read_attempt,
    read_page,
    read_place,
    span_target,
)
from pincite.records import Citation, Malformed, SpanTarget

_RANGES = r"(\d{1,18}+[-–—]\d{1,18}+(?:,[ ]?\d{1,18}+[-–—]\d{1,18}+)*+)"
_PAGE = r"((?:pp?\.?[ ]?|page[ ])?)(\d{1,9}+)"
# Read from the right, because a name may hold colons: the tail is found first, the name is what is left.
_TAIL = re.compile(rf":(?:{_PAGE}:)?+{_RANGES}$")
_SEVERAL = re.compile(r":\d{1,18}+[-–—]\d{1,18}+[ ]?;")
_RANGE = re.compile(r"(,[ ]?)?(?<!\d)(\d++)([-–—])(\d++)")
_BARE_NUMBER = re.compile(r"(?:,[ ]|[ ])\d{1,9}+$")
_VERSE = re.compile(r"(?:^|[ ])\d{1,3}$")
# A heading of the document, as in a link to it.
_ANCHOR = re.compile(r"#(?!L\d)[^\W\d][\w.-]{0,80}+$", re.I)
# `[Source: report.pdf]`, `[Source 1: report.pdf]`: neither word nor number is part of the name.
_LEAD = re.compile(
    r"(?:source|document|doc|file|passage|chunk|context|ref|reference|citation|cite)s?+(?:[ ]?#?\d{1,4}+)?+:"
    rf"(?:[ ](?=[^\s:])|(?=[^\s:]{{1,200}}?\.{ENDING}\b))",
    re.I,
)
_BETWEEN = re.compile(r"([,;][ ])")
_MOST_NAMES = 20
_EXCERPT_OPENING = r"\|[ ]?excerpt:[ ]?([\"“„«'‘])"
_EXCERPT_AFTER_HEAD = re.compile(r"[ ]?" + _EXCERPT_OPENING, re.I)
_CLOSING = {'"': '"', "“": "”", "„": "“", "«": "»", "'": "'", "‘": "’"}
_QUOTED_NAME = r"\[\"((?:[^\"\\\n]|\\.){1,400}+)\"([:,][^\[\]\n|\"]{0,200}+)?(?=[\]|])"
_TITLE = r"\[(?<!\\\[)([^\[\]\n|\"\\^][^\[\]\n|\"\\]{0,240}+)\](?!\()"
_CLOSED = re.compile(r"(?<!\\)\]")
_ESCAPED = re.compile(r"\\([\[\]\\\"|{}])")
# A name with brackets that are neither quoted nor escaped, and what may be its page and range. Only looked
# ahead at, since the brackets inside are looked at too.
_UNQUOTED = (
    r"(?=(?P<unquoted>[^\s\[\]|\"\\:][^\[\]\n|\"\\:]{0,150}+(?:\[[^\[\]\n|\"\\:]{1,80}+\][^\[\]\n|\"\\:]{0,150}+){1,3}+"
    r"(?::[\d:, –—-]{1,60}+)?+)\](?!\())"
)
_UNQUOTED_TAIL = re.compile(
    r"(?::\d{1,9}+(?![-–—]))?+(?::\d{1,18}+[-–—]\d{1,18}+(?:,[ ]?\d{1,18}+[-–—]\d{1,18}+)*+)?+"
)
_NOTE_INSIDE = re.compile(r"(?<!\w)\[\d")
# A span whose bracket is not closed before anything else begins.
_UNCLOSED = (
    r"[^\[\]\n\\:|\"]{1,150}+:(?:\d{1,9}+:)?+\d{1,18}+[-–]\d{1,18}+(?=[\s.,;)]|$)(?![^\[\]\n]{0,80}+\])"
)


def unescape(text: str) -> str:
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


def escape_name(name: str) -> str:
    """A name for a bare marker: brackets, pipes and the backslashes before them are escaped."""
    return re.sub(r"[\[\]|]|\\(?=[\[\]|\\\"{}])", r"\\\g<0>", name)


def quote_name(name: str) -> str:
    """A name for a quoted marker: whatever it holds, only quotes and some backslashes need an escape."""
    escaped = re.sub(r"\\(?=[\[\]|\\\"{}]|$)", r"\\\\", name).replace('"', '\\"')
    return f'"{escaped}"'


def escape_excerpt(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def unescape_excerpt(text: str) -> str:
    return re.sub(r"\\([\\\"'”“’»\[\]])", r"\1", text) if "\\" in text else text


def read_bracket(text: str, start: int, end: int, content: str) -> Citation | Malformed | None:
    """A bracket without an excerpt or a quoted name. None when it is not one of ours."""
    lead = _LEAD.match(content)
    if lead is None:
        return None if is_mentioned_file(content) else _read_content(text, start, end, content)
    read = _read_content(text, start, end, content[lead.end() :])
    if type(read) is Citation:
        return msgspec.structs.replace(read, form=f"[{lead[0]}{read.form[1:]}")
    return read


def has_lead(content: str) -> bool:
    """Whether a word such as `Source:` says that a document is cited."""
    return _LEAD.match(content) is not None


def _read_content(text: str, start: int, end: int, content: str) -> Citation | Malformed | None:
    if ";" in content and _SEVERAL.search(content):
        return _read_several(text, start, end, content)
    tail = _TAIL.search(content, max(0, len(content) - 400))
    if tail is not None:
        name = content[: tail.start()]
        if _is_name(name, tail[2] is not None):
            targets, form = _ranges(*_name_slot(name), tail)
            return Citation("span", text[start:end], start, end, targets, f"[{form}]")
        return None
    if has_ending(content):
        if content.count(" ") > 8 or "://" in content or "://" in text[start - 3 : start]:
            return None
        targets, form = _whole_documents(content)
        return Citation("span", text[start:end], start, end, targets, f"[{form}]")
    return _read_place(text, start, end, content)


def _whole_documents(content: str) -> tuple[tuple[SpanTarget, ...], str]:
    """`[a.pdf]`, and `[a.pdf, b.pdf]` where every part ends as documents do."""
    names, form = _listed(content)
    if len(names) == 1 or "\\" in content or not all(map(has_ending, names)):
        slot, document = _name_slot(content)
        return (span_target(document),), slot
    return tuple(map(span_target, names)), form


def _listed(content: str) -> tuple[list[str], str]:
    """The names between commas or semicolons, and the form that writes them."""
    parts = _BETWEEN.split(content)
    slots = (part if at % 2 else f"{{{at // 2}.document}}" for at, part in enumerate(parts))
    return parts[::2], "".join(slots)


def _read_several(text: str, start: int, end: int, content: str) -> Malformed:
    """`[a.pdf:1:2-3; b.pdf:4-5]`: each document needs a bracket of its own."""
    parts = [part.strip() for part in content.split(";")]
    whole = all(_TAIL.search(part) for part in parts)
    repaired = "".join(f"[{part}]" for part in parts) if whole else None
    return Malformed(text[start:end], start, end, "one bracket names several documents", repaired)


def _read_place(text: str, start: int, end: int, content: str) -> Citation | Malformed | None:
    """`[report.pdf:5]`, `[limits.md, lines 3-4]`, `[limits.md, Late fees]`, or what was meant as a span."""
    place = read_place(content, has_ending)
    if isinstance(place, str):
        return Malformed(text[start:end], start, end, place)
    if place is not None:
        slot, document = _name_slot(place.name)
        target = place.target(document)
        return Citation("span", text[start:end], start, end, (target,), f"[{slot}{place.tail}]")
    number = _BARE_NUMBER.search(content, max(0, len(content) - 12))
    if number is not None and has_ending(content[: number.start()]):
        return None
    anchor = _ANCHOR.search(content, max(0, len(content) - 90))
    if anchor is not None and has_ending(content[: anchor.start()]):
        slot, document = _name_slot(content[: anchor.start()])
        form = f"[{slot}{double_braces(anchor[0])}]"
        return Citation("span", text[start:end], start, end, (span_target(document),), form)
    return read_attempt(text, start, end, content)


def read_known(text: str, start: int, end: int, content: str, sources: KnownSources) -> Citation | None:
    """`[Annual Report 2023]`, `[Annual Report 2023, p. 5]`: a source by the name or title that it bears."""
    lead = _LEAD.match(content)
    word, content = (lead[0], content[lead.end() :]) if lead else ("", content)
    if not any(map(str.isalpha, content)) or "{" in content or "}" in content or "\\" in content:
        return None
    if len(content) == 1 and (text[start] != "[" or text[end : end + 1].isalpha()):
        return None  # an item of a list, or a letter that was changed: `(b)`, `[T]he`
    if not sources.bears(content) and (several := _read_known_names(content, sources)):
        names, form = several
        targets = tuple(span_target(name) for name in names)
        return Citation("span", text[start:end], start, end, targets, f"[{word}{form}]")
    place = DocumentPlace(content, "") if sources.bears(content) else read_place(content, sources.bears)
    if place is None or isinstance(place, str):
        return None
    form = f"[{word}{{0.document}}{place.tail}]"
    return Citation("span", text[start:end], start, end, (place.target(place.name),), form)


def _read_known_names(content: str, sources: KnownSources) -> tuple[list[str], str] | None:
    """`[doc-7, doc-8]`: the names and the form, if sources bear all of them."""
    names, form = _listed(content)
    several = 1 < len(names) <= _MOST_NAMES and len(set(names)) == len(names)
    return (names, form) if several and all(map(sources.bears, names)) else None


def _read_unquoted(match: re.Match[str], context: Context) -> Malformed | None:
    """`[report[final].pdf:1:2-3]`: brackets in a name need quotes around it."""
    start, content = match.start(), match["unquoted"]
    name, colon, rest = content.partition(":")
    tail = colon + rest
    if not has_ending(name) or not _UNQUOTED_TAIL.fullmatch(tail) or _NOTE_INSIDE.search(name):
        return None
    if not tail and " " in name:
        return None
    end = start + len(content) + 2
    repaired = f"[{quote_name(name)}{tail}]"
    problem = "the brackets in the document's name are neither quoted nor escaped"
    return Malformed(context.text[start:end], start, end, problem, repaired)


def _is_name(name: str, paged: bool) -> bool:
    """Whether this can name a document: `10` in a time and `John 3` in a verse cannot."""
    if not name or name[0].isspace() or name[-1] in " :," or "://" in name:
        return False
    if has_ending(name):
        return True
    return any(map(str.isalpha, name)) and (paged or not _VERSE.search(name)) and name.count(" ") <= 12


def _name_slot(raw: str) -> tuple[str, str]:
    """The slot that renders a bare name, and the name. An unusual escape stays as it was written."""
    if "\\" not in raw and "|" not in raw:
        return "{0.document}", raw
    name = unescape(raw)
    return ("{0.document!escaped}" if escape_name(name) == raw else double_braces(raw)), name


def _ranges(slot: str, name: str, tail: re.Match[str]) -> tuple[tuple[SpanTarget, ...], str]:
    """The targets of `:page:s1-e1,s2-e2` and the form of the marker's inside."""
    page_word, page_digits, ranges = tail.groups()
    page = int(page_digits) if page_digits is not None else None
    form = [slot, ":"] if page is None else [slot, ":", page_word, number_slot("page", page_digits), ":"]
    place = f"{name}:" if page is None else f"{name}:{page}:"
    targets: list[SpanTarget] = []
    for at, (comma, first, dash, last) in enumerate(_RANGE.findall(ranges)):
        start, end = int(first), int(last)
        from_, to = str(start), str(end)
        form.append(f"{comma}{{{at}.start}}" if first == from_ else comma + first)
        form.append(f"{dash}{{{at}.end}}" if last == to else dash + last)
        targets.append(SpanTarget(name, page, start, end, f"{place}{from_}-{to}"))
    return tuple(targets), "".join(form)


def _read_quoted(found: re.Match[str], context: Context) -> Citation | None:
    """`["odd [name], v2.pdf":3:10-20]`, with or without page, range and excerpt."""
    rest = (found[2] or "").rstrip(" ")
    read = _read_quoted_head(found[1], rest)
    if read is None:
        return None
    head_end = found.start(2) + len(rest) if found[2] else found.end()
    return _finish(context, found.start(), head_end, read, "quoted ")


def _read_excerpt(found: re.Match[str], context: Context) -> Citation | None:
    """`[file:page:start-end | excerpt: "…"]` with a bare name: found by its `| excerpt:`."""
    text, head_end = context.text, found.start()
    if head_end and text[head_end - 1] == " ":
        head_end -= 1
    opening = _opening_bracket(text, head_end)
    if opening < 0 or text.startswith('["', opening):
        return None
    head = text[opening + 1 : head_end]
    if "\n" in head or _CLOSED.search(head):
        return None  # the bracket before it is another's
    tail = _TAIL.search(head)
    read = _read_bare_head(head[: tail.start()] if tail else head, tail)
    marker = None if read is None else _finish(context, opening, head_end, read, "bare ")
    if marker is not None:
        context.taken.add(opening)
    return marker


def _opening_bracket(text: str, end: int) -> int:
    """The bracket that opens the marker whose head ends at `end`: the last unescaped one near it."""
    at = end
    floor = max(0, end - 500)
    while True:
        at = text.rfind("[", floor, at)
        if at <= 0 or text[at - 1] != "\\":
            return at


def _read_bare_head(raw: str, tail: re.Match[str] | None) -> tuple[tuple[SpanTarget, ...], str] | None:
    """What stands before an excerpt: a name, and page and ranges if there is a tail."""
    lead = _LEAD.match(raw)
    word, raw = (lead[0], raw[lead.end() :]) if lead is not None else ("", raw)
    if not _is_name(raw, True):
        return None
    slot, name = _name_slot(raw)
    slot = word + slot
    return ((span_target(name),), slot) if tail is None else _ranges(slot, name, tail)


def _read_quoted_head(raw: str, rest: str) -> tuple[tuple[SpanTarget, ...], str] | None:
    name = unescape(raw)
    slot = "{0.document!quoted}" if quote_name(name) == f'"{raw}"' else double_braces(f'"{raw}"')
    if not rest or rest == ":":
        if not rest and not has_ending(name):
            return None
        return (span_target(name),), slot + rest
    tail = _TAIL.fullmatch(rest)
    if tail is not None:
        return _ranges(slot, name, tail)
    page = PAGE_TAIL.fullmatch(rest)
    place = read_page("", page) if page else read_place(rest, lambda before: not before)
    if place is None or isinstance(place, str):
        return None
    if place.section is not msgspec.UNSET and not has_ending(name):
        return None  # `["words", he said]`
    return (place.target(name),), f"{slot}{place.tail}"


def _finish(
    context: Context, start: int, head_end: int, read: tuple[tuple[SpanTarget, ...], str], kind: str
) -> Citation | None:
    """Close the marker at its bracket, or after its excerpt. Each kind is searched for from left to right."""
    text = context.text
    targets, form = read
    if text.startswith("]", head_end):
        end = head_end + 1
        return Citation("span", text[start:end], start, end, targets, f"[{form}]")
    opening = _EXCERPT_AFTER_HEAD.match(text, head_end)
    if opening is None:
        return None
    closing = _excerpt_end(context, opening.end(), _CLOSING[opening[1]], kind)
    if closing < 0:
        return None
    raw = text[opening.end() : closing]
    bracket = text.index("]", closing)
    end = bracket + 1
    excerpt = unescape_excerpt(raw)
    slot = "{cited_text!excerpt}" if escape_excerpt(excerpt) == raw else double_braces(raw)
    form = f"[{form}{opening[0]}{slot}{text[closing:end]}"
    return Citation("span", text[start:end], start, end, targets, form, excerpt)


def _excerpt_end(context: Context, start: int, quote: str, kind: str) -> int:
    """Where the quote stands that closes an excerpt: the first one directly before a bracket.

    The place is remembered, so that a million excerpts that nothing closes cost one search.
    """
    text, notes = context.text, context.notes
    for closer in (quote + "]", quote + " ]"):
        known = notes.get(kind + closer, -2)
        if known == -1:
            continue
        if known < start:
            known = text.find(closer, start)
            while known > start and text[known - 1] == "\\":
                backslashes = known - start - len(text[start:known].rstrip("\\"))
                if backslashes % 2 == 0:
                    break
                known = text.find(closer, known + 1)
            notes[kind + closer] = known
        if known >= 0:
            return known
    return -1


def _read_unclosed(found: re.Match[str], context: Context) -> Malformed | None:
    """`[report.pdf:5:10-20` without its bracket."""
    name = found[0][1:].partition(":")[0]
    if not has_ending(name):
        return None
    return Malformed(found[0], found.start(), found.end(), "the bracket [ is not closed", f"{found[0]}]")


def _read_title(match: re.Match[str], context: Context) -> Citation | None:
    """`[Annual Report 2023]` counts only if a source has that name or title."""
    assert context.sources is not None
    return read_known(context.text, match.start(), match.end(), match[1], context.sources)


BRACKETS = (Form(_UNCLOSED, _read_unclosed, turn=ODD), Form(_UNQUOTED, _read_unquoted, turn=ODD))
EXCERPT = Form(f"(?i){_EXCERPT_OPENING}", _read_excerpt, ("|",))
FORMS = (Form(_QUOTED_NAME, _read_quoted, ('["',)), Form(_TITLE, _read_title, ("[",), needs="sources"))
