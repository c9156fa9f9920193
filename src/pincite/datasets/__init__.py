"""Datasets: what is asked of a system, and what is known to be true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.datasets.draft import DRAFT_VERSION, draft_dataset
    from pincite.datasets.files.kinds import file_kind, kind_of_value
    from pincite.datasets.files.no_numbers import Marked
    from pincite.datasets.files.parquet import ReadRequest, packed_batches, pyarrow_library, unpacked
    from pincite.datasets.files.plain_json import parse_json
    from pincite.datasets.files.read import is_large, read_plain
    from pincite.datasets.files.save import convert_file, save, write_json
    from pincite.datasets.files.streams import CHUNK, open_bytes, read_bytes, zstandard
    from pincite.datasets.files.whole import write_whole, written_whole
    from pincite.datasets.fill import fill_spans, with_documents
    from pincite.datasets.formats.base import from_plain, is_number, to_plain
    from pincite.datasets.formats.records import (
        FORMATS,
        AnnotatedSpan,
        AnswerQualityAnnotation,
        BenchmarkData,
        BenchmarkEntry,
        CitationAnnotation,
        CitationSpan,
        EvaluationDataset,
        EvaluationQuery,
        GroundTruth,
        Kind,
        annotation_parts,
    )
    from pincite.datasets.formats.schema import SEMANTIC_VERSION, schema_of
    from pincite.datasets.imports import IMPORTS
    from pincite.datasets.imports.files import Imported, holds_answers, import_files
    from pincite.datasets.imports.rows import Row, read_rows
    from pincite.datasets.items import make_item, scored_spans
    from pincite.datasets.library import library_of, source_of
    from pincite.datasets.load import Dataset, dataset_path, first_problem, open_dataset
    from pincite.datasets.quality.check import check_quality
    from pincite.datasets.quality.codes import QUALITY_CODES, QualityIssue
    from pincite.datasets.recorded.file import RecordedAnswers, open_answers
    from pincite.datasets.sample import (
        NAME,
        SYSTEMS,
        annotations_path,
        answers_file,
        answers_path,
        sample_path,
    )
    from pincite.datasets.stats import dataset_stats
    from pincite.datasets.traces.opened import (
        TracedAnswers,
        TracePlace,
        holds_traces,
        open_traces,
    )
    from pincite.datasets.tree import DATASETS, GROUND_TRUTH, find_version, safe_name
    from pincite.datasets.validate import validate_file, validate_value
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "draft": "DRAFT_VERSION draft_dataset",
            "files.kinds": "file_kind kind_of_value",
            "files.no_numbers": "Marked",
            "files.parquet": "ReadRequest packed_batches pyarrow_library unpacked",
            "files.plain_json": "parse_json",
            "files.read": "is_large read_plain",
            "files.save": "convert_file save write_json",
            "files.streams": "CHUNK open_bytes read_bytes zstandard",
            "files.whole": "write_whole written_whole",
            "fill": "fill_spans with_documents",
            "formats.base": "from_plain is_number to_plain",
            "formats.records": (
                "AnnotatedSpan AnswerQualityAnnotation BenchmarkData BenchmarkEntry CitationAnnotation "
                "CitationSpan EvaluationDataset EvaluationQuery FORMATS GroundTruth Kind annotation_parts"
            ),
            "formats.schema": "SEMANTIC_VERSION schema_of",
            "imports": "IMPORTS",
            "imports.files": "Imported holds_answers import_files",
            "imports.rows": "Row read_rows",
            "items": "make_item scored_spans",
            "library": "library_of source_of",
            "load": "Dataset dataset_path first_problem open_dataset",
            "quality.check": "check_quality",
            "quality.codes": "QUALITY_CODES QualityIssue",
            "recorded.file": "RecordedAnswers open_answers",
            "sample": "NAME SYSTEMS annotations_path answers_file answers_path sample_path",
            "stats": "dataset_stats",
            "traces.opened": "TracePlace TracedAnswers holds_traces open_traces",
            "tree": "DATASETS GROUND_TRUTH find_version safe_name",
            "validate": "validate_file validate_value",
        },
    )
