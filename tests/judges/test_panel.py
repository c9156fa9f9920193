"""Panels: how they vote, whom a cascade asks, and what becomes of a member that fails."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.base import run_sync
from pincite.config import PanelSettings, Settings
from pincite.errors import JudgeError
from pincite.judges import Cascade, Judge, NumberRules, VotingPanel, open_judge, read_panel
from pincite.records import Outcome, Pair, Passage, Span, Usage, Verdict


class Says(Judge):
    """Gives every pair the verdict that stands under its claim, or the one for all; remembers what it saw."""

    def __init__(self, name: str, verdict: Verdict | dict[str, Verdict], taken: Usage | None = None) -> None:
        self._name = name
        self._verdict = verdict
        self.seen: list[list[str]] = []
        self._taken = taken or Usage()
        self.closed = False

    @property
    def name(self) -> str:
        return self._name

    @property
    def usage(self) -> Usage:
        return self._taken

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        await asyncio.sleep(0)
        self.seen.append([pair.claim for pair in pairs])
        return [
            self._verdict[pair.claim] if isinstance(self._verdict, dict) else self._verdict for pair in pairs
        ]

    async def close(self) -> None:
        self.closed = True


class Breaks:
    name = "breaks/1"

    def __init__(self, given: Any = None) -> None:
        self._given = given

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        if self._given is not None:
            return self._given  # type: ignore[no-any-return]
        raise RuntimeError("the model fell over")


def said(outcome: Outcome, score: float | None, judge: str = "", **more: Any) -> Verdict:
    return Verdict(outcome, score, more.pop("reason", f"because {judge or 'so'}"), judge=judge, **more)


def failed(reason: str = "timed out", cause: str = "timeout", judge: str = "") -> Verdict:
    return Verdict("unjudged", None, reason, cause, judge=judge)


def pair(claim: str, passage: str = "The board approved the budget in March.") -> Pair:
    return Pair(claim, (Passage(passage),))


def judged(panel: Judge, *pairs: Pair) -> list[Verdict]:
    return run_sync(panel.judge(pairs), panel.waits)


def vote(way: str, verdicts: Sequence[Verdict]) -> Verdict:
    """What a panel makes of these verdicts of its members."""
    members = [Says(one.judge or f"member/{number}", one) for number, one in enumerate(verdicts)]
    return judged(VotingPanel(way, members), pair("a"))[0]


def by_majority(verdicts: Sequence[Verdict]) -> Verdict:
    return vote("majority", verdicts)


def by_mean(verdicts: Sequence[Verdict]) -> Verdict:
    return vote("mean", verdicts)


YES, NO, UNKNOWN = said("supported", 0.9), said("contradicted", 0.1), said("not_enough", 0.3)


# --- majority ------------------------------------------------------------------------------------


def test_the_outcome_with_the_most_votes_wins_and_the_score_is_the_mean() -> None:
    verdict = by_majority([NO, YES, said("contradicted", 0.05)])
    assert (verdict.outcome, verdict.score) == ("contradicted", 0.35)


def test_who_cannot_judge_has_no_vote_and_lowers_no_score() -> None:
    verdict = by_majority([failed(), YES, failed()])
    assert (verdict.outcome, verdict.score) == ("supported", 0.9)
    assert "majority 1 of 1" in verdict.reason
    assert "unjudged: timed out" in verdict.reason


@pytest.mark.parametrize(
    ("scores", "outcome"),
    [
        ((("supported", 0.9), ("contradicted", 0.3)), "supported"),
        ((("supported", 0.6), ("contradicted", 0.1)), "contradicted"),
        ((("supported", 0.6), ("not_enough", 0.3)), "not_enough"),
        ((("supported", 0.6), ("contradicted", 0.1), ("not_enough", 0.2)), "not_enough"),
        ((("contradicted", 0.1), ("not_enough", 0.3)), "not_enough"),
        ((("supported", 0.7), ("not_enough", 0.3)), "supported"),
    ],
)
def test_a_tie_is_broken_by_the_mean_score_and_then_in_favour_of_the_lesser_charge(
    scores: tuple[tuple[Outcome, float], ...], outcome: Outcome
) -> None:
    verdict = by_majority([said(*score) for score in scores])
    assert verdict.outcome == outcome
    assert "tie of 1 to 1, mean" in verdict.reason


def test_the_score_of_a_majority_stands_on_the_side_of_its_outcome() -> None:
    outvoted = by_majority([said("supported", 0.55), said("supported", 0.55), said("contradicted", 0.0)])
    assert (outvoted.outcome, outvoted.score) == ("supported", 0.5)
    other = by_majority([said("not_enough", 0.45), said("not_enough", 0.45), said("supported", 1.0)])
    assert other.outcome == "not_enough"
    assert other.score is not None and other.score < 0.5


# --- mean ----------------------------------------------------------------------------------------


def test_a_mean_of_one_half_supports() -> None:
    assert by_mean([said("supported", 0.7), said("not_enough", 0.3)]).outcome == "supported"
    verdict = by_mean([said("supported", 0.9), said("not_enough", 0.0)])
    assert (verdict.outcome, verdict.score) == ("not_enough", 0.45)


def test_a_low_mean_contradicts_only_when_most_of_those_against_say_so() -> None:
    assert by_mean([NO, NO, UNKNOWN]).outcome == "contradicted"
    assert by_mean([NO, UNKNOWN]).outcome == "not_enough"
    assert by_mean([said("supported", 0.6), NO]).outcome == "contradicted"


# --- both ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("combine", [by_majority, by_mean])
def test_where_nobody_can_judge_the_panel_cannot(combine: Any) -> None:
    verdict = combine([failed("timed out", "timeout", "a"), failed("no words", "timeout", "b")])
    assert (verdict.outcome, verdict.score, verdict.cause) == ("unjudged", None, "timeout")
    assert "a unjudged: timed out; b unjudged: no words" in verdict.reason
    assert combine([failed(cause="empty"), failed(cause="auth")]).cause == "panel"


@pytest.mark.parametrize("combine", [by_majority, by_mean])
def test_the_evidence_is_that_of_an_agreeing_member_which_names_the_words(combine: Any) -> None:
    vague = said("contradicted", 0.0, "llm", passage=1, reason="it does not say that")
    exact = said(
        "contradicted",
        0.1,
        "rules/1",
        cause="number",
        passage=0,
        span=Span(3, 9),
        claim_text="12%",
        evidence_text="21%",
        reason="12% in the claim, 21% in the source",
    )
    wrong = said("supported", 0.9, "other", evidence_text="x", passage=2)
    verdict = combine([vague, wrong, exact])
    assert (verdict.cause, verdict.passage, verdict.span) == ("number", 0, Span(3, 9))
    assert (verdict.claim_text, verdict.evidence_text) == ("12%", "21%")
    assert verdict.reason.startswith("12% in the claim, 21% in the source [")
    assert "llm contradicted 0.00; other supported 0.90; rules/1 contradicted 0.10" in verdict.reason


def test_an_objection_is_sure_when_most_who_raise_it_are_and_most_do_not_support() -> None:
    unsure = msgspec.structs.replace(NO, sure=False)
    assert by_majority([NO, NO, unsure, YES]).sure
    assert not by_majority([NO, unsure, unsure, YES]).sure
    assert not by_majority([said("contradicted", 0.0), said("supported", 0.6)]).sure
    assert not by_mean([NO, said("supported", 0.6)]).sure
    assert by_mean([NO, NO, said("supported", 0.6)]).sure


votes = st.lists(
    st.builds(
        said,
        st.sampled_from(["supported", "contradicted", "not_enough"]),
        st.floats(0, 1).map(lambda score: round(score, 3)),
    )
    | st.just(failed()),
    min_size=1,
    max_size=7,
)


@given(votes)
def test_the_figures_of_a_panel_are_those_of_its_votes(verdicts: list[Verdict]) -> None:
    counted = [verdict for verdict in verdicts if verdict.outcome != "unjudged"]
    for verdict in (by_majority(verdicts), by_mean(verdicts)):
        if not counted:
            assert verdict.outcome == "unjudged" and verdict.score is None
            continue
        assert verdict.score is not None and 0 <= verdict.score <= 1
        assert (verdict.outcome == "supported") == (verdict.score >= 0.5)
    if counted:
        mean = math.fsum(verdict.score or 0 for verdict in counted) / len(counted)
        assert by_mean(verdicts).score == pytest.approx(mean, abs=1e-6)
        most = by_majority(verdicts).outcome
        tally = [verdict.outcome for verdict in counted]
        assert tally.count(most) == max(map(tally.count, tally))


@given(votes, st.randoms())
def test_the_order_of_the_members_decides_nothing(verdicts: list[Verdict], random: Any) -> None:
    turned = list(verdicts)
    random.shuffle(turned)
    for combine in (by_majority, by_mean):
        one, other = combine(verdicts), combine(turned)
        assert (one.outcome, one.score) == (other.outcome, other.score)


def test_every_pair_gets_its_own_verdict_in_order() -> None:
    one = Says("one", {"a": YES, "b": NO, "c": YES})
    two = Says("two", {"a": YES, "b": NO, "c": NO})
    three = Says("three", {"a": NO, "b": YES, "c": NO})
    panel = VotingPanel("majority", [one, two, three])
    verdicts = judged(panel, pair("a"), pair("b"), pair("c"))
    assert [verdict.outcome for verdict in verdicts] == ["supported", "contradicted", "contradicted"]
    assert one.seen == two.seen == three.seen == [["a", "b", "c"]]
    assert all(verdict.judge == panel.name for verdict in verdicts)


@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        [YES, YES, YES],
        [None, None],
        [said("supported", None), said("supported", math.nan)],
        [said("supported", 7.0), said("supported", -1.0)],
        7,
    ],
)
@pytest.mark.parametrize("way", ["majority", "mean"])
def test_a_member_that_fails_takes_nobody_along(given: Any, way: str) -> None:
    panel = VotingPanel(way, [Breaks(given), Says("one", YES), Says("two", YES)])
    for verdict in judged(panel, pair("a"), pair("b")):
        assert (verdict.outcome, verdict.score) == ("supported", 0.9)
        assert "breaks/1 unjudged: " in verdict.reason


def test_voters_are_asked_at_once() -> None:
    async def run() -> list[Verdict]:
        together = asyncio.Barrier(5)

        class Waits(Says):
            async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
                await together.wait()  # none goes on before all were asked
                return await super().judge(pairs)

        panel = VotingPanel("mean", [Waits(name, YES) for name in "abcde"])
        return await asyncio.wait_for(panel.judge([pair("a")]), 60)

    assert asyncio.run(run())[0].outcome == "supported"


def test_nothing_to_judge_asks_nobody() -> None:
    one, two = Says("one", YES), Says("two", YES)
    assert judged(VotingPanel("mean", [one, two])) == []
    assert judged(Cascade([one, two])) == []
    assert one.seen == two.seen == []


def test_usage_is_the_sum_of_the_members_and_close_reaches_them() -> None:
    one = Says("one", YES, Usage(requests=2, input_tokens=10, cost=0.5))
    two = Says("two", YES, Usage(requests=1, cost=None, cache_hits=3))
    panel = VotingPanel("mean", [NumberRules(), one, two])
    assert panel.usage == Usage(requests=3, input_tokens=10, cost=None, cache_hits=3)
    asyncio.run(panel.close())
    assert one.closed and two.closed


# --- cascade -------------------------------------------------------------------------------------

CHEAP = {
    "sure yes": said("supported", 0.8, "cheap/1"),
    "sure no": said("contradicted", 0.2, "cheap/1"),
    "unsure": said("supported", 0.79, "cheap/1"),
    "unsure too": said("not_enough", 0.21, "cheap/1"),
    "foreign": failed("not in English", "language", "cheap/1"),
}


def test_only_what_the_cheap_judge_is_not_sure_of_is_asked_further_and_counted() -> None:
    cheap, dear = Says("cheap/1", CHEAP), Says("dear/1", said("contradicted", 0.4, "dear/1"))
    panel = Cascade([cheap, dear])
    verdicts = judged(panel, *map(pair, CHEAP))
    assert dear.seen == [["unsure", "unsure too", "foreign"]]
    outcomes = ["supported", "contradicted", "contradicted", "contradicted", "contradicted"]
    assert [verdict.outcome for verdict in verdicts] == outcomes
    assert [verdict.score for verdict in verdicts] == [0.8, 0.2, 0.4, 0.4, 0.4]
    assert verdicts[2].reason == (
        "because dear/1 [cascade: cheap/1 supported 0.79; dear/1 contradicted 0.40]"
    )
    assert (panel.usage.asked, panel.usage.asked_further) == (5, 3)
    judged(panel, pair("sure yes"))
    assert (panel.usage.asked, panel.usage.asked_further) == (6, 3)
    assert len(dear.seen) == 1


def test_the_bounds_of_being_sure_are_settings() -> None:
    cheap, dear = Says("cheap/1", CHEAP), Says("dear/1", YES)
    judged(Cascade([cheap, dear], PanelSettings(low=0.1, high=0.79)), *map(pair, CHEAP))
    assert dear.seen == [["sure no", "unsure too", "foreign"]]
    with pytest.raises(JudgeError, match=r"above panel\.high"):
        Cascade([cheap, dear], PanelSettings(low=0.9, high=0.8))


def test_where_the_dear_judge_fails_the_pair_is_unjudged_and_the_reason_says_both() -> None:
    cheap, dear = Says("cheap/1", CHEAP), Says("dear/1", failed("no money left", "budget", "dear/1"))
    sure, unsure, foreign = judged(Cascade([cheap, dear]), *map(pair, ["sure yes", "unsure", "foreign"]))
    assert sure.outcome == "supported"
    assert (unsure.outcome, unsure.score, unsure.cause) == ("unjudged", None, "budget")
    assert "cheap/1 was not sure (because cheap/1), and dear/1 could not judge it" in unsure.reason
    assert "cheap/1 supported 0.79; dear/1 unjudged: no money left" in unsure.reason
    assert foreign.reason.startswith(
        "no judge could decide it [cascade: cheap/1 unjudged: not in English; dear/1"
    )


def test_an_unsure_verdict_is_kept_only_when_the_settings_say_so_and_is_marked() -> None:
    cheap, dear = Says("cheap/1", CHEAP), Breaks()
    panel = Cascade([cheap, dear], PanelSettings(keep_unsure=True))
    unsure, foreign = judged(panel, pair("unsure"), pair("foreign"))
    assert (unsure.outcome, unsure.score) == ("supported", 0.79)
    assert "breaks/1 unjudged: the judge failed: RuntimeError: the model fell over" in unsure.reason
    assert "the unsure verdict is kept by panel.keep_unsure" in unsure.reason
    assert foreign.outcome == "unjudged"
    assert not unsure.sure
    assert "keeps unsure" in panel.name


def test_a_cascade_may_have_more_than_two_steps() -> None:
    first, second = Says("one", said("not_enough", 0.5)), Says("two", {"a": YES, "b": said("supported", 0.6)})
    third = Says("three", NO)
    panel = Cascade([first, second, third])
    assert [verdict.outcome for verdict in judged(panel, pair("a"), pair("b"))] == [
        "supported",
        "contradicted",
    ]
    assert third.seen == [["b"]]
    assert (panel.usage.asked, panel.usage.asked_further) == (2, 2)


def test_a_first_judge_that_breaks_leaves_the_work_to_the_next() -> None:
    dear = Says("dear/1", YES)
    (verdict,) = judged(Cascade([Breaks(), dear]), pair("a"))
    assert verdict.outcome == "supported"
    assert "breaks/1 unjudged" in verdict.reason


# --- with the real rule judge --------------------------------------------------------------------


def test_the_rule_judge_decides_what_it_can_and_asks_about_the_rest() -> None:
    dear = Says("dear/1", said("supported", 0.95, "dear/1"))
    panel = Cascade([NumberRules(), dear])
    same = pair("The board approved the budget in March.")
    far = pair("The board gave the budget its go-ahead in March.")
    number = pair("Revenue grew by 12% in the first quarter.", "Revenue grew by 21% in the first quarter.")
    verdicts = judged(panel, same, far, number)
    assert dear.seen == [[far.claim]]
    assert [verdict.outcome for verdict in verdicts] == ["supported", "supported", "contradicted"]
    assert verdicts[2].cause == "number"
    assert verdicts[2].reason.startswith("12% in the claim, 21% in the source [cascade: rules/1 contradicted")


def test_a_panel_that_waits_for_nothing_needs_no_event_loop() -> None:
    class Plain(NumberRules):
        name = "plain/1"

    for panel in (VotingPanel("mean", [NumberRules(), Plain()]), Cascade([NumberRules(), Plain()])):
        assert not panel.waits
        (verdict,) = judged(panel, pair("The board approved the budget in March."))
        assert verdict.outcome == "supported"


def test_a_member_may_reach_the_check_of_an_answer() -> None:
    import pincite

    text = "Revenue grew by 12% in the first quarter [report.txt:0-41]."
    sources = {"report.txt": "Revenue grew by 21% in the first quarter."}
    panel = VotingPanel("majority", [NumberRules(), Says("llm", NO), Breaks()])
    report = pincite.check(text, sources, judge=panel)
    assert [finding.code for finding in report.findings] == ["PIN203"]
    assert report.summary.judge == "panel:majority(rules/1, llm, breaks/1)"


# --- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "members", "name"),
    [
        (
            "majority:rules,llm:openrouter/auto",
            ["rules", "llm:openrouter/auto"],
            "panel:majority(rules, llm:openrouter/auto)",
        ),
        (
            "mean: rules , nli:C:\\models\\tiny,llm:qwen:7b",
            ["rules", "nli:C:\\models\\tiny", "llm:qwen:7b"],
            "panel:mean(rules, nli:C:\\models\\tiny, llm:qwen:7b)",
        ),
        ("cascade:rules,llm", ["rules", "llm"], "panel:cascade(rules > llm; unsure 0.2-0.8)"),
    ],
)
def test_a_panel_is_written_as_its_way_and_its_members(written: str, members: list[str], name: str) -> None:
    way, names = read_panel(written)
    assert names == members
    said_by = [Says(one, YES) for one in names]
    assert (Cascade(said_by) if way == "cascade" else VotingPanel(way, said_by)).name == name


def test_the_settings_reach_a_cascade() -> None:
    chosen = Settings(panel=PanelSettings(low=0.05, keep_unsure=True))
    panel = open_judge("panel:cascade:rules,entailment", chosen)
    assert panel.name.endswith("; unsure 0.05-0.8, keeps unsure)")


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("", "there is no panel"),
        ("median:rules,llm", "there is no panel 'median'"),
        ("majority", "two judges or more"),
        ("majority:rules", "two judges or more"),
        ("majority:rules,", "two judges or more"),
        ("majority:rules,,llm", "two judges or more"),
        ("mean:rules,rules", "named twice"),
        ("mean:rules,panel:mean:rules,llm", "cannot sit in a panel"),
        ("mean:rules,nonsense", "unknown judge 'nonsense'"),
    ],
)
def test_a_panel_that_cannot_be_is_refused(written: str, reason: str) -> None:
    with pytest.raises(JudgeError, match=reason):
        open_judge(f"panel:{written}")


def test_a_long_reason_of_a_member_is_cut() -> None:
    verdict = by_majority([failed("x" * 5000), msgspec.structs.replace(YES, judge="one")])
    assert len(verdict.reason) < 400
