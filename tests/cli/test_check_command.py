from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_run import FIXABLE, FIXED, RIGHT, WRONG, Runner

from pincite.reports import FORMATS

DOCS = ("--sources", "docs")


def test_a_clean_answer_exits_0(pincite: Runner) -> None:
    pincite.write("answer.md", RIGHT)
    done = pincite("check", "answer.md", *DOCS)
    assert done.code == 0
    assert done.out.startswith("nothing wrong in 1 answer\n")
    assert done.err == ""


def test_an_error_is_shown_and_exits_1(pincite: Runner) -> None:
    pincite.write("answer.md", WRONG)
    done = pincite("check", "answer.md", *DOCS)
    assert done.code == 1
    assert done.out.startswith("answer.md:1:42 PIN203 ")
    assert "Revenue grew by 21% in the first quarter." in done.out


def test_options_may_stand_between_answers(pincite: Runner) -> None:
    pincite.write("a.md", WRONG)
    pincite.write("b.md", RIGHT)
    done = pincite("check", "a.md", *DOCS, "b.md", "-f", "concise")
    assert "in 2 answers" in done.out


def test_a_folder_is_read_in_order_and_each_file_once(pincite: Runner) -> None:
    for name in (
        "answers/b.md",
        "answers/a.txt",
        "answers/deep/c.markdown",
        "answers/.hidden.md",
        "answers/x.png",
    ):
        pincite.write(name, WRONG)
    done = pincite("check", "answers", "answers/b.md", *DOCS, "-q", "-f", "concise")
    assert [line.split(":")[0] for line in done.out.splitlines()] == [
        str(Path("answers", "a.txt")),
        str(Path("answers", "b.md")),
        str(Path("answers", "deep", "c.markdown")),
    ]


def test_a_check_says_the_same_with_any_number_of_workers(pincite: Runner) -> None:
    for name in ("a.md", "b.md", "c.md"):
        pincite.write(f"answers/{name}", WRONG if name == "b.md" else RIGHT)
    alone, together = (
        pincite("check", "answers", *DOCS, "--set", f"evaluation.workers={count}") for count in ("1", "2")
    )
    assert (together.code, together.out, together.err) == (alone.code, alone.out, "")
    assert pincite("check", "answers", *DOCS, "--set", "evaluation.workers=few").code == 2


@pytest.mark.parametrize("command", ["check", "parse"])
def test_a_folder_tells_which_files_it_left_out_and_why(pincite: Runner, command: str) -> None:
    pincite.write("answers/a.md", RIGHT)
    pincite.write("answers/.hidden", "")
    for name in ("notes.docx", "deep/reply.json"):
        pincite.write(f"answers/{name}", RIGHT)
    done = pincite(command, "answers", *DOCS)
    assert done.code == 0
    deep = Path("deep", "reply.json")
    named = f"notes.docx (not a known answer format), {deep} (JSON is read only when named explicitly)"
    assert done.err == f"note: left out 2 files: {named}\n"
    for number in range(7):
        pincite.write(f"answers/{number}.png", "")
    assert "left out 9 files: 0.png (not a known answer format), 1.png" in pincite(command, "answers").err
    assert "4.png (not a known answer format) and 4 more\n" in pincite(command, "answers").err


def test_a_quiet_check_does_not_tell_what_it_left_out(pincite: Runner) -> None:
    pincite.write("answers/a.md", RIGHT)
    pincite.write("answers/b.png", "")
    assert pincite("check", "answers", *DOCS, "-q").err == ""


def test_an_empty_folder_is_an_error(pincite: Runner) -> None:
    (pincite.folder / "empty").mkdir()
    done = pincite("check", "empty", *DOCS)
    assert done.code == 2
    assert "no answers in this folder" in done.err


@pytest.mark.parametrize(("name", "content"), [("a.jsonl", ""), ("a.jsonl", "\n \n"), ("a.json", "[]")])
def test_a_file_that_holds_no_answers_is_an_error(pincite: Runner, name: str, content: str) -> None:
    pincite.write("right.md", RIGHT)
    pincite.write(name, content)
    done = pincite("check", "right.md", name, *DOCS)
    assert done.code == 2
    assert f"error: {name}: there are no answers in this file\n" in done.err
    assert "nothing wrong in 1 answer" in done.out


