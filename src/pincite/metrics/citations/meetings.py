"""Where a claim meets what is cited for it: the questions that the citation metrics share.

They are those of a check (`findings.support`), so that both rest on the same verdicts, plus the leave-one-out
questions, which a metric has to declare up front: it may ask only once.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pincite.findings import support
from pincite.findings.places import Places
from pincite.findings.questions import Questions
from pincite.findings.quotes import Quoted, check_quotes
from pincite.findings.reading import CitedTarget
from pincite.metrics.case import Case
from pincite.metrics.citations.attached import attached
from pincite.records import Claim, Pair, Passage, Verdict

UNKNOWABLE: dict[str, str] = {
    "not_given": "the cited source was not given",
    "unreadable": "the cited source could not be read",
}
"""Evidence that nobody can look at here, and why: the target is unjudged, neither right nor wrong."""

NOT_ASKED = Verdict("unjudged", None, "no judge was asked", cause="error")


class Meeting(Struct, frozen=True):
    """One claim and one of its targets that points somewhere."""

    claim: int
    cited: CitedTarget
    passages: tuple[Passage, ...]
    value: Verdict | None
    """Decided without a judge: a value in JSON is compared, and a place without words supports nothing."""
    alone: Pair | None
    others: Pair | None = None
    """The claim and all that is cited for it but this; None where nothing else is, or too much."""


class Statement(Struct, frozen=True):
    """One claim with everything that is cited for it."""

    claim: Claim
    targets: tuple[CitedTarget, ...]
    meetings: tuple[Meeting, ...]
    together: Pair | None
    """The claim and all that is cited for it; None where that is at most one thing, or too much."""

    @property
    def partly_unknown(self) -> bool:
        """Whether something is cited that nobody can look at here."""
        return any(cited.evidence.status in UNKNOWABLE for cited in self.targets)


def statements(case: Case) -> tuple[Statement, ...]:
    """The claims of a case with what is cited for each; worked out once."""
    if "statements" not in case.kept:
        case.kept["statements"] = _statements(case)
    found: tuple[Statement, ...] = case.kept["statements"]
    return found


def quoted(case: Case) -> Quoted:
    """What a check says about the quotes of a case; worked out once."""
    if "quoted" not in case.kept:
        reading = attached(case)
        case.kept["quoted"] = check_quotes(reading, Places(reading.answer.text))
    found: Quoted = case.kept["quoted"]
    return found


def _statements(case: Case) -> tuple[Statement, ...]:
    reading = attached(case)
    asked = _Asked()
    met: dict[int, list[support.Meeting]] = {}
    for one in support.ask(reading, asked, (), quoted(case).held).meetings:
        met.setdefault(one.claim, []).append(one)
    result = []
    for index, claim in enumerate(reading.claims):
        group = met.get(index, [])
        together = asked.pair(group[0].together) if group else None
        meetings = tuple(
            Meeting(
                index,
                one.cited,
                one.passages,
                one.value,
                asked.pair(one.alone),
                _without(one, group, claim) if together is not None else None,
            )
            for one in group
        )
        result.append(Statement(claim, reading.targets_of[index], meetings, together))
    return tuple(result)


def _without(one: support.Meeting, group: list[support.Meeting], claim: Claim) -> Pair:
    rest = dict.fromkeys(found for other in group if other is not one for found in other.passages)
    return Pair(claim.text, tuple(rest))


class _Asked(Questions):
    """Takes the pairs that a check would put to a judge, and asks nobody."""

    def __init__(self) -> None:
        self._numbers: dict[Pair, int] = {}
        self._list: list[Pair] = []

    def ask(self, pair: Pair) -> int:
        if pair not in self._numbers:
            self._numbers[pair] = len(self._list)
            self._list.append(pair)
        return self._numbers[pair]

    def pair(self, ticket: int | None) -> Pair | None:
        return None if ticket is None else self._list[ticket]


# --- what the judge said -------------------------------------------------------------------------


def verdict_alone(meeting: Meeting, verdicts: Mapping[Pair, Verdict]) -> Verdict:
    """What one target alone says about the claim."""
    return meeting.value if meeting.value is not None else said(meeting.alone, verdicts)


def verdict_together(statement: Statement, verdicts: Mapping[Pair, Verdict]) -> Verdict | None:
    """What everything cited says about the claim together; None where nothing that is cited can be read.

    A heap of citations, too many to show at once, says what the best of them says: support, or else what is
    missing, which might be support.
    """
    if not statement.meetings:
        return None
    if statement.together is not None:
        return said(statement.together, verdicts)
    found = [verdict_alone(meeting, verdicts) for meeting in statement.meetings]
    return max(found, key=lambda v: (v.outcome == "supported", v.outcome == "unjudged", v.score or 0.0))


def said(pair: Pair | None, verdicts: Mapping[Pair, Verdict]) -> Verdict:
    """The verdict on a pair; one that nobody was asked about is unjudged."""
    return NOT_ASKED if pair is None else verdicts.get(pair, NOT_ASKED)


def asked_alone(case: Case) -> list[Pair]:
    """Each claim with each of its targets."""
    return [m.alone for s in statements(case) for m in s.meetings if m.alone is not None]


def asked_together(case: Case) -> list[Pair]:
    """Each claim with all that is cited for it at once, or with the only thing that is."""
    pairs: list[Pair] = []
    for statement in statements(case):
        if statement.together is not None:
            pairs.append(statement.together)
        else:
            pairs += [m.alone for m in statement.meetings if m.alone is not None]
    return pairs


def asked_without(case: Case) -> list[Pair]:
    """Each claim with all that is cited for it but one, each time another."""
    return [m.others for s in statements(case) for m in s.meetings if m.others is not None]
