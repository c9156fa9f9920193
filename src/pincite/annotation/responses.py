"""What a person says about one item: spans to cite, a verdict on a pair, or marks for an answer.

What comes from a browser is checked here against the texts that it speaks of. Offsets are half-open and count
code points of the dataset's documents.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from pincite.errors import InputError
from pincite.records import Source

Kind = Literal["spans", "verdicts", "answers"]
KINDS: tuple[Kind, ...] = get_args(Kind)
GivenVerdict = Literal["supported", "contradicted", "not_enough", "unsure"]
QUESTIONS = {
    "completeness": "Does the answer say everything that the question asks for?",
    "correctness": "Is what the answer says true, as far as the documents tell?",
    "relevance": "Does the answer keep to the question?",
}
"""What is asked about an answer, from 0 (not at all) to 1 (fully)."""
MOST_SPANS = 1000
"""Of one item, in all sets together."""

Text = Annotated[str, Meta(max_length=4_000)]
"""A note. Each key that is typed is a change, and has all of it."""
Name = Annotated[str, Meta(min_length=1, max_length=10_000)]
Offset = Annotated[int, Meta(ge=0, le=2**53)]
Mark = Annotated[float, Meta(ge=0, le=1)]


class SpanMark(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A stretch that somebody would cite."""

    document: Name
    """As the dataset's library lists it."""
    start: Offset
    end: Offset
    note: Text = ""


class SpanResponse(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What to cite for a query: one set of spans, and others that would do as well."""

    sets: tuple[tuple[SpanMark, ...], ...] = ((),)
    relevance: dict[Name, Mark] = {}
    """Documents by how far they help to answer the query."""
    nothing: bool = False
    """No document answers the query, so nothing should be cited."""
    note: Text = ""


class VerdictResponse(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Whether the evidence supports the claim."""

    verdict: GivenVerdict | None = None
    note: Text = ""


class AnswerResponse(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Marks for an answer, by question."""

    scores: dict[str, Mark] = {}
    note: Text = ""


ItemResponse = SpanResponse | VerdictResponse | AnswerResponse
OF_KIND: dict[Kind, type[ItemResponse]] = {
    "spans": SpanResponse,
    "verdicts": VerdictResponse,
    "answers": AnswerResponse,
}


def check_response(
    kind: Kind,
    plain: Any,
    source_of: Callable[[str], Source | None],
    questions: Collection[str] = QUESTIONS.keys(),
) -> ItemResponse:
    """What was said, checked. `source_of` finds a document by its listed name."""
    try:
        said = msgspec.convert(plain, OF_KIND[kind])
        msgspec.json.encode(said)  # half a character has no form in a file
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise InputError(f"this cannot be kept as {kind}: {error}") from None
    if isinstance(said, SpanResponse):
        return _checked(said, source_of)
    if isinstance(said, AnswerResponse) and not said.scores.keys() <= set(questions):
        raise InputError(f"an answer is marked for {', '.join(questions)}, and nothing else")
    return said


def _checked(said: SpanResponse, source_of: Callable[[str], Source | None]) -> SpanResponse:
    if not said.sets or sum(len(one) or 1 for one in said.sets) > MOST_SPANS:
        raise InputError(f"an item has at least one set and at most {MOST_SPANS:,} spans")
    for name in {span.document for one in said.sets for span in one} | said.relevance.keys():
        if source_of(name) is None:
            raise InputError(f"the dataset has no document {name!r:.80}")
    for span in (span for one in said.sets for span in one):
        source = source_of(span.document)
        if source is None or not span.start < span.end <= len(source.text):
            raise InputError(f"{span.document!r:.80} has no characters {span.start} to {span.end}")
    kept = tuple(tuple(sorted(set(one), key=_place)) for one in said.sets)
    return msgspec.structs.replace(said, sets=kept)


def _place(span: SpanMark) -> tuple[str, int, int, str]:
    return span.document, span.start, span.end, span.note


def unfinished(said: ItemResponse, questions: Collection[str] = QUESTIONS.keys()) -> str | None:
    """What is missing before an item is done; None when nothing is."""
    if isinstance(said, VerdictResponse):
        return None if said.verdict is not None else "give a verdict"
    if isinstance(said, AnswerResponse):
        missing = [name for name in questions if name not in said.scores]
        return f"give a mark for {' and '.join(missing)}" if missing else None
    if said.nothing:
        return "nothing is to be cited, but there are spans" if any(said.sets) else None
    if not any(said.sets):
        return "mark what to cite, or say that there is nothing"
    return None if all(said.sets) else "one of the sets is empty"


def plain(said: ItemResponse) -> dict[str, Any]:
    """As it is read from a file again."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(said))
    return found


def without_notes(value: Any) -> Any:
    """The same without what is only written in words: typing makes a change per key."""
    if isinstance(value, dict):
        return {name: without_notes(held) for name, held in value.items() if name != "note"}
    return [without_notes(one) for one in value] if isinstance(value, list) else value
