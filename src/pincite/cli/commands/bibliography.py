"""`pincite bibliography`: the sources that an answer cites, as a list of references."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from pincite.answering.bibliography.processor import STYLES
from pincite.answering.bibliography.writing import FORMATS
from pincite.base import read_limited
from pincite.cli.options import (
    COMMON,
    OUTPUT,
    SOURCES,
    arg,
    flag,
    formats,
    load_settings,
    on_command,
    open_library,
    opt,
)
from pincite.cli.output import emit_quoted, note, read_stdin, write_file
from pincite.errors import InputError, TooLargeError

_DATA = (".bib", ".ris")


@on_command(
    "bibliography",
    arg(
        "answer",
        "ANSWER",
        "a result saved by `pincite answer`, CSL-JSON, a .bib or .ris file, or - for stdin",
    ),
    opt("--style NAME", f"{', '.join(STYLES)} (default: apa-7)", default="apa-7"),
    formats(*FORMATS),
    SOURCES,
    opt("-m, --metadata FILE...", "BibTeX, RIS or CSL-JSON that describes the sources"),
    flag("--online", "look up DOIs and arXiv ids on the network"),
    opt("--resolver URL", "the DOI resolver to ask (default: https://doi.org)"),
    OUTPUT,
    *COMMON,
)
def _run(options: Namespace) -> int:
    from pincite.answering.bibliography.gather import KnownEntries, gather, read_references_file
    from pincite.answering.bibliography.online import RESOLVER, DoiResolver
    from pincite.answering.bibliography.processor import full_style_name
    from pincite.answering.bibliography.writing import NumberedEntry, write_bibliography

    settings = load_settings(options)
    full_style_name(options.style)
    resolver = DoiResolver(options.resolver or RESOLVER) if options.online else None
    if options.resolver and not options.online:
        raise InputError("--resolver goes with --online: nothing is looked up without it")
    known = KnownEntries([entry for path in options.metadata for entry in read_references_file(path)])
    if Path(options.answer).suffix.lower() in _DATA:
        entries = read_references_file(options.answer)
        numbered = [NumberedEntry(number, entry) for number, entry in enumerate(entries, 1)]
    else:
        sources = open_library(settings.sources, settings).sources if settings.sources else ()
        answer = _read_answer(options.answer, settings.limits.answer_bytes)
        numbered = gather(answer, sources, known, resolver, lambda text: note(text, "warning"))
    if not numbered:
        note("no references: the answer cites nothing", "warning")
    written = write_bibliography(numbered, options.style, options.output_format)
    if options.output:
        write_file(Path(options.output), written.encode("utf-8"))
    else:
        emit_quoted(written)
    return 0


def _read_answer(path: str, most: int) -> Any:
    """A saved result; a list of CSL-JSON items is taken as references that are numbered by their place."""
    from pincite.any_json import read_json

    if path == "-":
        raw: bytes | str = read_stdin(most + 1)
    else:
        try:
            raw = read_limited(Path(path), most + 1)
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror}") from None
    if len(raw) > most:
        raise TooLargeError(f"{path}: over the limit of {most // 1024 // 1024} MB (limits.answer_bytes)")
    try:
        answer = read_json(raw)
    except ValueError as error:
        hint = "; of JSON Lines, give one line" if path.endswith((".jsonl", ".ndjson")) else ""
        raise InputError(f"{path} is not JSON: {error}{hint}") from None
    return {"references": answer} if isinstance(answer, list) else answer
