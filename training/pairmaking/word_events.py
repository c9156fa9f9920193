"""Who did what, by domain: subjects, verbs and objects, with the forms a verb takes and its passive."""

# ruff: noqa: E501, SIM905 (lists of words and of whole sentences read best uncut)

from __future__ import annotations

from dataclasses import dataclass
from random import Random

_IRREGULAR = {
    "sell": ("sold", "sold"), "buy": ("bought", "bought"), "pay": ("paid", "paid"), "build": ("built", "built"),
    "write": ("wrote", "written"), "send": ("sent", "sent"), "hold": ("held", "held"), "find": ("found", "found"),
    "take": ("took", "taken"), "give": ("gave", "given"), "read": ("read", "read"), "cut": ("cut", "cut"),
    "win": ("won", "won"), "lose": ("lost", "lost"), "teach": ("taught", "taught"), "hide": ("hid", "hidden"),
    "withdraw": ("withdrew", "withdrawn"), "lend": ("lent", "lent"), "draw": ("drew", "drawn"), "break": ("broke", "broken"),
    "keep": ("kept", "kept"), "catch": ("caught", "caught"), "rewrite": ("rewrote", "rewritten"), "set": ("set", "set"),
    "reset": ("reset", "reset"), "rebuild": ("rebuilt", "rebuilt"), "leave": ("left", "left"), "make": ("made", "made"),
    "shut": ("shut", "shut"), "sing": ("sang", "sung"), "beat": ("beat", "beaten"), "feed": ("fed", "fed"),
    "overturn": ("overturned", "overturned"), "steal": ("stole", "stolen"), "freeze": ("froze", "frozen"), "begin": ("began", "begun"),
    "forbid": ("forbade", "forbidden"), "see": ("saw", "seen"), "meet": ("met", "met"), "drive": ("drove", "driven"),
    "run": ("ran", "run"), "grow": ("grew", "grown"),
}  # fmt: skip
_DOUBLED = {"drop", "stop", "plan", "ship", "submit", "cancel", "cut", "win", "set", "reset", "shut", "ban",
            "permit", "begin", "plug", "admit", "refer", "map", "label", "scrap", "swap", "forbid", "patrol", "acquit", "run", "refuel"}  # fmt: skip

