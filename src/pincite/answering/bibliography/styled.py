"""Formatted text between the CSL processor and a page: characters with their faces, and nothing else.

The processor marks where italics begin and end with characters that no entry can hold (`entry.clean` drops
them). So no text of a source can become markup: each output format escapes the text and adds its own marks.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

FACES = {"italic": "\ue000", "bold": "\ue002", "super": "\ue004", "sub": "\ue006", "small": "\ue008"}
"""The character that begins each face; the one after it ends it."""
BREAK = "\ue00a"
"""Put into a text that the processor would take for markup, and taken out again."""
_BEGINS = {mark: face for face, mark in FACES.items()}
_ENDS = {chr(ord(mark) + 1): face for face, mark in FACES.items()}

_TAGS = {"italic": "i", "bold": "b", "super": "sup", "sub": "sub", "small": "span"}
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~$&#!{}])")
_BARE_URL = re.compile(r"https?://[^\s<>\"'`\\|^{}\[\]()*~$]{1,1900}[A-Za-z0-9/=_-]")
_LINE_START = re.compile(r"\A(?:[-+>]|\d+[.)])(?=\s)")


class Styled(NamedTuple):
    """One character and its faces."""

    character: str
    faces: frozenset[str]


def read_styled(marked: str) -> list[Styled]:
    """What the processor wrote, without its marks and with its punctuation set right."""
    made: list[Styled] = []
    open_faces: list[str] = []
    for character in marked:
        if character in _BEGINS:
            open_faces.append(_BEGINS[character])
        elif character in _ENDS:
            if _ENDS[character] in open_faces:
                open_faces.remove(_ENDS[character])
        elif character != BREAK:
            made.append(Styled(character, frozenset(open_faces)))
    return _punctuated(made)


def _punctuated(text: list[Styled]) -> list[Styled]:
    """As CSL asks of a processor: no doubled marks or spaces, and in American English `,” not `”,`."""
    made: list[Styled] = []
    for one in text:
        character = one.character
        last = made[-1].character if made else " "
        if character == " " and last == " ":
            continue
        if character in ".," and last == "”":
            inner = made[-2].character if len(made) > 1 else ""
            if inner not in ".,?!":
                made.insert(-1, Styled(character, made[-2].faces if len(made) > 1 else frozenset()))
            continue
        if character in ".,;:!?" and last == " " and len(made) > 1 and made[-2].character in ".,;:!?":
            continue
        if character in ".," and last in ".,;:!?…" and not (character == "," and last == "."):
            continue
        made.append(one)
    while made and made[-1].character == " ":
        made.pop()
    return made


def to_text(text: list[Styled]) -> str:
    return "".join(one.character for one in text)


def to_html(text: list[Styled]) -> str:
    """With every character of the text escaped. Addresses become links, which only http and https can be."""
    pieces: list[str] = []
    for piece, faces, is_address in _runs(text):
        made = html.escape(piece)
        if is_address:
            made = f'<a href="{made}" rel="noopener noreferrer">{made}</a>'
        for face in sorted(faces):
            style = ' style="font-variant: small-caps"' if face == "small" else ""
            made = f"<{_TAGS[face]}{style}>{made}</{_TAGS[face]}>"
        pieces.append(made)
    return "".join(pieces)


def to_markdown(text: list[Styled]) -> str:
    """With every character escaped that could mean something to Markdown or to HTML in it."""
    pieces: list[str] = []
    for piece, faces, is_address in _runs(text):
        if is_address:
            pieces.append(f"<{piece}>")
            continue
        # Emphasis must not begin or end with a space.
        bare = piece.strip()
        made = _MARKDOWN.sub(r"\\\1", bare)
        if bare:
            made = f"**{made}**" if "bold" in faces else made
            made = f"*{made}*" if "italic" in faces else made
        before = piece[: len(piece) - len(piece.lstrip())]
        pieces.append(f"{before}{made}{piece[len(before) + len(bare) :]}")
    return _LINE_START.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", "".join(pieces), count=1)


def _runs(text: list[Styled]) -> Iterator[tuple[str, frozenset[str], bool]]:
    """Stretches of one face, and whether each is an address."""
    for faces, run in groupby(text, key=lambda one: one.faces):
        piece = "".join(one.character for one in run)
        at = 0
        for found in _BARE_URL.finditer(piece):
            if found.start() > at:
                yield piece[at : found.start()], faces, False
            yield found[0], faces, True
            at = found.end()
        if at < len(piece):
            yield piece[at:], faces, False
