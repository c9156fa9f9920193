"""Names: one in another's place, and two that changed places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from pincite.judges.rules.observation import Observation, against
from pincite.judges.rules.reading import Sentence, Stretch, kept
from pincite.judges.rules.view import View
from pincite.judges.rules.vocabulary import COMMON, is_held, kin, stems, words
from pincite.judges.rules.words import is_name
from pincite.text.numbers.calendar import MONTHS
from pincite.text.terms import Term
from pincite.text.wordlists import word_set

REST_COVERED = 0.75
"""How much of the rest of the claim the sentence must hold before a name counts as another."""
SAME_PLACE = 1.5
"""From this fit on, two names have the same words round them."""
_ONE_WAY = stems("one-way verbs")
"""Verbs whose subject and object cannot change places without changing what is said."""
_ROLES = stems("roles")
"""Capitalised words that stand for a name without being one: `the Minister`, `the Company`."""
_VERB_LIKE = words("verbs after names")
_INTERJECTIONS = words("interjections")
_VERBS = words("verbs")
_BE = word_set("was were is are been being be")
_HAS = word_set("has had have")
_OFFICES = stems("offices")
_NO_OFFICE = word_set("the a an its their his her our and or of in for is")
_OFFICE = (
    rf"(?P<office>(?:[\w'-]+ ){{0,3}}(?:{'|'.join(sorted(words('offices')))}))(?!\w)"
    r"(?: of (?:the )?(?P<field>\w+))?"
)
_IS = r" (?P<is>is|was|are|were|became|remains) "
_HOLDS = re.compile(_IS + _OFFICE, re.IGNORECASE)
_HELD_BY = re.compile(rf"(?<!\w){_OFFICE}{_IS}\Z", re.IGNORECASE)
_NEAR = 80
_REACH = 5


class Name(Struct, frozen=True, gc=False):
    """A run of capitalised words: `terms[first:last]`."""

    first: int
    last: int
    stems: frozenset[str]
    text: str

    def is_other(self, other: Name) -> bool:
        """Whether the two cannot be the same one, an office or a kind of body aside."""
        shared = not self.stems.isdisjoint(other.stems) or alike(self.text, other.text)
        return not shared and not other.stems <= _ROLES


@kept
def find_names(stretch: Stretch) -> list[Name]:
    """The proper names of a sentence. Its first word counts when it is no everyday word."""
    names: list[Name] = []
    index = 0
    while index < len(stretch.terms):
        if not _begins_name(stretch.terms, index):
            index += 1
            continue
        last = index + 1
        while last < len(stretch.terms) and _goes_on(stretch, last):
            last += 1
        names.append(_name(stretch, index, last))
        index = last
    return names


def _name(stretch: Stretch, first: int, last: int) -> Name:
    run = stretch.terms[first:last]
    return Name(first, last, frozenset(t.stem for t in run), stretch.text[run[0].start : run[-1].end])


def _begins_name(terms: Sequence[Term], index: int) -> bool:
    term = terms[index]
    if term.stop and not (term.text.isupper() and len(term.text) > 1):
        return False
    if not is_name(term, False) or term.text.lower() in MONTHS:
        return False
    if index:
        return True
    following = terms[1] if len(terms) > 1 else None
    if term.stem in COMMON:
        return following is not None and is_name(following, False)
    if following is None or term.text.endswith(("'s", "’s")):
        return True
    return is_name(following, False) or following.text.lower() in _VERB_LIKE


def _goes_on(stretch: Stretch, index: int) -> bool:
    before, term = stretch.terms[index - 1], stretch.terms[index]
    joined = stretch.text[before.end : term.start] in {" ", "-", ". ", " . ", "’", "'", " - "}
    return joined and is_name(term, False)


@kept
def _opening(stretch: Stretch) -> Name | None:
    """The first content word, when only an article is before it and it may be a name."""
    terms = stretch.terms
    first = 1 if terms and terms[0].text.lower() in {"the", "a", "an"} else 0
    if first >= len(terms) or terms[first].stop or not terms[first].text[0].isupper():
        return None
    known = terms[first].stem in COMMON or terms[first].text.lower() in _INTERJECTIONS
    return None if known else _name(stretch, first, first + 1)


def alike(one: str, two: str) -> bool:
    """Spellings and short forms of one name: `US` and `United States`, `Hickam` and `Hickman`."""
    short, long = sorted((one, two), key=len)
    if short.replace(".", "").upper() == "".join(word[0] for word in long.split()).upper():
        return True
    return any(_near_spelling(a, b) for a in one.lower().split()[:4] for b in two.lower().split()[:4])


def _near_spelling(one: str, two: str) -> bool:
    if one[:1] != two[:1] or abs(len(one) - len(two)) > 3 or min(len(one), len(two)) < 4:
        return one == two
    return one[:4] == two[:4] or sorted(one) == sorted(two)


# --- one name in another's place -----------------------------------------------------------------


def find_swap(view: View, sentence: Sentence) -> list[Observation]:
    """A name that no passage holds, where the sentence has another in its place and all else agrees.

    A word that only may be a name, since it opens the claim, is doubted.
    """
    claim, everything = view.claim, view.everything
    names = find_names(claim)
    strangers = [name for name in names if not any(is_held(stem, everything) for stem in name.stems)]
    if not strangers:
        opening = _opening(claim)
        if opening is None or opening in names or not opening.stems <= view.missing:
            return _find_clash(view, names, sentence)
        strangers = [opening]
    if len(strangers) > 1 or _rest_held(claim, strangers[0].stems, sentence) < REST_COVERED:
        return []
    stranger, read = strangers[0], sentence.read
    others = find_names(read)
    first = _opening(read)
    if first is not None and first not in others and (stranger not in names or _deed(read.terms, first)):
        others = [*others, first]
    best: tuple[float, Name] | None = None
    for name in others:
        if name.stems & claim.stems or name.stems <= _ROLES:
            continue
        if alike(stranger.text, name.text):
            return []
        fit = _slot_fit(claim.terms, stranger, read.terms, name)
        if same_relation(claim.terms, stranger, read.terms, name):
            fit = max(fit, SAME_PLACE)
        if fit >= SAME_PLACE and (best is None or fit > best[0]):
            best = fit, name
    if best is None:
        return []
    found = another_name(stranger.text, best[1].text, sentence)
    if stranger in names:
        return [found]
    return [Observation("doubt", "entity", found.words, 0.0, found.reason, sentence)]


def another_name(here: str, there: str, sentence: Sentence) -> Observation:
    return against("entity", here, there, sentence, reason=f"{here} in the claim, {there} in the source")


def _rest_held(claim: Stretch, known: frozenset[str], sentence: Sentence) -> float:
    rest = [term for term in claim.terms if not term.stop and term.stem not in known]
    held = sum([is_held(term.stem, sentence.stems) for term in rest])
    return held / len(rest) if rest else 0.0


def _find_clash(view: View, mine: Sequence[Name], sentence: Sentence) -> list[Observation]:
    """`Lake Pelisse` against `Lake Orvand`, `Baltic Sea` against `North Sea`: one word of two is another."""
    claim, terms = view.claim.terms, sentence.read.terms
    pairs = [(one, two) for one in mine for two in find_names(sentence.read)]
    for one, two in pairs:
        if one.last - one.first != 2 or two.last - two.first != 2 or _slot_fit(claim, one, terms, two) < 1.0:
            continue
        for strange, shared in ((0, 1), (1, 0)):
            here, there = claim[one.first + strange], terms[two.first + strange]
            same = claim[one.first + shared].stem == terms[two.first + shared].stem
            if not same or is_held(here.stem, view.everything) or there.stop or alike(here.text, there.text):
                continue
            if _ROLES.isdisjoint({here.stem, there.stem}):
                return [another_name(one.text, two.text, sentence)]
    return []


def _slot_fit(claim: Sequence[Term], one: Name, terms: Sequence[Term], two: Name) -> float:
    """How alike the two places are: the content word before and after, and the word directly before."""
    fit = 0.0
    if not _opens(claim, one) and not _opens(terms, two):
        if claim[one.first - 1].stop and claim[one.first - 1].stem == terms[two.first - 1].stem:
            fit += 0.5
        fit += _same(_content(claim, one.first - 1, -1), _content(terms, two.first - 1, -1))
    elif _opens(claim, one) and _opens(terms, two):
        fit += 0.5
    return fit + _same(_content(claim, one.last, 1), _content(terms, two.last, 1))


def _same(one: Term | None, two: Term | None) -> bool:
    return one is not None and two is not None and two.stem in kin(one.stem)


def _opens(terms: Sequence[Term], name: Name) -> bool:
    """Whether only function words come before the name."""
    return name.first < 4 and all(term.stop for term in terms[: name.first])


def _content(terms: Sequence[Term], index: int, step: int) -> Term | None:
    places = range(index, index + 4 * step, step)
    return next((terms[at] for at in places if 0 <= at < len(terms) and not terms[at].stop), None)


# --- what a name does or has ---------------------------------------------------------------------


def same_relation(claim: Sequence[Term], mine: Name, source: Sequence[Term], theirs: Name) -> bool:
    """Whether two names do the same thing or have the same thing.

    `Paris hosted it` and `it was hosted by London`; `Oslo's population`, `the population of Bergen` and `Rome
    has a population`.
    """
    for find in (_deed, _belonging):
        here, there = find(claim, mine), find(source, theirs)
        if here and there and there in kin(here):
            return True
    return False


def _deed(terms: Sequence[Term], name: Name) -> str:
    """The stem of what the name does: the verb after it, or the one before `by`."""
    if _by(terms, name):
        for place in range(name.first - 2, max(-1, name.first - _REACH - 1), -1):
            before = {term.text.lower() for term in terms[max(0, place - 3) : place]}
            passive = not _BE.isdisjoint(before) or terms[place].text.endswith(("ed", "en"))
            if not terms[place].stop and passive:
                return terms[place].stem
        return ""
    place = name.last
    if place < len(terms) and terms[place].text.lower() in {*_HAS, "also", "first"}:
        place += 1
    if place >= len(terms) or terms[place].stop or not terms[place].text.islower():
        return ""
    verb = terms[place].text.endswith("ed") or terms[place].text in _VERBS
    return terms[place].stem if verb else ""


def _by(terms: Sequence[Term], name: Name) -> bool:
    return name.first >= 2 and terms[name.first - 1].text.lower() == "by"


def _belonging(terms: Sequence[Term], name: Name) -> str:
    """The stem of what the name has: `population` in all three ways of saying it."""
    first, last = name.first, name.last
    if terms[last - 1].text.endswith(("'s", "’s")) and last < len(terms) and not terms[last].stop:
        return terms[last].stem
    if first >= 2 and terms[first - 1].text.lower() == "of" and not terms[first - 2].stop:
        return terms[first - 2].stem
    together = any(term.text.lower() == "and" for term in terms[max(0, first - 3) : first])
    if last < len(terms) and terms[last].text.lower() in _HAS and not together:
        had = next((term for term in terms[last + 1 : last + 3] if not term.stop), None)
        return had.stem if had is not None and not had.text[0].isdigit() else ""
    return ""


# --- names that the passages hold, in the wrong part ---------------------------------------------


def find_maker(view: View, sentence: Sentence) -> list[Observation]:
    """`founded by Smith` against `founded by Doe`, although Smith is elsewhere in the source."""
    claim, read = view.claim, sentence.read
    for name in find_names(claim):
        deed = _deed(claim.terms, name) if _by(claim.terms, name) else ""
        if not deed or not name.stems.isdisjoint(sentence.stems) or _is_beside(name, deed, sentence):
            continue
        for other in find_names(read):
            done = _deed(read.terms, other) if _by(read.terms, other) else ""
            if done in kin(deed) and name.is_other(other):
                held = _rest_held(claim, name.stems, sentence) >= REST_COVERED
                return [another_name(name.text, other.text, sentence)] if held else []
    return []


def _is_beside(name: Name, deed: str, sentence: Sentence) -> bool:
    """Whether another sentence puts the name beside the deed: `Smith was a co-founder`."""
    return any(
        not name.stems.isdisjoint(other.stems) and any(deed in term.text.lower() for term in other.terms)
        for other in sentence.reading.read_sentences
    )


class Held(Struct, frozen=True):
    """An office, who holds it, and the tense in which that is said."""

    office: str
    field: str
    """What the office is of: `sales` in `director of sales`."""
    copula: str
    name: Name
    text: str


def find_holder(view: View, sentence: Sentence) -> list[Observation]:
    """`Smith is the CFO` against `the CFO is Jones`."""
    for held in _offices(view.claim):
        # Offices pass from one to the next; only the present has one holder.
        if held.copula != "is" and not held.name.stems.isdisjoint(sentence.stems):
            continue
        others = [
            other
            for other in _offices(sentence.read)
            if (other.office, other.copula) == (held.office, held.copula) and held.field in ("", other.field)
        ]
        if others and all(held.name.is_other(other.name) for other in others):
            return [another_name(held.text, others[0].text, sentence)]
    return []


@kept
def _offices(stretch: Stretch) -> list[Held]:
    found, text = [], stretch.text
    for name in find_names(stretch):
        start, end = stretch.terms[name.first].start, stretch.terms[name.last - 1].end
        match = _HOLDS.match(text, end) or _HELD_BY.search(text[max(0, start - _NEAR) : start])
        if match is None or not _OFFICES.isdisjoint(name.stems):
            continue
        office = _office(match["office"])
        behind = match.re is _HOLDS
        held = text[start : match.end("office")] if behind else f"{office} {match['is']} {name.text}"
        found.append(Held(office, (match["field"] or "").lower(), match["is"].lower(), name, held))
    return found


def _office(run: str) -> str:
    """The words of an office; `chief financial officer` is written as `cfo`."""
    words = run.lower().split()
    before = [place for place, word in enumerate(words) if word in _NO_OFFICE or "'s" in word]
    words = words[before[-1] + 1 :] if before else words
    if words[0] == "chief" and len(words) > 1:
        return {"ce": "ceo"}.get(initials := "".join(word[0] for word in words), initials)
    return " ".join(words)


def find_role_swap(view: View, sentence: Sentence) -> list[Observation]:
    """`A acquired B` against `B acquired A`, the passive taken into account."""
    claim, read = view.claim, sentence.read
    for one, two in pairwise(find_names(claim)):
        verb = _one_way_verb(claim, one, two)
        first, second = (
            next((name for name in find_names(read) if name.stems & mine.stems), None) for mine in (one, two)
        )
        if verb is None or first is None or second is None or one.stems & two.stems:
            continue
        straight = first.last <= second.first
        first, second = (first, second) if straight else (second, first)
        other = _one_way_verb(read, first, second)
        turned = _passive(claim, one, two) != _passive(read, first, second)
        if other is None or other.stem not in kin(verb.stem) or straight != turned:
            continue
        words = _stretch(claim, one, two), _stretch(read, first, second)
        reason = f'"{words[0]}" in the claim, "{words[1]}" in the source: the roles are swapped'
        return [against("entity", *words, sentence, reason=reason)]
    return []


def _one_way_verb(stretch: Stretch, one: Name, two: Name) -> Term | None:
    """The one verb between two names, when it is a verb with a direction."""
    between = stretch.terms[one.last : two.first]
    verbs = [term for term in between if term.stem in _ONE_WAY]
    return verbs[0] if len(verbs) == 1 and len(between) <= _REACH else None


def _passive(stretch: Stretch, one: Name, two: Name) -> bool:
    return any(term.text.lower() == "by" for term in stretch.terms[one.last : two.first])


def _stretch(stretch: Stretch, one: Name, two: Name) -> str:
    return stretch.text[stretch.terms[one.first].start : stretch.terms[two.last - 1].end]
