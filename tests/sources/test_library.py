"""Opening sources: what may be given, what is refused, and how a name finds its source."""

from __future__ import annotations

import json
import os
import pickle
import socket
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.config import Limits
from pincite.errors import SourceError
from pincite.records import Source, UnreadSource
from pincite.sources import Library, open_sources


def names(library: Library) -> list[str]:
    return [source.name for source in library.sources]


def found(library: Library, name: str) -> list[str]:
    return [source.name for source in library.find(name)]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text("alpha", encoding="utf-8")
    (folder / "b.md").write_text("# Beta\n", encoding="utf-8")
    (folder / "sub" / "a.txt").write_text("other alpha", encoding="utf-8")
    (folder / ".hidden").write_text("no", encoding="utf-8")
    return folder


# --- what may be given ---------------------------------------------------------------------------


def test_nothing_given_is_an_empty_library() -> None:
    library = open_sources(None)
    assert (library.sources, library.unread) == ((), ())


def test_a_library_is_returned_as_it_is() -> None:
    library = open_sources({"a": "x"})
    assert open_sources(library) is library


def test_a_library_that_was_used_can_go_to_another_process() -> None:
    library = Library([Source(name="a.txt", text="A."), UnreadSource("b.pdf", "broken")], ordered=False)
    assert library.find("A.txt") and library.find_unread("b.pdf") and not library.by_url("example.org")
    arrived = pickle.loads(pickle.dumps(library))
    assert (repr(arrived.entries), arrived.ordered, arrived.given) == (repr(library.entries), False, True)
    assert arrived.find("A.txt") == (arrived.sources[0],)


def test_a_folder_is_read_in_order_with_paths_below_it_as_names(docs: Path) -> None:
    library = open_sources(docs)
    assert names(library) == ["a.txt", "b.md", "sub/a.txt"]
    assert not library.ordered and library.unread == ()
    assert names(open_sources(str(docs))) == names(library)


def test_a_file_a_list_and_a_dict_have_an_order_and_a_folder_has_none(docs: Path) -> None:
    assert open_sources(docs / "a.txt").ordered
    listed = open_sources([docs / "b.md", str(docs / "a.txt")])
    assert listed.ordered and names(listed) == ["b.md", "a.txt"]
    assert open_sources({"b": "x", "a": "y"}).ordered
    assert not open_sources([docs, docs / "a.txt"]).ordered


def test_files_of_one_name_are_told_apart_by_their_paths(docs: Path) -> None:
    library = open_sources([docs / "a.txt", docs / "sub" / "a.txt"])
    assert names(library) == [(docs / "a.txt").as_posix(), (docs / "sub" / "a.txt").as_posix()]
    assert len(library.find("a.txt")) == 2


def test_a_file_in_a_folder_that_is_given_too_is_read_once(docs: Path) -> None:
    once = [source.name for source in open_sources([docs]).sources]
    inside = next(path for path in docs.iterdir() if path.is_file())
    assert [source.name for source in open_sources([inside, docs, f"{docs}/."]).sources] == once
    hidden = docs / ".hidden.txt"
    hidden.write_text("Not read with the folder.")
    assert len(open_sources([docs, hidden]).sources) == len(once) + 1


def test_files_alone_may_repeat_because_their_order_counts(docs: Path) -> None:
    inside = next(path for path in docs.iterdir() if path.is_file())
    assert len(open_sources([inside, inside]).sources) == 2


def test_records_and_sources_are_documents() -> None:
    library = open_sources(
        [
            {"document_id": "d1", "title": "First", "content": "one", "file_path": "docs/first.pdf"},
            Source(name="mine", text="two\fthree"),
        ]
    )
    assert names(library) == ["d1", "mine"]
    assert library.sources[1].page_starts == (0, 4) and library.sources[1].sha256
    for name in ("d1", "docs/first.pdf", "first.pdf", "First", "first"):
        assert found(library, name) == ["d1"]


def test_one_record_and_a_dataset_with_documents_are_understood() -> None:
    record = {"document_id": "d1", "content": "one"}
    assert names(open_sources(record)) == ["d1"]
    assert names(open_sources({"dataset_id": "x", "documents": [record]})) == ["d1"]


