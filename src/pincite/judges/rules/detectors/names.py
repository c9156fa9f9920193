"""Names: one that stands in another's place, and two that changed places."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from pincite.judges.rules.observation import Observation
from pincite.judges.rules.reading import Sentence, Stretch, kept
from pincite.judges.rules.view import View
from pincite.judges.rules.vocabulary import COMMON, is_held, kin, stems, words
from pincite.judges.rules.words import is_name
from pincite.text.numbers.calendar import MONTHS
from pincite.text.terms import Term

_JOINERS = frozenset({"of", "de", "van", "von", "der", "the", "and", "&", "la", "le", "del", "di"})
WEIGHT = 3.0
REST_COVERED = 0.75
"""How much of the rest of the claim the sentence must hold before a name counts as swapped."""

_ONE_WAY = stems("one-way verbs")
"""Verbs whose subject and object cannot change places without changing what is said."""


_ROLES = stems("roles")
"""Capitalised words that stand for a name without being one: `the Minister`, `the Company`."""


class Name(Struct, frozen=True, gc=False):
    """A run of capitalised words: `terms[first:last]`."""

    first: int
    last: int
    stems: frozenset[str]
    text: str


@kept
def find_names(stretch: Stretch) -> list[Name]:
    """The proper names of a sentence. Its first word counts when it is no everyday word."""
    text, terms = stretch.text, stretch.terms
    names: list[Name] = []
    index = 0
    while index < len(terms):
        if not _begins_name(terms, index):
            index += 1
            continue
        last = index + 1
        while (
            last < len(terms) and _joined(text, terms[last - 1], terms[last]) and is_name(terms[last], False)
        ):
            last += 1
        run = terms[index:last]
        names.append(Name(index, last, frozenset(t.stem for t in run), text[run[0].start : run[-1].end]))
        index = last
    return names


def _begins_name(terms: Sequence[Term], index: int) -> bool:
    term = terms[index]
    if term.stop and not (term.text.isupper() and len(term.text) > 1):
        return False
    if not is_name(term, False) or term.text.lower() in MONTHS:
        return False
    if index == 0:
        following = terms[1] if len(terms) > 1 else None
        if term.stem in COMMON:
            return following is not None and is_name(following, False)
        if term.text.endswith(("'s", "’s")):
            return True
        return following is None or is_name(following, False) or following.text.lower() in _VERB_LIKE
    return True


_VERB_LIKE = words("verbs after names")


def _joined(text: str, one: Term, two: Term) -> bool:
    return text[one.end : two.start] in {" ", "-", ". ", " . ", "’", "'", " - "}


def find_swap(view: View, sentence: Sentence) -> list[Observation]:
    """A name that no passage holds, where the sentence has another in its place and all else agrees."""
    reading, everything = view.claim, view.everything
    claim, mine = reading.terms, find_names(reading)
    strangers = [name for name in mine if not any(is_held(stem, everything) for stem in name.stems)]
    if not strangers:
        return _find_clash(claim, mine, sentence, everything)
    if len(strangers) > 1:
        return []
    stranger = strangers[0]
    terms = sentence.terms()
    held = sentence.read.stems
    rest = [term for term in claim if not term.stop and term.stem not in stranger.stems]
    covered = sum([is_held(term.stem, held) for term in rest])
    if not rest or covered < REST_COVERED * len(rest):
        return []
    known = reading.stems
    best: tuple[float, Name] | None = None
    for name in [*find_names(sentence.read), *_opening_doer(terms)]:
        if name.stems & known or is_role(name):
            continue
        if alike(stranger.text, name.text):
            return []
        fit = _slot_fit(claim, stranger, terms, name)
        if same_relation(claim, (stranger.first, stranger.last), terms, (name.first, name.last)):
            fit = max(fit, 1.5)
        if fit >= 1.5 and (best is None or fit > best[0]):
            best = fit, name
    if best is None:
        return []
    return [another_name(stranger.text, best[1].text, sentence)]


def another_name(here: str, there: str, sentence: Sentence) -> Observation:
    reason = f"{here} in the claim, {there} in the source"
    return Observation("against", "entity", (here, there), WEIGHT, reason, sentence)


def is_role(name: Name) -> bool:
    """Whether a name is only an office or a kind of body, which may be held by the one that is meant."""
    return name.stems <= _ROLES


def _opening_doer(terms: Sequence[Term]) -> list[Name]:
    """The first word of a sentence, when it does something: `London hosted the games`."""
    if not terms or terms[0].stop or terms[0].stem in COMMON or not deed(terms, 0, 1):
        return []
    first = terms[0]
    return [Name(0, 1, frozenset({first.stem}), first.text)] if first.text[0].isupper() else []


def _find_clash(
    claim: Sequence[Term], mine: Sequence[Name], sentence: Sentence, everything: frozenset[str]
) -> list[Observation]:
    """`Lake Pelisse` against `Lake Orvand`, `Baltic Sea` against `North Sea`: one word of two is another."""
    for name in mine:
        if name.last - name.first != 2:
            continue
        first, last = claim[name.first], claim[name.last - 1]
        strange = [term for term in (first, last) if not is_held(term.stem, everything)]
        if len(strange) != 1 or strange[0].stem in _ROLES:
            continue
        terms = sentence.terms()
        for other in find_names(sentence.read):
            if other.last - other.first != 2:
                continue
            theirs = terms[other.first], terms[other.last - 1]
            shared, changed = (theirs[1], theirs[0]) if strange[0] is first else theirs
            mine_shared = last if strange[0] is first else first
            if shared.stem != mine_shared.stem or changed.stem in _ROLES or changed.stop:
                continue
            if alike(strange[0].text, changed.text):
                continue
            if _slot_fit(claim, name, terms, other) >= 1.0:
                return [another_name(name.text, other.text, sentence)]
    return []


def alike(one: str, two: str) -> bool:
    """Spellings and short forms of one name: `US` and `United States`, `Hickam` and `Hickman`."""
    short, long = sorted((one, two), key=len)
    initials = "".join(word[0] for word in long.split())
    if short.replace(".", "").upper() == initials.upper():
        return True
    words_one, words_two = one.lower().split(), two.lower().split()
    return any(_near_spelling(a, b) for a in words_one[:4] for b in words_two[:4])


def _near_spelling(one: str, two: str) -> bool:
    if one[:1] != two[:1] or abs(len(one) - len(two)) > 3 or min(len(one), len(two)) < 4:
        return one == two
    return one[:4] == two[:4] or sorted(one) == sorted(two)


def _slot_fit(claim: Sequence[Term], one: Name, terms: Sequence[Term], two: Name) -> float:
    """How alike the two places are: the content word before and after, and the word directly before."""
    fit = 0.0
    if not _opens(claim, one) and not _opens(terms, two):
        if claim[one.first - 1].stop and claim[one.first - 1].stem == terms[two.first - 1].stem:
            fit += 0.5
        before, other = _content(claim, one.first - 1, -1), _content(terms, two.first - 1, -1)
        if before and other and other.stem in kin(before.stem):
            fit += 1.0
    elif _opens(claim, one) and _opens(terms, two):
        fit += 0.5
    after, other = _content(claim, one.last, 1), _content(terms, two.last, 1)
    if after and other and other.stem in kin(after.stem):
        fit += 1.0
    return fit


def _opens(terms: Sequence[Term], name: Name) -> bool:
    """Whether nothing but grammar stands before the name."""
    return all(term.stop for term in terms[: name.first][:4]) and name.first < 4


def _content(terms: Sequence[Term], index: int, step: int) -> Term | None:
    for _ in range(4):
        if not 0 <= index < len(terms):
            return None
        if not terms[index].stop:
            return terms[index]
        index += step
    return None


def find_role_swap(view: View, sentence: Sentence) -> list[Observation]:
    """`A acquired B` against `B acquired A`, the passive taken into account."""
    reading = view.claim
    mine = find_names(reading)
    if len(mine) < 2 or _ONE_WAY.isdisjoint(reading.stems):
        return []
    claim, terms, text = reading.terms, sentence.terms(), sentence.reading.text
    theirs = find_names(sentence.read)
    for one, two in pairwise(mine):
        verb = _one_way_verb(claim[one.last : two.first])
        there_one = next((name for name in theirs if name.stems & one.stems), None)
        there_two = next((name for name in theirs if name.stems & two.stems), None)
        if verb is None or there_one is None or there_two is None or one.stems & two.stems:
            continue
        straight = there_one.last <= there_two.first
        first, second = (there_one, there_two) if straight else (there_two, there_one)
        between = terms[first.last : second.first]
        other = _one_way_verb(between)
        if other is None or other.stem not in kin(verb.stem):
            continue
        turned = _is_passive(claim[one.last : two.first]) != _is_passive(between)
        if straight != turned:
            continue
        here = reading.text[claim[one.first].start : claim[two.last - 1].end]
        there = text[terms[first.first].start : terms[second.last - 1].end]
        reason = f'"{here}" in the claim, "{there}" in the source: the roles are swapped'
        return [Observation("against", "entity", (here, there), WEIGHT, reason, sentence)]
    return []


def _one_way_verb(between: Sequence[Term]) -> Term | None:
    """The one verb between two names, when it is a verb with a direction."""
    if len(between) > 5:
        return None
    verbs = [term for term in between if term.stem in _ONE_WAY]
    return verbs[0] if len(verbs) == 1 else None


def _is_passive(between: Sequence[Term]) -> bool:
    return any(term.text.lower() == "by" for term in between)


# --- the relation in which a name stands ---------------------------------------------------------

_REACH = 5
_HAS = frozenset({"has", "had", "have"})
_BE = frozenset({"was", "were", "is", "are", "been", "being", "be"})


def same_relation(
    claim: Sequence[Term], mine: tuple[int, int], source: Sequence[Term], theirs: tuple[int, int]
) -> bool:
    """Whether two names, `terms[first:last]`, do the same thing or have the same thing.

    `Paris hosted it` and `it was hosted by London`; `Oslo's population`, `the population of Bergen` and `Rome
    has a population`.
    """
    for find in (deed, _belonging):
        here, there = find(claim, *mine), find(source, *theirs)
        if here and there and there in kin(here):
            return True
    return False


def deed(terms: Sequence[Term], first: int, last: int) -> str:
    """The stem of what the name does: the verb after it, or the one before `by`."""
    if first >= 2 and terms[first - 1].text.lower() == "by":
        place = first - 2
        while place >= 0 and first - place <= _REACH:
            if not terms[place].stop and _after_by(terms, place):
                return terms[place].stem
            place -= 1
        return ""
    place = last
    if place < len(terms) and terms[place].text.lower() in {"has", "had", "have", "also", "first"}:
        place += 1
    if place < len(terms) and not terms[place].stop and _is_verb(terms[place].text):
        return terms[place].stem
    return ""


def _after_by(terms: Sequence[Term], place: int) -> bool:
    before = [term.text.lower() for term in terms[max(0, place - 3) : place]]
    return any(word in _BE for word in before) or terms[place].text.endswith(("ed", "en"))


_VERBS = words("verbs")


def _is_verb(word: str) -> bool:
    """As far as that can be told without a grammar: a past form, or a common verb."""
    return word.islower() and (word.endswith("ed") or word in _VERBS)


def _belonging(terms: Sequence[Term], first: int, last: int) -> str:
    """The stem of what the name has: `population` in all three ways of saying it."""
    name = terms[last - 1].text
    if name.endswith(("'s", "’s")) and last < len(terms) and not terms[last].stop:
        return terms[last].stem
    if first >= 2 and terms[first - 1].text.lower() == "of" and not terms[first - 2].stop:
        return terms[first - 2].stem
    together = any(term.text.lower() == "and" for term in terms[max(0, first - 3) : first])
    if last < len(terms) and terms[last].text.lower() in _HAS and not together:
        for term in terms[last + 1 : last + 3]:
            if not term.stop:
                return term.stem if not term.text[0].isdigit() else ""
    return ""
