"""Sends what a repository publishes to a hub that can't read it: run in a job of its CI."""

import os
from collections.abc import Iterator, Mapping
from http.client import HTTPException
from typing import Final
from urllib.parse import quote, urlsplit

import msgspec

from gitmem.errors import ConflictError, EnvironmentProblem, UsageError
from gitmem.git.command import git
from gitmem.git.mirror import Mirror
from gitmem.hub.client import TOKEN, Address
from gitmem.parts.hub.entries import MOST_BYTES
from gitmem.parts.hub.jobs import PublishAnswer, PublishMessage
from gitmem.records.layout import MARKER

_SECONDS: Final = 120.0
_STEP_BYTES: Final = 8 << 20
_STEP_FILES: Final = 500
_MOST_BYTES: Final = 1 << 24
_OK: Final = 200
_CONFLICT: Final = 409
_GITHUB_URL: Final = "ACTIONS_ID_TOKEN_REQUEST_URL"
_GITHUB_TOKEN: Final = "ACTIONS_ID_TOKEN_REQUEST_TOKEN"  # noqa: S105  the name of a variable


def token_of_job(environ: Mapping[str, str], audience: str) -> str:
    """Give the job's token: the one that it was given, or GitHub's, which is asked for.

    Raises:
        UsageError: this is no such job.

    """
    if token := environ.get(TOKEN, ""):
        return token
    url = environ.get(_GITHUB_URL, "")
    if not url:
        raise UsageError(
            f"this job has no token: neither {TOKEN} nor {_GITHUB_URL} is set",
            "GitHub: permissions: id-token: write; GitLab: id_tokens",
        )
    parts = urlsplit(url)
    address = Address(f"{parts.scheme}://{parts.netloc}", _GITHUB_URL)
    query = f"{parts.query}&" if parts.query else ""
    path = f"{parts.path}?{query}audience={quote(audience, safe='')}"
    data = _exchange(address, "GET", path, environ.get(_GITHUB_TOKEN, ""))
    return msgspec.json.decode(data, type=_JobToken).value


class _JobToken(msgspec.Struct):
    value: str


class Publication:
    """What a work tree's head publishes.

    Args:
        start: a folder in the work tree.
        folder: of the memory.

    """

    def __init__(self, start: str, folder: str) -> None:
        common = git(start, "rev-parse", "--git-common-dir").decode().strip()
        self._mirror = Mirror(os.path.abspath(os.path.join(start, common)), "origin")
        self.commit = git(start, "rev-parse", "HEAD").decode().strip()
        self._files = self._mirror.files(self.commit, folder)

    def is_newest(self) -> bool:
        """Tell whether origin has no newer commit: the job of that one publishes."""
        return self._mirror.head() == self.commit

    def send(self, address: Address, token: str) -> PublishAnswer:
        """Send what the hub does not have.

        Raises:
            EnvironmentProblem: the hub does not answer, or refuses.
            ConflictError: a newer job has published already.

        """
        marker = self._files.get(MARKER)
        always = dict(self._mirror.contents([marker], MOST_BYTES)) if marker else {}
        message = PublishMessage(self.commit, self._files, always)
        answer = total = self._post(address, token, message)
        taken: set[str] = set()
        while answer.wanted:
            contents: dict[str, bytes] = {}
            large: list[str] = []
            for blob, data in self._step(answer.wanted):
                if len(data) > MOST_BYTES:
                    large.append(blob)
                else:
                    contents[blob] = data
            before = frozenset(taken)
            taken |= {path for path, blob in self._files.items() if blob in contents}
            taken |= {path for path, blob in self._files.items() if blob in large}
            if taken == before:
                raise EnvironmentProblem("the hub wants what this repository does not have")
            message = PublishMessage(
                self.commit, self._files, {**always, **contents}, tuple(large), before
            )
            answer = self._post(address, token, message)
            total = msgspec.structs.replace(
                answer, new=total.new + answer.new, gone=total.gone + answer.gone,
                held=total.held + answer.held,
            )  # fmt: skip
        return total

    def _step(self, wanted: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
        there = set(self._files.values())
        room = _STEP_BYTES
        chosen = [blob for blob in wanted if blob in there][:_STEP_FILES]
        for blob, data in self._mirror.contents(chosen, MOST_BYTES):
            yield blob, data
            room -= len(data)
            if room < 0:
                return

    def _post(self, address: Address, token: str, message: PublishMessage) -> PublishAnswer:
        body = msgspec.json.encode(message)
        data = _exchange(address, "POST", f"{address.path}/hub/v1/published", token, body)
        try:
            return msgspec.json.decode(data, type=PublishAnswer)
        except msgspec.MsgspecError as error:
            raise EnvironmentProblem(f"{address.host} is not a hub: {error}") from None


def _exchange(address: Address, method: str, path: str, token: str, body: bytes = b"") -> bytes:
    connection = address.connection(_SECONDS)
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    try:
        connection.request(method, path, body or None, headers)
        response = connection.getresponse()
        data = response.read(_MOST_BYTES)
    except (OSError, HTTPException) as error:
        reason = str(error) or type(error).__name__
        raise EnvironmentProblem(f"{address.host} does not answer: {reason}") from None
    finally:
        connection.close()
    if response.status == _CONFLICT:
        raise ConflictError(_detail(data, response.status))
    if response.status != _OK:
        raise EnvironmentProblem(f"{address.host} refuses: {_detail(data, response.status)}")
    return data


class _Refusal(msgspec.Struct):
    detail: str = ""


def _detail(data: bytes, status: int) -> str:
    try:
        detail = msgspec.json.decode(data, type=_Refusal).detail
    except msgspec.MsgspecError:
        detail = ""
    return detail[:300] or f"status {status}"
