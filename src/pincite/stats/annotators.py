"""How far several people agree: on spans, on categories, and on marks.

A figure that the ratings cannot give, because nobody rated or because everybody said one and the same thing
throughout, is None and never a number.

- **Character-level Jaccard** of two people: shared marked characters over all marked characters, where the
  spans of a document are united first, so that a stretch that was marked twice counts once.
- **Fleiss' kappa**: agreement beyond chance where each item has the same number of ratings.
- **Krippendorff's alpha**: 1 − observed disagreement / disagreement by chance; ratings may be missing.
  Nominal values differ or not, interval ones by the square of their distance.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal, TypeVar

from pincite.base import np
from pincite.records import Span
from pincite.text import merge

Level = Literal["nominal", "interval"]
Document = TypeVar("Document", bound=Hashable)

AT_ONCE = 1000
EXACT = 2**52
"""Offsets below this are exact as floating-point numbers, and so are their sums here."""
FEW_CELLS = 1_000_000


def span_jaccard(
    first: Mapping[Document, Sequence[Span]], second: Mapping[Document, Sequence[Span]]
) -> float | None:
    """How much of what either person marked both have marked; None when neither marked anything."""
    shared = marked = 0
    for document in first.keys() | second.keys():
        one, other = merge(first.get(document, ())), merge(second.get(document, ()))
        both = _shared(one, other)
        shared += both
        # Not by `len`, which overflows: an offset may be longer than any text.
        marked += sum(span.end - span.start for span in (*one, *other)) - both
    return shared / marked if marked else None


def mean_jaccard(people: Sequence[Mapping[Document, Sequence[Span]]]) -> float | None:
    """The mean of `span_jaccard` over every two of the people; None when no two of them marked anything."""
    merged = [{document: merge(spans) for document, spans in marked.items()} for marked in people]
    ends = (spans[-1].end for marked in merged for spans in marked.values() if spans)
    if max(ends, default=0) >= EXACT:
        pairs = (span_jaccard(one, other) for one, other in combinations(merged, 2))
        values = [value for value in pairs if value is not None]
    else:
        shared = np.zeros((len(people), len(people)))
        for document in {document: None for marked in merged for document in marked}:
            shared += _shared_by_all([marked.get(document, []) for marked in merged])
        one, other = np.triu_indices(len(people), 1)
        both = shared[one, other]
        either = shared.diagonal()[one] + shared.diagonal()[other] - both
        values = (both[either > 0] / either[either > 0]).tolist()
    return sum(values) / len(values) if values else None


def _shared_by_all(merged: Sequence[Sequence[Span]]) -> Any:
    """The code points of a document that every two people share, and on the diagonal what each marked.

    Where anybody's mark begins or ends cuts the document into pieces that each person marked wholly or not at
    all, so that a product of matrices gives them all.
    """
    edges = np.unique([edge for spans in merged for span in spans for edge in (span.start, span.end)])
    starts = [np.searchsorted(edges, [span.start for span in spans]) for spans in merged]
    ends = [np.searchsorted(edges, [span.end for span in spans]) for spans in merged]
    shared = np.zeros((len(merged), len(merged)))
    for left in range(0, len(edges) - 1, AT_ONCE):
        lengths = np.diff(edges[left : left + AT_ONCE + 1]).astype(float)
        right = left + len(lengths)
        pieces = np.zeros((len(merged), len(lengths)))
        for row, first, last in zip(pieces, starts, ends, strict=True):
            here = slice(np.searchsorted(last, left, "right"), np.searchsorted(first, right, "left"))
            for start, end in zip(first[here].tolist(), last[here].tolist(), strict=True):
                row[max(start, left) - left : end - left] = 1.0
        shared += (pieces * lengths) @ pieces.T
    return shared


def _shared(one: Sequence[Span], other: Sequence[Span]) -> int:
    """The code points that both lists of merged spans cover; each list is walked once."""
    total = i = j = 0
    while i < len(one) and j < len(other):
        total += max(0, min(one[i].end, other[j].end) - max(one[i].start, other[j].start))
        if one[i].end < other[j].end:
            i += 1
        else:
            j += 1
    return total


def category_counts(ratings: Sequence[Sequence[Hashable]]) -> Any:
    """How often each category was given, one row per item, for `fleiss_of`. All items have as many raters."""
    categories: dict[Hashable, int] = {}
    for item in ratings:
        for value in item:
            categories.setdefault(value, len(categories))
    counts = np.zeros((len(ratings), len(categories)))
    for row, item in enumerate(ratings):
        for value in item:
            counts[row, categories[value]] += 1
    return counts


def fleiss_of(counts: Any) -> float | None:
    """Fleiss' kappa of counts. One category alone leaves nothing that chance could have got wrong."""
    if not counts.size:
        return None
    raters = float(counts[0].sum())
    if (counts.sum(axis=1) != raters).any():
        raise ValueError("Fleiss' kappa needs as many ratings for each item")
    if raters < 2 or int((counts.sum(axis=0) > 0).sum()) < 2:
        return None
    agreed = float(np.mean((np.sum(counts**2, axis=1) - raters) / (raters * (raters - 1))))
    by_chance = float(np.sum((counts.sum(axis=0) / (len(counts) * raters)) ** 2))
    return (agreed - by_chance) / (1.0 - by_chance)


