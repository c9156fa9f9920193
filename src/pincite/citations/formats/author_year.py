"""Author and year: `(Smith & Jones, 2020a; Lee, 2019)` and `Smith (2020)`, and the titles like it."""

from __future__ import annotations

import re

from pincite.citations.formats import works
from pincite.citations.formats.form import LISTS, ODD, Context, Form
from pincite.records import Citation, WorkTarget
from pincite.text import word_set

_OPENING = (
    rf"\((?:({works.YEARS})({works.LOCATOR})?\)|([^()0-9]{{2,200}}+(?:{works.YEAR}(?![\d–—-])[^()]{{0,400}}+"
    r"|(?<=n\.d\.)|(?<=in[ ]press)|(?<=forthcoming)))\))"
)
_NO_NAME = re.compile(r"[\n()\[\]*\"“”;:!?|#]")
# What may open a sentence before a name, beside the words that `is_no_author` knows.
_OPENERS = word_set("Following Per Unlike Contra Compare Like With To Consider Contrary")
_AND = frozenset(("and", "&", "und", "et", "y"))
_AND_OTHERS = frozenset(
    (("et", "al."), ("et", "al"), ("and", "colleagues"), ("and", "others"), ("and", "coworkers"))
)
_CONNECTING = _AND | {"of", "for", "the", "on"}
_COMMON = frozenset(LISTS.words("surnames"))

_NAME = r"(?-i:[^\W\d_a-z])[\w'’-]{1,30}+"
# `(2020), Jones (2021) and Lee (2022)`: the verb that follows the last of them speaks for all.
_MORE_WORKS = (
    rf"(?:[,;]?[ ](?:and[ ]|&[ ]|or[ ])?+{_NAME}(?:[ ]et[ ]al\.)?+[ ]\({works.YEAR}[a-z]?+\)){{0,6}}+"
)
_ASIDE = r"(?:,[ ](?:for example|for instance|in contrast|by contrast|however|in turn|too|among others),)?+"
_ADVERBS = (
    r"(?:(?:also|first|later|further|then|both|have|has|had|did not|does not|do not|\w{2,15}ly|"
    r"(?:was|were) (?:the first|able) to)[ ]){0,2}"
)
_HUMAN = re.compile(rf"{_ASIDE}[ ]{_ADVERBS}{LISTS.any_of('human verbs')}")
_REPORTING = re.compile(rf"{_MORE_WORKS}{_ASIDE}[ ]{_ADVERBS}{LISTS.any_of('reporting verbs')}", re.I)
_STUDY_AFTER = re.compile(rf"[ ]{LISTS.any_of('studies')}\b", re.I)
_LEADING_IN = re.compile(rf"(?<![\w-]){LISTS.any_of('leading in')}[ ](?:the[ ])?$", re.I)
_MAYBE_LEADING_IN = re.compile(rf"(?<![\w-]){LISTS.any_of('maybe leading in')}[ ](?:the[ ])?$", re.I)
# Before a name whose kind is open, `of` and `from` say little: the director of a film, a line from it.
_WEAKEST = re.compile(
    r"(?<![\w-])(?:(?:inspired|followed|preceded|influenced) by|of|from|like)[ ](?:the[ ])?$", re.I
)
_ART_BEFORE = re.compile(rf"\b{LISTS.any_of('art')}[ ,]{{1,2}}$", re.I)
_MAYBE_ART_BEFORE = re.compile(r"\b(?:books?|games?|series|shows?|plays?)[ ,]{1,2}$", re.I)
_ART_NEAR = re.compile(rf"\b{LISTS.any_of('art nearby')}\b", re.I)
_WORK_OF_ART = re.compile(
    r",? (?:directed|starring|written by|released|painted|which (?:won|was|is|starred)|where)\b"
    r"|, an? (?:\w+ ){0,2}(?:film|movie|novel|album|song|book|game|play)\b"
    r"|[ ](?:is|was|are|were|stars|starred|won|grossed|premiered|features)\b"
)
_ARTICLE = re.compile(r"(?:^|[^\w])(?:The|A|An)[ ]$")
_SMALL_ARTICLE = re.compile(r"(?<!\w)(?:the|this|that|a|an)[ ]$")
_SMALL = word_set("van von de der den del della di da dos du la le ten ter of for the on")
# Capitalised at the head of a name. After an article of a Romance language a title stands as often.
_CAPITAL_PARTICLES = word_set("Van Von De Der Den Del Della Di Da Dos Du Ten Ter")
_CAPITAL_ARTICLES = frozenset(("La", "Le", "El", "Al"))
_NAME_SHAPE = re.compile(r"(?:Mac|Mc|Fitz)[A-Z]|[A-Z]['’][A-Z]|\w{2,20}-[A-Z]|(?:[A-Z]\.[ -]?){1,4}\w")


