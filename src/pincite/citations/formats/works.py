"""Works by author and year: the names, which words can be one, and the works inside a pair of brackets."""

from __future__ import annotations

import re
from typing import NamedTuple

from pincite.citations.formats.form import LISTS, double_braces
from pincite.records import Citation, WorkTarget
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


# --- the works in one pair of brackets ---

# Most works are written like `Okafor et al., 2019` or `van der Berg, 2020, p. 12`.
_PLAIN_AUTHOR = r"(?:[A-Z]['’])?+[A-Z][A-Za-z][A-Za-z'’-]{0,38}+"
_PLAIN_PART = re.compile(
    r"([ ]?+)((?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|ten|ter)[ ]){0,3}+"
    rf"{_PLAIN_AUTHOR})(?:([ ](?:&|and)[ ])({_PLAIN_AUTHOR})|([ ]et[ ]al\.?+))?+"
    rf",[ ]({YEAR}[a-z]?+)(?:,[ ](pp?\.[ ]?+\d{{1,6}}+(?:[–-]\d{{1,6}}+)?+))?+"
)
_ONLY_YEARS = re.compile(rf"(\s{{0,2}})({YEARS})")
_PART_TAIL = re.compile(rf"(,?\s{{1,2}}|[ ]\()({YEARS})({LOCATOR})?(\s{{0,2}})$")
_BETWEEN_WORKS = re.compile(rf"{YEAR}[a-z]?(?:{LOCATOR})?(,[ ]|,?[ ](?:and|&)[ ])(?=[^\W\d_]{{2}})")
_LEAD = re.compile(
    r"\s*+(?-i:(?:but|and|or)[ ])?+"
    r"(?:(?:(?:see|cf\.|compare|contrast)(?:,?[ ](?:also|for example|for instance|especially|e\.g\.))?+,?+|"
    r"e\.g\.,?|i\.e\.,?|also|(?:as )?(?:cited|quoted|reported|reviewed|described|discussed) (?:in|by)|"
    r"adapted from|from|by|per|according to|for (?:a )?(?:reviews?|example|overview),?(?: see)?|following|"
    r"after|sources?:)[ ,]\s*+)?+(?:also[ ])?+(?:the[ ])?+",
    re.I,
)
_LEADING_WORDS = frozenset(("compare", "per", "following"))


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
    return _read_work(part, targets, form) or _read_row(part, targets, form)


def _read_row(part: str, targets: list[WorkTarget], form: list[str]) -> bool:
    """Works with nothing but commas between them: `Smith 2020, Jones 2021`."""
    commas = [found.span(1) for found in _BETWEEN_WORKS.finditer(part)]
    at = 0
    for start, end in [*commas, (len(part), len(part))] if commas else []:
        if not _read_work(part[at:start], targets, form):
            return False
        form.append(part[start:end])
        at = end
    return bool(commas)


def _read_work(part: str, targets: list[WorkTarget], form: list[str]) -> bool:
    tail = _PART_TAIL.search(part)
    if tail is None or tail[1].endswith("("):
        return _only_years(part, targets, form)
    lead = _LEAD.match(part)
    begin = lead.end() if lead else 0
    names = part[begin : tail.start()]
    if not names:
        return _only_years(part, targets, form)
    comma = tail[1].startswith(",")
    authors = read_authors(names) or []
    lenient = comma or len(authors) > 1
    if not authors or not all(is_author(author.name, lenient) for author in authors):
        return False
    if not comma and len(authors) == 1 and not names.endswith(("al.", "al")) and " " in authors[0].name:
        return False
    form.append(double_braces(part[:begin]))
    add_authors(names, authors, len(targets), form)
    form.append(tail[1])
    add_years(tail[2], tuple(author.name for author in authors), tail[3] or "", targets, form)
    form.append(tail[4])
    return True


def _only_years(part: str, targets: list[WorkTarget], form: list[str]) -> bool:
    """`; 2021` after a work repeats its authors."""
    years = _ONLY_YEARS.fullmatch(part) if targets else None
    if years is None:
        return False
    form.append(years[1])
    add_years(years[2], targets[-1].authors, "", targets, form)
    return True


def read_in_brackets(match: re.Match[str], content: str) -> Citation | None:
    """`[Smith et al., 2020]`."""
    inside = read_works(content)
    if inside is None:
        return None
    return Citation("author_year", match[0], *match.span(), inside[0], f"[{inside[1]}]")
