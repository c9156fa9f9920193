"""HTML: the text that a reader of the page sees, blocks on lines of their own, table cells divided by bars.

The page is read as a stream of tags. A tree would give the same text, but building one takes time that grows
with the square of the nesting, and a page from the web may be nested a hundred thousand deep.
"""

from __future__ import annotations

import re
from html import unescape

from pincite.config import Limits
from pincite.records import Source
from pincite.sources.readers.common import decode, make_source
from pincite.sources.readers.flow import Flow
from pincite.text import trimmed, word_set

_MARKUP = re.compile(r"<(?=[A-Za-z!?]|/[A-Za-z])")
_TAG = re.compile(
    r"""<(?P<close>/?)(?P<name>[A-Za-z][^\s/>]*+)"""
    r"""(?P<attributes>(?:[^>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+|["'])*+)>"""
)
_ATTRIBUTE = re.compile(r"""([^\s"'=<>/]++)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'>]++))?""")
_HIDING_STYLE = re.compile(r"(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden)", re.IGNORECASE)

_RAW = word_set("script style textarea title iframe noembed noframes xmp")
"""Elements whose content is not markup: only their own end tag ends them."""
_DROPPED = word_set("template noscript svg object canvas audio video select datalist")
_MOST_COLUMNS = 100
_MOST_META = 200
_HEADINGS = word_set("h1 h2 h3 h4 h5 h6")
_VOID = word_set("area base br col embed hr img input link meta param source track wbr")
_BLOCKS = word_set(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol p "
    "pre search section summary table tbody td tfoot th thead tr ul"
)


def read_html(raw: bytes, name: str, _: Limits) -> list[Source]:
    return [html_source(decode(raw, declared=True), name)]


def html_source(markup: str, name: str) -> Source:
    """The page's visible text as a source, with its title and its tables."""
    page = _Page(markup)
    page.read()
    text, tables = page.flow.finish()
    return make_source(
        name,
        text,
        kind="html",
        title=page.title,
        tables=tables,
        url=page.url,
        metadata={"described": page.described} if page.described else {},
        headings=tuple(trimmed(page.flow.headings, text)),
        navigation=tuple(trimmed(page.flow.navigation, text)),
    )


