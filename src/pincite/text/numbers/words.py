"""Numbers as they are written: the tokens of a text, and what digits and words among them spell."""

from __future__ import annotations

import re
from typing import NamedTuple

from msgspec import Struct

from pincite.text.wordlists import LISTS, word_set

_TOKEN = re.compile(r"(\d++(?:[.,]\d++|['’]\d{3}(?!\d))*+)|([^\W\d_]++(?:['’][^\W\d_]++)*+)|([^\w\s]|_)")

_CELL_COMMA = re.compile(r",(?<=[^\W\d_],)(?=[^\s,])")
"""The comma comes first, so that the search runs from comma to comma."""
_COMMA = re.compile(r",(?! )")

NUMBER, WORD, SIGN, END = 1, 2, 3, 0


def is_cell_line(line: str) -> bool:
    """Whether a line is a row of comma-separated values: `Acme,$10M,50,2020`."""
    return _CELL_COMMA.search(line) is not None and len(_COMMA.findall(line)) > 1


def cells_apart(text: str) -> str:
    """The text, as long as before, with tabs for the commas between cells: 50 and 2020 are two numbers."""
    if not _CELL_COMMA.search(text):
        return text
    lines = text.split("\n")
    return "\n".join(_tabs(line) if is_cell_line(line) else line for line in lines)


def _tabs(line: str) -> str:
    """Commas inside double quotes belong to the cell."""
    parts = line.split('"')
    return '"'.join(part if place % 2 else _COMMA.sub("\t", part) for place, part in enumerate(parts))


class Token(Struct, gc=False):
    """One token; `kind` is NUMBER, WORD, SIGN, or END for what stands outside the text."""

    kind: int
    text: str
    lower: str
    start: int
    end: int


NOTHING = Token(END, "", "", -1, -2)
_PADDING = [NOTHING] * 16
"""Readers look a few tokens ahead and, by negative indices, behind: both land here, unchecked."""


class NumberTokens(list[Token]):
    """The tokens of a text, then some `NOTHING`. `real` is how many come before it.

    `source` is the text that offsets count in; `text` is what was read, as long, with addresses blanked.
    """

    __slots__ = ("real", "source", "text")

    def __init__(self, text: str, source: str | None = None) -> None:
        super().__init__(
            [
                Token(match.lastindex or 0, word, word.lower(), match.start(), match.end())
                for match in _TOKEN.finditer(text)
                for word in (match[0],)
            ]
        )
        self.text = text
        self.source = text if source is None else source
        self.real = len(self)
        self.extend(_PADDING)

    def joined(self, index: int) -> bool:
        """True when nothing stands between this token and the one before it."""
        return self[index - 1].end == self[index].start


# --- the numbers ---

UNITS_AND_TEENS = {word: value for value, word in enumerate(LISTS.words("zero to nineteen"))}
TENS = {word: 10 * value for value, word in enumerate(LISTS.words("tens"), start=2)}
MAGNITUDES = {word: int(exponent) for word, exponent in LISTS.keys("magnitudes").items()}
LETTERS = {"k": 3, "K": 3, "M": 6, "B": 9, "T": 12, "MM": 6}
"""Letters directly after a number; with a currency also `m`, `b` and `t`."""
MONEY_LETTERS = LETTERS | {"m": 6, "b": 9, "t": 12}
ORDINALS = {word: value for value, word in enumerate(LISTS.words("ordinals"), start=1)}
FRACTIONS = {"½": 0.5, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 0.25, "¾": 0.75, "⅕": 0.2, "⅛": 0.125}
PARTS = {word: int(part) for word, part in LISTS.keys("parts").items()}
SUFFIXES = frozenset({"st", "nd", "rd", "th"})
_LARGE = frozenset({"hundred", "thousand", "million", "billion"})
STARTERS = _LARGE.union(UNITS_AND_TEENS, TENS, FRACTIONS, ("half", "dozen", "a", "an", "twice", "thrice"))

PART_SLACK = 0.01
"""How far a share may be from the part that words give it: 67% is two thirds, 60% is not."""

MAX_DIGITS = 40
"""A longer run of digits is a name, not a number."""

