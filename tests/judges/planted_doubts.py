"""Claims whose words nearly all stand in the source, and which it does not support all the same.

A row is (source, a claim that the source supports, a claim that it must not be said to support).
"""

from __future__ import annotations

DOUBTFUL: dict[str, list[tuple[str, str, str]]] = {
    "a number that nothing answers to": [
        (
            "The company reported $10M in Q1 revenue.",
            "The company reported $10M in Q1 revenue.",
            "The company reported $10M in Q1 revenue, up 5%.",
        ),
        (
            "Sales of the brand rose 12%.",
            "Sales of the brand rose 12%.",
            "Sales of the brand rose 12% in 2023.",
        ),
        (
            "The plant employs 300 people.",
            "The plant employs 300 people.",
            "The plant employs 300 people on 40 hectares.",
        ),
        (
            "The tower was finished in 1931.",
            "The tower was finished in 1931.",
            "The tower, 381 m high, was finished in 1931.",
        ),
        ("The choir sang in Vienna.", "The choir sang in Vienna.", "The choir of 24 sang in Vienna."),
        (
            "The new line cut travel time.",
            "The new line cut travel time.",
            "The new line cut travel time by 30%.",
        ),
        (
            "The dam was built by Orsk Group.",
            "The dam was built by Orsk Group.",
            "The dam was built by Orsk Group in 1974.",
        ),
        (
            "The trial enrolled 212 patients.",
            "The trial enrolled 212 patients.",
            "The trial enrolled 212 patients for $3 million.",
        ),
    ],
    "intervals that overlap": [
        ("Over 70,000 people attended.", "More than 60,000 people attended.", "72,000 people attended."),
        (
            "More than 70,000 people attended.",
            "More than 70,000 people attended.",
            "More than 80,000 people attended.",
        ),
        (
            "The mine produced at least 40 tonnes.",
            "The mine produced more than 30 tonnes.",
            "The mine produced at least 50 tonnes.",
        ),
        ("The fine was up to $500.", "The fine was under $600.", "The fine was $450."),
        ("The fund lost less than 20%.", "The fund lost less than 25%.", "The fund lost less than 10%."),
        (
            "The castle was built before 1450.",
            "The castle was built before 1500.",
            "The castle was built in 1420.",
        ),
        (
            "The author was born in 1947.",
            "The author was born in 1947.",
            "The author was born on 3 May 1947.",
        ),
        ("Between 5 and 10 ships sank.", "At least 5 ships sank.", "7 ships sank."),
    ],
    "another subject": [
        (
            "The final was won by Roger Federer.",
            "Roger Federer won the final.",
            "Rafael Nadal won the final.",
        ),
        (
            "The airport of Munich served 20 million passengers.",
            "Munich's airport served 20 million passengers.",
            "Berlin's airport served 20 million passengers.",
        ),
        (
            "The 2012 Games were hosted by London.",
            "London hosted the 2012 Games.",
            "Paris hosted the 2012 Games.",
        ),
        (
            "London hosted the 2012 Games.",
            "The 2012 Games were hosted by London.",
            "The 2012 Games were hosted by Paris.",
        ),
        ("Mbarra scored twice.", "Mbarra scored twice.", "Lessing scored twice."),
        (
            "The population of Oslo is 709,000.",
            "The population of Oslo is 709,000.",
            "The population of Bergen is 709,000.",
        ),
        (
            "The population of Oslo is 709,000.",
            "Oslo has a population of 709,000.",
            "Bergen has a population of 709,000.",
        ),
        (
            "Oslo's population is 709,000.",
            "The population of Oslo is 709,000.",
            "The population of Bergen is 709,000.",
        ),
        (
            "The bridge was designed by Ana Reyes.",
            "Ana Reyes designed the bridge.",
            "Jon Falk designed the bridge.",
        ),
        (
            "Vantor acquired the patents last year.",
            "Vantor acquired the patents last year.",
            "Limetree acquired the patents last year.",
        ),
        ("Revenue grew 8% last year.", "Revenue grew 8% last year.", "Profit grew 8% last year."),
    ],
    "another noun beside the number": [
        (
            "The company reported $10M in Q1 revenue.",
            "The company reported $10M in Q1 revenue.",
            "The company reported $10M in Q1 profit.",
        ),
        (
            "The company reported $10M in Q1 profit.",
            "The company reported $10M in Q1 profit.",
            "The company reported $10M in Q1 revenue.",
        ),
        (
            "The drug reduced nausea in 40% of patients.",
            "The drug reduced nausea in 40% of patients.",
            "The drug reduced headaches in 40% of patients.",
        ),
        ("The zoo keeps 45 zebras.", "The zoo keeps 45 zebras.", "The zoo keeps 45 giraffes."),
        (
            "The firm's revenue was $7 million.",
            "The firm's revenue was $7 million.",
            "The firm's profit was $7 million.",
        ),
        (
            "The harbour handles 3 million tonnes of grain.",
            "The harbour handles 3 million tonnes of grain.",
            "The harbour handles 3 million tonnes of coal.",
        ),
        ("The school trained 60 nurses.", "The school trained 60 nurses.", "The school trained 60 dentists."),
        (
            "The trial cut admissions by 30%.",
            "The trial cut admissions by 30%.",
            "The trial cut mortality by 30%.",
        ),
        (
            "Acme's barley exports rose 12%.",
            "Acme's barley exports rose 12%.",
            "Acme's wheat exports rose 12%.",
        ),
        (
            "Exports were $4 billion last year.",
            "Exports were $4 billion last year.",
            "Imports were $4 billion last year.",
        ),
    ],
    "more digits than the source has": [
        ("Profit was 3.7%.", "Profit was 3.7%.", "Profit was 3.75%."),
        ("The lake covers 12 km².", "The lake covers 12 km².", "The lake covers 12.3 km²."),
        ("The loan was $2 million.", "The loan was $2 million.", "The loan was $2.2 million."),
        ("Turnout was 62%.", "Turnout was 62%.", "Turnout was 61.8%."),
        (
            "The city has 84,000 residents.",
            "The city has 84,000 residents.",
            "The city has 84,115 residents.",
        ),
        ("The flight took 2 hours.", "The flight took 2 hours.", "The flight took 2.25 hours."),
    ],
    "shares in words": [
        (
            "67% of users pay for it.",
            "Two thirds of users pay for it.",
            "Three quarters of users pay for it.",
        ),
        ("Two thirds of users pay for it.", "67% of users pay for it.", "76% of users pay for it."),
        (
            "33% of the trees are oaks.",
            "One in three of the trees are oaks.",
            "One in five of the trees are oaks.",
        ),
        ("A quarter of the land is forest.", "25% of the land is forest.", "52% of the land is forest."),
        ("50.4% of voters agreed.", "Half of voters agreed.", "A third of voters agreed."),
        (
            "One in five pupils walks to school.",
            "20% of pupils walk to school.",
            "12% of pupils walk to school.",
        ),
    ],
    "when it began and ended": [
        ("The show ran from 1990 to 1995.", "The show ran until 1995.", "The show ran until 1996."),
        (
            "The show ran from 1990 to 1995.",
            "The show ran from 1990 to 1995.",
            "The show ran from 1991 to 1995.",
        ),
        (
            "The firm has operated there since 2004.",
            "The firm has operated there since 2004.",
            "The firm has operated there since 2002.",
        ),
        ("The lease ran until May 2018.", "The lease ran until May 2018.", "The lease ran until June 2018."),
        ("She was mayor 1998–2006.", "She was mayor from 1998 to 2006.", "She was mayor from 1998 to 2008."),
        ("The mine worked from 1880 to 1921.", "The mine worked until 1921.", "The mine worked until 1912."),
    ],
    "table rows": [
        (
            "Apple introduced the iPod in 2001.",
            "Product: iPod; Launched: 2001",
            "Product: iPod; Launched: 2003",
        ),
        (
            "Apple introduced the iPod in 2001.",
            "Product: iPod; Launched: 2001",
            "Product: Walkman; Launched: 2001",
        ),
        ("Acme's revenue was $10M.", "Company: Acme; Revenue: $10M", "Company: Globex; Revenue: $10M"),
        ("Acme's revenue was $10M.", "Company: Acme; Revenue: $10M", "Company: Acme; Profit: $10M"),
        (
            "Oslo has 709,000 inhabitants.",
            "City: Oslo; Population: 709,000",
            "City: Bergen; Population: 709,000",
        ),
        (
            "Lena Hart wrote Grey Tide in 1988.",
            "Title: Grey Tide; Author: Lena Hart; Year: 1988",
            "Title: Red Dune; Author: Lena Hart; Year: 1988",
        ),
        ("The Orla bridge is 412 m long.", "Bridge: Orla; Length: 412 m", "Bridge: Orla; Length: 421 m"),
    ],
    "changes in percent": [
        (
            "Capacity was 14.3 GW, up from 11.9 GW.",
            "Capacity rose by roughly 20%, up to 14.3 GW.",
            "Capacity rose by roughly 30%, up to 14.3 GW.",
        ),
        ("Rents rose from $800 to $1,000.", "Rents rose 25% to $1,000.", "Rents rose 35% to $1,000."),
        (
            "The herd fell from 400 animals to 300 animals.",
            "The herd fell 25% to 300 animals.",
            "The herd fell 40% to 300 animals.",
        ),
        (
            "Output was 60 tonnes compared with 50 tonnes a year earlier.",
            "Output rose 20% from 50 tonnes to 60 tonnes.",
            "Output rose 10% from 50 tonnes to 60 tonnes.",
        ),
        (
            "The team grew from 20 people to 30 people.",
            "The team grew 50% to 30 people.",
            "The team grew 15% to 30 people.",
        ),
        (
            "Membership dropped to 900 people from 1,000 people.",
            "Membership dropped 10% to 900 people.",
            "Membership dropped 30% to 900 people.",
        ),
    ],
    "other words for the same": [
        ("The plant employs 300 people.", "The plant has 300 workers.", "The plant has 350 workers."),
        ("The mill employs 90 people.", "The mill has 90 employees.", "The mill has 95 employees."),
        ("Sleep was not affected.", "There was no effect on sleep.", "There was an effect on sleep."),
        ("There were no deaths.", "No one was killed.", "Four people were killed."),
        ("The pump works at −5 °C.", "The pump functions at -5 °C.", "The pump functions at -15 °C."),
        ("The United States economy grew.", "The US economy grew.", "The EU economy grew."),
        ("The U.K. economy grew.", "The economy of the United Kingdom grew.", "The economy of Peru grew."),
        ("Ada Berg is the CFO.", "Ada Berg is the chief financial officer.", "Ada Berg is the chief cook."),
        (
            "Ida is chief executive of Orsk.",
            "Ida is the CEO of Orsk.",
            "Ivo is the CEO of Varde.",
        ),
    ],
}

LEFT_TO_THE_MODEL = frozenset({"another noun beside the number", "another subject", "table rows"})
"""Kinds that the rules do not look for."""
