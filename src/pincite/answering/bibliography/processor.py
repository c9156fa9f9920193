"""CSL styles through citeproc-py, which is given a few corrections here.

1. A style says `initialize="false"` where given names are written out; the processor overlooks it.
2. What stood in for a missing author must not be printed a second time; the processor sees that only for a
   variable that the style names directly, not for one inside a macro.
3. The space that a style sets between the parts of a date is overlooked where the date is one of its locale.
4. A part of a date keeps what one entry set on it, so that the next entry would depend on it.
5. Numbers are those of the answer's text, not the position in the list.

The library is loaded at the first use. Its element classes are extended for our own parser alone: whoever
uses citeproc-py beside Pincite sees nothing of it.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from importlib.util import find_spec
from io import BytesIO
from types import SimpleNamespace
from typing import Any, NamedTuple

from pincite.answering.bibliography.csl_json import item_of
from pincite.answering.bibliography.entry import BibEntry
from pincite.answering.bibliography.styled import BREAK, FACES, Styled, read_styled
from pincite.errors import InputError, MissingExtraError, did_you_mean

STYLES = {
    "apa-7": "apa",
    "mla-9": "modern-language-association",
    "chicago-author-date": "chicago-author-date",
    "ieee": "ieee",
    "nature": "nature",
    "vancouver": "nlm-citation-sequence",
}
"""The names of the shipped styles and their files in `styles/`."""
_SHORT_NAMES = {"apa": "apa-7", "mla": "mla-9", "chicago": "chicago-author-date", "nlm": "vancouver"}
_CSL = "{http://purl.org/net/xbiblio/csl}"


def full_style_name(name: str) -> str:
    """The name of a shipped style; an unknown one is an `InputError` that lists them."""
    known = _SHORT_NAMES.get(name.lower(), name.lower())
    if known not in STYLES:
        hint = did_you_mean(name, STYLES, f"; the styles are {', '.join(STYLES)}")
        raise InputError(f"there is no style {name!r:.80}{hint}")
    return known


class FormattedEntry(NamedTuple):
    """One line of a list of references: its label, such as `[3]` or `3.`, and the entry."""

    label: str
    text: list[Styled]


def format_entries(entries: Sequence[tuple[int, BibEntry]], style: str) -> list[FormattedEntry]:
    """Each numbered entry in the style, in the order given."""
    style = full_style_name(style)
    if find_spec("citeproc") is None:
        raise MissingExtraError(
            f"the style {style!r} needs the citeproc-py library: pip install 'pincite[bibliography]'"
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of fields that it does not know
        return [_format(number, entry, style) for number, entry in entries]


def _format(number: int, entry: BibEntry, style: str) -> FormattedEntry:
    from citeproc.source import Citation, CitationItem
    from citeproc.source.json import CiteProcJSON

    loaded = _load(style)
    item = item_of(entry) | {"id": "entry"}
    source = CiteProcJSON([{key: _kept_apart(value) for key, value in item.items()}])
    cited = CitationItem("entry")
    bibliography = SimpleNamespace(source=source, keys=["entry"], formatter=_FORMATTER)
    Citation([cited]).bibliography = bibliography
    lines = loaded.layout_of.render([cited])
    label = f"{loaded.before}{number}{loaded.after}"
    return FormattedEntry(label, read_styled(str(lines[0]) if lines else ""))


def _kept_apart(value: Any) -> Any:
    """Text for the processor, which reads one kind of markup: `nocase`, for what keeps its capitals.

    In a text of somebody else's it is broken up. arXiv writes itself with a small letter.
    """
    if not isinstance(value, str):
        return value
    value = re.sub(r"<(?=/?span)", f"<{BREAK}", value, flags=re.IGNORECASE)
    return f'<span class="nocase">{value}</span>' if value.startswith("arXiv") else value


def _face(name: str) -> Any:
    mark = FACES[name]
    return staticmethod(lambda text: f"{mark}{text}{chr(ord(mark) + 1)}")


class _Formatter:
    """What the processor calls to format: marks around the text, and no escaping."""

    Italic = Oblique = _face("italic")
    Bold = _face("bold")
    Superscript = _face("super")
    Subscript = _face("sub")
    SmallCaps = _face("small")
    Light = Underline = preformat = staticmethod(str)


_FORMATTER = _Formatter()


class _LoadedStyle(NamedTuple):
    layout_of: Any
    """The style's `bibliography` element, which renders items."""
    before: str
    after: str
    """What stands around a number in this style; brackets where the style has no numbers."""
    root: Any
    """Kept, since the parser forgets what was set on an element that nobody holds."""


