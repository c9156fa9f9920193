"""`pincite data convert`: read one format and write another."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from pincite.cli.options import Parser
from pincite.errors import InputError

if TYPE_CHECKING:
    from pincite.datasets.imports.files import Imported

EXAMPLES = """\
File endings decide what is read and written: .json, .yaml, .csv (also .gz and .zst), .parquet, .h5.
With --from, another tool's export becomes a dataset, and with --answers its recorded answers.

examples:
  pincite data convert sample_1.0.0.eval.json sample_1.0.0.eval.csv
  pincite data convert --from ragas samples.jsonl mine_1.0.0.eval.json --answers answers.jsonl
  pincite data convert --from beir scifact/ scifact_1.0.0.eval.json --run bm25.run --answers bm25.jsonl
  pincite data convert --from trec dense.run --answers dense.jsonl
  pincite data convert --from jsonl questions.jsonl mine_1.0.0.eval.json --map query_text=input.question

exit codes: 0 written, 2 could not run
"""
OF_IMPORTS = ("split", "topics", "corpus", "run")
"""Options that some imports have."""


def parser() -> Parser:
    from pincite.datasets.formats.records import Kind
    from pincite.datasets.imports import IMPORTS

    made = Parser("data convert", "Read one format and write another.", EXAMPLES)
    add = made.add_argument
    add("source", metavar="FILE", help="what to read: a file, or a folder for some imports")
    add("target", metavar="OUTPUT", nargs="?", help="the file to write")
    kinds = get_args(Kind)
    made.choice("--kind", of=kinds, default=None, help="the kind of file, overriding its name and content")
    made.choice("--from", of=tuple(IMPORTS), default=None, help="read another project's format")
    add("--answers", metavar="FILE", help="write the answers of an import to this .jsonl file")
    add("--split", metavar="NAME", help="beir: which judgements to read (default: test)")
    add("--topics", metavar="FILE", help="trec: the query texts")
    add("--corpus", metavar="FILE", help="trec: the documents, as JSON Lines")
    add("--run", metavar="FILE", help="beir and trec: what a system retrieved, for --answers")
    add(
        "--map",
        action="append",
        default=[],
        metavar="FIELD=PATH",
        help="jsonl: path of a field, such as query_text=input.question; repeatable",
    )
    add("--force", action="store_true", help="overwrite existing files")
    made.choice(
        "-f", "--output-format", of=("text", "json"), default="text", help="how to print what was done"
    )
    return made


def run(options: Namespace) -> int:
    from pincite.cli.output import keep_existing

    keep_existing([Path(one) for one in (options.target, options.answers) if one], options.force)
    source = Path(options.source)
    target = None if options.target is None else Path(options.target)
    given = {name: vars(options)[name] for name in OF_IMPORTS if vars(options)[name] is not None}
    if options.map:
        given["mapping"] = _mapping(options.map)
    kind = vars(options)["from"]
    if kind is not None:
        answers = None if options.answers is None else Path(options.answers)
        _import(kind, source, target, answers, given, options.output_format)
        return 0
    if options.answers is not None or given:
        name = "answers" if options.answers is not None else next(iter(given))
        raise InputError(f"--{'map' if name == 'mapping' else name} goes with --from, for an import")
    if target is None:
        raise InputError("name the file to write after the one to read")
    _convert(source, target, options)
    return 0


def _convert(source: Path, target: Path, options: Namespace) -> None:
    from pincite.datasets.files.save import convert_file

    if source == Path("sample") and not source.exists():
        from pincite.datasets.sample import sample_path

        source = sample_path()
    kind = convert_file(source, target, options.kind)
    _tell(
        [f"{target}: written ({kind.replace('_', ' ')})"],
        {"source": str(source), "target": str(target), "kind": kind},
        options.output_format,
    )


def _import(
    kind: str, source: Path, target: Path | None, answers: Path | None, given: dict[str, Any], form: str
) -> None:
    from pincite.cli.output import note
    from pincite.datasets.imports.files import holds_answers, import_files

    done = import_files(kind, source, target, answers, given)
    told = {
        "source": str(source),
        "target": None if target is None else str(target),
        "kind": "dataset",
        "answers_file": None if answers is None else str(answers),
        "queries": done.queries,
        "documents": done.documents,
        "answers": done.answers,
        "queries_without_answer": done.unanswered,
        "answers_without_query": done.unknown,
    }
    _tell(_written(done, target, answers), told, form)
    if done.unanswered:
        note(f"{done.unanswered:,} of {done.queries:,} queries have no answer: each counts as failed")
    if done.unknown:
        note(f"{done.unknown:,} answers match no query in the dataset")
    if target is not None and answers is None and holds_answers(kind, source, given):
        note("there are answers too; --answers FILE.jsonl writes them, for `pincite eval --answers`")


def _written(done: Imported, target: Path | None, answers: Path | None) -> list[str]:
    from pincite.reports.findings.totals import plural

    lines = []
    if target is not None:
        queries = plural(done.queries or 0, "query", "queries")
        lines.append(f"{target}: written ({queries}, {plural(done.documents or 0, 'document')})")
    if answers is not None:
        lines.append(f"{answers}: written ({plural(done.answers or 0, 'answer')})")
    if target is not None and answers is not None:
        lines.append(f"next: pincite eval {target} --answers {answers}")
    return lines


def _tell(lines: list[str], told: dict[str, Any], form: str) -> None:
    from pincite.cli.output import emit
    from pincite.records import SCHEMA_VERSION
    from pincite.reports.display import safe
    from pincite.reports.findings.json_report import dump

    if form == "json":
        emit(dump({"schema_version": SCHEMA_VERSION, **told}))
    else:
        emit("".join(f"{safe(line)}\n" for line in lines))


def _mapping(given: list[str]) -> dict[str, str]:
    mapping = {}
    for one in given:
        field, equals, path = one.partition("=")
        if not equals or not field or not path:
            raise InputError(f"--map {one!r}: write FIELD=PATH, as query_text=input.question")
        mapping[field] = path
    return mapping
