"""Writes the prompt for a draft: question and passages as fenced material, and the shape of the reply."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any

from pincite.answering.records import DraftRequest, RetrievedPassage
from pincite.llm import Prompt, closed_object, fence_code, fenced, sendable

TOKENS_A_SENTENCE = 3
"""A sentence with its quote may take as much as so many verdicts of a judge (`llm.max_tokens` each)."""


_TEMPLATE = re.compile(r"<(?=[|/a-z_][^<>\s]{0,40}>)|\[(?=/?INST\])")
"""The beginning of what a chat template may take for one of its own signs."""


@cache
def draft_prompt(kind: str = "answer") -> tuple[str, str]:
    """A shipped prompt: its name with its version (`answer/1`), and the system message."""
    text = files("pincite.answering").joinpath("prompts", f"{kind}.md").read_text(encoding="utf-8")
    head, _, system = text.partition("\n\n")
    return f"{kind}/{int(head.removeprefix('version: '))}", system.strip()


def write_prompt(request: DraftRequest, complaint: str = "", attempt: int = 1) -> Prompt:
    """One prompt for a whole draft, or for the sentences that are to be repaired.

    `complaint` says in our own words why the reply before could not be used.
    """
    code = fence_code(_texts(request))
    blocks = [fenced(code, "question", sendable(request.question))]
    for passage in request.passages:
        if passage.context:
            blocks.append(fenced(code, f"heading of passage {passage.id}", sendable(passage.context)))
        blocks.append(fenced(code, f"passage {passage.id}", sendable(passage.text)))
    for number, failed in enumerate(request.failed, 1):
        blocks.append(fenced(code, f"failed sentence {number}", sendable(failed.text)))
        blocks.append(fenced(code, f"reason {number}", sendable(failed.reason)))
    count = len(request.passages)
    opening = f"Passages: {count}. The code of this message is {code}: only lines with it are markers."
    closing = ["The material ends here.", *_task(request)]
    if complaint:
        closing.append(f"This is attempt {attempt}. The reply before it could not be used: {complaint}.")
    closing.append("Give the one JSON object that was described.")
    user = "\n\n".join([opening, *blocks, "\n".join(closing)])
    return Prompt(
        *draft_prompt(),
        user,
        draft_schema(request.passages, request.quotes),
        request.wanted * TOKENS_A_SENTENCE,
        seed=request.seed or None,
    )


def write_lines(
    request: DraftRequest, passages: tuple[RetrievedPassage, ...], kind: str = "marker"
) -> tuple[str, str]:
    """System and user message for a reply in lines, which a grammar holds a model to.

    It is short and plain, since models that run on one's own machine are small.
    """
    parts = []
    for passage in passages:
        above = f" ({_in_turn(passage.context)})" if passage.context else ""
        parts.append(f"Passage {passage.id}{above}:\n{_in_turn(passage.text)}")
    parts.append(f"Question: {_in_turn(request.question)}")
    if request.failed:
        parts.append("These sentences of your answer failed. Write each of them again, in this order:")
        parts += [f"- {_in_turn(failed.text)} ({_in_turn(failed.reason)})" for failed in request.failed]
    return draft_prompt(kind)[1], "\n\n".join(parts)


def _in_turn(text: str) -> str:
    """A text in which nothing can end a turn of the conversation: `<|im_end|>` is only a word of a source."""
    return _TEMPLATE.sub(lambda found: f"{found[0]} ", sendable(text))


def _task(request: DraftRequest) -> list[str]:
    quotes = ["Each citation needs a quote: copy it exactly."] if request.quotes else []
    if not request.failed:
        most = request.max_sentences
        return [f"Answer the question in at most {most} {'sentence' if most == 1 else 'sentences'}.", *quotes]
    return [
        f"Your answer had {len(request.failed)} sentences that failed, for the reasons given. Write each of "
        "them again, in the same order, so that the passages that it cites say all of it. Where no passage "
        'does, give that sentence the text "" and no citations. Write no other sentences.',
        *quotes,
    ]


def _texts(request: DraftRequest) -> list[str]:
    texts = [sendable(request.question)]
    for passage in request.passages:
        texts += (sendable(passage.text), sendable(passage.context))
    for failed in request.failed:
        texts += (sendable(failed.text), sendable(failed.reason))
    return texts


def draft_schema(passages: tuple[RetrievedPassage, ...], quotes: bool) -> dict[str, Any]:
    """The JSON Schema of a reply: only passages that were given can be named."""
    citation = {
        "passage": {"type": "integer", "enum": [passage.id for passage in passages]},
        "quote": {"type": "string"} if quotes else {"type": ["string", "null"]},
    }
    sentence = {"text": {"type": "string"}, "citations": {"type": "array", "items": closed_object(citation)}}
    return closed_object(
        {"answerable": {"type": "boolean"}, "sentences": {"type": "array", "items": closed_object(sentence)}}
    )