def test_a_dict_may_hold_texts_data_documents_and_file_contents() -> None:
    library = open_sources(
        {"a.txt": "text", "quote": {"premium": 1200}, "doc": {"content": "body"}, "b.txt": b"bytes", "n": 5}
    )
    assert [(s.name, s.kind) for s in library.sources] == [
        ("a.txt", "text"),
        ("quote", "json"),
        ("doc", "text"),
        ("b.txt", "text"),
        ("n", "json"),
    ]
    quote = library.sources[1]
    assert quote.value_spans["premium"].of(quote.text) == "1200"


def test_nothing_under_a_name_is_listed_as_unread() -> None:
    library = open_sources({"a.txt": "x", "b.txt": None})
    assert names(library) == ["a.txt"] and library.unread[0].name == "b.txt"


def test_a_text_that_is_no_path_is_never_read_as_text() -> None:
    for text in ("The company reported $10M.", "x" * 100_000, "a\0b", ""):
        with pytest.raises(SourceError, match=r"no file or folder|is empty"):
            open_sources(text)
    with pytest.raises(SourceError, match="nothing is fetched"):
        open_sources("https://example.org/a.html")
    with pytest.raises(SourceError, match="no file or folder"):
        open_sources(["missing.txt"])


@pytest.mark.parametrize(
    "bad", [5, 1.5, b"bytes", object(), [5], [None], [["a"]], [{"file_path": "a.txt"}], {"a": object()}]
)
def test_what_is_no_source_is_refused_with_what_to_do(bad: object) -> None:
    with pytest.raises(SourceError, match=r"give|neither text nor JSON|'content' is missing"):
        open_sources(bad)


def test_two_sources_of_one_name_are_both_listed_and_citing_it_is_ambiguous() -> None:
    library = open_sources([{"document_id": "d", "content": "one"}, {"document_id": "d", "content": "two"}])
    assert names(library) == ["d#1", "d#2"]
    assert found(library, "d") == ["d#1", "d#2"]
    assert found(library, "d#2") == ["d#2"]


# --- what is refused -----------------------------------------------------------------------------


