"""What the rule judge knows of a text: its content words, its sentences, its quantities."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property, wraps
from operator import attrgetter
from typing import Any, TypeVar
from weakref import ref

from msgspec import Struct

from pincite.records import Pair, Span
from pincite.text import (
    UNSPACED,
    Quantity,
    Term,
    cells_apart,
    find_quantities,
    find_terms,
    is_cell_line,
    split_sentences,
)

T = TypeVar("T")

_UNSPACED = re.compile(f"[{UNSPACED}]")


def paired(terms: list[Term]) -> list[Term]:
    """Neighbouring characters of scripts without spaces, two by two: one alone says too little."""
    pairs: list[Term] = []
    for index, term in enumerate(terms):
        if not _UNSPACED.match(term.text):
            pairs.append(term)
            continue
        following = terms[index + 1] if index + 1 < len(terms) else None
        if following is not None and following.start == term.end and _UNSPACED.match(following.text):
            both = term.text + following.text
            pairs.append(Term(both, both, term.start, following.end, False))
        elif index == 0 or terms[index - 1].end != term.start or not _UNSPACED.match(terms[index - 1].text):
            pairs.append(term)
    return pairs


class Stretch:
    """Some words of a text: one sentence, or all of it. What is found out about them is kept."""

    def __init__(self, text: str, terms: list[Term]) -> None:
        self.text = text
        """The whole text, in which offsets count."""
        self.terms = terms
        self.memo: dict[Any, Any] = {}

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset([term.stem for term in self.terms])


Asked = TypeVar("Asked", bound=Stretch)


def once_per_text(find: Callable[[Asked], T]) -> Callable[[Asked], T]:
    """The same function, worked out once for each stretch: claims and sentences are compared many times."""

    @wraps(find)
    def ask(stretch: Asked) -> T:
        try:
            found: T = stretch.memo[find]
        except KeyError:
            found = stretch.memo[find] = find(stretch)
        return found

    return ask


_start_of = attrgetter("start")


class ReadSentence(Stretch):
    """One sentence of a text, whatever it is compared with."""

    def __init__(self, reading: ReadText, span: Span) -> None:
        super().__init__(reading.text, reading.terms_in_range(span.start, span.end))
        # Weak, so that a reading goes as soon as nobody needs it, and not when cycles are next looked for.
        self._reading = ref(reading)
        self.span = span

    @property
    def reading(self) -> ReadText:
        reading = self._reading()
        assert reading is not None, "a sentence is asked about only while its text is read"
        return reading

    @cached_property
    def own_text(self) -> str:
        return self.span.of(self.text)

    @cached_property
    def quantities(self) -> list[Quantity]:
        found = self.reading.quantities
        first = bisect_left(found, self.span.start, key=_start_of)
        return list(found[first : bisect_left(found, self.span.end, key=_start_of)])

    @cached_property
    def is_row(self) -> bool:
        """A row of a table, which speaks of what it names and of nothing else."""
        return is_cell_line(self.own_text) or self.own_text.count("|") > 1


class ReadText(Stretch):
    """A text read once: terms at once, the rest when somebody asks."""

    def __init__(self, text: str) -> None:
        terms = find_terms(cells_apart(text))
        super().__init__(text, paired(terms) if _UNSPACED.search(text) else terms)
        self._sentences: dict[Span, ReadSentence] = {}

    @cached_property
    def starts(self) -> list[int]:
        return [term.start for term in self.terms]

    @cached_property
    def sentences(self) -> list[Span]:
        return split_sentences(self.text)

    @cached_property
    def read_sentences(self) -> list[ReadSentence]:
        return [self.sentence(span) for span in self.sentences]

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        return find_quantities(self.text)

    def sentence(self, span: Span) -> ReadSentence:
        """What is known of the sentence at a span."""
        found = self._sentences.get(span)
        if found is None:
            found = self._sentences[span] = ReadSentence(self, span)
        return found

    def term_at(self, offset: int) -> int:
        """The index of the first term that begins at or after the offset."""
        return bisect_left(self.starts, offset)

    def term_before(self, offset: int) -> Term | None:
        """The last term that begins before the offset."""
        index = self.term_at(offset) - 1
        return self.terms[index] if index >= 0 else None

    def terms_in_range(self, start: int, end: int) -> list[Term]:
        return self.terms[self.term_at(start) : self.term_at(end)]


class Sentence(Struct, frozen=True, dict=True):
    """One sentence of the evidence as a claim meets it: which passage it is in, and where."""

    passage: int
    span: Span
    reading: ReadText
    covered: float
    """How much of the claim's weight it carries, 0 to 1."""
    context: frozenset[str] = frozenset()
    """Stems that a reader of the sentence knows without being told: a table's header, the row's name."""

    @cached_property
    def read(self) -> ReadSentence:
        return self.reading.sentence(self.span)

    @property
    def text(self) -> str:
        return self.read.own_text

    @cached_property
    def stems(self) -> frozenset[str]:
        return self.read.stems | self.context if self.context else self.read.stems


