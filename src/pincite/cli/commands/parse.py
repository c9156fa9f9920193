"""`pincite parse`: every citation in an answer, with its offsets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from pincite.answers import Failed, LeftOut, left_out_line, read_answers
from pincite.citations import parse
from pincite.cli.options import (
    SOURCES,
    AnswersOptions,
    CommonOptions,
    command,
    formats,
    load_settings,
    open_library,
)
from pincite.cli.output import CANNOT_RUN, emit, emit_json, emit_table, note
from pincite.records import SCHEMA_VERSION, Answer, Citation, Malformed, Parsed, Target
from pincite.reports import ExcerptLines, dump, pick

Found = list[tuple[Answer, Parsed]]


class ParseOptions(AnswersOptions, CommonOptions):
    sources: list[str] | None = SOURCES
    output_format: str = formats("table", "json", "jsonl", help="how to print the citations")


@command(
    ParseOptions,
    epilog="Sources are needed only for markers that depend on them: single-segment JSON paths, and names\n"
    "and titles in brackets.",
)
def run(options: ParseOptions) -> int:
    settings = load_settings(options)
    library = open_library(settings.sources, settings, tell=False) if settings.sources else None
    found: Found = []
    failed = False
    left_out: list[LeftOut] = []
    for item in read_answers(options.answers, settings.limits, options.provider, left_out):
        if isinstance(item, Failed):
            note(item.reason, "error")
            failed = True
        else:
            answer = item.answer
            listed = answer.citations
            found.append((answer, parse(answer.text, library) if listed is None else Parsed(listed)))
    if left_out:
        note(left_out_line(left_out))
    if found or not failed:
        _print(found, options.output_format)
    return CANNOT_RUN if failed else 0


def _print(found: Found, output_format: str) -> None:
    if output_format == "jsonl":
        for answer, parsed in found:
            shape = {"schema_version": SCHEMA_VERSION, "file": answer.name, **_shape(parsed)}
            emit(dump(shape, indent=None))
    elif output_format == "json":
        merged: dict[str, list[Any]] = {"citations": [], "references": [], "malformed": []}
        for answer, parsed in found:
            # One answer keeps the plain shape; of several, each entry says where it is from.
            origin = {"file": answer.name} if len(found) > 1 else {}
            for kind, entries in _shape(parsed).items():
                merged[kind] += [{**entry, **origin} for entry in entries]
        emit_json(merged)
    else:
        _print_table(found)


def _shape(parsed: Parsed) -> dict[str, list[dict[str, Any]]]:
    """What was found, as plain JSON values."""
    citations = []
    for citation in parsed.citations:
        entry = pick(citation, "family", "text", "start", "end")
        entry["targets"] = [_target(target) for target in citation.targets]
        if citation.family == "provider":
            entry |= pick(citation, "cited_text", "source_span", "document_title", "problem")
        elif citation.cited_text is not None:
            entry["cited_text"] = citation.cited_text
        citations.append(entry)
    return {
        "citations": citations,
        "references": msgspec.to_builtins(parsed.references),
        "malformed": msgspec.to_builtins(parsed.malformed),
    }


def _target(target: Target) -> dict[str, Any]:
    """A target in its stable shape: what the marker points to, not what else it says."""
    fields: dict[str, Any] = msgspec.to_builtins(target)
    return {name: value for name, value in fields.items() if name not in ("title", "label")}


def _print_table(found: Found) -> None:
    rows = [row for answer, parsed in found for row in _rows(answer, parsed)]
    if not rows:
        emit("no citations found\n")
        return
    first = 0 if len(found) > 1 else 1
    header = ("file", "place", "offsets", "family", "text", "targets")
    emit_table(header[first:], [row[first:] for row in rows])


def _rows(answer: Answer, parsed: Parsed) -> Iterator[tuple[str, ...]]:
    lines = ExcerptLines(answer.text)
    marks: list[tuple[Citation | Malformed, str, str]] = [
        (one, one.family, ", ".join(target.key for target in one.targets)) for one in parsed.citations
    ]
    marks += [(one, "malformed", one.problem) for one in parsed.malformed]
    for one, family, targets in marks:
        line, column = lines.place(one.start)
        yield answer.name, f"{line}:{column}", f"{one.start}–{one.end}", family, one.text, targets
