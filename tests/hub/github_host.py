"""A host of repositories that answers as GitHub's REST API does about collaborators."""

import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, unquote, urlsplit

from tests.hub.loopback import Loopback, Question, Reply, answering

TOKEN = "ghs_secret"


class GitHub:
    """Who may read which repository; what it is asked to do wrong."""

    def __init__(self) -> None:
        self.readers: dict[str, list[str]] = {}
        self.ids: dict[str, int] = {}  # 7, where there is none
        self.outsiders: dict[str, list[str]] = {}  # listed, without the right to read
        self.left = 5_000
        self.reset_in = 30
        self.retry_after = 0
        self.failing: dict[str, int] = {}  # by repository, the status it fails with
        self.server: Loopback

    def answer(self, question: Question) -> Reply:
        if question.headers.get("authorization") != f"Bearer {TOKEN}":
            return Reply(401, b'{"message": "Bad credentials"}')
        url = urlsplit(question.path)
        path = unquote(url.path).removeprefix("/repos/")
        name = path.removesuffix("/collaborators")
        if name in self.failing:
            return Reply(self.failing[name], b'{"message": "no"}')
        if self.retry_after:
            slow = b'{"message": "You have exceeded a secondary rate limit"}'
            return Reply(403, slow, (("retry-after", str(self.retry_after)),))
        if name not in self.readers:
            return Reply(404, b'{"message": "Not Found"}')
        if path == name:
            return Reply(body=json.dumps({"id": self.ids.get(name, 7), "full_name": name}).encode())
        return self.page(name, url.query, question.headers.get("if-none-match", ""))

    def page(self, name: str, query: str, tag: str) -> Reply:
        fields = {key: int(values[0]) for key, values in parse_qs(query).items()}
        page, each = fields["page"], fields["per_page"]
        people = [(login, True) for login in self.readers[name]]
        people += [(login, False) for login in self.outsiders.get(name, ())]
        rows = people[(page - 1) * each : page * each]
        body = json.dumps(
            [{"login": login, "id": 1, "permissions": {"pull": pull}} for login, pull in rows]
        ).encode()
        more = page * each < len(people)
        etag = f'W/"{hashlib.sha256(body + bytes([more])).hexdigest()}"'
        headers = [("etag", etag), ("x-ratelimit-limit", "5000")]
        if more:
            there = f"{self.server.address}/repositories/7/collaborators?per_page={each}"
            headers.append((
                "link", f'<{there}&page={page + 1}>; rel="next", <{there}&page=9>; rel="last"',
            ))  # fmt: skip
        if tag == etag:
            return Reply(304, headers=tuple(headers))
        if self.left <= 0:
            limits = (
                ("x-ratelimit-remaining", "0"),
                ("x-ratelimit-reset", str(int(time.time()) + self.reset_in)),
            )
            return Reply(403, b'{"message": "API rate limit exceeded"}', limits)
        self.left -= 1
        headers.append(("x-ratelimit-remaining", str(self.left)))
        return Reply(200, body, tuple(headers))


@contextmanager
def running() -> Iterator[GitHub]:
    host = GitHub()
    with answering(host.answer) as server:
        host.server = server
        yield host