@pytest.mark.parametrize("content", ["", " \n\t\n"])
def test_an_empty_answer_is_said_to_be_empty(pincite: Runner, content: str) -> None:
    pincite.write("empty.md", content)
    done = pincite("check", "empty.md", *DOCS)
    assert done.code == 0
    assert done.err == "warning: empty.md: the answer is empty\n"


def test_a_link_out_of_the_folder_is_not_followed(pincite: Runner) -> None:
    outside = pincite.write("outside.md", WRONG)
    pincite.write("answers/inside.md", RIGHT)
    (pincite.folder / "answers" / "link.md").symlink_to(outside)
    done = pincite("check", "answers", *DOCS)
    assert "in 1 answer" in done.out
    assert "left out 1 file: link.md (a link that leaves the folder" in done.err


def test_standard_input_is_an_answer(pincite: Runner) -> None:
    done = pincite("check", "-", *DOCS, stdin=WRONG.encode())
    assert done.code == 1
    assert done.out.startswith("<stdin>:1:42 PIN203")


def test_json_lines_hold_answers_with_ids_queries_and_sources(pincite: Runner) -> None:
    records = [
        {"id": "q1", "answer": WRONG, "query": "How much?"},
        {"query_id": "q2", "generated_answer": RIGHT},
        {
            "text": "Snow fell [s1:0-10].",
            "sources": [{"document_id": "s1", "content": "Snow fell. It melted."}],
        },
    ]
    pincite.write("all.jsonl", "\n".join(json.dumps(record) for record in records) + "\n\n")
    done = pincite("check", "all.jsonl", *DOCS, "-f", "json")
    shape = json.loads(done.out)
    assert [answer["file"] for answer in shape["answers"]] == ["all.jsonl#q1", "all.jsonl#q2", "all.jsonl#3"]
    assert [finding["file"] for finding in shape["findings"]] == ["all.jsonl#q1"]
    assert done.code == 1


def test_a_json_file_may_hold_one_answer_or_a_list(pincite: Runner) -> None:
    pincite.write("one.json", json.dumps({"answer": WRONG}))
    pincite.write("many.json", json.dumps([{"answer": RIGHT}, {"answer": WRONG, "id": 7}]))
    done = pincite("check", "one.json", "many.json", *DOCS, "-q", "-f", "concise")
    assert [line.split(":")[0] for line in done.out.splitlines()] == ["one.json", "many.json#7"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 1: not JSON"),
        ("[1]", "line 1: expected an object"),
        ('{"id": 1}', "line 1: no answer"),
        ('{"answer": null}', "line 1: no answer"),
        ('{"answer": "x", "sources": ["/etc/passwd"]}', "line 1: sources in a record are documents"),
        ("[" * 100_000, "line 1: not JSON"),
    ],
)
def test_a_bad_record_is_named_and_the_others_are_checked(pincite: Runner, line: str, said: str) -> None:
    pincite.write("all.jsonl", f"{line}\n{json.dumps({'answer': WRONG})}\n")
    done = pincite("check", "all.jsonl", *DOCS)
    assert done.code == 2
    assert said in done.err
    assert "all.jsonl#2:1:42 PIN203" in done.out


def test_an_answer_that_is_not_there_exits_2_and_the_others_are_checked(pincite: Runner) -> None:
    pincite.write("answer.md", WRONG)
    done = pincite("check", "nowhere.md", "answer.md", *DOCS)
    assert done.code == 2
    assert "error: nowhere.md: the answer does not exist" in done.err
    assert "PIN203" in done.out


def test_an_answer_in_another_encoding_is_a_clear_error(pincite: Runner) -> None:
    pincite.write("answer.md", "Größe [1]".encode("latin-1"))
    done = pincite("check", "answer.md", *DOCS)
    assert done.code == 2
    assert "answer.md: not UTF-8 at byte 2" in done.err