def test_a_link_that_leaves_the_folder_is_refused_by_name(docs: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("top secret", encoding="utf-8")
    (docs / "out.txt").symlink_to(secret)
    (docs / "up.txt").symlink_to("../secret.txt")
    (docs / "outside").symlink_to(tmp_path)
    (docs / "broken.txt").symlink_to("nowhere.txt")
    library = open_sources(docs)
    assert names(library) == ["a.txt", "b.md", "sub/a.txt"]
    assert [entry.name for entry in library.unread] == ["broken.txt", "out.txt", "outside", "up.txt"]
    assert all("leaves the folder" in e.reason for e in library.unread if e.name != "broken.txt")


def test_links_inside_the_folder_are_fine_and_loops_end(docs: Path) -> None:
    (docs / "again.txt").symlink_to("a.txt")
    (docs / "sub" / "loop").symlink_to(docs)
    (docs / "self.txt").symlink_to("self.txt")
    library = open_sources(docs)
    assert names(library) == ["a.txt", "again.txt", "b.md", "sub/a.txt"]
    assert [entry.name for entry in library.unread] == ["self.txt"]


def test_a_folder_whose_name_begins_like_the_given_one_is_outside(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "docs-private").mkdir()
    (tmp_path / "docs-private" / "x.txt").write_text("no", encoding="utf-8")
    (docs / "x.txt").symlink_to(tmp_path / "docs-private" / "x.txt")
    assert [entry.name for entry in open_sources(docs).unread] == ["x.txt"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_and_sockets_are_refused_and_never_waited_for(docs: Path) -> None:
    os.mkfifo(docs / "pipe.txt")
    listener = socket.socket(socket.AF_UNIX)
    cwd = Path.cwd()
    try:
        os.chdir(docs)
        listener.bind("s.sock")
    finally:
        os.chdir(cwd)
        listener.close()
    library = open_sources(docs)
    assert [entry.name for entry in library.unread] == ["pipe.txt", "s.sock"]
    assert open_sources(docs / "pipe.txt").unread[0].name == "pipe.txt"


@pytest.mark.skipif(os.name != "posix", reason="file names are bytes only there")
def test_a_file_name_that_is_not_utf8_can_be_listed_and_printed(tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")).write_text("x", encoding="utf-8")
    except OSError:
        pytest.skip("this file system has only Unicode names")
    (source,) = open_sources(tmp_path).sources
    assert source.name == "caf\ufffd.txt" and source.name.encode() and str(source.file_path).encode()


@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="root may read everything")
def test_a_file_without_permission_is_listed(docs: Path) -> None:
    (docs / "a.txt").chmod(0)
    assert [entry.name for entry in open_sources(docs).unread] == ["a.txt"]
    (docs / "a.txt").chmod(stat.S_IRUSR)


def test_a_source_over_the_limit_is_refused_by_name_and_the_rest_is_read(docs: Path) -> None:
    library = open_sources(docs, Limits(source_bytes=8))
    assert names(library) == ["a.txt", "b.md"]
    (entry,) = library.unread
    assert entry.name == "sub/a.txt" and "11 bytes" in entry.reason and "limit of 8 bytes" in entry.reason
    assert open_sources({"a": "é" * 5}, Limits(source_bytes=8)).unread[0].name == "a"
    assert open_sources({"a": b"x" * 9}, Limits(source_bytes=8)).unread[0].name == "a"
    assert open_sources([{"id": "a", "text": "x" * 9}], Limits(source_bytes=8)).unread[0].name == "a"
    assert open_sources(docs / "sub" / "a.txt", Limits(source_bytes=8)).unread[0].name == "a.txt"


def test_a_file_that_cannot_be_read_is_listed_and_the_rest_is_read(docs: Path) -> None:
    (docs / "bad.txt").write_bytes(b"caf\xe9")
    (docs / "bad.pdf").write_bytes(b"no pdf")
    (docs / "bad.json").write_text("{", encoding="utf-8")
    library = open_sources(docs)
    assert names(library) == ["a.txt", "b.md", "sub/a.txt"]
    assert [entry.name for entry in library.unread] == ["bad.json", "bad.pdf", "bad.txt"]
    unread = library.find_unread("BAD.pdf")
    assert unread is not None and unread.name == "bad.pdf"


def test_a_records_file_path_is_never_opened(docs: Path) -> None:
    path = str(docs / "a.txt")
    library = open_sources([{"content": "own text", "file_path": path}])
    assert library.sources[0].text == "own text"


# --- names ---------------------------------------------------------------------------------------


def test_exact_beats_case_beats_white_space_and_unicode_form() -> None:
    library = open_sources(
        {"Report.txt": "1", "report.txt": "2", "annual  report.txt": "3", "Cafe\u0301.txt": "4"}
    )
    assert found(library, "Report.txt") == ["Report.txt"]
    assert found(library, "report.txt") == ["report.txt"]
    assert found(library, "REPORT.TXT") == ["Report.txt", "report.txt"]
    assert found(library, "Annual Report.txt") == ["annual  report.txt"]
    assert found(library, "Caf\u00e9.txt") == ["Cafe\u0301.txt"]


def test_a_name_may_lack_its_ending_but_not_have_another() -> None:
    library = open_sources({"docs/report.pdf": "x"})
    assert found(library, "report") == ["docs/report.pdf"]
    assert found(library, "docs/report.pdf") == ["docs/report.pdf"]
    assert found(library, "report.txt") == []


def test_a_path_fits_when_one_ends_as_the_other_does() -> None:
    library = open_sources([{"document_id": "d", "content": "x", "file_path": "/home/me/docs/a.pdf"}])
    for name in ("a.pdf", "docs/a.pdf", "me/docs/a.pdf", "C:\\home\\me\\docs\\a.pdf", "./docs/a.pdf"):
        assert found(library, name) == ["d"], name
    assert found(library, "other/a.pdf") == []


def test_a_listed_name_wins_over_another_sources_title_or_file_name() -> None:
    library = open_sources({"a.txt": "x", "sub/a.txt": "y", "t": {"title": "a.txt", "content": "z"}})
    assert found(library, "a.txt") == ["a.txt"]


def test_near_names_are_offered_and_strange_ones_find_nothing() -> None:
    library = open_sources({"annual_report_2023.pdf": "x", "minutes.txt": "y"})
    assert library.near("annual_report_2032.pdf")[0] == "annual_report_2023.pdf"
    assert library.near("zebra") == ()
    assert open_sources({"same.txt": "x"}).near("nope.txt") == ()
    for name in ("", " ", "\0", "\ud800", "x" * 100_000, "../../etc/passwd", "/", "..", "#"):
        assert library.find(name) == ()
        library.near(name)


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=8))
def test_every_listed_name_finds_exactly_its_source(given_names: list[str]) -> None:
    library = open_sources([Source(name=name, text=str(i)) for i, name in enumerate(given_names)])
    assert len(set(names(library))) == len(library)
    for source in library.sources:
        if source.name.strip() == source.name:
            assert library.find(source.name) == (source,)
            assert library.get(source.name) is source


