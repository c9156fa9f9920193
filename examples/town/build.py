"""Build the folder of PDFs that the README answers from: some documents of the sample, set on A5 pages.

Run it after changing one of those documents: `.venv/bin/python examples/town/build.py`.
"""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate

HERE = Path(__file__).parent
DOCUMENTS = HERE.parent / "sample" / "documents"
NAMES = ("ferry_timetable", "library_rules", "museum_guide", "waterworks")


def write_pdf(markdown: str, path: Path) -> None:
    """Headings and paragraphs, which is all that these documents have."""
    styles = getSampleStyleSheet()
    parts: list[Flowable] = []
    title = ""
    for block in markdown.strip().split("\n\n"):
        text = " ".join(block.split())
        if text.startswith("# "):
            title = text[2:]
            parts.append(Paragraph(title, styles["Heading1"]))
        elif text.startswith("## "):
            parts.append(Paragraph(text[3:], styles["Heading2"]))
        else:
            parts.append(Paragraph(text, styles["BodyText"]))
    page = SimpleDocTemplate(str(path), pagesize=A5, title=title, author="Town of Harrowmere", invariant=True)
    page.build(parts)


def main() -> None:
    for name in NAMES:
        write_pdf((DOCUMENTS / f"{name}.md").read_text(encoding="utf-8"), HERE / f"{name}.pdf")


if __name__ == "__main__":
    main()
