"""Values, characters and words that break programs, and the words of each format."""

from __future__ import annotations

from typing import Any


class Raw(str):
    """JSON that is written as it is, valid or not."""


# fmt: off
DEEP = 3_000
"""Deeper than the interpreter may recurse."""

ODD_TEXTS: tuple[str, ...] = (
    "", " ", "\0", "\ud800", "a\udfffb", "\u202e", "\u2028", "\ufeff", "\x1b[31m", "\r\n", "٣", "²", "Ⅷ",
    "é" * 70, "👩‍👩‍👧‍👦", "漢字", "a" * 20_000, "-1", "1e999", "nan", "NaN", "true", "null", "0x10", "1_000",
    "=1+1", "@name", "../../x", "/", "C:\\x", "%s{0}{query_text}", "http://[::1", "http://a.b:99999/",
    "2026-02-30T25:61:00Z", "0000-00-00", "9999-12-31T23:59:59+99:99", "10000-01-01", "sqlite:///",
    "latest~1", "PIN203", "::error::", "<script>", "[a.txt:0-9]", "[1–3]", "```", "|",
)
ODD_NUMBERS: tuple[Any, ...] = (
    0, -1, 1, 0.5, -0.0, 1e308, 5e-324, 2**31, 2**53 + 1, 2**63, 2**64, -(2**63) - 1, 10**30,
)
ODD_JSON: tuple[Raw, ...] = tuple(
    Raw(text)
    for text in (
        "NaN",
        "Infinity",
        "-Infinity",
        "1e999",
        "-1e999",
        "-0",
        "1E+2",
        "0.1e-400",
        "9" * 5_000,
        "1." + "0" * 5_000 + "1",
        r'"\ud800"',
        r'"\udc00\ud800"',
        r'"\u0000"',
        r'"\x"',
        '"\x01"',
        "'a'",
        "tru",
        "01",
        ".5",
        "{,}",
        '{"a" 1}',
        "[" * 200 + "]" * 200,
        "[" * DEEP + "]" * DEEP,
        '{"a":' * 200 + "1" + "}" * 200,
        '{"a":' * DEEP + "1" + "}" * DEEP,
        '{"a": 1, "a": 2}',
    )
)
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, [], {}, [[]], [None], [{}], {"": None}, {"a": {"b": [1]}}, [1, "a", None],
    {"query_id": "q1"}, *ODD_NUMBERS, *ODD_NUMBERS, *ODD_TEXTS, *ODD_JSON,
)

