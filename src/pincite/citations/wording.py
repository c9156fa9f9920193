"""Which words of a marker belong to the sentence round it, so that a claim still reads as one without it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pincite.records import Citation, Span

_LINK = re.compile(r"\[(?P<title>[^\[\]]{1,999}+)\][(\[]")
_LABEL = re.compile(
    r"\W*+(?:sources?|links?|here|refs?|references?|citations?|(?:read |learn |see )?more|details|website|pdf"
    r"|(?:source |ref |note |doc |document )?\d{1,3}|https?:\S{1,500}|www\.\S{1,500}"
    r"|\S{1,99}\.(?:com|org|net|gov|edu|io|co|int|eu|de|uk|info)\S{0,99})\W*+\Z",
    re.IGNORECASE,
)
_LEADS_TO_NOUN = re.compile(
    r"(?:\A|[\s(“\"*_])(?:an?|the|this|that|these|those|its|their|his|her|our|my|your|by|in|to|of|from|at|with"
    r"|on|for|and|or|as|than|per|via|called|named|about|between|into|under|over|against|both|like|is|are|was"
    r"|were|see|says)[\s*_“\"]*\Z",
    re.IGNORECASE,
)
_BEGINS_SENTENCE = re.compile(r"(?:\A|[\n.!?:;•>|]|(?:\A|\n)[ \t]*(?:[-*+]|\d{1,3}[.)]))[\s*_“\"]*\Z")
_FOLLOWED_BY_WORD = re.compile(r"[*_”\"]*(?:['’]s\b|[ \t]+[a-z])")
_FOLLOWED_BY_JOINT = re.compile(r"[*_”\"]*(?:,|:|[ \t]*[–—])[ \t]")
_CONJUNCTION = re.compile(
    r"[*_”\"]*[ \t]+(?:and|or|but|while|whereas|although|though|because|since|so|yet|when|after|which)\b"
)
_YEAR = re.compile(r"[,\s]*[(\[]?\b\d{4}[a-z]?\b")


def kept_words(citations: Iterable[Citation], text: str) -> dict[Span, str]:
    """What replaces a marker in a claim's text, for the markers that are part of their sentence's grammar.

    `Smith (2020) found …` keeps `Smith`; `according to the [IPCC report](https://…)` keeps the link's title.
    A link that only names the source, as in `It rose by 5% [Reuters](https://…).`, keeps nothing.
    """
    kept: dict[Span, str] = {}
    for citation in citations:
        words = ""
        if citation.family == "author_year":
            words = _authors(citation.text)
        elif citation.family != "provider" and (link := _LINK.match(citation.text)):
            title = " ".join(link["title"].split())
            if _is_part_of_sentence(title, citation, text):
                words = title
        if words:
            kept[citation.span] = words
    return kept


def _authors(marker: str) -> str:
    """The names in a narrative marker; nothing for one in brackets."""
    if marker[:1] in "([":
        return ""
    year = _YEAR.search(marker)
    return marker[: year.start()].strip() if year else ""


def _is_part_of_sentence(title: str, citation: Citation, text: str) -> bool:
    if _LABEL.match(title):
        return False
    before = text[max(0, citation.start - 40) : citation.start]
    after = text[citation.end : citation.end + 20]
    if before.rstrip("*_ ")[-1:] in ("(", "["):
        return False
    if _LEADS_TO_NOUN.search(before):
        return True
    if _BEGINS_SENTENCE.search(before):
        return bool(_FOLLOWED_BY_WORD.match(after) or _FOLLOWED_BY_JOINT.match(after))
    if _FOLLOWED_BY_WORD.match(after):
        return not _CONJUNCTION.match(after)
    # At the end of a sentence, a title in small letters is what is spoken of, one with a capital the source.
    return title[:1].islower()
