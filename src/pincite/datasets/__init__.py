"""Datasets: what is asked of a system, what is known to be true, and what systems answered.

`open_dataset` reads one of any size and `open_answers` its recorded answers; `save` and `convert_file` write.
`check_file` says whether a file is valid, what a measurement on a dataset is worth, and what it holds.
`import_files` and `from_frame` read what other tools wrote, `draft_dataset` makes a first one of documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.datasets.check import FileCheck, check_file, check_quality, dataset_stats
    from pincite.datasets.documents import library_of, source_of
    from pincite.datasets.draft import DRAFT_VERSION, draft_dataset
    from pincite.datasets.files.json_stream import Marked
    from pincite.datasets.files.json_yaml import parse_json
    from pincite.datasets.files.parquet import ReadRequest, packed_batches, pyarrow_library, unpacked
    from pincite.datasets.files.plain import convert_file, is_large, read_plain, save, write_json
    from pincite.datasets.files.streams import (
        open_bytes,
        read_bytes,
        write_whole,
        written_whole,
        zstandard,
    )
    from pincite.datasets.fill import fill_spans, with_documents
    from pincite.datasets.formats import (
        FORMATS,
        AnnotatedSpan,
        AnswerQualityAnnotation,
        BenchmarkData,
        BenchmarkEntry,
        CitationAnnotation,
        CitationSpan,
        Configuration,
        EvaluationDataset,
        EvaluationQuery,
        EvaluationResults,
        GroundTruth,
        Kind,
        QueryResult,
        SourceDocument,
        annotation_parts,
    )
    from pincite.datasets.frames import answers_from_frame, from_frame, to_frame
    from pincite.datasets.imports import IMPORTS, import_answers, import_dataset
    from pincite.datasets.imports.files import Imported, holds_answers, import_files, write_answers
    from pincite.datasets.imports.rows import Row, read_rows
    from pincite.datasets.load import Dataset, dataset_path, first_problem, open_dataset
    from pincite.datasets.paths import (
        DATASETS,
        GROUND_TRUTH,
        file_kind,
        find_version,
        kind_of_value,
        safe_name,
    )
    from pincite.datasets.quality import QUALITY_CODES, QualityIssue
    from pincite.datasets.record import from_plain, is_number, to_plain
    from pincite.datasets.recorded import RecordedAnswers, make_item, open_answers, scored_spans
    from pincite.datasets.sample import (
        NAME,
        SYSTEMS,
        annotations_path,
        answers_file,
        answers_path,
        sample_path,
    )
    from pincite.datasets.schema import SEMANTIC_VERSION, schema_of
    from pincite.datasets.traces import TracedAnswers, TracePlace, holds_traces, open_traces
    from pincite.datasets.validate import validate_file, validate_value
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "documents": "library_of source_of",
            "draft": "DRAFT_VERSION draft_dataset",
            "files.json_stream": "Marked",
            "files.json_yaml": "parse_json",
            "files.parquet": "ReadRequest packed_batches pyarrow_library unpacked",
            "files.plain": "convert_file is_large read_plain save write_json",
            "files.streams": "open_bytes read_bytes write_whole written_whole zstandard",
            "fill": "fill_spans with_documents",
            "formats": (
                "FORMATS AnnotatedSpan AnswerQualityAnnotation BenchmarkData BenchmarkEntry "
                "CitationAnnotation CitationSpan Configuration EvaluationDataset EvaluationQuery "
                "EvaluationResults GroundTruth Kind QueryResult SourceDocument annotation_parts"
            ),
            "frames": "answers_from_frame from_frame to_frame",
            "imports": "IMPORTS import_answers import_dataset",
            "imports.files": "Imported holds_answers import_files write_answers",
            "imports.rows": "Row read_rows",
            "load": "Dataset dataset_path first_problem open_dataset",
            "paths": "DATASETS GROUND_TRUTH file_kind find_version kind_of_value safe_name",
            "check": "FileCheck check_file check_quality dataset_stats",
            "quality": "QUALITY_CODES QualityIssue",
            "record": "from_plain is_number to_plain",
            "recorded": "RecordedAnswers make_item open_answers scored_spans",
            "sample": "NAME SYSTEMS annotations_path answers_file answers_path sample_path",
            "schema": "SEMANTIC_VERSION schema_of",
            "traces": "TracedAnswers TracePlace holds_traces open_traces",
            "validate": "validate_file validate_value",
        },
    )