_DOMAINS = (
    ("the council; the mayor; the planning office; the ministry; the provincial governor; the housing agency; the parliament; the port authority",
     "approve: the new timetable; the flood plan; the merger of the two schools|reject: the petition; the zoning request; the draft budget|"
     "close: the swimming pool; the registry office; the old bridge|publish: the inspection report; the list of donors|extend: the parking ban; the tram line; the rent cap|"
     "buy: the vacant barracks; the cinema building|sell: the town hall annex; the vineyard|rename: the main square; the airport|raise: the water tariff; the dog tax|lower: the speed limit; the property tax|"
     "ban: fireworks; wood stoves|fund: the youth orchestra; the village library|repeal: the curfew; the shop hours law|dismiss: the chief engineer; the harbour master|withdraw: the bill; the building permit|cancel: the spring fair; the tender"),
    ("the hospital; the surgeon; the clinic; the midwife; the pharmacist; the trial team; the health board; the dentist",
     "treat: the burn; the infected knee; the second patient|prescribe: antibiotics; the stronger painkiller|stop: the infusion; the trial|vaccinate: the kitchen staff; the newborn calves|"
     "remove: the stent; the tumour; the stitches|discharge: the elderly patient; the boy|record: the side effects; the blood pressure|recall: the inhaler; the eye drops|examine: the tissue sample; the spine|"
     "detect: the infection; the fracture|order: a second scan; new ventilators|admit: the injured cyclist; the climber|test: the wells; the donors|replace: the hip joint; the heart valve|label: the vials; the samples"),
    ("the court; the judge; the prosecutor; the appeals panel; the tribunal; the public defender; the notary; the jury",
     "dismiss: the complaint; the appeal|uphold: the verdict; the fine|overturn: the conviction; the ruling|hear: the second witness; the landlord|release: the suspect; the documents|"
     "acquit: the treasurer; the driver|convict: the smuggler; the broker|seize: the laptops; the yacht|question: the caretaker; the auditor|sign: the settlement; the warrant|reopen: the case; the inquest|"
     "admit: the recording; the diary as evidence|freeze: the accounts; the assets|postpone: the hearing; the eviction|draft: the contract; the plea"),
    ("the bank; the insurer; the retailer; the start-up; the carmaker; the auditor; the finance director; the shipping line",
     "cut: the dividend; two hundred jobs; the delivery fee|buy: its rival; the warehouse in the north|sell: the paper mill; the insurance arm|pay: the invoice; the penalty|raise: prices; the interest rate|"
     "launch: the savings app; the budget brand|close: the downtown branch; the call centre|hire: the former regulator; fifty drivers|publish: the annual accounts; the profit warning|refund: the deposit; the customers|"
     "ship: the replacement parts; the first order|lend: the money; the vans|settle: the claim; the dispute|move: the headquarters; the data centre|drop: the supplier; the lawsuit|audit: the pension fund; the subsidiary"),
    ("the developer; the administrator; the support team; the vendor; the new release; the installer; the service desk; the maintainer",
     "fix: the memory leak; the login error|remove: the export button; the old plug-in|encrypt: the backups; the log files|delete: the inactive accounts; the cache|update: the licence file; the driver|"
     "restart: the server; the print queue|test: the patch; the import filter|disable: the guest account; automatic updates|migrate: the database; the mailboxes|reset: the password; the router|"
     "document: the new endpoint; the error codes|block: the attachment; the sender|restore: the deleted folder; the settings|rename: the package; the branch|rewrite: the parser; the setup guide|merge: the pull request; the two tools"),
    ("the laboratory; the geologist; the research group; the observatory; the botanist; the museum; the expedition; the chemist",
     "measure: the magnetic field; the depth of the lake|find: the missing fossil; traces of lead|publish: the raw data; the map|repeat: the experiment; the count|identify: the beetle; the mineral|"
     "photograph: the comet; the cave paintings|collect: soil samples; moss from the roof|date: the skeleton; the timber|name: the moon; the new species|catalogue: the coins; the meteorites|"
     "calibrate: the sensor; the telescope|observe: the eclipse; the nesting terns|draw: the cross-section; the star chart|freeze: the embryos; the ice cores|refute: the theory; the earlier estimate"),
    ("the club; the coach; the goalkeeper; the federation; the captain; the sprinter; the referee; the sponsor",
     "win: the cup; the relay; the toss|lose: the opening match; the title|sign: the young striker; a new sponsor|leave: the league; the training camp|break: the national record; the rules|"
     "cancel: the friendly; the marathon|train: the junior team; the goalkeepers|miss: the penalty; the final|ban: the supporters; the javelin thrower|rebuild: the stadium; the clubhouse|"
     "thank: the volunteers; the physiotherapist|appoint: the assistant coach; the team doctor|beat: the champions; the visitors|protest: the decision; the line-up|sell: the winger; the season tickets"),
    ("the neighbour; the baker; the teacher; the landlady; the farmer; the librarian; the caretaker; the grandmother",
     "repair: the fence; the boiler; the bicycle|paint: the front door; the boat|feed: the cats; the geese|lock: the cellar; the side gate|bake: the wedding cake; the rye bread|"
     "read: the letter; the instructions|return: the ladder; the library books|plant: the pear tree; potatoes|sell: the tractor; the piano|clean: the gutters; the oven|invite: the cousins; the tenants|"
     "move: the wardrobe; the beehives|keep: the receipt; the spare key|water: the tomatoes; the lawn|break: the vase; the window|find: the wedding ring; the lost dog"),
    ("the editor; the publisher; the composer; the theatre; the director; the translator; the gallery; the broadcaster",
     "shorten: the interview; the third act|publish: the memoir; the letters|rewrite: the ending; the preface|cancel: the tour; the late show|record: the string quartet; the audio book|"
     "translate: the poems; the libretto|restore: the fresco; the silent film|cut: the love scene; the chorus|illustrate: the cookbook; the fables|sign: the manifesto; the recording contract|"
     "lend: the portrait; the manuscript|review: the novel; the opera|print: the catalogue; the posters|film: the rehearsal; the riots|dedicate: the symphony to the king; the book to a friend"),
    ("the airline; the station master; the railway; the harbour pilot; the mechanic; the crew; the bus company; the inspector",
     "delay: the departure; the evening ferry|inspect: the brakes; the landing gear|replace: the rear axle; the signals|cancel: the night train; the flight to Oslo|carry: the cargo; the stranded passengers|"
     "report: the fault; the near miss|close: the tunnel; the runway|reroute: the buses; the freight train|hold: the ferry; the connecting train|tow: the barge; the tram|patrol: the coast; the platform|ground: the older jets; the helicopter|"
     "refuel: the aircraft; the trawler|check: the tickets; the life jackets|widen: the platform; the canal"),
)  # fmt: skip
FIRST = ("Amara Bjorn Chidi Dalia Emre Fatima Goran Hana Ines Jamal Katya Luca Mei Nadia Oskar Priya Quentin Rosa Sanjay Tove "
         "Umar Vera Wanda Ximena Yusuf Zofia Aiko Bruno Carmen Dmitri Elif Farid Greta Hugo Ingrid Joao Kwame Leila Marek Noor").split()  # fmt: skip
