"""Which claims a marker speaks for, and which of its words belong to the sentence around it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Literal

from pincite.citations.formats.form import LISTS
from pincite.records import Citation, Claim, Span
from pincite.text import Statement, find_statements

_WORD = re.compile(r"\w++")
_NOTHING_SAID = frozenset(("empty", "pointer", "label", "courtesy"))
"""Roles of a sentence without content of its own: a marker in it is meant for the claim before."""
_LINK = re.compile(r"\[(?P<title>[^\[\]]{1,999}+)\][(\[]")
_LABEL = re.compile(
    r"\W*+(?:sources?|links?|here|refs?|references?|citations?|(?:read |learn |see )?more|details|website|pdf"
    r"|(?:source |ref |note |doc |document )?\d{1,3}|https?:\S{1,500}|www\.\S{1,500}"
    r"|\S{1,99}\.(?:com|org|net|gov|edu|io|co|int|eu|de|uk|info)\S{0,99})\W*+\Z",
    re.IGNORECASE,
)
_BEFORE = 40
"""Characters before a marker that tell whether it is part of the sentence."""
_OPEN_END = rf"[\s*_“\"]{{0,{_BEFORE}}}\Z"
_LEADS_TO_NOUN = re.compile(rf"(?:\A|[\s(“\"*_]){LISTS.any_of('leads to a noun')}{_OPEN_END}", re.IGNORECASE)
_BEGINS_SENTENCE = re.compile(
    rf"(?:\A|[\n.!?:;•>|]|(?:\A|\n)[ \t]{{0,{_BEFORE}}}(?:[-*+]|\d{{1,3}}[.)])){_OPEN_END}"
)
_FOLLOWED_BY_WORD = re.compile(r"[*_”\"]*(?:['’]s\b|[ \t]+[a-z])")
_FOLLOWED_BY_JOINT = re.compile(r"[*_”\"]*(?:,|:|[ \t]*[–—])[ \t]")
_CONJUNCTION = re.compile(
    r"[*_”\"]*[ \t]+(?:and|or|but|while|whereas|although|though|because|since|so|yet|when|after|which)\b"
)
_YEAR = re.compile(r"(?<![,\s])[,\s]*+[(\[]?\b\d{4}[a-z]?\b")


def marker_spans(citations: Iterable[Citation]) -> list[Span]:
    """Where the markers stand, for `split_claims`. What a provider's citation covers is text, no marker."""
    return sorted(citation.span for citation in citations if citation.family != "provider")


def covered_spans(citations: Iterable[Citation]) -> list[Span]:
    """The text that a provider's citations speak for. One without width stands for the letter before it."""
    covering = [one.span for one in citations if one.family == "provider"]
    return [Span(min(span.start, max(0, span.end - 1)), span.end) for span in covering]


def attach(
    claims: Sequence[Claim],
    citations: Sequence[Citation],
    text: str,
    mode: Literal["sentence", "paragraph"] = "sentence",
    language: str = "en",
    statements: Sequence[Statement] | None = None,
) -> tuple[tuple[int, ...], ...]:
    """For each citation, the indices of the claims that it speaks for; none where nothing is asserted.

    A marker speaks for the sentence, list item or table row it stands in, or directly after which it stands.
    In the mode `paragraph`, the markers that close a paragraph also speak for its sentences without a marker.
    `statements` are what `find_statements` makes of the text and these markers, where that is known already.
    """
    places = _Claims(claims)
    attached: list[tuple[int, ...]] = []
    outside: list[int] = []
    for number, citation in enumerate(citations):
        if citation.family == "provider" and citation.end > citation.start:
            attached.append(places.covered(citation.span, text))
            continue
        at = places.holding(citation.start, citation.end)
        attached.append(() if at is None else (at,))
        if at is None:
            outside.append(number)
    if outside or mode == "paragraph":
        if statements is None:
            markers, covered = marker_spans(citations), covered_spans(citations)
            statements = list(find_statements(text, markers, language, covered=covered))
        reader = _Statements(places, citations, statements)
        for number in outside:
            attached[number] = reader.meant(citations[number])
        if mode == "paragraph":
            reader.spread_closing_markers(citations, attached, text)
    return tuple(attached)


