"""Author and year: `(Smith & Jones, 2020a; Lee, 2019)` and `Smith (2020)`."""

from __future__ import annotations

import re

from pincite.citations.formats.shared import double_braces
from pincite.citations.formats.works import (
    Author,
    begins_like_a_name,
    is_author,
    is_no_author,
    is_organisation,
    read_authors,
    work_key,
)
from pincite.records import Citation, Malformed, WorkTarget

_YEAR = r"(?:1[5-9]|20)\d\d"
_YEARS = rf"{_YEAR}[a-z]?(?:/{_YEAR})?(?:,[ ]?(?:{_YEAR}[a-z]?|[a-z](?=[,;):]|$)))*+"
_LOCATOR_WORDS = (
    r"pp?\.[ ]?|pages?[ ]|paras?\.[ ]?|ch(?:ap)?\.[ ]?|[Cc]hapters?[ ]|[Ss]ec(?:tion|\.)[ ]?|"
    r"[Vv]ol(?:ume|\.)[ ]?|[Tt]able[ ]|[Ff]ig(?:ure|\.)[ ]?|[Aa]ppendix[ ]|¶[ ]?|§{1,2}[ ]?"
)
_LOCATOR = (
    rf"(?:(?:,[ ]|:[ ]?|[ ])(?:{_LOCATOR_WORDS})[\w.–—-]{{1,15}}(?:,[ ]\d[\d–-]{{0,12}}(?!\d))?"
    r"|:[ ]?\d[\d–—-]{0,12})"
)
_OPENING = re.compile(
    rf"\((?:({_YEARS})({_LOCATOR})?\)|([^()0-9]{{2,200}}+{_YEAR}(?![\d–—-])[^()]{{0,400}}+)\))"
)
_PLAIN_NAME = r"[A-Z][A-Za-z'’-]{1,40}+"
_PLAIN_WORK = re.compile(
    rf"({_PLAIN_NAME})(?:([ ](?:&|and)[ ])({_PLAIN_NAME})|([ ]et[ ]al\.?))?+(,[ ]|[ ])({_YEAR}[a-z]?)$"
)
# One of several works: `Okafor et al., 2019` and `van der Berg, 2020, p. 12`, as most of them are written.
_PLAIN_AUTHOR = r"(?:[A-Z]['’])?+[A-Z][A-Za-z][A-Za-z'’-]{0,38}+"
_PLAIN_PART = re.compile(
    r"([ ]?+)((?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|ten|ter)[ ]){0,3}+"
    rf"{_PLAIN_AUTHOR})(?:([ ](?:&|and)[ ])({_PLAIN_AUTHOR})|([ ]et[ ]al\.?+))?+"
    rf",[ ]({_YEAR}[a-z]?+)(?:,[ ](pp?\.[ ]?+\d{{1,6}}+(?:[–-]\d{{1,6}}+)?+))?+"
)
_ONLY_YEARS = re.compile(rf"(\s{{0,2}})({_YEARS})")
_PART_TAIL = re.compile(rf"(,?\s{{1,2}}|[ ]\()({_YEARS})({_LOCATOR})?(\s{{0,2}})$")
_LEAD = re.compile(
    r"\s*+(?:(?:see(?: also| for example,?| e\.g\.,?)?|e\.g\.,?|i\.e\.,?|cf\.|compare|also|but see|"
    r"(?:as )?(?:cited|quoted|reported|reviewed|described) (?:in|by)|adapted from|from|by|per|according to|"
    r"for (?:a )?reviews?,? see|following|after|sources?:)[ ,]\s*+)?+(?:also[ ])?+(?:the[ ])?+",
    re.I,
)
_LEADING_WORDS = frozenset(("compare", "per", "following"))
_YEAR_PIECE = re.compile(rf"(,[ ]?)?({_YEAR}[a-z]?(?:/{_YEAR})?|[a-z])")
_LOCATOR_LEAD = re.compile(r"[,: ]*+")
_REPORTING = re.compile(
    r"[ ](?:(?:also|first|later|further|recently|originally|have|has|had)[ ])?"
    r"(?:find|found|show|report|argue|suggest|propos|conclu|demonstrat|estimat|observ|note[sd]?\b|describ|claim|"
    r"stat(?:e|ed|es)\b|examin|investigat|stud(?:y|ied)|review|analy[sz]|discuss|identif|introduc|develop|"
    r"compar|measur|point|defin|explain|reveal|indicat|emphasi|highlight|warn|caution|assert|maintain|contend|"
    r"write|wrote|provid|present|us(?:e|ed|es)\b|call|recommend|sa(?:y|id)|predict|confirm|document|survey)",
    re.I,
)
# What a person does and a film does not: two capitalised words before a year need one of these after it.
_HUMAN = re.compile(
    r"[ ](?:argue|found|finds|report|suggest|propos|conclu|claim|contend|assert|wrote|writes|note[sd]?\b|"
    r"maintain|observ|recommend|stat(?:ed|es)\b)"
)
_LEADING_IN = re.compile(r"(?:according to|as in|cited by|by|see|per|following|of|from)[ ](?:the[ ])?$", re.I)
_WORK_OF_ART = re.compile(
    r",? (?:directed|starring|written by|released|painted|which (?:won|was|is|starred)|where)\b"
    r"|, an? (?:\w+ ){0,2}(?:film|movie|novel|album|song|book|game|play)\b"
    r"|[ ](?:is|was|are|were|stars|starred|won|grossed|premiered|features)\b"
)
_ART_BEFORE = re.compile(
    r"\b(?:film|movie|novel|album|song|book|game|series|show|play|opera|sequel|musical|painting)s?[ ,]{1,2}$",
    re.I,
)
_SMALL_WORDS = "van von de der den del della di da dos du la le ten ter of for the on "
_SMALL = frozenset(_SMALL_WORDS.split())
_NO_NAME = re.compile(r"[\n()\[\]*\"“”;:!?|#]")
_AND = frozenset(("and", "&", "und", "et", "y"))
_AND_OTHERS = frozenset(
    (("et", "al."), ("et", "al"), ("and", "colleagues"), ("and", "others"), ("and", "coworkers"))
)
_CONNECTING = frozenset(("and", "&", "und", "et", "y", "of", "for", "the", "on"))


