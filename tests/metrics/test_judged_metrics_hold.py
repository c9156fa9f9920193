"""Whatever an answer, its citations and its references look like, every judged metric gives a sane result."""

from __future__ import annotations

import asyncio
import itertools
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.config import Settings
from pincite.judges import NumberRules
from pincite.metrics import Case, find_failures, list_metrics, parse_metric
from pincite.reading import ask
from pincite.records import Citation, DatasetItem, NumberTarget, PathTarget, SpanTarget, WebTarget
from pincite.sources import open_sources

MODULES = ("citation_metrics", "alce", "graded", "answer_metrics")
METRICS = [
    metric
    for one in list_metrics(Settings())
    if type(metric := parse_metric(one.name)).__module__.endswith(MODULES)
]
LIBRARY = open_sources(
    {
        "a.txt": "The mill made 40 tons of flour in 1990. It closed in 1999 after a fire.",
        "b.txt": "The river Aln floods in spring. Nobody was hurt in 1990.",
        "data.json": {"mill": {"tons": 40, "open": False}},
    }
)
PIECES = (
    "The mill made 40 tons of flour in 1990",
    "It closed in 1999",
    'They wrote "nobody was hurt" then',
    "I don't know",
    "Is that so?",
    " [a.txt:1:0-39]",
    " [b.txt:1:0-31]",
    " [a.txt:9:0-10]",
    " [a.txt:1:70-10]",
    " [lost.txt:1:0-5]",
    " [1]",
    " [1-3]",
    " [mill.tons]",
    " [mill.gone]",
    " (https://example.org/x)",
    " (Smith, 2020)",
    " [a.txt:1:",
    ". ",
    ".\n\n",
    "\n- ",
    "\n\nReferences\n[1] a.txt\n",
    "\x00",
    "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
)
targets = st.one_of(
    st.builds(
        lambda name, start, end: SpanTarget(name, None, start, end, f"{name}:{start}-{end}"),
        st.sampled_from(["a.txt", "b.txt", "lost.txt", ""]),
        st.one_of(st.none(), st.integers(-5, 99)),
        st.one_of(st.none(), st.integers(-5, 99)),
    ),
    st.builds(lambda n: NumberTarget(n, str(n)), st.integers(0, 4)),
    st.just(PathTarget("mill.tons", "mill.tons")),
    st.just(WebTarget("https://example.org", url="https://example.org")),
)
citations = st.builds(
    lambda start, length, found, quote: Citation(
        "span", "[x]", start, start + length, found, cited_text=quote
    ),
    st.integers(0, 150),
    st.sampled_from([0, 0, 3, 40]),
    st.lists(targets, max_size=3).map(tuple),
    st.sampled_from([None, "It closed in 1999", "words that nobody wrote"]),
)
references = st.lists(
    st.one_of(
        st.sampled_from(["a.txt", "b.txt", "Smith 2020", "", "[2] a.txt\n[3] b.txt", "x" * 5000]),
        st.fixed_dictionaries(
            {"number": st.one_of(st.integers(0, 3), st.none()), "source": st.just("a.txt")}
        ),
        st.just({"source": 3}),
        st.just({}),
    ),
    max_size=4,
).map(tuple)
items = st.builds(
    lambda text, given_citations, given_references, query: DatasetItem(
        actual_output=text, citations=given_citations, references=given_references, query=query
    ),
    st.one_of(st.none(), st.lists(st.sampled_from(PIECES), max_size=14).map("".join)),
    st.one_of(st.none(), st.lists(citations, max_size=4).map(tuple)),
    st.one_of(st.none(), references),
    st.sampled_from([None, "", "How much flour did the mill make?"]),
)


def measure(item: DatasetItem):
    case = Case(item, LIBRARY, Settings())
    pairs = [pair for metric in METRICS for pair in metric.pairs(case)]
    verdicts = asyncio.run(ask(NumberRules(), pairs))
    return case, verdicts, {metric.title: metric.score(case, verdicts) for metric in METRICS}


@given(items)
def test_every_score_is_a_ratio_or_none_with_a_reason(item):
    case, verdicts, results = measure(item)
    for result in results.values():
        if result.score is None:
            assert result.denominator == 0 and result.reasons
        else:
            assert 0.0 <= result.numerator <= result.denominator
            assert 0.0 <= result.score <= 1.0
        assert min(result.unjudged, result.not_scorable) >= 0
        assert result.pretty()
    for failure in find_failures(case, verdicts):
        assert failure.kind and len(failure.detail) <= 200


@given(items)
def test_the_figures_agree_with_each_other(item):
    _, _, results = measure(item)
    complete, grounded = results["citation_completeness"], results["hallucination_rate"]
    assert complete.denominator == grounded.denominator + grounded.unjudged + grounded.not_scorable
    correct, invented = results["citation_correctness"], results["fabrication_rate"]
    of_correct = correct.denominator + correct.unjudged + correct.not_scorable
    assert of_correct == invented.denominator + invented.unjudged
    assert correct.numerator <= correct.denominator - min(invented.numerator, correct.denominator)
    precision, recall = results["longcite_precision"], results["longcite_recall"]
    assert results["alce_recall"].denominator + results["alce_recall"].unjudged == (
        recall.denominator + recall.unjudged
    )
    assert precision.denominator + precision.unjudged == (
        results["alce_precision"].denominator + results["alce_precision"].unjudged
    )


@given(items)
def test_the_same_item_gives_the_same_results(item):
    assert measure(item)[2] == measure(item)[2]


@pytest.mark.thorough
@pytest.mark.parametrize("marker", [" [a.txt:1:0-39]", "", " [lost.txt:1:0-9] [b.txt:1:0-31]"])
def test_the_work_grows_with_the_answer_and_not_with_its_square(marker):
    def calls(sentences: int) -> int:
        text = " ".join(f"The mill made {n} tons of flour{marker}." for n in range(sentences))
        count = itertools.count()
        sys.setprofile(lambda *event: next(count))
        try:
            measure(DatasetItem(actual_output=text, query="How much flour?"))
        finally:
            sys.setprofile(None)
        return next(count)

    calls(20)
    assert calls(200) < 8 * calls(50)