def rating_matrix(ratings: Sequence[Sequence[Any]], level: Level = "nominal") -> Any:
    """Ratings as numbers for `alpha_of`: one row per item, one column per person, NaN for no rating.

    At the interval level values are numbers.
    """
    widest = max((len(item) for item in ratings), default=0)
    matrix = np.full((len(ratings), widest), np.nan)
    codes: dict[Any, int] = {}
    for row, item in enumerate(ratings):
        for column, value in enumerate(item):
            if value is None:
                continue
            matrix[row, column] = codes.setdefault(value, len(codes)) if level == "nominal" else float(value)
    if not np.isfinite(matrix[~np.isnan(matrix)]).all():
        raise ValueError("ratings are finite numbers")
    return matrix


def alpha_of(matrix: Any, level: Level = "nominal") -> float | None:
    """Alpha of a matrix of ratings. Only items with at least two ratings count."""
    if not matrix.size:
        return None
    rated = ~np.isnan(matrix)
    several = rated.sum(axis=1) >= 2
    matrix, rated = matrix[several], rated[several]
    if not len(matrix):
        return None
    values = matrix[rated]
    people = rated.sum(axis=1)
    if level == "nominal":
        within, everywhere = _nominal(matrix, rated, people, values)
    else:
        within, everywhere = _squared(matrix, rated, people, values)
    if everywhere <= 0.0:
        return None
    return 1.0 - (len(values) - 1) * float(np.sum(within / (people - 1))) / everywhere


# Each of these gives the disagreement of all ordered pairs of ratings within every item, and of all pairs.


def _nominal(matrix: Any, rated: Any, people: Any, values: Any) -> tuple[Any, float]:
    distinct, place = np.unique(values, return_inverse=True)
    place = place.reshape(-1)
    rows = np.nonzero(rated)[0]
    if len(matrix) * len(distinct) <= FEW_CELLS:
        cells = np.bincount(rows * len(distinct) + place, minlength=len(matrix) * len(distinct))
        same = np.sum(cells.reshape(len(matrix), -1).astype(float) ** 2, axis=1)
    else:  # a table of all items and all values would be mostly empty
        used, counts = np.unique(rows * len(distinct) + place, return_counts=True)
        same = np.bincount(used // len(distinct), weights=counts.astype(float) ** 2, minlength=len(matrix))
    totals = np.bincount(place).astype(float)
    return people.astype(float) ** 2 - same, float(len(values) ** 2 - np.sum(totals**2))


def _squared(matrix: Any, rated: Any, people: Any, values: Any) -> tuple[Any, float]:
    # From the mean, since the difference of two large sums of squares would lose what is sought.
    known = np.where(rated, matrix, 0.0)
    means = known.sum(axis=1) / people
    apart = np.where(rated, matrix - means[:, None], 0.0)
    within = 2.0 * people * np.sum(apart**2, axis=1)
    if float(np.ptp(values)) == 0.0:
        return within, 0.0
    return within, 2.0 * len(values) * float(np.sum((values - values.mean()) ** 2))
