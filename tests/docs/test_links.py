"""Every link between the pages leads to a file that is there, and to a heading in it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    str(path.relative_to(ROOT))
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("training/*.md"))
)


@cache
def prose(path: Path) -> str:
    """A page without its examples."""
    return re.sub(r"^(`{3,}).*?^\1", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)


@cache
def anchors(path: Path) -> set[str]:
    """The names that GitHub gives the headings of a page; a repeated one is numbered."""
    found: dict[str, int] = {}
    for heading in re.findall(r"^#+ (.*)$", prose(path), re.M):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found[anchor] = found.get(anchor, -1) + 1
    return {name if not n else f"{name}-{n}" for name, most in found.items() for n in range(most + 1)}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    text = re.sub(r"`[^`\n]*`", "", prose(ROOT / page))
    for link in re.findall(r"\]\(([^)\s]+)", text):
        if "://" in link or link.startswith("mailto:"):
            continue
        name, _, anchor = link.partition("#")
        target = ((ROOT / page).parent / name).resolve() if name else ROOT / page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_is_linked_from_another() -> None:
    linked = set()
    for page in PAGES:
        for name in re.findall(r"\]\(([^)\s#]+)", prose(ROOT / page)):
            linked.add(((ROOT / page).parent / name).resolve())
    assert [
        page for page in PAGES if page.startswith("docs/") and (ROOT / page).resolve() not in linked
    ] == []
