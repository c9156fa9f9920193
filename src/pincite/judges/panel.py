"""Several judges as one: they vote, or a cheap one decides what it is sure of and a dear one the rest.

`panel:majority:JUDGE,JUDGE,…`, `panel:mean:JUDGE,JUDGE,…` and `panel:cascade:CHEAP,DEAR`. A member that fails
harms no other: its pairs are unjudged by it, and the panel's reason says so.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from pincite.config import PanelSettings
from pincite.errors import JudgeError
from pincite.judges.judge import Judge, Placement, as_judge, unjudged
from pincite.records import Outcome, Pair, Usage, Verdict

EVEN = 0.5
"""At and above this score a claim is supported."""
JUST_BELOW = 0.499999
LONGEST_REASON = 160


def _is_vote(verdict: Verdict) -> bool:
    """Whether the verdict decides anything: an outcome, with a score that can be reckoned with."""
    score = verdict.score
    return verdict.outcome != "unjudged" and score is not None and 0.0 <= score <= 1.0


def _by_majority(verdicts: Sequence[Verdict], panel: str) -> Verdict:
    """The outcome with the most votes. The score is the mean of all votes, on the outcome's side of one half.

    A tie is broken by the mean score. Where that leaves `contradicted` and `not_enough`, it is the lesser
    charge: `not_enough`.
    """
    votes = [verdict for verdict in verdicts if _is_vote(verdict)]
    if not votes:
        return _undecided(verdicts, panel, "majority")
    counts = Counter(vote.outcome for vote in votes)
    most = max(counts.values())
    leading = [outcome for outcome, count in counts.items() if count == most]
    mean = _mean_score(votes)
    if len(leading) == 1:
        outcome = leading[0]
        how = f"majority {most} of {len(votes)}"
    else:
        outcome = _break_tie(leading, mean)
        how = f"tie of {most} to {most}, mean {mean:.2f}"
    score = max(mean, EVEN) if outcome == "supported" else min(mean, JUST_BELOW)
    return _decided(outcome, score, verdicts, panel, how)


def _by_mean(verdicts: Sequence[Verdict], panel: str) -> Verdict:
    """Supported from a mean score of one half on; below it, contradicted when most who object say so."""
    votes = [verdict for verdict in verdicts if _is_vote(verdict)]
    if not votes:
        return _undecided(verdicts, panel, "mean")
    mean = _mean_score(votes)
    against = [vote for vote in votes if vote.outcome != "supported"]
    contradicting = sum(vote.outcome == "contradicted" for vote in against)
    outcome: Outcome = "not_enough"
    if mean >= EVEN:
        outcome = "supported"
    elif 2 * contradicting > len(against):
        outcome = "contradicted"
    return _decided(outcome, mean, verdicts, panel, f"mean of {len(votes)}")


def _mean_score(votes: Sequence[Verdict]) -> float:
    # Rounded before it is compared, so that the outcome fits the score that is shown.
    return round(math.fsum(vote.score or 0.0 for vote in votes) / len(votes), 6)


def _what_was_said(verdict: Verdict) -> str:
    """One judge's verdict in a few words: `rules/1 contradicted 0.05`."""
    name = verdict.judge or "a judge without a name"
    if _is_vote(verdict):
        return f"{name} {verdict.outcome} {verdict.score:.2f}"
    return f"{name} unjudged: {_shortened(verdict.reason)}"


def _shortened(reason: str) -> str:
    words = " ".join(reason.split())
    return words if len(words) <= LONGEST_REASON else words[: LONGEST_REASON - 1] + "…"


def _break_tie(leading: Sequence[Outcome], mean: float) -> Outcome:
    if "supported" in leading and mean >= EVEN:
        return "supported"
    return "not_enough" if "not_enough" in leading else "contradicted"


def _decided(outcome: Outcome, score: float, verdicts: Sequence[Verdict], panel: str, how: str) -> Verdict:
    """The verdict of the panel, with the evidence of the member that shows best why."""
    votes = [verdict for verdict in verdicts if _is_vote(verdict)]
    agreeing = [vote for vote in votes if vote.outcome == outcome] or votes
    spokesman = max(agreeing, key=lambda vote: _speaks_for(vote, outcome))
    everybody = "; ".join(_what_was_said(verdict) for verdict in verdicts)
    return msgspec.structs.replace(
        spokesman,
        outcome=outcome,
        score=score,
        reason=f"{spokesman.reason} [{how}: {everybody}]",
        sure=spokesman.sure if outcome == "supported" else _is_sure(agreeing, outcome, votes),
        doubtful=outcome != "supported" and 2 * sum(vote.doubtful for vote in agreeing) > len(agreeing),
        judge=panel,
    )


