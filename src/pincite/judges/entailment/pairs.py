"""A pair as the model reads it: pieces of text to encode, and flags for each of their tokens.

Windows of the evidence do not depend on the claim, so that evidence is encoded once and judged against any
number of claims. Each begins with the sentence before it: what `it` and `the company` mean is mostly there.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from msgspec import Struct

from pincite.judges.entailment.flags import Flagged, flag_claim, flag_sentence
from pincite.judges.rules.observation import Observed
from pincite.judges.rules.reading import ReadText, Sentence
from pincite.records import Span

WINDOW_CHARACTERS = 600
"""Sentences are put together up to this length: what a claim rests on is seldom further apart."""
CONTEXT_CHARACTERS = 240
"""A longer sentence is no context; it would cost more than it tells."""
LONGEST_WINDOW = 900
"""A sentence that is longer, such as a list without full stops, is cut into windows that overlap."""
OVERLAP = 120
CHOSEN_SENTENCES = 5
CHOSEN_CHARACTERS = 1200
"""The best sentences up to this many characters are compared with the claim."""
CLAIM_TOKENS = 128
WINDOW_TOKENS = 256
"""Longer pieces are cut here; windows are made so that this is rare."""


class Tokens(Struct, frozen=True):
    """A piece of text as the tokenizer cuts it: ids with the two marks round them, and places in the text."""

    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    unknown: int
    """How many of them the tokenizer does not know."""


Tokenize = Callable[[str, int], Tokens]
"""A text and the most tokens it may have."""


class Slice(Struct, frozen=True):
    """Tokens `[first, last)` of an encoded text, and the flags of each."""

    text: str
    first: int
    last: int
    flags: tuple[int, ...]
    most: int
    """The number of tokens that the text was cut at."""
    unknown: int = 0
    passage: int = 0
    """Where the sentence stands that the tokens are of, when they are of the evidence."""
    span: Span | None = None
    rank: int = 0
    """How many of the chosen sentences hold more of the claim."""


class ModelPair(Struct, frozen=True):
    """The claim, and the parts of the evidence that it is compared with, in the order of the evidence."""

    claim: Slice
    evidence: tuple[Slice, ...]


def read_pair(observed: Observed, tokenize: Tokenize) -> ModelPair:
    """Choose the sentences, find the windows they stand in, and flag the tokens of both sides."""
    claim, passages = observed.view.claim, observed.view.passages
    chosen = choose_sentences(observed.view.sentences, passages)
    everything: frozenset[str] = frozenset().union(*(reading.stems for reading in passages))
    tokens = tokenize(claim.text, CLAIM_TOKENS)
    flags = _spread(tokens, 0, flag_claim(claim, observed, chosen, everything))
    asked = Slice(claim.text, 0, len(tokens.ids), flags, CLAIM_TOKENS, tokens.unknown)
    shown: list[tuple[int, int, Slice]] = []
    for rank, sentence in enumerate(chosen):
        flagged = flag_sentence(sentence, rank == 0, claim, observed)
        for window in _windows_with(sentence, cut_windows(sentence.reading)):
            part = _slice(sentence, window, flagged, tokenize, rank)
            if part is not None:
                shown.append((sentence.passage, max(window.start, sentence.span.start), part))
    shown.sort(key=lambda found: found[:2])
    return ModelPair(asked, tuple(part for _, _, part in shown))


def _windows_with(sentence: Sentence, windows: Sequence[Window]) -> list[Window]:
    """The windows that hold the sentence: one, or of a cut one as many as are compared."""
    starts = [window.start for window in windows]
    first = max(0, bisect_right(starts, sentence.span.start) - 1)
    last = bisect_left(starts, sentence.span.end)
    return list(windows[first : min(last, first + 2)])


def _slice(
    sentence: Sentence, window: Window, flagged: Flagged, tokenize: Tokenize, rank: int
) -> Slice | None:
    text = sentence.reading.text[window.context : window.end]
    tokens = tokenize(text, WINDOW_TOKENS)
    low = max(sentence.span.start, window.start) - window.context
    high = min(sentence.span.end, window.end) - window.context
    inside = [i for i, (start, end) in enumerate(tokens.offsets) if start >= low and start < end <= high]
    if not inside:
        return None
    first, last = inside[0], inside[-1] + 1
    flags = _spread(tokens, window.context, flagged)[first:last]
    share = tokens.unknown * (last - first) // max(1, len(tokens.ids))
    return Slice(text, first, last, flags, WINDOW_TOKENS, share, sentence.passage, sentence.span, rank)


def _spread(tokens: Tokens, shift: int, flagged: Flagged) -> tuple[int, ...]:
    """Each token's flags: those of the word in which it stands."""
    flags = []
    for start, end in tokens.offsets:
        place = bisect_right(flagged.starts, start + shift) - 1
        inside = end > start and place >= 0 and start + shift < flagged.ends[place]
        flags.append(flagged.flags[place] if inside else 0)
    return tuple(flags)


# --- windows to encode, and the sentences that are compared ---------------------------------------------


class Window(Struct, frozen=True, order=True):
    """A part of a passage that is encoded in one go: `[start, end)` is its own, from `context` it is read."""

    start: int
    end: int
    context: int


def cut_windows(reading: ReadText) -> list[Window]:
    """The windows of a text, in order; every character of every sentence lies in at least one."""
    windows: list[Window] = []
    start = end = context = -1
    before: Span | None = None
    for span in reading.sentences:
        if span.end - span.start > LONGEST_WINDOW:
            if start >= 0:
                windows.append(Window(start, end, context))
                start = -1
            windows += _cut_long(span)
        elif start >= 0 and span.end - start <= WINDOW_CHARACTERS:
            end = span.end
        else:
            if start >= 0:
                windows.append(Window(start, end, context))
            start, end = span.start, span.end
            near = before is not None and before.end - before.start <= CONTEXT_CHARACTERS
            context = before.start if near and before is not None else start
        before = span
    if start >= 0:
        windows.append(Window(start, end, context))
    return windows


def _cut_long(span: Span) -> list[Window]:
    step = LONGEST_WINDOW - OVERLAP
    return [
        Window(start, min(span.end, start + LONGEST_WINDOW), start)
        for start in range(span.start, max(span.start + 1, span.end - OVERLAP), step)
    ]


def choose_sentences(sentences: Sequence[Sentence], passages: Sequence[ReadText]) -> list[Sentence]:
    """The sentences that the model compares with the claim, best first; of short evidence, all of it."""
    if not sentences:
        sentences = [
            Sentence(number, span, reading, 0.0)
            for number, reading in enumerate(passages)
            for span in reading.sentences[:CHOSEN_SENTENCES]
        ]
    chosen: list[Sentence] = []
    room = CHOSEN_CHARACTERS
    for sentence in sentences[:CHOSEN_SENTENCES]:
        length = sentence.span.end - sentence.span.start
        if chosen and length > room:
            continue
        chosen.append(sentence)
        room -= length
    return chosen
