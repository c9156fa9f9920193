"""One configuration: a flag beats the environment, the environment beats the file."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Limits(Struct, frozen=True):
    """What is refused by name rather than read, in bytes."""

    answer_bytes: int = 50 * 1024 * 1024
    source_bytes: int = 1024 * 1024 * 1024


class Settings(Struct, frozen=True):
    """Everything that changes what a check says."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    strict: bool = False
    fail_under: float | None = None
    fail_on_unjudged: bool = False
    judge: str = "rules"
    offsets: Literal["document", "page"] = "document"
    """What cited offsets count from: the start of the document, or of the cited page."""
    attach: Literal["sentence", "paragraph"] = "sentence"
    """What a marker at the end of a paragraph speaks for: its sentence, or every uncited one before it."""
    language: str = "en"
    tolerance_chars: int = 10
    """How far a cited boundary may be from the true one before a place counts as another place."""
    min_overlap_threshold: float = 0.5
    max_span_length: int | None = None
    limits: Limits = Limits()
