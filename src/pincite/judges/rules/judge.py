"""The rule judge: decides from words, numbers and negations, with no model and no network.

How it decides. The claim's content words are weighed and looked up in the passages, in the best sentence, in
the best three and in everything shown, so that several passages may support a claim together. Each quantity
of the claim is answered by the quantity among the same words. What was read is a `View`; each
detector looks at it and returns observations. All of it adds up to a score; what speaks against the claim in
so many words makes it contradicted, and what the rules cannot know is not enough. A number that nothing
answers to is a doubt that no amount of shared words makes up for.

What it does not know. Another name or noun in the place of the claim's, words of the opposite meaning, who
did what to whom, synonyms beyond a short list and acronyms, arithmetic beyond changes and rates, how many
things a list names, and what a sentence implies.

Texts in scripts without spaces are compared by pairs of characters, and only their words
and numbers count. A claim in a script that the evidence does not use at all is unjudged (`language`).

The weights are round numbers, chosen on the training rows of VitaminC (CC BY-SA 3.0), WiCE (ODC-BY) and BEGIN
(CC BY 4.0, CDLA-Sharing); `bench/judges.py` measures what they are worth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pincite.judges.judge import Judge, Placement, unjudged
from pincite.judges.rules.detectors import observe
from pincite.judges.rules.reasons import explain_missing, explain_support, list_observations
from pincite.judges.rules.texts import Sentence, TextCache
from pincite.judges.rules.view import SURE_FIT, Observation, Observed
from pincite.judges.rules.words import cover, weigh
from pincite.records import Pair, Stage, Trace, Verdict
from pincite.text import foreign_script

NAME = "rules/1"
LONG_BATCH = 250
THRESHOLD = 0.5
"""At and above this score a claim is supported. The bias below was chosen so that it is one half."""

DOUBTED = 0.49
"""What is left of the score of a claim about which there is a doubt: never enough to support it."""

WARN, ERROR = 0.75, 2.01
"""From these values of `alarm` on, an unsupported claim is warned about, and is an error. Chosen on
half A and the written development groups: at most 5% and 1% of right claims reach them."""
WORD_ALARM, MOST_WORD_ALARM = 0.15, 2.0
"""What each word of a claim adds when the source has none: from five on a warning, never an error."""

TITLE_SHARE = 0.25
"""So much of a query's words makes a title relevant to it."""


class Weights(Struct, frozen=True):
    """What each signal adds to the log-odds of support."""

    bias: float = -2.95
    coverage: float = 4.4
    complete: float = 0.6
    number_inside: float = 0.2
    bound_inside: float = 1.2
    number_apart: float = -3.0
    number_perhaps_apart: float = -1.2
    number_unanswered: float = -0.6
    date_unanswered: float = -0.4
    flip: float = -3.0
    negations_agree: float = 0.9
    claim_denies: float = -0.6
    source_hedges: float = -0.3


WEIGHTS = Weights()


class NumberRules(Judge):
    """Judges without a model. Never raises for what a pair contains."""

    name = NAME
    waits = False
    placement: Placement = "process"
    only_texts = True
    quick = True

    def __init__(self) -> None:
        self._cache: TextCache | None = None

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        # A long batch is mostly one of several about the same sources, so what was read stays open for the
        # next. It is taken away meanwhile: two threads may not read in one cache.
        cache, self._cache = self._cache or TextCache(), None
        verdicts = [_judge_pair(pair, cache) for pair in pairs]
        if len(pairs) >= LONG_BATCH:
            self._cache = cache
        return verdicts

    def trace(self, pair: Pair) -> Trace:
        cache = TextCache()
        verdict = _judge_pair(pair, cache)
        if verdict.outcome == "unjudged" or pair.question == "relevance":
            return Trace((Stage(NAME, verdict.score),), (verdict.reason,))
        observed = observe_pair(pair, cache)
        return Trace(rule_stages(observed, alarm(observed)), list_observations(observed))


