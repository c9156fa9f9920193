"""The frames. Gaps: p q r people, a b c firms, x y z places, l < m < n, years c1 < d < e, months u v."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Frame:
    """Ways to say the evidence, and claims by the verdict that each of those ways gives."""

    kind: str
    evidence: tuple[str, ...]
    supported: tuple[str, ...]
    contradicted: tuple[str, ...] = ()
    not_enough: tuple[str, ...] = ()


FRAMES = (
    # --- who did it to whom ---
    Frame(
        "direction",
        (
            "{a} beat {b} in the {d} final.",
            "In the final of {d}, {b} was beaten by {a}.",
            "{b} lost the {d} final to {a}.",
        ),
        (
            "{a} won the {d} final against {b}.",
            "{b} lost to {a} in {d}.",
            "{a} defeated {b} in the final.",
            "{b} was defeated by {a}.",
        ),
        (
            "{b} beat {a} in the {d} final.",
            "{a} lost to {b} in {d}.",
            "{a} was beaten by {b}.",
            "{b} won the {d} final.",
        ),
        ("{a} beat {b} for the third time in a row.", "{a} beat {c} in the {d} final."),
    ),
    Frame(
        "direction",
        (
            "{a} acquired {b} in {d} for ${m} million.",
            "{b} was bought by {a} in {d}; the price was ${m} million.",
            "In {d}, {b} was sold to {a} for ${m} million.",
        ),
        (
            "{a} bought {b}.",
            "{b} was acquired by {a} in {d}.",
            "{a} paid ${m} million for {b}.",
            "{b} became the property of {a} in {d}.",
        ),
        (
            "{b} bought {a}.",
            "{a} was acquired by {b} in {d}.",
            "{b} paid ${m} million for {a}.",
            "{a} was sold to {b}.",
        ),
        ("{a} bought {b} and {c}.", "{a} bought {b} because it was in debt."),
    ),
    Frame(
        "direction",
        ("{p} sued {q} over the contract.", "{q} was sued by {p} over the contract."),
        ("{p} took {q} to court.", "{q} was sued by {p}.", "{p} brought a lawsuit against {q}."),
        ("{q} sued {p}.", "{p} was sued by {q} over the contract.", "{q} brought a lawsuit against {p}."),
        ("{p} won the lawsuit against {q}.", "{p} sued {r} over the contract."),
    ),
    Frame(
        "direction",
        ("{p} is the father of {q}.", "{q} is a son of {p}.", "{q}, the son of {p}, was born in {x}."),
        ("{q} is {p}'s son.", "{p} is {q}'s father.", "{q}'s father is {p}."),
        ("{p} is {q}'s son.", "{q} is the father of {p}.", "{p} is a son of {q}."),
        ("{p} has three sons.", "{p} is {r}'s father."),
    ),
    Frame(
        "direction",
        ("{x} is larger than {y}.", "{y} is smaller than {x}."),
        ("{x} is bigger than {y}.", "{y} is not as large as {x}.", "{y} is smaller than {x}."),
        ("{y} is larger than {x}.", "{x} is smaller than {y}.", "{x} is not as large as {y}."),
        ("{x} is twice as large as {y}.", "{x} is larger than {z}."),
    ),
    Frame(
        "direction",
        (
            "The train runs from {x} to {y} and takes {m} minutes.",
            "Starting in {x}, the train reaches {y} after {m} minutes.",
        ),
        (
            "The train goes from {x} to {y}.",
            "The train to {y} leaves from {x}.",
            "The trip to {y} takes {m} minutes.",
        ),
        (
            "The train runs from {y} to {x}.",
            "The train starts in {y} and ends in {x}.",
            "The trip takes {n} minutes.",
        ),
        ("The train runs from {x} to {y} every hour.",),
    ),
    Frame(
        "direction",
        ("{p} taught {q} at the university in {x}.", "{q} was a student of {p} at the university in {x}."),
        ("{q} was taught by {p}.", "{p} was {q}'s teacher.", "{q} studied under {p}."),
        ("{q} taught {p}.", "{p} was a student of {q}.", "{p} studied under {q}."),
        ("{p} taught {q} chemistry.",),
    ),
    Frame(
        "direction",
        ("{p} replaced {q} as head of {a} in {d}.", "{q} was succeeded by {p} as head of {a} in {d}."),
        (
            "{p} took over from {q} at {a}.",
            "{q} was replaced by {p}.",
            "{p} became head of {a} in {d}.",
            "{q} led {a} before {p} did.",
        ),
        (
            "{q} replaced {p} as head of {a}.",
            "{p} was succeeded by {q} in {d}.",
            "{q} became head of {a} in {d}.",
            "{p} led {a} before {q} did.",
        ),
        ("{p} replaced {q} after a scandal.", "{p} replaced {r} as head of {a}."),
    ),
    Frame(
        "direction",
        (
            "{a} owes {b} ${m} {scale}.",
            "{b} lent ${m} {scale} to {a}.",
            "{a} borrowed ${m} {scale} from {b}.",
        ),
        (
            "{a} is in debt to {b}.",
            "{b} is a creditor of {a}.",
            "{b} lent money to {a}.",
            "{a} borrowed money from {b}.",
        ),
        (
            "{b} owes {a} ${m} {scale}.",
            "{b} borrowed ${m} {scale} from {a}.",
            "{a} lent ${m} {scale} to {b}.",
        ),
        ("{a} repaid {b} in {d}.",),
    ),
    Frame(
        "direction",
        ("Revenue of {a} exceeded that of {b} in {d}.", "In {d}, {b} had less revenue than {a}."),
        ("{a} earned more than {b} in {d}.", "{b} had lower revenue than {a}."),
        ("{b} earned more than {a} in {d}.", "{a} had lower revenue than {b}."),
        ("{a} earned twice as much as {b} in {d}.",),
    ),
    Frame(
        "direction",
        ("{p} accused {q} of fraud.", "{q} was accused of fraud by {p}."),
        ("{q} was accused by {p}.", "{p} made an accusation against {q}."),
        ("{q} accused {p} of fraud.", "{p} was accused of fraud by {q}."),
        ("{q} committed fraud.", "{q} was convicted of fraud."),
    ),
    Frame(
        "direction",
        ("{p} hired {q} as a lawyer.", "{q} was hired by {p} as a lawyer."),
        ("{q} works as a lawyer for {p}.", "{p} employed {q}.", "{q} was hired by {p}."),
        ("{p} was hired by {q}.", "{q} hired {p} as a lawyer."),
        ("{p} hired {q} because of a lawsuit.",),
    ),
    Frame(
        "direction",
        (
            "The {u} rise in prices caused the strike in {x}.",
            "The strike in {x} was caused by the {u} rise in prices.",
        ),
        ("The strike in {x} resulted from rising prices.", "Rising prices led to the strike in {x}."),
        ("The strike in {x} caused the rise in prices.", "Prices rose as a result of the strike in {x}."),
        ("The strike in {x} lasted {m} days.",),
    ),
    Frame(
        "direction",
        (
            "The museum opened before the library did.",
            "The library opened after the museum.",
            "The museum opened in {c1}, the library in {d}.",
        ),
        (
            "The museum is older than the library.",
            "The library opened later than the museum.",
            "When the library opened, the museum was already open.",
        ),
        (
            "The library opened before the museum.",
            "The museum opened after the library.",
            "The library is older than the museum.",
        ),
        ("The museum is larger than the library.", "The museum opened one year before the library."),
    ),
    # --- the passive voice ---
    Frame(
        "passive",
        ("{p} designed the bridge in {x} in {d}.", "The bridge in {x} was designed in {d} by {p}."),
        (
            "The bridge in {x} was designed by {p}.",
            "{p} designed the bridge in {x}.",
            "It was {p} who designed the bridge.",
        ),
        (
            "The bridge in {x} was designed by {q}.",
            "{p} was designed by the bridge in {x}.",
            "The bridge in {y} was designed by {p}, not the one in {x}.",
        ),
        ("The bridge in {x} was built by {p}'s company.", "The bridge was paid for by {p}."),
    ),
    Frame(
        "passive",
        (
            "The committee rejected the plan that {p} had written.",
            "The plan written by {p} was rejected by the committee.",
        ),
        (
            "The plan was rejected by the committee.",
            "The committee turned down {p}'s plan.",
            "{p} wrote the plan.",
        ),
        (
            "The plan was accepted by the committee.",
            "The committee was rejected by {p}.",
            "{p} rejected the plan of the committee.",
        ),
        ("The plan was rejected because of its cost.", "The committee rejected the plan unanimously."),
    ),
    Frame(
        "passive",
        (
            "Police arrested {p} in {x} on {u} {day}, {d}.",
            "{p} was arrested by police in {x} on {u} {day}, {d}.",
        ),
        (
            "{p} was arrested in {x}.",
            "{p} was taken into custody by police in {d}.",
            "In {x}, the police arrested {p}.",
        ),
        (
            "{p} was released in {x} on {u} {day}, {d}.",
            "{p} was arrested in {y}.",
            "The police in {x} were called by {p}, who was not arrested.",
        ),
        ("{p} was arrested for theft.", "{p} was found guilty in {d}."),
    ),
    Frame(
        "passive",
        ("A storm destroyed {m} houses in {x}.", "In {x}, {m} houses were destroyed by a storm."),
        (
            "{m} houses were destroyed in {x}.",
            "A storm in {x} wrecked {m} houses.",
            "Houses in {x} were destroyed by a storm.",
        ),
        (
            "{m} houses in {x} survived the storm unharmed, and none was destroyed.",
            "{n} houses were destroyed in {x}.",
            "The houses in {x} were destroyed by a fire.",
        ),
        ("A storm destroyed {m} houses and a school in {x}.",),
    ),
    Frame(
        "passive",
        (
            "{a} will open a factory in {x}; {p} will run it.",
            "A factory in {x} will be opened by {a} and run by {p}.",
        ),
        ("A factory will be opened in {x} by {a}.", "The factory in {x} will be run by {p}."),
        (
            "A factory in {x} will be closed by {a}.",
            "The factory in {y} will be run by {p}, and {x} gets none.",
        ),
        ("The factory in {x} has been opened by {a}.", "The factory in {x} will employ {m} people."),
    ),
    Frame(
        "passive",
        (
            "The drug lowered blood pressure in {m} of {n} patients.",
            "Blood pressure was lowered by the drug in {m} of {n} patients.",
        ),
        (
            "Blood pressure was lowered by the drug in {m} patients.",
            "In {m} of {n} patients the drug reduced blood pressure.",
        ),
        (
            "Blood pressure was raised by the drug in {m} patients.",
            "The drug lowered blood pressure in {l} of {n} patients.",
            "Blood pressure was lowered by the drug in all {n} patients.",
        ),
        ("The drug lowered blood pressure within a week in {m} patients.",),
    ),
    # --- all, most, some, none ---
    Frame(
        "quantifier",
        (
            "All {m} members of the board voted for the merger.",
            "The merger was approved by every one of the {m} board members.",
        ),
        (
            "Every board member voted for the merger.",
            "No board member voted against the merger.",
            "The vote for the merger was unanimous.",
            "More than half of the board voted for the merger.",
        ),
        (
            "None of the board members voted for the merger.",
            "Some board members voted against the merger.",
            "Only {l} members voted for the merger.",
            "Not all members voted for the merger.",
        ),
    ),
    Frame(
        "quantifier",
        ("Some of the patients reported headaches.", "A few of the patients reported headaches."),
        (
            "Headaches were reported by some patients.",
            "At least one patient reported headaches.",
            "There were patients who reported headaches.",
        ),
        ("None of the patients reported headaches.", "No patient had headaches."),
        (
            "All of the patients reported headaches.",
            "Most patients reported headaches.",
            "Only patients over {m} reported headaches.",
        ),
    ),
    Frame(
        "quantifier",
        ("Most users of {a} renewed their contract.", "The majority of {a}'s users renewed their contract."),
        (
            "More than half of {a}'s users renewed.",
            "Most of the users renewed their contract.",
            "Some users renewed their contract.",
        ),
        (
            "Few users of {a} renewed their contract.",
            "No user of {a} renewed.",
            "Less than half of the users renewed their contract.",
        ),
        ("All users of {a} renewed their contract.", "Most users of {a} renewed for two years."),
    ),
    Frame(
        "quantifier",
        (
            "None of the tests found lead in the water of {x}.",
            "No lead was found in the water of {x} in any test.",
        ),
        (
            "No test found lead in the water.",
            "The water of {x} contained no lead according to the tests.",
            "Lead was not found in {x}.",
        ),
        (
            "Some tests found lead in the water of {x}.",
            "All tests found lead in the water.",
            "Lead was found in {x}.",
        ),
        ("No test found lead or mercury in the water.",),
    ),
    Frame(
        "quantifier",
        ("Only members may vote.", "Voting is open to members only.", "Nobody but members may vote."),
        ("Members may vote.", "Those who are not members may not vote.", "Voting is restricted to members."),
        ("Everyone may vote.", "People who are not members may vote as well.", "Members may not vote."),
        ("Members may vote by post.", "All members voted."),
    ),
    Frame(
        "quantifier",
        ("Both {p} and {q} signed the letter.", "The letter was signed by {p} as well as by {q}."),
        ("{p} signed the letter.", "{q} signed the letter.", "Two people, {p} and {q}, signed the letter."),
        (
            "Neither {p} nor {q} signed the letter.",
            "Only {p} signed the letter; {q} refused.",
            "{q} did not sign the letter.",
        ),
        ("{p} and {q} wrote the letter.", "{p}, {q} and {r} signed the letter."),
    ),
    Frame(
        "quantifier",
        (
            "Neither {p} nor {q} attended the meeting in {x}.",
            "{p} and {q} both stayed away from the meeting in {x}.",
        ),
        (
            "{p} did not attend the meeting.",
            "{q} was not at the meeting in {x}.",
            "{p} and {q} were absent from the meeting.",
        ),
        (
            "{p} attended the meeting in {x}.",
            "Both {p} and {q} attended the meeting.",
            "{q} took part in the meeting.",
        ),
        ("Nobody attended the meeting in {x}.", "{r} attended the meeting in {x}."),
    ),
    Frame(
        "quantifier",
        ("The plan covers up to {m} visits a year.", "At most {m} visits a year are covered by the plan."),
        (
            "The plan covers no more than {m} visits a year.",
            "Not more than {m} visits are covered each year.",
        ),
        (
            "The plan covers at least {n} visits a year.",
            "There is no limit on visits under the plan.",
            "The plan covers {n} visits a year.",
        ),
        ("The plan covers visits abroad.",),
    ),
    Frame(
        "quantifier",
        ("Each of the {m} rooms has a balcony.", "There is a balcony in every one of the {m} rooms."),
        ("All {m} rooms have a balcony.", "No room is without a balcony.", "Every room has a balcony."),
        (
            "Some of the rooms have no balcony.",
            "Only {l} of the rooms have a balcony.",
            "None of the rooms has a balcony.",
        ),
        ("All rooms have a balcony with a view of the sea.",),
    ),
    Frame(
        "quantifier",
        ("{m}% of those asked supported the law.", "The law had the support of {m}% of those asked."),
        (
            "{m} percent of those asked were in favour of the law.",
            "{m} of every 100 people asked supported the law.",
        ),
        (
            "Nobody who was asked supported the law.",
            "{n}% of those asked supported the law.",
            "Everyone asked supported the law.",
        ),
        ("{m}% of women supported the law.",),
    ),
    # --- planned, possible, reported: not the same as done ---
    Frame(
        "hedge",
        (
            "{a} is considering closing its office in {x}.",
            "{a} may close its office in {x}.",
            "{a} could close its office in {x} next year.",
        ),
        (
            "{a} may close its {x} office.",
            "A closure of the {x} office is possible.",
            "It is not certain that {a} will close its office in {x}.",
        ),
        ("{a} has ruled out closing its office in {x}.",),
        (
            "{a} closed its office in {x}.",
            "{a} has decided to close its office in {x}.",
            "{a} will close its office in {x}.",
        ),
    ),
    Frame(
        "hedge",
        ("{a} closed its office in {x} in {d}.", "The {x} office of {a} was shut in {d}."),
        ("{a} closed its office in {x}.", "The office in {x} was closed in {d}."),
        (
            "{a} never closed its office in {x}.",
            "{a} decided against closing its office in {x}, which is still open.",
            "{a} closed its office in {x} in {e}.",
        ),
        ("{a} closed its office in {x} to save money.",),
    ),
    Frame(
        "hedge",
        (
            "The study suggests that the diet might lower the risk of stroke, but more research is needed.",
            "According to the authors, a lower risk of stroke from the diet is possible but not shown.",
        ),
        (
            "The diet may lower the risk of stroke.",
            "It is not yet certain that the diet lowers the risk of stroke.",
            "More evidence is needed on the diet and stroke.",
        ),
        ("The study ruled out any effect of the diet on stroke.",),
        (
            "The diet lowers the risk of stroke.",
            "The study proved that the diet prevents stroke.",
            "The diet halves the risk of stroke.",
        ),
    ),
    Frame(
        "hedge",
        (
            "The trial showed that the diet lowers the risk of stroke by {m}%.",
            "In the trial, the diet cut the risk of stroke by {m}%.",
        ),
        ("The diet lowers the risk of stroke.", "The diet reduced the risk of stroke by {m} percent."),
        (
            "The diet has no effect on the risk of stroke.",
            "The diet raises the risk of stroke.",
            "The diet lowers the risk of stroke by {n}%.",
        ),
        ("The diet lowers the risk of heart attack.",),
    ),
    Frame(
        "hedge",
        ("{p} is reported to be negotiating with {a}.", "According to rumours, {p} is in talks with {a}."),
        ("{p} is said to be in talks with {a}.", "There are reports of talks between {p} and {a}."),
        ("Nobody has reported any talks between {p} and {a}.",),
        ("{p} signed with {a}.", "{p} has joined {a}.", "{a} hired {p}."),
    ),
    Frame(
        "hedge",
        ("{p} signed a contract with {a} on {u} {day}.", "On {u} {day}, {p} and {a} signed a contract."),
        ("{p} has a contract with {a}.", "{a} and {p} signed a contract in {u}.", "{p} signed with {a}."),
        (
            "{p} refused to sign a contract with {a}.",
            "{p} signed with {b} instead of {a}.",
            "{p} signed a contract with {a} in {v}.",
        ),
        ("{p} signed a contract for three years with {a}.",),
    ),
    Frame(
        "hedge",
        (
            "The council plans to build {m} flats in {x} by {e}.",
            "{m} flats are to be built in {x} by {e}, the council said.",
            "The council has proposed {m} flats for {x}, to be finished by {e}.",
        ),
        (
            "The council wants to build flats in {x}.",
            "There are plans for {m} flats in {x}.",
            "{m} flats are planned in {x}.",
        ),
        ("The council has dropped its plans for {x}.", "The council plans to build {n} flats in {x}."),
        (
            "The council built {m} flats in {x}.",
            "{m} flats were finished in {x}.",
            "{m} families live in the new flats in {x}.",
        ),
    ),
    Frame(
        "hedge",
        (
            "The minister denied that taxes would rise.",
            "The minister said that reports of a tax rise were false.",
        ),
        ("According to the minister, taxes will not rise.", "The minister rejected reports of a tax rise."),
        ("The minister confirmed that taxes would rise.", "The minister said that taxes would rise."),
        ("Taxes rose.", "Taxes fell."),
    ),
    Frame(
        "hedge",
        ("{p} was charged with theft but has not been tried yet.", "{p}, charged with theft, awaits trial."),
        ("{p} was charged with theft.", "{p} has yet to stand trial."),
        ("{p} was never charged.", "The charges against {p} were dropped."),
        ("{p} was convicted of theft.", "{p} stole a car.", "{p} is guilty of theft."),
    ),
    Frame(
        "hedge",
        (
            "{a} applied for approval of its vaccine in {u}.",
            "In {u}, {a} asked the agency to approve its vaccine.",
        ),
        ("{a} has applied for approval of a vaccine.", "{a} sought approval for its vaccine in {u}."),
        ("{a} has not applied for approval of any vaccine.", "{a} applied for approval in {v}."),
        (
            "The agency approved the vaccine of {a}.",
            "The vaccine of {a} was approved in {u}.",
            "The agency rejected the vaccine of {a}.",
        ),
    ),
    Frame(
        "hedge",
        ("If sales fall again, {a} will cut {m} jobs.", "{a} will cut {m} jobs in case sales fall again."),
        ("{a} will cut jobs if sales fall again.", "{m} jobs at {a} depend on sales."),
        ("{a} will keep all jobs even if sales fall again.",),
        ("{a} cut {m} jobs.", "Sales of {a} fell again.", "{a} will cut {m} jobs."),
    ),
    # --- denied or not ---
    Frame(
        "negation",
        (
            "The warranty does not cover water damage.",
            "Water damage is excluded from the warranty.",
            "The warranty covers everything except water damage.",
        ),
        (
            "Water damage is not covered.",
            "The warranty excludes water damage.",
            "The warranty does not apply to damage from water.",
        ),
        (
            "The warranty covers water damage.",
            "Water damage is covered by the warranty.",
            "The warranty includes damage from water.",
        ),
        ("The warranty does not cover theft.", "The warranty lasts {m} months."),
    ),
    Frame(
        "negation",
        (
            "The warranty covers water damage for {m} months.",
            "For {m} months, water damage is covered by the warranty.",
        ),
        (
            "Water damage is covered.",
            "The warranty includes water damage.",
            "The warranty covers water damage for {m} months.",
        ),
        (
            "The warranty does not cover water damage.",
            "Water damage is excluded.",
            "The warranty covers water damage for {n} months.",
        ),
        ("The warranty covers theft.",),
    ),
    Frame(
        "negation",
        ("{p} never finished the degree in {x}.", "{p} left the university in {x} without a degree."),
        (
            "{p} did not complete the degree.",
            "{p} has no degree from {x}.",
            "{p} failed to finish the degree in {x}.",
        ),
        ("{p} finished the degree in {x}.", "{p} graduated in {x}.", "{p} has a degree from {x}."),
        ("{p} left {x} for lack of money.",),
    ),
    Frame(
        "negation",
        ("The court did not find {a} liable.", "{a} was cleared of liability by the court."),
        ("{a} was not held liable.", "The court found that {a} was not liable.", "The court cleared {a}."),
        ("{a} was found liable.", "The court held {a} liable.", "{a} lost the case and was held liable."),
        ("{a} appealed.", "The court fined {b}."),
    ),
    Frame(
        "negation",
        (
            "Without a licence, nobody may sell fireworks in {x}.",
            "Selling fireworks in {x} requires a licence.",
        ),
        (
            "A licence is needed to sell fireworks in {x}.",
            "It is not allowed to sell fireworks in {x} without a licence.",
        ),
        ("No licence is needed to sell fireworks in {x}.", "Anybody may sell fireworks in {x}."),
        ("Fireworks are banned in {x}.", "A licence costs ${m}."),
    ),
    Frame(
        "negation",
        (
            "The update fixed the crash but not the slow start.",
            "The crash is gone with the update; the slow start remains.",
        ),
        (
            "The update fixed the crash.",
            "The update did not fix the slow start.",
            "The start is still slow after the update.",
        ),
        (
            "The update fixed the slow start.",
            "The update did not fix the crash.",
            "The crash remains after the update.",
        ),
        ("The update was released in {u}.",),
    ),
    Frame(
        "negation",
        ("Exports rose while imports fell in {d}.", "In {d}, imports declined and exports grew."),
        ("Exports increased in {d}.", "Imports decreased in {d}.", "Imports did not rise in {d}."),
        ("Exports fell in {d}.", "Imports rose in {d}.", "Both exports and imports rose in {d}."),
        ("Exports rose by {m}% in {d}.",),
    ),
    Frame(
        "negation",
        ("The virus is not spread by mosquitoes.", "Mosquitoes do not transmit the virus."),
        ("Mosquitoes do not spread the virus.", "The virus cannot be caught from mosquitoes."),
        ("Mosquitoes spread the virus.", "The virus is transmitted by mosquitoes."),
        ("The virus is spread by ticks.",),
    ),
    # --- numbers, units, dates ---
    Frame(
        "unit",
        (
            "The flight took {m} hours.",
            "After {m} hours in the air, the plane landed.",
            "The flight lasted {m60} minutes.",
        ),
        ("The flight took {m} hours.", "The flight lasted {m60} minutes."),
        ("The flight took {m} minutes.", "The flight took {n} hours.", "The flight lasted {m60} hours."),
        ("The flight took {m} hours because of headwinds.",),
    ),
    Frame(
        "unit",
        (
            "The tank holds {m1000} litres.",
            "The capacity of the tank is {m1000} litres.",
            "The tank holds {m} cubic metres.",
        ),
        (
            "The tank can hold {m} cubic metres.",
            "The tank holds {m1000} litres.",
            "The tank has a capacity of {m} thousand litres.",
        ),
        (
            "The tank holds {m} litres.",
            "The tank holds {m1000} gallons.",
            "The tank holds {n1000} litres.",
            "The tank holds {m1000} cubic metres.",
        ),
        ("The tank was filled in {u}.",),
    ),
    Frame(
        "unit",
        (
            "{a} made a profit of ${m} million in {d}.",
            "Profit at {a} came to ${m} million in {d}.",
            "{a}'s {d} profit was ${m},000,000.",
        ),
        (
            "{a} earned a profit of ${m} million.",
            "In {d}, the profit of {a} was ${m}M.",
            "{a} made {m} million dollars of profit in {d}.",
        ),
        (
            "{a} made a profit of ${m} billion in {d}.",
            "{a} made a loss of ${m} million in {d}.",
            "{a} made a profit of ${m} thousand.",
            "{a} made a profit of €{m} million.",
        ),
        ("{a} made a profit of ${m} million before tax in {x}.",),
    ),
    Frame(
        "unit",
        ("Support rose from {m}% to {n}%.", "Support, once at {m}%, is now at {n}%."),
        ("Support went up from {m} to {n} percent.", "Support has grown to {n}%."),
        ("Support fell from {n}% to {m}%.", "Support rose from {l}% to {m}%.", "Support dropped to {m}%."),
        ("Support rose in {x} above all.",),
    ),
    Frame(
        "unit",
        (
            "The road is {m} km long.",
            "The length of the road is {m} kilometres.",
            "The road runs for {m1000} metres.",
        ),
        ("The road has a length of {m} kilometers.", "The road is {m1000} metres long."),
        ("The road is {m} miles long.", "The road is {m} metres long.", "The road is {n} km long."),
        ("The road was widened in {d}.",),
    ),
    Frame(
        "unit",
        ("Patients took {m} mg of the drug twice a day.", "The dose was {m} mg, given two times daily."),
        ("The dose of the drug was {m} milligrams.", "Patients took the drug twice daily."),
        (
            "Patients took {m} g of the drug twice a day.",
            "Patients took {n} mg twice a day.",
            "Patients took the drug once a day.",
        ),
        ("Patients took {m} mg of the drug with food.",),
    ),
    Frame(
        "date",
        ("{a} was founded on {u} {day}, {d}, in {x}.", "On {day} {u} {d}, {p} founded {a} in {x}."),
        (
            "{a} was founded in {d}.",
            "{a} was founded in {u} {d}.",
            "{a} has existed since {d}.",
            "{a} was set up before {e}.",
            "{a} was founded after {c1}.",
        ),
        (
            "{a} was founded in {e}.",
            "{a} was founded in {v} {d}.",
            "{a} was founded before {c1}.",
            "{a} was founded after {e}.",
        ),
        ("{a} was founded by two brothers in {d}.",),
    ),
    Frame(
        "date",
        ("{p} led {a} from {c1} to {d}.", "{p} became head of {a} in {c1} and left in {d}."),
        ("{p} was head of {a} until {d}.", "{p} started to lead {a} in {c1}.", "{p} left {a} in {d}."),
        (
            "{p} led {a} until {e}.",
            "{p} became head of {a} in {d}.",
            "{p} still leads {a}.",
            "{p} left {a} in {c1}.",
        ),
        ("{p} left {a} to join {b}.",),
    ),
    Frame(
        "date",
        (
            "The deadline was moved from {u} {day} to {v} {day}.",
            "Originally {u} {day}, the deadline is now {v} {day}.",
        ),
        (
            "The deadline is {v} {day}.",
            "The deadline used to be {u} {day}.",
            "The deadline is no longer {u} {day}.",
        ),
        (
            "The deadline is {u} {day}.",
            "The deadline was moved from {v} to {u}.",
            "The deadline has not changed.",
        ),
        ("The deadline was moved because of illness.",),
    ),
    Frame(
        "date",
        (
            "The treaty was signed in {c1} and came into force in {d}.",
            "Signed in {c1}, the treaty took effect in {d}.",
        ),
        (
            "The treaty took effect in {d}.",
            "The treaty was signed in {c1}.",
            "The treaty was signed before it came into force.",
        ),
        (
            "The treaty was signed in {d}.",
            "The treaty came into force in {c1}.",
            "The treaty came into force in {e}.",
        ),
        ("The treaty was signed in {x}.",),
    ),
    Frame(
        "number",
        ("Of {n} applicants, {m} were accepted.", "{m} of the {n} applicants were accepted."),
        (
            "{m} applicants were accepted.",
            "There were {n} applicants.",
            "Not all applicants were accepted.",
            "More than {l} applicants were accepted.",
        ),
        (
            "{n} applicants were accepted.",
            "{l} applicants were accepted.",
            "All applicants were accepted.",
            "There were {m} applicants.",
            "Fewer than {l} applicants were accepted.",
        ),
        ("{m} women were accepted.",),
    ),
    Frame(
        "number",
        (
            "{a} sold {m1000} cars in {d} and {n1000} in {e}.",
            "{a}'s sales went from {m1000} cars in {d} to {n1000} in {e}.",
        ),
        (
            "{a} sold {m1000} cars in {d}.",
            "Sales of {a} rose between {d} and {e}.",
            "{a} sold more cars in {e} than in {d}.",
            "{a} sold {n} thousand cars in {e}.",
        ),
        (
            "{a} sold {n1000} cars in {d}.",
            "Sales of {a} fell between {d} and {e}.",
            "{a} sold fewer cars in {e} than in {d}.",
            "{a} sold {m} cars in {d}.",
        ),
        ("{a} sold {m1000} electric cars in {d}.",),
    ),
    # --- the same in other words ---
    Frame(
        "paraphrase",
        ("{p} passed away in {x} in {d} at the age of {m}.", "In {d}, {p}, aged {m}, died in {x}."),
        (
            "{p} died in {d}.",
            "{p} was {m} when he died.",
            "{p}'s life ended in {x}.",
            "{p} lived to the age of {m}.",
        ),
        (
            "{p} was born in {x} in {d}.",
            "{p} died at the age of {n}.",
            "{p} is still alive.",
            "{p} died in {y}.",
        ),
        ("{p} died of cancer.",),
    ),
    Frame(
        "paraphrase",
        (
            "The firm laid off {m} workers.",
            "{m} workers lost their jobs at the firm.",
            "{m} employees were dismissed by the firm.",
        ),
        ("The firm cut {m} jobs.", "{m} people were let go.", "The firm reduced its staff by {m}."),
        ("The firm hired {m} workers.", "The firm created {m} jobs.", "Nobody lost a job at the firm."),
        ("The firm laid off {m} workers in {x}.",),
    ),
    Frame(
        "paraphrase",
        (
            "Tickets cost nothing for children under {m}.",
            "Children under {m} get in free of charge.",
            "Children below the age of {m} need not pay.",
        ),
        ("Entry is free for children under {m}.", "Children under {m} do not have to pay."),
        (
            "Children under {m} pay half.",
            "Children under {m} must pay the full price.",
            "Children under {n} get in free and {m} is not the limit.",
        ),
        ("Students get in free.",),
    ),
    Frame(
        "paraphrase",
        (
            "{p} turned down the job at {a}.",
            "{p} was offered a job at {a} but said no.",
            "{p} declined an offer from {a}.",
        ),
        ("{p} did not accept the job at {a}.", "{p} rejected {a}'s offer.", "{a} offered {p} a job."),
        ("{p} accepted the job at {a}.", "{p} works for {a} since taking its offer.", "{a} rejected {p}."),
        ("{p} wanted more money.",),
    ),
    Frame(
        "paraphrase",
        ("The battery lasts {m} hours on one charge.", "On a full charge, the battery runs for {m} hours."),
        ("The device works for {m} hours before it must be charged again.", "Battery life is {m} hours."),
        (
            "Charging the battery takes {m} hours.",
            "Battery life is {n} hours.",
            "The battery lasts {m} days.",
        ),
        ("The battery can be replaced.",),
    ),
    Frame(
        "paraphrase",
        ("The town's population has doubled since {d}.", "Twice as many people live in the town as in {d}."),
        (
            "The town has grown since {d}.",
            "The number of residents is twice that of {d}.",
            "There were half as many residents in {d}.",
        ),
        (
            "The town has shrunk since {d}.",
            "The town's population has halved since {d}.",
            "The population is the same as in {d}.",
        ),
        ("The town's population has doubled because of the university.",),
    ),
    Frame(
        "paraphrase",
        (
            "To reset the device, hold the button for {m} seconds.",
            "Holding the button down for {m} seconds resets the device.",
        ),
        (
            "The device is reset by holding the button for {m} seconds.",
            "You can reset the device with the button.",
        ),
        (
            "To reset the device, hold the button for {m} minutes.",
            "The device cannot be reset.",
            "To turn off the device, tap the button once; this does not reset it, "
            "and holding it does nothing.",
        ),
        ("Resetting the device deletes all data.",),
    ),
    Frame(
        "paraphrase",
        (
            "{x} is the most populous city of the region, ahead of {y}.",
            "No city of the region has more people than {x}; {y} comes second.",
        ),
        (
            "{x} is the region's largest city by population.",
            "{y} has fewer people than {x}.",
            "More people live in {x} than in {y}.",
        ),
        (
            "{y} is the region's largest city by population.",
            "{x} has fewer people than {y}.",
            "{x} is the second most populous city of the region.",
        ),
        ("{x} is the capital of the region.",),
    ),
)
