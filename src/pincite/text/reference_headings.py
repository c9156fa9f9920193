"""The headings under which answers list their sources."""

from __future__ import annotations

import re

# Headings under which an answer lists its sources, in the languages that answers are mostly written in.
_HEADINGS = (
    "references,reference list,list of references,sources,source list,list of sources,sources used,"
    "sources cited,cited sources,sources and references,references and sources,bibliography,works cited,"
    "literature cited,citations,footnotes,endnotes,"
    "quellen,quellenverzeichnis,quellenangaben,literatur,literaturverzeichnis,referenzen,fußnoten,"
    "références,bibliographie,sources citées,referencias,fuentes,bibliografía,riferimenti,fonti,"
    "bibliografia,referências,fontes,bronnen,referenties,källor,referenser,kilder,referanser,referencer,"
    "źródła,lähteet,kaynaklar,kaynakça,источники,литература,джерела,参考文献,参考资料,来源,资料来源,"
    "參考文獻,參考資料,來源,出典,引用文献,참고문헌,참고 문헌,출처,المراجع,المصادر,מקורות,संदर्भ"
)
HEADINGS = frozenset(_HEADINGS.split(","))
# Under a heading of this name every entry must look like one.
WEAK_HEADINGS = frozenset(
    ("notes", "note", "anmerkungen", "notas", "links", "citation", "source", "reference", "literature")
)

# A cheap test in C before anything is read line by line: tails, because the first letter may be a capital.
_TAILS = tuple(sorted({word[1:] for word in (*HEADINGS, *WEAK_HEADINGS)}, key=len))
_NEEDLES = tuple(tail for tail in _TAILS if not any(other != tail and other in tail for other in _TAILS))
_UPPER_NEEDLES = tuple(needle.upper() for needle in _NEEDLES)
_NUMBERING = re.compile(r"\d{1,2}[.)]?[ \t]+")


def may_have_references(text: str) -> bool:
    """False only when no reference list and no definition can stand in the text. Runs at C speed."""
    if "]:" in text or "\n[" in text or "\n¹" in text or "\n【" in text:
        return True
    return any(needle in text for needle in _NEEDLES) or any(needle in text for needle in _UPPER_NEEDLES)


def heading_words(text: str) -> str:
    """What a heading says: no marks, no colon, no numbering, small letters."""
    words = text.strip(" \t#*_=:：.-–—").casefold()
    numbering = _NUMBERING.match(words)
    return words[numbering.end() :].strip() if numbering else words


def opens_reference_line(line: str) -> bool:
    """Whether a line begins with such a heading and a colon: `Sources: …` inside a paragraph."""
    colon = line.find(":", 0, 34)
    if colon < 0:
        colon = line.find("：", 0, 34)
    if colon < 0:
        return False
    words = heading_words(line[:colon])
    return words in HEADINGS or words in WEAK_HEADINGS
