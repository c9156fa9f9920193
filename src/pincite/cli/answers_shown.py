"""An answer as `pincite answer` and `pincite verify` print it."""

from __future__ import annotations

from pincite.answering import AnswerReference, AnswerResult, citeformer_shape, result_shape
from pincite.cli.output import note, quoted
from pincite.reports import dump, safe
from pincite.sources import Library

SHOWN = ("text", "json", "html", "citeformer")
"""The formats of an answer; the first is the default."""


def show_result(result: AnswerResult, form: str, library: Library, style: str | None = None) -> str:
    """The answer with its references, in a citation style where one is named, or as JSON."""
    if form == "json":
        return dump(result_shape(result))
    if form == "html":
        return _page(result, library)
    if form == "citeformer":
        named = {source.name: source for source in library.sources}
        return dump(citeformer_shape(result, named, _rendered(result, library, style)))
    lines = [quoted(result.text)] if result.text else []
    if result.references and style is not None:
        lines += ["", *(safe(line) for line in _styled(result, library, style).splitlines())]
    elif result.references:
        lines += ["", *(_reference(one) for one in result.references)]
    return "".join(f"{line}\n" for line in lines)


def _page(result: AnswerResult, library: Library) -> str:
    """The answer beside its sources, as `pincite check --output-format html` writes it; nothing for none."""
    from pincite.findings import check
    from pincite.records import Answer
    from pincite.reports import write

    if not result.text:
        return ""
    report = result.report or check(Answer(result.text, query=result.question), library)
    return write([report], "html", library=library)


def _styled(result: AnswerResult, library: Library, style: str) -> str:
    from pincite.answering import gather, write_bibliography

    return write_bibliography(gather(result_shape(result), library.sources), style)


def _rendered(result: AnswerResult, library: Library, style: str | None) -> dict[int, str]:
    """Each reference in a citation style, without the number before it."""
    if style is None:
        return {}
    from pincite.answering import gather, rendered_entries

    return rendered_entries(gather(result_shape(result), library.sources), style)


def _reference(one: AnswerReference) -> str:
    pages = f", p. {', '.join(map(str, one.pages))}" if one.pages else ""
    title = f"{one.title}, " if one.title and one.title != one.document else ""
    return safe(f"[{one.number}] {title}{one.document}{pages}")


def show_dropped(result: AnswerResult) -> None:
    """What the draft held and the answer does not, on standard error."""
    for one in result.dropped:
        note(f"dropped the {one.kind} {' '.join(one.text.split())!r:.120}: {one.reason}")
    for problem in result.problems:
        note(problem, "warning")
