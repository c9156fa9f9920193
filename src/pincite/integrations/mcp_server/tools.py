"""The tools that an assistant calls: plain functions over a settled set of sources.

They run one at a time: a check uses all cores by itself where that pays.
"""

from __future__ import annotations

from threading import Lock
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, Field

from pincite.config import Settings
from pincite.errors import InputError, TooLargeError
from pincite.findings import check, explain
from pincite.integrations.mcp_server import shapes
from pincite.integrations.mcp_server.folders import NamedFolders, named_entries
from pincite.integrations.mcp_server.shapes import (
    CheckedAnswer,
    ExplainedFinding,
    GivenContext,
    LocatedText,
    VerifiedQuote,
)
from pincite.integrations.outcome import outcome_of
from pincite.records import Answer, Finding, Match, Report
from pincite.sources import Library, unique_names
from pincite.sources import contexts as open_contexts
from pincite.sources import locate as locate_text

Contexts = Annotated[
    list[str | GivenContext] | None,
    Field(description="The texts that may be cited, [1] first; or objects with text, id, title and url."),
]
Sources = Annotated[
    list[str] | None,
    Field(description="Names of the server's sources or of their folders; all if no contexts are given."),
]

T = TypeVar("T", bound=BaseModel)


class CitationTools:
    """The tools of one server."""

    def __init__(self, settings: Settings, folders: NamedFolders) -> None:
        self._settings = settings
        self._folders = folders
        self._one_at_a_time = Lock()

    def check_citations(
        self,
        answer: Annotated[str, Field(description="The draft, with its citation markers.")],
        contexts: Contexts = None,
        sources: Sources = None,
        question: Annotated[str | None, Field(description="What was asked.")] = None,
    ) -> CheckedAnswer:
        """Check every citation in a draft answer against its sources, offline, before you send it.

        Finds citations that point nowhere, claims that their source contradicts or does not support, altered
        quotes, and claims without a citation. Correct what it finds, then check again.
        """
        _refuse_long("the answer", answer, shapes.LONGEST_ANSWER)
        with self._one_at_a_time:
            library = self._library(contexts, sources)
            report = check(Answer(text=answer, query=question), library, settings=self._settings)
        return _checked(report)

    def locate(
        self,
        text: Annotated[str, Field(description="A quote or a claim.")],
        contexts: Contexts = None,
        sources: Sources = None,
        limit: Annotated[int, Field(description="At most so many places.", ge=1, le=50)] = 5,
    ) -> LocatedText:
        """Find where a quote or a claim appears in the sources, with a marker that cites the place.

        A place that speaks of a claim need not support it: check the finished answer.
        """
        _refuse_text("the text", text)
        with self._one_at_a_time:
            found = locate_text(text, self._library(contexts, sources), limit)
        return LocatedText(places=[_place(match) for match in found])

    def verify_quote(
        self,
        quote: Annotated[str, Field(description="The words that are said to be in a source.")],
        document: Annotated[str | None, Field(description="Look in this source only.")] = None,
        contexts: Contexts = None,
        sources: Sources = None,
    ) -> VerifiedQuote:
        """Say whether a quote is in the sources word for word, and where; or what is there instead."""
        _refuse_text("the quote", quote)
        with self._one_at_a_time:
            library = self._library(contexts, sources)
            if document is not None:
                entries, _ = named_entries(document, library)
                library = Library(entries, library.ordered, in_parts=library.in_parts)
            if library.unread and not library.sources:
                raise InputError(f"{library.unread[0].name} could not be read: {library.unread[0].reason}")
            # As a quote if it is one, otherwise what speaks of the same.
            found = locate_text(quote, library, 5)
        verdicts = {"exact": "verbatim", "normalised": "same_words", "fuzzy": "altered", "claim": "absent"}
        verdict: Any = verdicts[found[0].method] if found else "absent"
        return VerifiedQuote(verdict=verdict, places=[_place(match) for match in found])

    def explain_finding(
        self, code: Annotated[str, Field(description="Such as PIN203.", max_length=100)]
    ) -> ExplainedFinding:
        """Explain a code that check_citations reports: what it means, why it matters, how to correct it."""
        return _shaped(ExplainedFinding, explain(code))

    def _library(self, contexts: list[str | GivenContext] | None, sources: list[str] | None) -> Library:
        if contexts is None and sources is None:
            if not self._folders.paths:
                raise InputError(
                    "there are no sources: give contexts, or start the server with --sources FOLDER"
                )
            return self._folders.library()
        chosen = self._folders.choose(sources) if sources else None
        if contexts is None:
            return chosen if chosen is not None else Library()
        if len(contexts) > shapes.MOST_CONTEXTS:
            raise TooLargeError(
                f"{len(contexts):,} contexts: at most {shapes.MOST_CONTEXTS:,} are taken at once"
            )
        texts = [one if isinstance(one, str) else one.text for one in contexts]
        if sum(map(len, texts)) > shapes.MOST_CHARACTERS:
            raise TooLargeError(f"the contexts have over {shapes.MOST_CHARACTERS:,} characters together")
        given = open_contexts(
            [one if isinstance(one, str) else one.model_dump(exclude_none=True) for one in contexts],
            limits=self._settings.limits,
        )
        if chosen is None:
            return given
        return Library(unique_names([*given.entries, *chosen.entries]), given.ordered, in_parts=True)


def _refuse_long(what: str, text: str, most: int) -> None:
    if len(text) > most:
        raise TooLargeError(f"{what} has {len(text):,} characters; at most {most:,} are taken at once")


def _refuse_text(what: str, text: str) -> None:
    if not text.strip():
        raise InputError(f"{what} is empty")
    _refuse_long(what, text, shapes.LONGEST_TEXT)


# --- results -----------------------------------------------------------------------------------------


def _checked(report: Report) -> CheckedAnswer:
    outcome = outcome_of(report)
    most = shapes.MOST_LISTED
    beyond = max(0, len(report.findings) - most) + max(0, len(outcome.citations) - most)
    return CheckedAnswer(
        ok=outcome.ok,
        score=outcome.score,
        summary=outcome.reason,
        findings=[_finding(finding, report.answer.text) for finding in report.findings[:most]],
        citations=[
            _shaped(shapes.ListedCitation, row, marker=_cut(row.marker), codes=list(row.codes))
            for row in outcome.citations[:most]
        ],
        unjudged=outcome.unjudged,
        left_out=beyond,
        unread_sources=[f"{one.name}: {one.reason}" for one in report.unread[:most]],
    )


def _finding(finding: Finding, answer: str) -> shapes.ListedFinding:
    source, fix = finding.source, finding.fix
    return _shaped(
        shapes.ListedFinding,
        finding,
        words=_cut(answer[finding.start : finding.end]),
        claim=None if finding.claim is None else _cut(finding.claim.of(answer)),
        source=source and _shaped(shapes.SourcePlace, source, text=_cut(source.text)),
        fix=fix and _shaped(shapes.SuggestedFix, fix, words=_cut(answer[fix.start : fix.end])),
    )


def _place(match: Match) -> shapes.LocatedPlace:
    return _shaped(shapes.LocatedPlace, match, text=_cut(match.text), score=round(match.score, 4))


def _shaped(shape: type[T], record: Any, **otherwise: Any) -> T:
    """A record in a shape of the same field names, some of them otherwise."""
    alike = {name: getattr(record, name) for name in shape.model_fields if name not in otherwise}
    return shape(**alike, **otherwise)


def _cut(text: str) -> str:
    return text if len(text) <= shapes.LONGEST_EXCERPT else f"{text[: shapes.LONGEST_EXCERPT - 1]}…"
