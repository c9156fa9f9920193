"""Scripts: which one a text is written in, and which write no spaces between words."""

from __future__ import annotations

import re
from collections.abc import Sequence

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""The inside of a character class: Thai, Lao, Burmese, Khmer, kana and Han."""

_SCRIPTS = {
    "Latin": "A-Za-zÀ-ɏ",
    "Greek": "Ͱ-Ͽ",
    "Cyrillic": "Ѐ-ӿ",
    "Hebrew": "֐-׿",
    "Arabic": "؀-ۿ",
    "Devanagari": "ऀ-ॿ",
    "Thai": "฀-๿",
    "Hangul": "가-힣",
    "Kana": "぀-ヿ",
    "Han": "㐀-鿿",
}
_LETTERS = {name: re.compile(f"[{letters}]") for name, letters in _SCRIPTS.items()}
_SAMPLE = 2_000


def foreign_script(claim: str, evidence: Sequence[str]) -> str | None:
    """The claim's script when none of the evidence uses it. Digits and signs belong to every script."""
    if claim.isascii() and any(_LETTERS["Latin"].search(text) for text in evidence):
        return None
    counts = {name: len(letters.findall(claim, 0, _SAMPLE)) for name, letters in _LETTERS.items()}
    main = max(counts, key=lambda name: counts[name])
    if counts[main] == 0 or counts[main] < 0.5 * sum(counts.values()):
        return None
    found = {name for name, letters in _LETTERS.items() if any(letters.search(text) for text in evidence)}
    return main if found and main not in found else None
