"""What tells an author from a title before a year: `Smith (2020)` from `Titanic (1997)`."""

from __future__ import annotations

import re

from pincite.citations.formats.shared import LISTS
from pincite.citations.formats.works import YEAR, is_organisation
from pincite.text.wordlists import word_set

_COMMON = frozenset(LISTS.words("surnames"))


_NAME = r"(?-i:[^\W\d_a-z])[\w'’-]{1,30}+"
# `(2020), Jones (2021) and Lee (2022)`: the verb that follows the last of them speaks for all.
_MORE_WORKS = rf"(?:[,;]?[ ](?:and[ ]|&[ ]|or[ ])?+{_NAME}(?:[ ]et[ ]al\.)?+[ ]\({YEAR}[a-z]?+\)){{0,6}}+"
_ASIDE = r"(?:,[ ](?:for example|for instance|in contrast|by contrast|however|in turn|too|among others),)?+"
_ADVERBS = (
    r"(?:(?:also|first|later|further|then|both|have|has|had|did not|does not|do not|\w{2,15}ly|"
    r"(?:was|were) (?:the first|able) to)[ ]){0,2}"
)
_HUMAN = re.compile(rf"{_ASIDE}[ ]{_ADVERBS}{LISTS.any_of('human verbs')}")
_REPORTING = re.compile(rf"{_MORE_WORKS}{_ASIDE}[ ]{_ADVERBS}{LISTS.any_of('reporting verbs')}", re.I)
_STUDIES = LISTS.any_of("studies")
_STUDY_AFTER = re.compile(rf"[ ]{_STUDIES}\b", re.I)
_DONE = LISTS.any_of("done")
# Words that lead to an author and hardly to a title; the weaker ones only where nothing speaks of art.
_LEADING_IN = re.compile(
    r"(?<![\w-])(?:according to|contrary to|(?:cited|quoted|reported|shown|conducted|made|written) by|"
    rf"{_STUDIES} (?:of|by|from|in)|{_DONE} (?:in|by|from)|"
    r"(?:consistent|agrees?|agreement|accordance|line|contrast|disagrees?) with)[ ](?:the[ ])?$",
    re.I,
)
_MAYBE_LEADING_IN = re.compile(
    r"(?<![\w-])(?:as in|see|see also|see, e\.g\.,|e\.g\.,?|cf\.|per|following|by|from|of|unlike|as did|like|"
    r"contra|contradicts?|confirms?|replicat\w{1,4}|extends?|challenges?|cit(?:es?|ing)|quot(?:es?|ing))"
    r"[ ](?:the[ ])?$",
    re.I,
)
# Before a name whose kind is open, `of` and `from` say little: the director of a film, a line from it.
_WEAKEST = re.compile(
    r"(?<![\w-])(?:(?:inspired|followed|preceded|influenced) by|of|from|like)[ ](?:the[ ])?$", re.I
)
_ART = r"films?|movies?|novels?|albums?|songs?|operas?|sequels?|musicals?|paintings?|sitcoms?"
_ART_BEFORE = re.compile(rf"\b(?:{_ART})[ ,]{{1,2}}$", re.I)
_MAYBE_ART_BEFORE = re.compile(r"\b(?:books?|games?|series|shows?|plays?)[ ,]{1,2}$", re.I)
_ART_NEAR = re.compile(
    rf"\b(?:{_ART}|directed|director|starring|starred|soundtrack|premiered|remake|actor|actress|cinema)\b",
    re.I,
)
_WORK_OF_ART = re.compile(
    r",? (?:directed|starring|written by|released|painted|which (?:won|was|is|starred)|where)\b"
    r"|, an? (?:\w+ ){0,2}(?:film|movie|novel|album|song|book|game|play)\b"
    r"|[ ](?:is|was|are|were|stars|starred|won|grossed|premiered|features)\b"
)
_ARTICLE = re.compile(r"(?:^|[^\w])(?:The|A|An)[ ]$")
_SMALL_ARTICLE = re.compile(r"(?<!\w)(?:the|this|that|a|an)[ ]$")
SMALL = word_set("van von de der den del della di da dos du la le ten ter of for the on")
# Capitalised at the head of a name. After an article of a Romance language a title stands as often.
_CAPITAL_PARTICLES = word_set("Van Von De Der Den Del Della Di Da Dos Du Ten Ter")
_CAPITAL_ARTICLES = frozenset(("La", "Le", "El", "Al"))
_NAME_SHAPE = re.compile(r"(?:Mac|Mc|Fitz)[A-Z]|[A-Z]['’][A-Z]|\w{2,20}-[A-Z]|(?:[A-Z]\.[ -]?){1,4}\w")


