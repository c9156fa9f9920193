from __future__ import annotations

import pytest

from pincite.errors import ConfigError
from pincite.metrics import parse_metric


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("ndcg@10", "nDCG@10"),
        ("MAP", "MAP"),
        ("hit(k=3)", "hit@3"),
        (" span_f1( tolerance = 10 , average=micro) ", "span_f1(tolerance=10, average=micro)"),
        ("span_f1(average=macro)", "span_f1"),
        ('span_f1(average="micro")', "span_f1(average=micro)"),
        ("citation_fidelity(check_values=true)", "citation_fidelity(check_values=true)"),
        ("citation_correctness(threshold=0.5)", "citation_correctness(threshold=0.5)"),
    ],
)
def test_a_name_prints_as_itself_in_its_shortest_form(name: str, printed: str) -> None:
    assert str(parse_metric(name)) == printed
    assert parse_metric(printed) == parse_metric(name)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("hit@0", "k is a whole number from 1 to 999,999,999, not 0"),
        ("hit(k=2.5)", "k is a whole number from 1 to 999,999,999, not 2.5"),
        ("hit@5(k=3)", "k is given twice"),
        ("span_f1(average=foo)", "average is 'macro' or 'micro', not 'foo'"),
        ("span_f1(tolerance=x)", "tolerance is a whole number from 0 to 1,000,000,000, not 'x'"),
        ("span_f1(tolerance=-1)", "tolerance is a whole number from 0 to 1,000,000,000, not -1"),
        ("span_f1(tolerance=1, tolerance=2)", "tolerance is given twice"),
        ("span_f1(tolerance)", "write parameters as name=value"),
        ("span_f1(nosuch=1)", "there is no parameter 'nosuch'; it has threshold, tolerance, units, average"),
        ("citation_correctness@3", "citation_correctness looks at no ranks, so it takes no @"),
        ("citation_fidelity(check_values=maybe)", "check_values is true or false, not 'maybe'"),
        ("citation_relevancy(mode=vague)", "mode is 'granular' or 'holistic', not 'vague'"),
        ("citation_relevancy(multi_turn_strategy=no)", "multi_turn_strategy"),
        ("span_f1(threshold=NaN)", "threshold is a number, not nan"),
        ("span_f1(threshold=1e999)", "threshold is a number, not inf"),
        ("span_f1(threshold=" + "[" * 100_000 + ")", "threshold is a number"),
    ],
)
def test_a_wrong_parameter_is_told_in_plain_words(name: str, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        parse_metric(name)
    told = str(refused.value)
    assert said in told and told.startswith("metric ")
    assert "$" not in told and "`" not in told


def test_a_metric_that_is_not_known_is_told_with_one_near_or_where_the_list_is() -> None:
    with pytest.raises(ConfigError, match=r"did you mean citation_correctness\?"):
        parse_metric("citation_corectness")
    with pytest.raises(ConfigError, match="`pincite explain` lists them all"):
        parse_metric("nosuch")
