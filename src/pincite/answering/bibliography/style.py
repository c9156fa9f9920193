"""A list of references: plain and numbered, in a CSL style through citeproc-py, or as data."""

from __future__ import annotations

import html
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec

from pincite.answering.bibliography.bibtex import citation_key, write_bibtex
from pincite.answering.bibliography.item import Item, iso_date
from pincite.answering.bibliography.ris import write_ris
from pincite.base import did_you_mean
from pincite.errors import InputError, MissingExtraError

FORMATS = ("text", "markdown", "html", "bibtex", "csl-json", "ris")
STYLES = {
    "apa-7": "apa",
    "mla-9": "modern-language-association",
    "chicago-author-date": "chicago-author-date",
    "ieee": "ieee",
    "nature": "nature",
    "vancouver": "nlm-citation-sequence",
}
"""The styles that come with Pincite, and their files in `styles/`."""
_LARGEST_STYLE = 1024 * 1024
_MOST_ELEMENTS = 20_000
_CSL = "{http://purl.org/net/xbiblio/csl}"
_MARKS = {"italic": ("\ue000", "\ue001"), "bold": ("\ue002", "\ue003"), "raised": ("\ue004", "\ue005")}
"""Characters around what a style sets apart. No item can hold them, so no text of a source becomes markup."""
_SIGNS = [sign for signs in _MARKS.values() for sign in signs]
_HTML = str.maketrans(dict(zip(_SIGNS, ("<i>", "</i>", "<b>", "</b>", "<sup>", "</sup>"), strict=True)))
_MARKDOWN = str.maketrans(dict(zip(_SIGNS, ("*", "*", "**", "**", "", ""), strict=True)))
_NOTHING = str.maketrans(dict.fromkeys(_SIGNS, ""))
_LINK = re.compile(r"https?://[^\s<>\"'\ue000-\uf8ff]{1,1900}[A-Za-z0-9/=_-]")

Numbered = tuple[int, Item]
"""An item under its number in the answer's text."""


def write_bibliography(items: Sequence[Numbered], style: str | None = None, form: str = "text") -> str:
    """The list, in the order given. Without a style it is a plain one; data has none."""
    if form not in FORMATS:
        hint = did_you_mean(form, FORMATS, f"; use {', '.join(FORMATS)}")
        raise InputError(f"there is no format {form!r:.80}{hint}")
    if form in ("bibtex", "csl-json", "ris"):
        return _data(items, form)
    write: dict[str, Callable[[int, str], str]] = {
        "text": lambda number, entry: f"[{number}] {entry.translate(_NOTHING)}".rstrip() + "\n",
        "markdown": lambda number, entry: f"\\[{number}\\] {_markdown(entry)}".rstrip() + "\n\n",
        "html": lambda number, entry: (
            f'  <div class="csl-entry" id="reference-{number}">[{number}] {_html(entry)}</div>\n'
        ),
    }
    made = "".join(
        write[form](number, entry) for (number, _), entry in zip(items, _entries(items, style), strict=True)
    )
    return (
        f'<div class="csl-bib-body">\n{made}</div>\n'
        if form == "html"
        else made.rstrip("\n") + "\n" * bool(made)
    )


def rendered_entries(items: Sequence[Numbered], style: str | None) -> dict[int, str]:
    """Each entry as text, by its number and without it."""
    entries = _entries(items, style)
    return {number: entry.translate(_NOTHING) for (number, _), entry in zip(items, entries, strict=True)}


def _html(entry: str) -> str:
    """Everything escaped; addresses become links, which only http and https can be."""
    link = r'<a href="\g<0>" rel="noopener noreferrer">\g<0></a>'
    return _LINK.sub(link, html.escape(entry)).translate(_HTML)


def _markdown(entry: str) -> str:
    """Everything escaped that could mean something to Markdown or to HTML in it."""
    escaped = re.sub(r"([\\`*_\[\]<>|~$&#!{}:@])", r"\\\1", entry)
    # Emphasis must not begin or end with a space.
    moved = re.sub(r"([\ue000\ue002])( +)", r"\2\1", re.sub(r"(?<! )( ++)([\ue001\ue003])", r"\2\1", escaped))
    return moved.translate(_MARKDOWN)


def _entries(items: Sequence[Numbered], style: str | None) -> list[str]:
    if style is None:
        return [_plain(item) for _, item in items]
    loaded = check_style(style)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of fields that it does not know
        return [_styled(loaded, item) for _, item in items]


