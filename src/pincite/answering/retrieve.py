"""From a question to the passages that may be cited: the library's own index, or a user's function."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pincite.answering.records import RetrievedPassage, Retriever
from pincite.base import one_line
from pincite.errors import InputError
from pincite.records import Match, Passage, Source, Span
from pincite.sources import (
    ClaimIndex,
    Library,
    claim_index,
    claim_terms,
    is_label,
    library_index,
    locate_quote,
    open_sources,
    passage,
    unique_names,
)

LONGEST_PASSAGE = 900
"""Characters that a passage grows to around the sentence that was found; a longer sentence stays whole."""
FOUND_PER_PASSAGE = 6
"""So many sentences are looked at for each passage that is wanted: neighbours become one passage."""
LEAST_SCORE = 0.05
"""A sentence that carries less of the question than this shares a word with it, and no more."""
LONGEST_QUESTION = 20_000


def refuse_question(question: Any) -> str:
    """The question as it is, or an `InputError`."""
    if not isinstance(question, str) or not question.strip():
        raise InputError("there is no question: give it as a text")
    if len(question) > LONGEST_QUESTION:
        raise InputError(
            f"the question has {len(question):,} characters, and {LONGEST_QUESTION:,} is the most"
        )
    return question


def retrieve(question: str, library: Library, most: int) -> tuple[RetrievedPassage, ...]:
    """The passages that speak of what the question asks about, the best first, none inside another."""
    if not library.sources:
        return ()
    ranked = library_index(library).rank(claim_terms(question), most * FOUND_PER_PASSAGE)
    seen: set[tuple[int, int]] = set()
    chosen: list[tuple[Source, Span, float]] = []
    for number, found in ranked:
        source = library.sources[number]
        if found.score < LEAST_SCORE or (number, found.unit) in seen or len(chosen) >= most:
            continue
        index = claim_index(source)
        around = _around(found.unit, source, index)
        seen.update((number, unit) for unit in around)
        if not around:
            continue
        span = Span(index.units[around[0]].start, index.units[around[-1]].end)
        held = [other for its, other, _ in chosen if its is source]
        if not any(span.start < other.end and other.start < span.end for other in held):
            chosen.append((source, span, found.score))
    return tuple(_passage(place, *one) for place, one in enumerate(chosen, 1))


def _around(unit: int, source: Source, index: ClaimIndex) -> range:
    """The units of one paragraph around a unit, as many as make a passage; under a heading, what follows."""
    first = last = unit
    while is_label(source, index.units[last]):  # a heading or a question alone says nothing
        if last + 1 >= len(index.units) or last > unit + 3:
            return range(0)
        last += 1
    before = after = True
    while before or after:
        if after:
            after = last + 1 < len(index.units) and _together(last, last + 1, source, index)
            after = after and index.units[last + 1].end - index.units[first].start <= LONGEST_PASSAGE
            last += after
        if before:
            before = first > 0 and _together(first - 1, first, source, index)
            before = before and index.units[last].end - index.units[first - 1].start <= LONGEST_PASSAGE
            first -= before
    return range(first, last + 1)


def _together(one: int, two: int, source: Source, index: ClaimIndex) -> bool:
    """Whether two units that follow each other are of one paragraph, list or table."""
    between = source.text[index.units[one].end : index.units[two].start]
    apart = between.count("\n") > 1 or "\f" in between
    return not apart and not is_label(source, index.units[two])


def _passage(number: int, source: Source, span: Span, score: float) -> RetrievedPassage:
    shown = passage(source, span.start, span.end)
    return RetrievedPassage(
        id=number,
        document=source.name,
        text=shown.text,
        start=span.start,
        end=span.end,
        page=shown.page,
        title=source.title,
        score=score,
        context=shown.context,
    )


# --- a user's own retriever ------------------------------------------------------------------------


def retrieve_with(
    retriever: Retriever, question: str, library: Library, most: int
) -> tuple[tuple[RetrievedPassage, ...], Library]:
    """What a user's function returns, each compared with the sources; and the library with what is new.

    An item is a `Match` or a `Passage`, or a mapping with `text` and `document` (also `name`, `source`), or
    with `document`, `start` and `end`. Text of a document that the library does not have becomes a source of
    its own. Text that is not in the document it names is an `InputError`: nothing may be cited that is not
    there.
    """
    try:
        given = list(retriever(question))
    except InputError:
        raise
    except Exception as error:
        told = one_line(error)
        raise InputError(f"the retriever failed: {type(error).__name__}: {told}") from error
    items = [_item(one, place) for place, one in enumerate(given[:most], 1)]
    new = {name: text for name, text, span in items if span is None and not library.find(name) and text}
    if new:
        added = open_sources(dict(new)).sources
        library = Library(unique_names([*library.entries, *added]), library.ordered, True)
    passages = []
    for place, (name, text, span) in enumerate(items, 1):
        found = library.find(name)
        if len(found) != 1:
            raise InputError(
                f"the retriever's passage {place} names {name!r:.80}, which is not exactly one source"
            )
        source = found[0]
        passages.append(_passage(place, source, _checked_span(source, text, span, place), 0.0))
    return tuple(passages), library


def _item(one: Any, place: int) -> tuple[str, str, Span | None]:
    """Name, text and place of what a retriever returned."""
    if isinstance(one, Match | Passage):
        return one.document, one.text, Span(one.start, one.end)
    if isinstance(one, Mapping):
        name = next((one[key] for key in ("document", "name", "source", "id") if one.get(key)), None)
        text = next((one[key] for key in ("text", "content", "passage") if isinstance(one.get(key), str)), "")
        start, end = one.get("start"), one.get("end")
        whole = isinstance(start, int) and isinstance(end, int)
        if isinstance(name, str) and (text.strip() or whole):
            return name, text, Span(start, end) if whole else None  # type: ignore[arg-type]
    raise InputError(
        f"the retriever's passage {place} is a {type(one).__name__} without a document and a text: return "
        "Match records, or {'document': name, 'text': text}"
    )


def _checked_span(source: Source, text: str, span: Span | None, place: int) -> Span:
    if span is not None:
        if not 0 <= span.start < span.end <= len(source.text):
            raise InputError(f"the retriever's passage {place} is outside of {source.name}")
        if text and span.of(source.text) != text:
            raise InputError(f"the retriever's passage {place} is not what {source.name} says there")
        return span
    start = source.text.find(text)
    if start >= 0:
        return Span(start, start + len(text))
    found = [match for match in locate_quote(text, source, 1) if match.method != "fuzzy"]
    if not found:
        raise InputError(f"the retriever's passage {place} is not in {source.name}")
    return Span(found[0].start, found[0].end)


def distinct_documents(passages: Iterable[RetrievedPassage]) -> tuple[str, ...]:
    """The documents that passages are of, in the order of the passages."""
    return tuple(dict.fromkeys(one.document for one in passages))