@lru_cache(maxsize=8)
def _load(style: str) -> _LoadedStyle:
    from citeproc import model
    from lxml import etree

    raw = files("pincite.answering.bibliography").joinpath("styles", f"{STYLES[style]}.csl").read_bytes()
    lookup = etree.ElementNamespaceClassLookup()
    namespace = lookup.get_namespace(_CSL.strip("{}"))
    namespace[None] = model.CitationStylesElement
    for known in model.CitationStylesElement.__subclasses__():
        namespace[known.__name__.replace("_", "-").lower()] = known
    namespace.update(_corrected())
    parser = etree.XMLParser(remove_comments=True, no_network=True, resolve_entities=False)
    parser.set_element_class_lookup(lookup)
    root = etree.parse(BytesIO(raw), parser).getroot()
    root.set_locale_list("en-US", validate=False)
    root.formatter = _FORMATTER
    layout = root.find(f"{_CSL}bibliography/{_CSL}layout")
    number = layout.find(f"{_CSL}text[@variable='citation-number']")
    before, after = "[", "]"
    if number is not None:
        before, after = number.get("prefix", ""), number.get("suffix", "")
        layout.remove(number)
    return _LoadedStyle(root.find(f"{_CSL}bibliography"), before, after, root)


def _corrected() -> dict[str, Any]:
    """The processor's elements with the corrections that the module's docstring lists."""
    from citeproc import model

    class Text(model.Text):  # type: ignore[misc]
        def _variable(self, item: Any, context: Any) -> Any:
            made = super()._variable(item, context)
            item.setdefault("printed", []).append(self.get("variable").replace("-", "_"))
            return made

    class Name(model.Name):  # type: ignore[misc]
        def get_option(self, name: str, context: Any = None, sort_options: Any = None) -> Any:
            if name == "initialize-with" and self.get("initialize") == "false":
                return None
            return super().get_option(name, context, sort_options)

    class Substitute(model.Substitute):  # type: ignore[misc]
        def render(self, item: Any, context: Any = None, **how: Any) -> Any:
            before = len(item.get("printed", ()))
            made = super().render(item, context, **how)
            if made:
                for variable in item.get("printed", ())[before:]:
                    item.reference.pop(variable, None)
            return made

    class Names(model.Names):  # type: ignore[misc]
        def process(self, item: Any, names_context: Any = None, context: Any = None, **how: Any) -> Any:
            is_substitute = isinstance(self.getparent(), model.Substitute)
            made = super().process(item, names_context=names_context, context=context, **how)
            if made and is_substitute:
                item.setdefault("printed", []).extend(self.get("variable").split())
            return made

    class Date(model.Date):  # type: ignore[misc]
        def render_single_date(self, date: Any, show_parts: Any = None, context: Any = None) -> Any:
            own = self.get("delimiter")
            if own and context is not self and self.is_locale_date() and context.get("delimiter") is None:
                return self.join(self.parts(date, show_parts, context)) or None
            return super().render_single_date(date, show_parts, context)

    class DatePart(model.Date_Part):  # type: ignore[misc]
        def render(self, *given: Any, **how: Any) -> Any:
            attributes = dict(self.attrib)
            try:
                return super().render(*given, **how)
            finally:
                self.attrib.clear()
                self.attrib.update(attributes)

    return {
        "date": Date,
        "date-part": DatePart,
        "text": Text,
        "name": Name,
        "substitute": Substitute,
        "names": Names,
    }
