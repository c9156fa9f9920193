"""The table of forms: what a new entry needs, and that the scanner does not know one form from another."""

from __future__ import annotations

import re

import pytest

from pincite.citations import scan as scanning
from pincite.citations.formats.form import ODD, PLAIN, Context, Form, in_brackets
from pincite.citations.scan import FAMILIES, scan
from pincite.records import Citation, NumberTarget


def _numbered(match: re.Match[str], context: Context) -> Citation:
    number = int(match["law"])
    return Citation("number", match[0], *match.span(), (NumberTarget(number, match["law"]),), "§§{0.number}")


def test_a_form_is_added_by_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    law = Form(r"§§(?P<law>\d{1,4}+)", _numbered, ("§§",))
    monkeypatch.setattr(scanning, "_TABLE", (*scanning._TABLE, law))
    monkeypatch.setattr(scanning, "_EXPRESSIONS", (*scanning._EXPRESSIONS, re.compile(law.pattern)))
    found = scan(Context("It is forbidden §§12 and [1]."))
    assert [(one.text, one.start) for one in found] == [("[1]", 25), ("§§12", 16)]


def test_alternatives_in_brackets_are_told_apart_whatever_groups_they_have() -> None:
    def reader(name: str) -> Form:
        def read(match: re.Match[str], context: Context) -> Citation:
            return Citation("number", f"{name} {match[0]}", *match.span(), (), "")

        pattern = {"pair": r"(?P<a>a)(?P<b>b)\]", "word": r"(?P<w>[a-z]+)\]", "ahead": r"(?=(?P<up>[A-Z]))"}
        return Form(pattern[name], read, turn=PLAIN if name == "pair" else ODD)

    form = in_brackets([reader("word"), reader("ahead"), reader("pair")])
    context = Context("[ab] [abc] [X]")
    read = [form.read(match, context) for match in re.finditer(form.pattern, context.text)]
    assert [one.text for one in read if one] == ["pair [ab]", "word [abc]", "ahead ["]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__.rpartition(".")[2])
def test_every_form_can_be_skipped_and_says_what_it_needs(family: object) -> None:
    for form in family.FORMS:  # type: ignore[attr-defined]
        assert form.cues
        assert not form.needs or form.needs in Context.__struct_fields__
