"""What an answer says about the things it cites: a title, an address, an entry, the sentence that cites."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct

from pincite.citations import kept_words, parse
from pincite.config import Settings
from pincite.records import (
    Citation,
    NumberTarget,
    Parsed,
    Passage,
    PathTarget,
    Reference,
    SpanTarget,
    Target,
    WebTarget,
    WorkTarget,
)
from pincite.sources import Library, ReferenceIndex, resolve, same_page
from pincite.text import Statement, find_statements

LONGEST = 1200
"""Characters that are shown of a source, an entry or a sentence."""
_SCHEME = re.compile(r"\Ahttps?://", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_]{3,}")
_SHORTENERS = frozenset(
    ("bit.ly", "t.co", "goo.gl", "tinyurl.com", "ow.ly", "is.gd", "buff.ly", "rb.gy", "cutt.ly", "youtu.be")
)
"""Hosts whose addresses say nothing of what they lead to."""
_OPAQUE = re.compile(
    r"https?|www|com|org|net|html?|php|aspx|pdf|index|article|blog|book|download|guide|home|intro"
    r"|introduction|link|page|paper|post|report|research|site|sources?|study|textbook|website|wiki",
    re.IGNORECASE,
)
"""Words of titles and addresses that say nothing of what a page is about."""
_SHORT = 4
"""A word of so few capitals is an abbreviation, as `EPA`, which a judge may not know."""


class CitedThing(Struct, frozen=True):
    """One thing that an answer cites, once, however often it cites it."""

    key: str
    text: str
    """The first marker that cites it, as written in the answer."""
    sentence: str
    """The citing sentence without markers; empty where the thing itself says what it is about."""
    passage: Passage | None
    """What it can be judged by; None when neither it nor a sentence says anything."""


class _Description(Struct, frozen=True):
    """What is known of a target itself, apart from where it is cited."""

    key: str
    text: str
    names_itself: bool
    """Whether the text says what the thing is about, as a title does and a number does not."""
    document: str = ""
    """The source that the text was read from, where one was given."""


def find_cited_things(
    text: str,
    library: Library,
    settings: Settings,
    citations: Sequence[Citation] | None = None,
    listed: Sequence[str | Mapping[str, Any]] | None = None,
) -> tuple[CitedThing, ...]:
    """Everything that the text cites, in order, each thing once."""
    parsed = parse(text)
    found = parsed.citations if citations is None else tuple(citations)
    sentences = _Sentences(text, parsed, settings)
    references = ReferenceIndex(parsed.references)
    entries = _entries(parsed.references, listed or ())
    things: dict[str, CitedThing] = {}
    seen: set[Target] = set()
    for citation in found:
        for target in citation.targets:
            # A value in data is no source that a reader could turn to.
            if target in seen or isinstance(target, PathTarget):
                continue
            seen.add(target)
            told = _describe(target, citation, entries, library, references, settings)
            if told.key in things:
                continue
            sentence, lead = sentences.around(citation)
            # What is cited is judged, not the sentence that cites it: a right sentence may cite anything.
            # What says nothing of itself is judged by its sentence, and by the one that opens its list.
            context = "" if told.names_itself else f"{lead} {sentence}".strip()
            known = told.names_itself or _WORDS.search(context) is not None
            passage = (
                Passage(told.text[:LONGEST], told.document, context=context[:LONGEST]) if known else None
            )
            things[told.key] = CitedThing(told.key, citation.text, context[:LONGEST], passage)
    return tuple(things.values())


def _describe(
    target: Target,
    citation: Citation,
    entries: Mapping[str, Reference],
    library: Library,
    references: ReferenceIndex,
    settings: Settings,
) -> _Description:
    entry = entries.get(target.key if isinstance(target, WorkTarget) else _number_key(target))
    key = _key_of(target)
    if entry is not None:
        named = [one for one in entry.targets if isinstance(one, WebTarget | WorkTarget)]
        key = _key_of(named[0]) if named else key
    if library.sources:
        evidence = resolve(
            target, library, references, offsets=settings.offsets, max_span_length=settings.max_span_length
        )
        if evidence.status in ("found", "page_disagrees") and evidence.passages:
            text = " … ".join(passage.text[:LONGEST] for passage in evidence.passages[:3])
            return _Description(key, text, True, evidence.document or "")
    if entry is not None:
        return _Description(key, entry.text, _says_something(entry.text))
    if isinstance(target, WebTarget):
        title = "" if target.title is UNSET else target.title
        # The words of a DOI are those of a registry, not of the paper.
        address = "" if target.url is UNSET else _SCHEME.sub("", target.url).rstrip("/")
        # `datascience.com` adds nothing to the title "Data Science Blog", and hides what its words mean.
        host, _, path = address.partition("/")
        repeats = "".join(_WORDS.findall(host.rpartition(".")[0])).lower() in title.lower().replace(" ", "")
        text = ", ".join(filter(None, (title, path if title and repeats else address)))
        told = title if address.partition("/")[0].lower() in _SHORTENERS else text
        return _Description(key, text or citation.text, _says_something(told))
    if isinstance(target, SpanTarget):
        title = citation.document_title or target.document
        return _Description(
            key, citation.cited_text or title, citation.cited_text is not None or _says_something(title)
        )
    return _Description(key, citation.text, False)


def _key_of(target: Target) -> str:
    """One spelling for one thing: a page by `http` or `https`, with `www.` or without."""
    if isinstance(target, WebTarget):
        return same_page(target.key)
    kind = type(target).__name__.removesuffix("Target").lower()
    return f"{kind}:{target.key}"


def _number_key(target: Target) -> str:
    return f"number:{target.key}" if isinstance(target, NumberTarget) else ""


def _entries(
    references: Sequence[Reference], listed: Sequence[str | Mapping[str, Any]]
) -> dict[str, Reference]:
    """The entries of the answer's own list and of the one that came with it, by number and by work."""
    from pincite.answers import read_listed

    entries: dict[str, Reference] = {}
    for entry in (*references, *read_listed(listed)):
        if entry.label:
            entries.setdefault(f"number:{entry.label}", entry)
        for target in entry.targets:
            if isinstance(target, WorkTarget):
                entries.setdefault(target.key, entry)
    return entries


def _says_something(text: str) -> bool:
    words = _WORDS.findall(text[:LONGEST])
    short = {word.lower() for word in words if word.isupper() and len(word) <= _SHORT}
    return any(word.lower() not in short and not _OPAQUE.fullmatch(word) for word in words)


class _Sentences:
    """The statements of a text, found by the place of a marker."""

    def __init__(self, text: str, parsed: Parsed, settings: Settings) -> None:
        markers = [citation.span for citation in parsed.citations]
        kept = kept_words(parsed.citations, text)
        self._statements: list[Statement] = []
        self._leads: list[str] = []
        lead = ""
        for statement in find_statements(text, markers, settings.language, kept):
            if statement.role == "lead_in":
                lead = statement.text
            elif statement.kind == "sentence":
                lead = ""
            self._statements.append(statement)
            self._leads.append(lead)
        self._starts = [statement.start for statement in self._statements]

    def around(self, citation: Citation) -> tuple[str, str]:
        """The sentence that a marker is in, and the one that introduces its list."""
        at = bisect_right(self._starts, citation.start) - 1
        if at < 0 or citation.start >= self._statements[at].end or citation.start == citation.end:
            return "", ""
        lead = "" if self._statements[at].role == "lead_in" else self._leads[at]
        return self._statements[at].text, lead
