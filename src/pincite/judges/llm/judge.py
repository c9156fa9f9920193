"""A language model as a judge.

All pairs of one question go to the model in one call, and the questions at once. What cannot be read in the
reply is asked again, and nothing else is. A pair that stays without a readable verdict is unjudged, with what
the model said instead; it is never a low score.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pincite.config import Settings
from pincite.judges.cache import ReplyCache, open_cache
from pincite.judges.judge import Judge, Prompt, unjudged
from pincite.judges.llm.asking import Asker, Caller, NoAnswer, Told
from pincite.judges.llm.prompting import has_words, prompt_file, split_pairs, write_sheet
from pincite.judges.llm.replies import shown
from pincite.records import Pair, Passage, Question, Span, Usage, Verdict
from pincite.text import Normalised, normalise

_EDGES = " '….,;:"
"""What a model adds round a quotation, as normalised text has it."""

_MOST_PLACES = 100
"""How many places inside other words are passed over."""
LONGEST_REASON = 300


def make_llm_judge(model: str, settings: Settings) -> LlmJudge:
    """The judge that asks this model, with the cache and the limits of the settings."""
    from pincite.judges.llm.transport import make_caller

    return LlmJudge(
        make_caller(model, settings),
        open_cache(settings),
        retry_attempts=settings.llm.retry_attempts,
        max_prompt_chars=settings.llm.max_prompt_chars,
        fallback=settings.errors.fallback_scoring,
    )


class LlmJudge(Judge):
    """Judges by asking a language model. Never raises for what a pair or a reply contains."""

    def __init__(
        self,
        caller: Caller,
        cache: ReplyCache | None = None,
        *,
        retry_attempts: int = 3,
        max_prompt_chars: int = 48_000,
        fallback: float | None = None,
    ) -> None:
        self._asker = Asker(caller, cache, retry_attempts)
        self._most_chars = max_prompt_chars
        self._fallback = fallback
        """The score of a pair that the model failed to judge; None leaves it unjudged."""

    @property
    def name(self) -> str:
        """The model and the prompt of support. A verdict on another question names that one's prompt."""
        return self._name("support")

    @property
    def usage(self) -> Usage:
        return self._asker.usage

    async def close(self) -> None:
        self._asker.close()

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict per pair, in order. The same pair given twice is asked about once."""
        import asyncio

        verdicts: dict[Pair, Verdict] = {}
        groups = self._groups(pairs, verdicts)
        replies = await asyncio.gather(*(self._asker.ask(group) for group in groups))
        for group, told in zip(groups, replies, strict=True):
            for pair, one in zip(group, told, strict=True):
                verdicts[pair] = self._verdict(pair, one)
        return [verdicts[pair] for pair in pairs]

    def prompts(self, pairs: Sequence[Pair]) -> list[Prompt]:
        """What is sent for these pairs if all goes well and without what is cached: so it can be priced."""
        sheets = [write_sheet(group[0].question, group) for group in self._groups(pairs, {})]
        return [sheet.prompt for sheet in sheets if self._asker.cached(sheet.prompt) is None]

    def _groups(self, pairs: Sequence[Pair], verdicts: dict[Pair, Verdict]) -> list[list[Pair]]:
        """The pairs that one prompt each can ask about; those that none can have their verdict at once."""
        by_question: dict[Question, list[Pair]] = {}
        for pair in dict.fromkeys(pairs):
            lacking = _lacking(pair)
            if lacking:
                verdicts[pair] = self._unjudged(pair, NoAnswer(lacking, "empty"))
            else:
                by_question.setdefault(pair.question, []).append(pair)
        groups: list[list[Pair]] = []
        for question, asked in by_question.items():
            numbers = split_pairs(question, asked, self._most_chars)
            groups += [[asked[number] for number in group] for group in numbers]
            for number in set(range(len(asked))).difference(*numbers):
                pair = asked[number]
                verdicts[pair] = self._unjudged(pair, NoAnswer(_too_long(pair, self._most_chars), "length"))
        return groups

    def _verdict(self, pair: Pair, told: Told) -> Verdict:
        if isinstance(told, NoAnswer):
            return self._unjudged(pair, told) if self._fallback is None else self._fallen_back(pair, told)
        reason = shown(told.reason, LONGEST_REASON) or f"the model says {told.outcome.replace('_', ' ')}"
        passage, span = told.passage, None
        if told.quote is not None:
            place = find_quote(told.quote, pair.passages, passage)
            if place is not None:
                passage, span = place
            else:
                reason += " (the words it quotes are not in the passages)"
        judge = self._name(pair.question)
        return Verdict(told.outcome, told.score, reason, "model", passage, span, judge=judge)

    def _unjudged(self, pair: Pair, failure: NoAnswer) -> Verdict:
        return unjudged(failure.reason, failure.cause, self._name(pair.question))

    def _fallen_back(self, pair: Pair, failure: NoAnswer) -> Verdict:
        score = self._fallback or 0.0
        reason = f"not judged, scored {score:g} by errors.fallback_scoring: {failure.reason}"
        return Verdict("unjudged", score, reason, "fallback", judge=self._name(pair.question))

    def _name(self, question: Question) -> str:
        return f"llm:{self._asker.model} {prompt_file(question).name}"


def _lacking(pair: Pair) -> str:
    """What a pair lacks to be judged at all, or nothing."""
    shows = any(has_words(passage.text) for passage in pair.passages)
    if pair.question == "relevance":
        if not has_words(pair.query or ""):
            return "there is no query to be relevant to"
        return "" if shows or has_words(pair.claim) else "there is no text to judge"
    if not has_words(pair.claim):
        return "the claim contains no words"
    return "" if shows else "there is no text to judge the claim by"


def _too_long(pair: Pair, most: int) -> str:
    size = len(pair.claim) + sum(len(passage.text) + len(passage.context) for passage in pair.passages)
    return (
        f"the claim and its evidence have {size:,} characters, and one prompt takes {most:,}: cite a "
        "narrower place, or raise llm.max_prompt_chars if the model can read more"
    )


def find_quote(quote: str, passages: Sequence[Passage], first: int | None = None) -> tuple[int, Span] | None:
    """A passage by its index, and where in it a quotation is; the one at `first` is read first.

    It is looked up exactly, and then in normalised text.
    """
    order = sorted(range(len(passages)), key=lambda index: index != first)
    exact = quote.strip()
    cleaned = normalise(exact, fold_case=True).text.strip(_EDGES)
    if not any(character.isalnum() for character in cleaned):
        return None
    for index in order:
        found = _find_words(passages[index].text, exact)
        if found is not None:
            return index, found
    for index in order:
        normal = _normalised(passages[index].text)
        found = _find_words(normal.text, cleaned)
        if found is not None:
            return index, normal.to_original(found.start, found.end)
    return None


@lru_cache(maxsize=64)
def _normalised(text: str) -> Normalised:
    return normalise(text, fold_case=True)


def _find_words(text: str, words: str) -> Span | None:
    """Where the words first are words of their own: `art` is not in `part`."""
    start = -1
    for _ in range(_MOST_PLACES):
        start = text.find(words, start + 1)
        if start == -1:
            return None
        end = start + len(words)
        opens = start == 0 or not (text[start - 1].isalnum() and text[start].isalnum())
        closes = end == len(text) or not (text[end].isalnum() and text[end - 1].isalnum())
        if opens and closes:
            return Span(start, end)
    return None
