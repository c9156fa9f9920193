"""Word lists: those of a package's `word_lists.txt`, and those written as one string of words."""

from __future__ import annotations

import re

_HEADING = re.compile(r"\[([\w ]+)\]")
_NAMED = re.compile(r"<([\w ]+)>")


def word_list(text: str) -> tuple[str, ...]:
    """The words of a string, in order."""
    return tuple(text.split())


def word_set(text: str) -> frozenset[str]:
    """The words of a string, as a set."""
    return frozenset(text.split())


class WordLists:
    """The sections of a package's `word_lists.txt`. The file says how they are written."""

    def __init__(self, package: str) -> None:
        from pkgutil import get_data

        self._sections: dict[str, list[str]] = {}
        for line in (get_data(package, "word_lists.txt") or b"").decode("utf-8").splitlines():
            if heading := _HEADING.fullmatch(line):
                lines = self._sections[heading[1]] = []
            elif line and not line.startswith("#"):
                lines.append(line)

    def words(self, name: str) -> list[str]:
        """The words of a section, in order."""
        return " ".join(self._sections[name]).split()

    def items(self, name: str, between: str) -> list[str]:
        """What stands between the separators of a section."""
        return [item.strip() for item in between.join(self._sections[name]).split(between)]

    def keyed(self, name: str) -> dict[str, list[str]]:
        """The words of each key, of a section with lines `key: words`. A key may have several lines."""
        table: dict[str, list[str]] = {}
        for line in self._sections[name]:
            key, _, words = line.partition(":")
            table.setdefault(key, []).extend(words.split())
        return table

    def keys(self, name: str) -> dict[str, str]:
        """The key of each word, of such a section."""
        return {word: key for key, words in self.keyed(name).items() for word in words}

    def any_of(self, name: str) -> str:
        """An expression for any alternative of a section."""
        lines = [_NAMED.sub(lambda found: self.any_of(found[1]), line) for line in self._sections[name]]
        return f"(?:{'|'.join(lines)})"


LISTS = WordLists("pincite.text")
