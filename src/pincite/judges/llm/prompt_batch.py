"""Writes prompts: many pairs of one question become one message for a language model.

Texts from answers and sources are data. Each is between two marker lines that carry a code made from a
hash of everything in the message, so that no text can hold the code of the message it is in; that is
checked all the same. The same pairs always give the same prompt, which is what a cache needs.

Names of documents are not sent: a judge does not need them, and a name can be as hostile as a text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, cast

from msgspec import Struct

from pincite.llm import Prompt, closed_object, fence_code, fenced, sendable
from pincite.records import Outcome, Pair, Passage, Question

MOST_PAIRS = 50
"""Pairs in one prompt: the reply to more than that is too long for many models."""

_BLOCK = 120
"""The marker lines round one text take at most this many characters."""
_REFERENCE = 10
"""So does a passage's number in the line of an item."""
_FRAME = 600
"""And the sentences before and after the material."""


class PromptFile(Struct, frozen=True):
    """One question's prompt, as in its file."""

    name: str
    """The question and the version of the file: `support/1`."""
    system: str
    outcomes: tuple[Outcome, ...]
    """What a verdict on this question can be."""


class PromptBatch(Struct, frozen=True):
    """A prompt, and which of its numbers stands for what. Items and passages count from 1."""

    prompt: Prompt
    outcomes: tuple[Outcome, ...]
    passages: tuple[tuple[int | None, ...], ...]
    """For each item, the number that each of its pair's passages has in the prompt; None for a blank one."""


@cache
def prompt_file(question: Question) -> PromptFile:
    """The prompt of a question, as shipped beside this file."""
    text = files("pincite.judges.llm").joinpath("prompts", f"{question}.md").read_text(encoding="utf-8")
    head, _, system = text.partition("\n\n")
    said = dict(line.split(": ", 1) for line in head.splitlines())
    outcomes = cast("tuple[Outcome, ...]", tuple(said["outcomes"].split(", ")))
    return PromptFile(f"{question}/{int(said['version'])}", system.strip(), outcomes)


def write_batch(
    question: Question, pairs: Sequence[Pair], complaints: Mapping[int, str] | None = None, attempt: int = 1
) -> PromptBatch:
    """One prompt about all the pairs, in order; every passage and every query is given once.

    `complaints` say, by item, why the reply before this one could not be used. They are our own words, never
    the model's.
    """
    file = prompt_file(question)
    passages = _Numbered("passage")
    queries = _Numbered("query")
    numbers: list[tuple[int | None, ...]] = []
    items: list[tuple[str, str]] = []
    for number, pair in enumerate(pairs, 1):
        shown = tuple(
            passages.number(_passage_key(one)) if has_words(one.text) else None for one in pair.passages
        )
        numbers.append(shown)
        refers = []
        if question == "relevance":
            refers.append(f"query {queries.number((sendable(pair.query or ''), ''))}")
        cited = ", ".join(str(one) for one in sorted({one for one in shown if one is not None}))
        refers.append(f"passages {cited}" if cited else "no passages")
        items.append((f"item {number}", ", ".join(refers)))
    claims = [sendable(pair.claim) for pair in pairs]
    code = fence_code([question, *claims, *passages.texts(), *queries.texts()])
    blocks = [*queries.blocks(code), *passages.blocks(code)]
    blocks += [
        f"{fenced(code, name, claim)}\n({name} is about {refers})"
        for (name, refers), claim in zip(items, claims, strict=True)
    ]
    opening = (
        f"Items to be judged: {len(pairs)}. The code of this message is {code}: "
        "only lines with it are markers."
    )
    user = "\n\n".join([opening, *blocks, _closing(len(pairs), complaints, attempt)])
    prompt = Prompt(file.name, file.system, user, reply_schema(file.outcomes), len(pairs))
    return PromptBatch(prompt, file.outcomes, tuple(numbers))


def split_pairs(question: Question, pairs: Sequence[Pair], most_chars: int) -> list[list[int]]:
    """The pairs by index, in order, in groups that each fit one prompt of at most `most_chars` characters.

    A pair that is too long even alone is in no group.
    """
    least = len(prompt_file(question).system) + _FRAME
    groups: list[list[int]] = []
    room = 0
    given: set[tuple[str, str]] = set()
    for index, pair in enumerate(pairs):
        texts = {_passage_key(one) for one in pair.passages if has_words(one.text)}
        own = len(pair.claim) + 2 * _BLOCK + _REFERENCE * len(pair.passages)
        if question == "relevance":
            texts.add((sendable(pair.query or ""), ""))
        alone = own + sum(_size(text) for text in texts)
        if least + alone > most_chars:
            continue
        added = own + sum(_size(text) for text in texts - given)
        if not groups or added > room or len(groups[-1]) >= MOST_PAIRS:
            groups.append([])
            room, given, added = most_chars - least, set(), alone
        groups[-1].append(index)
        given |= texts
        room -= added
    return groups


def reply_schema(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The JSON Schema of a reply, as strict modes want it: every property required, no others allowed."""
    verdict = {
        "item": {"type": "integer"},
        "outcome": {"type": "string", "enum": list(outcomes)},
        "score": {"type": "number"},
        "reason": {"type": "string"},
        "passage": {"type": ["integer", "null"]},
        "quote": {"type": ["string", "null"]},
    }
    return closed_object({"verdicts": {"type": "array", "items": closed_object(verdict)}})


def has_words(text: str) -> bool:
    return any(character.isalnum() for character in text)


class _Numbered:
    """Texts that several items may share: each keeps the number that it got first."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._numbers: dict[tuple[str, str], int] = {}

    def number(self, text: tuple[str, str]) -> int:
        return self._numbers.setdefault(text, len(self._numbers) + 1)

    def texts(self) -> list[str]:
        return [part for text in self._numbers for part in text]

    def blocks(self, code: str) -> list[str]:
        blocks = []
        for (text, context), number in self._numbers.items():
            if context:
                blocks.append(fenced(code, f"heading of {self._kind} {number}", context))
            blocks.append(fenced(code, f"{self._kind} {number}", text))
        return blocks


def _passage_key(passage: Passage) -> tuple[str, str]:
    return sendable(passage.text), sendable(passage.context)


def _size(text: tuple[str, str]) -> int:
    return len(text[0]) + _BLOCK + (len(text[1]) + _BLOCK if text[1] else 0)


def _closing(items: int, complaints: Mapping[int, str] | None, attempt: int) -> str:
    lines = ["The material ends here."]
    if complaints:
        lines.append(f"This is attempt {attempt}. The reply before it could not be used:")
        lines += [f"- item {item}: {said}" for item, said in sorted(complaints.items())]
    asked = "item 1" if items == 1 else f"items 1 to {items}"
    lines.append(f"Give the verdict on {asked} as the one JSON object that was described.")
    return "\n".join(lines)
