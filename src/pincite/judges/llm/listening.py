"""Hears a reply while it comes: the events of a stream as soon as each is whole."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import Any

from pincite.judges.llm.bodies import as_text, first, read_json, table
from pincite.judges.llm.keys import Secret, scrub


class EventListener:
    """Is told the bytes of a reply as they come, and gives each event of a stream to a function.

    It never raises for what a stream holds. What is no stream, or no JSON, gives no events: the caller reads
    the whole body at the end anyway.
    """

    def __init__(self, tell: Callable[[dict[str, Any]], bool]) -> None:
        self._tell = tell
        self.committed = False
        """Whether something was made of what was heard, so that the request must not be sent again."""
        self.begin(None)

    def begin(self, key: Secret | None) -> None:
        """A request is sent, the first one or one more; what was heard before counts no longer."""
        self._key = key
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line: list[str] = []
        self._data: list[str] = []

    def hear(self, piece: bytes) -> None:
        text = self._decoder.decode(piece).replace("\r\n", "\n").replace("\r", "\n")
        *lines, rest = text.split("\n")
        for line in lines:
            self._line.append(line)
            self._read("".join(self._line))
            self._line = []
        self._line.append(rest)

    def scrub(self, text: str) -> str:
        """A text without the key, also where the key came in several pieces."""
        return scrub(text, self._key)

    def _read(self, line: str) -> None:
        if line.startswith("data:"):
            self._data.append(line[5:].removeprefix(" "))
        elif not line and self._data:
            data, self._data = "\n".join(self._data), []
            try:
                event = table(read_json(scrub(data, self._key)))
            except ValueError:
                return
            if event and self._tell(event):
                self.committed = True


def text_of(event: dict[str, Any]) -> str:
    """The text that one event of a chat or of a response adds."""
    if event.get("type") == "response.output_text.delta":
        return as_text(event.get("delta"))
    choice = table(first(event.get("choices")))
    delta = table(choice.get("delta")) or table(choice.get("message"))
    return as_text(delta.get("content")) or as_text(choice.get("text"))
