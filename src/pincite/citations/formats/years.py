"""The year of a work, what stands for one, and the place in the work that may follow it."""

from __future__ import annotations

import re

from pincite.citations.formats.works import work_key
from pincite.records import WorkTarget

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


def add_years(
    years: str, authors: tuple[str, ...], locator: str, targets: list[WorkTarget], form: list[str]
) -> None:
    """Append one target a year, and the form of the years and the locator, which belongs to the last."""
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
