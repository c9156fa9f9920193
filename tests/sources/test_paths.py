"""Paths into JSON data."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.sources import MISSING, get, open_sources, parse_path

DATA = {
    "quote": {"premium": 1200, "none": None},
    "items": [{"name": "first"}, {"name": "second"}],
    "a.b": {"c.d": 5},
    "years": {"2020": "old"},
    "odd key": "x",
}


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("quote.premium", ("quote", "premium")),
        ("items[0].name", ("items", 0, "name")),
        ("a['k']", ("a", "k")),
        ('a["k k"].b', ("a", "k k", "b")),
        ("[0].x", (0, "x")),
        ("$.quote.premium", ("quote", "premium")),
        (r"a['it\'s']", ("a", "it's")),
        ("a[-1]", ("a", -1)),
        ("a..b", ()),
        (".a", ()),
        ("a[0]b", ()),
        ("a[", ()),
        ("a['x", ()),
        ("", ()),
    ],
)
def test_a_path_is_read_in_steps(path: str, steps: tuple[str | int, ...]) -> None:
    assert parse_path(path) == steps


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("quote.premium", 1200),
        ("quote.none", None),
        ("items[1].name", "second"),
        ("items.1.name", "second"),
        ("a.b.c.d", 5),
        ("['a.b']['c.d']", 5),
        ("years[2020]", "old"),
        ("years.2020", "old"),
        ("['odd key']", "x"),
        ("items", DATA["items"]),
        ("items[-1]", MISSING),
        ("items[2]", MISSING),
        ("quote.premium.x", MISSING),
        ("quote.Premium", MISSING),
        ("items.name", MISSING),
        ("", MISSING),
    ],
)
def test_a_path_leads_to_its_value_or_nowhere(path: str, value: object) -> None:
    assert get(DATA, parse_path(path)) is value or get(DATA, parse_path(path)) == value


@given(st.lists(st.text(max_size=6) | st.integers(0, 9), min_size=1, max_size=5))
def test_a_written_path_reads_back_to_its_steps(steps: list[str | int]) -> None:
    data: object = "here"
    for step in reversed(steps):
        data = [None] * step + [data] if isinstance(step, int) else {step: data}
    (source,) = open_sources({"data": {"a": data}}).sources
    (written,) = [path for path, span in source.value_spans.items() if span.of(source.text) == '"here"']
    assert parse_path(written) == ("a", *steps)


def test_has_path_looks_in_every_data_source() -> None:
    has = open_sources({"one.json": '{"a": {"b": 1}}', "t.csv": "x,y\n1,2\n", "note.txt": "a.b"}).has_path
    assert has("a.b") and has("rows[0].y") and has("one.a.b")
    assert not has("a.c") and not has("note")


def test_paths_built_to_branch_take_bounded_time() -> None:
    node: dict[str, object] = {}
    data = node
    for _ in range(60):
        inner: dict[str, object] = {}
        node.update({"a": inner, "a.a": inner, "a.a.a": inner})
        node = inner
    get(data, parse_path(".".join(["a"] * 100) + ".z"))
    parse_path("['" * 100_000)
    parse_path("a" * 1_000_000)
    parse_path("a." * 500_000)
