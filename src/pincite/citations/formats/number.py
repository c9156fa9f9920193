"""Numbers: `[1]`, `[1, 3]`, `[1–3]`, `【3】`, `【4:0†source】`, `^1`, `¹²` and footnotes `[^1]`."""

from __future__ import annotations

import re

from pincite.citations.formats.form import LISTS, ODD, PLAIN, Context, Form, Found, double_braces, is_indexing
from pincite.records import Citation, Malformed, NumberTarget
from pincite.text import word_set

MOST_IN_A_RANGE = 100
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"

_JOINT_AND_NUMBER = re.compile(r"(?:\A|(?<=\d))([^\d]*+)(\d{1,4}+)")
_DASHES = frozenset("-–—⁻")
_BEFORE_INTERVAL = re.compile(r"(?:\bCI|\binterval|\brange|∈|=|\":)[ :]{0,2}$")
_LENTICULAR = (
    r"【(?:(\d{1,4}+(?::\d{1,4}+)?+)(?:†([^【】\n]{0,200}+))?+】"
    r"|(\d{1,4}+(?:[ ]?[,，、;–—-][ ]?\d{1,4}+)++)】"
    r"|(\d{1,4}+(?::\d{1,4}+)?+†(?:source)?+)(?=[\s.,;]|$))"
)
_CARET = (
    r"\^(?<!\[\^)"  # not a footnote's caret
    r"(?:(\d{1,3}+(?:[,–-]\d{1,3}+)*+)\^?+|\{(\d{1,3}+(?:,[ ]?\d{1,3}+)*+)\}|\[(\d{1,3}+)\])(?![\w^])"
)
_RAISED = (
    rf"(?<![{SUPERSCRIPTS}][,˒‚ʼ⁻–-])(?<![{SUPERSCRIPTS}],[ ])"  # not within a list: it was tried as a whole
    rf"[{SUPERSCRIPTS}]{{1,4}}+(?:(?:[,˒‚ʼ⁻–-]|,[ ])[{SUPERSCRIPTS}]{{1,4}}+)*+(?![^\W_])"
)
_LIST = r"\d{1,4}+(?:[ ]?[,;–—-][ ]?\d{1,4}+)*+"
_NUMBERS = r"\d{1,3}+(?:[ ]?[,;–—-][ ]?\d{1,3}+)*+"
_SUP = rf"(?i)<sup(?:[ ][^<>]{{0,200}}+)?>[ ]?(?:\[({_NUMBERS})\]|({_NUMBERS}))[ ]?</sup>"
_NAMED = (
    r"(?i)\[(?:source|document|doc|passage|chunk|context|ref|reference|citation|cite)s?+[ ]?[:#]?[ ]?"
    rf"({_NUMBERS})\]"
)
# After a space a raised digit is a marker only where the word before can end what it cites.
_BEFORE_SIGN = word_set("the this that exponent superscript raised character about and")
_AFTER_MARKER = frozenset(" \t\r\n.,;:!?)]”\"'»’")
FROM_RAISED = str.maketrans(SUPERSCRIPTS, "0123456789")
_TO_RAISED = str.maketrans("0123456789", SUPERSCRIPTS)
_WORD_BEFORE = re.compile(r"[^\W\d_]{1,40}$")
_UNITS = frozenset(LISTS.words("raised units"))


def raise_digits(number: int | None) -> str:
    return str(number).translate(_TO_RAISED)


def read_bracket(start: int, end: int, content: str, context: Context) -> Found | None:
    """`[1]`, `[1, 3]`, `[1–3]`, `[ 1 ]`. Not a year, an interval, an index or a zero."""
    text = context.text
    if start and (text[start - 1].isalnum() or text[start - 1] in "_$]") and is_indexing(text, start, end):
        return None
    if content.isdecimal():  # most markers
        if int(content[0]) == 0 or (1500 <= int(content) <= 2100 and content not in context.labels):
            return None
        form = "[{0.number}]" if content.isascii() else "[{0.key}]"
        return Citation("number", text[start:end], start, end, (NumberTarget(int(content), content),), form)
    if _BEFORE_INTERVAL.search(text, max(0, start - 12), start):
        return None
    numbers = content.strip(" ")
    before, _, after = content.partition(numbers)
    return read_numbers(text, start, end, numbers, f"[{before}", f"{after}]", context.labels)


