"""Answers a question from sources, with citations that cannot be forged: retrieve, draft, check, mend."""

from pincite.answering.asking import answer_async as answer
from pincite.answering.backend import Backend
from pincite.answering.records import AnswerDraft, AnswerResult, DraftCitation, DraftRequest, DraftSentence

__all__ = [
    "AnswerDraft",
    "AnswerResult",
    "Backend",
    "DraftCitation",
    "DraftRequest",
    "DraftSentence",
    "answer",
]
