"""What a CI system obeys when it reads a log: `::error::…`, `##[error]…`, `##vso[…]`, `##teamcity[…]`.

GitHub looks for `::` at the beginning of a line, after any blanks, and for `##[` anywhere; Azure Pipelines
and TeamCity look for their `##word[` anywhere. A blank counts as the beginning of a line here, because
whatever is printed may be folded at one.
"""

from __future__ import annotations

import re

_COMMAND = re.compile(r"##(?=\w*\[)|(?<!\S)::++")


def has_command(text: str) -> bool:
    """Whether a CI system would obey something in the text."""
    return ("##" in text or "::" in text) and _COMMAND.search(text) is not None


def command_breaks(text: str) -> frozenset[int]:
    """The offsets of the characters after which a space makes every command in the text harmless."""
    if not has_command(text):
        return frozenset()
    return frozenset(at for found in _COMMAND.finditer(text) for at in range(found.start(), found.end() - 1))


def break_commands(text: str) -> str:
    """The text with a space in every command: `: :error`, `# #[group]`. For people to read."""
    return _COMMAND.sub(lambda found: " ".join(found[0]), text) if has_command(text) else text


def escape_commands(text: str, escape: str) -> str:
    r"""The text with one character of every command as `escape`, a format for its code point.

    For formats in which an escape reads back as the character, such as `\u003a` in JSON.
    """
    if not has_command(text):
        return text
    return _COMMAND.sub(lambda found: found[0][0] + escape.format(ord(found[0][1])) + found[0][2:], text)