def _read_round(match: re.Match[str], context: Context) -> Citation | None:
    """Both kinds, found by their round bracket."""
    content = match[3]
    if content is None:
        return _read_narrative(match, context)
    inside = works.read_works(content)
    if inside is None:
        return None
    return Citation("author_year", match[0], *match.span(), inside[0], f"({inside[1]})")


def known_works(context: Context) -> list[Citation]:
    """Those of the names before a year that the references, or another marker, know as an author's."""
    known = set(context.listed)
    for one in context.found:
        if isinstance(one, Citation) and one.family == "author_year":
            known.update([target.key for target in one.targets])
    known.update([key[:-1] for key in known if key[-1:].isalpha() and key[-2:-1].isdecimal()])
    return [citation for citation in context.uncertain if citation.targets[0].key in known]


# --- authors outside the brackets ---


def _read_narrative(found: re.Match[str], context: Context) -> Citation | None:
    """The citation whose years `found` has in brackets.

    Where nothing tells the name from a title it goes to the context's uncertain ones. In an entry of a
    reference list authors stand and hardly anything else.
    """
    bracket = found.start()
    if bracket < 3 or context.text[bracket - 1] != " ":
        return None
    citation, certain = _read_names(context.text, found, context.in_entry) or (None, True)
    if citation is not None and not certain:
        context.uncertain.append(citation)
    return citation if certain else None


def _read_names(text: str, found: re.Match[str], in_entry: bool) -> tuple[Citation, bool] | None:
    """The names before the bracket, and whether they are certain to be authors."""
    bracket, end = found.span()
    before = text[max(0, bracket - 160) : bracket - 1]
    before = _NO_NAME.split(before)[-1]
    names = _names_before(before)
    if names is None:
        return None
    authors, offset = names
    start = bracket - 1 - len(before) + offset
    written = before[offset:]
    targets: list[WorkTarget] = []
    form: list[str] = []
    works.add_authors(written, authors, 0, form)
    form.append(" (")
    works.add_years(found[1], tuple(author.name for author in authors), found[2] or "", targets, form)
    form.append(")")
    citation = Citation("author_year", text[start:end], start, end, tuple(targets), "".join(form))
    if len(authors) > 1 or "et al" in written or " and " in written:
        reporting = "et al" in written or _reports(text, end)
        return citation, reporting or not _is_work_of_art(text, start, end)
    return citation, _is_author_before_year(authors[0].name, text, start, found, in_entry)


def _names_before(before: str) -> tuple[list[works.Author], int] | None:
    """The authors at the end of `before`, and where they begin in it."""
    words = before.split(" ")
    own = 0
    for mark in ("'s", "’s", "'", "’"):
        if words[-1].endswith(mark):
            own = len(mark)
            words[-1] = words[-1][:-own]
            break
    if not words[-1]:
        return None
    taken = _take_names(words)
    if not taken:
        return None
    written = " ".join(words[-taken:])
    offset = len(before) - own - len(written)
    authors = works.read_authors(written)
    if authors is None or not all(works.is_author(author.name, False) for author in authors):
        return None
    return authors, offset


