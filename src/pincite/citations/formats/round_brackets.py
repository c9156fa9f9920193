"""Round brackets and names in prose: `(limits.md)`, `(Source: a.pdf, p. 2)`, `(1)`, `According to limits.md`.

Round brackets hold all kinds of asides, so more is asked of them than of square ones.
"""

from __future__ import annotations

import re

from msgspec import UNSET
from msgspec.structs import replace

from pincite.citations.formats import number, span
from pincite.citations.formats.form import ENDING, LISTS, Context, Form, double_braces, is_mentioned_file
from pincite.citations.formats.span_places import PARTS_HAVE_NAMES, DocumentPlace, read_place
from pincite.records import Citation, SpanTarget

_ROUND = r"\(([^()\[\]\n]{3,240}+)\)"
_WEAK_LEAD = re.compile(r"(?:see(?:[ ]also)?|from|per|via|cf\.|as[ ]per)[ ]", re.I)
_ADDRESS = re.compile(r"://|www\.|@|\b10\.\d{4}|^\d++\.\d")
_FILE_BEFORE = re.compile(
    r"\b(?:files?|documents?|scripts?|modules?|folders?|named|called|as|to|into|in|edit|open|create)[ ]$",
    re.I,
)
_ENDS_CLAUSE = re.compile(r"[*_]{0,3}+(?:[ ]{0,2}+(?:[.,;:!?…)\]|]|\[|\(|$)|\s*+\Z|[ ]*+\n)", re.M)
_HEADING_LIKE = re.compile(r"[\"“§]|section\b|\d|(?-i:[^\W\d_a-z])", re.I)

_NAME_END = rf"(?i)\.{ENDING}(?![\w/-]|\.\w)"
_TO_NAME = re.compile(r".*[\s,;:()\[\]\"“”‘’`*|<>{}]", re.S)
_LONGEST_NAME = 200
_PLACE = re.compile(r",[ ](?:pp?\.[ ]?|pages?[ ]|lines?[ ])\d{1,9}+(?:[-–—]\d{1,9}+)?+(?=[\s,.;)]|$)")
_ATTRIBUTING = re.compile(
    r"\b(?:according[ ]to|based[ ]on|as[ ]per|per|as[ ](?:is[ ])?(?:stated|described|noted|reported|mentioned"
    r"|explained|documented|shown|specified|outlined|defined|listed|set[ ]out)[ ](?:in|by))[ ]"
    r"(?:the[ ](?:file|document|source|page|report)[ ])?[*_“\"‘']{0,3}$",
    re.I,
)

_NUMBERS = r"\((\d{1,3}+(?:[ ]?[,;–—-][ ]?\d{1,3}+)*+)\)"
_WORDS_BEFORE = re.compile(r"(?:([^\W_]{1,20})\.?[ ])?\b([^\W_]{1,40})[*_]{0,3}[ ]?$")
_COUNTED = frozenset(LISTS.words("counted"))
"""Before `(1)` these make it a part or an amount: `step (1)`, `thirty (30) days`."""
_CONJUNCTION = re.compile(
    r"[ ](?:and|but|or|while|whereas|although|though|because|since|so|yet|which|when|after|before|as)\b"
)
_CLOSED_LINE = re.compile(r"\(\d{1,3}\)[.!?]?[ \t]*+$", re.M)


def _read_round(found: re.Match[str], context: Context) -> Citation | None:
    """`(limits.md)`, `(Source: limits.md)`, `(report.pdf, p. 2)`, and a source by the title that it bears."""
    text, sources, content, (start, end) = context.text, context.sources, found[1], found.span()
    if (sources is None and "." not in content) or _ADDRESS.search(content):
        return None
    if start and (text[start - 1].isalnum() or text[start - 1] in "_$]"):
        return None  # a call, or a link
    weak = _WEAK_LEAD.match(content)
    body = content[weak.end() :] if weak else content
    read = span.read_known(text, start, end, body, sources) if sources is not None else None
    if read is None and "." in body:
        other = span.read_bracket(text, start, end, body)
        if type(other) is Citation and _is_cited(other, body, text):
            read = other
    if read is None:
        return None
    lead = double_braces(weak[0]) if weak else ""
    return replace(read, form=f"({lead}{read.form[1:-1]})")


