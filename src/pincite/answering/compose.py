"""From drafted sentences to a text whose every marker was placed here and points to what was retrieved."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from pincite.answering.markers import clean_sentence, placed_markers
from pincite.answering.records import (
    AnswerDraft,
    Cite,
    DraftCitation,
    DraftSentence,
    Dropped,
    RetrievedPassage,
)
from pincite.citations import double_braces, render_span, span_target
from pincite.errors import InputError
from pincite.judges import find_quote
from pincite.records import Citation, Passage, Span, SpanTarget
from pincite.sources import Library, page_of
from pincite.text import split_sentences

MARK = " (unverified)"
"""What follows a sentence that its source does not support, where such sentences are kept and marked."""

_LAST_STOP = re.compile(r"(?<=[\w%°)\]”’\"'])([.!?。！？])\Z")
_TERMINAL = re.compile(r"[.!?…。！？।][\"'”’»)\]*_]{0,3}\Z")
SAID_BEFORE = "it was said before"
MOST_PLACES = 8
"""Places that one sentence may cite; a model that cites everything cites nothing."""


class Retrieved:
    """What was retrieved for one question, by id: all that a draft can cite."""

    def __init__(self, passages: Iterable[RetrievedPassage], library: Library) -> None:
        self.passages = tuple(passages)
        self._by_id = {passage.id: passage for passage in self.passages}
        self._library = library

    def get(self, number: int) -> RetrievedPassage | None:
        return self._by_id.get(number)

    def page(self, document: str, offset: int) -> int | None:
        """The page that a character of a document is on."""
        source = self._library.get(document)
        return None if source is None else page_of(source, offset)


class CitedPlace(Struct, frozen=True):
    """A stretch of a retrieved passage that a sentence cites."""

    passage: int
    document: str
    page: int | None
    start: int
    end: int
    quoted: bool = False


class Prepared(Struct, frozen=True):
    """A drafted sentence without markers, with the places it cites; `fault` says why it cannot be shown."""

    text: str
    places: tuple[CitedPlace, ...]
    paragraph: bool = False
    fault: str = ""
    marked: bool = False


class PlacedMarker(Struct, frozen=True):
    """A marker in the text, and the places of one document that it cites."""

    start: int
    end: int
    number: int
    sentence: int
    places: tuple[CitedPlace, ...]


class Composed(Struct, frozen=True):
    """The text of an answer and what is where in it."""

    text: str
    sentences: tuple[Span, ...]
    markers: tuple[PlacedMarker, ...]
    documents: tuple[str, ...]
    """The cited documents by their number: the first is number 1."""

    def citations(self) -> tuple[Citation, ...]:
        """The markers as the check reads them."""
        return tuple(
            marked_citation(
                self.text,
                (one.start, one.end),
                (span_target(place.document, place.page, place.start, place.end) for place in one.places),
            )
            for one in self.markers
        )


def marked_citation(text: str, span: tuple[int, int], targets: Iterable[SpanTarget]) -> Citation:
    """The citation at a marker in a text, which is kept as it is written."""
    marker = text[span[0] : span[1]]
    return Citation("span", marker, *span, tuple(targets), double_braces(marker))


# --- one sentence ----------------------------------------------------------------------------------


def prepare(
    sentence: DraftSentence, retrieved: Retrieved, dropped: list[Dropped], strict: bool = False
) -> Prepared | None:
    """The sentence with only what can be cited; None where nothing is left of it.

    With `strict`, a citation whose quote is not in its passage is none.
    What was taken out is added to `dropped`: stray markers, and citations of what was not retrieved.
    """
    places: list[CitedPlace] = []
    for citation in sentence.citations:
        place = find_place(citation, retrieved)
        if isinstance(place, str) and citation.quote and not strict and retrieved.get(citation.passage):
            dropped.append(Dropped("quote", citation.quote, f"{place}; the whole passage is cited instead"))
            place = find_place(DraftCitation(citation.passage), retrieved)
        if isinstance(place, str):
            quoted = f": {citation.quote:.80}" if citation.quote else ""
            dropped.append(Dropped("citation", f"passage {citation.passage}{quoted}", place))
        elif place not in places:
            places.append(place)
    for extra in places[MOST_PLACES:]:
        dropped.append(Dropped("citation", extra.document, f"more than {MOST_PLACES} places for a sentence"))
    places = places[:MOST_PLACES]
    cited = [place.document for place in places]
    cited += [one.text for place in places if (one := retrieved.get(place.passage)) is not None]
    cleaned = clean_sentence(sentence.text, cited)
    dropped += [Dropped("marker", one, "only Pincite places markers") for one in cleaned.removed]
    if not any(char.isalnum() for char in cleaned.text):
        if cleaned.text or places:
            dropped.append(Dropped("sentence", cleaned.text, "it has no words"))
        return None
    fault = ""
    if cleaned.foreign:
        fault = f"it names {cleaned.foreign[0]!r:.60}, which what it cites does not"
    elif not places:
        fault = "it cites nothing that was retrieved"
    return Prepared(cleaned.text, tuple(places), sentence.paragraph, fault)


def prepare_draft(
    draft: AnswerDraft, retrieved: Retrieved, most: int, dropped: list[Dropped], strict: bool = False
) -> list[Prepared]:
    """The sentences of a draft, at most so many."""
    ready = (prepare(sentence, retrieved, dropped, strict) for sentence in draft.sentences)
    prepared: list[Prepared] = []
    for one in ready:
        if one is not None and any(one.text == other.text for other in prepared):
            dropped.append(Dropped("sentence", one.text, SAID_BEFORE))
        elif one is not None:
            prepared.append(one)
    for extra in prepared[most:]:
        dropped.append(Dropped("sentence", extra.text, f"more than {most} sentences (max_sentences)"))
    return prepared[:most]


def find_place(citation: DraftCitation, retrieved: Retrieved) -> CitedPlace | str:
    """Where a citation points to, in whole sentences; or why it points nowhere."""
    passage = retrieved.get(citation.passage)
    if passage is None:
        return f"no passage {citation.passage} was retrieved"
    if citation.start is not None and citation.end is not None:
        inside = passage.start <= citation.start < citation.end <= passage.end
        words = passage.text[citation.start - passage.start : citation.end - passage.start] if inside else ""
        if inside and (citation.quote is None or words == citation.quote):
            return _place(passage, Span(citation.start, citation.end), citation.quote is not None, retrieved)
        if citation.quote is None:
            return f"characters {citation.start}-{citation.end} are outside of passage {passage.id}"
    if citation.quote is None:
        return _place(passage, Span(passage.start, passage.end), False, retrieved)
    found = find_quote(citation.quote, (Passage(passage.text),))
    if found is None:
        return f"the quoted words are not in passage {passage.id}: {' '.join(citation.quote.split()):.80}"
    return _place(passage, _whole_sentences(passage, found[1]), True, retrieved)


def _whole_sentences(passage: RetrievedPassage, quote: Span) -> Span:
    """The sentences that a quote is from: a few words alone rarely say what they are about."""
    touched = [
        one for one in split_sentences(passage.text) if one.start < quote.end and quote.start < one.end
    ]
    start = min([quote.start, *(one.start for one in touched)])
    end = max([quote.end, *(one.end for one in touched)])
    return Span(passage.start + start, passage.start + end)


def _place(passage: RetrievedPassage, span: Span, quoted: bool, retrieved: Retrieved) -> CitedPlace:
    words = passage.text[span.start - passage.start : span.end - passage.start]
    start = span.start + len(words) - len(words.lstrip())
    end = span.end - (len(words) - len(words.rstrip()))
    page = retrieved.page(passage.document, start)
    return CitedPlace(passage.id, passage.document, page, start, max(start, end), quoted)


# --- the whole text --------------------------------------------------------------------------------


def compose(sentences: Sequence[Prepared], cite: Cite) -> Composed:
    """One text. A sentence that is added at the end never changes what stands before it."""
    numbers: dict[str, int] = {}
    pieces: list[str] = []
    spans: list[Span] = []
    markers: list[PlacedMarker] = []
    position = 0
    for index, sentence in enumerate(sentences):
        if pieces:
            # After what does not show its end, a sentence on the same line would be read as a part of it.
            ended = _TERMINAL.search(sentences[index - 1].text) is not None
            gap = " " if ended and not sentence.paragraph else "\n\n"
            pieces.append(gap)
            position += len(gap)
        begins = position
        stop = _LAST_STOP.search(sentence.text)
        body = sentence.text[: stop.start()] if stop else sentence.text
        pieces.append(body)
        position += len(body)
        for places in _grouped(sentence.places, cite):
            number = numbers.setdefault(places[0].document, len(numbers) + 1)
            marker = _marker(number, places, cite)
            gap = " " if position > begins and not pieces[-1].endswith("]") else ""
            pieces += [gap, marker]
            position += len(gap)
            markers.append(PlacedMarker(position, position + len(marker), number, index, places))
            position += len(marker)
        ending = (MARK if sentence.marked else "") + (stop[1] if stop else "")
        pieces.append(ending)
        position += len(ending)
        spans.append(Span(begins, position))
    return Composed("".join(pieces), tuple(spans), tuple(markers), tuple(numbers))


def misread(composed: Composed) -> frozenset[int]:
    """The sentences in which a reader would find other markers than ours, or would not find ours.

    A sentence alone has none; but two halves may meet, or a half of a code block hides what follows.
    """
    found = placed_markers(composed.text)
    ours = {(one.start, one.end) for one in composed.markers}
    bad: set[int] = set()
    for start, end in found ^ ours:
        touched = [i for i, span in enumerate(composed.sentences) if span.start < end and start < span.end]
        bad.update(touched or range(len(composed.sentences)))
    return frozenset(bad)


def _grouped(places: Sequence[CitedPlace], cite: Cite) -> list[tuple[CitedPlace, ...]]:
    """What each marker cites: one place where it names characters, all places of one document otherwise."""
    if cite == "spans":
        return [(place,) for place in places]
    grouped: dict[str, list[CitedPlace]] = {}
    for place in places:
        grouped.setdefault(place.document, []).append(place)
    return [tuple(group) for group in grouped.values()]


def _marker(number: int, places: Sequence[CitedPlace], cite: Cite) -> str:
    if cite != "spans":
        return f"[{number}]"
    try:
        return render_span(places[0].document, places[0].page, places[0].start, places[0].end)
    except InputError:  # no marker can hold such a name
        return f"[{number}]"