def _is_sure(agreeing: Sequence[Verdict], outcome: Outcome, votes: Sequence[Verdict]) -> bool:
    """Whether an objection may be called an error: most who raise it are sure, and most do not support."""
    against = sum(vote.outcome != "supported" for vote in votes)
    sure = sum(vote.sure and vote.outcome == outcome for vote in agreeing)
    return 2 * against > len(votes) and 2 * sure > len(agreeing)


def _speaks_for(vote: Verdict, outcome: Outcome) -> tuple[bool, bool, float]:
    """The one that names the words that decided, else the one that names a place, else the surest."""
    score = (vote.score or 0.0) * (1 if outcome == "supported" else -1)
    return vote.evidence_text is not None, vote.passage is not None, score


def _undecided(verdicts: Sequence[Verdict], panel: str, way: str) -> Verdict:
    causes = {verdict.cause for verdict in verdicts}
    everybody = "; ".join(_what_was_said(verdict) for verdict in verdicts)
    cause = causes.pop() if len(causes) == 1 else "panel"
    return unjudged(f"no judge could decide it [{way}: {everybody}]", cause, panel)


VOTES: dict[str, Callable[[Sequence[Verdict], str], Verdict]] = {"majority": _by_majority, "mean": _by_mean}


def make_panel(way: str, members: Sequence[Judge], settings: PanelSettings) -> VotingPanel | Cascade:
    return Cascade(members, settings) if way == "cascade" else VotingPanel(way, members)


def read_panel(rest: str) -> tuple[str, list[str]]:
    """The way and the names in `WAY:JUDGE,JUDGE`. A judge's own name may hold colons, but no comma."""
    way, _, listed = rest.partition(":")
    way = way.strip()
    names = [name.strip() for name in listed.split(",")]
    shown = f"panel:{rest}"[:200]
    if way not in (*VOTES, "cascade"):
        raise JudgeError(
            f"{shown}: there is no panel {way!r:.40}: write panel:majority:JUDGE,JUDGE, panel:mean:… "
            "or panel:cascade:CHEAP,DEAR"
        )
    if "" in names or len(names) < 2:
        raise JudgeError(f"{shown}: a panel needs two judges or more, with a comma between them")
    if len(set(names)) < len(names):
        raise JudgeError(f"{shown}: a judge is named twice, and each has one vote")
    if any(name.partition(":")[0] == "panel" for name in names):
        raise JudgeError(f"{shown}: a panel cannot sit in a panel")
    return way, names


class _Panel(Judge):
    """What both kinds share: members that are asked, counted and closed."""

    def __init__(self, members: Sequence[Judge]) -> None:
        self._members = tuple(as_judge(member) for member in members)

    @property
    def waits(self) -> bool:
        return any(member.waits for member in self._members)

    @property
    def placement(self) -> Placement:
        """In processes only where each member can be."""
        alone = all(member.placement == "process" for member in self._members)
        return "inline" if self.waits else "process" if alone else "thread"

    @property
    def computes_together(self) -> bool:
        return any(member.computes_together for member in self._members)

    @property
    def megabytes(self) -> int:
        return sum(member.megabytes for member in self._members)

    @property
    def quick(self) -> bool:
        return all(member.quick for member in self._members)

    @property
    def usage(self) -> Usage:
        return sum((member.usage for member in self._members), Usage())

    async def close(self) -> None:
        for member in self._members:
            await member.close()


class VotingPanel(_Panel):
    """Asks every member about every pair, all at once, and lets them vote."""

    def __init__(self, way: str, members: Sequence[Judge]) -> None:
        super().__init__(members)
        self._way = way
        self._combine = VOTES[way]

    @property
    def name(self) -> str:
        return f"panel:{self._way}({', '.join(member.name for member in self._members)})"

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        if not pairs:
            return []
        heard = await self._hear(pairs)
        return [self._combine(verdicts, self.name) for verdicts in zip(*heard, strict=True)]

    async def _hear(self, pairs: Sequence[Pair]) -> list[list[Verdict]]:
        """What each member says. Those that wait for something begin first, and wait while others reckon."""
        order = sorted(range(len(self._members)), key=lambda index: not self._members[index].waits)
        asked = [_ask(self._members[index], pairs) for index in order]
        if self.waits:
            import asyncio

            said: list[list[Verdict]] = list(await asyncio.gather(*asked))
        else:
            said = [await coroutine for coroutine in asked]
        return [verdicts for _, verdicts in sorted(zip(order, said, strict=True), key=lambda item: item[0])]


