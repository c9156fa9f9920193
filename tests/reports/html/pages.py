"""What tests ask of a page: its elements and their text, read by a real parser."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = frozenset({"meta", "br", "link", "img", "input", "hr", "wbr", "line", "circle", "rect", "polyline"})


class Element:
    def __init__(self, tag: str, attributes: dict[str, str], parent: Element | None) -> None:
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.parts: list[str | Element] = []

    @property
    def text(self) -> str:
        return "".join(part if isinstance(part, str) else part.text for part in self.parts)

    def every(self, tag: str = "", style: str = "") -> list[Element]:
        found = []
        for part in self.parts:
            if isinstance(part, Element):
                styles = part.attributes.get("class", "").split()
                if (not tag or part.tag == tag) and (not style or style in styles):
                    found.append(part)
                found += part.every(tag, style)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.here = Element("root", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {name: value or "" for name, value in attrs}, self.here)
        self.here.parts.append(made)
        if tag not in VOID:
            self.here = made

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.here.parts.append(Element(tag, {name: value or "" for name, value in attrs}, self.here))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        assert self.here.tag == tag, f"</{tag}> closes <{self.here.tag}>"
        assert self.here.parent is not None
        self.here = self.here.parent

    def handle_data(self, data: str) -> None:
        self.here.parts.append(data)


def read_page(page: str) -> Element:
    """The elements of a page, every one of them closed where it should be."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.here is reader.root, f"<{reader.here.tag}> is never closed"
    return reader.root


def dangling_links(page: Element) -> set[str]:
    """Links to places that the page does not have."""
    ids = {one.attributes["id"] for one in page.every() if "id" in one.attributes}
    return {
        one.attributes["href"][1:]
        for one in page.every("a")
        if one.attributes.get("href", "").startswith("#")
    } - ids


def repeated_ids(page: Element) -> set[str]:
    ids = [one.attributes["id"] for one in page.every() if "id" in one.attributes]
    return {one for one in ids if ids.count(one) > 1}
