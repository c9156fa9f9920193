"""Several judges as one: they vote, or a cheap one decides what it is sure of and a dear one the rest.

`panel:majority:JUDGE,JUDGE,…`, `panel:mean:JUDGE,JUDGE,…` and `panel:cascade:CHEAP,DEAR`. A member that fails
harms no other: its pairs are unjudged by it, and the panel's reason says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from pincite.config import PanelSettings
from pincite.errors import JudgeError
from pincite.judges.judge import Judge, Placement, as_judge, unjudged
from pincite.judges.panel_votes import by_majority, by_mean, is_vote, shortened, what_was_said
from pincite.records import Pair, Usage, Verdict

VOTES: dict[str, Callable[[Sequence[Verdict], str], Verdict]] = {"majority": by_majority, "mean": by_mean}


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
        asked = [ask(self._members[index], pairs) for index in order]
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
            heard = await ask(member, [pairs[index] for index in waiting])
            for index, verdict in zip(waiting, heard, strict=True):
                said[index].append(verdict)
            waiting = [index for index in waiting if not self._is_sure(said[index][-1])]
        return [self._conclude(verdicts) for verdicts in said]

    def _is_sure(self, verdict: Verdict) -> bool:
        score = verdict.score
        if not is_vote(verdict) or score is None:
            return False
        return score <= self._settings.low or score >= self._settings.high

    def _conclude(self, verdicts: Sequence[Verdict]) -> Verdict:
        """The verdict of the last that was asked, and what those before it said."""
        last = verdicts[-1]
        everybody = "; ".join(what_was_said(verdict) for verdict in verdicts)
        if is_vote(last):
            return self._as_ours(last, f"{last.reason} [cascade: {everybody}]")
        votes = [verdict for verdict in verdicts if is_vote(verdict)]
        if votes and self._settings.keep_unsure:
            kept = msgspec.structs.replace(votes[-1], sure=False)
            note = "the unsure verdict is kept by panel.keep_unsure"
            return self._as_ours(kept, f"{kept.reason} [cascade: {everybody}; {note}]")
        reason = "no judge could decide it"
        if votes:
            doubt = f"{votes[-1].judge} was not sure ({shortened(votes[-1].reason)})"
            reason = f"{doubt}, and {last.judge} could not judge it"
        reason += f" [cascade: {everybody}]"
        return unjudged(reason, last.cause, self.name)

    def _as_ours(self, verdict: Verdict, reason: str) -> Verdict:
        return msgspec.structs.replace(verdict, reason=reason, judge=self.name)


async def ask(member: Judge, pairs: Sequence[Pair]) -> list[Verdict]:
    """What a member says, by its name: whatever goes wrong inside it is a verdict that decides nothing."""
    try:
        verdicts = [_checked(member, verdict) for verdict in await member.judge(pairs)]
    except JudgeError:
        raise  # a judge that cannot be started says nothing about any pair
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        return [unjudged(f"the judge failed: {shortened(said)}", "error", member.name)] * len(pairs)
    if len(verdicts) != len(pairs):
        reason = f"the judge gave {len(verdicts)} verdicts for {len(pairs)} pairs"
        return [unjudged(reason, "error", member.name)] * len(pairs)
    return verdicts


def _checked(member: Judge, verdict: Verdict) -> Verdict:
    if verdict.outcome != "unjudged" and not is_vote(verdict):
        return unjudged(f"{verdict.outcome} without a score between 0 and 1", "error", member.name)
    return verdict if verdict.judge else msgspec.structs.replace(verdict, judge=member.name)
