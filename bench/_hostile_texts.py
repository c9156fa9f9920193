"""Texts that break parsers: made on the spot, at any size, for the tests and for the bench."""

from __future__ import annotations

from collections.abc import Callable

UNITS = {
    # brackets and marks, never closed or never opened
    "[": "[",
    "]": "]",
    "(": "(",
    "【": "【",
    "[[[ ]]]": "[[[]]] ",
    "^": "^",
    "straight quotes": '"',
    "opening quotes": "“",
    "unclosed quotes in words": "He said “so it was and ",
    "unclosed straight quotes": ' "a',
    "sentences in unclosed quotes": 'He said "so it was. And ',
    "|": "|",
    "| in cells": "| 1 ",
    "#": "#",
    ">": ">",
    "> in lines": "> a b c d\n",
    "*": "*",
    "**a": "**a",
    "backticks": "`",
    "backslashes": "\\",
    "fences": "```\n",
    "<!--": "<!--",
    "comments that silence": "<!-- pincite: ignore PIN201 -->",
    "unclosed silencers": "<!-- pincite: ignore ",
    "<script": "<script>",
    # beginnings of citations
    "http://": "http://",
    "www.": "www.",
    "[a.txt:": "[a.txt:",
    "[a.txt:1:2-3": "[a.txt:1:2-3",
    "unclosed excerpts": '[a.txt:1-2 | excerpt: "',
    "(Smith, ": "(Smith, ",
    "(a.txt, b": "(a.txt, b",
    "(a.txt)": "x (a.txt) ",
    "[a.txt, b, ": "[a.txt, b, ",
    "According to a.txt": "According to a.txt, p. ",
    "tables of sources": "| # | Source |\n|---|---|\n| 1 | a.txt |\n\n",
    "3 g. in an open quotation": '"3 g. A ',
    "Smith and ": "Smith and ",
    "et al.": "et al. ",
    "doi:10.1/": "doi:10.1/",
    "arXiv:": "arXiv:",
    "【1†": "【1†",
    "![a](": "![a](",
    "[a": "[a",
    "[0]": "[0]",
    "^1": "^1",
    "x¹": "x¹ ",
    "[^1]:": "[^1]: x\n",
    "[1] in lines": "[1] a\n",
    # digits, white space, control characters
    "digits": "7",
    "1-": "1-",
    "1.1.": "1.1.",
    "12%": "12% ",
    "line breaks": "\n",
    "carriage returns": "\r\n",
    "form feeds": "\f",
    "spaces": " ",
    "tabs": "\t",
    "NUL": "\x00",
    "escape sequences": "\x1b[31m",
    "lone surrogates": "\ud800",
    "backward surrogates": "\udc00\ud800 ",
    # writing systems
    "right-to-left overrides": "\u202eab \u202c",
    "Arabic": "مرحبا ",
    "Chinese sentences": "漢字。",
    "Chinese without end": "漢",
    "emoji families": "👩‍👩‍👧‍👦",
    "combining marks": "e\u0301\u0301\u0301",
    "one mark on another": "\u0301",
    # words
    "one word": "a",
    "regex bomb": "aaaa!",
    "one line of prose": "The quick brown fox jumps over the lazy dog near 12 rivers. ",
    "one-word lines": "word\n",
    "list items": "- a\n",
    "headings": "# a\n",
    "table rows": "| a | b |\n",
    "hyphens in a word": "a-",
    "apostrophes in a word": "O'",
    "full stops": ". ",
}
"""A unit that is repeated until the text is long enough."""


