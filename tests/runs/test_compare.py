from __future__ import annotations

import random
from collections.abc import Callable
from typing import ClassVar

import numpy as np
import pytest
from msgspec import structs
from plain_metrics import Amount, Mean, Share, compare, item, mean, share
from scipy import stats

from pincite.config import Evaluation, Settings
from pincite.errors import InputError
from pincite.metrics import names
from pincite.records import ItemResult, Result
from pincite.reports import comparison_text
from pincite.stats import mcnemar

FAST = Settings(evaluation=Evaluation(resamples=2000))


@pytest.fixture(autouse=True)
def known_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "_registered", {"mean_score": Mean, "shares": Share, "amount": Amount})


def run_of(score: Callable[[int], float], queries: int = 60, **fields: object) -> list[ItemResult]:
    return [item(place, mean(score(place)), answer=f"answer {place}", **fields) for place in range(queries)]


def noisy(shift: float, seed: int) -> Callable[[int], float]:
    chance = random.Random(seed)
    return lambda place: 0.5 + shift + 0.1 * chance.uniform(-1, 1)


def test_a_clear_improvement_is_called_better_and_its_reverse_worse() -> None:
    a, b = run_of(noisy(0.0, 1)), run_of(noisy(0.2, 2))
    (row,) = compare(a, b, settings=FAST).metrics
    assert (row.outcome, row.verdict, row.test) == ("better", "better", "permutation")
    assert row.difference == pytest.approx(0.2, abs=0.05)
    assert row.confidence_interval is not None and row.confidence_interval[0] > 0.1
    assert row.p_value == row.p_adjusted == pytest.approx(1 / 2001)
    (back,) = compare(b, a, settings=FAST).metrics
    assert back.outcome == "worse"
    assert back.difference == pytest.approx(-row.difference)


def test_few_groups_are_tested_by_students_t_and_a_note_says_so() -> None:
    def right(few: int, groups: int) -> list[ItemResult]:
        return [item(place, mean(float(place >= few)), cluster=f"d{place % groups}") for place in range(24)]

    found = compare(right(16, 6), right(0, 6), settings=FAST)
    (row,) = found.metrics
    assert (row.test, row.unit, row.n, row.groups) == ("t over 6 groups", "group", 24, 6)
    assert (row.method, row.outcome) == ("t over 6 groups", "better")
    # Each group has 4 queries, of which 3 (four groups) or 2 (two groups) became right.
    groups = np.array([0.75] * 4 + [0.5] * 2)
    error = np.std([*groups, 0.0], ddof=1) / np.sqrt(6)
    assert row.p_value == pytest.approx(2 * stats.t.sf(groups.mean() / error, 5))
    reach = stats.t.ppf(0.975, 5) * error
    assert row.confidence_interval == pytest.approx((groups.mean() - reach, min(1.0, groups.mean() + reach)))
    assert found.clustered and found.groups == 6
    (note,) = found.notes
    assert note.startswith("only 6 groups of queries") and "tested over the groups" in note
    assert "only 6 groups" in comparison_text(found)
    enough = compare(right(16, 12), right(0, 12), settings=FAST)
    assert (enough.metrics[0].unit, enough.groups, enough.notes) == ("group", 12, ())
    assert "treated as one unit, in 12 groups" in " ".join(comparison_text(enough).split())


def test_one_of_few_groups_that_breaks_altogether_is_not_decisive() -> None:
    def side(broken: bool) -> list[ItemResult]:
        return [
            item(place, mean(float(not broken or place >= 12)), cluster=f"d{place // 12}")
            for place in range(60)
        ]

    (row,) = compare(side(False), side(True), settings=FAST).metrics
    assert row.difference == pytest.approx(-0.2)
    assert (row.test, row.outcome) == ("t over 5 groups", "not decisive")
    assert mcnemar(12, 0) < 0.001  # what taking its queries for independent would say
    assert row.n_needed is not None and row.n_needed > 60
    assert "groups, and 60 in 5 were compared" in row.verdict


