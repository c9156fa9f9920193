"""What the check of a composed text says about each sentence: it reads a report, and decides no support."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pincite.answering.compose import CitedPlace, Composed, Prepared, compose, misread
from pincite.answering.records import AnswerCitation, AnswerReference, Cite, Dropped
from pincite.config import Settings
from pincite.findings import check_answer
from pincite.judges import Judge
from pincite.records import Answer, JudgedCitation, Report
from pincite.sources import Library

_STANDINGS = {
    "doubtful": "what it cites does not clearly support it",
    "unsupported": "what it cites does not support it",
    "contradicted": "what it cites contradicts it",
    "unjudged": "it could not be judged",
    "uncited": "it cites nothing",
}


class SentenceCheck(Struct, frozen=True):
    """Whether a sentence holds, why not, and which of its places it can do without."""

    ok: bool
    reason: str = ""
    needless: tuple[CitedPlace, ...] = ()
    unreadable: bool = False
    """Its markers cannot be told from its text, so that it is not even shown as unverified."""


MISREAD = SentenceCheck(
    False, "its markers cannot be told from its text or from what is beside it", unreadable=True
)


class Examined(Struct, frozen=True):
    """A composed text, its report, and what that says of each sentence."""

    composed: Composed
    report: Report
    checks: tuple[SentenceCheck, ...]
    judged: tuple[tuple[JudgedCitation, ...], ...]
    """For each marker, what the check says of each of its places."""


def whole_check(settings: Settings) -> Settings:
    """What a user's settings leave out of a report is still wrong; and our offsets are those of documents."""
    return replace(settings, select=(), ignore=(), offsets="document", max_span_length=None, enabled=True)


async def examine(
    question: str,
    sentences: Sequence[Prepared],
    cite: Cite,
    library: Library,
    judge: Judge,
    settings: Settings,
) -> Examined:
    """Compose the sentences and check the text as a whole, by the settings of a `whole_check`."""
    composed = compose(sentences, cite)
    answer = Answer(composed.text, query=question, citations=composed.citations())
    report = await check_answer(answer, library, judge, settings)
    listed = iter(report.judged.citations)  # in the order in which they were given
    judged = tuple(tuple(next(listed) for _ in marker.places) for marker in composed.markers)
    bad = misread(composed)
    checks = tuple(
        MISREAD if index in bad else _check(index, sentence, composed, report, judged)
        for index, sentence in enumerate(sentences)
    )
    return Examined(composed, report, checks, judged)


def _check(
    index: int,
    sentence: Prepared,
    composed: Composed,
    report: Report,
    judged: Sequence[Sequence[JudgedCitation]],
) -> SentenceCheck:
    if sentence.fault:
        return SentenceCheck(False, sentence.fault)
    span = composed.sentences[index]
    claims = [one for one in report.judged.claims if one.start < span.end and span.start < one.end]
    own = [
        (place, said)
        for marker, several in zip(composed.markers, judged, strict=True)
        if marker.sentence == index
        for place, said in zip(marker.places, several, strict=True)
    ]
    if not claims:
        return SentenceCheck(False, "it claims nothing that could be checked")
    for claim in claims:
        if claim.standing != "supported":
            told = [said.reason for _, said in own if said.standing != "correct" and said.reason]
            because = f": {told[0]}" if told else ""
            return SentenceCheck(False, f"{_STANDINGS[claim.standing]}{because}")
    wrong = [(place, said) for place, said in own if said.standing != "correct"]
    if len(wrong) == len(own):
        return SentenceCheck(False, wrong[0][1].reason if wrong else "it cites nothing")
    return SentenceCheck(True, needless=tuple(place for place, _ in wrong))


def without_needless(
    sentences: Sequence[Prepared], checks: Sequence[SentenceCheck], dropped: list[Dropped]
) -> list[Prepared]:
    """The sentences without the places that do nothing for them, where others support them."""
    kept = []
    for sentence, check in zip(sentences, checks, strict=True):
        if check.needless:
            places = tuple(place for place in sentence.places if place not in check.needless)
            for place in check.needless:
                told = f"{place.document}:{place.start}-{place.end}"
                dropped.append(Dropped("citation", told, f"it does not support: {sentence.text:.80}"))
            sentence = replace(sentence, places=places)
        kept.append(sentence)
    return kept


# --- what a user gets ------------------------------------------------------------------------------


def answer_citations(examined: Examined, library: Library) -> tuple[AnswerCitation, ...]:
    """Every place that the text cites, with the source's own words and what the check says of it."""
    composed = examined.composed
    found = []
    for marker, several in zip(composed.markers, examined.judged, strict=True):
        for place, said in zip(marker.places, several, strict=True):
            source = library.get(place.document)
            found.append(
                AnswerCitation(
                    marker=composed.text[marker.start : marker.end],
                    start=marker.start,
                    end=marker.end,
                    number=marker.number,
                    document=place.document,
                    page=place.page,
                    source_span=(place.start, place.end),
                    cited_text="" if source is None else source.text[place.start : place.end],
                    document_title=None if source is None else source.title,
                    quoted=place.quoted,
                    standing=said.standing,
                    verified=said.standing == "correct" and examined.checks[marker.sentence].ok,
                    entailment_score=said.score,
                    reason=said.reason,
                )
            )
    return tuple(found)


def answer_references(composed: Composed, library: Library) -> tuple[AnswerReference, ...]:
    """The cited documents, numbered as in the text."""
    places = [place for marker in composed.markers for place in marker.places]
    found = []
    for number, document in enumerate(composed.documents, 1):
        source = library.get(document)
        pages = {one.page for one in places if one.document == document and one.page is not None}
        title, url = (None, None) if source is None else (source.title, source.url)
        found.append(AnswerReference(number, document, title, url, tuple(sorted(pages))))
    return tuple(found)
