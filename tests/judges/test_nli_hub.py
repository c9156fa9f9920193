from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from model_hub import COMMIT, Hub, serving

from tiny_models import make_model


def check(
    hub: Hub, home: Path, judge: str, *flags: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    """A check by another process, because the hub's library reads its environment once."""
    (home / "source.txt").write_text("The council of the old city opened the bridge in 1990.")
    (home / "answer.md").write_text("The council opened the bridge [source.txt:0-54].")
    return subprocess.run(
        [sys.executable, "-m", "pincite", "check", "answer.md", "-s", "source.txt", "--judge", judge, *flags],
        cwd=home,
        env={**os.environ, "HF_ENDPOINT": hub.address, "HF_HOME": str(home / "hf"), **variables},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.thorough
def test_a_model_of_the_hub_is_fetched_once_and_only_when_allowed(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "offered")
    make_model(folder, file="onnx/model_q4.onnx")
    (folder / "README.md").write_text("A tiny model.")
    with serving({"owner/tiny": folder}) as hub:
        before = check(hub, tmp_path, "nli:owner/tiny")
        assert before.returncode == 2
        assert "--online" in before.stderr
        assert "Traceback" not in before.stderr
        assert hub.asked == []

        fetched = check(hub, tmp_path, "nli:owner/tiny", PINCITE_ONLINE="1")
        assert fetched.returncode == 0, fetched.stderr
        got = {
            line.rpartition("/")[2] for line in hub.asked if line.startswith("GET") and "/resolve/" in line
        }
        assert got == {"config.json", "model.onnx", "tokenizer.json", "tokenizer_config.json"}
        # The library would also fetch a list of programs, to tell the hub which of them it was called by.
        assert [line for line in hub.asked if "owner/tiny" not in line] == []

        asked = len(hub.asked)
        for name in ("owner/tiny", f"owner/tiny@{COMMIT}"):
            again = check(hub, tmp_path, f"nli:{name}")
            assert again.returncode == 0, again.stderr
        assert len(hub.asked) == asked

        other = check(hub, tmp_path, "nli:owner/tiny?file=onnx/model_q4.onnx", "--online")
        assert other.returncode == 0, other.stderr


@pytest.mark.thorough
def test_what_the_hub_has_not_is_said_in_a_sentence(tmp_path: Path) -> None:
    with serving({}) as hub:
        missing = check(hub, tmp_path, "nli:owner/none", "--online")
    gone = check(hub, tmp_path, "nli:owner/none", "--online")
    assert missing.returncode == gone.returncode == 2
    assert "owner/none: the hub refused it (not found)" in missing.stderr
    assert "owner/none: cannot be fetched from the hub" in gone.stderr
    assert "Traceback" not in missing.stderr + gone.stderr


@pytest.mark.thorough
def test_a_short_name_is_fetched_under_its_own_name_and_read_by_the_labels_it_stands_for(
    tmp_path: Path,
) -> None:
    # Its own files call the outputs LABEL_0 and LABEL_1, as the published ones do.
    offered = make_model(tmp_path / "offered", labels=("LABEL_0", "LABEL_1"))
    with serving({"lytang/MiniCheck-DeBERTa-v3-Large": offered}) as hub:
        fetched = check(hub, tmp_path, "nli:minicheck", "--online")
        assert fetched.returncode in (0, 1), fetched.stderr
        assert any("lytang/MiniCheck-DeBERTa-v3-Large/resolve" in line for line in hub.asked)