def test_groups_that_do_not_differ_have_no_interval_and_a_reason() -> None:
    side = [item(place, mean(place / 20), cluster=f"d{place % 4}") for place in range(20)]
    (row,) = compare(side, side, settings=FAST).metrics
    assert (row.difference, row.p_value, row.confidence_interval) == (0.0, 1.0, None)
    assert row.method == "none: no group of queries differs"


def test_queries_of_one_document_alone_are_a_single_group() -> None:
    runs = [[item(place, mean(score), cluster="d") for place in range(5)] for score in (0.1, 0.2)]
    found = compare(*runs, settings=FAST)
    assert (found.metrics[0].groups, found.metrics[0].unit) == (1, "query")
    assert found.metrics[0].test == "permutation"
    assert found.notes[0].startswith("all queries share one document or conversation: each query")


def test_a_metric_whose_values_stand_in_few_groups_is_told_apart_from_the_others() -> None:
    def side(shift: float) -> list[ItemResult]:
        return [
            item(
                place,
                mean(0.5 + shift + place / 1000),
                mean(0.5 + shift if place < 16 else None, "amount"),
                cluster=f"d{place // 2}",
            )
            for place in range(40)
        ]

    found = compare(side(0.0), side(0.1), settings=FAST)
    assert [(row.unit, row.groups) for row in found.metrics] == [("group", 20), ("group", 8)]
    assert [row.test for row in found.metrics] == ["permutation, clustered", "t over 8 groups"]
    assert "in 1 of 2 metrics" in found.notes[0]


def test_what_a_difference_needs_is_as_many_more_groups() -> None:
    chance = random.Random(5)
    a = run_of(lambda place: chance.random(), 24)
    b = run_of(lambda place: chance.random(), 24)
    first, second = (
        [structs.replace(one, cluster=f"d{one.position % 12}") for one in side] for side in (a, b)
    )
    (row,) = compare(first, second, settings=FAST).metrics
    assert row.n_needed is not None and row.n_needed > 24
    assert (
        f"needs about {row.n_needed:,} queries in {-(-row.n_needed // 2):,} groups, and 24 in 12"
        in row.verdict
    )


def test_a_metric_that_should_be_low_is_better_when_it_falls() -> None:
    a = [item(place, share(2, 4)) for place in range(30)]
    b = [item(place, share(place % 2, 4)) for place in range(30)]
    found = compare(a, b, settings=FAST)
    assert found.metrics[0].outcome == "better"
    assert not found.is_worse
    assert [query.change > 0 for query in found.changed.better] == [True] * 10


def test_a_metric_without_a_direction_is_different_and_neither_better_nor_worse() -> None:
    a = [item(place, mean(0.5), mean(0.2, "amount")) for place in range(30)]
    b = [
        item(place, mean(0.5 + (place == 3) * 0.1), mean(0.8 + place % 2 / 10, "amount"))
        for place in range(30)
    ]
    for first, second in ((a, b), (b, a)):
        found = compare(first, second, settings=FAST)
        assert [row.outcome for row in found.metrics] == ["not decisive", "different"]
        assert not found.is_worse
    # Nor does it say which queries got better: only one did, in the other metric, and by all of its change.
    changed = compare(a, b, settings=FAST).changed
    assert [(query.query_id, round(query.change, 9)) for query in changed.better] == [("q3", 0.1)]
    assert changed.worse == ()
    assert list(changed.better[0].metrics) == ["mean_score", "amount"]


def test_a_system_that_says_more_is_not_better_for_one_wrong_claim_of_the_other() -> None:
    a = [item(place, share(float(place == 0), 1)) for place in range(14)]
    b = [item(place, share(0, 2)) for place in range(14)]
    (row,) = compare(a, b, settings=Settings()).metrics
    assert (row.p_adjusted, row.outcome) == (1.0, "not decisive")


def test_a_small_difference_is_not_decisive_and_says_how_many_queries_it_would_take() -> None:
    (row,) = compare(run_of(noisy(0.0, 1), 40), run_of(noisy(0.0, 9), 40), settings=FAST).metrics
    assert row.outcome == "not decisive"
    assert row.n_needed is not None and row.n_needed > 40
    assert row.verdict == (
        f"not decisive: a difference of this size needs about {row.n_needed:,} queries, and 40 were compared"
    )


