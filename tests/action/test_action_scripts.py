"""Each script of the GitHub Action, run as a runner would; an HTTP server here stands for GitHub."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml
from action_steps import ROOT, run_action

from pincite.integrations.github_comment import LONGEST, PER_PAGE, comment_body

RUN = {
    "dataset": "sample",
    "metrics": "hit@1\ncitation_correctness",
    "eval_arguments": "--judge=rules\n--set=evaluation.resamples=200",
}
MARK = "<!-- pincite: pincite -->"
BOT = "github-actions[bot]"
TOKEN = "ghs_geheim"


# --- inputs ---


@pytest.mark.parametrize(
    "inputs",
    [
        {"answers": "a.md"},
        {"dataset": "sample", "recorded_answers": "a.jsonl"},
        {"dataset": "sample", "target": "answer", "answers": "a.md"},
        {"traces": "traces"},
        {"dataset": "sample", "traces": "traces"},
    ],
)
def test_inputs_that_say_what_to_do_are_taken(action: Any, workspace: Path, inputs: dict[str, str]) -> None:
    done = run_action(action, workspace, "inputs", **inputs)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        ({}, "give answers to check, or a dataset or traces to measure"),
        ({"dataset": "sample"}, "a dataset needs recorded-answers, a target or traces"),
        ({"answers": "a", "target": "answer"}, "recorded-answers and a target need a dataset"),
        ({"dataset": "d", "target": "t", "traces": "t"}, "give one of recorded-answers, target and traces"),
        ({"answers": "a", "upload_sarif": "yes"}, "the input upload-sarif is true or false"),
        ({"answers": "a", "comment": "$(touch owned)"}, "the input comment is true or false"),
    ],
)
def test_inputs_that_make_no_sense_are_refused(
    action: Any,
    workspace: Path,
    inputs: dict[str, str],
    told: str,
) -> None:
    done = run_action(action, workspace, "inputs", **inputs)
    assert done.returncode == 1
    assert f"::error title=Pincite::{told}" in done.stdout
    assert not (workspace / "owned").exists()


def test_every_input_is_used_and_none_that_does_not_exist(action: Any) -> None:
    used = set(re.findall(r"inputs\.([\w-]+)", json.dumps(action["runs"])))
    assert used == set(action["inputs"])
    outputs = re.findall(r"steps\.(\w+)\.outputs\.([\w-]+)", json.dumps([action["outputs"], action["runs"]]))
    for step, name in outputs:
        if (step, name) == ("python", "python-path"):  # of setup-python
            continue
        (script,) = (one["run"] for one in action["runs"]["steps"] if one.get("id") == step)
        assert f"{name}=" in script


def test_other_actions_are_pinned_to_a_major_version(action: Any) -> None:
    used = [step["uses"] for step in action["runs"]["steps"] if "uses" in step]
    assert len(used) == 3
    assert all(re.fullmatch(r"[\w-]+/[\w/-]+@v\d+", one) for one in used)


# --- check ---


@pytest.mark.thorough
def test_a_check_writes_a_page_and_sarif_for_the_uploads(action: Any, workspace: Path) -> None:
    inputs = {"answers": "answers", "sources": "docs", "upload_sarif": "true", "upload_report": "true"}
    done = run_action(action, workspace, "check", **inputs, arguments="--judge=rules")
    assert done.returncode == 1
    sarif = workspace / "temp" / "pincite.sarif"
    assert (workspace / "output").read_text() == f"sarif-file={sarif}\nexit-code=1\n"
    assert json.loads(sarif.read_text())["runs"][0]["results"]
    assert "<html" in (workspace / "pincite-report" / "findings.html").read_text()


@pytest.mark.thorough
def test_no_input_adds_an_output_of_its_own(action: Any, workspace: Path) -> None:
    hostile = "a.sarif\nexit-code=0"
    run_action(action, workspace, "check", answers="answers", sources="docs", sarif_file=hostile)
    assert (workspace / "output").read_text().splitlines()[-1] == "exit-code=1"
    assert (workspace / "output").read_text().count("exit-code=0\n") <= 1
    assert "sarif-file=a.sarif exit-code=0\n" in (workspace / "output").read_text()


# --- eval ---


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a good system."""
    from pincite import evaluate

    path = tmp_path_factory.mktemp("good") / "good.results.json"
    evaluate(
        "sample", answers="sample:b", metrics=["hit@1", "citation_correctness"], judge="rules", output=path
    )
    return path


