"""Rows and a score for evaluation frameworks."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import pincite
from pincite.integrations.outcome import CheckOutcome, outcome_of

TEXTS = ["Revenue grew by 21% in the first quarter of 2023.", "Costs fell by 3% in 2023.", None]
RIGHT = "Costs fell by 3% in 2023 [2]."
WRONG = "Revenue grew by 12% in the first quarter of 2023 [1]."
NOWHERE = "Staff numbers rose by 40 [9]."
UNKNOWN = "The board met in March [3]."


def outcome(answer: str) -> CheckOutcome:
    return outcome_of(pincite.check_contexts(answer, TEXTS, judge="rules"))


def test_each_citation_has_a_row_with_its_verdict_and_codes() -> None:
    answer = f"{RIGHT} {WRONG} {NOWHERE} {UNKNOWN}"
    found = outcome(answer)
    assert [(row.marker, row.verdict, row.codes, row.value) for row in found.citations] == [
        ("[2]", "supported", (), 1.0),
        ("[1]", "contradicted", ("PIN203",), 0.0),
        ("[9]", "unsupported", ("PIN108",), 0.0),
        ("[3]", "unjudged", ("PIN109",), None),
    ]
    assert [row.document for row in found.citations] == ["context 2", "context 1", None, "context 3"]
    assert found.citations[1].claim == WRONG
    assert found.citations[1].reason == "12% in the claim, 21% in the source"
    assert found.citations[3].score is None
    assert (found.score, found.unjudged, found.ok) == (1 / 3, 1, False)
    assert found.reason == (
        "1 of 3 citations supported: [1] is contradicted (12% in the claim, 21% in the source), "
        "[9] is unsupported ([9] points to nothing: 3 sources were given, and the answer has no list of "
        "references); 1 unjudged: [3] (the cited source could not be read)"
    )


def test_nothing_judged_is_no_score() -> None:
    assert outcome("Hello there.").score is None
    assert outcome("Hello there.").reason == "nothing to judge: the answer has no citations"
    unknown = outcome(UNKNOWN)
    assert unknown.score is None
    assert unknown.reason == "nothing was judged: [3] (the cited source could not be read)"


def test_a_judge_that_fails_leaves_no_zero_behind() -> None:
    class Broken:
        name = "broken"

        async def judge(self, pairs: object) -> list[pincite.Verdict]:
            raise RuntimeError("no")

    found = outcome_of(pincite.check_contexts(RIGHT, TEXTS, judge=Broken()))
    assert [(row.verdict, row.score, row.value) for row in found.citations] == [("unjudged", None, None)]
    assert found.score is None


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from([RIGHT, WRONG, NOWHERE, UNKNOWN, "Hello."]), max_size=6))
def test_the_score_is_the_share_of_the_judged_rows(sentences: list[str]) -> None:
    answer = "\n\n".join(sentences)
    found = outcome(answer)
    values = [row.value for row in found.citations if row.verdict != "unjudged"]
    assert None not in values
    assert found.unjudged == len(found.citations) - len(values)
    assert found.score == (sum(map(float, values)) / len(values) if values else None)  # type: ignore[arg-type]
    for row in found.citations:
        assert answer[row.start : row.end] == row.marker
        assert (row.score is None) == (row.verdict == "unjudged")
