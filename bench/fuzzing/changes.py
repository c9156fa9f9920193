"""Changes to bytes, texts and JSON values, whatever format they stand in."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from random import Random
from typing import Any

from bench.fuzzing import odd, pumps
from bench.fuzzing.odd import Raw

PUMPED = 0.15
"""The share of changes to a text that put in what an expression may take long for."""


def of_bytes(data: bytes, random: Random) -> bytes:
    raw = bytearray(data or b"\0")
    for _ in range(random.choice((1, 1, 2, 4, 16))):
        place = random.randrange(len(raw) or 1)
        size = random.choice((1, 1, 2, 4, 8, 64, 512))
        change = random.randrange(8)
        if change == 0 and raw:
            raw[place % len(raw)] ^= 1 << random.randrange(8)
        elif change == 1:
            raw[place : place + size] = random.randbytes(size)
        elif change == 2:
            del raw[place : place + size]
        elif change == 3:
            raw[place:place] = raw[place : place + size] * random.choice((1, 2, 30))
        elif change == 4:
            raw[place : place + size] = random.choice((b"\0", b"\xff", b"\x7f")) * size
        elif change == 5:
            value = random.choice((0, 1, 0x7F, 0x80, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, len(raw), 2**63))
            width = random.choice((2, 4, 8))
            order = random.choice(("big", "little"))
            raw[place : place + width] = (value % (1 << 8 * width)).to_bytes(width, order)  # type: ignore[arg-type]
        elif change == 6:
            other = random.randrange(len(raw) or 1)
            raw[place : place + size] = raw[other : other + size]
        else:
            raw[place:] = b"" if random.random() < 0.2 else raw[place:]
    return bytes(raw)


def of_text(text: str, random: Random, tokens: Sequence[str] = odd.MARKDOWN) -> str:
    place, other = random.randint(0, len(text)), random.randint(0, len(text))
    if pumps.EXPRESSIONS and random.random() < PUMPED:
        return text[:place] + pumps.pumped(random) + text[place:]
    low, high = min(place, other), max(place, other)
    high = min(high, low + random.choice((1, 3, 10, 100, 10_000)))
    change = random.randrange(9)
    if change <= 2:
        return text[:place] + random.choice(tokens) + text[place:]
    if change == 3:
        return text[:low] + random.choice(tokens) + text[high:]
    if change == 4:
        return text[:low] + text[high:]
    if change == 5:
        return text[:high] + text[low:high] * random.choice((1, 1, 2, 50)) + text[high:]
    if change == 6:
        return text[:place] + random.choice(odd.ODD_TEXTS) + text[place:]
    if change == 7:
        return text[:place] + random.choice(tokens) * random.choice((2, 10, 200)) + text[place:]
    return text[:low] + text[low:high].swapcase()[::-1] + text[high:]


def encoded(text: str) -> bytes:
    """Bytes again; half a surrogate pair becomes the bytes that some programs write for it."""
    return b"".join(
        piece.encode("utf-8", "surrogateescape") if ok else piece.encode("utf-8", "surrogatepass")
        for piece, ok in ((match[0], match[1] is None) for match in _HALVES.finditer(text))
    )


_HALVES = re.compile("([\ud800-\udc7f\udd00-\udfff]+)|[^\ud800-\udc7f\udd00-\udfff]+")


def of_value(value: Any, random: Random) -> Any:
    """The value with one part of it changed."""
    return _changed(value, random, value)


def _changed(value: Any, random: Random, whole: Any) -> Any:
    if isinstance(value, dict) and value and random.random() < 0.85:
        key = random.choice(list(value))
        change = random.random()
        if change < 0.75:
            return {**value, key: _changed(value[key], random, whole)}
        if change < 0.83:
            return {name: held for name, held in value.items() if name != key}
        if change < 0.9:
            new = random.choice((*_names(whole), *odd.ODD_TEXTS[:20]))
            return {new if name == key else name: held for name, held in value.items()}
        return {**value, random.choice((*_names(whole), *odd.ODD_TEXTS[:20])): random.choice(odd.ODD_VALUES)}
    if isinstance(value, list) and value and random.random() < 0.85:
        place = random.randrange(len(value))
        change = random.random()
        if change < 0.75:
            return [*value[:place], _changed(value[place], random, whole), *value[place + 1 :]]
        if change < 0.83:
            return value[:place] + value[place + 1 :]
        return value[:place] + [value[place]] * random.choice((2, 2, 3, 40)) + value[place + 1 :]
    return _replaced(value, random, whole)


def _replaced(value: Any, random: Random, whole: Any) -> Any:
    change = random.random()
    if isinstance(value, str) and change < 0.45:
        return of_text(value, random)
    if isinstance(value, int | float) and not isinstance(value, bool) and change < 0.4:
        return random.choice((value + 1, -value, value * 1000, str(value), float(value), *odd.ODD_NUMBERS))
    if change < 0.55:
        return random.choice(_leaves(whole, 200) or [None])
    if change < 0.62:
        return random.choice(([value], {"a": value}, [value, value], str(value)[:200]))
    return random.choice(odd.ODD_VALUES)


def _names(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(name for held in list(value.values())[:20] for name in _names(held))][:200]
    if isinstance(value, list):
        return [name for held in value[:5] for name in _names(held)][:200]
    return []


def _leaves(value: Any, most: int) -> list[Any]:
    if isinstance(value, dict | list):
        held = list(value.values()) if isinstance(value, dict) else value
        return [leaf for one in held[:20] for leaf in (one, *_leaves(one, most))][:most]
    return [value]


def written(value: Any, random: Random, depth: int = 0) -> str:
    """JSON, sometimes with a key twice."""
    if isinstance(value, Raw):
        return str(value)
    if depth > 100:
        return "0"
    if isinstance(value, dict):
        pairs = [(name, written(held, random, depth + 1)) for name, held in value.items()]
        if pairs and random.random() < 0.02:
            pairs.append((random.choice(pairs)[0], written(random.choice(odd.ODD_VALUES), random, depth + 1)))
        return "{" + ", ".join(f"{json.dumps(str(name))}: {held}" for name, held in pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(written(held, random, depth + 1) for held in value) + "]"
    return json.dumps(value, ensure_ascii=random.random() < 0.5)