def test_an_answer_over_the_limit_is_refused_by_name(pincite: Runner) -> None:
    pincite.write("answer.md", "x" * 3000)
    done = pincite("check", "answer.md", *DOCS, "--set", "limits.answer_bytes=2000")
    assert done.code == 2
    assert "answer.md: the answer has 3,000 bytes" in done.err
    done = pincite("check", "-", *DOCS, "--set", "limits.answer_bytes=2000", stdin=b"x" * 3000)
    assert done.code == 2
    assert "<stdin>: the answer has more than the limit" in done.err


def test_a_source_that_is_not_there_exits_2(pincite: Runner) -> None:
    pincite.write("answer.md", RIGHT)
    done = pincite("check", "answer.md", "--sources", "nowhere")
    assert done.code == 2
    assert done.err.startswith("error: ") and "nowhere" in done.err


def test_a_source_that_cannot_be_read_is_listed_and_no_error(pincite: Runner) -> None:
    pincite.write("answer.md", RIGHT)
    pincite.write("docs/broken.pdf", b"not a pdf")
    done = pincite("check", "answer.md", *DOCS)
    assert done.code == 0
    assert "could not read broken.pdf" in done.out


def test_select_and_ignore_take_codes_and_groups(pincite: Runner) -> None:
    pincite.write("answer.md", WRONG + "\nIt is late [nowhere.txt].\n")

    def codes(*options: str) -> list[str]:
        out = pincite("check", "answer.md", *DOCS, "-q", "-f", "concise", *options).out
        return [line.split()[1] for line in out.splitlines()]

    assert codes() == ["PIN203", "PIN101"]
    assert codes("--select", "PIN2") == ["PIN203"]
    assert codes("--ignore", "PIN203,PIN4") == ["PIN101"]
    assert codes("--select", "PIN203", "--select", "PIN101", "--ignore", "PIN1") == ["PIN203"]


@pytest.mark.parametrize("code", ["PIN999", "E501", "203"])
def test_an_unknown_code_is_refused(pincite: Runner, code: str) -> None:
    pincite.write("answer.md", WRONG)
    done = pincite("check", "answer.md", *DOCS, "--select", code)
    assert done.code == 2
    assert code in done.err


def test_warnings_fail_only_when_strict(pincite: Runner) -> None:
    pincite.write("answer.md", f"{RIGHT}\nThe moon is made of green cheese.\n")
    done = pincite("check", "answer.md", *DOCS)
    assert "PIN301 [warning]" in done.out
    assert done.code == 0
    assert pincite("check", "answer.md", *DOCS, "--strict").code == 1


def test_fail_under_reads_the_score(pincite: Runner) -> None:
    pincite.write("answer.md", WRONG + "\n" + RIGHT)
    options = ("check", "answer.md", *DOCS, "--ignore", "PIN203")
    assert pincite(*options, "--fail-under", "1").code == 0
    done = pincite("check", "answer.md", *DOCS, "--fail-under", "0.9")
    assert done.code == 1
    assert "--fail-under 0.9 is not met: the score 0.5 is too low" in done.err


def test_fail_under_is_not_met_when_there_is_no_score(pincite: Runner) -> None:
    pincite.write("answer.md", "Hello!\n")
    assert pincite("check", "answer.md", *DOCS).code == 0
    done = pincite("check", "answer.md", *DOCS, "--fail-under", "0")
    assert done.code == 1
    assert "there is no score" in done.err


@pytest.mark.parametrize("value", ["2", "-1", "nan", "much"])
def test_a_threshold_outside_0_to_1_is_refused(pincite: Runner, value: str) -> None:
    done = pincite("check", "answer.md", *DOCS, f"--fail-under={value}")
    assert done.code == 2
    assert "fail-under" in done.err


def test_when_nothing_could_be_judged_it_exits_2(pincite: Runner) -> None:
    pincite.write("answer.md", "Cats sleep a lot (https://example.org/cats).\n")
    done = pincite("check", "answer.md", *DOCS)
    assert done.code == 2
    assert "no citation could be judged" in done.err


def test_there_is_no_score_where_no_target_could_be_judged(pincite: Runner) -> None:
    pincite.write("answer.md", "Cats sleep a lot (https://example.org/cats).\n")
    done = pincite("check", "answer.md", *DOCS)
    assert "; no score, as no target could be judged\n" in done.out


