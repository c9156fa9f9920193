"""BibTeX by bibtexparser, LaTeX by pylatexenc, behind limits of our own.

Both libraries take time in proportion to their input and keep about a kilobyte for each block. So the blocks,
the fields and the characters that macros expand to are counted before anything is made of them.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from pincite.answering.bibliography.item import (
    FIELDS,
    LONGEST,
    MONTHS,
    MOST_ITEMS,
    MOST_NAMES,
    TEXTS,
    TYPES,
    Item,
    clean,
    clean_item,
    find_arxiv,
    iso_date,
    month_number,
)
from pincite.errors import MissingExtraError, TooLargeError

MOST_FIELDS = 1_000_000
MOST_EXPANDED = 10_000_000
"""Characters that macros may add to a file."""
MOST_LATEX = 2_000_000
"""Characters of values with commands of LaTeX. Each takes microseconds, and each value as much as 32 more."""
LONGEST_VALUE = 40_000
"""Characters of a field as it is written; a list of authors is the longest."""
_KINDS = {name: kind for kind, (names, _) in TYPES.items() for name in names.split()}
_FIELDS = {field: names.bibtex.split() for field, names in FIELDS.items() if names.bibtex}
_READ_FIELDS = {"year", "month", "day", "eprint", "archiveprefix", "eprinttype"}.union(*_FIELDS.values())
_OWN_FIELD = {
    ("container-title", "chapter"): "booktitle",
    ("container-title", "paper-conference"): "booktitle",
    ("publisher", "thesis"): "school",
    ("publisher", "report"): "institution",
}
_MARK = re.compile(r'\\.|[{}"#]', re.DOTALL)
_SIGNS = {"{": "", "}": "", "~": " ", "---": "—", "--": "–", "``": "“", "''": "”"}
"""What LaTeX prints for what is no command."""
_COMMAND = re.compile(r"\\[A-Za-z]*|[{}$]")
_IN_BRACES = re.compile(r"\{(?:[^{}]|\{[^{}]*+\})*+\}")
_NOT_IN_KEY = re.compile(r"[^A-Za-z0-9_:.+-]+")


@cache
def _libraries() -> tuple[Any, Any, Any]:
    """bibtexparser, and LaTeX to text and back."""
    try:
        import bibtexparser
        from pylatexenc import latex2text, latexencode
    except ImportError as error:
        needed = "BibTeX needs bibtexparser and pylatexenc: pip install 'pincite[bibliography]'"
        raise MissingExtraError(needed) from error
    for name in ("bibtexparser", "pylatexenc"):  # what they skip is told by us
        logging.getLogger(name).addHandler(logging.NullHandler())
    known = latex2text.get_default_latex_context_db()
    printed = {"url": "%s", "textbraceleft": "{", "textbraceright": "}"}
    macros = [latex2text.MacroTextSpec(name, simplify_repl=text) for name, text in printed.items()]
    known.add_context_category("own", prepend=True, macros=macros)
    decoder = latex2text.LatexNodes2Text(latex_context=known, math_mode="text", keep_comments=True)
    # BibTeX counts a brace as one even after a backslash, so none may be left.
    braces = {ord("{"): r"\textbraceleft", ord("}"): r"\textbraceright"}
    rule = latexencode.UnicodeToLatexConversionRule(latexencode.RULE_DICT, braces)
    encoder = latexencode.UnicodeToLatexEncoder(
        conversion_rules=[rule, "defaults"],
        unknown_char_policy="keep",
        replacement_latex_protection="braces-all",
    )
    return bibtexparser, decoder.latex_to_text, encoder.unicode_to_latex


# --- reading -------------------------------------------------------------------------------------


def read_bibtex(text: str, tell: Callable[[str], None] = lambda _: None) -> list[Item]:
    """The entries of a BibTeX file; `tell` is told what could not be read."""
    for sign, most, what in (("@", MOST_ITEMS, "entries"), ("=", MOST_FIELDS, "fields")):
        if text.count(sign) > most:
            raise TooLargeError(f"over {most:,} {what} (counted by {sign}); divide the file")
    parser = _libraries()[0]
    values = _Values()
    items: list[Item] = []
    broken: list[int] = []
    for block in parser.parse_string(text, parse_stack=[]).blocks:
        block = getattr(block, "ignore_error_block", None) or block  # a repeated key is no error here
        if isinstance(block, parser.model.String):
            values.macros[block.key.lower()] = values.text_of(block.value)
        elif isinstance(block, parser.model.Entry):
            items.append(_item(block, values))
        elif isinstance(block, parser.model.ParsingFailedBlock):
            broken.append((block.start_line or 0) + 1)
    if broken:
        lines = ", ".join(map(str, broken[:5]))
        tell(f"broken BibTeX was skipped, in line {lines}{' …' if len(broken) > 5 else ''}")
    return items


class _Values:
    """The values of a file and the macros that it defines: what is made of them is counted first."""

    def __init__(self) -> None:
        self.macros = {name: name for name in MONTHS}
        self._macros_left = MOST_EXPANDED
        self._latex_left = MOST_LATEX

    def text_of(self, written: str) -> str:
        """The text of `{…}`, `"…"`, a number or a macro, or of several joined by `#`, cut at its limit."""
        pieces: list[str] = []
        room = LONGEST_VALUE
        for piece in _joined(written[:LONGEST_VALUE]):
            text = piece[1:-1] if piece[:1] in ("{", '"') else self.macros.get(piece.lower(), piece)
            text = text[:room]
            self._macros_left -= max(0, len(text) - len(piece))
            if self._macros_left < 0:
                raise TooLargeError(f"its macros expand to over {MOST_EXPANDED:,} characters")
            pieces.append(text)
            room -= len(text)
            if room <= 0:
                break
        return "".join(pieces)

    def plain(self, written: str) -> str:
        """The text that LaTeX would print."""
        text = written[: LONGEST * 2]
        if "\\" not in text and "$" not in text:
            for sign, printed in _SIGNS.items():
                text = text.replace(sign, printed)
            return text
        self._latex_left -= len(text) + 32
        if self._latex_left < 0:
            raise TooLargeError(f"over {MOST_LATEX:,} characters with commands of LaTeX; divide the file")
        try:
            return str(_libraries()[1](text))
        except Exception:  # braces too deep for it, or a command without what it asks for
            return _COMMAND.sub("", text)


def _joined(written: str) -> Iterator[str]:
    """What stands between the `#` signs that are in no braces and no quotes."""
    start = depth = 0
    quoted = False
    for mark in _MARK.finditer(written):
        sign = mark[0]
        if sign in "{}":
            depth = max(0, depth + (1 if sign == "{" else -1))
        elif sign == '"' and depth == 0:
            quoted = not quoted
        elif sign == "#" and depth == 0 and not quoted:
            yield written[start : mark.start()].strip()
            start = mark.end()
    yield written[start:].strip()


def _item(entry: Any, values: _Values) -> Item:
    fields: dict[str, str] = {}
    for field in entry.fields:
        if (name := field.key.lower()) in _READ_FIELDS and name not in fields:
            fields[name] = values.text_of(field.value)

    def first(*names: str) -> str | None:
        return next((text for name in names if (text := clean(values.plain(fields.get(name, ""))))), None)

    said: Item = {"id": entry.key, "type": _KINDS.get(entry.entry_type, "document")}
    said |= {name: first(*names) for name, names in _FIELDS.items()}
    for name in ("DOI", "URL"):  # people write these as they are, without escapes
        if (written := fields.get(name.lower())) and "\\" not in written:
            said[name] = written.strip("{} ")
    for name in ("author", "editor"):
        said[name] = _people(fields.get(name, ""), values)
    eprint = first("eprint")
    if eprint and (first("archiveprefix", "eprinttype") or "arxiv").lower() == "arxiv" and find_arxiv(eprint):
        said["number"] = f"arXiv:{find_arxiv(eprint)}"
        said["type"] = "article" if said["type"] == "document" else said["type"]
    if said["type"] == "report":
        said["number"] = said.pop("issue")
    month = month_number(first("month") or "")
    said["issued"] = said["issued"] or {"date-parts": [[first("year"), month, first("day")]]}
    return clean_item(said)


def _people(written: str, values: _Values) -> list[Any]:
    from bibtexparser.middlewares.names import split_multiple_persons_names

    names = [name for name in split_multiple_persons_names(written)[:MOST_NAMES] if name.lower() != "others"]
    return [
        {"literal": values.plain(name)} if _IN_BRACES.fullmatch(name) else values.plain(name)
        for name in names
    ]


# --- writing -------------------------------------------------------------------------------------


def write_bibtex(items: Sequence[Item]) -> str:
    """The items as BibTeX, with the fields that are known and no others."""
    parser = _libraries()[0]
    layout = parser.BibtexFormat()
    layout.indent, layout.block_separator = "  ", "\n"
    entries = [_entry(parser.model, item) for item in items]
    return str(parser.write_string(parser.Library(entries), bibtex_format=layout))


def citation_key(identifier: str) -> str:
    """An id as BibTeX can have it as a key."""
    return _NOT_IN_KEY.sub("-", identifier).strip("-") or "source"


def _entry(model: Any, item: Item) -> Any:
    encode = _libraries()[2]
    known = {name: " and ".join(map(_written, item[name])) for name in ("author", "editor") if item.get(name)}
    for field, names in _FIELDS.items():
        if (value := item.get(field)) and field in TEXTS:
            name = _OWN_FIELD.get((field, item["type"]), names[0])
            known[name] = encode(value.replace("-", "--") if field == "page" else value)
    number = item.get("number", "")
    if arxiv := find_arxiv(number) if number.startswith("arXiv:") else None:
        known |= {"eprint": encode(arxiv), "archiveprefix": "arXiv"}
    elif number:
        known["number" if item["type"] == "report" else "note"] = encode(number)
    if when := item.get("issued"):
        known |= zip(("year", "month", "day"), iso_date(when).split("-"), strict=False)
    if when := item.get("accessed"):
        known["urldate"] = iso_date(when)
    fields = [model.Field(name, value) for name, value in known.items()]
    for field in fields:
        if field.key == "month":
            field.value = MONTHS[int(field.value) - 1]
            field.enclosing = "no-enclosing"
    kind = TYPES[item["type"]][0].split()[0]
    return model.Entry(kind, citation_key(item["id"]), fields)


def _written(name: dict[str, str]) -> str:
    encode = _libraries()[2]
    if "literal" in name:
        return f"{{{encode(name['literal'])}}}"
    # In braces where BibTeX would read a comma or ` and ` otherwise than it is meant.
    parts = {
        part: f"{{{encode(text)}}}" if re.search(r",|\band\b", text) else encode(text)
        for part, text in name.items()
    }
    family = f"{parts.get('non-dropping-particle', '')} {parts['family']}".strip()
    return ", ".join(part for part in (family, parts.get("suffix"), parts.get("given")) if part)
