"""A host of repositories that answers as Gitea's API does: collaborators, and teams apart."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.hub.loopback import Loopback, Question, Reply, answering

TOKEN = "a gitea token"
MOST = 50
"""Rows of a page, however many are asked for."""
NO_TEAMS = Reply(405, b'{"message":"repo is not owned by an organization"}')
MISSING = Reply(404, b'{"errors":[],"message":"The target couldn\'t be found."}')


class Gitea:
    """Who may read which repository, and what it is asked to do wrong.

    Attributes:
        collaborators: by repository, those who were named one by one.
        teams: by repository of an organisation.
        members: by the number of a team.
        links: pages name the next one; not all lists of all versions do.

    """

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        self.collaborators: dict[str, list[str]] = {}
        self.teams: dict[str, list[dict[str, Any]]] = {}
        self.members: dict[int, list[str]] = {}
        self.failing: dict[str, int] = {}  # by a part of the path, the status it fails with
        self.links = False
        self.server: Loopback

    def answer(self, question: Question) -> Reply:
        if question.headers.get("authorization") != f"token {TOKEN}":
            return Reply(401, b'{"message":"invalid username, password or token"}')
        for part, status in self.failing.items():
            if part in question.path:
                return Reply(status, b'{"message":"no"}')
        url = urlsplit(question.path)
        parts = [unquote(part) for part in url.path.split("/")[1:]]
        match parts:
            case ["teams", number, "members"] if int(number) in self.members:
                return self._page(self.members[int(number)], url)
            case ["repos", owner, name, *rest] if f"{owner}/{name}" in self.ids:
                return self._repository(f"{owner}/{name}", rest, url)
            case _:
                return MISSING

    def _repository(self, name: str, rest: list[str], url: Any) -> Reply:
        if rest == ["collaborators"]:
            return self._page(self.collaborators.get(name, []), url)
        if rest == ["teams"]:
            teams = self.teams.get(name)
            return NO_TEAMS if teams is None else Reply(body=json.dumps(teams).encode())
        owner = {"id": 1, "login": name.partition("/")[0]}
        about = {"id": self.ids[name], "full_name": name, "private": True, "owner": owner}
        return Reply(body=json.dumps(about).encode())

    def _page(self, logins: list[str], url: Any) -> Reply:
        fields = {key: int(values[0]) for key, values in parse_qs(url.query).items()}
        page, each = fields["page"], min(fields["limit"], MOST)
        rows = [{"id": 1, "login": login} for login in logins[(page - 1) * each : page * each]]
        headers = [("x-total-count", str(len(logins)))]
        if self.links and page * each < len(logins):
            there = f"{self.server.address}/api/v1{url.path}?limit={each}&page={page + 1}"
            headers.append(("link", f'<{there}>; rel="next"'))
        return Reply(200, json.dumps(rows).encode(), tuple(headers))


@contextmanager
def running() -> Iterator[Gitea]:
    host = Gitea()
    with answering(host.answer) as server:
        host.server = server
        yield host