def _judge_pair(pair: Pair, cache: TextCache) -> Verdict:
    if pair.question == "relevance":
        return judge_relevance(pair, cache)
    lacking = find_lacking(pair, cache)
    if lacking:
        return unjudged(lacking, "empty", NAME)
    script = foreign_script(pair.claim, [passage.text for passage in pair.passages])
    if script:
        return unjudged(f"the claim is in {script} script, and the evidence is not", "language", NAME)
    verdict = _decide(observe_pair(pair, cache))
    return as_consistency(verdict) if pair.question == "consistency" else verdict


def find_lacking(pair: Pair, cache: TextCache) -> str:
    """What a pair lacks to be judged at all, or nothing."""
    if not cache.read(pair.claim).terms:
        return "the claim contains no words"
    has_text = any(reading.terms for reading in cache.read_passages(pair))
    return "" if has_text else "there is no text to judge the claim by"


def observe_pair(pair: Pair, cache: TextCache) -> Observed:
    return observe(cache.read(pair.claim), cache.read_passages(pair), cache.known_to_readers(pair))


def _decide(observed: Observed) -> Verdict:
    verdict = _weigh(observed)
    if verdict.outcome == "supported":
        return verdict
    strength = alarm(observed)
    if strength < WARN and not observed.of("close"):
        # Too weak to be told, and so too weak to be called a contradiction.
        return replace(verdict, outcome="not_enough", sure=False, doubtful=True)
    return replace(verdict, sure=strength >= ERROR)


def alarm(observed: Observed) -> float:
    """How strongly the rules speak against a claim: 0 for a mere lack of shared words, up to about 3.

    The score cannot tell this. A changed number among the same words scores higher than a restatement in
    other words, and is far more often wrong.
    """
    strongest = named_alarm(observed)
    if not observed.view.coverage.whole:
        # A number that seems to be missing may only be told otherwise, and then the words are as well.
        words = sum(not word.number for word in observed.view.words) - len(observed.of("doubt"))
        strongest = max(strongest, min(MOST_WORD_ALARM, WORD_ALARM * words))
    return strongest


def named_alarm(observed: Observed) -> float:
    """The same, counting only what can be named: a number that differs, or words that exclude each other."""
    return max((found.weight for found in observed.of("number", "against", "doubt")), default=0.0)


def rule_stages(observed: Observed, strength: float) -> tuple[Stage, ...]:
    """The rules' own numbers: words found, the score, and how strongly they speak against the claim."""
    coverage = observed.view.coverage
    return (
        Stage("rules, words found in the best sentence", round(coverage.best, 4)),
        Stage("rules, words found in all that was shown", round(coverage.whole, 4)),
        Stage("rules, score", round(_rule_score(observed), 4), "supported from 0.5"),
        Stage("rules, alarm", round(strength, 2), f"a warning from {WARN:g}, an error from {ERROR:g}"),
    )


def _weigh(observed: Observed) -> Verdict:
    view, best = observed.view, observed.view.best
    if view.verbatim:
        reason = "the claim appears in the source word for word"
        return _verdict("supported", 0.99, reason, "coverage", best)
    score = _rule_score(observed)
    doubts = observed.of("doubt")
    if doubts:
        score *= DOUBTED
    if score >= THRESHOLD:
        inside = (a.sentence for a in view.answers if a.status == "inside" and a.sentence is not None)
        rests_on = next(inside, best) if best and best.covered < 0.5 else best
        return _verdict("supported", score, explain_support(observed), "coverage", rests_on)
    against = observed.of("number", "against")
    if against:
        return _told("contradicted", against[0], score)
    close = observed.of("close")
    if close:
        return _told("not_enough", close[0], score)
    missing = explain_missing(observed)
    if doubts:
        return _told("not_enough", doubts[0], score, missing, best)
    unanswered = any(answer.status in {"unrelated", "apart"} for answer in view.answers)
    cause = "number" if unanswered and not view.coverage.missing else "coverage"
    return _verdict("not_enough", score, missing, cause, best)


