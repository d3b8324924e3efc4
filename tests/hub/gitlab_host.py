"""A host of repositories that answers as GitLab's REST API does about members of projects."""

import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.hub.loopback import Loopback, Question, Reply, answering

TOKEN = "glpat-secret"
MOST = 100


class GitLab:
    """Who is a member of which project, and what it is asked to do wrong."""

    def __init__(self) -> None:
        self.members: dict[str, list[dict[str, Any]]] = {}
        self.ids: dict[str, int] = {}
        self.left = 2_000
        self.failing: dict[str, int] = {}  # by a part of the path, the status it fails with
        self.server: Loopback

    def join(self, project: str, username: str, **fields: object) -> None:
        usual = {"username": username, "access_level": 30, "state": "active", "id": 1}
        self.ids.setdefault(project, len(self.ids) + 1)
        self.members.setdefault(project, []).append({**usual, **fields})

    def answer(self, question: Question) -> Reply:
        if question.headers.get("private-token") != TOKEN:
            return Reply(401, b'{"message":"401 Unauthorized"}')
        for part, status in self.failing.items():
            if part in question.path:
                return Reply(status, b'{"message":"no"}')
        if self.left <= 0:
            limits = (
                ("ratelimit-remaining", "0"), ("ratelimit-reset", str(int(time.time()) + 30)),
            )  # fmt: skip
            return Reply(429, b"Retry later", limits)
        self.left -= 1
        url = urlsplit(question.path)
        tag = question.headers.get("if-none-match", "")
        _, kind, identifier, *rest = url.path.split("/")
        if kind != "projects":
            return Reply(404, b'{"error":"404 Not Found"}')
        if not rest:
            name = unquote(identifier)
            if name not in self.ids:
                return Reply(404, b'{"message":"404 Project Not Found"}')
            about = {"id": self.ids[name], "path_with_namespace": name, "visibility": "private"}
            return _tagged(about, tag)
        by_id = {str(number): name for name, number in self.ids.items()}
        if rest != ["members", "all"] or identifier not in by_id:
            return Reply(404, b'{"error":"404 Not Found"}')
        return self._page(self.members.get(by_id[identifier], []), url.query, tag)

    def _page(self, members: list[dict[str, Any]], query: str, tag: str) -> Reply:
        fields = {key: int(values[0]) for key, values in parse_qs(query).items()}
        page, each = fields["page"], min(fields["per_page"], MOST)
        more = page * each < len(members)
        here = f"{self.server.address}/projects/1/members/all?per_page={each}"
        links = [f'<{here}&page=1>; rel="first"']
        if more:
            links.append(f'<{here}&page={page + 1}>; rel="next"')
        headers = (("link", ", ".join(links)), ("x-next-page", str(page + 1) if more else ""))
        return _tagged(members[(page - 1) * each : page * each], tag, headers)


def _tagged(data: object, tag: str, headers: tuple[tuple[str, str], ...] = ()) -> Reply:
    body = json.dumps(data).encode()
    etag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
    if tag == etag:
        return Reply(304, headers=(("etag", etag), *headers))
    return Reply(200, body, (("etag", etag), *headers))


@contextmanager
def running() -> Iterator[GitLab]:
    host = GitLab()
    with answering(host.answer) as server:
        host.server = server
        yield host
