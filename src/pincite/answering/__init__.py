"""Answers a question from sources, with citations that cannot be forged: retrieve, draft, check, repair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.answering.ask import (
        AnswerStream,
        Model,
        answer,
        answer_async,
        answer_stream,
        close_answerer,
        open_answerer,
        opened_answerer,
    )
    from pincite.answering.backend import Backend, open_backend
    from pincite.answering.backends.anthropic import AnthropicBackend, BlockReader, blocks_of
    from pincite.answering.batch import (
        AnswersFile,
        BatchOutcome,
        answer_many,
        batch_keys,
        expect_answers,
        read_questions,
    )
    from pincite.answering.bibliography.entries import KnownItems, gather, read_reference_file
    from pincite.answering.bibliography.online import RESOLVER, DoiResolver
    from pincite.answering.bibliography.style import (
        FORMATS,
        STYLES,
        check_style,
        rendered_entries,
        write_bibliography,
    )
    from pincite.answering.draft_replies import SentenceScanner, UnreadReply, read_draft
    from pincite.answering.grammars import (
        GrammarError,
        GrammarMatcher,
        find_verbatim,
        marker_gbnf,
        marker_grammar,
        quote_grammar,
        read_marked,
        read_quoted,
    )
    from pincite.answering.markers import clean_sentence, placed_markers
    from pincite.answering.records import (
        GROUNDING_LEVELS,
        AnswerDraft,
        AnswerOptions,
        AnswerReference,
        AnswerResult,
        BackendFailed,
        Cite,
        DraftCitation,
        DraftRequest,
        DraftSentence,
        FailedSentence,
        Grounding,
        OnUnsupported,
        RetrievedPassage,
        StreamedSentence,
        read_options,
    )
    from pincite.answering.retrieve import distinct_documents
    from pincite.answering.saved_answers import (
        CITEFORMER_SCHEMA,
        Verified,
        citeformer_shape,
        read_result,
        result_shape,
        verify,
    )
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "ask": (
                "AnswerStream Model answer answer_async answer_stream close_answerer open_answerer "
                "opened_answerer"
            ),
            "backend": "Backend open_backend",
            "backends.anthropic": "AnthropicBackend BlockReader blocks_of",
            "batch": "AnswersFile BatchOutcome answer_many batch_keys expect_answers read_questions",
            "bibliography.entries": "KnownItems gather read_reference_file",
            "bibliography.online": "DoiResolver RESOLVER",
            "bibliography.style": "FORMATS STYLES check_style rendered_entries write_bibliography",
            "draft_replies": "SentenceScanner UnreadReply read_draft",
            "grammars": (
                "GrammarError GrammarMatcher find_verbatim marker_gbnf marker_grammar quote_grammar "
                "read_marked read_quoted"
            ),
            "markers": "clean_sentence placed_markers",
            "records": (
                "AnswerDraft AnswerOptions AnswerReference AnswerResult BackendFailed Cite DraftCitation "
                "DraftRequest DraftSentence FailedSentence GROUNDING_LEVELS Grounding OnUnsupported "
                "RetrievedPassage StreamedSentence read_options"
            ),
            "retrieve": "distinct_documents",
            "saved_answers": "CITEFORMER_SCHEMA Verified citeformer_shape read_result result_shape verify",
        },
    )
