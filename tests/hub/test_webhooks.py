"""What hosts of repositories say: signed, and believed only as to which repository it is."""

import hashlib
import hmac
import json

import msgspec
import pytest

from gitmem.parts.hub.taking import SourceRepository
from gitmem.parts.hub.web.webhooks import DELETED, PRIVATE, PUSHED, RIGHTS, is_signed, what_happened

SECRET = "a secret of the hub's"
ONE = SourceRepository("payments/api", "https://git.example.com/payments/api.git")
OTHER = SourceRepository("shop", "git@git.example.com:shop/web.git")
URLS = {
    "clone_url": "https://git.example.com/payments/api.git",
    "ssh_url": "git@git.example.com:payments/api.git",
    "default_branch": "main",
    "id": 7,
}


def body(**fields: object) -> bytes:
    return json.dumps({"ref": "refs/heads/main", "repository": URLS, **fields}).encode()


def digest(data: bytes, secret: str = SECRET) -> str:
    return hmac.new(secret.encode(), data, hashlib.sha256).hexdigest()


def test_a_message_is_believed_if_it_is_signed() -> None:
    data = body()
    assert is_signed({"x-hub-signature-256": f"sha256={digest(data)}"}, data, SECRET)
    assert is_signed({"x-gitea-signature": digest(data)}, data, SECRET)
    assert is_signed({"x-gitlab-token": SECRET}, data, SECRET)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x-hub-signature-256": "sha256="},
        {"x-hub-signature-256": digest(body())},
        {"x-hub-signature-256": f"sha256={digest(body(), 'another')}"},
        {"x-hub-signature-256": f"sha256={digest(b'another')}", "x-gitlab-token": SECRET},
        {"x-gitea-signature": ""},
        {"x-gitlab-token": ""},
        {"x-gitlab-token": "größe"},
        {"x-hub-signature": f"sha1={digest(body())}"},
    ],
)
def test_any_other_message_is_not(headers: dict[str, str]) -> None:
    assert not is_signed(headers, body(), SECRET)


def test_without_a_secret_nothing_is_believed() -> None:
    data = body()
    assert not is_signed({"x-gitlab-token": ""}, data, "")
    assert not is_signed({"x-gitea-signature": digest(data, "")}, data, "")


@pytest.mark.parametrize(
    ("headers", "data"),
    [
        ({"x-github-event": "push"}, body()),
        ({"x-gitea-event": "push", "x-github-event": "push"}, body()),
        (
            {"x-gitlab-event": "Push Hook"},
            json.dumps({
                "ref": "refs/heads/main",
                "project": {
                    "git_http_url": URLS["clone_url"], "git_ssh_url": URLS["ssh_url"],
                    "default_branch": "main", "id": 7,
                },
                "repository": {"name": "api", "url": URLS["ssh_url"]},
            }).encode(),
        ),
    ],
)  # fmt: skip
def test_a_push_is_told_in_three_forms(headers: dict[str, str], data: bytes) -> None:
    assert what_happened(headers, data, [OTHER, ONE]) == (PUSHED, ONE, 7)
    assert what_happened(headers, data, [OTHER])[:2] == (PUSHED, None)


def test_pushes_to_other_branches_and_other_events_are_nothing_to_do() -> None:
    push = {"x-github-event": "push"}
    assert what_happened(push, body(ref="refs/heads/topic"), [ONE])[:2] == (PUSHED, None)
    assert what_happened(push, body(ref="refs/tags/main"), [ONE])[:2] == (PUSHED, None)
    assert what_happened({"x-github-event": "ping"}, body(), [ONE])[1] is None
    assert what_happened({}, body(), [ONE])[1] is None


@pytest.mark.parametrize("action", [PRIVATE, DELETED])
def test_a_repository_that_became_private_or_went_is_told(action: str) -> None:
    headers = {"x-github-event": "repository"}
    assert what_happened(headers, body(action=action), [ONE]) == (action, ONE, 7)


@pytest.mark.parametrize("event", ["member", "membership", "team", "organization"])
def test_rights_that_changed_are_told_for_one_or_for_all(event: str) -> None:
    headers = {"x-github-event": event}
    assert what_happened(headers, body(action="removed"), [ONE]) == (RIGHTS, ONE, 7)
    assert what_happened(headers, b'{"action": "removed"}', [ONE]) == (RIGHTS, None, 0)


def gitlab(**fields: object) -> bytes:
    """Write what GitLab's hook of a whole system says of a project: it has no address in it."""
    project = {"project_id": 7, "path_with_namespace": "Payments/api"}
    return json.dumps({**project, "project_visibility": "internal", **fields}).encode()


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"event_name": "project_destroy"}, DELETED),
        ({"event_name": "project_update", "project_visibility": "private"}, PRIVATE),
        (
            {
                "event_name": "user_remove_from_team", "path_with_namespace": "",
                "project_path_with_namespace": "payments/api",
            },
            RIGHTS,
        ),
    ],
)  # fmt: skip
def test_hooks_of_a_whole_gitlab_say_it_in_their_own_way(
    fields: dict[str, object], what: str
) -> None:
    headers = {"x-gitlab-event": "System Hook"}
    published = SourceRepository("payments/api", published="main")
    for row in (ONE, published):
        assert what_happened(headers, gitlab(**fields), [OTHER, row]) == (what, row, 7)
    assert what_happened(headers, gitlab(**fields), [OTHER])[:2] != (what, OTHER)
    assert what_happened({}, gitlab(**fields), [ONE])[1] is None


def test_what_happens_to_others_asks_for_no_rights_again() -> None:
    headers = {"x-gitlab-event": "System Hook"}
    joined = gitlab(event_name="user_add_to_team", path_with_namespace="a/stranger")
    assert what_happened(headers, joined, [ONE])[0] != RIGHTS
    assert what_happened({"x-github-event": "member"}, body(action="added"), [OTHER])[0] != RIGHTS
    group = b'{"event_name": "user_add_to_group", "group_path": "payments"}'
    assert what_happened(headers, group, [ONE]) == (RIGHTS, None, 0)
    public = gitlab(event_name="project_update", project_visibility="public")
    assert what_happened(headers, public, [ONE])[1] is None


def test_an_address_is_the_same_in_each_of_its_forms() -> None:
    for url in (
        "https://git.example.com/payments/api", "https://git.example.com:443/Payments/api.git",
        "ssh://git@git.example.com:22/payments/api.git", "git@git.example.com:payments/api.git",
        "https://user@git.example.com/payments/api.git",
    ):  # fmt: skip
        known = SourceRepository("any", url)
        assert what_happened({"x-github-event": "push"}, body(), [known])[1] == known, url
    for url in ("https://git.example.com/payments/api2", "https://evil.example.com/payments/api"):
        known = SourceRepository("any", url)
        assert what_happened({"x-github-event": "push"}, body(), [known])[1] is None, url


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"repository": 5}', b"\xff"])
def test_what_is_no_message_is_refused(data: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        what_happened({"x-github-event": "push"}, data, [ONE])