@pytest.mark.thorough
def test_a_worse_system_fails_with_annotations_tables_a_page_and_results(
    action: Any,
    workspace: Path,
    good: Path,
) -> None:
    inputs = {**RUN, "recorded_answers": "sample:a", "baseline": str(good), "upload_report": "true"}
    done = run_action(action, workspace, "eval", **inputs, thresholds="hit@1=0.8")
    assert done.returncode == 1
    assert "::error" in done.stdout and "hit@1 is 0.316, below its threshold of 0.8" in done.stdout
    assert "hit@1 is worse than the baseline" in done.stdout
    told = (workspace / "temp" / "pincite-eval.md").read_text()
    assert re.search(r"hit@1.*worse", told)
    assert (workspace / "summary").read_text() == told
    assert "<html" in (workspace / "pincite-report" / "run.html").read_text()
    results = json.loads((workspace / "pincite-report" / "run.results.json").read_text())
    assert results["summary"]["total_queries"] == 40
    assert (workspace / "output").read_text() == (
        "results-file=pincite-report/run.results.json\nexit-code=1\n"
    )


def test_the_same_system_passes_and_its_results_can_be_the_next_baseline(
    action: Any,
    workspace: Path,
    good: Path,
) -> None:
    done = run_action(action, workspace, "eval", **RUN, recorded_answers="sample:b", baseline=str(good))
    assert done.returncode == 0
    assert (workspace / "temp" / "run.results.json").is_file()
    assert not (workspace / "pincite-report").exists()


@pytest.mark.thorough
def test_traces_need_no_dataset(action: Any, workspace: Path) -> None:
    traces = ROOT / "tests" / "answers" / "traces" / "recorded" / "genai.jsonl"
    inputs = {**RUN, "dataset": "", "metrics": "citation_correctness", "traces": str(traces)}
    done = run_action(action, workspace, "eval", **inputs)
    assert done.returncode == 1
    assert "citation_correctness is 0.333" in done.stdout


def test_a_measurement_that_cannot_run_says_so_and_leaves_no_results(action: Any, workspace: Path) -> None:
    done = run_action(
        action, workspace, "eval", **{**RUN, "dataset": "nowhere.json"}, recorded_answers="x.jsonl"
    )
    assert done.returncode == 2
    assert "nowhere.json" in done.stderr
    assert (workspace / "output").read_text() == "exit-code=2\n"


@pytest.mark.parametrize(
    "hostile", ["$(touch owned)", "`touch owned`", "x; touch owned", '"; touch owned; "']
)
def test_no_input_of_a_measurement_becomes_a_command(action: Any, workspace: Path, hostile: str) -> None:
    run_action(
        action,
        workspace,
        "eval",
        **dict.fromkeys(
            ("dataset", "target", "metrics", "thresholds", "baseline", "eval_arguments", "report_folder"),
            hostile,
        ),
        upload_report="true",
    )
    assert not list(workspace.rglob("owned"))


# --- the comment ---


