"""`pincite bibliography`: the sources that an answer cites, as a list of references."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pincite.answering import (
    FORMATS,
    RESOLVER,
    STYLES,
    DoiResolver,
    KnownItems,
    check_style,
    gather,
    read_reference_file,
    write_bibliography,
)
from pincite.base import read_limited
from pincite.cli.options import (
    OUTPUT,
    SOURCES,
    CommonOptions,
    arg,
    command,
    flag,
    formats,
    load_settings,
    open_library,
    opt,
)
from pincite.cli.output import emit_quoted, note, read_stdin, write_file
from pincite.errors import InputError, TooLargeError

_DATA = (".bib", ".ris")


class BibliographyOptions(CommonOptions):
    answer: str = arg(
        "ANSWER",
        "a result saved by `pincite answer`, CSL-JSON, a .bib or .ris file, or - for stdin",
    )
    style: str | None = opt(
        "--style NAME", f"a citation style: {', '.join(STYLES)}, … (default: a plain list)"
    )
    output_format: str = formats(*FORMATS)
    sources: list[str] | None = SOURCES
    metadata: list[str] = opt("-m, --metadata FILE...", "BibTeX, RIS or CSL-JSON that describes the sources")
    online: bool = flag("--online", "look up DOIs and arXiv ids on the network")
    resolver: str | None = opt("--resolver URL", "the DOI resolver to ask (default: https://doi.org)")
    output: str | None = OUTPUT


@command(BibliographyOptions)
def run(options: BibliographyOptions) -> int:
    settings = load_settings(options)
    if options.style is not None:
        check_style(options.style)
    resolver = DoiResolver(options.resolver or RESOLVER) if options.online else None
    if options.resolver and not options.online:
        raise InputError("--resolver goes with --online: nothing is looked up without it")
    known = KnownItems([item for path in options.metadata for item in read_reference_file(path, _warn)])
    if Path(options.answer).suffix.lower() in _DATA:
        numbered = list(enumerate(read_reference_file(options.answer, _warn), 1))
    else:
        sources = open_library(settings.sources, settings).sources if settings.sources else ()
        answer = _read_answer(options.answer, settings.limits.answer_bytes)
        numbered = gather(answer, sources, known, resolver, _warn)
    if not numbered:
        _warn("no references: the answer cites nothing")
    written = write_bibliography(numbered, options.style, options.output_format)
    if options.output:
        write_file(Path(options.output), written.encode("utf-8"))
    else:
        emit_quoted(written)
    return 0


def _warn(text: str) -> None:
    note(text, "warning")


def _read_answer(path: str, most: int) -> Any:
    """A saved result; a list of CSL-JSON items is taken as references that are numbered by their place."""
    from pincite.base import read_json

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
