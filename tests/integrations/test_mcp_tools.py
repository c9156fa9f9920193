"""The tools of `pincite mcp` without the protocol: what they may read, their limits, what they return."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

pytest.importorskip("pydantic", reason="comes with pincite[mcp]")

from pincite.config import Limits, Settings
from pincite.errors import InputError, TooLargeError
from pincite.integrations.mcp_server import CitationTools, NamedFolders, shapes
from pincite.integrations.mcp_server.shapes import GivenContext

REVENUE = "Revenue grew by 21% in the first quarter of 2023.\n"
WRONG = "Revenue grew by 12% in the first quarter of 2023 [report.txt]."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_text("The password is swordfish.\n")
    docs = tmp_path / "docs"
    (docs / "sub").mkdir(parents=True)
    (docs / "report.txt").write_text(REVENUE)
    (docs / "sub" / "costs.txt").write_text("Costs fell by 3% in 2023.\n")
    (docs / ".hidden.txt").write_text("Hidden words.\n")
    return docs


@pytest.fixture
def tools(folder: Path) -> CitationTools:
    return CitationTools(Settings(judge="rules"), NamedFolders([str(folder)], Limits()))


def test_a_draft_is_checked_against_the_folders(tools: CitationTools) -> None:
    found = tools.check_citations(WRONG)
    assert (found.ok, found.score) == (False, 0.0)
    (finding,) = found.findings
    assert (finding.code, finding.words, finding.claim) == ("PIN203", "[report.txt]", WRONG)
    assert finding.fix is not None
    assert (finding.fix.words, finding.fix.replacement) == ("12%", "21%")
    assert WRONG[finding.fix.start : finding.fix.end] == "12%"
    assert finding.source is not None
    assert REVENUE[finding.source.start : finding.source.end] == finding.source.text
    assert [(one.marker, one.verdict) for one in found.citations] == [("[report.txt]", "contradicted")]


def test_contexts_go_before_the_folders(tools: CitationTools) -> None:
    found = tools.check_citations(
        "Staff rose by 4% [1]. Rent fell by 2% [rent].",
        contexts=["Staff rose by 4%.", GivenContext(text="Rent fell by 2%.", id="rent")],
    )
    assert [one.verdict for one in found.citations] == ["supported", "supported"]
    both = tools.check_citations(
        f"Staff rose by 4% [1]. {WRONG}", contexts=["Staff rose by 4%."], sources=["report.txt"]
    )
    assert [one.verdict for one in both.citations] == ["supported", "contradicted"]
    unknown = tools.check_citations(WRONG, contexts=["Staff rose by 4%."])
    assert [one.verdict for one in unknown.citations] == ["unsupported"]


def test_nothing_judged_has_no_score(tools: CitationTools) -> None:
    assert tools.check_citations("Hello.").score is None


@pytest.mark.parametrize(
    "names", [["report.txt"], ["sub"], ["sub/"], ["sub/costs.txt"], ["./sub"], ["costs"]]
)
def test_sources_are_chosen_by_name_or_folder(tools: CitationTools, names: list[str]) -> None:
    assert tools.locate("Costs fell", sources=names).places or names == ["report.txt"]


@pytest.mark.parametrize(
    "name",
    ["../secret.txt", "sub/../../secret.txt", "..\\secret.txt", "~/x", "C:/x", "/etc/passwd"],
)
def test_a_name_that_leads_elsewhere_is_refused(tools: CitationTools, folder: Path, name: str) -> None:
    for given in (name, str(folder.parent / "secret.txt"), str(folder / "report.txt")):
        with pytest.raises(InputError, match="is refused"):
            tools.locate("password", sources=[given])


@pytest.mark.parametrize("name", ["secret.txt", ".hidden.txt", "nothing", "", " ", "\0", "x" * 10_000])
def test_what_is_not_below_the_folders_is_not_there(tools: CitationTools, name: str) -> None:
    with pytest.raises(InputError, match="there is no source"):
        tools.check_citations("Yes.", sources=[name])
    assert not tools.locate("The password is swordfish").places
    assert not tools.locate("Hidden words.").places


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_out_of_the_folder_are_not_followed(tools: CitationTools, folder: Path) -> None:
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    (folder / "up").symlink_to(folder.parent)
    assert tools.verify_quote("The password is swordfish").verdict == "absent"
    checked = tools.check_citations("The password is swordfish [link.txt].")
    assert [one.verdict for one in checked.citations] == ["unjudged"]
    assert "swordfish" not in "".join(f"{one.source}" for one in checked.findings)
    with pytest.raises(InputError, match=r"link\.txt could not be read"):
        tools.verify_quote("swordfish", document="link.txt")


def test_files_that_change_are_read_again(tools: CitationTools, folder: Path) -> None:
    assert tools.verify_quote("Rent fell").verdict == "absent"
    (folder / "rent.txt").write_text("Rent fell by 2%.\n")
    assert tools.verify_quote("Rent fell").verdict == "verbatim"
    (folder / "rent.txt").write_text("Rent grew by 2%.\n")
    os.utime(folder / "rent.txt", ns=(1, 1))
    assert tools.verify_quote("Rent grew by 2%").verdict == "verbatim"
    (folder / "rent.txt").unlink()
    assert tools.verify_quote("Rent grew by").verdict == "absent"


def test_what_did_not_change_is_not_read_again(folder: Path) -> None:
    folders = NamedFolders([str(folder)], Limits())
    assert folders.library() is folders.library()


def test_a_quote_is_told_from_what_is_like_it(tools: CitationTools) -> None:
    assert tools.verify_quote("Revenue grew by 21%").verdict == "verbatim"
    assert tools.verify_quote("revenue  GREW by 21%").verdict == "same_words"
    altered = tools.verify_quote("Revenue grew by 22% in the first quarter of 2023", document="report.txt")
    assert altered.verdict == "altered"
    assert altered.places[0].text == REVENUE[altered.places[0].start : altered.places[0].end]
    assert tools.verify_quote("Elephants are grey", document="report").verdict == "absent"
    assert not tools.verify_quote("Elephants are grey", document="report").places
    short = tools.verify_quote("Costs fell by 4%")
    assert (short.verdict, short.places[0].document) == ("absent", "sub/costs.txt")
    with pytest.raises(InputError, match=r"did you mean report\.txt"):
        tools.verify_quote("Revenue", document="reprot.txt")


def test_without_folders_only_contexts_can_be_asked_about() -> None:
    tools = CitationTools(Settings(judge="rules"), NamedFolders([], Limits()))
    with pytest.raises(InputError, match="there are no sources"):
        tools.check_citations("Yes [1].")
    with pytest.raises(InputError, match="there is no source"):
        tools.locate("x", sources=["/"[1:] + "etc"])
    assert tools.locate("Rent fell", contexts=["Rent fell by 2%."]).places[0].document == "context 1"


def test_what_is_too_large_is_refused(tools: CitationTools) -> None:
    with pytest.raises(TooLargeError, match="the answer has 200,001 characters"):
        tools.check_citations("x" * (shapes.LONGEST_ANSWER + 1))
    with pytest.raises(TooLargeError, match="the text has"):
        tools.locate("x" * (shapes.LONGEST_TEXT + 1))
    with pytest.raises(TooLargeError, match="501 contexts"):
        tools.locate("x", contexts=["y"] * 501)
    with pytest.raises(TooLargeError, match="over 5,000,000 characters"):
        tools.locate("x", contexts=["y" * 2_600_000] * 2)
    with pytest.raises(InputError, match="is empty"):
        tools.verify_quote(" \n")


def test_a_long_list_is_cut_and_counted(tools: CitationTools) -> None:
    found = tools.check_citations(
        " ".join(f"Fact {place} is known [{place}]." for place in range(100, 220)), contexts=["a"]
    )
    assert (len(found.findings), len(found.citations)) == (shapes.MOST_LISTED, shapes.MOST_LISTED)
    assert found.left_out >= 20


def test_a_folder_that_is_not_there_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file or folder"):
        NamedFolders([str(tmp_path / "nowhere")], Limits())
    with pytest.raises(InputError, match="is empty"):
        NamedFolders([" "], Limits())


def test_a_code_is_explained(tools: CitationTools) -> None:
    assert tools.explain_finding("PIN203").name == "number-differs"
    with pytest.raises(InputError, match="there is no code"):
        tools.explain_finding("PIN999")
