"""Author and year: `(Smith & Jones, 2020a; Lee, 2019)` and `Smith (2020)`."""

from __future__ import annotations

import re

from pincite.citations.formats import works
from pincite.citations.formats.form import ODD, Context, Form
from pincite.citations.formats.narrative import read_narrative
from pincite.citations.formats.shared import double_braces
from pincite.records import Citation, WorkTarget

_OPENING = (
    rf"\((?:({works.YEARS})({works.LOCATOR})?\)|([^()0-9]{{2,200}}+(?:{works.YEAR}(?![\d–—-])[^()]{{0,400}}+"
    r"|(?<=n\.d\.)|(?<=in[ ]press)|(?<=forthcoming)))\))"
)
# Most works are written like `Okafor et al., 2019` or `van der Berg, 2020, p. 12`.
_PLAIN_AUTHOR = r"(?:[A-Z]['’])?+[A-Z][A-Za-z][A-Za-z'’-]{0,38}+"
_PLAIN_PART = re.compile(
    r"([ ]?+)((?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|ten|ter)[ ]){0,3}+"
    rf"{_PLAIN_AUTHOR})(?:([ ](?:&|and)[ ])({_PLAIN_AUTHOR})|([ ]et[ ]al\.?+))?+"
    rf",[ ]({works.YEAR}[a-z]?+)(?:,[ ](pp?\.[ ]?+\d{{1,6}}+(?:[–-]\d{{1,6}}+)?+))?+"
)
_ONLY_YEARS = re.compile(rf"(\s{{0,2}})({works.YEARS})")
_PART_TAIL = re.compile(rf"(,?\s{{1,2}}|[ ]\()({works.YEARS})({works.LOCATOR})?(\s{{0,2}})$")
_BETWEEN_WORKS = re.compile(
    rf"{works.YEAR}[a-z]?(?:{works.LOCATOR})?(,[ ]|,?[ ](?:and|&)[ ])(?=[^\W\d_]{{2}})"
)
_LEAD = re.compile(
    r"\s*+(?-i:(?:but|and|or)[ ])?+"
    r"(?:(?:(?:see|cf\.|compare|contrast)(?:,?[ ](?:also|for example|for instance|especially|e\.g\.))?+,?+|"
    r"e\.g\.,?|i\.e\.,?|also|(?:as )?(?:cited|quoted|reported|reviewed|described|discussed) (?:in|by)|"
    r"adapted from|from|by|per|according to|for (?:a )?(?:reviews?|example|overview),?(?: see)?|following|"
    r"after|sources?:)[ ,]\s*+)?+(?:also[ ])?+(?:the[ ])?+",
    re.I,
)
_LEADING_WORDS = frozenset(("compare", "per", "following"))


def _read_round(match: re.Match[str], context: Context) -> Citation | None:
    """Both kinds, found by their round bracket."""
    content = match[3]
    if content is None:
        return read_narrative(match, context)
    inside = read_works(content)
    if inside is None:
        return None
    return Citation("author_year", match[0], *match.span(), inside[0], f"({inside[1]})")


def read_in_brackets(match: re.Match[str], content: str) -> Citation | None:
    """`[Smith et al., 2020]`."""
    inside = read_works(content)
    if inside is None:
        return None
    return Citation("author_year", match[0], *match.span(), inside[0], f"[{inside[1]}]")


def known_works(context: Context) -> list[Citation]:
    """Those of the names before a year that the references, or another marker, know as an author's."""
    known = set(context.listed)
    for one in context.found:
        if isinstance(one, Citation) and one.family == "author_year":
            known.update([target.key for target in one.targets])
    known.update([key[:-1] for key in known if key[-1:].isalpha() and key[-2:-1].isdecimal()])
    return [citation for citation in context.uncertain if citation.targets[0].key in known]


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
    if works.is_no_author(first.rpartition(" ")[2]) or first.lower() in _LEADING_WORDS:
        return False
    if second is not None and works.is_no_author(second):
        return False
    if works.is_organisation(first if second is None else f"{first}{joint}{second}"):
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
    authors = works.read_authors(names) or []
    lenient = comma or len(authors) > 1
    if not authors or not all(works.is_author(author.name, lenient) for author in authors):
        return False
    if not comma and len(authors) == 1 and not names.endswith(("al.", "al")) and " " in authors[0].name:
        return False
    form.append(double_braces(part[:begin]))
    works.add_authors(names, authors, len(targets), form)
    form.append(tail[1])
    works.add_years(tail[2], tuple(author.name for author in authors), tail[3] or "", targets, form)
    form.append(tail[4])
    return True


def _only_years(part: str, targets: list[WorkTarget], form: list[str]) -> bool:
    """`; 2021` after a work repeats its authors."""
    years = _ONLY_YEARS.fullmatch(part) if targets else None
    if years is None:
        return False
    form.append(years[1])
    works.add_years(years[2], targets[-1].authors, "", targets, form)
    return True


BRACKETS = (
    Form(
        r"(?P<undated>[^\[\]\n\d\\]{2,200}+(?:(?<=in[ ]press)|(?<=forthcoming)))\]",
        lambda match, context: read_in_brackets(match, match["undated"]),
        turn=ODD,
    ),
)
FORMS = (Form(_OPENING, _read_round, ("(",)),)