def test_the_figures_of_a_mean_are_those_of_scipy_on_the_same_numbers() -> None:
    a, b = run_of(noisy(0.0, 3)), run_of(noisy(0.03, 4))
    (row,) = compare(a, b, settings=FAST).metrics
    apart = np.array([other.results[0].score - one.results[0].score for one, other in zip(a, b, strict=True)])
    assert row.difference == pytest.approx(apart.mean())
    assert row.effect == "cohen_dz"
    assert row.effect_size == pytest.approx(apart.mean() / apart.std(ddof=1))
    assert row.p_value == pytest.approx(stats.ttest_1samp(apart, 0).pvalue, abs=0.02)
    theirs = stats.bootstrap(
        (apart,), np.mean, method="BCa", rng=np.random.default_rng(1)
    ).confidence_interval
    assert row.confidence_interval == pytest.approx((theirs.low, theirs.high), abs=0.004)


def test_right_or_wrong_outcomes_are_tested_by_mcnemar() -> None:
    a = run_of(lambda place: float(place < 20))
    b = run_of(lambda place: float(5 <= place < 42))
    (row,) = compare(a, b, settings=FAST).metrics
    assert row.test == "mcnemar"
    assert row.p_value == mcnemar(5, 22)
    assert row.effect == "cohen_g"
    assert row.effect_size == pytest.approx(22 / 27 - 0.5)
    assert row.n_needed is not None


def test_queries_that_share_a_cluster_are_swapped_together() -> None:
    a = [item(place, mean(float(place < 24)), cluster=f"c{place // 4}") for place in range(48)]
    b = [item(place, mean(float(place < 32)), cluster=f"c{place // 4}") for place in range(48)]
    found = compare(a, b, settings=FAST)
    (row,) = found.metrics
    assert found.clustered
    assert row.test == "permutation, clustered"
    assert row.p_value == 0.5  # two clusters changed: of four ways to swap them two are as far
    assert row.method == "bca, clustered"
    (alone,) = compare(
        [item(place, mean(float(place < 24) * 0.9)) for place in range(48)],
        [item(place, mean(float(place < 32) * 0.9)) for place in range(48)],
        settings=FAST,
    ).metrics
    assert row.n_needed is not None and alone.n_needed is not None and row.n_needed > 2 * alone.n_needed


def test_p_values_are_adjusted_for_the_metrics_that_were_asked_for() -> None:
    def both(score: Callable[[int], float], other: Callable[[int], float]) -> list[ItemResult]:
        return [item(place, mean(score(place)), share(other(place) * 8, 8)) for place in range(30)]

    a, b = both(noisy(0.0, 1), noisy(0.0, 2)), both(noisy(0.05, 3), noisy(0.02, 4))
    two = compare(a, b, settings=FAST)
    one = compare(a, b, ["mean_score"], FAST)
    assert [row.name for row in two.metrics] == ["mean_score", "shares"]
    assert one.metrics[0].p_adjusted == one.metrics[0].p_value == two.metrics[0].p_value
    assert two.metrics[0].p_adjusted == pytest.approx(2 * two.metrics[0].p_value)


def test_only_queries_with_the_same_id_and_text_are_paired() -> None:
    a = [item(place, mean(0.5)) for place in range(6)]
    b = [item(place, mean(0.6)) for place in range(2, 9)]
    b[0] = item(2, mean(0.6), query_text="Something else?")
    b[1] = item(3, mean(0.6), query_text="  Question   3? ")
    b[2] = item(4, mean(0.6), query_text="")
    found = compare(a, b, settings=FAST)
    assert (found.n_paired, found.only_in_a, found.only_in_b) == (3, 2, 3)
    assert (found.changed_text, found.changed_text_ids) == (1, ("q2",))


