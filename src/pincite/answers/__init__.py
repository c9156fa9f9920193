"""What a user hands in, read once for everybody: a text, a file, a record, a list of references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.answers.citations import citations_of, fields_of, read_citations
    from pincite.answers.conversations import Turn, find_turns, read_conversation, straight, to_conversation
    from pincite.answers.lines import MARK, lines_of
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
    from pincite.answers.records import ODD_SOURCES, read_record
    from pincite.answers.references import read_listed
    from pincite.answers.saved import KIND, is_saved
    from pincite.answers.traces.assembling import trace_record
    from pincite.answers.traces.reading import (
        LONGEST,
        json_values,
        looks_like_trace,
        parse_value,
        read_spans,
        trace_records,
    )
    from pincite.answers.traces.spans import TraceSpan
    from pincite.answers.values import read_amount, read_id, read_number, shown
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "citations": "citations_of fields_of read_citations",
            "conversations": "Turn find_turns read_conversation straight to_conversation",
            "lines": "MARK lines_of",
            "read": (
                "Failed LeftOut Loaded NO_NUMBER STDIN decode_answer encoded_like left_out_line "
                "read_answers to_answer to_answers"
            ),
            "records": "ODD_SOURCES read_record",
            "references": "read_listed",
            "saved": "KIND is_saved",
            "traces.assembling": "trace_record",
            "traces.reading": "LONGEST json_values looks_like_trace parse_value read_spans trace_records",
            "traces.spans": "TraceSpan",
            "values": "read_amount read_id read_number shown",
        },
    )
