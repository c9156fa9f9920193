"""Planted faults in claims all of whose words may stand in the source: periods, directions, roles, names.

A row is (source, a claim that the source supports, the same claim with the fault planted).
"""

from __future__ import annotations

READ_CLOSELY: dict[str, list[tuple[str, str, str]]] = {
    "rate": [
        ("It costs $49 per month.", "It costs $49 a month.", "It costs $49 per year."),
        ("The licence is $90 a year.", "The licence is $90 annually.", "The licence is $90 monthly."),
        (
            "The mill makes 50 tonnes a day.",
            "The mill makes 50 tonnes daily.",
            "The mill makes 50 tonnes a week.",
        ),
        ("Guides earn $20/hour.", "Guides earn $20 per hour.", "Guides earn $20 per day."),
        (
            "Rent is $700 per month, $60 more than a year earlier.",
            "Rent is $700 each month.",
            "Rent is $700 every week.",
        ),
        (
            "The plan costs $5 per month or $50 per year.",
            "The plan costs $50 per year.",
            "The plan costs $5 per year.",
        ),
    ],
    "direction in numbers": [
        (
            "In 2023 revenue was $45.2 million, up from $39.8 million.",
            "Revenue rose in 2023.",
            "Revenue fell in 2023.",
        ),
        ("Rents were $900, down from $1,000.", "Rents fell.", "Rents rose."),
        ("The herd went from 10 cows to 5 cows.", "The herd of cows halved.", "The herd of cows increased."),
        ("Sales rose from 5 million to 10 million.", "Sales doubled.", "Sales tripled."),
        ("Output went from 20 tonnes to 60 tonnes.", "Output tripled.", "Output decreased."),
        ("Debt was $30 million, up from $20 million.", "Debt was $30 million.", "Debt doubled."),
        (
            "Revenue was $45 million, up from $39 million, while costs fell.",
            "Costs declined.",
            "Revenue was $39 million, down from $45 million.",
        ),
    ],
    "office": [
        ("The CEO is John Smith; the CFO is Mary Jones.", "Mary Jones is the CFO.", "John Smith is the CFO."),
        ("Orsk's treasurer is Ida Holm.", "Ida Holm is the treasurer.", "Ivo Lind is the treasurer."),
        (
            "Ada Berg is the chief financial officer and Ola Dahl is the chief executive.",
            "Ola Dahl is the CEO.",
            "Ada Berg is the CEO.",
        ),
        (
            "The firm was founded by Jane Doe. John Smith joined in 2001.",
            "The firm was founded by Jane Doe.",
            "The firm was founded by John Smith.",
        ),
        (
            "The hall was designed by Ana Ruiz. Karl Voss led the works.",
            "The hall was designed by Ana Ruiz.",
            "The hall was designed by Karl Voss.",
        ),
        (
            "The bridge was built by Orsk and Varde. Holm paid for it.",
            "The bridge was built by Varde.",
            "The bridge was built by Holm.",
        ),
    ],
    "name with a shared word": [
        (
            "60% of the herring live in the North Sea.",
            "60% of the herring live in the North Sea.",
            "60% of the herring live in the Baltic Sea.",
        ),
        ("The bank is on Wall Street.", "The bank is in Wall Street.", "The bank is on Bay Street."),
        (
            "The ferry crosses Lake Orvand.",
            "The ferry crosses Lake Orvand.",
            "The ferry crosses Lake Pelisse.",
        ),
        (
            "The fair was held in West Berg.",
            "The fair was held in West Berg.",
            "The fair was held in Sankt Berg.",
        ),
        (
            "Deals were signed by President Lind.",
            "Deals were signed by Ivo Lind.",
            "Deals were signed by Ada Holm.",
        ),
        ("The trail ends at Orla Falls.", "The trail ends at Orla Falls.", "The trail ends at Varde Falls."),
    ],
    "negation about a stand-in": [
        (
            "The company does not operate in Asia.",
            "Acme does not operate in Asia.",
            "Acme does operate in Asia.",
        ),
        (
            "The firm did not publish the audit.",
            "The firm did not publish the audit.",
            "Orsk published the audit.",
        ),
        ("They never visited the plant.", "The plant was never visited.", "Varde visited the plant."),
        ("It does not sell used cars.", "It does not sell used cars.", "Globex sells used cars."),
        (
            "The bank has no branches in Peru.",
            "The bank has no branches in Peru.",
            "Orsk has branches in Peru.",
        ),
        ("He did not sign the treaty.", "Adler did not sign the treaty.", "Adler signed the treaty."),
    ],
}