class Cascade(_Panel):
    """Asks the members in turn, each only about the pairs that no member before it was sure of.

    A member is sure when it judged the pair and its score is at most `low` or at least `high`; the last one
    need not be. Where the last one fails, the pair is unjudged, unless the settings say to keep an unsure
    verdict.
    """

    def __init__(self, members: Sequence[Judge], settings: PanelSettings | None = None) -> None:
        super().__init__(members)
        self._settings = settings or PanelSettings()
        if self._settings.low > self._settings.high:
            raise JudgeError(
                f"panel.low ({self._settings.low:g}) is above panel.high ({self._settings.high:g}): "
                "between them a judge is unsure"
            )
        self._asked = 0
        self._asked_further = 0

    @property
    def name(self) -> str:
        chosen = self._settings
        kept = ", keeps unsure" if chosen.keep_unsure else ""
        members = " > ".join(member.name for member in self._members)
        return f"panel:cascade({members}; unsure {chosen.low:g}-{chosen.high:g}{kept})"

    @property
    def usage(self) -> Usage:
        """What the members have taken, and how many pairs went beyond the first of them."""
        return super().usage + Usage(asked=self._asked, asked_further=self._asked_further)

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        said: list[list[Verdict]] = [[] for _ in pairs]
        waiting = list(range(len(pairs)))
        self._asked += len(pairs)
        for turn, member in enumerate(self._members):
            if not waiting:
                break
            if turn == 1:
                self._asked_further += len(waiting)
            heard = await _ask(member, [pairs[index] for index in waiting])
            for index, verdict in zip(waiting, heard, strict=True):
                said[index].append(verdict)
            waiting = [index for index in waiting if not self._is_sure(said[index][-1])]
        return [self._conclude(verdicts) for verdicts in said]

    def _is_sure(self, verdict: Verdict) -> bool:
        score = verdict.score
        if not _is_vote(verdict) or score is None:
            return False
        return score <= self._settings.low or score >= self._settings.high

    def _conclude(self, verdicts: Sequence[Verdict]) -> Verdict:
        """The verdict of the last that was asked, and what those before it said."""
        last = verdicts[-1]
        everybody = "; ".join(_what_was_said(verdict) for verdict in verdicts)
        if _is_vote(last):
            return self._as_ours(last, f"{last.reason} [cascade: {everybody}]")
        votes = [verdict for verdict in verdicts if _is_vote(verdict)]
        if votes and self._settings.keep_unsure:
            kept = msgspec.structs.replace(votes[-1], sure=False)
            note = "the unsure verdict is kept by panel.keep_unsure"
            return self._as_ours(kept, f"{kept.reason} [cascade: {everybody}; {note}]")
        reason = "no judge could decide it"
        if votes:
            doubt = f"{votes[-1].judge} was not sure ({_shortened(votes[-1].reason)})"
            reason = f"{doubt}, and {last.judge} could not judge it"
        reason += f" [cascade: {everybody}]"
        return unjudged(reason, last.cause, self.name)

    def _as_ours(self, verdict: Verdict, reason: str) -> Verdict:
        return msgspec.structs.replace(verdict, reason=reason, judge=self.name)


async def _ask(member: Judge, pairs: Sequence[Pair]) -> list[Verdict]:
    """What a member says, by its name: whatever goes wrong inside it is a verdict that decides nothing."""
    try:
        verdicts = [_checked(member, verdict) for verdict in await member.judge(pairs)]
    except JudgeError:
        raise  # a judge that cannot be started says nothing about any pair
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        return [unjudged(f"the judge failed: {_shortened(said)}", "error", member.name)] * len(pairs)
    if len(verdicts) != len(pairs):
        reason = f"the judge gave {len(verdicts)} verdicts for {len(pairs)} pairs"
        return [unjudged(reason, "error", member.name)] * len(pairs)
    return verdicts


def _checked(member: Judge, verdict: Verdict) -> Verdict:
    if verdict.outcome != "unjudged" and not _is_vote(verdict):
        return unjudged(f"{verdict.outcome} without a score between 0 and 1", "error", member.name)
    return verdict if verdict.judge else msgspec.structs.replace(verdict, judge=member.name)