class Pretender(ThreadingHTTPServer):
    """GitHub's list of comments of one pull request."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.comments: list[dict[str, Any]] = []
        self.asked: list[str] = []
        self.tokens: set[str | None] = set()
        self.status: int | None = None
        self.reply: bytes | None = None
        self.location: str | None = None


class _Handler(BaseHTTPRequestHandler):
    server: Pretender

    def do_GET(self) -> None:
        self._take()

    def do_POST(self) -> None:
        self._take()

    def do_PATCH(self) -> None:
        self._take()

    def _take(self) -> None:
        server = self.server
        server.asked.append(f"{self.command} {self.path}")
        server.tokens.add(self.headers["Authorization"])
        length = int(self.headers["Content-Length"] or 0)
        given = json.loads(self.rfile.read(length)) if length else None
        if server.status is not None:
            self._say(server.status, server.reply or b"{}")
            return
        if self.command == "GET":
            page = int(self.path.rpartition("page=")[2])
            held = server.comments[(page - 1) * PER_PAGE : page * PER_PAGE]
            self._say(200, server.reply or json.dumps(held).encode())
        elif self.command == "POST":
            made = {"id": 1000 + len(server.comments), "user": {"login": BOT}, "body": given["body"]}
            server.comments.append(made)
            self._say(201, json.dumps(made).encode())
        else:
            (own,) = (one for one in server.comments if self.path.endswith(f"/comments/{one['id']}"))
            own["body"] = given["body"]
            self._say(200, json.dumps(own).encode())

    def _say(self, status: int, body: bytes) -> None:
        self.send_response(status)
        if self.server.location:
            self.send_header("Location", self.server.location)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture
def github() -> Iterator[Pretender]:
    with Pretender() as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()


def comment(action: Any, workspace: Path, github: Pretender, event: Any = None, **inputs: str) -> str:
    path = workspace / "event.json"
    path.write_text(json.dumps({"pull_request": {"number": 7}} if event is None else event))
    more = {
        "GITHUB_API_URL": f"http://127.0.0.1:{github.server_port}",
        "GITHUB_REPOSITORY": "owner/name",
        "GITHUB_EVENT_PATH": str(path),
    }
    given = {"github_token": TOKEN, **inputs}
    done = run_action(action, workspace, "Comment on the pull request", more, **given)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert TOKEN not in done.stdout
    return done.stdout


def write_tables(workspace: Path, text: str = "## Findings\n") -> None:
    (workspace / "temp").mkdir(exist_ok=True)
    (workspace / "temp" / "pincite-check.md").write_text(text)
    (workspace / "temp" / "pincite-eval.md").write_text("## Run\n")


def test_the_first_run_writes_a_comment_and_the_next_ones_update_it(
    action: Any,
    workspace: Path,
    github: Pretender,
) -> None:
    write_tables(workspace)
    assert comment(action, workspace, github) == "pincite: wrote a comment on pull request 7\n"
    write_tables(workspace, "## Nothing is wrong\n")
    assert comment(action, workspace, github) == "pincite: updated the comment on pull request 7\n"
    (only,) = github.comments
    assert only["body"] == f"{MARK}\n## Nothing is wrong\n\n## Run\n"
    assert github.asked == [
        "GET /repos/owner/name/issues/7/comments?per_page=100&page=1",
        "POST /repos/owner/name/issues/7/comments",
        "GET /repos/owner/name/issues/7/comments?per_page=100&page=1",
        "PATCH /repos/owner/name/issues/comments/1000",
    ]
    assert github.tokens == {f"Bearer {TOKEN}"}


def test_another_job_has_a_comment_of_its_own(action: Any, workspace: Path, github: Pretender) -> None:
    write_tables(workspace)
    comment(action, workspace, github)
    comment(action, workspace, github, comment_name="nightly run")
    assert len(github.comments) == 2


def test_a_mark_that_somebody_else_wrote_is_not_taken_for_ours(
    action: Any,
    workspace: Path,
    github: Pretender,
) -> None:
    write_tables(workspace)
    forged = {"id": 1, "user": {"login": "mallory"}, "body": f"{MARK}\nall is well"}
    github.comments = [
        forged,
        {"id": 2, "user": None, "body": None},
        {"id": 3, "user": {"login": BOT}, "body": "hi"},
    ]
    comment(action, workspace, github)
    assert github.comments[0] == forged
    assert len(github.comments) == 4


def test_our_comment_is_found_behind_many_others(action: Any, workspace: Path, github: Pretender) -> None:
    write_tables(workspace)
    others = [{"id": place, "user": {"login": "a"}, "body": "x"} for place in range(PER_PAGE + 20)]
    github.comments = [*others, {"id": 500, "user": {"login": BOT}, "body": f"{MARK}\nold"}]
    assert "updated" in comment(action, workspace, github)
    assert github.comments[-1]["body"].startswith(f"{MARK}\n## Findings")


@pytest.mark.parametrize(
    ("status", "reply", "told"),
    [
        (403, b"{}", "the token may not comment (HTTP 403): the job needs `pull-requests: write`"),
        (404, b"{}", "the token may not comment (HTTP 404)"),
        (500, b"oops", "GitHub answered HTTP 500"),
        (302, b"", "GitHub answered HTTP 302"),
        (200, b"<html>", "GitHub's reply is not JSON"),
        (200, b"{}", "GitHub's list of comments is not a list"),
    ],
)
def test_a_comment_that_cannot_be_written_is_a_warning_and_fails_nothing(
    action: Any,
    workspace: Path,
    github: Pretender,
    status: int,
    reply: bytes,
    told: str,
) -> None:
    write_tables(workspace)
    github.status, github.reply, github.location = status, reply, "http://127.0.0.1:1/elsewhere"
    said = comment(action, workspace, github)
    assert said.startswith(f"::warning title=Pincite::no comment was written: {told}")
    assert len(github.asked) == 1  # a redirect would take the token elsewhere
    assert said.count("\n") == 1


def test_a_job_that_is_no_pull_request_writes_nothing(
    action: Any, workspace: Path, github: Pretender
) -> None:
    write_tables(workspace)
    for event in (
        {"ref": "refs/heads/main"},
        {"pull_request": {"number": "7/../8"}},
        [],
        {"pull_request": 7},
    ):
        assert "this is no pull request" in comment(action, workspace, github, event)
    assert github.asked == []


def test_nothing_to_say_is_no_comment(action: Any, workspace: Path, github: Pretender) -> None:
    assert comment(action, workspace, github) == "pincite: there is nothing to say\n"
    assert github.asked == []


def test_names_and_addresses_that_could_lead_elsewhere_are_refused(
    action: Any,
    workspace: Path,
    github: Pretender,
) -> None:
    write_tables(workspace)
    assert "the name of the comment has letters" in comment(action, workspace, github, comment_name="--> <b>")
    event = workspace / "event.json"
    event.write_text('{"pull_request": {"number": 7}}')
    usual = {"GITHUB_REPOSITORY": "owner/name", "GITHUB_EVENT_PATH": str(event)}
    for more in (
        {"GITHUB_API_URL": f"http://localhost.example:{github.server_port}"},
        {"GITHUB_API_URL": "file:///etc/passwd"},
        {"GITHUB_API_URL": "https://[oops"},
        {"GITHUB_API_URL": f"http://127.0.0.1:{github.server_port}", "GITHUB_REPOSITORY": "owner/../name"},
    ):
        step = "Comment on the pull request"
        done = run_action(action, workspace, step, {**usual, **more}, github_token=TOKEN)
        assert done.stdout.startswith("::warning title=Pincite::no comment was written: GITHUB_")
    assert github.asked == []


def test_a_long_report_is_cut_at_the_end_of_a_line_with_its_code_closed(tmp_path: Path) -> None:
    path = tmp_path / "long.md"
    path.write_text("# Report\n```text\n" + "a row of code\n" * 10_000 + "```\n")
    body = comment_body("pincite", [str(path), str(tmp_path / "none.md")])
    assert body is not None
    assert len(body) < LONGEST + 200
    assert body.endswith("a row of code\n```\n\n…\n\nThe rest is in the job's summary.\n")
    assert body.count("```") == 2


# --- modules of the checkout ---

PLANTED = """
try:
    import posix as system