class _Claims:
    """The claims by their place. They are in order and do not overlap."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self.claims = claims
        self._starts = [claim.start for claim in claims]

    def before(self, offset: int) -> int:
        """The last claim that begins at or before `offset`, or -1."""
        return bisect_right(self._starts, offset) - 1

    def holding(self, start: int, end: int) -> int | None:
        """The claim in which a marker stands; for a marker without width, the one that ends there."""
        at = self.before(start)
        if at < 0:
            return None
        if start == end and start == self.claims[at].start and at > 0:
            at -= 1
        reach = self.claims[at].end + (start == end)
        return at if start < reach else None

    def covered(self, span: Span, text: str) -> tuple[int, ...]:
        """Every claim of which at least one whole word lies in the span."""
        found: list[int] = []
        at = max(0, self.before(span.start))
        while at < len(self.claims) and self.claims[at].start < span.end:
            claim = self.claims[at]
            if _shares_a_word(text, max(span.start, claim.start), min(span.end, claim.end)):
                found.append(at)
            at += 1
        return tuple(found)


def _shares_a_word(text: str, start: int, end: int) -> bool:
    """True when a word lies wholly in `text[start:end]`: only the first and the last can be cut off."""
    if end <= start:
        return False
    for word in _WORD.finditer(text, start, end):
        cut_before = word.start() == start and start > 0 and _WORD.match(text[start - 1])
        cut_after = word.end() == end and end < len(text) and _WORD.match(text[end])
        if not cut_before and not cut_after:
            return True
    return False


class _Statements:
    """What an answer says beside its claims, read only when a marker stands outside of them."""

    def __init__(
        self, places: _Claims, citations: Sequence[Citation], statements: Sequence[Statement]
    ) -> None:
        self.claims = places.claims
        self.statements = statements
        self._starts = [statement.start for statement in self.statements]
        self._nearest = _nearest_contents(self.statements)
        self._meant: dict[int, tuple[int, ...]] = {}
        self._claim_starts = {claim.start: number for number, claim in enumerate(places.claims)}
        self.cited = {
            at
            for citation in citations
            if citation.family != "provider"
            and (at := places.holding(citation.start, citation.end)) is not None
        }

    def meant(self, citation: Citation) -> tuple[int, ...]:
        """The claims meant by a marker that stands outside all claims."""
        at = bisect_right(self._starts, citation.start) - 1
        if at < 0 or citation.start >= self.statements[at].end:
            return ()
        if at not in self._meant:
            self._meant[at] = self._meant_in(at)
        return self._meant[at]

    def _meant_in(self, at: int) -> tuple[int, ...]:
        holder = self.statements[at]
        if holder.role == "header":
            return self._uncited_in_group(at, holder.block.group)
        if holder.role == "lead_in" and at + 1 < len(self.statements):
            deeper_than = holder.block.level if holder.kind == "item" else -1
            return self._uncited_in_group(at, self.statements[at + 1].block.group, deeper_than)
        if holder.role in _NOTHING_SAID:
            return self._claim_before(at) or self._claim_after(at)
        return ()

    def _uncited_in_group(self, at: int, group: int, deeper_than: int = -1) -> tuple[int, ...]:
        """The claims of the list or table that follows, but for those with a marker of their own."""
        found: list[int] = []
        for number in range(at + 1, len(self.statements)):
            statement = self.statements[number]
            if statement.block.group != group or statement.block.level <= deeper_than:
                break
            claim = self._claim(statement)
            if claim is not None and claim not in self.cited:
                found.append(claim)
        return tuple(found)

    def _claim_before(self, at: int) -> tuple[int, ...]:
        """The nearest claim before; beyond its own block only for a marker that stands alone on its line."""
        before = self._nearest[at]
        if before < 0:
            return ()
        holder, statement = self.statements[at], self.statements[before]
        alone = holder.role == "empty" and holder.kind == "sentence"
        claim = self._claim(statement)
        if claim is None or not (alone or statement.block is holder.block):
            return ()
        return (claim,)

    def _claim_after(self, at: int) -> tuple[int, ...]:
        """The claim that a marker alone on a line opens, in the same block."""
        if self.statements[at].role == "empty" and at + 1 < len(self.statements):
            following = self.statements[at + 1]
            claim = self._claim(following)
            if claim is not None and following.block is self.statements[at].block:
                return (claim,)
        return ()

    def _claim(self, statement: Statement) -> int | None:
        return self._claim_starts.get(statement.start) if statement.role == "claim" else None

    def spread_closing_markers(
        self, citations: Sequence[Citation], attached: list[tuple[int, ...]], text: str
    ) -> None:
        """Let the markers that close a paragraph speak for its sentences that have none."""
        block_end = frontier = -1
        spread: dict[int, tuple[int, ...]] = {}
        order = sorted(range(len(citations)), key=lambda number: citations[number].start, reverse=True)
        for number in order:
            citation = citations[number]
            at = bisect_right(self._starts, citation.start) - 1
            if citation.family == "provider" or at < 0 or len(attached[number]) != 1:
                continue
            if self.statements[at].block.end != block_end:
                block_end = frontier = self.statements[at].block.end
            if _WORD.search(text, citation.end, max(citation.end, frontier)):
                frontier = len(text)  # words follow, so no marker further to the left closes the paragraph
                continue
            frontier = citation.start
            last = attached[number][0]
            if last not in spread:
                spread[last] = (*self._uncited_sentences_before(last), last)
            attached[number] = spread[last]

    def _uncited_sentences_before(self, last: int) -> list[int]:
        found: list[int] = []
        paragraph = self.claims[last].paragraph
        if self.claims[last].kind != "sentence":
            return found
        for number in range(last - 1, -1, -1):
            claim = self.claims[number]
            if claim.paragraph != paragraph or claim.kind != "sentence":
                break
            if number not in self.cited:
                found.append(number)
        return found[::-1]


def _nearest_contents(statements: Sequence[Statement]) -> list[int]:
    """For each statement the nearest one before it that says something, or -1."""
    nearest: list[int] = []
    for number, _ in enumerate(statements):
        if number and statements[number - 1].role in _NOTHING_SAID:
            nearest.append(nearest[-1])
        else:
            nearest.append(number - 1)
    return nearest


def kept_words(citations: Iterable[Citation], text: str) -> dict[Span, str]:
    """What replaces a marker in a claim's text, for the markers that are part of their sentence's grammar.

    `Smith (2020) found …` keeps `Smith`; `according to the [IPCC report](https://…)` keeps the link's title.
    A link that only names the source, as in `It rose by 5% [Reuters](https://…).`, keeps nothing.
    """
    kept: dict[Span, str] = {}
    for citation in citations:
        words = ""
        if citation.family == "author_year":
            # The names of a narrative marker; a marker in brackets has no words of the sentence.
            year = None if citation.text[:1] in "([" else _YEAR.search(citation.text)
            words = citation.text[: year.start()].strip() if year else ""
        elif citation.family != "provider" and (link := _LINK.match(citation.text)):
            title = " ".join(link["title"].split())
            if _is_part_of_sentence(title, citation, text):
                words = title
        if words:
            kept[citation.span] = words
    return kept


def _is_part_of_sentence(title: str, citation: Citation, text: str) -> bool:
    if _LABEL.match(title):
        return False
    before = text[max(0, citation.start - _BEFORE) : citation.start]
    after = text[citation.end : citation.end + 20]
    if before.rstrip("*_ ")[-1:] in ("(", "["):
        return False
    if _LEADS_TO_NOUN.search(before):
        return True
    if _BEGINS_SENTENCE.search(before):
        return bool(_FOLLOWED_BY_WORD.match(after) or _FOLLOWED_BY_JOINT.match(after))
    if _FOLLOWED_BY_WORD.match(after):
        return not _CONJUNCTION.match(after)
    # At the end of a sentence, a title in small letters is what is spoken of, one with a capital the source.
    return title[:1].islower()
