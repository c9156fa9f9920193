"""`pincite answer`: answer a question from sources, and print the answer with what it cites."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import get_args

from pincite.answering.asking import opened
from pincite.answering.options import AnswerOptions
from pincite.answering.records import AnswerReference, AnswerResult, Cite, OnUnsupported
from pincite.answering.results import result_shape
from pincite.cli.options import (
    COMMON,
    JUDGE,
    QUIET,
    SOURCES,
    Command,
    Group,
    arg,
    choice,
    formats,
    load_settings,
    open_library,
    opt,
)
from pincite.cli.output import CANNOT_RUN, emit, is_terminal, note
from pincite.cli.progress import patience
from pincite.errors import InputError
from pincite.reports.display import dump, safe


def _run(options: Namespace) -> int:
    settings = load_settings(options)
    if not settings.sources:
        raise InputError("no sources: name them with --sources, or set `sources` in the configuration")
    chosen = AnswerOptions(
        cite=options.cite,
        on_unsupported=options.on_unsupported,
        max_sentences=options.max_sentences,
        passages=options.passages,
        mend=options.mend,
        seed=options.seed,
    ).checked()
    with patience("reading the sources", options.quiet):
        library = open_library(settings.sources, settings)
    with opened(library, options.model, None, settings, chosen) as (answerer, run):
        result: AnswerResult = run(answerer.answer(options.question))
    _print(options, result)
    return _exit_code(options, result)


def _print(options: Namespace, result: AnswerResult) -> None:
    if options.output_format == "json":
        emit(dump(result_shape(result)))
        return
    lines = [_shown(result.text)] if result.text else []
    if result.references:
        lines += ["", *(_reference(one) for one in result.references)]
    emit("".join(f"{line}\n" for line in lines))


def _shown(text: str) -> str:
    return "\n".join(safe(line) for line in text.split("\n")) if is_terminal(sys.stdout) else text


def _reference(one: AnswerReference) -> str:
    pages = f", p. {', '.join(map(str, one.pages))}" if one.pages else ""
    title = f"{one.title}, " if one.title and one.title != one.document else ""
    return safe(f"[{one.number}] {title}{one.document}{pages}")


def _exit_code(options: Namespace, result: AnswerResult) -> int:
    if not options.quiet:
        for one in result.dropped:
            note(f"dropped the {one.kind} {one.text!r:.120}: {one.reason}")
        for problem in result.problems:
            note(problem, "warning")
    if result.status == "failed":
        note(f"no answer: {result.reason}", "error")
        return CANNOT_RUN
    if result.reason and not options.quiet:
        note(result.reason)
    unverified = [one for one in result.citations if not one.verified]
    return 1 if result.status == "refused" or unverified else 0


ANSWER = Command(
    "answer",
    _run,
    (
        arg("question", "QUESTION", "the question"),
        SOURCES,
        opt(
            "--model NAME",
            "what drafts the answer (default: extractive, which needs no model)",
            default="extractive",
        ),
        Group(
            "the answer",
            choice("--cite", "how the answer cites", of=get_args(Cite), default="numbers"),
            choice(
                "--on-unsupported",
                "what happens to a sentence that its source does not support",
                of=get_args(OnUnsupported),
                default="drop",
            ),
            opt("--max-sentences N", "at most this many sentences (default: 6)", int, default=6),
            opt("--passages N", "how many passages are retrieved (default: 8)", int, default=8),
            opt("--mend N", "how often failed sentences are asked for again (default: 1)", int, default=1),
            opt("--seed N", "a seed for models that take one (default: 0)", int, default=0),
        ),
        Group("checking", *JUDGE),
        formats("text", "json", help="how to print the answer"),
        QUIET,
        *COMMON,
    ),
    """\
examples:
  pincite answer "What does a cubic metre of water cost?" --sources docs/
  pincite answer "What does a cubic metre of water cost?" --sources docs/ --cite spans --output-format json

exit codes: 0 an answer whose every citation is verified, or that the sources do not say; 1 refused, or a
            sentence is marked as unverified; 2 could not run
""",
)