def _take_names(words: list[str]) -> int:
    """How many words at the end are names and what joins them."""
    at = len(words)
    if at >= 2 and (words[-2], words[-1]) in _AND_OTHERS:
        at -= 2
    joined = False
    while at and len(words) - at < 14:
        word = words[at - 1]
        if word in _AND:
            if joined or at == len(words):
                break
            joined = True
        elif word not in _SMALL and not _may_be_name(words, at):
            break
        at -= 1
    # `In Smith (2020)`: what opens the sentence is not part of the name, unless `March and Simon` say so.
    while at < len(words) and (
        words[at] in _CONNECTING
        or ((works.is_no_author(words[at]) or words[at] in _OPENERS) and words[at + 1 : at + 2] != ["and"])
    ):
        at += 1
    return len(words) - at


def _may_be_name(words: list[str], at: int) -> bool:
    """Whether the word before `at` can be part of an author's name."""
    word = words[at - 1]
    if not word or not works.begins_like_a_name(word):
        return False
    if word.endswith("."):
        return len(word) <= 3 or at == len(words)  # an initial; a longer one ends the sentence before
    # A comma goes on a list of authors only if `and`, `&` or `et al.` still follows.
    return not word.endswith(",") or any(later in _AND for later in words[at:])


# --- what tells an author from a title before a year: `Smith (2020)` from `Titanic (1997)` ---


def _is_author_before_year(name: str, text: str, start: int, found: re.Match[str], in_entry: bool) -> bool:
    """Whether one name before a year is an author for certain, and not the title of a film or a heading."""
    end = found.end()
    before = text[max(0, start - 48) : start]
    if _ART_BEFORE.search(before):
        return False
    reporting = _reports(text, end)
    words = [word for word in name.split(" ") if not _is_particle(word) and not _is_initial(word)]
    if len(words) > 1:
        if works.is_organisation(name):
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
    # A page, a letter after the year, several years or a possessive do not follow the title of a film.
    has_detail = found[2] is not None or len(found[1]) != 4 or text[start + len(name)] != " "
    if has_detail or _LEADING_IN.search(before):
        return True
    if _SMALL_ARTICLE.search(before):
        return _STUDY_AFTER.match(text, end, end + 30) is not None
    if in_entry:
        return not _is_work_of_art(text, start, end)
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


def _looks_like_a_surname(name: str) -> bool:
    head, _, rest = name.partition(" ")
    if rest and head in _CAPITAL_ARTICLES:
        return False
    if rest and (_is_particle(head) or _is_initial(head)):
        return True
    return _NAME_SHAPE.match(name) is not None or name.casefold() in _COMMON


def _reports(text: str, end: int) -> bool:
    """Whether a verb of reporting follows there, or follows a row of works that goes on there."""
    return _REPORTING.match(text, end, end + 200) is not None


def _leads_in(before: str) -> bool:
    return _LEADING_IN.search(before) is not None or _MAYBE_LEADING_IN.search(before) is not None


def _is_work_of_art(text: str, start: int, end: int) -> bool:
    """`the film Inception (2010)`, `Father and Daughter (2000), which won a prize`."""
    if _WORK_OF_ART.match(text, end, end + 50):
        return True
    before = text[max(0, start - 24) : start]
    return _ART_BEFORE.search(before) is not None or _MAYBE_ART_BEFORE.search(before) is not None


def _is_particle(word: str) -> bool:
    return word in _SMALL or word in _CAPITAL_PARTICLES or word in _CAPITAL_ARTICLES


def _is_initial(word: str) -> bool:
    return len(word) <= 3 and word.endswith(".")


BRACKETS = (
    Form(
        r"(?P<undated>[^\[\]\n\d\\]{2,200}+(?:(?<=in[ ]press)|(?<=forthcoming)))\]",
        lambda match, context: works.read_in_brackets(match, match["undated"]),
        turn=ODD,
    ),
)
FORMS = (Form(_OPENING, _read_round, ("(",)),)
