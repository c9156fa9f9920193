"""What was meant as a span and cannot be read as one: a document, and something that is no place in it."""

from __future__ import annotations

import re

from pincite.citations.formats.shared import ENDING
from pincite.records import Malformed

_TRIED = re.compile(rf"(.{{1,300}}?\.{ENDING})((?:[ ]?[:#,;][ ]?[\w.–—+ -]{{0,40}}+){{1,4}}+)$", re.I | re.S)
# One word directly after the colon: `[limits.md:abc]`, but not `[report.pdf: the summary]`.
_WORD_AFTER = re.compile(r":[\w.–—+-]{1,40}+")
# Of these, `[app.py:main]` and `[config.yaml:port]` name a part of a program or of a setting.
PARTS_HAVE_NAMES = re.compile(r"\.(?:py|js|ts|java|json|jsonl|ndjson|yaml|yml|toml|xml|log|ipynb|tex)$", re.I)


def read_attempt(text: str, start: int, end: int, content: str) -> Malformed | None:
    """A document name followed by something that tries to be a place in it. None when that is not sure."""
    tried = _TRIED.match(content)
    if tried is None:
        return None
    name, rest = tried[1], tried[2]
    if not any(map(str.isdecimal, rest)):
        if not _WORD_AFTER.fullmatch(rest) or PARTS_HAVE_NAMES.search(name) or " " in name:
            return None
        return Malformed(text[start:end], start, end, "the part after the document is not page:start-end")
    parts = [part for part in re.split(r"[ ]*+[:#;][ ]*+", rest.strip()) if part]
    words = [
        word for word in re.findall(r"[^\W\d_]++", rest) if word.lower() not in ("p", "pp", "page", "pages")
    ]
    if len(words) > 2 or (rest[:1] not in ":" and words):
        return None
    numbers = [re.sub(r"[ ]|^pp?\.?|^pages?", "", part) for part in parts]
    problem = "the part after the document is not page:start-end"
    if re.search(r"\d{19}", rest):
        problem = "an offset has more than 18 digits"
    return Malformed(text[start:end], start, end, problem, _repaired(name, numbers))


def _repaired(name: str, numbers: list[str]) -> str | None:
    """The marker as it was surely meant, where only spaces or separators are wrong."""
    joined = [re.sub(r"\.\.|—|--", "-", number) for number in numbers]
    if 1 <= len(joined) <= 2 and re.fullmatch(r"(?:\d{1,9}:)?\d{1,18}[-–]\d{1,18}", ":".join(joined)):
        return f"[{name}:{':'.join(joined)}]"
    if len(joined) == 3 and all(re.fullmatch(r"\d{1,18}", number) for number in joined):
        return f"[{name}:{joined[0]}:{joined[1]}-{joined[2]}]"
    return None
