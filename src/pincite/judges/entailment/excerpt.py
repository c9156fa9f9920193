"""The part of the evidence that the cross-encoder reads beside the claim.

It reads 192 tokens at once. Short evidence is shown whole; of longer evidence, the sentences that together
hold most of the claim, with the sentence before the best one, in the order in which they stand. What a reader
of a passage knows already, such as the headings above it, is told before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from pincite.judges.rules.texts import ReadText, Sentence
from pincite.records import Span

TOKENS, CLAIM_TOKENS = 192, 80
"""As in training. A longer claim is cut; the evidence gets what is left, less three tokens between them."""
CONTEXT_TOKENS = 24
"""The end of a context stands nearest to its passage and tells most."""
PART_CHARACTERS, OVERLAP = 400, 80
"""A sentence that does not fit, such as a list without full stops, is shown in parts that overlap."""

CutIntoTokens = Callable[[str], tuple[int, ...]]
"""The ids of a text's tokens, without the marks of its two ends."""


class Part(Struct, frozen=True, order=True):
    """A sentence of the evidence, or a part of a long one."""

    passage: int
    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


class Excerpt(Struct, frozen=True):
    """What the model reads of one pair."""

    claim: tuple[int, ...]
    evidence: tuple[int, ...]
    parts: tuple[Part, ...]
    """Where the evidence stands, in order."""


def choose_excerpt(
    claim: ReadText,
    passages: Sequence[ReadText],
    contexts: Sequence[str],
    ranked: Sequence[Sentence],
    tokens: CutIntoTokens,
) -> Excerpt:
    """The claim and the best of the evidence.

    `contexts` says of each passage what its reader knows; `ranked` are the sentences, those that hold most of
    the claim first.
    """
    asked = tokens(claim.text)[:CLAIM_TOKENS]
    room = TOKENS - 3 - len(asked)
    told = {text: tokens(text)[-CONTEXT_TOKENS:] for text in contexts if text}
    left = room - sum(map(len, told.values()))
    if left < room // 2:
        told, left = {}, room
    parts = _everything(passages, tokens, left) or _best(claim, passages, ranked, tokens, left)
    ids: list[int] = []
    for part in parts:
        ids += told.pop(contexts[part.passage], ())
        ids += tokens(part.span.of(passages[part.passage].text))
    return Excerpt(asked, tuple(ids[:room]), tuple(parts))


def _everything(passages: Sequence[ReadText], tokens: CutIntoTokens, room: int) -> list[Part]:
    """Every sentence, where all of them fit; otherwise nothing."""
    # A token is seldom shorter than two characters, so most long evidence need not be cut to be refused.
    if sum(len(reading.text) for reading in passages) > 8 * room:
        return []
    parts = [
        Part(number, span.start, span.end)
        for number, reading in enumerate(passages)
        for span in reading.sentences
    ]
    length = sum(len(tokens(part.span.of(passages[part.passage].text))) for part in parts)
    return parts if length <= room else []


def _best(
    claim: ReadText,
    passages: Sequence[ReadText],
    ranked: Sequence[Sentence],
    tokens: CutIntoTokens,
    room: int,
) -> list[Part]:
    """Parts that add most of what the claim still lacks, then those next to the best one."""
    wanted = {term.stem for term in claim.terms if not term.stop} or set(claim.stems)
    found = [part for sentence in ranked for part in _cut(sentence.passage, sentence.span)]
    if not found:
        found = [
            part
            for number, reading in enumerate(passages)
            for span in reading.sentences[:4]
            for part in _cut(number, span)
        ]
    held = [_stems(passages, part) & wanted for part in found]
    chosen: list[Part] = []
    lacking = set(wanted)

    def take(part: Part) -> bool:
        nonlocal room
        length = len(tokens(part.span.of(passages[part.passage].text)))
        if part in chosen or (chosen and length > room):
            return False
        chosen.append(part)
        room -= length
        return True

    left = list(range(len(found)))
    while left and room > 0:
        # The earlier in rank wins a tie: rare words and names weigh more there than they do here.
        best = max(left, key=lambda place: (len(held[place] & lacking), -place))
        left.remove(best)
        if len(held[best] & lacking) == 0 and chosen:
            break
        if take(found[best]):
            lacking -= held[best]
            if len(chosen) == 1:
                before = _before(passages, found[best])
                if before is not None:
                    take(before)
    for place in left:
        if room <= 0:
            break
        take(found[place])
    return sorted(chosen)


def _cut(passage: int, span: Span) -> list[Part]:
    if span.end - span.start <= 2 * PART_CHARACTERS:
        return [Part(passage, span.start, span.end)]
    step = PART_CHARACTERS - OVERLAP
    return [
        Part(passage, start, min(span.end, start + PART_CHARACTERS))
        for start in range(span.start, span.end - OVERLAP, step)
    ]


def _before(passages: Sequence[ReadText], part: Part) -> Part | None:
    """The sentence before: what `it` and `the company` mean mostly stands there."""
    sentences = passages[part.passage].sentences
    earlier = [span for span in sentences if span.end <= part.start]
    if not earlier or earlier[-1].end - earlier[-1].start > PART_CHARACTERS:
        return None
    return Part(part.passage, earlier[-1].start, earlier[-1].end)


def _stems(passages: Sequence[ReadText], part: Part) -> frozenset[str]:
    return frozenset(
        term.stem for term in passages[part.passage].terms_in_range(part.start, part.end) if not term.stop
    )
