"""`pincite answer`: answer a question, or a file of them, from sources."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import msgspec

from pincite.answering import (
    GROUNDING_LEVELS,
    AnswerOptions,
    AnswerResult,
    AnswersFile,
    AnswerStream,
    BatchOutcome,
    Cite,
    Grounding,
    OnUnsupported,
    answer_many,
    batch_keys,
    expect_answers,
    opened_answerer,
    read_questions,
)
from pincite.cli.answers_shown import SHOWN, show_dropped, show_result
from pincite.cli.options import (
    DRY_RUN,
    QUIET,
    SOURCES,
    CommonOptions,
    JudgeOptions,
    Options,
    arg,
    choice,
    command,
    flag,
    formats,
    load_settings,
    open_library,
    opt,
)
from pincite.cli.output import CANNOT_RUN, emit, emit_either, emit_or_write, note, quoted, read_stdin, tell
from pincite.cli.process import INTERRUPTED, run_to_end
from pincite.cli.progress import StatusLine, patience
from pincite.config import Settings
from pincite.errors import InputError
from pincite.reports import pick
from pincite.sources import Library

_FAILED = "no answer"


class DraftOptions(Options, title="the answer"):
    cite: str = choice("--cite", "how the answer cites", of=get_args(Cite), default="numbers")
    on_unsupported: str = choice(
        "--on-unsupported",
        "what happens to a sentence that its source does not support",
        of=get_args(OnUnsupported),
        default="drop",
    )
    grounding: str | None = opt(
        "--grounding NAME",
        "how a model is held to its sources, where it offers several: "
        f"{', '.join(GROUNDING_LEVELS)} (default: the model's strongest)",
        choices=get_args(Grounding),
    )
    style: str | None = opt(
        "--style NAME", "print the references in this citation style: apa-7, ieee, vancouver …"
    )
    max_sentences: int = opt("--max-sentences N", "at most this many sentences (default: 6)", int, default=6)
    passages: int = opt("--passages N", "how many passages are retrieved (default: 8)", int, default=8)
    repairs: int = opt(
        "--repairs N", "how often failed sentences are asked for again (default: 1)", int, default=1
    )
    seed: int = opt("--seed N", "a seed for models that take one (default: 0)", int, default=0)
    stream: str | None = opt(
        "--stream HOW",
        "show sentences as they come: `checked`, or `raw` to show first and retract what fails",
        choices=("checked", "raw"),
        nargs="?",
        const="checked",
    )


class OutputOptions(Options, title="output"):
    output_format: str = formats(*SHOWN, help="how to print the answer")
    output: str | None = opt(
        "-o, --output FILE", "write to this file; for many questions, one answer per line"
    )
    no_resume: bool = flag("--no-resume", "start over instead of resuming an interrupted batch")


class AskOptions(DraftOptions, OutputOptions, JudgeOptions, CommonOptions):
    question: str = arg("QUESTION", "the question, - for standard input, or a .jsonl file of questions")
    sources: list[str] | None = SOURCES
    model: str = opt(
        "--model NAME",
        "extractive (the default: no model), openai:MODEL, anthropic:MODEL, gemini:MODEL, mistral:MODEL, "
        "llama:FILE.gguf or package.module:function",
        default="extractive",
    )
    dry_run: bool = DRY_RUN
    quiet: bool = QUIET


@command(
    AskOptions,
    epilog="""\
examples:
  pincite answer "What does a cubic metre of water cost?" --sources docs/
  pincite answer "What does a cubic metre of water cost?" --sources docs/ --model openai:gpt-5-mini --stream
  pincite answer "What does a cubic metre of water cost?" --sources docs/ -f json -o answer.json
  pincite answer questions.jsonl --sources docs/ --output answers.jsonl

exit codes: 0 an answer whose every citation is verified, or that the sources do not say; 1 refused, or a
            sentence is marked as unverified; 2 could not run; 130 interrupted