_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})++(?:\.\d++)?+")
_INDIAN = re.compile(r"\d{1,2}(?:,\d{2}(?=,))++,\d{3}(?:\.\d++)?+")
_EUROPEAN = re.compile(r"\d{1,3}(?:\.\d{3})++,\d++|\d{1,3}(?:\.\d{3}){2,}+")
_COMMA_DECIMAL = re.compile(r"\d++,\d{1,2}|0,\d++")
_SWISS = re.compile(r"\d{1,3}(?:['’]\d{3})++(?:\.\d++)?+")
_PLAIN = re.compile(r"\d++(?:\.\d++)?+")
_SPACE_GROUP = re.compile(r"(?:[\u00a0\u2009\u202f]\d{3}(?!\d))++|(?: \d{3}(?![\d.,]\d|\d))++")
_TORN_GROUP = re.compile(
    r", 0\d{2}(?!\d)(?:, ?\d{3}(?!\d))*+|(?:, \d{3}(?!\d)){2,}+(?!,? (?:and|or|&|to) \d|, ?\d|[-–:/]\d)"
)
"""`3, 000` and `53, 193, 914`: a comma and a space inside a number. No number begins with a zero, but
`3, 100` may be two, and a list goes on after the third or is announced as one."""
_LISTED = re.compile(
    r"(?:\d, ?|\b(?:pages?|pp?\.?|nos?\.?|numbers|lines?|rooms?|sections?|items?|and|or) )$", re.I
)


class Core(NamedTuple):
    """A number without its unit. `slack` is half a unit of its last digit, `loose` of its zeros."""

    value: float
    slack: float
    loose: float
    next: int
    """The index of the token after it."""
    plain: bool = False
    """An unbroken run of digits, as a year is."""
    spelled: bool = False
    ordinal: bool = False
    part: bool = False
    """A fraction in words: `half`, `two thirds`."""
    exponent: int = 0
    """The power of ten of its magnitude word, for `5 to 10 million`."""


def read_digits(run: str) -> tuple[str, int] | None:
    """Digits with a point as the only separator, and how many decimals; None for anything else."""
    if len(run) > MAX_DIGITS:
        return None
    if _PLAIN.fullmatch(run):
        digits = run
    elif _GROUPED.fullmatch(run) or _INDIAN.fullmatch(run):
        digits = run.replace(",", "")
    elif _SWISS.fullmatch(run):
        digits = run.replace("'", "").replace("’", "")
    elif _EUROPEAN.fullmatch(run):
        digits = run.replace(".", "").replace(",", ".")
    elif _COMMA_DECIMAL.fullmatch(run):
        digits = run.replace(",", ".")
    else:
        return None
    return digits, len(digits.partition(".")[2])


def read_core(tokens: NumberTokens, index: int, money: bool = False) -> Core | None:
    """The number that begins at this token, with its magnitude (`2.5 million`, `10K`), or None."""
    token = tokens[index]
    if token.kind == NUMBER:
        return _read_digit_core(tokens, index, money)
    if token.kind == WORD and token.lower in STARTERS:
        return _read_word_core(tokens, index)
    return None


def _read_digit_core(tokens: NumberTokens, index: int, money: bool) -> Core | None:
    token = tokens[index]
    read = read_digits(token.text)
    if read is None:
        return None
    digits, decimals = read
    after = index + 1
    plain = token.text.isdigit()
    if plain and len(digits) <= 3 and digits[0] != "0":
        grouped = _SPACE_GROUP.match(tokens.text, token.end)
        if grouped and len(grouped.group()) <= MAX_DIGITS:
            digits += "".join(char for char in grouped.group() if char.isdigit())
            after += len(grouped.group()) // 4
            plain = False
        elif (
            (torn := _TORN_GROUP.match(tokens.text, token.end))
            and len(torn.group()) <= MAX_DIGITS
            and (torn[0][2] == "0" or not _LISTED.search(tokens.text, max(0, token.start - 12), token.start))
        ):
            digits += "".join(char for char in torn.group() if char.isdigit())
            while tokens[after].kind and tokens[after].end <= torn.end():
                after += 1
            plain = False
    fraction = FRACTIONS.get(tokens[after].text) if tokens.joined(after) or plain else None
    if fraction is not None and plain:
        return Core(float(digits) + fraction, 0.0, 0.0, after + 1)
    exponent, after = _read_power(tokens, after) or read_magnitude(tokens, after, money)
    value = float(f"{digits}e{exponent}")
    slack = 0.5 * 10.0 ** min(exponent - decimals, 300)
    loose = slack
    if exponent == 0 and decimals == 0 and value >= 1000:
        zeros = len(digits) - len(digits.rstrip("0"))
        loose = 0.5 * 10.0**zeros if zeros >= 2 else slack
    return Core(value, slack, loose, after, plain=plain and after == index + 1, exponent=exponent)