# --- order, addresses, and what comes with an answer ---------------------------------------------


def test_the_nth_source_counts_what_could_not_be_read() -> None:
    library = open_sources({"a.txt": "x", "b.pdf": b"broken", "c.txt": "y"})
    assert isinstance(library.nth(1), UnreadSource)
    third = library.nth(2)
    assert isinstance(third, Source) and third.name == "c.txt"
    assert library.nth(3) is None and library.nth(-1) is None


def test_the_files_of_a_folder_have_no_nth_unless_there_is_one(docs: Path, tmp_path: Path) -> None:
    assert open_sources(docs).nth(0) is None
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "only.txt").write_text("x", encoding="utf-8")
    assert open_sources(tmp_path / "one").nth(0) is not None


def test_a_source_is_found_by_its_address_however_it_is_spelt() -> None:
    library = open_sources(
        [
            {"id": "a", "content": "x", "url": "https://www.Example.org/Page/"},
            {"id": "b", "content": "y", "metadata": {"doi": "10.1000/ABC"}},
            {"id": "c", "content": "z", "metadata": {"arxiv_id": "2101.00001v2"}},
        ]
    )
    assert [s.name for s in library.by_url("http://example.org/Page")] == ["a"]
    assert [s.name for s in library.by_url("doi:10.1000/abc")] == ["b"]
    assert [s.name for s in library.by_url("arxiv:2101.00001")] == ["c"]
    assert library.knows_urls and not open_sources({"a": "x"}).knows_urls


def test_what_the_user_gave_wins_over_what_came_with_the_answer() -> None:
    library = open_sources({"report.txt": "the file"})
    more = library.extended([Source(name="Report.txt", text="snippet"), Source(name="new", text="n")])
    assert [(s.name, s.text) for s in more.sources] == [("report.txt", "the file"), ("new", "n")]
    assert library.extended([]) is library
    assert open_sources(None).extended([Source(name="x", text="y")]).ordered


def test_a_folder_with_every_kind_is_read_in_full(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>Hi</p>", encoding="utf-8")
    (tmp_path / "b.csv").write_text("x,y\n1,2\n", encoding="utf-8")
    (tmp_path / "c.json").write_text(json.dumps({"k": 1}), encoding="utf-8")
    (tmp_path / "d.jsonl").write_text('{"id": "one", "text": "t"}\n{"text": "u"}\n', encoding="utf-8")
    library = open_sources(tmp_path)
    assert [(s.name, s.kind) for s in library.sources] == [
        ("a.html", "html"),
        ("b.csv", "csv"),
        ("c.json", "json"),
        ("one", "text"),
        ("d.jsonl#2", "text"),
    ]
    assert library.sources[0].file_path == str(tmp_path / "a.html")


class FrameworkDocument:
    """As retrieval frameworks hand their documents over."""

    def __init__(self, page_content: str, metadata: dict[str, object]) -> None:
        self.page_content = page_content
        self.metadata = metadata


def test_the_documents_of_retrieval_frameworks_are_sources() -> None:
    found = FrameworkDocument("Costs were flat.", {"source": "docs/report.txt", "page": 3})
    plain = {"page_content": "Revenue rose.", "metadata": {"title": "Minutes"}}
    library = open_sources([found, plain])
    assert [(source.name, source.text) for source in library.sources] == [
        ("docs/report.txt", "Costs were flat."),
        ("Minutes", "Revenue rose."),
    ]
    assert library.find("report.txt") == (library.sources[0],)
