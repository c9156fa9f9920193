"""Build the demo: a PDF of three pages, and an answer whose markers carry true offsets.

Run it after changing a text below: `.venv/bin/python examples/demo/build.py`. In the template,
`<<file|words>>` becomes a span citation of those words, and `<<file|words|5>>` says page 5 whatever the true
page is.
"""

from __future__ import annotations

import re
from pathlib import Path

from pincite import open_sources
from pincite.sources import page_of

HERE = Path(__file__).parent
SOURCES = HERE / "sources"

PAGES = [
    [
        "Harbour Cycles plc",
        "Annual report for the year to 31 March 2025",
        "",
        "Revenue rose by 21% to £48.2 million, from £39.8 million a year earlier. The growth",
        "came from cargo bicycles, which for the first time sold more than touring models.",
        "The group sold 61,400 bicycles in the year, of which 23,900 were electric.",
        "Operating profit was £5.1 million, and the margin narrowed to 10.6% because of",
        "higher freight costs.",
    ],
    [
        "Chair's statement",
        "",
        "The board approved a final dividend of 4.2 pence a share, payable on 12 September 2025.",
        "In November the group acquired Fjord Components, a maker of hubs in Bergen, for",
        "£3.4 million in cash.",
        "The chair, Ingrid Solheim, wrote that “we would rather grow slowly than lend our",
        "name to a bicycle we would not ride ourselves”.",
    ],
    [
        "Principal risks",
        "",
        "Four suppliers provide two thirds of all frames. A fire at the Aveiro plant stopped",
        "deliveries for seven weeks in the spring, and the group now keeps ten weeks of frames",
        "in stock. The group employed 412 people at the end of the year, 37 more than a year before.",
    ],
]

MINUTES = """\
Minutes of the works council, 14 May 2025

1. The council considered a four-day week for the Leith workshop. It did not reach a \
decision and will return to the matter in July.
2. Management reported that absence from illness fell from 5.1% to 3.8% over the winter.
3. The council rejected the proposal to close the staff canteen.
"""

WARRANTY = """\
# Warranty

Frames are covered for ten years, batteries for two years or 500 full charges, whichever comes first.

| Part | Cover | Excess |
|------|-------|--------|
| Frame | 10 years | none |
| Battery | 2 years | £40 |
| Motor | 5 years | £25 |

Damage from racing is not covered.
"""

QUOTE = """\
{
  "fleet": {
    "customer": "Leith Deliveries",
    "bicycles": 24,
    "price_each": 3150,
    "discount": 0.08
  }
}
"""

ANSWER = """\
# Harbour Cycles: what the papers say

Revenue rose by 12% to £48.2 million <<report.pdf|Revenue rose by 21% to £48.2 million, \
from £39.8 million a year earlier.>>. The group sold 61,400 bicycles, 23,900 of them electric \
<<report.pdf|The group sold 61,400 bicycles in the year, of which 23,900 were electric.>>. \
Operating profit came to £5.1 million <<report.pdf|Operating profit was £5.1 million|2>>.

The chair wrote that "we would rather grow slowly than sell a bicycle that nobody needs" \
<<report.pdf|we would rather grow slowly than lend our\\nname to a bicycle we would not ride ourselves>>. \
A dividend of 4.2 pence a share is payable on 12 September 2025 \
<<report.pdf|In November the group acquired Fjord Components, a maker of hubs in Bergen>>.

- The works council accepted the proposal to close the staff canteen \
<<minutes.txt|The council rejected the proposal to close the staff canteen.>>.
- Absence from illness fell to 3.8% over the winter \
<<minutes.txt|absence from illness fell from 5.1% to 3.8% over the winter>>.
- Fjord Components was bought for £3.4 million in cash [anual_report.pdf:2:10-90].
- Four suppliers provide two thirds of all frames [report.pdf:9:1200-1248].
- Motors are covered for five years <<warranty.md|| Motor | 5 years | £25 |>>.

The fleet offer is 24 bicycles [fleet.bicycles] at £3,150 each [fleet.price_each], with a discount of 8% \
[fleet.rebate]. The group employs 412 people [1], and keeps ten weeks of frames in stock [3].

Damage from racing is not covered. The group plans to open a shop in Oslo next year.

## Sources

[1] report.pdf
[2] warranty.md
"""


def write_pdf(path: Path) -> None:
    from reportlab.lib.pagesizes import A5
    from reportlab.pdfgen import canvas

    pdf = canvas.Canvas(str(path), pagesize=A5, invariant=True)
    pdf.setTitle("Harbour Cycles: annual report 2025")
    for number, lines in enumerate(PAGES, start=1):
        height = A5[1] - 60
        for index, line in enumerate(lines):
            title = index == 0
            pdf.setFont("Helvetica-Bold" if title else "Helvetica", 13 if title else 9)
            pdf.drawString(36, height, line)
            height -= 22 if title else 14
        pdf.setFont("Helvetica", 8)
        pdf.drawCentredString(A5[0] / 2, 30, f"{number}")
        pdf.showPage()
    pdf.save()


def fill(template: str) -> str:
    library = open_sources(SOURCES)

    def span(match: re.Match[str]) -> str:
        name, _, rest = match[1].partition("|")
        words, page = rest, ""
        if re.search(r"\|\d+$", rest) and not rest.startswith("|"):
            words, _, page = rest.rpartition("|")
        source = library.get(name)
        assert source is not None, name
        start = source.text.index(words.replace("\\n", "\n"))
        end = start + len(words.replace("\\n", "\n"))
        shown = page or page_of(source, start)
        return f"[{name}:{shown}:{start}-{end}]" if shown else f"[{name}:{start}-{end}]"

    return re.sub(r"<<(.+?)>>", span, template)


def main() -> None:
    SOURCES.mkdir(exist_ok=True)
    write_pdf(SOURCES / "report.pdf")
    for name, text in (("minutes.txt", MINUTES), ("warranty.md", WARRANTY), ("quote.json", QUOTE)):
        (SOURCES / name).write_text(text, encoding="utf-8")
    (HERE / "answer.md").write_text(fill(ANSWER), encoding="utf-8")


if __name__ == "__main__":
    main()
