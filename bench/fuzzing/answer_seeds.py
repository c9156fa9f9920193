"""Valid drafts of models, traces of systems in production, and objects with answers about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.fuzzing.mutate import pack
from bench.fuzzing.seeds import TESTS, as_json

if TYPE_CHECKING:
    from pincite.answering import RetrievedPassage

PASSAGE = "It rose 12% in 2020. The fox jumps over the lazy dog. Revenue was $5 million."


def passages() -> tuple[RetrievedPassage, ...]:
    from pincite.answering import RetrievedPassage

    return tuple(RetrievedPassage(number, f"{number}.txt", PASSAGE, 0, len(PASSAGE)) for number in (1, 2))


def drafts() -> list[bytes]:
    sentence = {"text": "It rose 12% in 2020.", "citations": [{"passage": 1, "quote": "rose 12%"}, 2]}
    draft = {"answerable": True, "sentences": [sentence, "The fox jumps.", {"text": "A.", "passage": "2"}]}
    return [
        as_json(draft),
        b"```json\n" + as_json(draft) + b"\n```\n",
        b"The answer:\n" + as_json({"answerable": False}),
        b"It rose 12% in 2020 [1]. The fox jumps [1, 2]. Revenue was $5 million (a.txt).",
        b"It rose 12% in 2020. [1]\nThe fox jumps. [1][2]\n",
        b"Quote: rose 12% in 2020\nSentence: It rose 12%.\nQuote: The fox jumps\nSentence: It jumps.\n",
    ]


def blocks() -> list[bytes]:
    def cited(**place: Any) -> dict[str, Any]:
        return {"cited_text": "It rose 12%", "document_index": 0, "document_title": "1: 1.txt", **place}

    spans = [
        cited(type="char_location", start_char_index=0, end_char_index=11),
        cited(type="page_location", start_page_number=1, end_page_number=2),
        cited(type="content_block_location", start_block_index=0, end_block_index=1),
    ]
    content = [
        {"type": "text", "text": "It rose 12%.", "citations": spans},
        {"type": "text", "text": " The fox jumps. It"},
    ]
    whole = {"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"}
    return [as_json(whole), as_json({**whole, "stop_reason": "max_tokens", "content": content[:1] * 3})]


def traces() -> list[bytes]:
    recorded = sorted((TESTS / "answers" / "traces" / "recorded").iterdir())
    return [pack({path.name: path.read_bytes()}) for path in recorded]


def values() -> list[bytes]:
    data = {
        "a": {"b": "1,200 %", "c": [1, 2.5, None], "d": True, "e": "2020-03-01", "f": "The Harbour Board"}
    }
    answer = (
        "It cost 1,200 % [a.b]. There were 2.5 [a.c[1]], and it is so [a.d]. On 1 March 2020 [a.e] the "
        "Harbour Board [a.f] said nothing [a.c[2]]; all of it [a]."
    )
    return [
        as_json({"answer": answer, "data": data}),
        as_json({"answer": "It is 1 [a].", "data": {"a": "1  "}}),
    ]
