"""The workflows, and what the Dockerfile promises: no root, nothing fetched at run time, little inside."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from action_steps import ROOT

from published_schemas import published_schema

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def workflow(name: str) -> Any:
    return yaml.safe_load((ROOT / ".github" / "workflows" / name).read_text(encoding="utf-8"))


def steps_of(whole: Any) -> list[dict[str, Any]]:
    return [step for job in whole["jobs"].values() for step in job["steps"]]


def known_to_the_schema(whole: Any) -> Any:
    """The workflow; YAML reads `on` as true, and the schema is older than the permission for attestations."""
    if isinstance(whole, dict):
        kept = {name: held for name, held in whole.items() if name != "attestations" or held is True}
        return {("on" if name is True else name): known_to_the_schema(held) for name, held in kept.items()}
    return [known_to_the_schema(one) for one in whole] if isinstance(whole, list) else whole


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_is_valid_pinned_bounded_and_pastes_nothing_into_scripts(path: Path) -> None:
    whole = workflow(path.name)
    jsonschema.Draft7Validator(published_schema("github-workflow.json")).validate(known_to_the_schema(whole))
    assert whole["permissions"] == {"contents": "read"}
    assert all(job["timeout-minutes"] <= 60 for job in whole["jobs"].values())
    for step in steps_of(whole):
        assert "${{" not in step.get("run", "")
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w-]+@(?:v\d+|release/v\d+)", step["uses"])
        if step.get("uses", "").startswith("actions/checkout"):
            assert step["with"]["persist-credentials"] is False


def test_only_the_jobs_that_run_no_code_of_ours_may_sign_or_publish() -> None:
    jobs = workflow("release.yml")["jobs"]
    assert "permissions" not in jobs["build"]
    for name in ("attest", "publish"):
        assert jobs[name]["permissions"]["id-token"] == "write"
        assert jobs[name]["if"] == "github.event_name == 'release'"
        assert all("run" not in step for step in jobs[name]["steps"])
    assert jobs["publish"]["needs"] == ["build", "attest"]
    assert jobs["publish"]["environment"] == "release"
    assert "password" not in str(jobs)


def test_the_tag_of_a_release_must_be_the_version_of_the_package(tmp_path: Path) -> None:
    (script,) = (step["run"] for step in steps_of(workflow("release.yml")) if step.get("env", {}).get("TAG"))
    (tmp_path / "python").symlink_to(sys.executable)
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.M)
    assert version is not None
    for tag, code in ((f"v{version[1]}", 0), (version[1], 1), ("v99", 1), ("$(touch owned)", 1)):
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=ROOT,
            env={"PATH": f"{tmp_path}:/usr/bin:/bin", "TAG": tag},
            capture_output=True,
            text=True,
        )
        assert done.returncode == code, (tag, done.stderr)
    assert not (ROOT / "owned").exists()


def test_what_ci_runs_exists_in_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    scripts = "\n".join(step.get("run", "") for step in steps_of(workflow("ci.yml")))
    used = re.findall(r"make ([a-z-]+)", scripts)
    assert used and set(used) <= targets


# --- the image ---


def instructions() -> list[tuple[str, str]]:
    text = re.sub(r"\\\n\s*", " ", re.sub(r"^#.*\n", "", DOCKERFILE, flags=re.M))
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in text.splitlines() if line.strip()]


def copied_names() -> set[str]:
    """What is copied from the project."""
    values = [value for word, value in instructions() if word == "COPY" and "--from" not in value]
    return {name for value in values for name in value.split()[:-1]}


def test_the_last_stage_runs_as_a_numbered_user_who_is_not_root() -> None:
    last = instructions()[max(at for at, (word, _) in enumerate(instructions()) if word == "FROM") :]
    (user,) = (value for word, value in last if word == "USER")
    uid, gid = user.split(":")
    assert int(uid) >= 10000 and int(gid) >= 10000
    assert [word for word, _ in last].index("USER") < [word for word, _ in last].index("ENTRYPOINT")
    assert not [value for word, value in last if word == "RUN" and "pip install" in value]


def test_the_dockerfile_keeps_to_the_rules_of_a_linter() -> None:
    words = [word for word, _ in instructions()]
    assert "ADD" not in words and "MAINTAINER" not in words
    for word, value in instructions():
        if word == "FROM":
            assert re.match(r"[\w/.-]+:[\w.-]*\d", value), "a tag, and not `latest`"
        if word in ("ENTRYPOINT", "CMD"):
            assert value.startswith("[") and value.endswith("]"), "the form that passes signals on"
        if word == "RUN":
            assert "sudo" not in shlex.split(value)
            assert "apt-get" not in value
            for install in re.findall(r"pip (?:install|wheel) [^&]*", value):
                assert "--no-cache-dir" in install
        if word == "WORKDIR":
            assert value.startswith("/")


def test_the_builder_gets_what_the_dockerfile_copies_and_nothing_else() -> None:
    copied = copied_names()
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert lines[1] == "*"
    assert {line.removeprefix("!") for line in lines if line.startswith("!")} == copied
    assert all((ROOT / name).exists() for name in copied)


def test_everything_that_the_build_of_a_wheel_reads_is_copied() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = {"pyproject.toml", project["project"]["readme"], *project["project"]["license-files"]}
    needed |= set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    copied = copied_names()
    assert [
        name for name in needed if not any(name == one or name.startswith(f"{one}/") for one in copied)
    ] == []