def test_queries_without_a_value_are_counted_and_not_compared() -> None:
    a = [item(0, mean(0.5)), item(1, mean(None)), item(2, mean(None, unjudged=1)), item(3, mean(0.5))]
    b = [item(0, mean(0.6)), item(1, mean(0.9)), item(2, mean(0.9)), item(3, failure="time-out")]
    found = compare(a, b, settings=FAST)
    (row,) = found.metrics
    assert (row.n, row.not_scorable, row.unjudged) == (1, (1, 1), (1, 0))
    assert found.failed == (0, 1)
    assert row.difference == pytest.approx(0.1)


def test_nothing_in_common_is_said_and_not_a_number() -> None:
    (row,) = compare([item(0, mean(None))], [item(0, mean(0.5))], settings=FAST).metrics
    assert (row.a, row.b, row.difference, row.p_value, row.effect_size) == (None,) * 5
    assert row.verdict == "not decisive: no query has a value in both runs"
    with pytest.raises(InputError, match="share no query"):
        compare([item(0, mean(0.5))], [item(1, mean(0.5))], settings=FAST)


def test_equal_runs_show_no_difference() -> None:
    same = run_of(noisy(0.0, 1))
    found = compare(same, same, settings=FAST)
    (row,) = found.metrics
    assert (row.difference, row.p_value, row.outcome) == (0.0, 1.0, "not decisive")
    assert row.verdict == "not decisive: no difference on 60 queries"
    assert found.changed.better == found.changed.worse == ()


def test_the_ten_that_changed_most_in_each_direction_come_with_their_answers() -> None:
    a = [item(place, mean(0.5), answer=f"a {place} \ud800") for place in range(40)]
    b = [item(place, mean(place / 39), answer=None, failure="gone") for place in range(40)]
    changed = compare(a, b, settings=FAST).changed
    assert [query.query_id for query in changed.better] == [f"q{place}" for place in range(39, 29, -1)]
    assert [query.query_id for query in changed.worse] == [f"q{place}" for place in range(10)]
    best = changed.better[0]
    assert (best.answer_a, best.answer_b, best.failure_b) == ("a 39 \ud800", None, "gone")
    assert best.query_text == "Question 39?"
    assert best.metrics == {"mean_score": (0.5, 1.0)}


def test_the_changes_of_a_query_come_by_size_and_those_of_other_families_first() -> None:
    def scored(*scores: float) -> list[ItemResult]:
        names = ("hit@1", "hit@5", "MRR", "span_f1", "alce_recall")
        return [item(0, *(mean(score, name) for score, name in zip(scores, names, strict=True)))]

    (query,) = compare(scored(0, 0, 0, 0, 0), scored(1, 1, 0.5, 1, 0.7), settings=FAST).changed.better
    assert list(query.metrics) == ["hit@1", "span_f1", "hit@5", "alce_recall", "MRR"]


def test_a_metric_is_found_however_it_is_spelled_and_an_unknown_one_is_refused() -> None:
    runs = run_of(noisy(0.0, 1)), run_of(noisy(0.1, 2))
    assert compare(*runs, ["Mean_Score"], FAST).metrics[0].name == "mean_score"
    with pytest.raises(InputError, match="they share mean_score"):
        compare(*runs, ["nDCG@3"], FAST)


def test_a_metric_that_is_not_known_here_is_compared_as_a_mean_and_a_note_says_so() -> None:
    runs = [[item(place, mean(value, "their_own_thing")) for place in range(5)] for value in (0.1, 0.2)]
    found = compare(*runs, settings=FAST)
    assert found.metrics[0].difference == pytest.approx(0.1)
    assert found.notes == ("not known here, so treated as a mean that should be high: their_own_thing",)


def test_an_id_that_repeats_counts_once() -> None:
    a = [item(0, mean(0.5), query_id="q"), item(1, mean(0.9), query_id="q")]
    found = compare(a, [item(0, mean(0.5), query_id="q")], settings=FAST)
    assert found.n_paired == 1
    assert found.notes == ("1 query of A with the id of an earlier one, left out",)