def find_author_years(text: str, found: list[Citation | Malformed]) -> None:
    """Both kinds, found by their round bracket."""
    for match in _OPENING.finditer(text):
        content = match[3]
        if content is None:
            narrative = _read_narrative(text, match)
            if narrative is not None:
                found.append(narrative)
            continue
        plain = _PLAIN_WORK.match(content)
        inside = _read_plain(plain) if plain else read_works(content)
        if inside is not None:
            start, end = match.span()
            found.append(Citation("author_year", match[0], start, end, inside[0], f"({inside[1]})"))


def _read_plain(found: re.Match[str]) -> tuple[tuple[WorkTarget, ...], str] | None:
    """`Smith, 2020`, `Smith & Jones, 2020a` and `Smith et al., 2020`: what most brackets hold."""
    first, joint, second, others, comma, year = found.groups()
    if is_no_author(first) or (second is not None and is_no_author(second)):
        return None
    key = f"{first.replace('’', chr(39)).casefold()} {year}"
    if second is not None:
        target = WorkTarget((first, second), year, None, key)
        return (target,), f"{{0.authors.0}}{joint}{{0.authors.1}}{comma}{{0.year}}"
    return (WorkTarget((first,), year, None, key),), f"{{0.authors.0}}{others or ''}{comma}{{0.year}}"


def read_works(content: str) -> tuple[tuple[WorkTarget, ...], str] | None:
    """The works in one pair of brackets, or None if any part of it is something else."""
    targets: list[WorkTarget] = []
    form: list[str] = []
    for part in content.split(";"):
        if form:
            form.append(";")
        plain = _PLAIN_PART.fullmatch(part)
        if plain is not None and _add_plain(plain, targets, form):
            continue
        if not _read_part(part, targets, form):
            return None
    return tuple(targets), "".join(form)