MARKDOWN = (
    "[a.txt:0-10]", "[a.txt:1:5-20]", "[a.txt:2:0-9,12-20]", "[b.md]", "[a.txt:99-5]", "[zzz.pdf:3:1-2]",
    '[a.txt:0-20 | excerpt: "the fox"]', '[a.txt:0-20 | excerpt: "', '["odd [name].txt":1-5]', "[1]",
    "[1, 3]", "[1–3]", "[Source 1]", "[doc2, 4]", "[^1]", "\n[^1]: a.txt\n", "【3】", "【4:0†source】", "^1",
    "x²", "¹²", "[t](https://example.org/a_(b))", "https://e.org/x?y=1).", "www.e.org", "doi:10.1000/182",
    "PMID: 123", "arXiv:2101.00001", "(Smith & Jones, 2020a; O'Brien, 2019, p. 4)", "Smith et al. (2020)",
    "(since 2020)", "[data.x.y[0]]", "[data.n]", "[a['k']]", "[2023]", "\n\n## References\n\n",
    "\n\nSources:\n1. a.txt\n2. b\n", "\n```\n", "`code [1]`", "\n- ", "\n  1. ", "\n> ",
    "\n| a | b |\n|---|---|\n| ", " | ", "\n# ", "![a](x.png)", "<!-- pincite: ignore PIN201 -->",
    "<!-- pincite: ignore-file -->", "<!--", "</failure>]]>", "::error::", "It rose 12% in 2020",
    "It did not rise", "“the quick brown fox”", '"the lazy dog', "$5 million", "“", "”",
    "between 3 and 5 km", "March 3, 2020", "Q3 2021", "the 1990s", "twenty-one", "½", "1,000.5", "-5%",
    "10⁻³", "a['k'].b[0]", "..", "．", "。", "\n\n", "\r", "\f", "\t", "\x0b", "\x85", "[" * 50, "(" * 50,
)
HTML = (
    "<p>", "</p>", "<table>", "<tr>", "<td colspan=99999999>", "<th rowspan=-1>", "</table>", "<!--", "-->",
    "<br>", "<script>", "</script>", "<style>", "<title>", "<![CDATA[", "<!DOCTYPE html>", "&amp;",
    "&#x110000;", "&#55296;", "&#0;", "&lt", "&notit;", "<meta charset=punycode>", '<meta charset="utf-7">',
    "<meta charset=utf-16>", "<a b='", "<svg>", "<template>", "<noscript>", "<pre>", "<ul><li>", "<h1>",
    "<", "</", "<?xml", "<div hidden>", "<b/>",
)
XML = (
    "<w:p>", "</w:p>", "<w:r>", "<w:t>", "</w:t>", "<w:tab/>", "<w:br w:type='page'/>", "<w:tbl>", "<w:tr>",
    "<w:tc>", '<w:gridSpan w:val="99999999"/>', '<w:vMerge w:val="restart"/>',
    "<w:footnoteReference w:id='1'/>", "&amp;", '<!DOCTYPE a [<!ENTITY b "c">]>', "&b;", "&#0;",
    "<![CDATA[x]]>", "<!--", "]]>", "<w:del>", "<w:instrText>",
)
PDF = (
    "1 0 obj", "endobj", "stream\n", "endstream", "<<", ">>", "[", "]", "/Type /Page", "/Kids [1 0 R]",
    "/Count 99999", "/Parent 2 0 R", "/Filter /FlateDecode", "/Length -1", "/Length 999999999", "xref",
    "trailer", "startxref", "%%EOF", "BT", "ET", "Tj", "(a) Tj", "/F1 12 Tf", "Do", "/XObject", "/Encrypt",
    "/ObjStm", "/ToUnicode", "<FEFF>", "1e99",
)
YAML = (
    "!!bool x", "!!timestamp x", '!!int ""', "!!float .", "!!binary x", "!!set {a}",
    "!!python/object:os.system", "!x", "&a", "*a", "<<: *a", "? ", ": ", "- ", "|\n", ">\n", "---\n",
    "...\n", "~", ".inf", ".nan", "0o7", "1:30", "2026-01-01", "\t", "%YAML 9.9\n", "'", '"\\ud800"', "{",
    "}", "[", "]", "#", "@", "`", "=", "1e3", "yes", "0b1", "\u2028", "\x85",
)
TOML = (
    "[a]\n", "[[a]]\n", "a.b.c = 1\n", "= ", '"""', "'''", "{a = 1}", "[1, 'a']", "1979-05-27T07:32:00Z",
    "07:32:00", "inf", "nan", "0x_1", "1_000", '"\\ud800"', '"\\U00110000"', "#",
    "a" + ".a" * 300 + " = 1\n", "true", "1e999", "[tool.pincite]\n", "[llm]\n", "[alerts]\n",
    "[evaluation]\n", "select = 'PIN2'\n", "sources = ['a']\n",
)
HTTP = (
    "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 429 x\r\n",
    "HTTP/1.1 308 x\r\nLocation: /b\r\n", "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n",
    "Retry-After: 9999999999\r\n", "Transfer-Encoding: chunked\r\n", "Content-Length: 5\r\n",
    "Content-Length: -1\r\n", "Content-Length: ٣\r\n", "Content-Encoding: gzip\r\n", "\r\n\r\n",
    "Content-Type: text/event-stream\r\n", "Content-Type: application/x-ndjson\r\n", "data: ", "\n\n",
    "[DONE]", "event: x", "Content-Type: text/plain; charset=idna\r\n", "ffffffffffffffff\r\n", "0\r\n\r\n",
    "-1\r\n", "1_0\r\n", "Connection: close", "Content-Type: text/html; charset=punycode\r\n",
    "Content-Type: text/plain; charset=utf-7\r\n", '{"answer": "a"}',
)
REPLIES = (
    '{"verdicts": [', '{"item": 1, "outcome": "supported", "score": 0.9}', '"score": ', "```json\n", "```",
    "<think>", "</think>", "Score: 0.8", "8/10", "85%", "1.", "not supported", "supported", "contradicted",
    "1e999", "-0.5", "٠.٥", '{"1": 0.8}', '{"0": 1}', "[0.5, 0.6]", "item_1", '"quote": "', "0,5", "−1",
    "9" * 400, "data: ", "[DONE]", "\n\n", '"passage": 1e400', '"item": 1e308', '"item": "٣"', "{" * 300,
    "[" * 300, "event: message_stop\n",
)
CSV = (
    '"', '""', ",", ";", "\t", "\n", "\r\n", '"a\nb"', "=1+1", "\0", "﻿", "a,b,c", '"[1, 2]"', "[{[]:1}]",
    "{'a': 1}",
)
ROWS = (
    "[{[]:1}]", "{1, 2}", "['a', 'b']", "('a',)", "[" * 200, "{1: 2}", "nan", "Q0", "\t", " 0 ", "<top>",
    "<num>", "</top>",
)
"""What cells, topics and runs of other tools hold."""
