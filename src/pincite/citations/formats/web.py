"""The web: Markdown links, bare URLs, DOIs, `arXiv:` and PMID."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from pincite.citations.formats import number
from pincite.citations.formats.form import Context, Form, Found, double_braces, has_ending
from pincite.citations.formats.span_places import span_target
from pincite.records import Citation, Reference, SpanTarget, WebTarget

# Brackets, quotes and full-width punctuation end a bare URL; what may end it is trimmed afterwards.
_STOP = r"\s<>\"`{}|\\^【】「」『』（）。，、；：！？“”«»\x00-\x1f"
_AFTER_SCHEME = rf"://[^{_STOP}]{{2,2000}}+"
_WWW = rf"www\.[^{_STOP}]{{3,2000}}+"
_DOI = rf"10\.\d{{4,9}}(?:\.\d{{1,6}}){{0,9}}+/[^{_STOP}]{{1,500}}+"
# An older DOI may hold what it abbreviates in angle brackets: `…100:1<1::AID-AJPA1>3.0.CO;2-Y`.
_DOI_TAIL = re.compile(rf"<[^\s<>:/]{{1,40}}+:[^\s<>/]{{0,60}}+>[^{_STOP}]{{1,100}}+")
_DOI_COLON = re.compile(r"\bdoi:", re.I)
_DOI_LEAD = re.compile(r"(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|\bdoi(?::[ ]{0,2}|[ ]))$", re.I)
_ARXIV = r"iv:[ ]?(\d{4}\.\d{4,5}(?:v\d{1,2})?|[a-z-]{2,10}(?:\.[A-Z]{2})?/\d{7}(?:v\d{1,2})?)(?![\w/])"
_PMID = r"(?::[ ]?|[ ])(\d{1,9})\b"
_IDENTIFIED = {
    "doi": re.compile(r"\A(?:https?://)?(?:dx\.|www\.)?doi\.org/(10\.\d{4,9}(?:\.\d{1,6}){0,9}+/\S+)$", re.I),
    "arxiv": re.compile(
        r"\A(?:https?://)?(?:\w{1,10}\.)?arxiv\.org/(?:abs|pdf|html)/((?:\d{4}\.\d{4,5}|[a-z-]{2,10}(?:\.[A-Z]{2})?/\d{7})(?:v\d{1,2})?)"
        r"(?:\.pdf)?/?$"
    ),
    "pmid": re.compile(
        r"\Ahttps?://(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/(\d{1,9})/?$", re.I
    ),
}
"""Addresses that hold a paper's identifier."""
# A link in brackets, and one by its name: `[the page][name]`, where `[name]: https://…` is defined.
_TITLE = r"(?P<title>[^\[\]\n]{0,600}+(?:\[[^\[\]\n]{0,200}+\][^\[\]\n]{0,300}+){0,3}+)"
_URL = (
    r"(?:<(?P<angled>[^<>\n]{1,2000}+)>"
    r"|(?P<url>[^\s()<>]{0,2000}+(?:\([^\s()<>]{0,500}+\)[^\s()<>]{0,500}+){0,8}+))"
)
_LINK_TITLE = r"(?:[ ]{1,4}+(?:\"[^\"\n]{0,300}+\"|'[^'\n]{0,300}+'))?+"
_NAMED_LINK = r"\[(?<!\\\[)(?<!!\[)([^\[\]\n]{1,600}+)\](?:(\[([^\[\]\n]{0,99}+)\])(?!\()|(?![\[(:]))"
_DEFINED = re.compile(r"<([^<>\s]{1,2000}+)>|([^\s<>]{1,2000}+)")
_ONLY_NUMBERS = re.compile(r"[\d ,;–—-]++")
# `[a.pdf:1:2-3][1]` and `[Smith, 2020][1]` are two markers side by side.
_OTHER_MARKER = re.compile(r":\d|\.\w|\d{4}|xcerpt:")
_TRAILING = ".,;:!?'’*_~"
_CLOSES = {"(": ")", "[": "]"}
_WEB_BEGINS = ("http://", "https://", "www.")
_PORTS = {"http": ":80", "https": ":443"}


def trim_url(raw: str) -> str:
    """A URL keeps its balanced parentheses and loses the punctuation of the sentence around it."""
    if (raw[-1].isalnum() or raw[-1] == "/") and "]" not in raw and ")" not in raw:
        return raw
    # A bracket that was not opened inside the URL belongs to the text around it.
    opened = {")": 0, "]": 0}
    for at, char in enumerate(raw):
        if char in "([":
            opened[_CLOSES[char]] += 1
        elif char in opened:
            if opened[char] == 0:
                raw = raw[:at]
                break
            opened[char] -= 1
    end = len(raw)
    while end:
        char = raw[end - 1]
        if char in "([" and opened[_CLOSES[char]] > 0:
            opened[_CLOSES[char]] -= 1
        elif char not in _TRAILING:
            break
        end -= 1
    return raw[:end]


