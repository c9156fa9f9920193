"""Where a quote or a claim is found: text in, places with true offsets out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import structs

from pincite.citations import render_span
from pincite.errors import InputError
from pincite.records import Match, Passage, Source, Span
from pincite.sources.claim_units import ClaimIndex, claim_terms
from pincite.sources.given import open_sources
from pincite.sources.library import Library
from pincite.sources.memo import per_object
from pincite.sources.passages import page_of, passage
from pincite.sources.quote_places import QuoteIndex
from pincite.sources.ranking import LibraryIndex, choose_together
from pincite.sources.surroundings import is_label

LEAST_CLAIM_SCORE = 0.05
"""A place that carries less of a text than this has a word in common with it, and no more."""

SHOWN_FROM = 30
"""What a judge is shown is chosen from so many sentences, the best for the claim."""

MOST_PASSAGES = 5_000
"""How many passages of a source are kept to be shown again."""

quote_index = per_object(QuoteIndex)
claim_index = per_object(ClaimIndex)

Method = Literal["exact", "normalised", "fuzzy", "claim"]


def locate(text: str, sources: Any, limit: int = 5) -> list[Match]:
    """Where a text is found in any source: as a quote if it is one, otherwise what speaks of the same thing.

    The places that speak of a claim come as `locate_together` chooses them: the best first, then what adds
    most to it.

    `sources` is whatever `open_sources` takes; give an opened `Library` to ask it many times.
    """
    library = open_sources(sources)
    matches = locate_quotes(text, library, limit) or locate_together(text, library, limit)
    return [
        structs.replace(match, citation=marker_of(match))
        for match in matches
        if match.score >= LEAST_CLAIM_SCORE
    ]


def marker_of(match: Match) -> str:
    """A marker that cites the place; empty where no marker can hold the document's name."""
    try:
        return render_span(match.document, match.page, match.start, match.end)
    except InputError:
        return ""


def locate_quote(quote: str, source: Source, limit: int = 20) -> list[Match]:
    """The places of a quote in one source; empty when it is not there.

    All matches are of one kind: the same words (`exact`, and `normalised` where they are only set otherwise;
    score 1.0), or else the nearest passages (`fuzzy`; the score is the share of characters without an edit).
    """
    places = quote_index(source).find(quote, limit)
    return [_match(source, place.span, place.score, place.method) for place in places]


def locate_quotes(quote: str, library: Library, limit: int = 20) -> list[Match]:
    """The places of a quote in all sources, exact ones first; fuzzy ones only when there are no others."""
    matches = [match for source in library.sources for match in locate_quote(quote, source, limit)]
    rank: dict[Method, int] = {"exact": 0, "normalised": 1, "fuzzy": 2, "claim": 3}
    matches.sort(key=lambda match: (rank[match.method], -match.score))
    if matches and matches[0].method != "fuzzy":
        matches = [match for match in matches if match.method != "fuzzy"]
    return matches[:limit]


def locate_claim(claim: str, source: Source, limit: int = 3) -> list[Match]:
    """The sentences and table rows of one source that speak most of what the claim says, the best first.

    The score is the share of the claim's weight that the place carries. It says where to look; whether the
    place supports the claim is for a judge to say.
    """
    ranked = library_index(source).rank(claim_terms(claim), limit)
    return [_match(source, scored.span, scored.score, "claim") for _, scored in ranked]


def locate_claims(claim: str, library: Library, limit: int = 3) -> list[Match]:
    """The same over all sources, with terms weighted by how rare they are in all of them together."""
    ranked = library_index(library).rank(claim_terms(claim), limit)
    return [_match(library.sources[number], found.span, found.score, "claim") for number, found in ranked]


def locate_together(claim: str, library: Library | Source, most: int = 3) -> list[Match]:
    """The few places that cover a claim together: the best first, then each time what adds most to it.

    A later place may score low alone: a line with the date, the sentence that says who `she` is.
    """
    sources = library.sources if isinstance(library, Library) else (library,)
    chosen = choose_together(library_index(library), claim_terms(claim), most)
    return [_match(sources[number], found.span, found.score, "claim") for number, found in chosen]


