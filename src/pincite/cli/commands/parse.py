"""`pincite parse`: every citation that stands in an answer, with its offsets."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from pincite.cli.options import Parser, add_answers, add_common, add_sources, limit_flags

if TYPE_CHECKING:
    from pincite.records import Answer, Parsed, Target


def parser() -> Parser:
    made = Parser(
        "parse",
        "List every citation in an answer, with offsets. Sources are needed only for markers that depend on\n"
        "them: single-segment JSON paths, and names and titles in brackets.",
    )
    add_answers(made)
    add_sources(made)
    made.choice(
        "-f",
        "--output-format",
        of=("table", "json", "jsonl"),
        default="table",
        help="how to print the citations",
    )
    add_common(made)
    return made


def run(options: Namespace) -> int:
    from pincite.answers.read import Failed, LeftOut, left_out_line, read_answers
    from pincite.cli.commands.settings import load_settings
    from pincite.cli.output import CANNOT_RUN, emit, note

    settings = load_settings(options.config, sources=options.sources, **limit_flags(options))
    known = _known(settings.sources, settings.limits)
    found: list[tuple[Answer, Parsed]] = []
    failed = False
    left_out: list[LeftOut] = []
    for item in read_answers(options.answers, settings.limits, options.provider, left_out):
        if isinstance(item, Failed):
            note(item.reason, "error")
            failed = True
        else:
            found.append((item.answer, _parse(item.answer, known)))
    if left_out:
        note(left_out_line(left_out))
    if found or not failed:
        emit(_written(found, options.output_format))
    return CANNOT_RUN if failed else 0


def _known(paths: tuple[str, ...], limits: Any) -> tuple[Any, ...]:
    """What the sources say about paths and names, as `parse` asks for it."""
    if not paths:
        return ()
    from pathlib import Path

    from pincite.sources.library import open_sources
    from pincite.sources.paths import has_path

    library = open_sources([Path(path) for path in paths], limits)
    return has_path(library), library.bears


def _parse(answer: Answer, known: tuple[Any, ...]) -> Parsed:
    from pincite.citations.parse import parse as parse_text
    from pincite.records import Parsed

    if answer.citations is not None:
        return Parsed(answer.citations)
    return parse_text(answer.text, *known)


def _written(found: list[tuple[Answer, Parsed]], output_format: str) -> str:
    from pincite.records import SCHEMA_VERSION
    from pincite.reports.findings.json_report import dump

    if output_format == "jsonl":
        return "".join(
            dump({"schema_version": SCHEMA_VERSION, "file": answer.name, **parsed_dict(parsed)}, indent=None)
            for answer, parsed in found
        )
    if output_format == "json":
        merged: dict[str, list[Any]] = {"citations": [], "references": [], "malformed": []}
        for answer, parsed in found:
            # One answer keeps the plain shape; of several, each entry says where it stands.
            origin = {"file": answer.name} if len(found) > 1 else {}
            for kind, entries in parsed_dict(parsed).items():
                merged[kind] += [{**entry, **origin} for entry in entries]
        return dump({"schema_version": SCHEMA_VERSION, **merged})
    return _table(found)


def parsed_dict(parsed: Parsed) -> dict[str, list[dict[str, Any]]]:
    """What was found, as plain JSON values."""
    import msgspec

    citations = []
    for citation in parsed.citations:
        entry: dict[str, Any] = {
            "family": citation.family,
            "text": citation.text,
            "start": citation.start,
            "end": citation.end,
            "targets": [_target_dict(target) for target in citation.targets],
        }
        known = {
            "cited_text": citation.cited_text,
            "source_span": citation.source_span,
            "document_title": citation.document_title,
        }
        if citation.family == "provider":
            entry.update(known, problem=citation.problem)
        elif citation.cited_text is not None:
            entry["cited_text"] = citation.cited_text
        citations.append(entry)
    return {
        "citations": citations,
        "references": [msgspec.to_builtins(reference) for reference in parsed.references],
        "malformed": [msgspec.to_builtins(malformed) for malformed in parsed.malformed],
    }


def _target_dict(target: Target) -> dict[str, Any]:
    """A target in its stable shape: what the marker points to, not what else it says."""
    import msgspec

    fields: dict[str, Any] = msgspec.to_builtins(target)
    return {name: value for name, value in fields.items() if name not in ("title", "label")}


def _table(found: list[tuple[Answer, Parsed]]) -> str:
    from pincite.cli.output import terminal_width
    from pincite.cli.tables import table
    from pincite.reports.findings.excerpt import ExcerptLines

    several = len(found) > 1
    rows = []
    for answer, parsed in found:
        lines = ExcerptLines(answer.text)
        for citation in parsed.citations:
            line, column = lines.place(citation.start)
            row = [
                f"{line}:{column}",
                f"{citation.start}–{citation.end}",
                citation.family,
                citation.text,
                ", ".join(target.key for target in citation.targets),
            ]
            rows.append([answer.name, *row] if several else row)
        for malformed in parsed.malformed:
            line, column = lines.place(malformed.start)
            row = [
                f"{line}:{column}",
                f"{malformed.start}–{malformed.end}",
                "malformed",
                malformed.text,
                malformed.problem,
            ]
            rows.append([answer.name, *row] if several else row)
    if not rows:
        return "no citations found\n"
    header = ["place", "offsets", "family", "text", "targets"]
    return table(["file", *header] if several else header, rows, terminal_width(sys.stdout))
