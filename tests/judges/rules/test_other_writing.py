"""The same number, period or name in another writing is the same; a wrong one is still found."""

from __future__ import annotations

import pytest

from pincite.judges import TextCache
from pincite.judges.rules.judge import judge_pair
from pincite.records import Pair, Passage, Verdict


def judged(claim: str, source: str, context: str = "") -> Verdict:
    return judge_pair(Pair(claim, (Passage(source, context=context),)), TextCache())


SAME = [
    ("The plant made {} units last May.", "11,950", "11 950"),
    ("The plant made {} units last May.", "11,950", "11, 950"),
    ("The plant made {} units last May.", "3,000", "3, 000"),
    ("The plant made {} units last May.", "12,500", "12.500"),
    ("The plant made {} units last May.", "12,500", "12'500"),
    ("The office opened {} cases.", "a dozen", "12"),
    ("Backups of the server run {}.", "weekly", "every 7 days"),
    ("Backups of the server run {}.", "once a week", "every seven days"),
    ("Backups of the server run {}.", "daily", "every 24 hours"),
    ("Backups of the server run {}.", "every day", "daily"),
    ("Backups of the server run {}.", "every 30 days", "monthly"),
    ("Backups of the server run {}.", "every other day", "every 2 days"),
    ("The tablet is taken {}.", "twice a day", "every 12 hours"),
    ("The tablet is taken {}.", "two times a day", "twice daily"),
    ("The tablet is taken {}.", "once daily", "every 24 hours"),
    ("Members can object within {}.", "a week", "7 days"),
    ("Members can object within {}.", "a fortnight", "14 days"),
    ("Members can object within {}.", "half an hour", "30 minutes"),
    ("Members can object within {}.", "18 months", "a year and a half"),
    ("The price of tickets fell by {}.", "half", "50%"),
    ("The club lost {} of its members.", "half", "50%"),
    ("The club lost {} of its members.", "a quarter", "25%"),
    ("The club lost {} of its members.", "two thirds", "67%"),
    ("The club lost {} of its members.", "1 in 5", "20%"),
    ("Exports to the {} grew by 5%.", "US", "United States"),
    ("Exports to the {} grew by 5%.", "USA", "United States"),
    ("Exports to the {} grew by 5%.", "U.K.", "United Kingdom"),
    ("Exports to the {} grew by 5%.", "EU", "European Union"),
    ("Exports to the {} grew by 5%.", "UN", "United Nations"),
]


@pytest.mark.parametrize(("sentence", "one", "two"), SAME)
def test_the_same_thing_in_another_writing_is_supported_both_ways(sentence: str, one: str, two: str) -> None:
    for claim, source in ((one, two), (two, one)):
        if ", " in claim:
            continue  # only sources are torn apart behind a comma
        verdict = judged(sentence.format(claim), sentence.format(source))
        assert verdict.outcome == "supported", (claim, source, verdict)


@pytest.mark.parametrize(
    ("sentence", "claim", "source"),
    [
        ("The plant made {} units last May.", "11,850", "11 950"),
        ("The plant made {} units last May.", "11,850", "11, 950"),
        ("The plant made {} units last May.", "4,000", "3, 000"),
        ("The plant made {} units last May.", "12,600", "12.500"),
        ("The plant made {} units last May.", "12,500", "12'600"),
        ("The office opened {} cases.", "13", "a dozen"),
        ("Backups of the server run {}.", "every 14 days", "weekly"),
        ("Backups of the server run {}.", "every 8 hours", "daily"),
        ("The tablet is taken {}.", "three times a day", "every 12 hours"),
        ("Members can object within {}.", "5 days", "a week"),
        ("The museum closes for {} at noon.", "45 minutes", "half an hour"),
        ("The club lost {} of its members.", "40%", "half"),
        ("The club lost {} of its members.", "1 in 4", "20%"),
    ],
)
def test_a_wrong_one_is_still_found(sentence: str, claim: str, source: str) -> None:
    assert judged(sentence.format(claim), sentence.format(source)).outcome != "supported"


def test_a_duration_is_not_how_often() -> None:
    source = "Backups run weekly and are kept for 30 days."
    assert judged("Backups are kept for 7 days.", source).outcome != "supported"
    assert judged("Backups run every 7 days.", source).outcome == "supported"


def test_the_years_in_the_name_of_a_column_are_years() -> None:
    header = "airline | incidents_85_99 | incidents_00_14"
    row = "Aeroflot,76,6"
    assert judged("Aeroflot had 6 incidents in 2000–2014.", row, header).outcome == "supported"
    assert judged("Aeroflot had 76 incidents from 1985 to 1999.", row, header).outcome == "supported"
    assert judged("Aeroflot had 6 incidents in 2003–2017.", row, header).outcome != "supported"
    assert judged("Aeroflot had 9 incidents in 2000–2014.", row, header).outcome == "contradicted"


def test_a_heading_tells_the_rest_of_a_claim_that_the_passage_is_about() -> None:
    heading = "The new Tarn bridge > Time"
    claim = "The new bridge will open in June 2025."
    assert judged(claim, "It will open in June 2025.", heading).outcome == "supported"
    assert judged(claim, "The arch is floated in on two barges in June 2025.", heading).outcome != "supported"
