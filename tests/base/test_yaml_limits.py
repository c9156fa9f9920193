"""YAML whose tags lie or whose numbers never end is refused with its place, before it is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from pincite.config import load_settings
from pincite.datasets.files.json_yaml import parse_yaml
from pincite.errors import ConfigError, InputError

ODD = [
    "!!bool x",
    '!!bool ""',
    "!<tag:yaml.org,2002:bool> x",
    "!!timestamp x",
    "!!timestamp 2001-99-99",
    '!!int ""',
    '!!int "+"',
    '!!int "_"',
    "!!int x",
    '!!int "0x"',
    '!!float ""',
    "!!float x",
    '!!float "."',
    "0x" + "f" * 5000,
    "1:" + "20:" * 3000 + "30",
    "1" * 5000,
]
REFUSED = [
    "!!binary x",
    "!!set {a, b}",
    "!!omap [a: 1]",
    "!!omap x",
    "!!pairs x",
    "!!python/object/apply:os.system [ls]",
    "!foo bar",
    "{? [a] : 1}",
    "{? {a: 1} : 1}",
    "{<<: 1}",
    "*missing",
    "&a [*a]",
    ".nan",
    '"\\ud800"',
]


@pytest.mark.parametrize("value", ODD + REFUSED, ids=lambda value: value[:20])
def test_what_has_no_form_in_json_is_refused_by_name(value: str) -> None:
    for text in (f"a: 1\nb: {value}\n", f"- 1\n- {value}\n"):
        with pytest.raises(InputError, match=r"odd\.yaml: "):
            parse_yaml(text.encode(), "odd.yaml")


@pytest.mark.parametrize("value", ODD, ids=lambda value: value[:20])
def test_a_configuration_with_it_is_refused_by_name(value: str, tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    for text in (f"judge: rules\nfail_under: {value}\n", f"judge: rules\n? {value}\n: 1\n"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ConfigError, match=r"c\.yaml: cannot be read: "):
            load_settings(path)


@pytest.mark.parametrize("value", [*ODD[:4], *ODD[5:8], ODD[10]], ids=lambda value: value[:20])
def test_the_place_of_a_false_tag_is_told(value: str) -> None:
    with pytest.raises(InputError, match=r"line 2, column 4: .* is not a valid (bool|timestamp|int|float)"):
        parse_yaml(f"a: 1\nb: {value}\n".encode(), "odd.yaml")


@pytest.mark.parametrize(
    "value",
    [
        "!!bool yes",
        "!!int 0x1F",
        "!!int 1_000",
        "!!int 190:20:30",
        "!!float 1",
        "!!float 6.5e+3",
        "!!str 5",
        "9" * 4000,
        "1. " + "long text " * 600,
        '"' + "1" * 5000 + '"',
        "{a: 1, <<: {b: 2}}",
        "&x [1, *y]",
    ],
    ids=lambda value: value[:20],
)
def test_what_tags_say_rightly_is_read(value: str) -> None:
    text = f"y: &y 1\nz: {value}\n"
    assert parse_yaml(text.encode(), "fine.yaml") == yaml.safe_load(text)