def _is_cited(read: Citation, body: str, text: str) -> bool:
    """Whether a document in round brackets is cited and not only mentioned."""
    if span.has_lead(body):
        return True
    targets = [target for target in read.targets if isinstance(target, SpanTarget)]
    if any(PARTS_HAVE_NAMES.search(target.document) for target in targets):
        return False
    first = targets[0]
    if first.section is not UNSET and not _HEADING_LIKE.match(first.section):
        return False
    if (first.page, first.start, first.lines, first.section) != (None, None, UNSET, UNSET):
        return True
    if any(" " in target.document or is_mentioned_file(target.document) for target in targets):
        return False
    before = text[max(0, read.start - 16) : read.start]
    return _ENDS_CLAUSE.match(text, read.end) is not None and not _FILE_BEFORE.search(before)


def _read_attributed(found: re.Match[str], context: Context) -> Citation | None:
    """`According to limits.md, …` and `… as stated in limits.md.`; the name alone is the marker."""
    # Names are rarer than what may lead to them, so they are looked for first.
    text = context.text
    opening = _TO_NAME.match(text, max(0, found.start() - _LONGEST_NAME), found.start())
    start = opening.end() if opening else found.start()
    if start == found.start() or not _ATTRIBUTING.search(text, max(0, start - 60), start):
        return None
    tail = _PLACE.match(text, found.end())
    end = tail.end() if tail else found.end()
    place = read_place(text[start:end], lambda name: not name.endswith(",")) if tail else None
    if not isinstance(place, DocumentPlace):
        end = found.end()
        place = DocumentPlace(text[start:end], "")
    unknown = context.sources is None or not context.sources.bears(place.name)
    if _ADDRESS.search(place.name) or (unknown and PARTS_HAVE_NAMES.search(place.name)):
        return None
    form = f"{{0.document}}{place.tail}"
    return Citation("span", text[start:end], start, end, (place.target(place.name),), form)


def _read_numbers(found: re.Match[str], context: Context) -> Citation | None:
    """`(1)`, where the answer's references show that number. An enumeration counts, and cites nothing."""
    text, labels, notes, (start, end) = context.text, context.numbered, context.notes, found.span()
    if start >= notes.get("end of the line of (1)", -1):
        line_end = text.find("\n", end)
        notes["end of the line of (1)"] = line_end = len(text) if line_end < 0 else line_end
        closing = _CLOSED_LINE.search(text, max(start, line_end - 12), line_end)
        notes["whether (1) closes its line"] = closing is not None
    if not _may_cite(text, start, end, bool(notes["whether (1) closes its line"])):
        return None
    read = number.read_numbers(text, start, end, found[1], "(", ")", labels)
    if type(read) is Citation and all(target.key in labels for target in read.targets):
        return read
    return None


def _may_cite(text: str, start: int, end: int, closed: bool) -> bool:
    """Whether a number in brackets stands where markers do: at the end of what it speaks for.

    Behind a full stop it does where its line is `closed` by such a number: `It rose. (1) It fell. (2)`.
    """
    before = text[max(0, start - 60) : start]
    bare = before.rstrip(" *_")
    if not bare or len(before) - len(bare) > 4:
        return False
    last = bare[-1]
    if last in '.!?…”"»':
        return closed
    if last.isalnum():
        words = _WORDS_BEFORE.search(before)
        if before == bare or words is None or words[2].lower() in _COUNTED:
            return False
        if words[2].isdecimal() and (words[1] or "").lower() in _COUNTED:
            return False  # `Article 5 (1)`
    elif last not in "%)]’'":
        return False
    return _ENDS_CLAUSE.match(text, end) is not None or _CONJUNCTION.match(text, end) is not None


BRACKETS = ()
FORMS = (
    Form(_ROUND, _read_round, ("(",)),
    Form(_NUMBERS, _read_numbers, ("(",), needs="numbered"),
    Form(_NAME_END, _read_attributed, (".",)),
)