""",
)
def run(options: AskOptions) -> int:
    settings = load_settings(options)
    if not settings.sources:
        raise InputError("no sources: name them with --sources, or set `sources` in the configuration")
    named = ("cite", "on_unsupported", "max_sentences", "passages", "repairs", "seed", "grounding")
    chosen = AnswerOptions(**pick(options, *named)).checked()
    batch = _is_batch(options.question)
    if batch and not options.output and not options.dry_run:
        raise InputError("a file of questions needs a file for the answers: --output answers.jsonl")
    if batch and options.output_format not in ("text", "json"):
        raise InputError(f"many answers are written as JSON Lines, not as {options.output_format}")
    if batch and options.stream:
        raise InputError("--stream shows one answer; a file of questions is answered to a file")
    if options.stream and (options.output or options.output_format != "text"):
        raise InputError("--stream prints text as it comes: leave out --output and --output-format")
    if options.style is not None:
        from pincite.answering import check_style

        check_style(options.style)  # a misspelt one is an error before anything is asked
    with patience("reading the sources", options.quiet):
        library = open_library(settings.sources, settings)
    if options.dry_run:
        return _dry_run(options, settings, chosen, library)
    work = _answer_many if batch else _answer_one
    cut_off = "warning: interrupted: run the same command again to resume\n" if batch else ""
    return run_to_end(lambda: work(options, settings, chosen, library), cut_off)


def _is_batch(question: str) -> bool:
    """Whether this names a file of questions rather than being one."""
    return question.lower().endswith((".jsonl", ".ndjson")) and "\n" not in question


def _question(options: AskOptions, settings: Settings) -> str:
    if options.question != "-":
        return str(options.question)
    return read_stdin(settings.limits.answer_bytes).decode("utf-8", "replace").strip()


# --- one question --------------------------------------------------------------------------------


def _answer_one(options: AskOptions, settings: Settings, chosen: AnswerOptions, library: Library) -> int:
    question = _question(options, settings)
    if options.stream:
        return _stream(options, settings, chosen, library, question)
    with opened_answerer(library, options.model, None, settings, chosen) as (answerer, run):
        result: AnswerResult = run(answerer.answer(question))
    written = show_result(result, options.output_format, library, options.style)
    emit_or_write(written, options.output)
    return _exit_code(options, result)


def _stream(
    options: AskOptions, settings: Settings, chosen: AnswerOptions, library: Library, question: str
) -> int:
    opening = opened_answerer(library, options.model, None, settings, chosen)
    stream = AnswerStream(question, opening, options.stream == "raw")
    for piece in stream:
        if piece.retracted:
            emit(quoted(f"\n[retracted: {piece.strip()}: {piece.reason}]\n"))
        elif not emit(quoted(piece)):
            stream.close()  # the reader has gone away
            return 0
    result = stream.result
    if result is None:
        return CANNOT_RUN
    references = show_result(msgspec.structs.replace(result, text=""), "text", library, options.style)
    emit(f"\n{references}" if result.text else references)
    return _exit_code(options, result)


def _exit_code(options: AskOptions, result: AnswerResult) -> int:
    if not options.quiet:
        show_dropped(result)
    if result.status == "failed":
        note(f"{_FAILED}: {result.reason}", "error")
        return CANNOT_RUN
    if result.reason:
        tell(options, result.reason)
    unverified = [one for one in result.citations if not one.verified]
    return 1 if result.status == "refused" or unverified else 0


# --- many questions ------------------------------------------------------------------------------


def _answer_many(options: AskOptions, settings: Settings, chosen: AnswerOptions, library: Library) -> int:
    assert options.output is not None
    output = options.output
    asked = read_questions(Path(options.question), settings.limits.answer_bytes)
    line = StatusLine(not options.quiet, plain=True)
    outcome: BatchOutcome | None = None
    with opened_answerer(library, options.model, None, settings, chosen) as (answerer, run):
        keys = batch_keys(answerer, asked)
        file = AnswersFile(Path(output), keys, not options.no_resume)
        if file.done:
            tell(options, f"{len(file.done):,} of {len(keys):,} answers resumed (--no-resume starts over)")
        try:
            told = answer_many(
                answerer, keys, file, lambda done, total: line.show(lambda: f"{done:,}/{total:,} answered")
            )
            outcome = run(told)
        except KeyboardInterrupt:
            line.clear()
            note("interrupted: run the same command again to resume", "warning")
            raise
        finally:
            line.clear()
            file.close()
    return _batch_code(options, outcome)


def _batch_code(options: AskOptions, outcome: BatchOutcome | None) -> int:
    if outcome is None:
        return INTERRUPTED
    counts = outcome.counts
    told = ", ".join(f"{number:,} {status.replace('_', ' ')}" for status, number in counts.items())
    tell(options, f"{told or 'nothing left to answer'}; written to {options.output}")
    failed = counts.get("failed", 0)
    if failed and failed == sum(counts.values()):
        return CANNOT_RUN
    return 1 if failed or counts.get("refused") or outcome.unverified else 0


def _dry_run(options: AskOptions, settings: Settings, chosen: AnswerOptions, library: Library) -> int:
    if _is_batch(options.question):
        asked = [one.text for one in read_questions(Path(options.question), settings.limits.answer_bytes)]
    else:
        asked = [_question(options, settings)]
    told: dict[str, Any] = expect_answers(asked, library, options.model, settings, chosen)
    cost = "unknown" if told["cost"] is None else f"${told['cost']:.4f}"
    lines = [
        f"questions: {told['questions']:,}, with passages: {told['with_passages']:,}",
        f"model: {options.model}, requests: {told['requests']:,}",
        f"tokens at most: {told['input_tokens']:,} in, {told['output_tokens']:,} out; cost: {cost}",
        "not counted: repairing, and a judge that is a language model",
    ]
    emit_either(options.output_format, {"dry_run": told}, lines)
    return 0
