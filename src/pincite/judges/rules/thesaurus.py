"""Small word lists of our own: words of one meaning, words of opposite meaning, words that say little."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache

from pincite.text.terms import stem

_SAME = """
film movie picture
worldwide globally global international internationally
foreign overseas abroad
review critic
recover recovery
patient case
buy purchase acquire acquisition
begin start commence launch
end finish conclude
death die decease fatality fatal
kill slay murder
kill killed fatal fatality death
infect infection case
show demonstrate reveal indicate
say state announce declare
large big huge
small little tiny
earn gross make
win victory defeat beat
author writer write
director direct helm
actor actress star
singer vocalist sing
song track single
team club squad
company firm corporation business
country nation
city town
child kid
doctor physician
car automobile vehicle
house home residence
job occupation profession
live reside inhabit
marry wed spouse wife husband
help aid assist
get receive obtain
give provide supply
build construct erect
find discover
old elderly aged
fast quick rapid
important significant major
sick ill ailing
increase rise grow growth climb
decrease decline fall drop reduce reduction
cause lead
fan spectator attendee
people person individual
american us usa
british uk
cut slash
revenue sales turnover
staff employee employ worker personnel
affect effect impact
function work operate run
inhabitant resident
copy unit
reject refuse decline
approve accept
permit allow
forbid ban prohibit
cancel scrap
leave depart exit
join enter
publish release
produce make manufacture
test trial
sell sale
vaccine vaccination vaccinate
risk danger
"""

_OPPOSITE = """
approve reject
approve deny
accept reject
accept refuse
increase decrease
increase decline
increase reduce
increase fall
rise fall
rise drop
rise decline
rise decrease
grow shrink
grow fall
grow decline
gain lose
gain loss
gain drop
up down
higher lower
more less
more fewer
high low
larger smaller
longer shorter
older younger
faster slower
better worse
most least
improve worsen
improve deteriorate
expand contract
expand shrink
raise lower
raise cut
strengthen weaken
win lose
success failure
succeed fail
profit loss
surplus deficit
open close
begin end
start end
start stop
start finish
before after
early late
earlier later
above below
over under
maximum minimum
positive negative
safe dangerous
safe unsafe
effective ineffective
legal illegal
possible impossible
likely unlikely
common rare
frequent rare
present absent
include exclude
allow forbid
allow ban
allow prohibit
permit forbid
permit prohibit
legalise ban
support oppose
favor oppose
agree disagree
confirm deny
confirm refute
love hate
praise criticise
praise criticize
hire fire
import export
enter leave
arrive depart
join leave
north south
east west
northern southern
eastern western
father mother
son daughter
brother sister
husband wife
boy girl
alive dead
true false
right wrong
correct incorrect
public private
guilty innocent
convict acquit
summer winter
hot cold
warm cold
wet dry
strong weak
rich poor
young old
easy difficult
easy hard
simple complex
cheap expensive
fast slow
full empty
major minor
majority minority
internal external
domestic foreign
local national
temporary permanent
voluntary mandatory
optional mandatory
optional required
optional compulsory
active inactive
healthy sick
enable disable
encourage discourage
attack defend
create destroy
build destroy
remember forget
appear disappear
upgrade downgrade
inflow outflow
asset liability
superior inferior
ascend descend
advantage disadvantage
benefit harm
help hurt
help harm
prevent cause
protect endanger
pass fail
ahead behind
direct indirect
single multiple
exceed miss
outperform underperform
overestimate underestimate
bullish bearish
deny admit
add remove
lift impose
"""

_COMMON = """
people person year time way thing make take come go know see look want give find tell ask work seem feel try
call need become leave put mean keep begin show hear play run move live believe bring happen write provide
sit stand lose pay meet include continue set learn change lead understand watch follow stop create speak
read allow add spend grow open walk win offer remember consider appear buy wait serve die send expect build
stay fall reach remain suggest raise pass sell require report decide new good first last long great little
own other old right big high different small large next early young important few public bad same able part
place case week company system program question government number night point home water room mother area
money story fact month lot study book eye job word business issue side kind head house service friend father
power hour game line end member law car city community name president team minute idea kid body information
back parent face level office door health art war history party result morning reason research girl guy
moment air teacher force education also currently one two three total based approximately several various
receive get
"""


_NEGATIVE = """
fail failure refuse reject decline deny lack unable insufficient contrary zero yet impossible prevent stop
end ended lose lost absent missing except excluding barely hardly rarely seldom unlikely false incorrect
untrue avoid abandon cancel withdraw inaccurate ineffective instead unsuccessful
"""

_PEOPLES = """
africa african / america american / argentina argentine argentinian / asia asian / australia australian
austria austrian / belgium belgian / brazil brazilian / britain british / bulgaria bulgarian
california californian / canada canadian / chile chilean / china chinese / colombia colombian / cuba cuban
denmark danish / egypt egyptian / england english / europe european / finland finnish / france french
germany german / greece greek / hungary hungarian / india indian / iran iranian / iraq iraqi / ireland irish
israel israeli / italy italian / japan japanese / korea korean / mexico mexican / morocco moroccan
netherlands dutch / norway norwegian / pakistan pakistani / poland polish / portugal portuguese
romania romanian / russia russian / scotland scottish / spain spanish / sweden swedish / switzerland swiss
thailand thai / turkey turkish / ukraine ukrainian / vietnam vietnamese / wales welsh
"""


def _groups(text: str) -> list[list[str]]:
    return [[stem(word) for word in line.split()] for line in text.strip().splitlines()]


def _same() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for group in _groups(_SAME + _PEOPLES.replace(" / ", "\n").lstrip()):
        for word in group:
            table.setdefault(word, set()).update(group)
    return {word: frozenset(others - {word}) for word, others in table.items()}


def _opposite() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for one, two in _groups(_OPPOSITE):
        table.setdefault(one, set()).add(two)
        table.setdefault(two, set()).add(one)
    return {word: frozenset(others - {word}) for word, others in table.items()}


SAME = _same()
"""Stem → stems that mean much the same."""
OPPOSITE = _opposite()
"""Stem → stems that mean the opposite."""
COMMON = frozenset(stem(word) for word in _COMMON.split())
"""Stems that are content words but say little about what a sentence is about."""

PEOPLES = frozenset(stem(word) for word in _PEOPLES.replace(" / ", " ").split())
"""Stems of countries and peoples."""

NEGATIVE = frozenset(stem(word) for word in _NEGATIVE.split())
"""Stems that say no without a `not`."""

KIN_SHARE = 0.8
"""What a word of the same meaning is worth against the word itself."""


_NONE: frozenset[str] = frozenset()


def is_held(word: str, held: Set[str]) -> bool:
    """Whether a stem or one of its kin is among those."""
    return word in held or not SAME.get(word, _NONE).isdisjoint(held)


@lru_cache(maxsize=1 << 15)
def kin(word: str) -> dict[str, float]:
    """The stems that stand for a stem, and how well: itself 1, its kin less."""
    return {word: 1.0} | dict.fromkeys(SAME.get(word, ()), KIN_SHARE)
