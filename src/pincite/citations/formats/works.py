"""Names of authors: which words can be one, and how a run of them is taken apart."""

from __future__ import annotations

import re
from typing import NamedTuple

from pincite.citations.formats.shared import LISTS, double_braces
from pincite.records import WorkTarget
from pincite.text import word_set


class Author(NamedTuple):
    """A name and where it begins in the words it was read from."""

    name: str
    start: int


_PARTICLES = word_set(
    "van von de der den del della di da das do dos du la le les ten ter zu zum af av "
    "bin ibn al el ben st. y e"
)
_INSIDE_ORGANISATIONS = frozenset(("of", "for", "the", "on", "and", "&", "in", "to", "der", "für", "des"))
_ORGANISATION = re.compile(rf"\b{LISTS.any_of('organisation')}\b", re.I)
_JOINT = re.compile(r",?\s{1,2}(?:and|und|et|y|&)\s{1,2}|\s?&\s?|,\s{1,2}")
_ET_AL = re.compile(r",?\s{1,2}(?:et\s{1,2}al\.?|and (?:colleagues|others|co-?workers)|u\.\s?a\.)$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.[ -]?){1,4}$")
_TWO_LETTERS = re.compile(r"[^\W\d_]{2}")
_WORD = re.compile(r"[^\W\d_][^\W\d_]*+(?:['’ʼ.-][^\W\d_]*+)*+$")

_NO_AUTHORS = frozenset(LISTS.words("no authors"))


def read_authors(written: str) -> list[Author] | None:
    """The authors in `Smith, J., Jones, K., & Lee et al.`; initials belong to the name before them."""
    et_al = _ET_AL.search(written)
    if et_al is not None:
        written = written[: et_al.start()]
    if not written or len(written) > 300 or "\n\n" in written:
        return None
    if is_organisation(written) and "," not in written:
        return [Author(written, 0)]
    authors: list[Author] = []
    at = 0
    for joint in [*_JOINT.finditer(written), None]:
        end = joint.start() if joint else len(written)
        name = written[at:end]
        if name and _INITIALS.match(name) and authors:
            first = authors[-1].start
            authors[-1] = Author(written[first:end], first)
        elif name:
            authors.append(Author(name, at))
        elif at:
            return None
        at = joint.end() if joint else end
    return authors or None


def is_organisation(name: str) -> bool:
    return " " in name and _ORGANISATION.search(name) is not None


def is_no_author(word: str) -> bool:
    """A month, a season, a heading of a table: capitalised before a year, and no author."""
    return word.strip(".,'’").lower() in _NO_AUTHORS


def is_author(name: str, lenient: bool) -> bool:
    """Whether the words can be an author. `lenient` after a comma, where organisations stand too."""
    words = name.split()
    if not words or len(words) > 12:
        return False
    organisation = len(words) > 1 and (is_organisation(name) or lenient)
    if any(is_no_author(word) and not _INITIALS.match(word) for word in (words[0], words[-1])):
        return False
    if _TWO_LETTERS.search(name) is None:  # `(M.B., C.M., 1877)` are degrees
        return False
    capital = False
    for word in words:
        word = word.rstrip(",")
        if word in _PARTICLES or (organisation and word in _INSIDE_ORGANISATIONS):
            continue
        if not _WORD.match(word):
            return False
        if not begins_like_a_name(word):
            return False
        capital = True
    return capital and (len(words[-1]) > 1 or len(words) > 1)


def begins_like_a_name(word: str) -> bool:
    """A capital first, or after `d'`, `al-` and the like."""
    if _is_capital(word[0]):
        return True
    return any(len(word) > at + 1 and word[at] in "'’-" and _is_capital(word[at + 1]) for at in (1, 2))


def _is_capital(letter: str) -> bool:
    return letter.isupper() or (letter.isalpha() and letter.lower() == letter.upper())


def surname(name: str) -> str:
    """The name without initials and given names after a comma."""
    name = name.partition(",")[0]
    words = [word for word in name.split() if not (len(word) <= 3 and word.endswith("."))]
    return " ".join(words) or name


def work_key(authors: tuple[str, ...], year: str) -> str:
    """First author's surname and the year: one key however many authors a marker spells out."""
    first = surname(authors[0]).casefold().replace("’", "'") if authors else ""
    return f"{first} {year}"


YEAR = r"(?:1[5-9]|20)\d\d"
_UNDATED = r"n\.d\.(?:-[a-z])?+|in[ ]press|forthcoming"
YEARS = rf"(?:{YEAR}[a-z]?(?:/{YEAR})?(?:,[ ]?(?:{YEAR}[a-z]?|[a-z](?=[,;):]|$)))*+|{_UNDATED})"
LOCATOR_WORDS = (
    r"pp?\.[ ]?|pages?[ ]|paras?\.[ ]?|ch(?:ap)?\.[ ]?|[Cc]hapters?[ ]|[Ss]ec(?:tion|\.)[ ]?|"
    r"[Vv]ol(?:ume|\.)[ ]?|[Tt]able[ ]|[Ff]ig(?:ure|\.)[ ]?|[Aa]ppendix[ ]|¶[ ]?|§{1,2}[ ]?"
)
LOCATOR = (
    rf"(?:(?:,[ ]|:[ ]?|[ ])(?:{LOCATOR_WORDS})[\w.–—-]{{1,15}}(?:,[ ]\d[\d–-]{{0,12}}(?!\d))?"
    r"|:[ ]?\d[\d–—-]{0,12})"
)
_YEAR_PIECE = re.compile(rf"(,[ ]?)?({YEAR}[a-z]?(?:/{YEAR})?|{_UNDATED}|[a-z])")
_LOCATOR_LEAD = re.compile(r"[,: ]*+")


def add_authors(written: str, authors: list[Author], at_target: int, form: list[str]) -> None:
    """Append the form of authors as they are written."""
    at = 0
    for index, author in enumerate(authors):
        form.append(double_braces(written[at : author.start]) + f"{{{at_target}.authors.{index}}}")
        at = author.start + len(author.name)
    form.append(double_braces(written[at:]))


def add_years(
    years: str, authors: tuple[str, ...], locator: str, targets: list[WorkTarget], form: list[str]
) -> None:
    """Append one target per year, and the form of the years and the locator, which belongs to the last."""
    lead = _LOCATOR_LEAD.match(locator)
    cut = lead.end() if lead else 0
    page = locator[cut:].rstrip() or None
    pieces = _YEAR_PIECE.findall(years)
    for index, (comma, written) in enumerate(pieces):
        year = written if len(written) > 1 else targets[-1].year[:4] + written
        form.append(comma)
        form.append(f"{{{len(targets)}.year}}" if len(written) > 1 else f"{{{len(targets)}.year!suffix}}")
        own = page if index == len(pieces) - 1 else None
        targets.append(WorkTarget(authors, year, own, work_key(authors, year)))
    if page is not None:
        form.append(f"{locator[:cut]}{{{len(targets) - 1}.locator}}{locator[cut + len(page) :]}")