except ImportError:
    import nt as system
system.close(system.open(b"ran-{name}", system.O_WRONLY | system.O_CREAT))
"""


@pytest.mark.parametrize("python_path", [None, "", ".", "{workspace}", "docs:"])
@pytest.mark.parametrize(
    ("step", "inputs"),
    [
        ("install", {"package": "./no-such-folder"}),
        ("check", {"answers": "answers", "sources": "docs", "arguments": "--judge=rules"}),
        (
            "eval",
            {
                **RUN,
                "recorded_answers": "sample:a",
                "eval_arguments": "--set=evaluation.workers=2\n--judge=rules",
            },
        ),
        ("eval", {**RUN, "target": "http://127.0.0.1:1/ask"}),
        ("Comment on the pull request", {}),
    ],
    ids=["install", "check", "eval", "eval an address", "comment"],
)
def test_no_step_runs_a_module_of_the_checkout(
    action: Any, workspace: Path, python_path: str | None, step: str, inputs: dict[str, str]
) -> None:
    for name in ("pip", "pincite", "numpy", "msgspec", "encodings", "json"):
        (workspace / name).mkdir()
        (workspace / name / "__init__.py").write_text(PLANTED.replace("{name}", name))
        (workspace / name / "__main__.py").write_text(PLANTED.replace("{name}", f"{name}-main"))
    for name in ("sitecustomize", "usercustomize", "tomllib"):
        (workspace / f"{name}.py").write_text(PLANTED.replace("{name}", name))
    more = {} if python_path is None else {"PYTHONPATH": python_path.format(workspace=workspace)}
    done = run_action(action, workspace, step, more, **inputs)
    assert not list(workspace.glob("ran-*")), done.stderr
    assert "Traceback" not in done.stderr
    if step == "install":
        assert "no-such-folder" in done.stderr  # pip itself has looked for it
    elif step == "check":
        assert "PIN203" in done.stdout
    elif step == "eval" and "recorded_answers" in inputs:
        assert (workspace / "temp" / "run.results.json").exists()


def test_every_python_of_the_action_is_started_by_its_path_and_without_the_checkout(action: Any) -> None:
    for step in action["runs"]["steps"]:
        for line in step.get("run", "").splitlines():
            command = line.strip().removeprefix("pincite() { ")
            assert not re.match(r"(?:python|pip)\d*\b", command)
            if "-m pi" in command:
                assert re.match(r'"\$PYTHON" (?:-EP|"\$safely") -m pi', command)


def test_a_function_of_the_checkout_is_found_by_the_path_that_the_job_sets(
    action: Any, workspace: Path
) -> None:
    (workspace / "lib").mkdir()
    (workspace / "lib" / "checked_system.py").write_text("def answer(question):\n    return 'Yes [1].'\n")
    inputs = {**RUN, "target": "checked_system:answer", "metrics": "citation_density"}
    run_action(action, workspace, "eval", {"PYTHONPATH": "lib"}, **inputs)
    assert (workspace / "temp" / "run.results.json").exists()


def test_the_action_is_what_the_ci_page_says(action: Any) -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    tabled = dict(re.findall(r"^\| `([\w-]+)` \| (.*?) \|", page, re.M))
    assert set(action["inputs"]) == set(tabled)
    for name, value in action["inputs"].items():
        default = str(value["default"])
        if default and "${{" not in default and name != "package":
            assert default in tabled[name], name
    for block in re.findall(r"^```yaml\n(.*?)^```$", page, re.M | re.S):
        for given in re.findall(r"uses: OWNER/pincite.*?with:\n((?: {10}.*\n)+)", block):
            assert set(yaml.safe_load(given)) <= set(action["inputs"])
