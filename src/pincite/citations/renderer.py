"""A citation back to its text: rebuilt from its targets and its form, never from the text it came from."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from pincite.citations.formats import scan
from pincite.citations.formats.form import Context, has_ending
from pincite.citations.formats.number import raise_digits
from pincite.citations.formats.span import escape_excerpt, escape_name, quote_name
from pincite.citations.formats.span_places import DocumentPlace, read_place, span_target
from pincite.errors import InputError
from pincite.records import Citation, NumberTarget, SpanTarget, Target

_SLOT = re.compile(r"\{\{|\}\}|\{(?:(\d{1,6})\.)?(\w{1,20})(?:\.(\d{1,3}))?(?:!(\w{1,10}))?\}")
_WRITERS: dict[str, Callable[[Any], str]] = {
    "raised": raise_digits,
    "escaped": escape_name,
    "quoted": quote_name,
    "excerpt": escape_excerpt,
    "suffix": lambda year: year[4:],
}


def render(citation: Citation) -> str:
    """The marker's text. For a provider's citation, whose text is the answer's own, that text."""
    if citation.family == "provider":
        return citation.text

    def fill(slot: re.Match[str]) -> str:
        if slot[0] in ("{{", "}}"):
            return slot[0][0]
        index, name, item, writer = slot.groups()
        owner: Any = citation if index is None else citation.targets[int(index)]
        value = getattr(owner, name)
        if item is not None:
            value = value[int(item)]
        if writer is not None:
            value = _WRITERS[writer](value)
        return str(value)

    return _SLOT.sub(fill, citation.form)


def render_span(
    document: str,
    page: int | None = None,
    start: int | None = None,
    end: int | None = None,
    cited_text: str | None = None,
) -> str:
    """`[document:page:start-end]`, quoted where the name needs it, with an excerpt if there is one."""
    return _render_spans([span_target(document, page, start, end)], cited_text)


def _render_spans(targets: list[SpanTarget], cited_text: str | None) -> str:
    """The name bare where the grammar reads it back as itself, quoted otherwise."""
    targets = [_without_odd_section(target) for target in targets]
    name = targets[0].document
    if "\n" in name or "\r" in name:
        raise InputError(f"the document name {name!r} has a line break: a marker cannot hold it; rename it")
    bare = _span_marker(name, targets, cited_text)
    if not any(char in name for char in '[]|\\"') and name == name.strip():
        read = [found for found in scan(Context(bare)) if isinstance(found, Citation) and found.text == bare]
        if read and [_place(target) for target in read[0].targets] == [_place(target) for target in targets]:
            return bare
    return _span_marker(quote_name(name), targets, cited_text)


def _without_odd_section(target: SpanTarget) -> SpanTarget:
    """The whole document where no marker can name the heading, such as `Fees; refunds`."""
    section = target.section
    if section is UNSET:
        return target
    place = None if any(char in section for char in '[]"\\') else read_place(f"a.md, {section}", has_ending)
    known = isinstance(place, DocumentPlace) and place.section == section and has_ending(target.document)
    return target if known else span_target(target.document)


def _place(target: Target) -> tuple[object, ...]:
    # Not the key: a target made from another may still bear the other's.
    if not isinstance(target, SpanTarget):
        return ()
    place = (target.document, target.page, target.start, target.end, target.end_page)
    return (*place, target.lines, target.section)


def _span_marker(name: str, targets: list[SpanTarget], cited_text: str | None) -> str:
    first = targets[0]
    parts = [name]
    if first.page is not None and first.end_page is not UNSET and first.start is None:
        parts[0] += f", pp. {first.page}–{first.end_page}"
    elif first.lines is not UNSET:
        parts[0] += f", lines {first.lines[0]}-{first.lines[1]}"
    elif first.section is not UNSET:
        parts[0] += f", {first.section}"
    elif first.page is not None:
        parts.append(str(first.page))
    if first.start is not None:
        parts.append(",".join(f"{target.start}-{target.end}" for target in targets))
    elif first.page is None and parts == [name] and name.startswith('"'):
        parts.append("")  # `["Annual report":]`: the colon tells a quoted document from quoted words
    excerpt = f' | excerpt: "{escape_excerpt(cited_text)}"' if cited_text is not None else ""
    return f"[{':'.join(parts)}{excerpt}]"