def url_key(url: str) -> str:
    """One spelling for one page: small scheme and host, no default port, fragment or final slash."""
    if url[:4].lower() == "www.":
        url = f"http://{url}"
    scheme, _, rest = url.partition("://")
    rest = rest.partition("#")[0]
    cut = min((at for at in (rest.find("/"), rest.find("?")) if at >= 0), default=len(rest))
    scheme, host = scheme.lower(), rest[:cut].lower()
    port = _PORTS.get(scheme)
    if port and host.endswith(port):
        host = host[: -len(port)]
    return f"{scheme}://{host}{rest[cut:]}".rstrip("/")


def doi_key(doi: str) -> str:
    return f"doi:{_unquoted(doi)}".lower()


def _unquoted(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote

    return unquote(text)


def paper_key(field: str, identifier: str) -> str:
    """One spelling for one paper: a DOI in small letters, an arXiv identifier without its version."""
    if field == "arxiv":
        return f"arxiv:{re.sub(r'v[0-9]+$', '', identifier)}"
    return doi_key(identifier) if field == "doi" else f"pmid:{identifier.lstrip('0')}"


def read_web_target(url: str) -> tuple[WebTarget, str]:
    """What a URL points to, and the form that writes it: a paper's identifier where it holds one."""
    for field, expression in _IDENTIFIED.items():
        if found := expression.search(url):
            lead, tail = double_braces(url[: found.start(1)]), double_braces(url[found.end(1) :])
            return WebTarget(paper_key(field, found[1]), **{field: found[1]}), f"{lead}{{0.{field}}}{tail}"
    return WebTarget(url_key(url), url=url), "{0.url}"


def _titled(target: WebTarget, title: str) -> WebTarget:
    return WebTarget(target.key, target.url, target.doi, target.arxiv, target.pmid, title)


def _read_link(match: re.Match[str], context: Context) -> Found | None:
    """`[title](url)`; a relative link to a document cites that document as a whole."""
    start, end = match.span()
    group = "url" if match["url"] is not None else "angled"
    title, url, url_at = match["title"], match[group], match.start(group)
    if start and context.text[start - 1] == "!":  # an image
        context.taken.add(url_at)
        return None
    read = _titled_link(context.text, start, end, title, url, url_at)
    if read is not None:
        context.taken.add(url_at)
        return read
    if title.isdecimal() and len(title) <= 4:
        return number.read_bracket(start, start + len(title) + 2, title, context)
    return None


def _titled_link(text: str, start: int, end: int, title: str, url: str, url_at: int) -> Citation | None:
    lead, tail = text[start + 2 + len(title) : url_at], text[url_at + len(url) : end]
    if url[:8].lower().startswith(_WEB_BEGINS):
        target, form = read_web_target(url)
        target = _titled(target, title)
        form = f"[{{0.title}}]{lead}{form}{double_braces(tail)}"
        return Citation("web", text[start:end], start, end, (target,), form)
    path, hash_mark, fragment = url.partition("#")
    document = _linked_document(url, path)
    if document is None:
        return None
    slot = "{0.document}" if document == path else double_braces(path)
    form = f"[{double_braces(title)}]{lead}{slot}{double_braces(hash_mark + fragment + tail)}"
    return Citation("span", text[start:end], start, end, (span_target(document),), form)


def link_target(url: str, title: str) -> tuple[Literal["web", "span"], WebTarget | SpanTarget] | None:
    """The family and the target of a link whose address stands elsewhere."""
    if url[:8].lower().startswith(_WEB_BEGINS):
        return "web", _titled(read_web_target(url)[0], title)
    document = _linked_document(url, url.partition("#")[0])
    return None if document is None else ("span", span_target(document))


def _linked_document(url: str, path: str) -> str | None:
    """The document that a relative link names; not a mail address, an anchor or a folder."""
    return _unquoted(path) if ":" not in url and has_ending(path) else None


def _read_url(match: re.Match[str], context: Context) -> Citation | None:
    """A bare `http(s)://` URL, found by what follows the scheme."""
    text, colon = context.text, match.start()
    scheme = text[max(0, colon - 5) : colon].lower()
    start = colon - (5 if scheme == "https" else 4)
    if not scheme.endswith(("https", "http")) or start in context.taken:
        return None
    url = trim_url(text[start : match.end()])
    return _bare(text, start, url) if len(url) > colon - start + 3 else None


def _read_www(match: re.Match[str], context: Context) -> Citation | None:
    """A bare `www.` URL."""
    text, start = context.text, match.start()
    if start in context.taken or (start and (text[start - 1].isalnum() or text[start - 1] in "/@.-_")):
        return None
    url = trim_url(match[0])
    return _bare(text, start, url) if "." in url[4:] else None


def _bare(text: str, start: int, url: str) -> Citation:
    end = start + len(url)
    target, form = read_web_target(url)
    if start and text[start - 1] == "<" and text[end : end + 1] == ">":
        return Citation("web", text[start - 1 : end + 1], start - 1, end + 1, (target,), f"<{form}>")
    return Citation("web", url, start, end, (target,), form)


def _read_doi(match: re.Match[str], context: Context) -> Citation | None:
    """A DOI with `doi:`, `DOI `, `doi.org/` before it, or bare."""
    text, start = context.text, match.start()
    lead = ""
    if start:
        before = text[start - 1]
        if before == ":":
            if _DOI_COLON.match(text, start - 4, start):
                lead = text[start - 4 : start]
        elif before == " " or before == "/":
            led = _DOI_LEAD.search(text, max(0, start - 28), start)
            if led is not None:
                lead = led[0]
        if not lead and (before.isalnum() or before in "./-_="):
            return None
    raw = match[0]
    if text.startswith("<", match.end()):
        tail = _DOI_TAIL.match(text, match.end())
        raw += tail[0] if tail else ""
    doi = trim_url(raw)
    if doi.endswith("/"):
        return None
    end = start + len(doi)
    start -= len(lead)
    target = WebTarget(doi_key(doi), doi=doi)
    return Citation("web", text[start:end], start, end, (target,), lead + "{0.doi}")


def _read_arxiv(match: re.Match[str], context: Context) -> Citation | None:
    text, start, end = context.text, match.start() - 3, match.end()
    if start < 0 or text[start : start + 3].lower() != "arx" or (start and text[start - 1].isalnum()):
        return None
    target = WebTarget(paper_key("arxiv", match[1]), arxiv=match[1])
    form = text[start : match.start(1)] + "{0.arxiv}"
    return Citation("web", text[start:end], start, end, (target,), form)


def _read_pmid(match: re.Match[str], context: Context) -> Citation | None:
    start, end = match.span()
    if start and context.text[start - 1].isalnum():
        return None
    form = context.text[start : match.start(1)] + "{0.pmid}"
    target = WebTarget(paper_key("pmid", match[1]), pmid=match[1])
    return Citation("web", match[0], start, end, (target,), form)


def link_definitions(text: str, references: Iterable[Reference]) -> dict[str, str]:
    """Name → address, for the entries that are written `[name]: address`. The first of a name counts."""
    definitions: dict[str, str] = {}
    for reference in references:
        if reference.label and text.startswith(f"[{reference.label}]:", reference.start):
            address = _DEFINED.match(reference.text)
            if address is not None:
                definitions.setdefault(_folded(reference.label), address[1] or address[2])
    return definitions


def _read_named_link(match: re.Match[str], context: Context) -> Citation | None:
    """`[the page][name]`, `[name][]` or `[name]`. A bare number, also beside another, stays a number."""
    title, rest, label = match.groups()
    if title[0] == "^" or _ONLY_NUMBERS.fullmatch(title):
        return None
    if label and label.isdecimal() and _OTHER_MARKER.search(title):
        return None
    address = context.definitions.get(_folded(label or title))
    target = None if address is None else link_target(address, title)
    if target is None:
        return None
    form = f"[{double_braces(title)}]{double_braces(rest or '')}"
    return Citation(target[0], match[0], *match.span(), (target[1],), form)


def _folded(label: str) -> str:
    """Names are compared without regard to case and to how much white space they hold."""
    return " ".join(label.split()).casefold()


BRACKETS = (Form(rf"{_TITLE}\]\({_URL}{_LINK_TITLE}\)", _read_link),)
NAMED_LINK = Form(_NAMED_LINK, _read_named_link, ("[",), needs="definitions")
FORMS = (
    Form(_AFTER_SCHEME, _read_url, ("://",)),
    Form(_ARXIV, _read_arxiv, ("iv:",)),
    Form(_WWW, _read_www, ("www.",)),
    Form(_DOI, _read_doi, ("10.",)),
    Form(f"PMID{_PMID}", _read_pmid, ("PMID",)),
    Form(f"pmid{_PMID}", _read_pmid, ("pmid",)),
)
