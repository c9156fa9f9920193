"""When the rules say that a number contradicts a claim, it does; what may be right is left open."""

from __future__ import annotations

import pytest

from pincite.judges import ReadText, TextCache
from pincite.judges.rules.arithmetic import can_be_reckoned
from pincite.judges.rules.detectors import observe
from pincite.judges.rules.judge import judge_pair
from pincite.records import Pair, Passage, Verdict


def judge(claim: str, evidence: str) -> Verdict:
    return judge_pair(Pair(claim, (Passage(evidence),)), TextCache())


RIGHT = {
    "the number stands elsewhere": (
        "When all was counted, Ferrin had a margin of 31 votes.",
        "Ferrin, who had been 17 votes behind on election night, now has a lead of 31.",
    ),
    "the number of another sentence": (
        "Most of the 63 cases were confirmed by culture.",
        "Between 4 and 19 June, 63 people fell ill: 41 confirmed, 22 probable. Figure 3.4 Cases by day of "
        "onset (bars: confirmed, hatched: probable)",
    ),
    "a sum": (
        "There are 78 vials in the fridge.",
        "The fridge holds 36 vials of insulin, 24 of vaccine A and 18 of vaccine B.",
    ),
    "a difference": (
        "Eighteen e-bikes are free to be sold.",
        "The shop has 30 e-bikes in stock; 12 of the e-bikes are reserved. A delivery of 20 e-bikes is due.",
    ),
    "a difference in words": (
        "The header is four octets longer than in version 1.",
        "The header of version 1 has eight octets. The header of version 2 has twelve octets.",
    ),
    "a rate for several": (
        "Three litres of water call for 180 g of salt.",
        "For the brine, dissolve 60 g of salt in each litre of water.",
    ),
    "half the rate": (
        "Time on the road earns the consultant CAD 70 an hour.",
        "The consultant is paid CAD 140 an hour. Travel time is paid at half rate.",
    ),
    "the rest of the whole": (
        "After 2,000 cycles the new battery lost 26% of its capacity.",
        "After 2,000 cycles the new battery held 74% of its capacity.",
    ),
    "a span between dates": (
        "The road will be closed for two weeks in June.",
        "The road will be closed in June, the 3rd of June to 17 June; the bridge will be closed for one day.",
    ),
    "before a cut": (
        "Guidance for full-year profit is £97 million.",
        "Guidance for full-year profit is £98m to £104m, cut to £97m by the board.",
    ),
    "a case under a rule": (
        "An office with four workstations stays within the licence.",
        "The licence covers five workstations; a sixth requires an extension.",
    ),
    "a case within a range": (
        "At 2 °C you should not charge the pack.",
        "Battery pack BP-40: charge between 5 °C and 40 °C.",
    ),
    "the other side of a limit": (
        "Payments above 500 kr need code and fingerprint.",
        "For payments up to 500 kr the app asks for nothing; above that it wants code and fingerprint.",
    ),
    "a stretch that goes on": (
        "In version 12, agents move tickets to another queue themselves.",
        "Since version 11, agents move tickets between queues themselves.",
    ),
    "a denial": (
        "The letter does not date from after June 1784.",
        "The letter bears the date June 1784.",
    ),
    "odds": (
        "About one ballot in two hundred was spoilt.",
        "Of 41,300 ballots 212 were spoilt.",
    ),
    "a bound behind the unit": (
        "All six cubes reached 20 MPa.",
        "The props were taken out after all six cubes had reached 24 MPa or more.",
    ),
}


@pytest.mark.parametrize("why", RIGHT)
def test_a_number_that_may_be_right_contradicts_nothing(why: str) -> None:
    verdict = judge(*RIGHT[why])
    assert verdict.outcome != "contradicted" or verdict.cause not in {"number", "date"}


