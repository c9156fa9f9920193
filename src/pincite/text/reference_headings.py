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

# How the headings begin, for one search that stops only at the starts of lines.
_COMMON = ("referen", "referan", "source", "bibliogra", "work cited", "works cited", "citation", "cited")
_BEGINNINGS = (
    *_COMMON,
    *("literatur", "footnote", "endnote", "list of"),
    *(word for word in sorted(HEADINGS | WEAK_HEADINGS) if not word.startswith(_COMMON)),
)


def _beginnings() -> str:
    """An expression for the beginnings, small or capital, grouped by first letter so that it fails fast."""
    groups: dict[str, list[str]] = {}
    for word in _BEGINNINGS:
        rests = groups.setdefault(word[0], [])
        rests += [re.escape(rest) for rest in dict.fromkeys((word[1:], word[1:].upper()))]
    branches = "|".join(
        f"[{first}{first.upper()}](?:{'|'.join(dict.fromkeys(rests))})" for first, rests in groups.items()
    )
    firsts = "".join(groups)
    return f"(?=[{firsts}{firsts.upper()}])(?:{branches})"


_LINE = (
    r"(?:[^\w\n]{0,8}+(?:\d{1,2}[.)]?[ ])?"
    + _beginnings()
    + r"|[> ]{0,6}+\|[ *]{0,4}+(?:[Nn][or]|[Nn]um|I[Dd]|id|[Ii]ndex|[Mm]arker|[#№])"
    + r"|[> ]{0,6}+(?:\[(?:\^|[^\]\n]{1,99}+\]:|\d{1,4}+\][ ])|[¹²³⁴-⁹【]))"
)
_LISTING_LINE = re.compile(r"\n" + _LINE)
_NUMBERING = re.compile(r"\d{1,2}[.)]?[ \t]+")


def may_have_references(text: str) -> bool:
    """False only when no reference list and no definition can stand in the text. Runs at C speed."""
    return _LISTING_LINE.search(text) is not None or _LISTING_LINE.match("\n" + text[:200]) is not None


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
