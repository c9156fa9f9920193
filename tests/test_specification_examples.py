"""The examples of the specification's documents that concern one answer, with the rulings applied.

Document 000's examples of spans and support are in `tests/compat/`.
"""

from __future__ import annotations

import pytest

from pincite import check, parse

GREEN_TEA = """
Green tea has numerous health benefits:

1. Rich in antioxidants [Source](https://healthline.com/green-tea-benefits)
2. May improve brain function (Smith et al., 2020)
3. Great for parties! [Party Guide](https://party-planning.com)
"""


def found(answer: str) -> list[tuple[str, str]]:
    return [(citation.family, citation.text) for citation in parse(answer).citations]


def test_document_003_the_basic_example_has_three_citations() -> None:
    assert found(GREEN_TEA) == [
        ("web", "[Source](https://healthline.com/green-tea-benefits)"),
        ("author_year", "(Smith et al., 2020)"),
        ("web", "[Party Guide](https://party-planning.com)"),
    ]


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("[Title](https://example.com)", "https://example.com"),
        ("https://example.com/article", "https://example.com/article"),
        ("www.example.com/page", None),
        ("doi:10.1234/example", "doi:10.1234/example"),
        ("(Smith et al., 2023)", None),
        ("(Smith, 2023)", None),
    ],
)
def test_document_003_every_listed_format_is_read(written: str, key: str | None) -> None:
    (citation,) = parse(f"It is known {written} and told.").citations
    assert citation.text == written
    assert key is None or citation.targets[0].key == key


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        (
            "Type 2 diabetes can be managed through:\n\n"
            "1. Lifestyle changes including diet and exercise [ADA Guidelines](https://diabetes.org/guidelines)\n"
            "2. Metformin as first-line medication (Johnson et al., 2021)\n"
            "3. Regular blood glucose monitoring [CDC Recommendations](https://cdc.gov/diabetes)",
            3,
        ),
        (
            "Machine learning uses algorithms to learn from data:\n\n"
            "- Neural networks mimic brain structure [ML Textbook](https://ml-intro.com)\n"
            "- Training requires large datasets [Data Science Blog](https://datascience.com)\n"
            "- My favorite coffee shop uses ML! [Best Coffee](https://coffee-reviews.com)\n"
            "- Check out this unrelated video [Cat Video](https://youtube.com/cats)",
            4,
        ),
        (
            "Paris is the capital of France. Here are some links:\n\n"
            "- [My Portfolio](https://myportfolio.com)\n"
            "- [Buy Cheap Flights](https://flights.com)\n"
            "- [Wikipedia - France](https://wikipedia.org/wiki/France)\n"
            "- [Dating Site](https://dating.com)",
            4,
        ),
    ],
)
def test_document_003_every_scenario_has_its_citations(answer: str, count: int) -> None:
    assert len(parse(answer).citations) == count


@pytest.mark.parametrize(
    ("answer", "data", "codes"),
    [
        ("The premium is $1,200 [quote.premium].", {"quote": {"premium": 1200}}, []),
        (
            "Premium is $1,200 [quote.premium]. Coverage limit $500,000 [quote.coverage].",
            {"quote": {"premium": 1200, "coverage": 500000}},
            [],
        ),
        (
            "Building age is 15 years [property.building_age]. Revenue: $2.5M [financials.revenue].",
            {"property": {"building_age": 15}, "financials": {"revenue": 2500000}},
            [],
        ),
        (
            "Premium is $1,200 [quote.premium]. Deductible: $500 [quote.deductible].",
            {"quote": {"premium": 1200}},
            ["PIN107"],
        ),
        ("Premium is $1,300 [quote.premium].", {"quote": {"premium": 1200}}, ["PIN203"]),
    ],
)
def test_document_004_paths_resolve_and_values_are_compared(
    answer: str, data: dict[str, object], codes: list[str]
) -> None:
    report = check(answer, {"data.json": data})
    assert [finding.code for finding in report.findings] == codes
    assert report.summary.score == 1 - len(codes) / report.summary.targets


def test_document_004_swapped_values_are_seen() -> None:
    answer = "Premium is $500,000 [quote.premium] and coverage $1,200 [quote.coverage]."
    report = check(answer, {"data.json": {"quote": {"premium": 1200, "coverage": 500000}}})
    assert [finding.code for finding in report.findings] == ["PIN203", "PIN203"]


def test_document_000_the_end_to_end_answer_is_read_and_found_out_of_its_place() -> None:
    answer = "The company reported $10M in Q1 revenue. [annual_report.pdf:5:1234-1289]"
    text = "..." * 1000 + "The company reported $10M in Q1 revenue from product sales." + "..." * 1000
    report = check(answer, {"annual_report.pdf": text})
    (finding,) = report.findings
    assert finding.code == "PIN205"
    assert finding.fix is not None
    start, end = 3000, 3000 + len("The company reported $10M in Q1 revenue from product sales.")
    assert finding.fix.replacement == f"[annual_report.pdf:5:{start}-{end}]"
