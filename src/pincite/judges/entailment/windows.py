"""Which parts of the evidence the model reads: windows to encode, and the sentences it compares.

Windows do not depend on the claim, so that evidence is encoded once and judged against any number of claims.
Each begins with the sentence before it: what `it` and `the company` mean mostly stands there.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

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
