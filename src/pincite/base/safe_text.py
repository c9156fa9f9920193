"""Texts made safe to pass on: addresses without their secrets, cells that are no formula."""

from __future__ import annotations

import re

HIDDEN = "***"
SHORTEST_SECRET = 4
"""A shorter value cannot be told from ordinary text, so it is only hidden inside an address."""
_LONG = 20
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")
"""How a formula begins, for some spreadsheet; the wide signs count in Japanese and Chinese ones."""
_ADDRESS = re.compile(
    r"(?P<scheme>\b[a-zA-Z][a-zA-Z0-9+.-]{0,20}:\\?/\\?/)(?P<user>[^\s/?#\"'<>\\]{1,500}@)?"
    r"(?P<place>[^\s?#\"'<>]{0,4000})(?P<rest>[?#][^\s\"'<>]{0,4000})?"
)
_VALUE = re.compile(r"([?&;#][^=&;#]{0,200}=)[^&;#]+")
_SECRET_NAME = re.compile(r"key|token|secret|pass|pwd|sig|auth|cred|session|jwt|code|sas", re.IGNORECASE)


def is_formula(text: str) -> bool:
    """Whether a spreadsheet might take a cell with this text for a formula, and run it."""
    return _FORMULA.match(text) is not None


def hide_in_addresses(text: str) -> str:
    """The text in which no address names a user or has the value of a parameter."""
    return _ADDRESS.sub(_hidden, text) if ":" in text else text


def address_secrets(url: str) -> tuple[list[str], list[str]]:
    """What must never be told of an address, and what need not be told, each in all of its spellings.

    The first holds the password, and values that are named as secrets or look like one. The second holds
    every value: one such as `documents` may be a word of an answer, and is only hidden in messages.
    """
    from urllib.parse import unquote, urlsplit  # here and below, for most commands never need it

    parts = urlsplit(url)
    name, password = unquote(parts.username or ""), unquote(parts.password or "")
    certain = [password] if parts.password is not None else [name]  # a name alone is a token
    every: list[str] = []
    for pair in re.split("[&;]", parts.query):
        name, equals, value = pair.partition("=")
        value = value if equals else name
        every.append(value)
        if (equals and _SECRET_NAME.search(name)) or _looks_secret(value):
            certain.append(value)
    return _spellings(certain), _spellings([*certain, *every])


def _spellings(values: list[str]) -> list[str]:
    """The values, also as an address would write them, the longest first; without the shortest."""
    from urllib.parse import quote, unquote, unquote_plus

    found = {form for value in values for form in (value, unquote(value), unquote_plus(value))}
    found |= {form for value in found for form in (quote(value), quote(value, safe=""))}
    longest_first = sorted(found, key=lambda form: (-len(form), form))
    return [form for form in longest_first if len(form) >= SHORTEST_SECRET]


def _hidden(found: re.Match[str]) -> str:
    user = f"{HIDDEN}@" if found["user"] else ""
    rest = _VALUE.sub(lambda value: f"{value[1]}{HIDDEN}", found["rest"] or "")
    return f"{found['scheme']}{user}{found['place']}{rest}"


def _looks_secret(value: str) -> bool:
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return len(value) >= _LONG and mixed and len(set(value)) >= _LONG // 2 and "." not in value
