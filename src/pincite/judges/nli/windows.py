"""The stretches of evidence that a model is shown one at a time.

A passage that fits is shown whole. A longer one is shown in windows of whole sentences that overlap, and a
sentence that is too long in overlapping pieces. Several passages are also shown together where they fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pincite.judges.nli.tokens import Tokens
from pincite.records import Passage, Span
from pincite.text.sentences import split_sentences

SPARE = 4
"""Tokens kept free, because parts of a text may have more tokens than they have in it."""

LEAST_ROOM = 12
"""With less room for evidence than this, nothing sensible can be asked."""


class Window(Struct, frozen=True):
    """Evidence to be shown at once: one stretch of one passage, or all passages together."""

    text: str
    passage: int | None
    """None for all passages together."""
    span: Span
    """Where in that passage."""
    sentences: tuple[Span, ...] = ()
    """The whole sentences in it."""


class _Sentence(Struct, frozen=True, gc=False):
    span: Span
    tokens: int


class Windows:
    """Cuts passages, remembering the sentences of those that several claims share."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._read: dict[str, list[_Sentence]] = {}

    def of(self, passages: Sequence[Passage], room: int) -> Iterator[Window]:
        """Everything to be shown about these passages, `room` tokens at most each."""
        read = [self._sentences(passage.text) for passage in passages]
        heads = [self._head(passage.context, room) for passage in passages]
        for index, (passage, sentences) in enumerate(zip(passages, read, strict=True)):
            text, (head, head_tokens) = passage.text, heads[index]
            for group in _grouped(sentences, room - head_tokens - SPARE):
                if len(group) == 1 and group[0].tokens > room - head_tokens - SPARE:
                    for piece in self._pieces(text, group[0].span, room - head_tokens - SPARE):
                        yield Window(head + piece.of(text), index, piece)
                else:
                    span = Span(group[0].span.start, group[-1].span.end)
                    yield Window(head + span.of(text), index, span, tuple(part.span for part in group))
        told = [index for index, sentences in enumerate(read) if sentences]
        needed = sum(sentence.tokens for index in told for sentence in read[index])
        if len(told) > 1 and needed + sum(heads[index][1] + SPARE for index in told) <= room:
            together = "\n".join(heads[index][0] + passages[index].text.strip() for index in told)
            yield Window(together, None, Span(0, 0))

    def _sentences(self, text: str) -> list[_Sentence]:
        if text not in self._read:
            spans = split_sentences(text)
            counts = self._tokens.lengths([span.of(text) for span in spans])
            self._read[text] = [_Sentence(span, max(1, n)) for span, n in zip(spans, counts, strict=True)]
        return self._read[text]

    def _head(self, context: str, room: int) -> tuple[str, int]:
        """What the evidence is understood by, to stand before it: left out when it takes too much room."""
        if not context.strip():
            return "", 0
        head = context.strip() + "\n"
        count = self._tokens.lengths([head])[0]
        return (head, count) if count <= room // 3 else ("", 0)

    def _pieces(self, text: str, span: Span, room: int) -> Iterator[Span]:
        offsets = self._tokens.offsets(span.of(text))
        step = max(1, room - room // 4)
        for first in range(0, len(offsets), step):
            last = min(first + room, len(offsets)) - 1
            yield Span(span.start + offsets[first][0], span.start + offsets[last][1])
            if last == len(offsets) - 1:
                return


def _grouped(sentences: Sequence[_Sentence], room: int) -> Iterator[list[_Sentence]]:
    """Runs of sentences that fit, each beginning with up to a quarter of the one before it."""
    group: list[_Sentence] = []
    tokens = 0
    for sentence in sentences:
        if group and tokens + sentence.tokens > room:
            yield group
            group = _last_quarter(group, min(room // 4, room - sentence.tokens))
            tokens = sum(kept.tokens for kept in group)
        group.append(sentence)
        tokens += sentence.tokens
    if group:
        yield group


def _last_quarter(group: list[_Sentence], room: int) -> list[_Sentence]:
    kept: list[_Sentence] = []
    for sentence in reversed(group):
        room -= sentence.tokens
        if room < 0:
            break
        kept.append(sentence)
    return kept[::-1]
