"""What hosts of repositories say was pushed, in the forms of GitHub, GitLab and Gitea.

Nothing in a message is believed but which repository it is about: what was pushed is asked of git.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from gitmem.hub.addresses import bare_address
from gitmem.hub.taking import SourceRepository

PUSHED: Final = "pushed"
PRIVATE: Final = "privatized"
DELETED: Final = "deleted"
RIGHTS: Final = "rights"
_ABOUT_RIGHTS: Final = frozenset({"member", "membership", "organization", "team", "team_add"})
_EVENTS: Final = ("x-gitea-event", "x-github-event", "x-gitlab-event")


class _Project(msgspec.Struct):
    full_name: str = ""
    path_with_namespace: str = ""
    default_branch: str = ""
    clone_url: str = ""
    ssh_url: str = ""
    html_url: str = ""
    git_http_url: str = ""
    git_ssh_url: str = ""

    @property
    def urls(self) -> tuple[str, ...]:
        return (
            self.clone_url, self.ssh_url, self.html_url, self.git_http_url, self.git_ssh_url,
        )  # fmt: skip


class _Message(msgspec.Struct):
    ref: str = ""
    action: str = ""
    repository: _Project = msgspec.field(default_factory=_Project)
    project: _Project = msgspec.field(default_factory=_Project)


def is_signed(headers: Mapping[str, str], body: bytes, secret: str) -> bool:
    """Tell whether a message was signed with the secret, in any of the three ways.

    Args:
        headers: of the request, names in lower case.
        body: as it came.
        secret: an empty one signs nothing.

    """
    if not secret:
        return False
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    for name, prefix in (("x-hub-signature-256", "sha256="), ("x-gitea-signature", "")):
        if name in headers:
            return _equal(headers[name], prefix + expected)
    return _equal(headers.get("x-gitlab-token", ""), secret)


def what_happened(
    headers: Mapping[str, str], body: bytes, repositories: Iterable[SourceRepository]
) -> tuple[str, SourceRepository | None]:
    """Read a message that was signed.

    Args:
        headers: of the request, names in lower case.
        body: as it came.
        repositories: those that the hub reads.

    Returns:
        What happened, and to which of them; None where the hub need not do anything, or where
        people's rights changed, for all of them.

    Raises:
        msgspec.MsgspecError: it is not such a message.

    """
    event = next((headers[name] for name in _EVENTS if name in headers), "").lower()
    message = msgspec.json.decode(body, type=_Message)
    projects = (message.repository, message.project)
    registered = next((name for name in repositories if any(_is(name, p) for p in projects)), None)
    if event in {"push", "push hook"}:
        branch = next(
            (project.default_branch for project in projects if project.default_branch), ""
        )
        if branch and message.ref != f"refs/heads/{branch}":
            return PUSHED, None
        return PUSHED, registered
    if event == "repository" and message.action in {PRIVATE, DELETED}:
        return message.action, registered
    if event in _ABOUT_RIGHTS:
        return RIGHTS, registered
    return event, None


def _is(repository: SourceRepository, project: _Project) -> bool:
    ours = bare_address(repository.url)
    return any(bare_address(url) == ours for url in project.urls if url)


def _equal(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(), expected.encode())
