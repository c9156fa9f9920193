"""Numbers: `[1]`, `[1, 3]`, `[1–3]`, `【3】`, `【4:0†source】`, `^1`, `¹²` and footnotes `[^1]`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.citations.formats.shared import double_braces, is_indexing
from pincite.records import Citation, Malformed, NumberTarget

MOST_IN_A_RANGE = 100
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"

_JOINT_AND_NUMBER = re.compile(r"([^\d]*+)(\d{1,4}+)")
_DASHES = frozenset("-–—")
_BEFORE_INTERVAL = re.compile(r"(?:\bCI|\binterval|\brange|∈|=|\":)[ :]{0,2}$")
_LENTICULAR = re.compile(
    r"【(?:(\d{1,4}+(?::\d{1,4}+)?+)(?:†([^【】\n]{0,200}+))?+】"
    r"|(\d{1,4}+(?:[ ]?[,，、;–—-][ ]?\d{1,4}+)++)】"
    r"|(\d{1,4}+(?::\d{1,4}+)?+†(?:source)?+)(?=[\s.,;]|$))"
)
_CARET = re.compile(
    r"\^(?<!\[\^)"  # a footnote's caret is none
    r"(?:(\d{1,3}+(?:[,–-]\d{1,3}+)*+)\^?+|\{(\d{1,3}+(?:,[ ]?\d{1,3}+)*+)\}|\[(\d{1,3}+)\])(?![\w^])"
)
_RAISED = re.compile(rf"[{SUPERSCRIPTS}]{{1,4}}+(?:(?:[,˒‚ʼ⁻–-]|,[ ])[{SUPERSCRIPTS}]{{1,4}}+)*+(?![^\W_])")
_NUMBERS = r"\d{1,3}+(?:[ ]?[,;–—-][ ]?\d{1,3}+)*+"
_SUP = re.compile(rf"<sup(?:[ ][^<>]{{0,200}}+)?>([ ]?)(?:\[({_NUMBERS})\]|({_NUMBERS}))([ ]?)</sup>", re.I)
_NAMED = re.compile(
    r"(\[(?:source|document|doc|passage|chunk|context|ref|reference|citation|cite)s?+[ ]?[:#]?[ ]?)"
    rf"({_NUMBERS})\]",
    re.IGNORECASE,
)
# After a space a raised digit is a marker only where the word before can end what it cites.
_BEFORE_SIGN = frozenset(
    ("the", "this", "that", "exponent", "superscript", "raised", "character", "about", "and")
)
_AFTER_MARKER = frozenset(" \t\r\n.,;:!?)]”\"'»’")
_RAISED_PIECE = re.compile(rf"[{SUPERSCRIPTS}]++|[^{SUPERSCRIPTS}]++")
_FROM_RAISED = str.maketrans(SUPERSCRIPTS, "0123456789")
_TO_RAISED = str.maketrans("0123456789", SUPERSCRIPTS)
_WORD_BEFORE = re.compile(r"[^\W\d_]{1,40}$")
# Units that are squared and cubed; shorter words than three letters never carry a raised marker anyway.
_UNITS_WORDS = (
    "km cm mm dm nm µm μm um ft yd mi in inch inches feet foot meter meters metre metres mile miles yard "
    "yards sec second seconds kilometer kilometers kilometre kilometres centimeter centimeters "
    "centimetres acre mol kg hr min rad chi eta log sin cos tan exp var deg "
)
_UNITS = frozenset(_UNITS_WORDS.split())


def number_target(number: int) -> NumberTarget:
    return NumberTarget(number, str(number))


def raise_digits(number: int | None) -> str:
    return str(number).translate(_TO_RAISED)


def read_bracket(
    text: str, start: int, end: int, content: str, labels: frozenset[str]
) -> Citation | Malformed | None:
    """`[1]`, `[1, 3]`, `[1–3]`. A year, an interval, an index and a zero are none."""
    if start and (text[start - 1].isalnum() or text[start - 1] in "_$]") and is_indexing(text, start, end):
        return None
    if content.isdecimal():
        number = int(content)
        if int(content[0]) == 0 or (1500 <= number <= 2100 and content not in labels):
            return None
        form = "[{0.number}]" if content.isascii() else "[{0.key}]"
        return Citation("number", text[start:end], start, end, (NumberTarget(number, content),), form)
    if _BEFORE_INTERVAL.search(text, max(0, start - 12), start):
        return None
    return read_numbers(text, start, end, content, "[", "]", labels)


def read_spaced(
    text: str, start: int, end: int, content: str, labels: frozenset[str]
) -> Citation | Malformed | None:
    """`[ 1 ]` and `[ 1 , 3 ]`, which arrays of numbers look like too."""
    if start and (text[start - 1].isalnum() or text[start - 1] in "_$]") and is_indexing(text, start, end):
        return None
    if _BEFORE_INTERVAL.search(text, max(0, start - 12), start):
        return None
    numbers = content.strip(" ")
    at = content.index(numbers)
    opening, closing = f"[{content[:at]}", f"{content[at + len(numbers) :]}]"
    return read_numbers(text, start, end, numbers, opening, closing, labels)


def read_numbers(
    text: str, start: int, end: int, content: str, opening: str, closing: str, labels: frozenset[str]
) -> Citation | Malformed | None:
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
                return _bad_range(text, start, end, first, number)
            targets += [NumberTarget(between, str(between)) for between in range(first + 1, number)]
        # In the digits of another script, only the key holds them as they were written.
        form.append(f"{joint}{{{len(targets)}.{'number' if digits.isascii() else 'key'}}}")
        targets.append(NumberTarget(number, digits))
    form.append(closing)
    return Citation("number", text[start:end], start, end, tuple(targets), "".join(form))


def _bad_range(text: str, start: int, end: int, first: int, last: int) -> Malformed:
    if last <= first:
        problem = f"the range {first}–{last} runs backwards"
    else:
        problem = f"the range {first}–{last} names more than {MOST_IN_A_RANGE} entries"
    return Malformed(text[start:end], start, end, problem)


def read_footnote(text: str, start: int, end: int, label: str) -> Citation:
    """`[^1]` and `[^name]`; a name has no number, its key is the label."""
    if label.isdecimal() and label.isascii() and label[0] != "0" and len(label) <= 9:
        target = NumberTarget(int(label), label)
    else:
        target = NumberTarget(None, label)
    return Citation("number", text[start:end], start, end, (target,), "[^{0.key}]")


def find_lenticular(text: str) -> Iterator[Citation | Malformed]:
    """`【3】`, `【3†source】`, `【4:0†source】`, `【1, 2】`."""
    for found in _LENTICULAR.finditer(text):
        start, end = found.span()
        key, label, several, unclosed = found.groups()
        if key is not None:
            number = int(key.partition(":")[0])
            if label is None:
                target, form = NumberTarget(number, key), "【{0.key}】"
            else:
                target, form = NumberTarget(number, key, label), "【{0.key}†{0.label}】"
            yield Citation("number", found[0], start, end, (target,), form)
        elif several is not None:
            read = read_numbers(text, start, end, several, "【", "】", frozenset())
            if read is not None:
                yield read
        else:
            whole = unclosed.endswith("source")
            problem = "the bracket 【 is not closed"
            yield Malformed(found[0], start, end, problem, f"{found[0]}】" if whole else None)


def find_carets(text: str) -> Iterator[Citation]:
    """`^1`, `^1,2^`, `^{1}`, `^[1]` after a word of prose or its punctuation; `x^2` is a power."""
    for found in _CARET.finditer(text):
        start, end = found.span()
        if not may_carry_raised(text, start):
            continue
        content = found[1] or found[2] or found[3]
        opening, closing = (
            text[start : found.start(found.lastindex or 1)],
            text[found.end(found.lastindex or 1) : end],
        )
        read = read_numbers(
            text, start, end, content, double_braces(opening), double_braces(closing), frozenset()
        )
        if isinstance(read, Citation):
            yield read


def has_raised(text: str) -> bool:
    """Whether raised digits can stand in the text. Written out, because it is asked of every text."""
    return (
        ("¹" in text or "²" in text or "³" in text or "⁴" in text or "⁵" in text)
        or ("⁶" in text or "⁷" in text or "⁸" in text or "⁹" in text)
    )  # fmt: skip


def find_raised(text: str) -> Iterator[Citation]:
    """`¹²` is entry 12, `¹,²` are two, `¹⁻³` three; x², km² and 10³ are powers."""
    for found in _RAISED.finditer(text):
        start, end = found.span()
        if not may_carry_raised(text, start) or (
            text[start - 1] == " " and end < len(text) and text[end] not in _AFTER_MARKER
        ):
            continue
        targets: list[NumberTarget] = []
        form: list[str] = []
        joint = ""
        for piece in _RAISED_PIECE.findall(found[0]):
            if piece[0] not in SUPERSCRIPTS:
                form.append(piece)
                joint = piece
                continue
            digits = piece.translate(_FROM_RAISED)
            number = int(digits)
            if digits[0] == "0":
                break
            if joint in ("⁻", "–", "-"):
                first = targets[-1].number or 0
                if number <= first or number - first >= MOST_IN_A_RANGE:
                    break
                targets += [number_target(between) for between in range(first + 1, number)]
            form.append(f"{{{len(targets)}.number!raised}}")
            targets.append(number_target(number))
        else:
            yield Citation("number", found[0], start, end, tuple(targets), "".join(form))


def may_carry_raised(text: str, start: int) -> bool:
    """Whether a raised number at `start` can be a marker: what stands before it is prose, not a quantity."""
    if start == 0:
        return False
    before = text[start - 1]
    if before in ".,;:!?\"”’'»…*_%":
        return start >= 2 and not (
            before == "." and text[start - 2].isdecimal() and text[start : start + 1] == "^"
        )
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


def find_named(text: str) -> Iterator[Citation]:
    """`[Source 1]`, `[doc2]`, `[cite: 3]`: a number with the word for what it counts."""
    for found in _NAMED.finditer(text):
        start, end = found.span()
        read = read_numbers(text, start, end, found[2], found[1], "]", frozenset())
        if isinstance(read, Citation):
            yield read


def find_sups(text: str) -> Iterator[Citation]:
    """`<sup>3</sup>` and `<sup>[1, 3]</sup>` after prose; `x<sup>2</sup>` is a power."""
    last = -1
    for found in _SUP.finditer(text):
        start, end = found.span()
        bracketed, bare = found[2], found[3]
        if bracketed is None and start != last and not may_carry_raised(text, start):
            continue
        content = bracketed or bare
        at = found.start(2 if bare is None else 3)
        opening, closing = text[start:at], text[at + len(content) : end]
        read = read_numbers(
            text, start, end, content, double_braces(opening), double_braces(closing), frozenset()
        )
        if isinstance(read, Citation):
            last = end
            yield read
