"""From a model's reply to a draft: JSON as it was asked for, or text with markers where a model has no JSON.

Nothing that a reply says is trusted here: what it cites is compared with the sources later.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from pincite.answering.records import AnswerDraft, DraftCitation, DraftSentence
from pincite.base import read_json
from pincite.text import split_sentences

MOST_SENTENCES = 200
MOST_CITATIONS = 50
LONGEST_SENTENCE = 5_000
LONGEST_OBJECT = 64_000
"""Characters of one sentence's JSON; what is longer is only read when the whole reply is there."""

_FENCE = re.compile(r"```[a-zA-Z]{0,10}[^\S\n]*+\n")
_NUMBER = re.compile(r"\d{1,6}")
_MARKER = re.compile(r"[\[【(]\s{0,2}((?:\d{1,4}\s{0,2}[,;]\s{0,2}){0,20}\d{1,4})\s{0,2}[\]】)]")


class UnreadReply(ValueError):
    """A reply that is no draft; the message says what was wrong with it, in our own words."""


def read_draft(text: str, ids: Iterable[int], plain: bool = False) -> AnswerDraft:
    """The draft in a reply, or `UnreadReply`. `plain` takes sentences with markers too."""
    try:
        value = _json_in(text)
    except UnreadReply:
        drafted = _read_plain(text, frozenset(ids)) if plain else None
        if drafted is None:
            raise
        return drafted
    return draft_of(value)


def draft_of(value: Any) -> AnswerDraft:
    """The draft in a JSON value."""
    if isinstance(value, list):
        value = {"sentences": value}
    if not isinstance(value, dict):
        raise UnreadReply("it is not a JSON object")
    sentences = value.get("sentences")
    answerable = value.get("answerable")
    if answerable is False and not sentences:
        return AnswerDraft((), answerable=False)
    if not isinstance(sentences, list):
        raise UnreadReply("`sentences` is missing, or not a list")
    problems: list[str] = []
    read = []
    for number, one in enumerate(sentences[:MOST_SENTENCES], 1):
        sentence = read_sentence(one)
        if sentence is None:
            problems.append(f"sentence {number} of the reply could not be read")
        else:
            read.append(sentence)
    if len(sentences) > MOST_SENTENCES:
        problems.append(f"the reply has {len(sentences)} sentences, and only {MOST_SENTENCES} were read")
    if sentences and not read:
        raise UnreadReply("none of its sentences has a `text` and `citations`")
    return AnswerDraft(tuple(read), answerable=answerable is not False, problems=tuple(problems))


def read_sentence(value: Any) -> DraftSentence | None:
    """One sentence of a reply, or None where it cannot be read."""
    if isinstance(value, str):
        return DraftSentence(value[:LONGEST_SENTENCE])
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        return None
    if len(value["text"]) > LONGEST_SENTENCE:
        return None
    cited = value.get("citations", value.get("passages", value.get("passage")))
    listed = cited if isinstance(cited, list) else [] if cited is None else [cited]
    citations = [found for one in listed[:MOST_CITATIONS] if (found := _citation(one)) is not None]
    return DraftSentence(value["text"], tuple(citations))


def _citation(value: Any) -> DraftCitation | None:
    quote = None
    if isinstance(value, dict):
        given = value.get("quote")
        quote = given if isinstance(given, str) and given.strip() else None
        value = value.get("passage", value.get("id", value.get("source")))
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return DraftCitation(value, quote)
    found = _NUMBER.search(value) if isinstance(value, str) else None
    return DraftCitation(int(found[0]), quote) if found else None


def _json_in(text: str) -> Any:
    """The JSON value that a reply is, or that stands in it."""
    stripped = text.strip()
    fence = _FENCE.match(stripped)
    if fence and stripped.endswith("```") and fence.end() + 3 <= len(stripped):
        stripped = stripped[fence.end() : -3].strip()
    try:
        return read_json(stripped)
    except (ValueError, RecursionError):
        pass
    start = stripped.find("{")
    if start < 0:
        raise UnreadReply("it holds no JSON object")
    try:
        value, _ = json.JSONDecoder().raw_decode(stripped, start)
        return value
    except (ValueError, RecursionError):
        raise UnreadReply("its JSON is broken or not whole") from None


def _read_plain(text: str, ids: frozenset[int]) -> AnswerDraft | None:
    """Sentences with markers such as `[2]`; None where no marker names a passage."""
    if "{" in text and '"' in text:
        return None  # JSON that broke off must not be taken for prose
    sentences = []
    for span in split_sentences(text):
        words = span.of(text)
        numbers = [int(n) for found in _MARKER.finditer(words) for n in _NUMBER.findall(found[1])]
        cited = tuple(DraftCitation(number) for number in dict.fromkeys(numbers) if number in ids)
        sentences.append(DraftSentence(words, cited))
    if not any(sentence.citations for sentence in sentences):
        return None
    return AnswerDraft(tuple(sentences[:MOST_SENTENCES]))


class SentenceScanner:
    """Finds the sentences of a reply while its JSON is still coming. Linear, whatever comes."""

    def __init__(self, tell: Callable[[DraftSentence], None]) -> None:
        self._tell = tell
        self.restart()

    def restart(self) -> None:
        """Forget what came: another reply begins."""
        self._depth = 0
        self._in_string = self._escaped = False
        self._object: list[str] | None = None
        self._length = 0

    def feed(self, text: str) -> None:
        """The next piece of the reply."""
        for char in text:
            if self._object is not None:
                self._object.append(char)
                self._length += 1
                if self._length > LONGEST_OBJECT:
                    self._object = None
            if self._in_string:
                if self._escaped:
                    self._escaped = False
                elif char == "\\":
                    self._escaped = True
                elif char == '"':
                    self._in_string = False
            elif char == '"':
                self._in_string = self._depth > 0
            elif char in "{[":
                self._depth += 1
                if self._depth == 3 and char == "{":
                    self._object, self._length = [char], 1
            elif char in "}]" and self._depth:
                self._depth -= 1
                if self._depth == 2 and self._object is not None:
                    self._end("".join(self._object))
                    self._object = None

    def _end(self, raw: str) -> None:
        try:
            sentence = read_sentence(read_json(raw))
        except (ValueError, RecursionError):
            return
        if sentence is not None:
            self._tell(sentence)