def replace_target(citation: Citation, index: int, new_target: Target) -> str:
    """The marker's text with one target exchanged; the others and the writing stay as they are."""
    targets = list(citation.targets)
    old = targets[index]
    targets[index] = new_target
    if isinstance(new_target, SpanTarget) and isinstance(old, SpanTarget) and citation.family == "span":
        return _replace_span(citation, old, new_target, targets)
    in_slots = all(f"{{{at}." in citation.form for at in range(len(targets)))
    if isinstance(new_target, NumberTarget) and not in_slots:
        return _spelled_out(citation, targets)  # some are inside a range, which has no slot for them
    return render(replace(citation, targets=tuple(targets)))


def _replace_span(citation: Citation, old: SpanTarget, new: SpanTarget, targets: list[Target]) -> str:
    spans = [target for target in targets if isinstance(target, SpanTarget)]
    same_shape = _shape(old) == _shape(new)
    in_place = same_shape and old.document == new.document and (old.page == new.page or len(spans) == 1)
    if new.start is not None:  # digits that are not written as we write them stand in the form themselves
        slots = [f"{{{at}.{end}}}" for at in range(len(spans)) for end in ("start", "end")]
        in_place = in_place and all(slot in citation.form for slot in slots)
    if in_place and "{0.document" in citation.form and (new.page is None or "{0.page}" in citation.form):
        written = render(replace(citation, targets=tuple(targets)))
        # Not every heading is read back. A title in brackets never is: only the sources make it a citation.
        if new.section is UNSET or _is_read_as(written, targets) or not _is_read_as(citation.text, [old]):
            return written
    if new.start is None and old.start is None:
        kept = _in_same_writing(citation, targets)
        if kept is not None:
            return kept
    markers: list[list[SpanTarget]] = []
    for span in spans:
        last = markers[-1][-1] if markers else None
        together = last is not None and (last.document, last.page) == (span.document, span.page)
        if together and last is not None and last.start is not None and span.start is not None:
            markers[-1].append(span)
        else:
            markers.append([span])
    first = _render_spans(markers[0], citation.cited_text)
    return first + "".join(_render_spans(marker, None) for marker in markers[1:])


def _shape(target: SpanTarget) -> tuple[bool, ...]:
    """Which parts of a place it names, and so which slots it can fill."""
    named = (target.end_page, target.lines, target.section)
    return (target.page is None, target.start is None, *(part is UNSET for part in named))


def _in_same_writing(citation: Citation, targets: list[Target]) -> str | None:
    """The marker with other targets in its own writing; None where that would not be read as them."""
    if any(f"{{{at}.document" not in citation.form for at in range(len(targets))):
        return None
    try:
        kept = render(replace(citation, targets=tuple(targets)))
    except (TypeError, IndexError):  # a slot for a page or for lines that the new target does not have
        return None
    if citation.form == "{0.document}":  # named in the running text: `According to report.md, …`
        new = targets[0]
        return kept if isinstance(new, SpanTarget) and has_ending(kept) and new.page is None else None
    return kept if _is_read_as(kept, targets) else None


def _is_read_as(marker: str, targets: Sequence[Target]) -> bool:
    from pincite.citations.parser import parse

    read = parse(f"So {marker}.").citations
    same = len(read) == 1 and read[0].text == marker
    return same and list(map(_place, read[0].targets)) == list(map(_place, targets))


def _spelled_out(citation: Citation, targets: list[Target]) -> str:
    listed = [target.number for target in targets if isinstance(target, NumberTarget)]
    numbers = ", ".join(str(number) for number in listed if number is not None)
    opening, closing = {"【": ("【", "】"), "(": ("(", ")")}.get(citation.form[:1], ("[", "]"))
    return f"{opening}{numbers}{closing}"
