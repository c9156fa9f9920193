"""`pincite data convert`: read one format and write another."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

from pincite.cli.options import FORCE, Options, arg, choice, command, formats, opt
from pincite.cli.output import emit_either, keep_existing, note
from pincite.datasets import IMPORTS, Imported, Kind, convert_file, holds_answers, import_files, sample_path
from pincite.errors import InputError
from pincite.reports import plural, safe

OF_IMPORTS = ("split", "topics", "corpus", "run")
"""Options that some imports have."""


class DataConvertOptions(Options):
    source: str = arg("FILE", "what to read: a file, or a folder for some imports")
    target: str | None = arg("OUTPUT", "the file to write", nargs="?")
    kind: Kind | None = choice(
        "--kind", "the kind of file, overriding its name and content", of=get_args(Kind)
    )
    imported: str | None = opt(
        "--from FROM",
        f"read another project's format: {', '.join(IMPORTS)}",
        choices=tuple(IMPORTS),
    )
    answers: str | None = opt("--answers FILE", "write the answers of an import to this .jsonl file")
    split: str | None = opt("--split NAME", "beir: which judgements to read (default: test)")
    topics: str | None = opt("--topics FILE", "trec: the query texts")
    corpus: str | None = opt("--corpus FILE", "trec: the documents, as JSON Lines")
    run: str | None = opt("--run FILE", "beir and trec: what a system retrieved, for --answers")
    map: list[str] = opt("--map FIELD=PATH...", "jsonl: path of a field, such as query_text=input.question")
    force: bool = FORCE
    output_format: str = formats("text", "json", help="how to print what was done")


@command(
    DataConvertOptions,
    epilog="""\
File endings decide what is read and written: .json, .yaml, .csv (also .gz and .zst), .parquet, .h5.
With --from, another tool's export becomes a dataset, and with --answers its recorded answers.

examples:
  pincite data convert sample_1.0.0.eval.json sample_1.0.0.eval.csv
  pincite data convert --from ragas samples.jsonl mine_1.0.0.eval.json --answers answers.jsonl
  pincite data convert --from beir scifact/ scifact_1.0.0.eval.json --run bm25.run --answers bm25.jsonl
  pincite data convert --from trec dense.run --answers dense.jsonl
  pincite data convert --from jsonl questions.jsonl mine_1.0.0.eval.json --map query_text=input.question

exit codes: 0 written, 2 could not run
""",
)
def run(options: DataConvertOptions) -> int:
    source = Path(options.source)
    target, answers = (Path(one) if one is not None else None for one in (options.target, options.answers))
    keep_existing([path for path in (target, answers) if path is not None], options.force)
    chosen = {name: getattr(options, name) for name in OF_IMPORTS if getattr(options, name) is not None}
    if options.map:
        chosen["mapping"] = _mapping(options.map)
    if options.imported is not None:
        _import(options.imported, source, target, answers, chosen, options.output_format)
        return 0
    if answers is not None or chosen:
        name = "answers" if answers is not None else next(iter(chosen))
        raise InputError(f"--{'map' if name == 'mapping' else name} goes with --from, for an import")
    if target is None:
        raise InputError("name the file to write after the one to read")
    if source == Path("sample") and not source.exists():
        source = sample_path()
    kind = convert_file(source, target, options.kind)
    told = {"source": str(source), "target": str(target), "kind": kind}
    emit_either(options.output_format, told, [safe(f"{target}: written ({kind.replace('_', ' ')})")])
    return 0


def _import(
    kind: str, source: Path, target: Path | None, answers: Path | None, chosen: dict[str, Any], form: str
) -> None:
    done = import_files(kind, source, target, answers, chosen)
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
    emit_either(form, told, map(safe, _written(done, target, answers)))
    if done.unanswered:
        note(f"{done.unanswered:,} of {done.queries:,} queries have no answer: each counts as failed")
    if done.unknown:
        note(f"{done.unknown:,} answers match no query in the dataset")
    if target is not None and answers is None and holds_answers(kind, source, chosen):
        note("there are answers too; --answers FILE.jsonl writes them, for `pincite eval --answers`")


def _written(done: Imported, target: Path | None, answers: Path | None) -> list[str]:
    lines = []
    if target is not None:
        queries = plural(done.queries or 0, "query", "queries")
        lines.append(f"{target}: written ({queries}, {plural(done.documents or 0, 'document')})")
    if answers is not None:
        lines.append(f"{answers}: written ({plural(done.answers or 0, 'answer')})")
    if target is not None and answers is not None:
        lines.append(f"next: pincite eval {target} --answers {answers}")
    return lines


def _mapping(pairs: list[str]) -> dict[str, str]:
    mapping = {}
    for one in pairs:
        field, equals, path = one.partition("=")
        if not equals or not field or not path:
            raise InputError(f"--map {one!r}: write FIELD=PATH, as query_text=input.question")
        mapping[field] = path
    return mapping