def _read_broken(match: re.Match[str], context: Context) -> Malformed | None:
    """`[1,]` and `[1-]` in prose."""
    text, (start, end), content = context.text, match.span(), match["broken"]
    if content[0] == "0" or (start and (text[start - 1].isalnum() or text[start - 1] in "_$)]=")):
        return None
    if is_indexing(text, start, end):
        return None
    kept = content.rstrip(" ,;")
    whole = not kept.endswith(("-", "–"))
    return Malformed(match[0], start, end, "the list of numbers breaks off", f"[{kept}]" if whole else None)


def read_numbers(
    text: str,
    start: int,
    end: int,
    content: str,
    opening: str,
    closing: str,
    labels: frozenset[str] = frozenset(),
    raised: bool = False,
) -> Found | None:
    """Numbers joined by commas and dashes: every number of a range is a target."""
    targets: list[NumberTarget] = []
    form = [opening]
    for joint, digits in _JOINT_AND_NUMBER.findall(content):
        number = int(digits)
        if int(digits[0]) == 0 or (1500 <= number <= 2100 and digits not in labels):
            return None
        if joint.strip() in _DASHES:
            first = targets[-1].number or 0
            if number <= first or number - first >= MOST_IN_A_RANGE:
                what = "runs backwards" if number <= first else f"names more than {MOST_IN_A_RANGE} entries"
                return Malformed(text[start:end], start, end, f"the range {first}–{number} {what}")
            targets += [NumberTarget(between, str(between)) for between in range(first + 1, number)]
        # In the digits of another script, only the key holds them as they were written.
        slot = "number!raised" if raised else "number" if digits.isascii() else "key"
        form.append(f"{joint}{{{len(targets)}.{slot}}}")
        targets.append(NumberTarget(number, digits))
    form.append(closing)
    return Citation("number", text[start:end], start, end, tuple(targets), "".join(form))


def _read_footnote(match: re.Match[str], context: Context) -> Citation:
    """`[^1]` and `[^name]`; a name has no number, its key is the label."""
    label = match["footnote"]
    numbered = label.isdecimal() and label.isascii() and label[0] != "0" and len(label) <= 9
    target = NumberTarget(int(label) if numbered else None, label)
    return Citation("number", match[0], *match.span(), (target,), "[^{0.key}]")


def _read_lenticular(match: re.Match[str], context: Context) -> Found | None:
    """`【3】`, `【3†source】`, `【4:0†source】`, `【1, 2】`."""
    start, end = match.span()
    key, label, several, unclosed = match.groups()
    if key is not None:
        number = int(key.partition(":")[0])
        if label is None:
            target, form = NumberTarget(number, key), "【{0.key}】"
        else:
            target, form = NumberTarget(number, key, label), "【{0.key}†{0.label}】"
        return Citation("number", match[0], start, end, (target,), form)
    if several is not None:
        return read_numbers(context.text, start, end, several, "【", "】")
    whole = unclosed.endswith("source")
    return Malformed(match[0], start, end, "the bracket 【 is not closed", f"{match[0]}】" if whole else None)


def _read_caret(match: re.Match[str], context: Context) -> Citation | None:
    """`^1`, `^1,2^`, `^{1}`, `^[1]` after a word of prose or its punctuation; `x^2` is a power."""
    is_marker = may_carry_raised(context.text, match.start())
    return _read_inside(match, match.lastindex or 1, context) if is_marker else None


