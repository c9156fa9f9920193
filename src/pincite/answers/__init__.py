"""What a user hands in as an answer, read once for everybody: a text, a file, a record, a trace, a list.

`to_answer` takes one answer in any form, `read_answers` those of files and folders. `read_record` reads what
a system said with the field names of a results document, and `trace_records` makes such records of traces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.answers.citations import citations_of, fields_of, read_citations, read_listed
    from pincite.answers.conversations import Turn, find_turns, read_conversation, straight, to_conversation
    from pincite.answers.json_files import LONGEST, MARK, json_values, lines_of
    from pincite.answers.read import (
        NO_NUMBER,
        STDIN,
        Failed,
        LeftOut,
        Loaded,
        decode_answer,
        encoded_like,
        left_out_line,
        read_answers,
        to_answer,
        to_answers,
    )
    from pincite.answers.records import KIND, ODD_SOURCES, is_saved, read_record
    from pincite.answers.trace_formats import looks_like_trace, read_spans, trace_records
    from pincite.answers.trace_spans import TraceSpan
    from pincite.answers.values import read_amount, read_id, read_number, shown
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "citations": "citations_of fields_of read_citations read_listed",
            "conversations": "Turn find_turns read_conversation straight to_conversation",
            "json_files": "LONGEST MARK json_values lines_of",
            "read": (
                "Failed LeftOut Loaded NO_NUMBER STDIN decode_answer encoded_like left_out_line "
                "read_answers to_answer to_answers"
            ),
            "records": "KIND ODD_SOURCES is_saved read_record",
            "trace_formats": "looks_like_trace read_spans trace_records",
            "trace_spans": "TraceSpan",
            "values": "read_amount read_id read_number shown",
        },
    )