@pytest.mark.parametrize("unknown", ["(https://example.org/cats)", "[scan.doc]"])
def test_people_and_programs_are_told_the_same_score_of_what_could_be_judged(
    pincite: Runner, unknown: str
) -> None:
    pincite.write("docs/scan.doc", "not read")
    pincite.write("answer.md", f"Cats sleep a lot {unknown}. Dogs bark [lost.txt:1:0-9].\n")
    done = pincite("check", "answer.md", *DOCS)
    assert "score 0.00 (0 of 1 targets without an error, 1 left out)" in done.out
    assert json.loads(pincite("check", "answer.md", *DOCS, "-f", "json").out)["summary"]["score"] == 0.0


def test_errors_beside_what_nobody_could_judge_are_errors(pincite: Runner) -> None:
    pincite.write("answer.md", "Cats sleep a lot (https://example.org/cats). Dogs bark [lost.txt:1:0-9].\n")
    done = pincite("check", "answer.md", *DOCS)
    assert "PIN101" in done.out
    assert done.code == 1
    assert "says nothing" not in done.err


def test_some_unjudged_fail_only_when_asked(pincite: Runner) -> None:
    pincite.write("answer.md", RIGHT + "\nCats sleep a lot (https://example.org/cats).\n")
    done = pincite("check", "answer.md", *DOCS)
    assert done.code == 0
    assert "1 target could not be judged" in done.out
    assert "1 target could not be judged" in pincite("check", "answer.md", *DOCS, "-f", "concise").out
    assert pincite("check", "answer.md", *DOCS, "--fail-on-unjudged").code == 1


def test_an_unknown_judge_exits_2(pincite: Runner) -> None:
    pincite.write("answer.md", RIGHT)
    done = pincite("check", "answer.md", *DOCS, "--judge", "oracle")
    assert done.code == 2
    assert "unknown judge 'oracle'" in done.err


def test_a_comment_and_a_baseline_silence_findings(pincite: Runner) -> None:
    pincite.write("answer.md", WRONG)
    done = pincite("check", "answer.md", *DOCS, "--write-baseline", "known.json")
    assert done.code == 0
    assert "wrote 1 finding to known.json" in done.err
    done = pincite("check", "answer.md", *DOCS, "--baseline", "known.json")
    assert done.code == 0
    assert "1 known finding silenced" in done.out
    pincite.write("answer.md", WRONG.replace("12%", "13%"))
    assert pincite("check", "answer.md", *DOCS, "--baseline", "known.json").code == 1
    pincite.write("answer.md", WRONG.rstrip() + " <!-- pincite: ignore PIN203 -->\n")
    assert pincite("check", "answer.md", *DOCS).code == 0


def test_a_bad_baseline_exits_2(pincite: Runner) -> None:
    pincite.write("answer.md", WRONG)
    pincite.write("known.json", "[]")
    done = pincite("check", "answer.md", *DOCS, "--baseline", "known.json")
    assert done.code == 2
    assert "not a baseline" in done.err


@pytest.mark.parametrize("output_format", FORMATS)
def test_every_format_can_be_written_to_a_file(pincite: Runner, output_format: str) -> None:
    pincite.write("answer.md", WRONG)
    printed = pincite("check", "answer.md", *DOCS, "-f", output_format)
    done = pincite("check", "answer.md", *DOCS, "-f", output_format, "--output", "findings.out")
    assert done.out == ""
    assert done.code == printed.code == 1
    assert (pincite.folder / "findings.out").read_text(encoding="utf-8") == printed.out
    assert [path.name for path in pincite.folder.iterdir() if path.name.endswith(".tmp")] == []


def test_a_file_that_cannot_be_written_exits_2(pincite: Runner) -> None:
    pincite.write("answer.md", WRONG)
    done = pincite("check", "answer.md", *DOCS, "--output", "no/such/folder/out.txt")
    assert done.code == 2
    assert "cannot write no/such/folder/out.txt" in done.err


