# ruff: noqa: E501 - a sentence and its marker are easier to compare on one line
"""The questions of the sample dataset, what is true, and what two systems said.

`{ferry_timetable|takes 35 minutes}` in an answer becomes a marker with the offsets of the quoted words, and
`{ferry_timetable|takes 35 minutes|+40}` one that points forty characters too far. `gold` holds what should be
cited as (document, quoted words); `other` holds sets that would be just as right.
"""

from __future__ import annotations

from typing import Any

QUESTIONS: list[dict[str, Any]] = []


def ask(kind: str, difficulty: str, text: str, truth: str, a: str | None, b: str, **more: Any) -> None:
    QUESTIONS.append(
        {"query_type": kind, "difficulty": difficulty, "text": text, "truth": truth, "a": a, "b": b, **more}
    )


ask(
    "factual",
    "easy",
    "How many cars does the Linnet carry?",
    "The Linnet carries 48 cars.",
    "The Linnet carries 84 cars {ferry_timetable|The Linnet was built in 2009 and carries 48 cars}.",
    "The Linnet carries 48 cars {ferry_timetable|The Linnet was built in 2009 and carries 48 cars}.",
    gold=[("ferry_timetable", "The Linnet was built in 2009 and carries 48 cars")],
)
ask(
    "factual",
    "easy",
    "How long does the crossing to Senn take?",
    "The crossing takes 35 minutes in calm weather.",
    "The crossing takes 35 minutes in calm weather {ferry_timetable|takes 35 minutes|+60}.",
    "The crossing takes 35 minutes in calm weather {ferry_timetable|The crossing takes 35 minutes in calm weather}.",
    gold=[("ferry_timetable", "The crossing takes 35 minutes in calm weather")],
)
ask(
    "factual",
    "easy",
    "What does a cubic metre of water cost?",
    "A cubic metre costs 2.15 crowns, plus 1.90 crowns for the sewer.",
    "A cubic metre costs 2.15 crowns, plus 1.90 crowns for the sewer.",
    "A cubic metre costs 2.15 crowns, and the sewer adds 1.90 crowns "
    "{waterworks|A cubic metre costs 2.15 crowns, and 1.90 crowns more for the sewer}.",
    gold=[("waterworks", "A cubic metre costs 2.15 crowns, and 1.90 crowns more for the sewer")],
)
ask(
    "factual",
    "medium",
    "Who built the salt works and when did it open?",
    "The Ostrel family opened the salt works in 1712.",
    "The Calloway family opened the salt works in 1712 {town_history|the Ostrel family opened a salt works}.",
    "The Ostrel family opened the salt works in 1712 "
    "{town_history|In 1712 the Ostrel family opened a salt works on the marsh east of the harbour}.",
    gold=[("town_history", "In 1712 the Ostrel family opened a salt works on the marsh east of the harbour")],
    relevant={"town_history": 2, "museum_guide": 1},
)
ask(
    "temporal",
    "easy",
    "When did Tarn Tidal begin to run?",
    "Tarn Tidal was switched on on 14 June 2018.",
    "Tarn Tidal was switched on in June 2018 {tidal_station|switched on by the regional minister on 14 June 2018}.",
    "Tarn Tidal was switched on by the regional minister on 14 June 2018 "
    "{tidal_station|It was switched on by the regional minister on 14 June 2018}.",
    gold=[("tidal_station", "It was switched on by the regional minister on 14 June 2018")],
)
ask(
    "comparative",
    "medium",
    "Which of the two ferries carries more passengers?",
    "The Linnet carries 300 passengers, the Dunlin 250, so the Linnet carries more.",
    "The Dunlin carries more passengers {ferry_timetable|carries 36 cars and 250 passengers}.",
    "The Linnet carries more: 300 passengers {ferry_timetable|carries 48 cars and 300 passengers} against 250 on the "
    "Dunlin {ferry_timetable|carries 36 cars and 250 passengers}.",
    gold=[
        ("ferry_timetable", "carries 48 cars and 300 passengers"),
        ("ferry_timetable", "carries 36 cars and 250 passengers"),
    ],
)
ask(
    "analytical",
    "hard",
    "Why did the output of Tarn Tidal fall in 2021?",
    "Turbine four stood still for eleven weeks while it was repaired after its gearbox failed.",
    "The output fell because of a dry summer {tidal_station|The fall in 2021 was caused by the repair of turbine four}.",
    "The output fell because turbine four stood still for eleven weeks after its gearbox failed "
    "{tidal_station|The fall in 2021 was caused by the repair of turbine four, which stood still for eleven weeks after its gearbox failed}.",
    gold=[
        (
            "tidal_station",
            "The fall in 2021 was caused by the repair of turbine four, which stood still for eleven weeks after its gearbox failed",
        )
    ],
)
ask(
    "factual",
    "easy",
    "How many items may a member of the library borrow?",
    "A member may borrow twelve items at a time.",
    "A member may borrow twelve items at a time {library_rules|A member may borrow twelve items at a time}.",
    "A member may borrow twelve items at a time {library_rules|A member may borrow twelve items at a time}.",
    gold=[("library_rules", "A member may borrow twelve items at a time")],
)
ask(
    "comparative",
    "medium",
    "Did more or fewer library items come back late after fines were given up?",
    "Fewer: the share that comes back late fell from 14 per cent to 11 per cent.",
    "More items come back late since fines were given up in 2019 {library_rules|it gave them up in 2019}.",
    "Fewer: the share of items that come back late has fallen from 14 per cent to 11 per cent "
    "{library_rules|the share of items that come back late has fallen from 14 per cent to 11 per cent since then}.",
    gold=[
        (
            "library_rules",
            "it gave them up in 2019, and the share of items that come back late has fallen from 14 per cent to 11 per cent since then",
        )
    ],
    other=[
        [
            (
                "library_rules",
                "the share of items that come back late has fallen from 14 per cent to 11 per cent since then",
            )
        ]
    ],
)
ask(
    "factual",
    "medium",
    "How fast may a boat go inside the breakwater?",
    "No vessel may go faster than 4 knots.",
    "Boats may go at 6 knots inside the breakwater [harbour_bylaws.md:1:120-180].",
    "At most 4 knots {harbour_rules|No vessel may go faster than 4 knots inside the breakwater}.",
    gold=[("harbour_rules", "No vessel may go faster than 4 knots inside the breakwater")],
)
ask(
    "temporal",
    "medium",
    "In which year was the sea wall finished?",
    "The sea wall was finished in 1937.",
    "The sea wall was finished in 1934 {town_history|which was built between 1934 and 1937}.",
    "The sea wall was finished in 1937 {town_history|the sea wall, which was built between 1934 and 1937}.",
    gold=[
        ("town_history", "the sea wall, which was built between 1934 and 1937 and has never been overtopped")
    ],
)
ask(
    "analytical",
    "hard",
    "What share of the new bridge's cost does the town pay itself, and how much is that?",
    "The town pays 25 per cent of 14.8 million crowns, which is 3.7 million crowns.",
    "The town pays 40 per cent of the cost {bridge_project|The state pays 60 per cent}.",
    "The bridge is to cost 14.8 million crowns {bridge_project|The bridge is to cost 14.8 million crowns}. The state pays 60 per "
    "cent, the county 15 per cent and the town the rest "
    "{bridge_project|The state pays 60 per cent, the county 15 per cent and the town the rest}.",
    gold=[
        ("bridge_project", "The bridge is to cost 14.8 million crowns"),
        ("bridge_project", "The state pays 60 per cent, the county 15 per cent and the town the rest"),
    ],
    other=[
        [
            (
                "bridge_project",
                "The bridge is to cost 14.8 million crowns. The state pays 60 per cent, the county 15 per cent and the town the rest",
            )
        ]
    ],
    relevant={"bridge_project": 3, "budget_2024": 1},
)
ask(
    "temporal",
    "easy",
    "When will the new Tarn bridge open?",
    "The new bridge will open in October 2025.",
    "The new bridge will open in June 2025 {bridge_project|the bridge will open in October 2025|-35}.",
    "The new bridge will open in October 2025 {bridge_project|the bridge will open in October 2025}.",
    gold=[("bridge_project", "the bridge will open in October 2025")],
)
ask(
    "factual",
    "easy",
    "What is the admission to the Salt Museum?",
    "Admission is 5 crowns, 3 crowns for students and pensioners; children under twelve enter free.",
    "Admission is 5 crowns [1]. Children under twelve enter free.",
    "Admission is 5 crowns, or 3 crowns for students and pensioners [1]. Children under twelve enter free [1].",
    gold=[
        (
            "museum_guide",
            "Admission is 5 crowns, or 3 crowns for students and pensioners; children under twelve enter free",
        )
    ],
    numbered=["museum_guide"],
)
ask(
    "comparative",
    "medium",
    "How did the number of visitors of the Salt Museum change from 2022 to 2023?",
    "It rose from 27,900 in 2022 to 31,200 in 2023.",
    "It rose from 9,400 to 31,200 visitors {museum_guide|There were 31,200 visitors in 2023}.",
    "It rose from 27,900 in 2022 to 31,200 in 2023 "
    "{museum_guide|There were 31,200 visitors in 2023, after 27,900 in 2022}.",
    gold=[("museum_guide", "There were 31,200 visitors in 2023, after 27,900 in 2022")],
)
ask(
    "factual",
    "medium",
    "How high is the chimney and how many steps does it have?",
    "The chimney is 47 metres high and has 212 steps.",
    "The chimney is 47 metres high and has 212 steps {museum_guide|It is 47 metres high and has 212 steps}.",
    "The chimney is 47 metres high and has 212 steps {museum_guide|It is 47 metres high and has 212 steps}.",
    gold=[("museum_guide", "It is 47 metres high and has 212 steps")],
    relevant={"museum_guide": 2, "town_history": 1},
)
ask(
    "temporal",
    "medium",
    "When does the last ferry leave Harrowmere in winter?",
    "From October to March the last boat leaves at 19:20.",
    "The last boat leaves at 21:40 {ferry_timetable|the last at 21:40}.",
    "In winter, from October to March, the last boat leaves at 19:20 "
    "{ferry_timetable|From October to March the first boat leaves at 07:00 and the last at 19:20}.",
    gold=[("ferry_timetable", "From October to March the first boat leaves at 07:00 and the last at 19:20")],
)
ask(
    "analytical",
    "hard",
    "Does the tidal station harm seals?",
    "No seal was found injured by a blade between 2018 and 2023, since sonar stops the blades when one comes near.",
    "Seals are often injured by the blades {tidal_station|A sonar in front of every turbine looks for seals}.",
    "Between 2018 and 2023 no seal was found injured by a blade "
    "{tidal_station|Between 2018 and 2023 no seal was found injured by a blade}. The blades are stopped when a seal comes within "
    "thirty metres {tidal_station|When a seal comes within thirty metres the blades are stopped}.",
    gold=[
        ("tidal_station", "When a seal comes within thirty metres the blades are stopped"),
        ("tidal_station", "Between 2018 and 2023 no seal was found injured by a blade"),
    ],
)
ask(
    "comparative",
    "hard",
    "Is a smaller share of the water lost to leaks now than in 2018?",
    "Yes: 17 per cent was lost in 2023 against 26 per cent in 2018.",
    "Yes, 17 per cent was lost in 2023 {waterworks|17 per cent was lost to leaks}. The council wants 12 per cent by 2030.",
    "Yes: 17 per cent was lost to leaks in 2023, against 26 per cent in 2018 "
    "{waterworks|Of all the water that left the works in 2023, 17 per cent was lost to leaks; in 2018 it was 26 per cent}.",
    gold=[
        (
            "waterworks",
            "Of all the water that left the works in 2023, 17 per cent was lost to leaks; in 2018 it was 26 per cent",
        )
    ],
)
ask(
    "factual",
    "easy",
    "On which days is the weekly market held?",
    "The weekly market is held every Wednesday and Saturday.",
    "The market is held on Wednesday and Sunday {market_guide|every Wednesday and Saturday}.",
    "The weekly market is held every Wednesday and Saturday "
    "{market_guide|The weekly market is held on Fish Square every Wednesday and Saturday}.",
    gold=[
        (
            "market_guide",
            "The weekly market is held on Fish Square every Wednesday and Saturday from seven to one",
        )
    ],
)
ask(
    "temporal",
    "hard",
    "How many years after the railway came was the pier finished?",
    "Two years: the railway came in 1874 and the pier was finished in 1876.",
    "The pier was finished in 1876.",
    "The railway reached Harrowmere in 1874 {town_history|The railway reached Harrowmere in 1874}, and the pier was finished two "
    "years later, in 1876 {town_history|The pier was finished two years later, in 1876}.",
    gold=[
        ("town_history", "The railway reached Harrowmere in 1874"),
        ("town_history", "The pier was finished two years later, in 1876"),
    ],
)
ask(
    "factual",
    "medium",
    "How much does the town spend on schools and child care in 2024?",
    "Schools and child care take 15.3 million crowns.",
    "Schools and child care take 13.5 million crowns {budget_2024|Schools and child care take 15.3 million crowns}.",
    "Schools and child care take 15.3 million crowns, the largest share "
    "{budget_2024|Schools and child care take 15.3 million crowns, the largest share}.",
    gold=[("budget_2024", "Schools and child care take 15.3 million crowns")],
)
ask(
    "comparative",
    "hard",
    "Is the town's debt planned to rise or to fall until 2025?",
    "To rise: from 22.5 million crowns at the end of 2023 to 25 million by the end of 2025.",
    "The debt is planned to fall {budget_2024|to fall again from 2026 on}.",
    "To rise: the town owed 22.5 million crowns at the end of 2023 "
    "{budget_2024|At the end of 2023 the town owed 22.5 million crowns}, and the debt is planned to grow to 25 million by the end of 2025 "
    "{budget_2024|The debt is planned to grow to 25 million by the end of 2025}.",
    gold=[
        ("budget_2024", "At the end of 2023 the town owed 22.5 million crowns"),
        ("budget_2024", "The debt is planned to grow to 25 million by the end of 2025"),
    ],
)
ask(
    "factual",
    "easy",
    "How many pupils did the schools have in 2022/23?",
    "The schools had 2,184 pupils.",
    "The schools had 2,184 pupils {school_report|Together they had 2,184 pupils}.",
    "The schools had 2,184 pupils in the school year 2022/23 "
    "{school_report|Together they had 2,184 pupils in the school year 2022/23}.",
    gold=[("school_report", "Together they had 2,184 pupils in the school year 2022/23")],
)
ask(
    "comparative",
    "medium",
    "Did more pupils gain a certificate in 2023 than in 2022?",
    "Yes: 91 per cent in 2023 after 89 per cent in 2022.",
    "No, 46 per cent gained a certificate {school_report|46 per cent the right to go to a university}.",
    "Yes: 91 per cent gained a certificate in 2023 {school_report|91 per cent gained a certificate}, after 89 per cent in 2022 "
    "{school_report|The figures of 2022 were 89 and 47 per cent}.",
    gold=[
        ("school_report", "91 per cent gained a certificate"),
        ("school_report", "The figures of 2022 were 89 and 47 per cent"),
    ],
)
ask(
    "analytical",
    "medium",
    "Why is the deck of the new bridge higher than that of the old one?",
    "So that the rescue boat can pass at any tide.",
    "So that large ships can pass {bridge_project|two metres higher than that of the old bridge}.",
    "The deck is two metres higher than that of the old bridge so that the rescue boat can pass at any tide "
    "{bridge_project|two metres higher than that of the old bridge, so that the rescue boat can pass at any tide}.",
    gold=[
        (
            "bridge_project",
            "two metres higher than that of the old bridge, so that the rescue boat can pass at any tide",
        )
    ],
)
ask(
    "analytical",
    "medium",
    "Why is no music played at the winter fair in the late evening?",
    "Because of the neighbours, whom the council heard in 2017.",
    "Music ends early because of a fire in 2017 {market_guide|No music is played after nine in the evening}.",
    "No music is played after nine in the evening, since the council heard the neighbours in 2017 "
    "{market_guide|No music is played after nine in the evening, since the council heard the neighbours in 2017}.",
    gold=[
        (
            "market_guide",
            "No music is played after nine in the evening, since the council heard the neighbours in 2017",
        )
    ],
)
ask(
    "analytical",
    "hard",
    "What explains the rise in the cost of the new bridge?",
    "The price of steel.",
    None,
    "The estimate of 2021 had named 11.9 million crowns, and the rise is explained by the price of steel "
    "{bridge_project|An estimate of 2021 had named 11.9 million crowns; the rise is explained by the price of steel}.",
    gold=[
        (
            "bridge_project",
            "An estimate of 2021 had named 11.9 million crowns; the rise is explained by the price of steel",
        )
    ],
    other=[[("bridge_project", "the rise is explained by the price of steel")]],
)
ask(
    "factual",
    "medium",
    "How many members does the cooperative have, and what does a share cost?",
    "The cooperative has 2,310 members and a share costs 250 crowns.",
    "The cooperative has 2,310 members {tidal_station|which has 2,310 members}. A share costs 520 crowns "
    "{tidal_station|Each share costs 250 crowns}.",
    "The cooperative has 2,310 members {tidal_station|the cooperative Tarn Tidal, which has 2,310 members}. Each share costs 250 "
    "crowns {tidal_station|Each share costs 250 crowns}.",
    gold=[
        ("tidal_station", "the cooperative Tarn Tidal, which has 2,310 members"),
        ("tidal_station", "Each share costs 250 crowns"),
    ],
)
ask(
    "temporal",
    "medium",
    "Since when are disposable plates forbidden at the markets?",
    "Disposable plates and cups are forbidden since 2020.",
    "They are forbidden since 2020 [market_rules.pdf:2:10-80].",
    "Disposable plates and cups are forbidden since 2020 {market_guide|Disposable plates and cups are forbidden since 2020}.",
    gold=[("market_guide", "Disposable plates and cups are forbidden since 2020")],
)
ask(
    "factual",
    "medium",
    "What is the fine for pumping out a toilet tank into the harbour?",
    "It is fined with 600 crowns.",
    "The fine is 600 crowns, and the boat is barred for a year "
    "{harbour_rules|Pumping out a toilet tank into the harbour is fined with 600 crowns}.",
    "The fine is 600 crowns {harbour_rules|Pumping out a toilet tank into the harbour is fined with 600 crowns}.",
    gold=[("harbour_rules", "Pumping out a toilet tank into the harbour is fined with 600 crowns")],
)
ask(
    "comparative",
    "hard",
    "Were more salmon counted in 2023 than before the station opened?",
    "Yes: 1,910 in 2023 against 1,840 in 2017.",
    "Fewer salmon were counted in 2023 {tidal_station|The river trust counts salmon at the weir above the town}.",
    "Yes: 1,840 salmon were counted in 2017, the year before the station opened, and 1,910 in 2023 "
    "{tidal_station|1,840 were counted in 2017, the year before the station opened, and 1,910 in 2023}.",
    gold=[
        ("tidal_station", "1,840 were counted in 2017, the year before the station opened, and 1,910 in 2023")
    ],
)
ask(
    "analytical",
    "medium",
    "May somebody from Pellick join the library without paying?",
    "The rules give free membership to residents of Harrowmere and to children under sixteen; other adults pay 15 crowns a year.",
    "Everybody from Pellick may join the library free of charge {library_rules|is open to everybody}.",
    "Membership is free for residents of Harrowmere and for children under sixteen wherever they live "
    "{library_rules|Membership is free for residents of Harrowmere and for children under sixteen wherever they live}. Other adults "
    "pay 15 crowns a year {library_rules|Other adults pay 15 crowns a year}.",
    gold=[
        (
            "library_rules",
            "Membership is free for residents of Harrowmere and for children under sixteen wherever they live",
        ),
        ("library_rules", "Other adults pay 15 crowns a year"),
    ],
)
ask(
    "analytical",
    "hard",
    "Which two documents tell when the loan for the school hall ends, and what follows for the debt?",
    "The school report and the budget say that the loan is paid off in 2026; from then on the debt falls.",
    "The loan ends in 2024 {school_report|The hall of the secondary school was opened in 2014}.",
    "The school report says that the loan is paid off in 2026 {school_report|Its loan is paid off in 2026}. The budget says that "
    "the debt is to fall again from 2026 on {budget_2024|to fall again from 2026 on, when the loan for the school hall is paid off}.",
    gold=[
        ("school_report", "Its loan is paid off in 2026"),
        ("budget_2024", "to fall again from 2026 on, when the loan for the school hall is paid off"),
    ],
)
ask(
    "temporal",
    "easy",
    "In which years did the herring days begin and the fleet land a record catch?",
    "Both in 1894.",
    "The herring days go back to 1984 {market_guide|They go back to 1894}.",
    "The herring days go back to 1894, when the fleet landed a record catch "
    "{market_guide|They go back to 1894, when the fleet landed a record catch}.",
    gold=[("market_guide", "They go back to 1894, when the fleet landed a record catch")],
)
# Nothing in the documents answers these, so nothing should be cited.
ask(
    "factual",
    "medium",
    "Who is the present mayor of Harrowmere?",
    "The documents do not say who is mayor today.",
    "The present mayor is Edith Calloway {town_history|Edith Calloway herself was elected in 1931}.",
    "The documents do not say who the present mayor is.",
    gold=[],
    relevant=[],
)
ask(
    "temporal",
    "medium",
    "When will the library open a branch on Senn?",
    "The documents name no branch on Senn.",
    "A branch on Senn will open in 2026 {library_rules|opened its doors in 1958}.",
    "The documents do not mention a branch on Senn.",
    gold=[],
    relevant=[],
)
# What should be cited is not known for these: only the documents and the answer are.
ask(
    "comparative",
    "easy",
    "Is the standing charge for water higher than the price of a lost library item can be?",
    "Yes: the standing charge is 48 crowns, a lost item costs at most 40 crowns.",
    "No, a lost item costs more {library_rules|A lost item is charged at its price}.",
    "Yes: the yearly standing charge is 48 crowns {waterworks|The yearly standing charge is 48 crowns}, and a lost item is never "
    "charged at more than 40 crowns {library_rules|never at more than 40 crowns}.",
    relevant=["waterworks", "library_rules"],
)
ask(
    "temporal",
    "hard",
    "Which buildings of the town were opened between 1955 and 1980?",
    "The Calloway Library in 1958 and the Salt Museum in 1975.",
    "The library opened in 1958 {library_rules|opened its doors in 1958}. The swimming bath opened in 1964.",
    "The Calloway Library opened its doors in 1958 {library_rules|opened its doors in 1958}, and the Salt Museum opened in 1975 "
    "{museum_guide|opened as a museum in 1975}.",
    relevant=["library_rules", "museum_guide"],
)
ask(
    "analytical",
    "easy",
    "What should a visitor with a bicycle know before taking the ferry?",
    "Bicycles travel free of charge, but at most twenty fit on one crossing.",
    "Bicycles cost 2 crowns {ferry_timetable|Bicycles are carried free of charge}.",
    "Bicycles are carried free of charge, but at most twenty on one crossing "
    "{ferry_timetable|Bicycles are carried free of charge, but at most twenty on one crossing}.",
    relevant=["ferry_timetable"],
)
