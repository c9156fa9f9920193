"""`pincite annotate DATASET --as NAME`: annotate a dataset in the browser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from pincite.annotation import pairs_of_findings
from pincite.cli.commands.data.labels import answers_of, findings_of
from pincite.cli.commands.serve import refuse_missing
from pincite.cli.options import AGREEMENT, SEED, ConfigOptions, arg, command, flag, load_settings, opt
from pincite.cli.output import emit, note
from pincite.cli.process import leave, serve_to_end
from pincite.config import Settings
from pincite.datasets import answers_file, open_answers, open_dataset, read_rows

HOST, PORT = "127.0.0.1", 8766
MOST_GUIDELINES = 1_000_000
"""Bytes."""


class AnnotateOptions(ConfigOptions):
    dataset: str = arg("DATASET", "the dataset whose queries are annotated, or `sample`")
    person: str = opt("--as NAME", "who you are; names your folder", required=True)
    dir: str = opt("--dir FOLDER", "where annotations are kept (default: annotations)", default="annotations")
    answers: str | None = opt(
        "--answers FILE", "recorded answers to be marked, too; sample:a and sample:b come with Pincite"
    )
    pairs: str | None = opt(
        "--pairs FILE", "claims and evidence to give verdicts on: rows, or a report of findings"
    )
    guidelines: str | None = opt("--guidelines FILE", "your own guidelines, shown beside the work")
    practice: int = opt(
        "--practice N", "queries with known citations to practise on first (default: 3)", int, default=3
    )
    target: float | None = AGREEMENT
    seed: int | None = SEED
    port: int = opt("--port N", f"listen here (default: {PORT}; 0: any free port)", int, default=PORT)
    host: str = opt(
        "--host ADDRESS", "listen at this address (default: 127.0.0.1, this machine only)", default=HOST
    )
    allow_host: list[str] = opt("--allow-host NAME...", "another name by which browsers call this server")
    no_token: bool = flag("--no-token", "let in every user of this machine; not with --host")
    no_open: bool = flag("--no-open", "do not open the browser")


@command(
    AnnotateOptions,
    epilog="""\
Everybody has a folder in --dir: NAME/DATASET_VERSION.gt.json is written anew with each change, and can be
read at any time. Others work at the same address under their own names, or with a server of their own on the
same folder.

The printed address holds a token, without which nothing is shown: the one in PINCITE_WEB_TOKEN, or one that
is made up. With the same token as before, pages that are open go on after a restart.

examples:
  pincite annotate sample --as ada
  pincite annotate mine.eval.json --as ben --answers answers.jsonl
  pincite data labels --of-run latest --output pairs.jsonl
  pincite annotate mine.eval.json --as ada --pairs pairs.jsonl
  pincite data merge mine.eval.json annotations/

exit codes: 0 ended by Ctrl-C, 2 could not run, 130 interrupted before it served anything
""",
)
def run(options: AnnotateOptions) -> int:
    refuse_missing()
    from pincite.annotation import Workspace, check_name
    from pincite.web import annotation_sections, serve_site, work_path

    settings = load_settings(options)
    person = check_name(options.person)
    with ExitStack() as opened:
        dataset = opened.enter_context(open_dataset(options.dataset, settings))
        answers = (
            opened.enter_context(open_answers(answers_file(options.answers))) if options.answers else None
        )
        work = Workspace(
            dataset,
            Path(options.dir),
            answers=answers,
            pairs=list(_pairs(options, settings)),
            settings=settings,
            training=max(0, options.practice),
        )
        work.states(person)  # what cannot be read is told before the browser opens
        serve = partial(
            serve_site,
            annotation_sections(work, _guidelines(options.guidelines)),
            host=options.host,
            port=options.port,
            names=options.allow_host,
            with_token=not options.no_token,
            announce=lambda said: emit(f"{said}\n"),
            tell=lambda said: note(said, "error"),
            open_browser=not options.no_open,
            path=work_path(person),
        )
        code = serve_to_end(serve)
    return leave(code)


def _pairs(options: AnnotateOptions, settings: Settings) -> Iterator[Mapping[str, Any]]:
    if options.pairs is None:
        return
    path = Path(options.pairs)
    findings = findings_of(path)
    if findings is None:
        yield from (row for _, row in read_rows(path))
        return
    answers = answers_of([], path, findings, settings, judged=False)
    found = pairs_of_findings(findings, answers, settings)
    for reason, count in sorted(found.left_out.items()):
        note(f"{count:,} findings left out: {reason}")
    yield from found.rows


def _guidelines(given: str | None) -> str:
    if given is None:
        return ""
    from pincite.datasets import read_bytes

    return read_bytes(Path(given), MOST_GUIDELINES).decode("utf-8", "replace")