def test_the_order_of_the_items_changes_nothing() -> None:
    a, b = run_of(noisy(0.0, 1)), run_of(noisy(0.02, 2))
    shuffled = random.Random(5).sample(a, len(a)), random.Random(6).sample(b, len(b))
    assert compare(a, b, settings=FAST) == compare(*shuffled, settings=FAST)


@pytest.mark.thorough
def test_what_a_difference_needs_grows_with_the_metrics_that_it_is_found_among() -> None:
    def side(shift: float, others: int) -> list[ItemResult]:
        chance = random.Random(1)
        return [
            item(
                place,
                mean(0.5 + shift * chance.uniform(-0.4, 1.6)),
                *(mean(0.5, f"other_{number}") for number in range(others)),
            )
            for place in range(12)
        ]

    needed = []
    for others in (0, 29):
        row = compare(side(0.0, others), side(0.2, others), settings=FAST).metrics[0]
        needed.append(row.n_needed)
    assert needed[0] is not None and needed[1] is not None and needed[1] > 1.5 * needed[0]
    assert row.verdict.startswith("not decisive: clear alone, but a difference of this size needs about")
    assert f"{needed[1]} queries among 30 metrics, and 12 were compared" in row.verdict


def test_a_difference_that_every_query_shows_alike_needs_as_many_as_can_decide_it() -> None:
    runs = [[item(place, mean(score)) for place in range(4)] for score in (0.9, 0.3)]
    (row,) = compare(*runs, settings=FAST).metrics
    assert (row.p_value, row.n_needed) == (2 / 2**4, 6)  # 2 / 2**6 is the first below 0.05
    assert "needs about 6 queries, and 4 were compared" in row.verdict


def test_too_few_resamples_for_the_metrics_are_named_as_the_reason() -> None:
    few = Settings(evaluation=Evaluation(resamples=100))
    names = [f"other_{number}" for number in range(9)]
    runs = [
        [item(place, mean(score + place / 1000), *(mean(0.5, name) for name in names)) for place in range(30)]
        for score in (0.9, 0.3)
    ]
    (row, *_) = compare(*runs, settings=few).metrics
    assert row.verdict == (
        "not decisive: 100 resamples cannot distinguish it from chance among 10 metrics: 200 are needed"
    )


def test_queries_that_only_one_run_has_a_value_for_are_told_with_the_metrics_that_count_them() -> None:
    def side(cited: Callable[[int], bool]) -> list[ItemResult]:
        return [
            item(place, mean(1.0 if cited(place) else None, "citation_correctness"), mean(0.5))
            for place in range(20)
        ]

    (row, other) = compare(side(lambda _: True), side(lambda place: place > 6), settings=FAST).metrics
    assert (row.n, row.one_sided, other.one_sided) == (13, (7, 0), (0, 0))
    assert row.verdict == (
        "not decisive: no difference on 13 queries; 7 of 20 queries are left out, without a value in B; "
        "alce_recall and citation_completeness count them"
    )
    (few, _) = compare(side(lambda _: True), side(lambda place: place > 1), settings=FAST).metrics
    assert (few.one_sided, few.verdict) == ((2, 0), "not decisive: no difference on 18 queries")


def test_a_metric_says_itself_which_others_count_the_answers_that_it_leaves_out() -> None:
    from pincite.metrics import Metric, known_metric, list_metrics, register_metrics
    from pincite.runs import told_dropouts

    class Careful(Metric, frozen=True, kw_only=True):
        title: ClassVar[str] = "careful"
        counted_by: ClassVar[tuple[str, ...]] = ("bold",)

        def score(self, case: object, verdicts: object) -> Result:
            return self.result(1, 1)

    register_metrics({"careful": Careful})
    assert told_dropouts("careful", (3, 0), 10).endswith("; bold counts them")
    assert told_dropouts("unheard_of", (3, 0), 10).endswith("without a value in B")
    shipped = {known_metric(one.name) for one in list_metrics(Settings())}
    named = {other for metric in shipped for other in metric.counted_by}
    assert named <= {metric.title for metric in shipped} | {"bold"}
