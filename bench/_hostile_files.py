"""Small files made to take all memory or time of whoever reads them."""

from __future__ import annotations

import io
import zipfile
import zlib

_FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
_CATALOGUE = b"<</Type/Catalog/Pages 2 0 R>>"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def nested_forms(depth: int = 7, times: int = 10) -> bytes:
    """A PDF page whose form draws another form several times, which does so too: `times ** depth` in all."""
    page = (
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</XObject<</X 6 0 R>>>>>>"
    )
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources"
    forms = [
        _stream(form + b"<</XObject<</X %d 0 R>>>>" % number, b"/X Do " * times)
        for number in range(7, 6 + depth)
    ]
    last = _stream(form + b"<</Font<</F 5 0 R>>>>", b"BT /F 12 Tf 9 9 Td (word) Tj ET")
    pages = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
    return _pdf(_CATALOGUE, pages, page, _stream(b"", b"/X Do"), _FONT, *forms, last)


def repeated_page(times: int = 2_000, words: int = 20_000) -> bytes:
    """A PDF that lists one page of many words many times."""
    content = zlib.compress(b"BT /F 1 Tf 9 9 Td " + b"(word) Tj " * words + b"ET", 9)
    pages = b"<</Type/Pages/Kids[" + b"3 0 R " * times + b"]/Count %d>>" % times
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>"
    return _pdf(_CATALOGUE, pages, page, _stream(b"/Filter/FlateDecode", content), _FONT)


def _stream(entries: bytes, content: bytes) -> bytes:
    return b"<<" + entries + b"/Length %d>>stream\n" % len(content) + content + b"\nendstream"


def _pdf(*objects: bytes) -> bytes:
    written = bytearray(b"%PDF-1.7\n")
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(written))
        written += b"%d 0 obj\n" % number + content + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return bytes(written) + (
        b"xref\n0 %d\n0000000000 65535 f \n" % size
        + table
        + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, len(written))
    )


def docx(body: str = "", method: int = zipfile.ZIP_DEFLATED, namespace: str = WORD) -> bytes:
    """A package with this in its body."""
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", method) as written:
        content = f'<w:document xmlns:w="{namespace}"><w:body>{body}</w:body></w:document>'
        written.writestr("word/document.xml", content)
    return package.getvalue()


def odd_charset(name: str, size: int = 800_000) -> bytes:
    """A page that says of itself to be in this encoding."""
    head = f"<meta charset={name}><p>".encode("ascii")
    return head + b"a" * (size // 2) + b"-" + b"b" * (size // 2)
