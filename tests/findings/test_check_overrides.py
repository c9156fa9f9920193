"""Settings given to `check` one by one are held to the same rules as those in a file."""

from __future__ import annotations

from typing import Any

import pytest

import pincite
from pincite.config import Limits

SOURCES = {"report.txt": "Revenue grew by 21% in the first quarter."}
WRONG = "Revenue grew by 12% in the first quarter [report.txt:0-41]."


def codes(**overrides: Any) -> list[str]:
    return [finding.code for finding in pincite.check(WRONG, SOURCES, **overrides).findings]


@pytest.mark.parametrize("selected", ["PIN2", "pin203", ["PIN1", "PIN203"], ("PIN1,PIN203",)])
def test_codes_may_be_a_text_or_a_list(selected: Any) -> None:
    assert codes(select=selected) == ["PIN203"]
    assert codes(ignore=selected) == []


def test_a_text_of_another_group_selects_nothing_of_this_one() -> None:
    assert codes(select="PIN1") == []


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        ({"select": "PIN999"}, "there is no code PIN999"),
        ({"ignore": ["everything"]}, "is not a code"),
        ({"strct": True}, "did you mean 'strict'"),
        ({"offsets": "pages"}, "offsets"),
        ({"fail_under": 90}, "fail_under"),
        ({"limits": {"answer_bytes": 1}}, "limits"),
    ],
)
def test_what_would_have_no_effect_is_refused(overrides: dict[str, Any], said: str) -> None:
    with pytest.raises(pincite.InputError, match=said):
        codes(**overrides)


def test_a_section_is_given_whole_or_by_its_parts() -> None:
    for overrides in ({"limits": Limits(answer_bytes=10)}, {"limits_answer_bytes": 10}):
        with pytest.raises(pincite.TooLargeError):
            codes(**overrides)
    assert codes(fail_under=None, limits=Limits()) == ["PIN203"]


@pytest.mark.parametrize(
    ("answer", "said"), [(None, "not None"), (5, "not 5"), (["One [1].", "Two [2]."], "one answer")]
)
def test_what_is_no_answer_is_named(answer: Any, said: str) -> None:
    with pytest.raises(pincite.InputError, match=said):
        pincite.check(answer, SOURCES)


def test_a_missing_file_is_not_taken_for_a_text() -> None:
    with pytest.raises(pincite.SourceError) as missing:
        pincite.check(WRONG, "nowhere.txt")
    assert str(missing.value) == "there is no file or folder 'nowhere.txt'"
    with pytest.raises(pincite.SourceError, match="as a dict"):
        pincite.check(WRONG, "Revenue grew by 21% in the first quarter.")
