"""What the matching works on."""

from __future__ import annotations

Item = tuple[int, int, int, int | None]
"""Start, end, index and page of one span; start < end."""