def _read_power(tokens: NumberTokens, index: int) -> tuple[int, int] | None:
    """`× 10^6` after a number, or None."""
    if tokens[index].lower not in {"×", "x", "·", "*"} or tokens[index + 1].text != "10":
        return None
    after = tokens[index + 2]
    if after.text == "^" and tokens[index + 3].kind == NUMBER and len(tokens[index + 3].text) <= 2:
        read = tokens[index + 3].text
        return (int(read), index + 4) if read.isdigit() else None
    raised = after.text.translate(_RAISED) if tokens.joined(index + 2) else ""
    return (int(raised), index + 3) if raised.isascii() and raised.isdigit() and len(raised) <= 2 else None


_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def read_magnitude(tokens: NumberTokens, index: int, money: bool) -> tuple[int, int]:
    """The powers of ten of the magnitude words at this token, and the index after them."""
    exponent = 0
    letters = MONEY_LETTERS if money else LETTERS
    letter = tokens[index].text
    if tokens.joined(index):
        ends = not tokens.joined(index + 1) or tokens[index + 1].kind not in (NUMBER, WORD)
        if letter in letters and ends:
            return letters[letter], index + 1
    elif money and letter in {"M", "B", "K"}:
        return letters[letter], index + 1
    for _ in range(2):
        start = index + 1 if tokens[index].text == "-" and tokens[index + 1].lower in MAGNITUDES else index
        if tokens[start].lower not in MAGNITUDES:
            break
        exponent += MAGNITUDES[tokens[start].lower]
        index = start + 1
    return exponent, index


def _read_word_core(tokens: NumberTokens, index: int) -> Core | None:
    first = tokens[index].lower
    if first in FRACTIONS:
        return Core(FRACTIONS[first], PART_SLACK, PART_SLACK, index + 1, part=True)
    if first in {"twice", "thrice"}:
        return Core(2.0 if first == "twice" else 3.0, 0.5, 0.5, index + 1, spelled=True)
    if first == "half":
        return _read_half(tokens, index)
    if first == "dozen":
        return Core(12.0, 0.5, 0.5, index + 1, spelled=True) if tokens[index - 1].kind != NUMBER else None
    if first in {"a", "an"}:
        return _read_article(tokens, index)
    return _read_cardinal(tokens, index)


def _read_half(tokens: NumberTokens, index: int) -> Core | None:
    """`half a million`, `half an hour`, `half of them`, `by half`; not `the second half` nor `half-time`."""
    before, after, halved = (tokens[index + step].lower for step in (-1, 1, 2))
    if after in {"a", "an"}:
        if halved in MAGNITUDES:
            value = 0.5 * 10.0 ** MAGNITUDES[halved]
            return Core(value, value / 10, value / 10, index + 3, spelled=True)
        if halved == "dozen":
            return Core(6.0, 0.5, 0.5, index + 3, spelled=True)
        if halved in HALVED:
            return Core(0.5, 0.05, 0.05, index + 2, spelled=True)
    if before in _NOT_HALF:
        return None
    of_a_whole = after in {"of", "the", "its", "their", "all", "off", "price"}
    if of_a_whole or (before in {"by", "in"} and not _goes_on(tokens, index + 1)):
        return Core(0.5, PART_SLACK, PART_SLACK, index + 1, part=True)
    return None


def _goes_on(tokens: NumberTokens, index: int) -> bool:
    """Whether a word follows that `half` may belong to: `by half a point`, but not `by half since May`."""
    token = tokens[index]
    return token.text == "-" or (token.kind == WORD and token.lower not in _AFTER_HALF)


_AFTER_HALF = word_set(
    "since from over after compared between during when if and in to on as while because within last this"
)
HALVED = word_set("hour minute day year decade century mile kilo kilometre litre")
"""What `half an` is said of, as a measure."""
_NOT_HALF = frozenset(ORDINALS) | {"other", "latter", "last", "upper", "lower", "early", "later"}
_AND_A_HALF = ["and", "a", "half"]