def _repeated(unit: str) -> Callable[[int], str]:
    return lambda size: (unit * (size // len(unit) + 1))[:size]


def _deep_list(size: int) -> str:
    depth = int(size**0.5)
    return "\n".join("  " * level + "- The fox jumps here." for level in range(depth))[:size]


def _deep_quotation(size: int) -> str:
    return "\n".join(">" * level + " The fox jumps here." for level in range(int((2 * size) ** 0.5)))[:size]


def _cells(size: int) -> str:
    """A table with a cell every ten characters, half of them in one row."""
    wide = size // 24
    head = "|" + " a |" * wide + "\n|" + "---|" * wide + "\n|" + " 1 |" * wide + "\n"
    return head + "\n".join(f"| fox {row} | {row}% |" for row in range(size // 32))


TEXTS: dict[str, Callable[[int], str]] = {
    **{name: _repeated(unit) for name, unit in UNITS.items()},
    "deep list": _deep_list,
    "deep block quotation": _deep_quotation,
    "table cells": _cells,
}
"""Name → a text of about that many characters."""

SOURCE = (
    "The quick brown fox jumps over the lazy dog. It rose 12% in 2020. Revenue was 5 million euros. " * 20
)
LENGTH = len(SOURCE)


def _one_a_line(marker: Callable[[int], str]) -> Callable[[int], str]:
    return lambda count: "\n\n".join(f"It rose {n % 99}% in 2020 {marker(n)}." for n in range(count))


def _own_references(count: int) -> str:
    body = "\n\n".join(f"It rose {n % 99}% in 2020 [{n % 9_999}]." for n in range(count // 2))
    return f"{body}\n\n## References\n\n" + "\n".join(f"[{n % 9_999}] a.txt" for n in range(count // 2))


def _round_references(count: int) -> str:
    body = "\n\n".join(f"It rose {n % 99}% in 2020 ({n % 999})." for n in range(count // 2))
    return f"{body}\n\n## References\n\n" + "\n".join(f"{n % 999}. a.txt" for n in range(count // 2))


def _surname(number: int) -> str:
    return "Smith" + "".join("abcdefghij"[int(digit)] for digit in str(number))


def _works(count: int) -> str:
    names = [_surname(number) for number in range(count // 2)]
    body = "\n\n".join(f"It rose 12% in 2020 ({name}, 2019)." for name in names)
    return f"{body}\n\n## References\n\n" + "\n".join(f"{name}, J. (2019). The fox." for name in names)


def _in_one_sentence(count: int) -> str:
    return "It rose 12% in 2020 " + " ".join(f"[a.txt:{n % 900}-{n % 900 + 66}]" for n in range(count)) + "."


def _quotes_in_one_sentence(count: int) -> str:
    return "He said " + " ".join(f'"the quick brown {n}" [a.txt:0-30]' for n in range(count)) + "."


CITED: dict[str, Callable[[int], str]] = {
    "spans": _one_a_line(lambda n: f"[a.txt:{n % 900}-{n % 900 + 66}]"),
    "spans out of bounds": _one_a_line(lambda n: f"[a.txt:{n + LENGTH}-{n + LENGTH + 9}]"),
    "unknown documents": _one_a_line(lambda n: f"[b{n}.txt:1-60]"),
    "whole documents": _one_a_line(lambda n: "[a.txt]"),
    "the whole document by spans": _one_a_line(lambda n: f"[a.txt:{n % 99}-{LENGTH - n % 77}]"),
    "forged excerpts": _one_a_line(
        lambda n: f'[a.txt:{n % 500}-{n % 500 + 50} | excerpt: "the red fox {n}"]'
    ),
    "lines": _one_a_line(lambda n: f"[a.txt, lines 1-{n % 9}]"),
    "headings": _one_a_line(lambda n: f"[a.txt, Part {n}]"),
    "round brackets": _one_a_line(lambda n: f"(b{n}.txt)"),
    "round numbers": _round_references,
    "paths": _one_a_line(lambda n: f"[data.b{n}]"),
    "addresses": _one_a_line(lambda n: f"https://example.org/{n}"),
    "one sentence": _in_one_sentence,
    "quotes in one sentence": _quotes_in_one_sentence,
    "an own list of references": _own_references,
    "works in an own list": _works,
    "silenced lines": _one_a_line(lambda n: f"[a.txt:0-9] <!-- pincite: ignore PIN{n % 999} -->"),
}
"""Name → an answer with that many citations."""


def nested_html(depth: int) -> bytes:
    return b"<div>" * depth + b"The fox jumps." + b"</div>" * depth


def unclosed_html(size: int) -> bytes:
    return (b"<table><tr><td>a<b><!-- " * (size // 24 + 1))[:size]


def nested_json(depth: int) -> bytes:
    return b'{"a":[' * depth + b"1" + b"]}" * depth


def one_cell_csv(size: int) -> bytes:
    return b'name,words\n1,"' + b"fox ," * (size // 5) + b'"\n'


def unclosed_csv(size: int) -> bytes:
    return b'a,b\n"' + b'x,""\n' * (size // 5)
