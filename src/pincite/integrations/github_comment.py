"""`python -m pincite.integrations.github_comment FILE…`: one comment on a pull request, kept up to date.

The GitHub Action runs it with the files of Markdown that `check` and `eval` wrote. It needs nothing but the
standard library and the variables that a runner sets. That no comment could be written is a warning and fails
nothing: the token of a pull request from a fork may not write.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

LONGEST = 60_000
"""Characters of a comment; GitHub refuses more than 65,536."""
SECONDS = 20.0
MOST_PAGES = 50
PER_PAGE = 100
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_NAME = re.compile(r"[A-Za-z0-9_. -]{1,60}")
_LOCAL = ("127.0.0.1", "localhost", "::1")


class CommentFailed(Exception):
    """Why there is no comment. The message never has the token in it."""


def main(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Write the comment, or say why there is none."""
    try:
        print(f"pincite: {comment(arguments, environment)}")
    except CommentFailed as error:
        # A line of its own, without what could be read as another command.
        print(f"::warning title=Pincite::no comment was written: {' '.join(str(error).split())[:500]}")
    return 0


def comment(paths: Sequence[str], environment: Mapping[str, str]) -> str:
    """Write what the files say as a comment, in the place of the one before; says what was done."""
    number = _pull_request(environment)
    if number is None:
        return "this is no pull request, so there is nothing to comment on"
    name = environment.get("PINCITE_COMMENT_NAME", "") or "pincite"
    if not _NAME.fullmatch(name):
        raise CommentFailed(
            "the name of the comment has letters, digits, spaces, dots, dashes and underscores"
        )
    body = comment_body(name, paths)
    if body is None:
        return "there is nothing to say"
    api = GitHub(environment)
    author = environment.get("PINCITE_COMMENT_AUTHOR", "") or "github-actions[bot]"
    own = api.find_comment(number, _mark(name), author)
    if own is None:
        api.send("POST", f"/issues/{number}/comments", {"body": body})
        return f"wrote a comment on pull request {number}"
    api.send("PATCH", f"/issues/comments/{own}", {"body": body})
    return f"updated the comment on pull request {number}"


def comment_body(name: str, paths: Sequence[str]) -> str | None:
    """The files one after the other, below a mark that nobody sees; None where they say nothing."""
    parts = []
    for path in map(Path, paths):
        try:
            text = path.read_text(encoding="utf-8", errors="replace").strip() if path.is_file() else ""
        except OSError as error:
            raise CommentFailed(f"{path} cannot be read: {error.strerror or error}") from None
        if text:
            parts.append(text)
    if not parts:
        return None
    whole = "\n\n".join(parts)
    if len(whole) > LONGEST:
        # At the end of a line, so that no row of a table is cut in half.
        whole = whole[:LONGEST].rpartition("\n")[0] or whole[:LONGEST]
        if whole.count("\n```") % 2:
            whole += "\n```"
        whole += "\n\n…\n\nThe rest is in the job's summary."
    return f"{_mark(name)}\n{whole}\n"


def _mark(name: str) -> str:
    return f"<!-- pincite: {name} -->"


def _pull_request(environment: Mapping[str, str]) -> int | None:
    """The number of the pull request that the job runs for."""
    path = environment.get("GITHUB_EVENT_PATH", "")
    if not path:
        return None
    try:
        event = json.loads(Path(path).read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise CommentFailed(f"the event of the job cannot be read: {type(error).__name__}") from None
    asked = event.get("pull_request") if isinstance(event, dict) else None
    number = asked.get("number") if isinstance(asked, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else None


class GitHub:
    """The few calls that are needed. Redirects are not followed: they could take the token elsewhere."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._token = environment.get("PINCITE_GITHUB_TOKEN", "")
        if not self._token or not self._token.isascii() or not self._token.isprintable():
            raise CommentFailed("there is no token; give the input github-token")
        repository = environment.get("GITHUB_REPOSITORY", "")
        if not _REPOSITORY.fullmatch(repository):
            raise CommentFailed("GITHUB_REPOSITORY does not name a repository")
        try:
            self._address = urlsplit(environment.get("GITHUB_API_URL", "") or "https://api.github.com")
            self._port = self._address.port
        except ValueError:
            raise CommentFailed("GITHUB_API_URL is no address") from None
        host = self._address.hostname or ""
        if self._address.scheme != "https" and not (self._address.scheme == "http" and host in _LOCAL):
            raise CommentFailed("GITHUB_API_URL is not an https address")
        self._host = host
        self._base = f"{self._address.path.rstrip('/')}/repos/{repository}"

    def find_comment(self, number: int, mark: str, author: str) -> int | None:
        """The comment that we wrote before: by its mark and its author, as anybody could write the mark."""
        for page in range(1, MOST_PAGES + 1):
            found = self.send("GET", f"/issues/{number}/comments?per_page={PER_PAGE}&page={page}")
            if not isinstance(found, list):
                raise CommentFailed("GitHub's list of comments is not a list")
            for one in found:
                if not isinstance(one, dict) or not isinstance(one.get("id"), int):
                    continue
                user = one.get("user")
                written_by = user.get("login") if isinstance(user, dict) else None
                if written_by == author and str(one.get("body") or "").startswith(mark):
                    return int(one["id"])
            if len(found) < PER_PAGE:
                return None
        return None

    def send(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """One call; what it returned."""
        kind = HTTPSConnection if self._address.scheme == "https" else HTTPConnection
        connection = kind(self._host, self._port, timeout=SECONDS)
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/json",
            "User-Agent": "pincite",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        try:
            given = None if body is None else json.dumps(body).encode()
            connection.request(method, f"{self._base}{path}", given, headers)
            reply = connection.getresponse()
            raw = reply.read(50_000_000)
        except (OSError, HTTPException) as error:
            reason = getattr(error, "strerror", None) or type(error).__name__
            raise CommentFailed(f"GitHub cannot be reached: {reason}") from None
        finally:
            connection.close()
        if reply.status in (401, 403, 404):
            raise CommentFailed(
                f"the token may not comment (HTTP {reply.status}): the job needs `pull-requests: write`, "
                "which a pull request from a fork never has"
            )
        if not 200 <= reply.status < 300:
            raise CommentFailed(f"GitHub answered HTTP {reply.status}")
        try:
            return json.loads(raw)
        except (ValueError, RecursionError):
            raise CommentFailed("GitHub's reply is not JSON") from None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