class _Page:
    """One pass over the markup."""

    def __init__(self, markup: str) -> None:
        self.markup = markup
        self.flow = Flow()
        self.title: str | None = None
        self.url: str | None = None
        self.described: dict[str, list[str]] = {}
        """What `<meta>` says of the page: each name with its values."""
        self._pre = 0
        self._in_thead = False
        self._hidden_name = ""
        self._hidden_depth = 0
        self._heading_start: int | None = None
        self._navigation = 0
        self._navigation_start = 0

    def read(self) -> None:
        markup = self.markup
        position = 0
        while True:
            opening = _MARKUP.search(markup, position)
            if opening is None:
                self._text(markup[position:])
                return
            self._text(markup[position : opening.start()])
            position = self._markup_at(opening.start())

    def _markup_at(self, opening: int) -> int:
        """Handle what begins with `<`, and say where it ends."""
        markup = self.markup
        if markup.startswith("<!--", opening):
            # `<!-->` and `<!--->` are whole comments.
            end = markup.find("-->", opening + 2)
            return len(markup) if end == -1 else end + 3
        if markup.startswith("<![CDATA[", opening):
            end = markup.find("]]>", opening)
            content_end = len(markup) if end == -1 else end
            self._text(markup[opening + 9 : content_end])
            return len(markup) if end == -1 else end + 3
        if markup.startswith(("<!", "<?"), opening):
            end = markup.find(">", opening)
            return len(markup) if end == -1 else end + 1
        tag = _TAG.match(markup, opening)
        if tag is None:
            # A tag that never ends: what follows cannot be told apart from its attributes.
            self._text(markup[opening:])
            return len(markup)
        name = tag["name"].lower()
        if tag["close"]:
            self._close(name)
            return tag.end()
        if name in _RAW:
            return self._raw(name, tag)
        self._open(name, tag["attributes"])
        return tag.end()

    def _raw(self, name: str, tag: re.Match[str]) -> int:
        end = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(self.markup, tag.end())
        content_end = end.start() if end else len(self.markup)
        if name == "title" and self.title is None and not self._hidden_depth:
            self.title = unescape(self.markup[tag.end() : min(content_end, tag.end() + 5000)])
        elif name in ("textarea", "xmp"):
            self._text(self.markup[tag.end() : content_end])
        closing = self.markup.find(">", content_end)
        return len(self.markup) if closing == -1 else closing + 1

    def _open(self, name: str, attributes: str) -> None:
        if self._hidden_depth:
            if name == self._hidden_name:
                self._hidden_depth += 1
            elif self._hidden_name == "p" and name in _BLOCKS and name != "br":
                self._hidden_depth = 0  # a paragraph ends where the next block begins
            if self._hidden_depth:
                return
        if name == "link" and self.url is None:
            self._canonical_link(attributes)
        elif name == "meta" and len(self.described) < _MOST_META:
            self._described(attributes)
        if name not in _VOID and (name in _DROPPED or _is_hidden(attributes)):
            self._hidden_name, self._hidden_depth = name, 1
            return
        flow = self.flow
        if name == "table":
            flow.open_table()
        elif name == "tr":
            flow.open_row()
        elif name in ("td", "th"):
            flow.open_cell(name == "th" or self._in_thead, _columns(attributes))
        elif name == "thead":
            self._in_thead = True
        elif name in _BLOCKS:
            flow.end_block()
            if name == "pre":
                self._pre += 1
            elif name in _HEADINGS:
                self._heading_start = len(flow)
            elif name == "nav":
                self._navigation_start = self._navigation_start if self._navigation else len(flow)
                self._navigation += 1

    def _close(self, name: str) -> None:
        if self._hidden_depth:
            if name == self._hidden_name:
                self._hidden_depth -= 1
            return
        flow = self.flow
        if name == "table":
            flow.close_table()
        elif name == "tr":
            flow.close_row()
        elif name in ("td", "th"):
            flow.close_cell()
        elif name == "thead":
            flow.close_row()
            self._in_thead = False
        elif name in _BLOCKS:
            flow.end_block()
            if name == "pre" and self._pre:
                self._pre -= 1
            elif name in _HEADINGS and self._heading_start is not None:
                flow.mark(flow.headings, self._heading_start)
                self._heading_start = None
            elif name == "nav" and self._navigation:
                self._navigation -= 1
                if not self._navigation:
                    flow.mark(flow.navigation, self._navigation_start)

    def _text(self, text: str) -> None:
        if not text or self._hidden_depth:
            return
        if "&" in text:
            text = unescape(text)
        # A form feed would be taken for a page break, and a web page has no pages.
        if self._pre:
            self.flow.add_raw(text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", " "))
        else:
            self.flow.add(text)

    def _described(self, attributes: str) -> None:
        found = _attributes(attributes)
        name = (found.get("name") or found.get("property") or "").lower()[:100]
        values = self.described.setdefault(name, []) if name and found.get("content") else []
        if len(values) < _MOST_META:
            values.append(found.get("content", "")[:2000])

    def _canonical_link(self, attributes: str) -> None:
        found = _attributes(attributes)
        if found.get("rel", "").lower() == "canonical" and found.get("href", "").startswith("http"):
            self.url = found["href"][:2000]


def _attributes(attributes: str) -> dict[str, str]:
    return {
        match[1].lower(): unescape((match[2] or "").strip("\"'"))
        for match in _ATTRIBUTE.finditer(attributes[:10_000])
    }


def _columns(attributes: str) -> int:
    if "colspan" not in attributes.lower():
        return 1
    written = _attributes(attributes).get("colspan", "")
    return min(max(int(written), 1), _MOST_COLUMNS) if written.isdecimal() and len(written) < 5 else 1


def _is_hidden(attributes: str) -> bool:
    lowered = attributes[:10_000].lower()
    if "hidden" not in lowered and "none" not in lowered:
        return False
    found = _attributes(attributes)
    return "hidden" in found or _HIDING_STYLE.search(found.get("style", "")) is not None
