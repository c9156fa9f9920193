"""How well predicted spans hit the true ones. docs/span-metrics.md has the rules."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from math import fsum

from pincite.errors import InputError
from pincite.metrics.document_names import unite
from pincite.metrics.span_matching import match
from pincite.metrics.span_records import (
    Averages,
    Figures,
    Item,
    Key,
    Level,
    MatchedPair,
    NotScorable,
    Place,
    Ratio,
    Side,
    Sizes,
    SpanProblem,
    SpanScores,
    UnmatchedSpan,
)
from pincite.text import UNSPACED

GOOD_MATCH = 0.8
LARGEST_OFFSET = 2**48
"""No document is that long, and sums of offsets up to here stay exact in floats."""

# Where no spaces are written, each character counts as a word.
_WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]++")

Groups = dict[Key, tuple[list[Item], list[Item]]]


def score_spans(
    true: Sequence[Place],
    predicted: Sequence[Place],
    tolerance: int = 10,
    texts: Mapping[str, str] | None = None,
    same_document: Mapping[str, str] | None = None,
) -> SpanScores:
    """Assign predictions to true spans one to one, and score what they share.

    `texts` (document name to text) gives the token figures. `same_document` maps other names of a document,
    as its id or its title, to the name that the other spans use.
    """
    if isinstance(tolerance, bool) or not isinstance(tolerance, int) or tolerance < 0:
        raise InputError(f"the tolerance is {tolerance!r}: give a whole number of characters, 0 or more")
    keys, ambiguous = _document_keys((true, predicted), texts, same_document)
    groups: Groups = {}
    true_places, bad_true = _sort_in(true, 0, keys, groups)
    places, bad_predicted = _sort_in(predicted, 1, keys, groups)
    pairs, exact = match(group for group in groups.values() if group[0] and group[1])
    sizes = [_sizes(*true_places[i], *places[j], tolerance) for i, j in pairs]
    matched_true = {i for i, _ in pairs}
    matched_predicted = {j for _, j in pairs}
    alone_true = [i for i in range(len(true)) if i not in matched_true and i not in bad_true]
    alone_predicted = [j for j in range(len(predicted)) if j not in matched_predicted]
    not_scorable = [NotScorable("spans", "true", i, problem) for i, problem in bad_true.items()]

    tokens: list[Sizes | None] = [None] * len(sizes)
    token_level = None
    if texts is not None:
        counter = TokenCounter(texts, keys, not_scorable)
        tokens = [counter.pair(true[i], predicted[j], i, tolerance) for i, j in pairs]
        missed = [counter.alone(true[i], "true", i) for i in alone_true]
        extra = [
            counter.alone(predicted[j], "predicted", j) for j in alone_predicted if j not in bad_predicted
        ]
        counted = [size for size in tokens if size is not None]
        units = len(counted) + sum(map(bool, missed)) + sum(map(bool, extra)) + len(bad_predicted)
        # A prediction without a place hits nothing, and no text is needed to say so.
        needs_text = bool(pairs or missed or extra)
        if counter.found_text or not needs_text:
            token_level = _level(counted, sum(missed), sum(extra), units)

    return SpanScores(
        characters=_level(
            sizes,
            sum([true_places[i][1] - true_places[i][0] for i in alone_true]),
            sum([places[j][1] - places[j][0] for j in alone_predicted]),
            len(sizes) + len(alone_true) + len(alone_predicted),
        ),
        tokens=token_level,
        matched=tuple(
            [MatchedPair(*pair, size, words) for pair, size, words in zip(pairs, sizes, tokens, strict=True)]
        ),
        unmatched_true=tuple([UnmatchedSpan(i) for i in alone_true]),
        unmatched_predicted=tuple([UnmatchedSpan(j, bad_predicted.get(j)) for j in alone_predicted]),
        perfect_matches=sum([size.shared == size.true == size.predicted for size in sizes]),
        good_matches=sum([_is_good(size) for size in sizes]),
        tolerance=tolerance,
        not_scorable=tuple(not_scorable),
        ambiguous_names=ambiguous,
        exact_assignment=exact,
    )


def _document_keys(
    sides: tuple[Sequence[Place], Sequence[Place]],
    texts: Mapping[str, str] | None,
    same_document: Mapping[str, str] | None,
) -> tuple[Mapping[str, Key], tuple[str, ...]]:
    """What each document name counts as."""
    used = {span.document for side in sides for span in side}
    for name in used:
        if not isinstance(name, str):
            raise InputError(f"a span names its document {name!r}: a document's name must be text")
    if len(used) <= 1 and not texts:
        return {name: name for name in used}, ()
    other_names = same_document or {}
    meant = {name: other_names.get(name, name) for name in [*used, *(texts or ())]}
    keys, ambiguous = unite(meant.values(), {meant[name] for name in texts or ()})
    ambiguous_names = set(ambiguous)
    return (
        {name: keys[other] for name, other in meant.items()},
        tuple(sorted(name for name in used if meant[name] in ambiguous_names)),
    )


def _sort_in(
    spans: Sequence[Place], side: int, keys: Mapping[str, Key], groups: Groups
) -> tuple[list[tuple[int, int]], dict[int, SpanProblem]]:
    """Put the spans with their documents. Gives their places, and what is wrong with those that have none."""
    places: list[tuple[int, int]] = []
    problems: dict[int, SpanProblem] = {}
    for index, span in enumerate(spans):
        start, end = span.start, span.end
        if type(start) is int and type(end) is int and 0 <= start < end <= LARGEST_OFFSET:
            key = keys[span.document]
            group = groups.get(key)
            if group is None:
                group = groups[key] = ([], [])
            group[side].append((start, end, index, span.page))
            places.append((start, end))
        else:
            problems[index] = _problem(span, index)
            places.append((0, 0))
    return places, problems


def _problem(span: Place, index: int) -> SpanProblem:
    start, end = span.start, span.end
    if start is None or end is None:
        return "no_offsets"
    if type(start) is not int or type(end) is not int:
        raise InputError(f"span {index} has offsets {start!r}–{end!r}: they must be whole numbers")
    if start < 0 or end < 0:
        return "negative"
    if start == end:
        return "empty"
    return "reversed" if start > end else "too_large"


def _is_good(size: Sizes) -> bool:
    union = size.true + size.tolerant_predicted - size.tolerant_shared
    return size.tolerant_shared / union >= GOOD_MATCH


def _sizes(start: int, end: int, other_start: int, other_end: int, tolerance: int) -> Sizes:
    """What an overlapping pair shares. With tolerance an end near the true one is taken for the true one."""
    length, other_length = end - start, other_end - other_start
    shared = (end if end < other_end else other_end) - (start if start > other_start else other_start)
    if shared == length == other_length:
        return Sizes(shared, length, length, shared, length)
    if -tolerance <= other_start - start <= tolerance:
        other_start = start
    if -tolerance <= other_end - end <= tolerance:
        other_end = end
    snapped = (end if end < other_end else other_end) - (start if start > other_start else other_start)
    return Sizes(shared, length, other_length, snapped, other_end - other_start)


# --- figures --------------------------------------------------------------------------------------

_Row = tuple[int, int, int]
"""Shared, true and predicted units of one pair."""


def _level(pairs: Sequence[Sizes], alone_true: int, alone_predicted: int, units: int) -> Level:
    """Both averages, exact and tolerant. `alone_*` are the characters or tokens of unmatched spans."""
    exact = [(pair.shared, pair.true, pair.predicted) for pair in pairs]
    tolerant = [(pair.tolerant_shared, pair.true, pair.tolerant_predicted) for pair in pairs]
    return Level(
        exact=_averages(exact, alone_true, alone_predicted, units),
        tolerant=_averages(tolerant, alone_true, alone_predicted, units),
    )


def _averages(rows: Sequence[_Row], alone_true: int, alone_predicted: int, units: int) -> Averages:
    shared = true = predicted = 0
    precision, recall, jaccard, dice = [], [], [], []
    for row_shared, row_true, row_predicted in rows:
        shared += row_shared
        true += row_true
        predicted += row_predicted
        if row_shared:
            both = row_true + row_predicted
            precision.append(row_shared / row_predicted)
            recall.append(row_shared / row_true)
            jaccard.append(row_shared / (both - row_shared))
            dice.append(2 * row_shared / both)
    mean_dice = Ratio(fsum(dice), units)
    # For one pair F1 and Dice are the same number, and so are their means.
    macro = Figures(
        precision=Ratio(fsum(precision), units),
        recall=Ratio(fsum(recall), units),
        f1=mean_dice,
        jaccard=Ratio(fsum(jaccard), units),
        dice=mean_dice,
    )
    return Averages(micro=_micro_figures(shared, true + alone_true, predicted + alone_predicted), macro=macro)


def _micro_figures(shared: int, true: int, predicted: int) -> Figures:
    """The figures of pooled units."""
    dice = Ratio(2 * shared, true + predicted)
    return Figures(
        precision=Ratio(shared, predicted),
        recall=Ratio(shared, true),
        f1=dice,
        jaccard=Ratio(shared, true + predicted - shared),
        dice=dice,
    )


# --- words ---------------------------------------------------------------------------------------


class WordIndex:
    """The words of one text: runs of letters, digits and underscores."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for found in _WORD.finditer(text):
            self._starts.append(found.start())
            self._ends.append(found.end())

    def touched(self, start: int, end: int) -> tuple[int, int]:
        """The half-open range of words with at least one character in `text[start:end]`."""
        first = bisect_right(self._ends, start)
        return first, max(first, bisect_left(self._starts, end))


