"""Pairs with a planted fault, each beside a control that the same source supports.

A row is (source, a claim that the source supports, the same claim with the fault planted).
"""

from __future__ import annotations

from planted_closely import READ_CLOSELY

PLANTED: dict[str, list[tuple[str, str, str]]] = {
    "number": [
        (
            "The bridge carries 4,200 vehicles a day.",
            "The bridge carries 4,200 vehicles a day.",
            "The bridge carries 2,400 vehicles a day.",
        ),
        (
            "Unemployment in the region stood at 21% last spring.",
            "Unemployment in the region stood at 21%.",
            "Unemployment in the region stood at 12%.",
        ),
        (
            "The orchestra employs 86 musicians and 14 technicians.",
            "The orchestra employs 86 musicians.",
            "The orchestra employs 68 musicians.",
        ),
        (
            "The orchestra employs 86 musicians and 14 technicians.",
            "The orchestra employs 14 technicians.",
            "The orchestra employs 41 technicians.",
        ),
        (
            "Revenue for the quarter was $10.4 million, up from $9.1 million.",
            "Revenue for the quarter was $10.4 million.",
            "Revenue for the quarter was $14.0 million.",
        ),
        (
            "The library holds 310,000 volumes in nine languages.",
            "The library holds 310,000 volumes.",
            "The library holds 130,000 volumes.",
        ),
        (
            "The survey reached 1,250 households in three provinces.",
            "The survey reached 1,250 households.",
            "The survey reached 1,520 households.",
        ),
        (
            "The reactor produces 950 MW of electricity.",
            "The reactor produces 950 MW of electricity.",
            "The reactor produces 590 MW of electricity.",
        ),
    ],
    "unit": [
        ("The trail is 12 km long.", "The trail is 12 km long.", "The trail is 12 miles long."),
        ("The package weighs 5 kg.", "The package weighs 5 kg.", "The package weighs 5 pounds."),
        (
            "The grant amounted to €3 million.",
            "The grant amounted to €3 million.",
            "The grant amounted to $3 million.",
        ),
        ("Treatment lasts 6 weeks.", "Treatment lasts 6 weeks.", "Treatment lasts 6 months."),
        ("The warranty covers 24 months.", "The warranty covers 24 months.", "The warranty covers 24 years."),
        (
            "The fund manages $4 billion of assets.",
            "The fund manages $4 billion of assets.",
            "The fund manages $4 million of assets.",
        ),
        ("The furnace runs at 900 °C.", "The furnace runs at 900 °C.", "The furnace runs at 900 °F."),
        (
            "The file takes 700 MB on disk.",
            "The file takes 700 MB on disk.",
            "The file takes 700 GB on disk.",
        ),
    ],
    "date": [
        (
            "The treaty was signed on 4 May 1989.",
            "The treaty was signed on 4 May 1989.",
            "The treaty was signed on 5 May 1989.",
        ),
        ("The museum opened in 1963.", "The museum opened in 1963.", "The museum opened in 1936."),
        (
            "The museum opened on March 3, 1963.",
            "The museum opened in March 1963.",
            "The museum opened in April 1963.",
        ),
        (
            "The company was founded in 2004 and listed in 2011.",
            "The company was founded in 2004.",
            "The company was founded in 2007.",
        ),
        (
            "The strike began on 2021-09-14.",
            "The strike began on September 14, 2021.",
            "The strike began on October 14, 2021.",
        ),
        (
            "The church dates from the 14th century.",
            "The church dates from the 14th century.",
            "The church dates from the 12th century.",
        ),
        (
            "Sales peaked in Q3 2022.",
            "Sales peaked in the third quarter of 2022.",
            "Sales peaked in Q1 2022.",
        ),
        (
            "The festival ran from 2 to 9 July 2017.",
            "The festival ran in July 2017.",
            "The festival ran in August 2017.",
        ),
    ],
    "negation": [
        (
            "The committee approved the budget.",
            "The committee approved the budget.",
            "The committee did not approve the budget.",
        ),
        (
            "The vaccine does not contain live virus.",
            "The vaccine does not contain live virus.",
            "The vaccine contains live virus.",
        ),
        (
            "The drug was effective in adults.",
            "The drug was effective in adults.",
            "The drug was not effective in adults.",
        ),
        (
            "The minister never visited the site.",
            "The minister never visited the site.",
            "The minister visited the site.",
        ),
        (
            "The contract includes a penalty clause.",
            "The contract includes a penalty clause.",
            "The contract doesn't include a penalty clause.",
        ),
        (
            "Passengers cannot bring liquids on board.",
            "Passengers cannot bring liquids on board.",
            "Passengers can bring liquids on board.",
        ),
        (
            "The tower was damaged by the storm.",
            "The tower was damaged by the storm.",
            "The tower was not damaged by the storm.",
        ),
        (
            "The software does not collect personal data.",
            "The software does not collect personal data.",
            "The software collects personal data.",
        ),
    ],
    "antonym": [
        (
            "The board rejected the merger.",
            "The board rejected the merger.",
            "The board approved the merger.",
        ),
        (
            "The new rule allows street vendors.",
            "The new rule allows street vendors.",
            "The new rule bans street vendors.",
        ),
        (
            "The trial was a success for the hospital.",
            "The trial was a success for the hospital.",
            "The trial was a failure for the hospital.",
        ),
        (
            "Membership is optional for students.",
            "Membership is optional for students.",
            "Membership is mandatory for students.",
        ),
        (
            "The court found the driver guilty.",
            "The court found the driver guilty.",
            "The court found the driver innocent.",
        ),
        ("The union supports the reform.", "The union supports the reform.", "The union opposes the reform."),
        ("The report is public.", "The report is public.", "The report is private."),
    ],
    "quantifier": [
        (
            "Some patients reported headaches.",
            "Some patients reported headaches.",
            "All patients reported headaches.",
        ),
        (
            "Most members voted for the plan.",
            "Most members voted for the plan.",
            "All members voted for the plan.",
        ),
        ("Few schools offer the course.", "Few schools offer the course.", "Most schools offer the course."),
        ("All rooms have a window.", "All rooms have a window.", "No rooms have a window."),
        (
            "Some rivers in the region are polluted.",
            "Some rivers in the region are polluted.",
            "Most rivers in the region are polluted.",
        ),
        ("No employees were injured.", "No employees were injured.", "Some employees were injured."),
        ("The train is sometimes late.", "The train is sometimes late.", "The train is always late."),
    ],
    "entity": [
        (
            "The summit was held in Lisbon.",
            "The summit was held in Lisbon.",
            "The summit was held in Madrid.",
        ),
        (
            "The novel was written by Clara Denholm.",
            "The novel was written by Clara Denholm.",
            "The novel was written by Peter Marsh.",
        ),
        (
            "Northwind bought the start-up in a cash deal.",
            "Northwind bought the start-up.",
            "Southgate bought the start-up.",
        ),
        (
            "The vaccine was developed by Oxalis in Denmark.",
            "The vaccine was developed by Oxalis.",
            "The vaccine was developed by Brenntag.",
        ),
        (
            "Ines Moreau directed the documentary.",
            "Ines Moreau directed the documentary.",
            "Paul Girard directed the documentary.",
        ),
        (
            "The river flows into Lake Orvand.",
            "The river flows into Lake Orvand.",
            "The river flows into Lake Pelisse.",
        ),
        (
            "The prize went to Hannah Okafor of Nigeria.",
            "The prize went to Hannah Okafor.",
            "The prize went to Dmitri Volkov.",
        ),
    ],
    "direction": [
        (
            "Exports increased sharply in spring.",
            "Exports increased sharply in spring.",
            "Exports decreased sharply in spring.",
        ),
        ("Rents fell across the city.", "Rents fell across the city.", "Rents rose across the city."),
        (
            "Arlen defeated Boscombe in the final.",
            "Arlen defeated Boscombe in the final.",
            "Boscombe defeated Arlen in the final.",
        ),
        (
            "Vantor acquired Limetree last year.",
            "Limetree was acquired by Vantor last year.",
            "Limetree acquired Vantor last year.",
        ),
        (
            "Profit margins improved during the year.",
            "Profit margins improved during the year.",
            "Profit margins worsened during the year.",
        ),
        (
            "Krell sued Dunmore over the patent.",
            "Krell sued Dunmore over the patent.",
            "Dunmore sued Krell over the patent.",
        ),
        (
            "The population of the island is growing.",
            "The population of the island is growing.",
            "The population of the island is shrinking.",
        ),
    ],
    "paraphrased number": [
        (
            "The prize is worth $2,500,000.",
            "The prize is worth $2.5 million.",
            "The prize is worth $2.5 billion.",
        ),
        ("The choir has 12 singers.", "The choir has a dozen singers.", "The choir has two dozen singers."),
        (
            "Two thirds of the delegates voted yes.",
            "Two-thirds of the delegates voted yes.",
            "Three quarters of the delegates voted yes.",
        ),
        ("The town has 21 schools.", "The town has twenty-one schools.", "The town has twelve schools."),
        ("The lease runs for 24 months.", "The lease runs for two years.", "The lease runs for three years."),
        (
            "Half of the samples were clean.",
            "50% of the samples were clean.",
            "15% of the samples were clean.",
        ),
        ("The tunnel is 3,000 metres long.", "The tunnel is 3 km long.", "The tunnel is 30 km long."),
    ],
    "rounding": [
        (
            "The stadium seats 84,115 people.",
            "The stadium seats about 84,000 people.",
            "The stadium seats about 94,000 people.",
        ),
        (
            "The company earned $10.2 million.",
            "The company earned $10 million.",
            "The company earned $12 million.",
        ),
        ("Turnout was 61.8%.", "Turnout was 62%.", "Turnout was 68%."),
        (
            "The island covers 1,987 hectares.",
            "The island covers roughly 2,000 hectares.",
            "The island covers roughly 3,000 hectares.",
        ),
        (
            "The city has 2,481,300 residents.",
            "The city has about 2.5 million residents.",
            "The city has about 2.9 million residents.",
        ),
        (
            "Growth was 3.74% over the year.",
            "Growth was 3.7% over the year.",
            "Growth was 4.7% over the year.",
        ),
        (
            "The flight takes 118 minutes.",
            "The flight takes almost two hours.",
            "The flight takes almost three hours.",
        ),
    ],
    "interval": [
        (
            "The concert drew 84,115 fans.",
            "The concert drew over 70,000 fans.",
            "The concert drew over 90,000 fans.",
        ),
        (
            "The hotel has 140 rooms.",
            "The hotel has at least 100 rooms.",
            "The hotel has at least 200 rooms.",
        ),
        ("The factory closed in 2009.", "The factory closed before 2014.", "The factory closed after 2014."),
        (
            "The recipe needs 7 eggs.",
            "The recipe needs between 5 and 10 eggs.",
            "The recipe needs between 10 and 15 eggs.",
        ),
        ("The fine was $450.", "The fine was under $500.", "The fine was under $400."),
        (
            "The fund lost 18% of its value.",
            "The fund lost less than 20% of its value.",
            "The fund lost more than 20% of its value.",
        ),
        (
            "The author was born in 1947.",
            "The author was born in the 1940s.",
            "The author was born in the 1950s.",
        ),
        (
            "The bus carries 52 passengers.",
            "The bus carries up to 60 passengers.",
            "The bus carries up to 40 passengers.",
        ),
    ],
} | READ_CLOSELY

LEFT_TO_THE_MODEL = frozenset(
    {"antonym", "entity", "direction", "direction in numbers", "office", "name with a shared word"}
)
"""Kinds that the rules do not look for: names, opposites, and who did what to whom."""
