"""Answers a question from sources, with citations that cannot be forged: retrieve, draft, check, mend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.answering.asking import (
        AnswerStream,
        Model,
        answer,
        answer_async,
        answer_stream,
        close_answerer,
        open_answerer,
        opened,
    )
    from pincite.answering.backend import LADDER, Backend
    from pincite.answering.backends.anthropic import AnthropicBackend, BlockReader, blocks_of
    from pincite.answering.batch import (
        AnswersFile,
        BatchOutcome,
        answer_many,
        batch_keys,
        expect_answers,
        read_questions,
    )
    from pincite.answering.bibliography.cited_entries import KnownItems, gather, read_references
    from pincite.answering.bibliography.online import RESOLVER, DoiResolver
    from pincite.answering.bibliography.style import (
        FORMATS,
        STYLES,
        check_style,
        rendered_entries,
        write_bibliography,
    )
    from pincite.answering.grammars.marked import read_marked
    from pincite.answering.grammars.quoted import find_quote, read_quoted
    from pincite.answering.markers import clean_sentence, placed_markers
    from pincite.answering.options import AnswerOptions, read_options
    from pincite.answering.records import (
        AnswerDraft,
        AnswerReference,
        AnswerResult,
        BackendFailed,
        Cite,
        DraftCitation,
        DraftRequest,
        DraftSentence,
        OnUnsupported,
        RetrievedPassage,
        Way,
    )
    from pincite.answering.replies import SentenceScanner, UnreadReply, read_draft
    from pincite.answering.results import CITEFORMER_SCHEMA, citeformer_shape, result_shape
    from pincite.answering.retrieving import distinct_documents
    from pincite.answering.verifying import Verified, verify
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "asking": (
                "AnswerStream Model answer answer_async answer_stream close_answerer open_answerer opened"
            ),
            "backend": "Backend LADDER",
            "backends.anthropic": "AnthropicBackend BlockReader blocks_of",
            "batch": "AnswersFile BatchOutcome answer_many batch_keys expect_answers read_questions",
            "bibliography.cited_entries": "KnownItems gather read_references",
            "bibliography.online": "DoiResolver RESOLVER",
            "bibliography.style": "FORMATS STYLES check_style rendered_entries write_bibliography",
            "grammars.marked": "read_marked",
            "grammars.quoted": "find_quote read_quoted",
            "markers": "clean_sentence placed_markers",
            "options": "AnswerOptions read_options",
            "records": (
                "AnswerDraft AnswerReference AnswerResult BackendFailed Cite DraftCitation DraftRequest "
                "DraftSentence OnUnsupported RetrievedPassage Way"
            ),
            "replies": "SentenceScanner UnreadReply read_draft",
            "results": "CITEFORMER_SCHEMA citeformer_shape result_shape",
            "retrieving": "distinct_documents",
            "verifying": "Verified verify",
        },
    )
