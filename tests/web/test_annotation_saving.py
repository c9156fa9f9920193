"""The script of the page that sends changes: what a server cannot take now is kept, and sent again."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import pincite.web

SCRIPT = Path(pincite.web.__file__).with_name("static") / "annotate_save.js"
PAGE = """
const replies = REPLIES, told = [], store = {};
globalThis.document = { querySelector: () => ({ content: "key" }) };
const setItem = (name, value) => { store[name] = value; };
globalThis.localStorage = { getItem: (name) => store[name], setItem };
globalThis.setTimeout = (later) => queueMicrotask(later);
globalThis.fetch = async (address) => {
  if (address === "/api/session") return { ok: true, status: 200, json: async () => ({ csrf: "new" }) };
  const [status, value] = replies.shift();
  return { ok: status === 200, status, json: async () => value };
};
const { Server } = await import("./annotate_save.mjs");
const server = new Server("ada", "store", (word) => told.push(word), () => told.push("refused"));
const result = (state, error) => told.push(error ? "lost" : "kept");
await server.save({ item: "first/spans/q0", revision: 0, said: {} }, result);
console.log(JSON.stringify(told));
"""


def told(folder: Path, *replies: tuple[int, dict[str, Any]]) -> list[str]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node to run a script of the page")
    shutil.copy(SCRIPT, folder / "annotate_save.mjs")
    (folder / "page.mjs").write_text(PAGE.replace("REPLIES", json.dumps(replies)))
    done = subprocess.run([node, "page.mjs"], cwd=folder, capture_output=True, text=True, check=True)
    found: list[str] = json.loads(done.stdout)
    return [word for word in found if word != "saving"]


SAVED = (200, {"revision": 1})


def test_a_server_that_was_started_again_gets_the_change_once_it_was_opened(tmp_path: Path) -> None:
    assert told(tmp_path, (401, {}), (401, {}), SAVED) == ["locked", "locked", "kept", "saved"]


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_server_that_cannot_write_gets_it_later(tmp_path: Path, status: int) -> None:
    assert told(tmp_path, (status, {"error": "the disk is full"}), SAVED) == ["offline", "kept", "saved"]


def test_an_old_key_is_changed_for_a_new_one(tmp_path: Path) -> None:
    assert told(tmp_path, (403, {"error": "too old"}), SAVED) == ["kept", "saved"]


@pytest.mark.parametrize("status", [400, 409, 413, 500])
def test_a_change_that_is_refused_does_not_hold_up_others(tmp_path: Path, status: int) -> None:
    assert told(tmp_path, (status, {"error": "no", "by": "another"})) == ["lost", "saved"]
