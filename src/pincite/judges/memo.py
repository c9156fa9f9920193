"""A judge that is never asked twice about the same claim and the same evidence.

Metrics ask several questions about one pair, and the answers of a system say the same things again and again.
A judge that reads only the texts of a pair answers support, grounding and consistency from one reading.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b

from msgspec.structs import replace

from pincite.judges.judge import Judge, WrappedJudge
from pincite.judges.rules.judge import as_consistency
from pincite.records import Pair, Verdict

MOST_KEPT = 20_000
"""Verdicts that are remembered, about 20 MB: the ones not asked for longest go."""


class RememberingJudge(WrappedJudge):
    """Asks another judge about what it was not asked before."""

    def __init__(self, judge: Judge, most_kept: int = MOST_KEPT) -> None:
        super().__init__(judge)
        self._most_kept = most_kept
        self._known: OrderedDict[bytes, Verdict] = OrderedDict()

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        keys = [_key(pair) for pair in pairs]
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in self._known}
        found: dict[bytes, Verdict] = {}
        if new:
            # Only relevance is another question than what the evidence says of the claim.
            asked = [
                pair if pair.question in ("relevance", "support") else replace(pair, question="support")
                for pair in new.values()
            ]
            said = await self._judge.judge(asked)
            if len(said) != len(asked):
                return said  # whoever asked sees that it is not one per pair, and says so
            found = dict(zip(new, said, strict=True))
        verdicts = []
        for key, pair in zip(keys, pairs, strict=True):
            verdict = found[key] if key in found else self._known[key]
            found[key] = verdict
            told = pair.question == "consistency" and verdict.outcome != "unjudged"
            verdicts.append(as_consistency(verdict) if told else verdict)
        self._keep(found)
        return verdicts

    def _keep(self, found: dict[bytes, Verdict]) -> None:
        for key, verdict in found.items():
            if verdict.cause == "error":
                continue  # it may succeed the next time
            self._known[key] = verdict
            self._known.move_to_end(key)
        while len(self._known) > self._most_kept:
            self._known.popitem(last=False)


def _key(pair: Pair) -> bytes:
    """A hash of everything that the verdict can depend on. Each text is preceded by its length."""
    relevance = pair.question == "relevance"
    texts = [pair.claim, (pair.query or "") if relevance else ""]
    for passage in pair.passages:
        texts += (passage.text, passage.context)
        if relevance:
            texts.append("of a document" if passage.document else "")
    shape = f"{relevance} {','.join([str(len(text)) for text in texts])} "
    return blake2b((shape + "".join(texts)).encode("utf-8", "surrogatepass"), digest_size=16).digest()
