"""A list of references as text, Markdown, a piece of HTML, BibTeX, RIS or CSL-JSON."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import msgspec
from msgspec import structs

from pincite.answering.bibliography.bibtex import citation_key, write_bibtex
from pincite.answering.bibliography.csl_json import item_of
from pincite.answering.bibliography.entry import BibEntry
from pincite.answering.bibliography.processor import format_entries
from pincite.answering.bibliography.ris import write_ris
from pincite.answering.bibliography.styled import to_html, to_markdown, to_text
from pincite.errors import InputError, did_you_mean

FORMATS = ("text", "markdown", "html", "bibtex", "csl-json", "ris")


class NumberedEntry(msgspec.Struct, frozen=True):
    """An entry under its number in the answer's text."""

    number: int
    entry: BibEntry


def write_bibliography(entries: Sequence[NumberedEntry], style: str = "apa-7", form: str = "text") -> str:
    """The list, in the order given. `style` is for text, Markdown and HTML; data has none."""
    if form not in FORMATS:
        hint = did_you_mean(form, FORMATS, f"; use {', '.join(FORMATS)}")
        raise InputError(f"there is no format {form!r:.80}{hint}")
    if form in ("bibtex", "csl-json", "ris"):
        return _data(entries, form)
    formatted = format_entries([(one.number, one.entry) for one in entries], style)
    if form == "text":
        return "".join(f"{label} {to_text(text)}".rstrip() + "\n" for label, text in formatted)
    if form == "markdown":
        # A label like `3.` would begin a list, which counts for itself.
        return "\n".join(f"{_label(label)} {to_markdown(text)}".rstrip() + "\n" for label, text in formatted)
    rows = "".join(
        f'  <div class="csl-entry" id="reference-{one.number}">{escape(label)} {to_html(text)}</div>\n'
        for one, (label, text) in zip(entries, formatted, strict=True)
    )
    return f'<div class="csl-bib-body">\n{rows}</div>\n'


def rendered_entries(entries: Sequence[NumberedEntry], style: str) -> dict[int, str]:
    """Each entry in the style as text, by its number and without it."""
    formatted = format_entries([(one.number, one.entry) for one in entries], style)
    return {one.number: to_text(text) for one, (_, text) in zip(entries, formatted, strict=True)}


def _label(label: str) -> str:
    return label.replace("[", "\\[").replace("]", "\\]").replace(".", "\\.")


def _data(entries: Sequence[NumberedEntry], form: str) -> str:
    """The entries as data, each under a key of its own."""
    keys: set[str] = set()
    unique: list[BibEntry] = []
    for one in entries:
        key = citation_key(one.entry.id)
        if key in keys:
            key = f"{key}-{one.number}"
        while key in keys:
            key += "x"
        keys.add(key)
        unique.append(structs.replace(one.entry, id=key))
    if form == "csl-json":
        items = [
            item_of(entry) | {"citation-number": str(one.number)}
            for one, entry in zip(entries, unique, strict=True)
        ]
        return msgspec.json.format(msgspec.json.encode(items), indent=2).decode() + "\n"
    write = write_bibtex if form == "bibtex" else write_ris
    return "\n".join(write(entry) for entry in unique)