def _add_plain(found: re.Match[str], targets: list[WorkTarget], form: list[str]) -> bool:
    """One plain work of several. False when its words need the closer look that `_read_part` takes."""
    lead, first, joint, second, others, year, locator = found.groups()
    if is_no_author(first.rpartition(" ")[2]) or first.lower() in _LEADING_WORDS:
        return False
    if second is not None and is_no_author(second):
        return False
    if is_organisation(first if second is None else f"{first}{joint}{second}"):
        return False
    at = len(targets)
    authors = (first,) if second is None else (first, second)
    key = f"{first.casefold().replace('’', chr(39))} {year}"
    targets.append(WorkTarget(authors, year, locator, key))
    form.append(f"{lead}{{{at}.authors.0}}")
    form.append(others or "" if second is None else f"{joint}{{{at}.authors.1}}")
    form.append(f", {{{at}.year}}" if locator is None else f", {{{at}.year}}, {{{at}.locator}}")
    return True


def _read_part(part: str, targets: list[WorkTarget], form: list[str]) -> bool:
    """One work, or one author's works of several years: `Jones & Lee, 2019a, 2019b, p. 4`."""
    tail = _PART_TAIL.search(part)
    if tail is None or tail[1].endswith("("):
        return _only_years(part, targets, form)
    lead = _LEAD.match(part)
    begin = lead.end() if lead else 0
    names = part[begin : tail.start()]
    if not names:
        return False
    comma = tail[1].startswith(",")
    authors = read_authors(names)
    if authors is None or not all(is_author(author.name, comma or len(authors) > 1) for author in authors):
        return False
    if not comma and len(authors) == 1 and not names.endswith(("al.", "al")) and " " in authors[0].name:
        return False
    form.append(double_braces(part[:begin]))
    _add_works(names, authors, tail[1], tail[2], tail[3] or "", tail[4], targets, form)
    return True


def _only_years(part: str, targets: list[WorkTarget], form: list[str]) -> bool:
    """`; 2021` after a work repeats its authors."""
    years = _ONLY_YEARS.fullmatch(part) if targets else None
    if years is None:
        return False
    form.append(years[1])
    _years(years[2], targets[-1].authors, None, targets, form)
    return True


def _add_works(
    names: str,
    authors: list[Author],
    joint: str,
    years: str,
    locator: str,
    after: str,
    targets: list[WorkTarget],
    form: list[str],
) -> None:
    """Append the targets, and the form of authors, years and locator."""
    first = len(targets)
    at = 0
    for index, author in enumerate(authors):
        form.append(double_braces(names[at : author.start]))
        form.append(f"{{{first}.authors.{index}}}")
        at = author.start + len(author.name)
    form.append(double_braces(names[at:]) + joint)
    _years_and_locator(years, tuple(author.name for author in authors), locator, targets, form)
    form.append(after)


def _years_and_locator(
    years: str, authors: tuple[str, ...], locator: str, targets: list[WorkTarget], form: list[str]
) -> None:
    lead = _LOCATOR_LEAD.match(locator)
    cut = lead.end() if lead else 0
    page = locator[cut:].rstrip() or None
    _years(years, authors, page, targets, form)
    if page is not None:
        form.append(f"{locator[:cut]}{{{len(targets) - 1}.locator}}{locator[cut + len(page) :]}")


def _years(
    years: str, authors: tuple[str, ...], locator: str | None, targets: list[WorkTarget], form: list[str]
) -> None:
    """One target a year; the locator belongs to the last."""
    pieces = _YEAR_PIECE.findall(years)
    for index, (comma, written) in enumerate(pieces):
        year = written if len(written) > 1 else targets[-1].year[:4] + written
        form.append(comma)
        form.append(f"{{{len(targets)}.year}}" if len(written) > 1 else f"{{{len(targets)}.year!suffix}}")
        own = locator if index == len(pieces) - 1 else None
        targets.append(WorkTarget(authors, year, own, work_key(authors, year)))


