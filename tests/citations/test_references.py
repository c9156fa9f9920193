"""citations/references: the answer's own entries."""

from __future__ import annotations

import pytest

from pincite.citations import parse

ROWS = [
    ("Sources: [1] a.txt, [2] b.txt", [("1", "a.txt", ["a.txt"]), ("2", "b.txt", ["b.txt"])]),
    ("Sources:\n- a.txt\n- b c.txt", [("1", "a.txt", ["a.txt"]), ("2", "b c.txt", ["b c.txt"])]),
    ("Sources: a.txt, b.txt", [("1", "a.txt", ["a.txt"]), ("2", "b.txt", ["b.txt"])]),
    ("## References\n1. Title. https://e.example/a.\n2. Other",
     [("1", "Title. https://e.example/a.", ["https://e.example/a"]), ("2", "Other", [])]),
    ("## References\n[1] Smith, J., & Jones, K. (2020). T. https://doi.org/10.1234/X",
     [("1", "Smith, J., & Jones, K. (2020). T. https://doi.org/10.1234/X", ["doi:10.1234/x", "smith 2020"])]),
    ("**References**\n\nSmith, J. (2020). One.\n\nWorld Health Organization. (2019). Two.",
     [("", "Smith, J. (2020). One.", ["smith 2020"]),
      ("", "World Health Organization. (2019). Two.", ["world health organization 2019"])]),
    ("[^1]: See report.pdf, page 3\n    and more\n[^audit]: https://e.example",
     [("1", "See report.pdf, page 3\n    and more", ["report.pdf:3"]),
      ("audit", "https://e.example", ["https://e.example"])]),
    ("[1]: https://e.example", [("1", "https://e.example", ["https://e.example"])]),
    ("References:\n[1] [report.pdf:3:10-20]", [("1", "[report.pdf:3:10-20]", ["report.pdf:3:10-20"])]),
    ("Sources\n\n- [Outlook](https://e.example/o)", [("1", "[Outlook](https://e.example/o)", ["https://e.example/o"])]),
    ("¹ a.txt\n² b.txt", [("1", "a.txt", ["a.txt"]), ("2", "b.txt", ["b.txt"])]),
    ("## Sources\n| # | Document |\n|---|---|\n| 1 | a.txt |", [("1", "| 1 | a.txt |", ["a.txt"])]),
]  # fmt: skip


@pytest.mark.parametrize(("listed", "expected"), ROWS, ids=[listed[:30] for listed, _ in ROWS])
def test_entries_of(listed: str, expected: list[tuple[str, str, list[str]]]) -> None:
    text = f"Sales rose [1].\n\n{listed}\n"
    parsed = parse(text)
    assert [(r.label, r.text, [t.key for t in r.targets]) for r in parsed.references] == expected
    assert [c.text for c in parsed.citations] == ["[1]"]
    assert not parsed.malformed
    for reference in parsed.references:
        assert reference.text in text[reference.start : reference.end]


def test_an_answer_without_a_list_has_no_references() -> None:
    assert parse("Our sources say that sales rose [1]. References are welcome.").references == ()