_YEARS_IN_NAME = re.compile(r"(?<=[^\W\d_]_)(\d{4}|\d{2})_(\d{4}|\d{2})(?![\w])")
_FIRST_OF_LAST_CENTURY = "40"
"""`85` in a column's name is 1985 from here on, and `14` is 2014."""


def years_in_names(text: str) -> frozenset[str]:
    """The years that a column is named by: 2000 and 2014 for `incidents_00_14`."""
    found = []
    for pair in _YEARS_IN_NAME.findall(text):
        one, two = (("19" if year >= _FIRST_OF_LAST_CENTURY else "20") + year for year in pair)
        found += [one[-4:], two[-4:]] if one[-4:] < two[-4:] else []
    return frozenset(found)


KEPT_CHARACTERS = 1_000_000
"""How much text stays open at once; what is shown again later is read again.

What is known of a text takes some hundred bytes per character."""


class TextCache:
    """Reads each text of a batch once, however many pairs show it: what was not asked for longest goes."""

    def __init__(self) -> None:
        self._read: OrderedDict[str, ReadText] = OrderedDict()
        self._characters = 0

    def read(self, text: str) -> ReadText:
        reading = self._read.get(text)
        if reading is not None:
            self._read.move_to_end(text)
            return reading
        reading = self._read[text] = ReadText(text)
        self._characters += len(text)
        while self._characters > KEPT_CHARACTERS and len(self._read) > 1:
            self._characters -= len(self._read.popitem(last=False)[0])
        return reading

    def read_passages(self, pair: Pair) -> list[ReadText]:
        return [self.read(passage.text) for passage in pair.passages]

    def known_to_readers(self, pair: Pair) -> list[frozenset[str]]:
        """For each passage, the stems of what a reader of it has been told before."""
        told = (passage.context for passage in pair.passages)
        return [self.read(text).stems | years_in_names(text) if text else frozenset() for text in told]


# --- evidence that breaks off ----------------------------------------------------------------------


_ELLIPSIS = re.compile(r"[(\[]?(?:…|\.\.\.)[)\]]?[\s\"'”’»)\]*_]*\Z")
_ENDED = re.compile(r"[.!?:;。！？؟।][\s\"'”’»)\]*_]*\Z")
_LISTED = re.compile(r"\s*(?:[-*•·]|[0-9]+[.)])\s|[^.]{1,80}:\s")
LONGEST_ENDING = 40
"""So many characters at the end of a text are looked at."""


def _breaks_off(reading: ReadText, span: Span) -> bool:
    """Whether the sentence is the last one of its passage and has no end there."""
    if reading.text[span.end :].strip():
        return False
    ending = reading.text[max(span.start, span.end - LONGEST_ENDING) :]
    return _ELLIPSIS.search(ending) is not None or _ENDED.search(ending) is None


def only_stops(claim: ReadText, reading: ReadText, span: Span) -> bool:
    """Whether a sentence that breaks off says nothing but what the claim says, in the same order."""
    if not _breaks_off(reading, span):
        return False
    said = [term for term in reading.terms_in_range(span.start, span.end) if not term.stop]
    remaining = iter(claim.terms)
    for term in said:
        # The last word may be cut too.
        cut = term is said[-1] and _is_last(term.end, reading)
        if not any(
            other.stem == term.stem or (cut and other.text.lower().startswith(term.text.lower()))
            for other in remaining
        ):
            return False
    return True


def may_be_cut(claim: Quantity, source: Quantity, sentence: Sentence) -> bool:
    """Whether a number at the very end of a passage may be the beginning of the claim's: `$1` of `$1,500`.

    What closes a row, a list item or a label is whole.
    """
    if not _is_last(source.end, sentence.reading) or sentence.read.is_row or _LISTED.match(sentence.text):
        return False
    written, wanted = _digits(source.text), _digits(claim.text)
    return written != wanted and bool(written) and wanted.startswith(written)


_TORN_BEFORE = re.compile(r"(?<![\d.,])\d{1,3}, \Z")
_TORN_AFTER = re.compile(r", (\d{3})(?![\d,])")


def is_torn(claim: Quantity, source: Quantity, text: str) -> bool:
    """Whether the source's number is one half of the claim's, torn apart behind its comma: `11, 950`."""
    wanted, here = _digits(claim.text), _digits(source.text)
    if len(wanted) < 4 or not here or not (wanted.startswith(here) or wanted.endswith(here)):
        return False
    before = _TORN_BEFORE.search(text, max(0, source.start - 6), source.start)
    if before is not None and wanted == _digits(before.group()) + here:
        return True
    after = _TORN_AFTER.match(text, source.end)
    return after is not None and wanted == here + after[1]


def _is_last(end: int, reading: ReadText) -> bool:
    if len(reading.text) - end > LONGEST_ENDING:
        return False
    rest = reading.text[end:].strip()
    return not rest or _ELLIPSIS.fullmatch(rest) is not None


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())