def test_statistics_count_codes_and_leave_machine_output_alone(pincite: Runner) -> None:
    pincite.write("answer.md", WRONG + WRONG)
    assert "2  PIN203  number-differs\n" in pincite("check", "answer.md", *DOCS, "--statistics").out
    done = pincite("check", "answer.md", *DOCS, "--statistics", "-f", "json")
    json.loads(done.out)
    assert "2  PIN203" in done.err


def test_colours_obey_the_environment(pincite: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    pincite.write("answer.md", WRONG)
    assert "\x1b[" not in pincite("check", "answer.md", *DOCS).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1;31mPIN203\x1b[0m" in pincite("check", "answer.md", *DOCS).out
    assert "\x1b[" not in pincite("check", "answer.md", *DOCS, "--no-color").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in pincite("check", "answer.md", *DOCS).out


def test_the_configuration_says_where_the_sources_are(pincite: Runner) -> None:
    pincite.write("pincite.toml", 'sources = ["docs"]\nignore = ["PIN203"]\n')
    pincite.write("answer.md", WRONG)
    done = pincite("check", "answer.md")
    assert done.code == 0
    assert "checked 1 citation, 1 target" in done.out


def test_without_sources_it_says_so(pincite: Runner) -> None:
    pincite.write("answer.md", "Nothing to see.\n")
    assert "no sources were given" in pincite("check", "answer.md").err


def test_a_switched_off_check_reports_nothing_and_says_so(pincite: Runner) -> None:
    pincite.write("answer.md", WRONG)
    pincite.write("off.yaml", "citation_accuracy:\n  enabled: false\n")
    done = pincite("check", "answer.md", *DOCS, "--config", "off.yaml", "-f", "json")
    assert done.code == 0
    assert json.loads(done.out)["findings"] == []
    assert "enabled: false" in done.err


def test_settings_without_effect_are_named_once(pincite: Runner) -> None:
    pincite.write("answer.md", RIGHT)
    pincite.write("c.yaml", "llm_evaluation: {model: other}\nerror_handling: {fallback_scoring: 0.5}\n")
    done = pincite("check", "answer.md", *DOCS, "--config", "c.yaml")
    assert done.err.count("note: ") == 1
    assert "llm.model, errors.fallback_scoring" in done.err


def test_checks_switched_off_in_the_configuration_are_left_out(pincite: Runner) -> None:
    pincite.write("answer.md", "Revenue grew [report.txt:0-9999]. It rained [nowhere.txt:1-2].\n")
    pincite.write(
        "c.yaml",
        "validation_checks: {span_bounds_check: false, document_existence_check: false}\n",
    )
    assert pincite("check", "answer.md", *DOCS).out.count("PIN10") == 2
    assert "PIN10" not in pincite("check", "answer.md", *DOCS, "--config", "c.yaml").out


def test_a_bad_configuration_exits_2(pincite: Runner) -> None:
    pincite.write("pincite.toml", "stirct = true\n")
    done = pincite("check", "answer.md", *DOCS)
    assert done.code == 2
    assert "did you mean 'strict'" in done.err


# --- fixing ---------------------------------------------------------------------------------------


def test_fix_rewrites_what_is_safe_and_a_second_run_changes_nothing(pincite: Runner) -> None:
    path = pincite.write("answer.md", FIXABLE)
    done = pincite("check", "answer.md", *DOCS, "--fix")
    assert path.read_text() == FIXED
    assert done.code == 0
    assert "applied 1 fix in 1 answer" in done.err
    before = path.stat().st_mtime_ns
    again = pincite("check", "answer.md", *DOCS, "--fix")
    assert again.code == 0
    assert path.stat().st_mtime_ns == before
    assert "applied 0 fixes in 0 answers" in again.err


def test_fix_keeps_encoding_line_ends_and_permissions(pincite: Runner) -> None:
    path = pincite.write("answer.md", b"\xef\xbb\xbf" + FIXABLE.replace("\n", "\r\n").encode())
    path.chmod(0o640)
    pincite("check", "answer.md", *DOCS, "--fix")
    assert path.read_bytes() == b"\xef\xbb\xbf" + FIXED.replace("\n", "\r\n").encode()
    assert path.stat().st_mode & 0o777 == 0o640
    utf16 = pincite.write("wide.md", FIXABLE.encode("utf-16"))
    pincite("check", "wide.md", *DOCS, "--fix")
    assert utf16.read_bytes() == FIXED.encode("utf-16")


def test_fix_through_a_link_rewrites_the_file_and_keeps_the_link(pincite: Runner) -> None:
    real = pincite.write("real/answer.md", FIXABLE)
    link = pincite.folder / "answer.md"
    link.symlink_to(real)
    pincite("check", "answer.md", *DOCS, "--fix")
    assert link.is_symlink()
    assert real.read_text() == FIXED


def test_diff_shows_what_fix_would_do_and_writes_nothing(pincite: Runner) -> None:
    path = pincite.write("answer.md", f"One\n\n{FIXABLE}")
    done = pincite("check", "answer.md", *DOCS, "--diff")
    assert path.read_text() == f"One\n\n{FIXABLE}"
    assert done.out == f"--- answer.md\n+++ answer.md\n@@ -1,3 +1,3 @@\n One\n \n-{FIXABLE}+{FIXED}"
    assert done.code == 1
    assert "would apply 1 fix in 1 answer" in done.err


def test_fix_on_standard_input_prints_the_fixed_text(pincite: Runner) -> None:
    done = pincite("check", "-", *DOCS, "--fix", stdin=FIXABLE.encode())
    assert done.out == FIXED
    assert "nothing wrong in 1 answer" in done.err
    assert done.code == 0


def test_fix_is_refused_for_responses_and_records(pincite: Runner) -> None:
    pincite.write("reply.json", "{}")
    done = pincite("check", "reply.json", "--from", "anthropic", *DOCS, "--fix")
    assert done.code == 2
    assert "provider's response" in done.err
    pincite.write("all.jsonl", json.dumps({"answer": FIXABLE}) + "\n")
    done = pincite("check", "all.jsonl", *DOCS, "--fix")
    assert done.code == 2
    assert "not answers inside JSON" in done.err


def test_fix_does_not_write_over_a_change_made_meanwhile(
    pincite: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pincite.cli.commands import check as checking

    path = pincite.write("answer.md", FIXABLE)
    original = checking.check_answers

    def change_first(*arguments: object) -> object:
        path.write_text("changed by somebody else\n")
        return original(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(checking, "check_answers", change_first)
    done = pincite("check", "answer.md", *DOCS, "--fix")
    assert done.code == 2
    assert "changed while it was being checked" in done.err
    assert path.read_text() == "changed by somebody else\n"


def test_a_saved_response_is_checked(pincite: Runner) -> None:
    citation = {
        "type": "char_location",
        "cited_text": "Revenue grew by 21% in the first quarter.",
        "document_index": 0,
        "document_title": "report.txt",
        "start_char_index": 0,
        "end_char_index": 41,
    }
    reply = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "text", "text": "Revenue grew by 12% in the first quarter.", "citations": [citation]}
        ],
    }
    pincite.write("reply.json", json.dumps(reply))
    done = pincite("check", "reply.json", "--from", "anthropic", "--sources", "docs", "-f", "json")
    shape = json.loads(done.out)
    assert [finding["code"] for finding in shape["findings"]] == ["PIN203"]
    assert done.code == 1


def test_a_response_of_another_shape_is_a_clear_error(pincite: Runner) -> None:
    pincite.write("reply.json", '{"no": "answer"}')
    done = pincite("check", "reply.json", "--from", "anthropic", *DOCS)
    assert done.code == 2
    assert done.err.startswith("error: reply.json: ")
    assert done.out == ""
    assert pincite("check", "reply.json", "--from", "nobody", *DOCS).code == 2


def test_an_answer_file_is_never_left_half_written(pincite: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    path = pincite.write("answer.md", FIXABLE)

    def fail(self: Path, target: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    done = pincite("check", "answer.md", *DOCS, "--fix")
    assert done.code == 2
    assert "cannot write answer.md: No space left on device" in done.err
    assert path.read_text() == FIXABLE
    assert list(pincite.folder.glob(".*tmp")) == []