def _read_narrative(text: str, found: re.Match[str]) -> Citation | None:
    """`Smith and Jones (2020, p. 5)`: the names stand before the bracket."""
    bracket, end = found.span()
    if bracket < 3 or text[bracket - 1] != " ":
        return None
    plain = _read_plain_narrative(text, found, bracket, end)
    if plain is not None:
        return plain
    before = text[max(0, bracket - 160) : bracket - 1]
    before = _NO_NAME.split(before)[-1]
    names = _narrative_names(before, text, bracket, end)
    if names is None:
        return None
    authors, offset = names
    start = bracket - 1 - len(before) + offset
    written = before[offset:]
    targets: list[WorkTarget] = []
    form: list[str] = []
    at = 0
    for index, author in enumerate(authors):
        form.append(double_braces(written[at : author.start]) + f"{{0.authors.{index}}}")
        at = author.start + len(author.name)
    form.append(double_braces(written[at:]) + " (")
    _years_and_locator(found[1], tuple(author.name for author in authors), found[2] or "", targets, form)
    form.append(")")
    return Citation("author_year", text[start:end], start, end, tuple(targets), "".join(form))


def _read_plain_narrative(text: str, found: re.Match[str], bracket: int, end: int) -> Citation | None:
    """One surname after a small word, and one year: `… as Smith (2020) …`."""
    tail = text[max(0, bracket - 60) : bracket - 1].rsplit(" ", 2)
    if len(tail) < 3 or found[2] is not None or not found[1].isalnum():
        return None
    before, name, year = tail[1], tail[2], found[1]
    if not (name.isalpha() and name[0].isupper() and before.isalpha() and before.islower()):
        return None
    if before in _SMALL or before in _AND or is_no_author(name):
        return None
    start = bracket - 1 - len(name)
    if not _single_narrative(name, text, start, end):
        return None
    target = WorkTarget((name,), year, None, work_key((name,), year))
    return Citation("author_year", text[start:end], start, end, (target,), "{0.authors.0} ({0.year})")


def _narrative_names(before: str, text: str, bracket: int, end: int) -> tuple[list[Author], int] | None:
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
    authors = read_authors(written)
    if authors is None or not all(is_author(author.name, False) for author in authors):
        return None
    several = len(authors) > 1 or "et al" in written or " and " in written
    start = bracket - 1 - len(before) + offset
    if several and "et al" not in written and _is_work_of_art(text, start, end):
        return None
    if not several and not _single_narrative(authors[0].name, text, start, end):
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
    # `In Smith (2020)`: what opens the sentence is no part of the name, unless `March and Simon` say so.
    while at < len(words) and (
        words[at] in _CONNECTING or (is_no_author(words[at]) and words[at + 1 : at + 2] != ["and"])
    ):
        at += 1
    return len(words) - at


def _may_be_name(words: list[str], at: int) -> bool:
    """Whether the word before `at` can be part of an author's name."""
    word = words[at - 1]
    if not word or not begins_like_a_name(word):
        return False
    if word.endswith("."):
        return len(word) <= 3 or at == len(words)  # an initial; a longer one ends the sentence before
    # A comma goes on a list of authors only if `and`, `&` or `et al.` still follows.
    return not word.endswith(",") or any(later in _AND for later in words[at:])


def _single_narrative(name: str, text: str, start: int, end: int) -> bool:
    """One name before a year in brackets: an author, or the title of a film, a table's head, a heading?"""
    reporting = _REPORTING.match(text, end, end + 30) is not None
    one_word = " " not in name
    if one_word and reporting:
        return True
    before = text[max(0, start - 24) : start]
    words = [word for word in name.split(" ") if word not in _SMALL and not _is_initial(word)]
    if len(words) > 1:
        if is_organisation(name):
            return reporting or _LEADING_IN.search(before) is not None
        return len(words) == 2 and _HUMAN.match(text, end, end + 30) is not None
    if name.isupper() and len(name) > 1:
        return _LEADING_IN.search(before) is not None
    return reporting or not _is_work_of_art(text, start, end)


def _is_work_of_art(text: str, start: int, end: int) -> bool:
    """`the film Inception (2010)`, `Father and Daughter (2000), which won a prize`."""
    if _WORK_OF_ART.match(text, end, end + 50):
        return True
    return _ART_BEFORE.search(text, max(0, start - 24), start) is not None


def _is_initial(word: str) -> bool:
    return len(word) <= 3 and word.endswith(".")