class TokenCounter:
    """Counts the words of spans, and notes in `notes` the spans for which it cannot."""

    def __init__(self, texts: Mapping[str, str], keys: Mapping[str, Key], notes: list[NotScorable]) -> None:
        self._names = {keys[name]: name for name in texts}
        self._texts = texts
        self._keys = keys
        self._notes = notes
        self._indexes: dict[str, WordIndex] = {}
        self.found_text = False

    def alone(self, span: Place, side: Side, position: int) -> int:
        """How many words an unmatched span touches."""
        index = self._index(span, side, position)
        if index is None:
            return 0
        first, last = index.touched(*_ends(span))
        if first == last:
            self._note(side, position, "no words in the span")
        return last - first

    def pair(self, true: Place, predicted: Place, position: int, tolerance: int) -> Sizes | None:
        """What a pair shares in words. `position` is that of the true span."""
        index = self._index(true, "true", position)
        if index is None:
            return None
        start, end = _ends(true)
        other_start, other_end = _ends(predicted)
        first, last = index.touched(start, end)
        other_first, other_last = index.touched(other_start, other_end)
        if first == last and other_first == other_last:
            self._note("true", position, "no words in either span of the pair")
            return None
        near_first, near_last = index.touched(
            start if abs(other_start - start) <= tolerance else other_start,
            end if abs(other_end - end) <= tolerance else other_end,
        )
        if near_first == near_last:
            # Between words nothing is left to forgive, and no tolerant figure may be below its exact one.
            near_first, near_last = other_first, other_last
        return Sizes(
            shared=max(0, min(last, other_last) - max(first, other_first)),
            true=last - first,
            predicted=other_last - other_first,
            tolerant_shared=max(0, min(last, near_last) - max(first, near_first)),
            tolerant_predicted=near_last - near_first,
        )

    def _index(self, span: Place, side: Side, position: int) -> WordIndex | None:
        name = span.document if span.document in self._texts else self._names.get(self._keys[span.document])
        if name is None:
            self._note(side, position, f"no text for document {span.document!r}")
            return None
        if name not in self._indexes:
            if not isinstance(self._texts[name], str):
                given = type(self._texts[name]).__name__
                raise InputError(f"the text of {name!r} is of type {given}: give the document's text")
            self._indexes[name] = WordIndex(self._texts[name])
        self.found_text = True
        return self._indexes[name]

    def _note(self, side: Side, position: int, reason: str) -> None:
        self._notes.append(NotScorable("tokens", side, position, reason))


def _ends(span: Place) -> tuple[int, int]:
    return span.start or 0, span.end or 0