def is_author_before_year(name: str, text: str, start: int, found: re.Match[str], in_entry: bool) -> bool:
    """Whether one name before a year is an author for certain, and not the title of a film or a heading."""
    end = found.end()
    before = text[max(0, start - 48) : start]
    if _ART_BEFORE.search(before):
        return False
    reporting = reports(text, end)
    words = [word for word in name.split(" ") if not _is_particle(word) and not _is_initial(word)]
    if len(words) > 1:
        if is_organisation(name):
            return reporting or _leads_in(before)
        return len(words) == 2 and _HUMAN.match(text, end, end + 60) is not None
    if name.isupper() and len(name) > 1:
        return reporting or _leads_in(before)
    if _ARTICLE.search(before):
        return _HUMAN.match(text, end, end + 60) is not None
    return reporting or _is_lone_surname(name, text, start, found, before, in_entry)


def _is_lone_surname(
    name: str, text: str, start: int, found: re.Match[str], before: str, in_entry: bool
) -> bool:
    """One surname that no verb of reporting follows."""
    end = found.end()
    if _has_detail(name, text, start, found) or _LEADING_IN.search(before):
        return True
    if _SMALL_ARTICLE.search(before):
        return _STUDY_AFTER.match(text, end, end + 30) is not None
    if in_entry:
        return not is_work_of_art(text, start, end)
    if _MAYBE_ART_BEFORE.search(before) or _is_about_art(text, start, end):
        return False
    if _MAYBE_LEADING_IN.search(before) and not _WEAKEST.search(before):
        return True
    return _looks_like_a_surname(name)


def _is_about_art(text: str, start: int, end: int) -> bool:
    """Whether the sentence around the name speaks of films, albums and their like, near it."""
    left = text[max(0, start - 60) : start].rpartition(". ")[2]
    right = text[end : end + 60].partition(". ")[0]
    return _ART_NEAR.search(left) is not None or _ART_NEAR.search(right) is not None


def _has_detail(name: str, text: str, start: int, found: re.Match[str]) -> bool:
    """A page, a letter after the year, several years or a possessive: nobody cites a film like that."""
    return found[2] is not None or len(found[1]) != 4 or text[start + len(name)] != " "


def _looks_like_a_surname(name: str) -> bool:
    head, _, rest = name.partition(" ")
    if rest and head in _CAPITAL_ARTICLES:
        return False
    if rest and (_is_particle(head) or _is_initial(head)):
        return True
    return _NAME_SHAPE.match(name) is not None or name.casefold() in _COMMON


def reports(text: str, end: int) -> bool:
    """Whether a verb of reporting follows there, or follows a row of works that goes on there."""
    return _REPORTING.match(text, end, end + 200) is not None


def _leads_in(before: str) -> bool:
    return _LEADING_IN.search(before) is not None or _MAYBE_LEADING_IN.search(before) is not None


def is_work_of_art(text: str, start: int, end: int) -> bool:
    """`the film Inception (2010)`, `Father and Daughter (2000), which won a prize`."""
    if _WORK_OF_ART.match(text, end, end + 50):
        return True
    before = text[max(0, start - 24) : start]
    return _ART_BEFORE.search(before) is not None or _MAYBE_ART_BEFORE.search(before) is not None


def _is_particle(word: str) -> bool:
    return word in SMALL or word in _CAPITAL_PARTICLES or word in _CAPITAL_ARTICLES


def _is_initial(word: str) -> bool:
    return len(word) <= 3 and word.endswith(".")