WRONG = {
    "another number in the same words": ("The board has seven members.", "The board has nine members."),
    "a wrong number although it could be reckoned": (
        "The board has eighteen members.",
        "The board has nine members, two of them appointed by the mayor.",
    ),
    "the number of something else in the same sentence": (
        "The tour grossed $67 million at home.",
        "The tour grossed $55.7 million at home and $67 million abroad.",
    ),
    "what one of them costs": ("A share costs 520 crowns.", "Each share costs 250 crowns."),
    "another limit": (
        "Staff work remotely up to four days a week.",
        "Staff work remotely up to three days a week, subject to approval.",
    ),
    "over for under": ("Lake Ordun lies higher than 1,200 m.", "Lake Ordun lies 1,140 m above sea level."),
    "another day": (
        "The collision at the Orlo Bank happened on 17 February.",
        "On 7 February a collision happened at the Orlo Bank between a trawler and a tanker.",
    ),
    "another year": ("The treaty was concluded after 1415.", "The treaty was concluded in 1412 in Varn."),
    "another unit": ("The contract is about 60 GW of capacity.", "The contract is about 60 MW of capacity."),
    "another row of a table": (
        "In 2020 Acme had revenue of $12M.",
        "Company,Revenue,Employees,Year\nAcme,$10M,50,2020\nGlobex,$12M,70,2020\n",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_number_that_is_plainly_wrong_is_still_called_contradicted(what: str) -> None:
    assert judge(*WRONG[what]).outcome == "contradicted"


@pytest.mark.parametrize(
    ("claim", "source", "found"),
    [
        ("165 bottles", "120 red and 45 white", True),
        ("78 vials", "36 vials, 24 of vaccine A and 18 of vaccine B", True),
        ("six vials", "36 vials, 24 of vaccine A and 18 of vaccine B", True),
        ("17 kilos", "30 rooms and 13 kilos", True),
        ("€3,400", "€15,800 (Science), €12,400 (Arts)", True),
        ("about 2,800 objects", "3,500 objects, four fifths of which were photographed", True),
        ("twice", "12 levels in 2020, 24 levels now", True),
        ("125 ml", "500 ml over four hours", True),
        ("$120", "$100, up by 20%", True),
        ("five years", "from 2001 to 2006", True),
        ("90 minutes", "opens at 9:30 and closes at 11:00", True),
        ("17 June", "two weeks after 3 June", True),
        ("99 bottles", "120 red and 45 white", False),
        ("seven years", "from 2001 to 2006", False),
        ("the third round", "first and second", False),
        ("20 June", "two weeks after 3 June", False),
        ("0 bottles", "no red and 0 white", False),
    ],
)
def test_numbers_are_reckoned_from_others(claim: str, source: str, found: bool) -> None:
    assert can_be_reckoned(ReadText(claim).quantities[0], [ReadText(source)]) is found


OPEN = {
    "a difference of shares": (
        "The best card raised reuse by twelve percentage points.",
        "The best card raised reuse from 37% to 49%.",
    ),
    "a difference of temperatures": (
        "The lake cooled by three degrees.",
        "The lake cooled from 41 to 38 °C.",
    ),
    "a share of what is counted": (
        "Roughly three out of four sherds are plain.",
        "Of 1,460 sherds, 1,122 are plain.",
    ),
    "how the votes were shared": (
        "Two thirds of the governors voted in favour.",
        "The governors voted in favour, 6 to 3.",
    ),
    "things that are named": (
        "Three founders signed the lease.",
        "The founders Ada, Bela and Chidi signed the lease.",
    ),
    "a case below a limit": (
        "Branches of 8 cm go into the brown bin.",
        "Branches up to 10 cm go into the brown bin.",
    ),
    "a ratio": (
        "Kidney infections are treated twice as long as bladder infections.",
        "Bladder infections are treated for 5 days, kidney infections for 10 days.",
    ),
}


@pytest.mark.parametrize("why", OPEN)
def test_a_number_that_can_be_worked_out_raises_no_doubt(why: str) -> None:
    claim, source = (ReadText(text) for text in OPEN[why])
    assert [doubt.reason for doubt in observe(claim, [source]).of("doubt") if doubt.cause == "number"] == []


def test_a_number_that_nothing_answers_to_raises_a_doubt() -> None:
    claim = ReadText("The museum sold 48,000 prints.")
    source = ReadText("The museum sold prints of the harbour and of the old lighthouse.")
    reasons = [doubt.reason for doubt in observe(claim, [source]).of("doubt")]
    assert reasons == ["nothing in the source answers to 48,000"]


def test_reckoning_with_many_numbers_stays_bounded() -> None:
    passage = ReadText(" ".join(f"{number * number + 7} crates," for number in range(1, 4000)))
    assert not can_be_reckoned(ReadText("777777777777 crates").quantities[0], [passage])