LAST = ("Adeyemi Bergstrom Castellano Dvorak Eriksen Farouk Gupta Haddad Ibarra Jansen Kowalski Lindqvist Mbeki Nakamura Oyelaran "
        "Petrov Quispe Rahman Silva Tanaka Ustinov Varga Watanabe Yilmaz Zhang Achterberg Brankovic Chowdhury Dlamini Eklund Finch "
        "Greenwood Holloway Iversen Kaur Lehtonen Moreno Novak Osei Park").split()  # fmt: skip
PLACES = ("Gdansk Porto Tampere Izmir Lahore Kumasi Cusco Osaka Bergen Graz Cork Leipzig Bilbao Tartu Varna Split Medan Quito Davao "
          "Mombasa Halifax Hobart Perth Aarhus Ghent Lyon Riga Brno Szeged Patras").split()  # fmt: skip


@dataclass(frozen=True)
class Event:
    """Somebody did something to something: the subject, the verb in its forms, and the object."""

    subject: str
    other: str
    base: str
    past: str
    part: str
    ing: str
    thing: str

    @property
    def was(self) -> str:
        return "were" if plural(self.thing) else "was"

    @property
    def has(self) -> str:
        return "have" if plural(self.thing) else "has"

    def fields(self) -> dict[str, str]:
        """The gaps of a pattern: S subject, T another subject, O object, b p n g the verb's forms."""
        return {
            "S": self.subject, "T": self.other, "O": self.thing, "b": self.base, "p": self.past, "n": self.part,
            "g": self.ing, "was": self.was, "has": self.has, "is": "are" if plural(self.thing) else "is",
        }  # fmt: skip


def plural(thing: str) -> bool:
    """Whether a noun phrase takes a plural verb, by its head word."""
    head = thing
    for stop in (" of ", " to ", " in ", " from ", " as "):
        head = head.split(stop)[0]
    last = head.split()[-1]
    return last in {"people", "geese", "children", "staff", "data"} or (
        last.endswith("s") and not last.endswith(("ss", "us", "is")) and last not in {"lens", "series"}
    )


def past(base: str) -> tuple[str, str]:
    """The past tense and the past participle of a verb."""
    if base == "hear":
        return "heard", "heard"
    if base == "uphold":
        return "upheld", "upheld"
    if base in _IRREGULAR:
        return _IRREGULAR[base]
    if base in _DOUBLED:
        form = base + base[-1] + "ed"
    elif base.endswith("e"):
        form = base + "d"
    elif base.endswith("y") and base[-2] not in "aeiou":
        form = base[:-1] + "ied"
    else:
        form = base + "ed"
    return form, form


def gerund(base: str) -> str:
    """The form in -ing."""
    if base in _DOUBLED:
        return base + base[-1] + "ing"
    if base.endswith("e") and not base.endswith(("ee", "ye", "oe")):
        return base[:-1] + "ing"
    return base + "ing"


def _read() -> list[tuple[list[str], list[tuple[str, str]]]]:
    domains = []
    for subjects, lines in _DOMAINS:
        acts = []
        for line in lines.split("|"):
            base, things = line.split(": ")
            acts += [(base.strip(), thing.strip()) for thing in things.split(";")]
        domains.append((subjects.split("; "), acts))
    return domains


DOMAINS = _read()


def person(rng: Random) -> str:
    return f"{rng.choice(FIRST)} {rng.choice(LAST)}"


def event(rng: Random) -> Event:
    """An event of some domain; every third subject has a name."""
    subjects, acts = rng.choice(DOMAINS)
    return _event(rng, subjects, *rng.choice(acts))


def two_events(rng: Random) -> tuple[Event, Event]:
    """Two different acts of one subject."""
    subjects, acts = rng.choice(DOMAINS)
    first, second = rng.sample(acts, 2)
    one = _event(rng, subjects, *first)
    base, thing = second
    before, part = past(base)
    return one, Event(one.subject, one.other, base, before, part, gerund(base), thing)


def _event(rng: Random, subjects: list[str], base: str, thing: str) -> Event:
    who, other = rng.sample(subjects, 2)
    if rng.random() < 0.35:
        who = person(rng)
    if rng.random() < 0.35:
        other = person(rng)
    before, part = past(base)
    return Event(who, other, base, before, part, gerund(base), thing)