def _rule_score(observed: Observed) -> float:
    """How likely the passages support the claim, 0 to 1."""
    view, coverage, weights = observed.view, observed.view.coverage, WEIGHTS
    words_missing = any(not word.number for word in coverage.missing)
    z = weights.bias + weights.coverage * (coverage.best + coverage.joint + coverage.whole) / 3
    z += 0.0 if words_missing else weights.complete
    numbers = [answer for answer in view.answers if answer.claim.kind != "ordinal"]
    perhaps = max((answer.fit for answer in numbers if answer.status == "apart"), default=0.0)
    unanswered = [answer for answer in numbers if answer.status == "unrelated"]
    inside = [answer for answer in numbers if answer.status == "inside"]
    if observed.of("number"):
        z += weights.number_apart
    elif perhaps:
        z += weights.number_perhaps_apart * min(1.0, perhaps / SURE_FIT)
    elif inside:
        z += 0.0 if unanswered else weights.number_inside
        z += weights.bound_inside if any(answer.claim.is_bounded for answer in inside) else 0.0
    if any(answer.claim.kind in {"date", "day"} for answer in unanswered):
        z += weights.date_unanswered
    if any(answer.claim.kind not in {"date", "day"} for answer in unanswered):
        z += weights.number_unanswered
    z += weights.flip if observed.of("against") else 0.0
    if observed.notes("same negation"):
        z += weights.negations_agree
    elif observed.notes("claim denies"):
        z += weights.claim_denies
    z += weights.source_hedges if observed.notes("source hedges") else 0.0
    return 1.0 / (1.0 + math.exp(-z))


def _told(
    outcome: str, found: Observation, score: float, reason: str = "", elsewhere: Sentence | None = None
) -> Verdict:
    verdict = _verdict(outcome, score, reason or found.reason, found.cause, found.sentence or elsewhere)
    return replace(verdict, claim_text=found.words[0], evidence_text=found.words[1])


def _verdict(outcome: str, score: float, reason: str, cause: str, sentence: Sentence | None) -> Verdict:
    passage, span = (sentence.passage, sentence.span) if sentence else (None, None)
    return Verdict(outcome, round(score, 4), reason, cause, passage, span, judge=NAME)  # type: ignore[arg-type]


def as_consistency(verdict: Verdict) -> Verdict:
    """Consistency asks only whether anything speaks against the claim: silence is consistent."""
    if verdict.outcome == "contradicted":
        return verdict
    score = round(0.5 + 0.5 * (verdict.score or 0.0), 4)
    reason = "nothing in the passages contradicts the claim"
    place = (verdict.passage, verdict.span)
    return Verdict("supported", score, reason, "coverage", *place, judge=verdict.judge)


def judge_relevance(pair: Pair, cache: TextCache) -> Verdict:
    """How much of the query's words the claim and the passages take up."""
    query, claim = cache.read(pair.query or ""), cache.read(pair.claim)
    shown = cache.read_passages(pair)
    contexts = [known | claim.stems for known in cache.known_to_readers(pair)]
    if not query.terms:
        return unjudged("there is no query to be relevant to", "empty", NAME)
    if not claim.terms and not any(reading.terms for reading in shown):
        return unjudged("there is no text to judge", "empty", NAME)
    words = weigh(query)
    coverage = cover(query, shown or [claim], contexts or [frozenset()])
    score = coverage.whole
    if shown and not any(passage.document for passage in pair.passages):
        score = _of_a_title(score)
    taken = len(words) - len(coverage.missing)
    reason = f"{taken} of the query's {len(words)} key words are taken up"
    best = coverage.sentences[0] if coverage.sentences and shown else None
    return _verdict("supported" if score >= THRESHOLD else "not_enough", score, reason, "coverage", best)


def _of_a_title(share: float) -> float:
    """The score of a passage that is of no document: a title or an address.

    These are few words, so a quarter of the query's is as much of them as half is of a passage.
    """
    beyond = (share - TITLE_SHARE) / (1 - TITLE_SHARE)
    return round(share * 2 if share <= TITLE_SHARE else 0.5 + 0.5 * beyond, 4)