def _read_inside(match: re.Match[str], group: int, context: Context) -> Citation | None:
    """The numbers that the group holds; what stands around them is part of the form."""
    text, (start, end) = context.text, match.span()
    opening, closing = text[start : match.start(group)], text[match.end(group) : end]
    read = read_numbers(text, start, end, match[group], double_braces(opening), double_braces(closing))
    return read if isinstance(read, Citation) else None


def _read_raised(match: re.Match[str], context: Context) -> Citation | None:
    """`¹²` is entry 12, `¹,²` are two, `¹⁻³` three; x², km² and 10³ are powers."""
    text, (start, end) = context.text, match.span()
    if not may_carry_raised(text, start):
        return None
    if text[start - 1] == " " and end < len(text) and text[end] not in _AFTER_MARKER:
        return None
    read = read_numbers(text, start, end, match[0].translate(FROM_RAISED), "", "", raised=True)
    return read if isinstance(read, Citation) else None


def may_carry_raised(text: str, start: int) -> bool:
    """Whether a raised number at `start` can be a marker: what stands before it is prose, not a quantity."""
    if start == 0:
        return False
    before = text[start - 1]
    if before in ".,;:!?\"”’'»…*_%":
        power = before == "." and text[start - 2].isdecimal() and text[start : start + 1] == "^"
        return start >= 2 and not power
    if before == ")" or before == "]":
        opening = text.rfind("(" if before == ")" else "[", max(0, start - 120), start)
        inside = text[opening + 1 : start - 1] if opening >= 0 else ""
        return sum(map(str.isalpha, inside)) >= 4 and not any(sign in inside for sign in "+=*/^")
    if before == " ":
        if start < 2 or text[start] == "^":
            return False
        return text[start - 2] in '.!?”"' or _ends_with_prose(text, start - 1, _BEFORE_SIGN)
    return _ends_with_prose(text, start, frozenset())


def _ends_with_prose(text: str, end: int, signs: frozenset[str]) -> bool:
    """Whether a word of prose ends there: no unit, no variable, none of `signs`."""
    word = _WORD_BEFORE.search(text, max(0, end - 40), end)
    if word is None or len(word[0]) < 3 or word[0].lower() in _UNITS or word[0].lower() in signs:
        return False
    lead = text[word.start() - 1] if word.start() else " "
    return not (lead.isdecimal() or lead in "_\\/^")


def _read_sup(match: re.Match[str], context: Context) -> Citation | None:
    """`<sup>3</sup>` and `<sup>[1, 3]</sup>` after prose or another one; `x<sup>2</sup>` is a power."""
    bracketed, start = match[1] is not None, match.start()
    beside = context.notes.get("end of the last <sup>") == start
    if not bracketed and not beside and not may_carry_raised(context.text, start):
        return None
    read = _read_inside(match, 1 if bracketed else 2, context)
    if read is not None:
        context.notes["end of the last <sup>"] = read.end
    return read


BRACKETS = (
    Form(
        rf"(?P<numbers>{_LIST})\](?!\([^\s()]{{1,2000}}+\))",
        lambda match, context: read_bracket(*match.span(), match["numbers"], context),
        turn=PLAIN,
    ),
    Form(r"\^(?P<footnote>[^\]\[\s^]{1,100}+)\]", _read_footnote, turn=PLAIN),
    Form(rf"(?P<broken>{_LIST}[ ]?[,;–-][ ]?)\]", _read_broken, turn=ODD),
    Form(
        rf"(?P<spaced>[ ]{{1,2}}+{_LIST}[ ]{{0,2}}+|{_LIST}[ ]{{1,2}}+)\](?!\()",
        lambda match, context: read_bracket(*match.span(), match["spaced"], context),
        turn=ODD,
    ),
)
FORMS = (
    Form(_NAMED, lambda match, context: _read_inside(match, 1, context), ("[",)),
    Form(_SUP, _read_sup, ("<",)),
    Form(_CARET, _read_caret, ("^",)),
    Form(_LENTICULAR, _read_lenticular, ("【",)),
    Form(_RAISED, _read_raised, tuple("¹²³⁴⁵⁶⁷⁸⁹")),
)
