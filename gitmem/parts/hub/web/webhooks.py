"""What hosts of repositories say was pushed, in the forms of GitHub, GitLab and Gitea.

Nothing in a message is believed but which repository it is about: what was pushed is asked of git.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from gitmem.parts.hub.addresses import bare_address
from gitmem.parts.hub.taking import SourceRepository

PUSHED: Final = "pushed"
PRIVATE: Final = "privatized"
DELETED: Final = "deleted"
RIGHTS: Final = "rights"
_ABOUT_RIGHTS: Final = frozenset({
    "member", "membership", "organization", "team", "team_add",
    "user_add_to_team", "user_update_for_team", "user_remove_from_team",
    "user_add_to_group", "user_update_for_group", "user_remove_from_group",
})  # fmt: skip
"""GitHub's events, and the names that GitLab's hooks of a group and of a system give."""
_ABOUT_REPOSITORIES: Final = frozenset({"repository", "project_destroy", "project_update"})
_NAMED_INSIDE: Final = frozenset({"system hook", "member hook", "project hook"})
"""Hooks of GitLab that say in the message what happened."""
_EVENTS: Final = ("x-gitea-event", "x-github-event", "x-gitlab-event")


class _Project(msgspec.Struct):
    id: int = 0
    full_name: str = ""
    path_with_namespace: str = ""
    default_branch: str = ""
    clone_url: str = ""
    ssh_url: str = ""
    html_url: str = ""
    git_http_url: str = ""
    git_ssh_url: str = ""

    @property
    def urls(self) -> list[str]:
        every = (self.clone_url, self.ssh_url, self.html_url, self.git_http_url, self.git_ssh_url)
        return [url for url in every if url]

    @property
    def path(self) -> str:
        return (self.full_name or self.path_with_namespace).casefold()


class _Message(msgspec.Struct):
    ref: str = ""
    action: str = ""
    event_name: str = ""
    project_id: int = 0
    path_with_namespace: str = ""
    project_path_with_namespace: str = ""
    project_visibility: str = ""
    repository: _Project = msgspec.field(default_factory=_Project)
    project: _Project = msgspec.field(default_factory=_Project)

    @property
    def projects(self) -> tuple[_Project, ...]:
        """What it is about, in whichever place it says so."""
        path = self.path_with_namespace or self.project_path_with_namespace
        every = (self.project, self.repository, _Project(self.project_id, path_with_namespace=path))
        return tuple(project for project in every if project.urls or project.path)

    @property
    def what(self) -> str:
        """What happened to a repository, in GitHub's words."""
        if self.event_name == "project_destroy":
            return DELETED
        if self.event_name == "project_update" and self.project_visibility == "private":
            return PRIVATE
        return self.action


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
) -> tuple[str, SourceRepository | None, int]:
    """Read a message that was signed.

    Args:
        headers: of the request, names in lower case.
        body: as it came.
        repositories: those that the hub reads.

    Returns:
        What happened, and to which of them; None where the hub need not do anything, or where
        people's rights changed, for all of them. And the number that the host gives it.

    Raises:
        msgspec.MsgspecError: it is not such a message.

    """
    event = next((headers[name] for name in _EVENTS if name in headers), "").lower()
    message = msgspec.json.decode(body, type=_Message)
    if event in _NAMED_INSIDE:
        event = message.event_name
    about = ((row, project) for row in repositories for project in message.projects)
    registered, project = next((pair for pair in about if _is(*pair)), (None, _Project()))
    host_id = project.id
    if event in {"push", "push hook"}:
        branch = next((each.default_branch for each in message.projects if each.default_branch), "")
        is_default = not branch or message.ref == f"refs/heads/{branch}"
        return PUSHED, registered if is_default else None, host_id
    if event in _ABOUT_REPOSITORIES and message.what in {PRIVATE, DELETED}:
        return message.what, registered, host_id
    if event in _ABOUT_RIGHTS and (registered or not message.projects):
        return RIGHTS, registered, host_id
    return event, None, host_id


def _is(repository: SourceRepository, project: _Project) -> bool:
    if repository.url and project.urls:
        ours = bare_address(repository.url)
        return any(bare_address(url) == ours for url in project.urls)
    # GitLab tells of a deleted one by its path only, and what jobs publish may have no address.
    return repository.host_name == project.path


def _equal(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(), expected.encode())