def _plain(item: Item) -> str:
    names = [
        one.get("literal") or " ".join(one[part] for part in _IN_ORDER if part in one)
        for one in item.get("author") or item.get("editor") or ()
    ]
    if len(names) > 6:
        names = [*names[:3], "et al."]
    volume = item.get("volume", "") + (f"({item['issue']})" if "issue" in item else "")
    inside = [item.get("container-title"), volume, item.get("page")]
    parts = [
        ", ".join(names),
        item.get("title"),
        ", ".join(part for part in inside if part),
        item.get("number"),
        item.get("publisher"),
        iso_date(item["issued"]) if "issued" in item else None,
        f"https://doi.org/{item['DOI']}" if "DOI" in item else item.get("URL"),
    ]
    made = " ".join(part if part[-1] in ".?!" else f"{part}." for part in parts if part)
    return made.removesuffix(".") if parts[-1] else made


_IN_ORDER = ("given", "non-dropping-particle", "family", "suffix")


# --- citation styles -----------------------------------------------------------------------------


def _set_apart(face: str) -> Any:
    begin, end = _MARKS[face]
    return staticmethod(lambda text: f"{begin}{text}{end}")


class _Formatter:
    """What the processor calls to set a text apart."""

    Italic = Oblique = _set_apart("italic")
    Bold = _set_apart("bold")
    Superscript = _set_apart("raised")
    preformat = Light = Underline = SmallCaps = Subscript = staticmethod(str)


@lru_cache(maxsize=4)
def check_style(name: str) -> Any:
    """The style of this name, or in this `.csl` file; an error says what is wrong with it."""
    try:
        import citeproc
    except ImportError as error:
        needed = f"the style {name!r:.80} needs citeproc-py: pip install 'pincite[bibliography]'"
        raise MissingExtraError(needed) from error
    raw = _style_file(name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            style = citeproc.CitationStylesStyle(BytesIO(raw), locale="en-US", validate=False)
        macros = {macro.get("name"): macro for macro in style.root.findall(f"{_CSL}macro")}
        layout = style.root.find(f"{_CSL}bibliography/{_CSL}layout")
        if layout is None or _expanded(layout, macros, {}) > _MOST_ELEMENTS:
            raise ValueError("it has none" if layout is None else "its macros expand to too much")
    except Exception as error:  # whatever a file that is no style makes of the library
        raise InputError(
            f"{name[-200:]!r} is not a style with a list of references: {error!s:.200}"
        ) from None
    for number in style.root.findall(f".//{_CSL}text[@variable='citation-number']"):
        number.getparent().remove(number)  # ours are those of the answer's text
    return style


def _style_file(name: str) -> bytes:
    known = {**STYLES, **{file: file for file in STYLES.values()}}
    if name.lower() in known:
        return files(__package__).joinpath("styles", f"{known[name.lower()]}.csl").read_bytes()
    if not name.endswith(".csl") or not Path(name).is_file():
        hint = did_you_mean(name, known, f"; the styles are {', '.join(STYLES)}, and any .csl file")
        raise InputError(f"there is no style {name!r:.80}{hint}")
    with Path(name).open("rb") as file:
        raw = file.read(_LARGEST_STYLE + 1)
    if len(raw) > _LARGEST_STYLE or b"<!" in raw.replace(b"<!--", b""):
        raise InputError(f"{name}: over {_LARGEST_STYLE:,} bytes, or with a DTD: no CSL style is or has")
    return raw


def _expanded(element: Any, macros: dict[str, Any], known: dict[str, float]) -> float:
    """How many elements are rendered, at most. A macro that calls itself never ends."""
    inner = [_expanded(child, macros, known) for child in element]
    if name := element.get("macro"):
        if name not in known:
            known[name] = float("inf")
            known[name] = _expanded(macros[name], macros, known)
        inner.append(known[name])
    return 1 + (max(inner, default=0) if element.tag == f"{_CSL}choose" else sum(inner))


def _styled(style: Any, item: Item) -> str:
    from citeproc import Citation, CitationItem, CitationStylesBibliography
    from citeproc.source.json import CiteProcJSON

    made = CitationStylesBibliography(style, CiteProcJSON([item | {"id": "entry"}]), _Formatter)
    made.register(Citation([CitationItem("entry")]))
    return " ".join(" ".join(map(str, made.bibliography())).split())


# --- data ----------------------------------------------------------------------------------------


def _data(items: Sequence[Numbered], form: str) -> str:
    keyed = [item | {"id": key} for (_, item), key in zip(items, _keys(items), strict=True)]
    if form == "bibtex":
        return write_bibtex(keyed)
    if form == "ris":
        return write_ris(keyed)
    numbered = [
        item | {"citation-number": str(number)} for (number, _), item in zip(items, keyed, strict=True)
    ]
    return msgspec.json.format(msgspec.json.encode(numbered), indent=2).decode() + "\n"


def _keys(items: Sequence[Numbered]) -> Iterator[str]:
    """A key of its own for each item."""
    taken: set[str] = set()
    for number, item in items:
        key = citation_key(item["id"])
        key = f"{key}-{number}" if key in taken else key
        while key in taken:
            key += "x"
        taken.add(key)
        yield key