def _read_article(tokens: NumberTokens, index: int) -> Core | None:
    word = tokens[index + 1].lower
    if word == "dozen":
        return Core(12.0, 0.5, 0.5, index + 2, spelled=True)
    if word in {"hundred", "thousand", "million", "billion", "trillion"}:
        exponent, after = read_magnitude(tokens, index + 1, money=False)
        value = 10.0**exponent
        return Core(value, value / 2, value / 2, after, spelled=True)
    if word in HALVED | {"week", "month"} and [tokens[index + at].lower for at in (2, 3, 4)] == _AND_A_HALF:
        return Core(1.5, 0.05, 0.05, index + 1, spelled=True)
    by = tokens[index - 1].lower == "by" and not _goes_on(tokens, index + 2)
    if word in {"third", "quarter", "fifth", "half"} and (tokens[index + 2].lower == "of" or by):
        return Core(1 / PARTS[word], PART_SLACK, PART_SLACK, index + 2, part=True)
    return None


def _read_cardinal(tokens: NumberTokens, index: int) -> Core | None:
    """`twenty-one`, `two hundred and five thousand`, `two and a half million`, `two thirds`."""
    total, current, last = 0.0, 0.0, index
    place = index
    smallest = 1.0
    while True:
        word = tokens[place].lower
        if word in UNITS_AND_TEENS or word in TENS:
            small = word in UNITS_AND_TEENS
            if place > index and not _continues(tokens, place, small):
                break
            current += UNITS_AND_TEENS[word] if small else TENS[word]
        elif word == "hundred":
            current = max(current, 1.0) * 100
        elif word in MAGNITUDES and place > index:
            smallest = 10.0 ** MAGNITUDES[word]
            total += max(current, 1.0) * smallest
            current = 0.0
        elif word in {"thousand", "million", "billion"}:
            return None
        else:
            break
        last = place
        place += 1
        if tokens[place].text == "-" or (tokens[place].lower == "and" and tokens[last].lower in _LARGE):
            place += 1
    value = total + current
    after = last + 1
    if [tokens[after + at].lower for at in (0, 1, 2)] == _AND_A_HALF:
        exponent, end = read_magnitude(tokens, after + 3, money=False)
        return Core((value + 0.5) * 10.0**exponent, 0.05 * 10.0**exponent, 0.0, end, spelled=True)
    skip = after + 1 if tokens[after].text == "-" else after
    part = PARTS.get(tokens[skip].lower)
    if part is not None and 1 <= value < 10 and tokens[skip].lower not in {"second", "half"}:
        return Core(value / part, PART_SLACK, PART_SLACK, skip + 1, part=True)
    if tokens[after].lower == "dozen":
        return Core(12.0 * value, 0.5, 0.5, after + 1, spelled=True)
    slack = 0.5 * smallest if current == 0 else 0.5
    return Core(value, slack, slack, after, spelled=True)


def _continues(tokens: NumberTokens, place: int, small: bool) -> bool:
    """Whether a number word belongs to the number before it: `twenty` `one`, but not `five` `two`."""
    before = tokens[place - 1]
    word = tokens[place - 2].lower if before.text == "-" or before.lower == "and" else before.lower
    if word in TENS:
        return small and 0 < UNITS_AND_TEENS.get(tokens[place].lower, 0) < 10
    return word in MAGNITUDES


def read_ordinal(tokens: NumberTokens, index: int) -> Core | None:
    """`3rd`, `third`, `twenty-first`; the slack of an ordinal is nothing."""
    token = tokens[index]
    if token.kind == NUMBER:
        suffixed = tokens.joined(index + 1) and tokens[index + 1].lower in SUFFIXES
        if suffixed and token.text.isdigit() and len(token.text) <= 4:
            return Core(float(token.text), 0.0, 0.0, index + 2, ordinal=True)
        return None
    if token.lower in ORDINALS:
        return Core(float(ORDINALS[token.lower]), 0.0, 0.0, index + 1, ordinal=True)
    last = ORDINALS.get(tokens[index + 2].lower, 0) if tokens[index + 1].text == "-" else 0
    if token.lower in TENS and 0 < last < 10:
        return Core(float(TENS[token.lower] + last), 0.0, 0.0, index + 3, ordinal=True)
    return None
