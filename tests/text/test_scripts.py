"""One definition of the scripts that write no spaces, and which script a text is in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pincite
from pincite.text import UNSPACED, foreign_script


@pytest.mark.parametrize("character", "ไລမខあア漢\uf900\U00020000")
def test_scripts_without_spaces(character: str) -> None:
    assert re.fullmatch(f"[{UNSPACED}]", character)


@pytest.mark.parametrize("character", "aéяא한ह5")
def test_scripts_with_spaces(character: str) -> None:
    assert not re.fullmatch(f"[{UNSPACED}]", character)


def test_no_other_module_defines_them() -> None:
    ranges = re.compile(r"u3400-|u4e00-|㐀-|一-")
    found = {
        path.name
        for path in Path(pincite.__file__).parent.rglob("*.py")
        if ranges.search(path.read_text(encoding="utf-8"))
    }
    # `language` tells Chinese from Japanese and Thai by their letters.
    assert found == {"terms.py", "language.py"}


def test_a_claim_in_another_script_than_the_evidence_is_noticed() -> None:
    assert foreign_script("Продажи выросли.", ["Sales rose."]) == "Cyrillic"
    assert foreign_script("Sales rose.", ["Sales rose."]) is None
    assert foreign_script("2024", ["продажи"]) is None