def passages_together(claim: str, library: Library, most: int = 3) -> list[Passage]:
    """The same places as passages, for a judge to read."""
    chosen = choose_together(library_index(library), claim_terms(claim), most)
    return [
        shared_passage(library.sources[number], found.span.start, found.span.end) for number, found in chosen
    ]


def best_passages(
    claim: str, source: Source, within: Span | None = None, limit: int = 6
) -> tuple[Passage, ...]:
    """The best sentences of a long stretch for a judge to read: in text order, neighbours as one passage.

    Together they hold as many parts of the claim as can be had. A sentence that opens with a pronoun brings
    the one before it along, and the opening of a list its first item. A heading or a question is no evidence
    without what is under it. A stretch that shares no term with the claim is shown by its beginning.
    """
    within = within if within is not None else Span(0, len(source.text))
    if within.end <= within.start:
        return ()
    index = claim_index(source)
    inside = index.units_in(within)
    together = choose_together(
        library_index(source), claim_terms(claim), limit, within, every_part=True, candidates=SHOWN_FROM
    )
    chosen = _with_what_they_need([scored.unit for _, scored in together], source, index, inside)
    chosen = chosen or _with_what_they_need(inside[:limit], source, index, inside)
    spans: list[Span] = []
    last = -2
    for unit in sorted(chosen):
        start = max(index.units[unit].start, within.start)
        end = min(index.units[unit].end, within.end)
        if unit == last + 1:
            spans[-1] = Span(spans[-1].start, end)
        else:
            spans.append(Span(start, end))
        last = unit
    return tuple([shared_passage(source, span.start, span.end) for span in spans])


def _with_what_they_need(units: Sequence[int], source: Source, index: ClaimIndex, inside: range) -> set[int]:
    needed: set[int] = set()
    for unit in units:
        words = index.units[unit].of(source.text)
        if is_label(source, index.units[unit]):
            needed.update(_with_what_is_under(unit, source, index, inside))
            continue
        needed.add(unit)
        if unit - 1 in inside and index.points_back(unit) and not is_label(source, index.units[unit - 1]):
            needed.add(unit - 1)
        if unit + 1 in inside and words.endswith(":") and not is_label(source, index.units[unit + 1]):
            needed.add(unit + 1)
    return needed


def _with_what_is_under(label: int, source: Source, index: ClaimIndex, inside: range) -> range:
    """A heading with the first sentence under it, a question with two of its answer; nothing if none is."""
    below = range(label + 1, min(label + 4, inside.stop))
    first = next((unit for unit in below if not is_label(source, index.units[unit])), None)
    if first is None:
        return range(0)
    if not index.units[label].of(source.text).rstrip(" *_").endswith("?") or first + 1 not in inside:
        return range(label, first + 1)
    between = source.text[index.units[first].end : index.units[first + 1].start]
    goes_on = between.count("\n") < 2 and not is_label(source, index.units[first + 1])
    return range(label, first + 2 if goes_on else first + 1)


def shared_passage(source: Source, start: int, end: int) -> Passage:
    """As `passage`, one object for all who are shown the same characters."""
    known = claim_index(source).passages
    found = known.get((start, end))
    if found is None:
        if len(known) >= MOST_PASSAGES:
            known.clear()
        found = known[start, end] = passage(source, start, end)
    return found


@per_object
def library_index(given: Library | Source) -> LibraryIndex:
    """The index over all sources of a library, or over one source alone, made at the first call."""
    sources = given.sources if isinstance(given, Library) else (given,)
    # It knows the sources' indexes and not the sources, so that it does not keep a source alive.
    return LibraryIndex([claim_index(source) for source in sources])


def _match(source: Source, span: Span, score: float, method: Method) -> Match:
    page = page_of(source, span.start)
    return Match(source.name, page, span.start, span.end, span.of(source.text), score, method=method)
