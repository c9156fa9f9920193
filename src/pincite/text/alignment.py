"""Where a pattern stands in a text, give or take some edits: an alignment with both of its ends.

The edit distances of a whole column are kept as the bits of two integers (Myers 1999): a step over one
character of text costs a few operations on integers as long as the pattern, not one a pattern character.
The partial ratios of fuzzy-matching libraries slide a window of the pattern's own length, which misses the
true ends of a passage where words were added or left out.
"""

from __future__ import annotations

from msgspec import Struct


class Alignment(Struct, frozen=True):
    """`text[start:end]` is nearest to the pattern, `edits` insertions, deletions and substitutions away."""

    start: int
    end: int
    edits: int


def align(pattern: str, text: str, most_edits: int | None = None) -> Alignment | None:
    """The place in `text` with the fewest edits from `pattern`; the widest of equal ones at that place.

    None when that takes more than `most_edits`. The time is that of two walks over the text, each step on
    integers of `len(pattern)` bits.
    """
    edits, end = _fewest_edits(pattern, text, anchored=False)
    if most_edits is not None and edits > most_edits:
        return None
    # From the end backwards, with the end held fast, the best stretch gives the start.
    _, length = _fewest_edits(pattern[::-1], text[:end][::-1], anchored=True)
    return Alignment(end - length, end, edits)


def _fewest_edits(pattern: str, text: str, anchored: bool) -> tuple[int, int]:
    """The least distance of `pattern` to a stretch of `text`, and where the last such stretch ends.

    The stretch begins anywhere, or at the start of `text` when anchored.
    """
    size = len(pattern)
    if size == 0:
        return 0, 0
    places: dict[str, int] = {}
    for position, char in enumerate(pattern):
        places[char] = places.get(char, 0) | (1 << position)
    every = (1 << size) - 1
    top = 1 << (size - 1)
    carried = 1 if anchored else 0
    rises, falls = every, 0  # where the distance grows or shrinks from one pattern character to the next
    distance = best = size
    best_end = 0
    for end, char in enumerate(text, 1):
        equal = places.get(char, 0)
        vertical = equal | falls
        diagonal = (((equal & rises) + rises) ^ rises) | equal
        grows = falls | (every & ~(diagonal | rises))
        shrinks = rises & diagonal
        if grows & top:
            distance += 1
        elif shrinks & top:
            distance -= 1
        grows = (grows << 1) | carried
        shrinks <<= 1
        rises = (shrinks | ~(vertical | grows)) & every
        falls = grows & vertical & every
        if distance <= best and (distance < best or end == best_end + 1):
            best, best_end = distance, end
    return best, best_end
