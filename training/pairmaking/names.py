"""Names in a text, and of which kind they are: a person, a place, a nationality, or something else."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Name:
    """A name as it stands, where it starts, and its kind."""

    text: str
    start: int
    kind: str


NATIONALITIES = (
    "American British English Scottish Welsh Irish French German Italian Spanish Portuguese Dutch "
    "Belgian Swiss Austrian Swedish Norwegian Danish Finnish Polish Czech Hungarian Romanian "
    "Bulgarian Greek Turkish Russian Ukrainian Canadian Mexican Brazilian Argentine Chilean Colombian "
    "Australian Japanese Chinese Korean Indian Pakistani Egyptian Nigerian Kenyan Israeli Iranian "
    "Croatian Serbian Icelandic Cuban Peruvian"
).split()
PLACES = (
    "England Scotland Wales Ireland France Germany Italy Spain Portugal Belgium Switzerland Austria "
    "Sweden Norway Denmark Finland Poland Hungary Romania Bulgaria Greece Turkey Russia Ukraine "
    "Canada Mexico Brazil Argentina Chile Colombia Australia Japan China India Pakistan Egypt Nigeria "
    "Kenya Israel Iran Croatia Serbia Iceland Cuba Peru London Paris Berlin Madrid Rome Vienna Prague "
    "Warsaw Moscow Tokyo Beijing Shanghai Mumbai Delhi Sydney Melbourne Toronto Montreal Vancouver "
    "Chicago Boston Houston Dallas Denver Detroit Seattle Atlanta Miami Philadelphia Baltimore "
    "California Texas Florida Ohio Michigan Virginia Georgia Oregon Washington Arizona Colorado "
    "Illinois Kansas Kentucky Louisiana Maryland Minnesota Missouri Nevada Tennessee Utah Wisconsin "
    "Alabama Alaska Hawaii Indiana Iowa Manchester Liverpool Birmingham Leeds Glasgow Edinburgh "
    "Dublin Belfast Barcelona Milan Naples Turin Munich Hamburg Lisbon Athens Istanbul Cairo Lagos "
    "Nairobi"
).split()
FIRST_NAMES = (
    "James John Robert Michael William David Richard Joseph Thomas Charles Christopher Daniel Matthew "
    "Anthony Mark Donald Steven Paul Andrew Joshua Kenneth Kevin Brian George Edward Ronald Timothy "
    "Jason Jeffrey Ryan Jacob Gary Nicholas Eric Jonathan Stephen Larry Justin Scott Brandon Benjamin "
    "Samuel Frank Gregory Raymond Alexander Jack Dennis Jerry Tyler Aaron Henry Adam Peter Nathan "
    "Zachary Walter Kyle Harold Carl Arthur Roger Keith Jeremy Terry Sean Austin Joe Jesse Bryan "
    "Billy Bruce Albert Alan Louis Russell Philip Harry Vincent Bobby Ralph Roy Eugene Mary Patricia "
    "Jennifer Linda Elizabeth Barbara Susan Jessica Sarah Karen Nancy Lisa Margaret Betty Sandra "
    "Ashley Kimberly Emily Donna Michelle Carol Amanda Melissa Deborah Stephanie Rebecca Laura Sharon "
    "Cynthia Kathleen Amy Shirley Angela Helen Anna Brenda Pamela Nicole Emma Samantha Katherine "
    "Christine Rachel Janet Catherine Maria Heather Diane Ruth Julie Olivia Joyce Virginia Victoria "
    "Kelly Lauren Christina Joan Evelyn Judith Andrea Hannah Megan Cheryl Jacqueline Martha Gloria "
    "Teresa Ann Sara Madison Kathryn Tom Ben Chris Matt Mike Steve Dave Jim Bob Will Sam Nick Tony "
    "Martin Simon Ian Neil Graham Stuart Craig Hugh Oliver Liam Noah Ethan Mohamed Ali Luis Carlos "
    "Juan Jose Pedro Diego Marco Luca Hans Karl Lars Sven Ivan Boris Vladimir Sergei Akira Hiroshi "
    "Kenji Raj Amit Leonardo"
).split()
_NATIONALITIES = frozenset(NATIONALITIES)
_PLACES = frozenset(PLACES)
_FIRST_NAMES = frozenset(FIRST_NAMES)
_NOT_NAMES = frozenset(
    "The A An In On At By For From With Of He She It They His Her Its Their This That These Those As "
    "After Before During While When Where Although However And But Or If There January February March "
    "April May June July August September October November December Monday Tuesday Wednesday Thursday "
    "Friday Saturday Sunday I We You Both All "
    "Some Many Most Since Until Under Over Between Following According Despite Due Originally "
    "Currently".split()
)
_SPAN = re.compile(
    r"(?<![\w'-])[A-Z][A-Za-zÀ-ÿ'.-]*[A-Za-zÀ-ÿ](?: [A-Z][A-Za-zÀ-ÿ'.-]*[A-Za-zÀ-ÿ]){0,3}(?![\w'-])"
)


def find_names(text: str) -> list[Name]:
    """The names of a text, left to right. A leading word that only opens the sentence is left out."""
    found: list[Name] = []
    for match in _SPAN.finditer(text):
        words = match[0].split(" ")
        start = match.start()
        while words and words[0] in _NOT_NAMES:
            start += len(words[0]) + 1
            words = words[1:]
        if not words or any(word in _NOT_NAMES for word in words):
            continue
        kind = _kind(words)
        if kind:
            found.append(Name(" ".join(words), start, kind))
    return found


def _kind(words: list[str]) -> str:
    if len(words) == 1:
        if words[0] in _NATIONALITIES:
            return "nationality"
        if words[0] in _PLACES:
            return "place"
        return ""
    if words[0] in _FIRST_NAMES and len(words) == 2 and words[1] not in _PLACES:
        return "person"
    if any(word in _NATIONALITIES or word in _PLACES for word in words):
        return ""
    return "thing"
