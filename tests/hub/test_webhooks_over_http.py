"""What a host sends to a hub, and what somebody sends who would like to be one: in three forms."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from gitmem.errors import ConflictError
from gitmem.parts.hub.protocol import Seen
from gitmem.parts.hub.scan import ScanHub
from gitmem.parts.hub.taking import SourceRepository, Taker
from tests.hub import worlds
from tests.hub.over_http import SIGNED_WITH, HubOverHttp, signature

NAME = "payments/api"
URL = "https://git.example.com/payments/api.git"
MOST = 1 << 22


def github(event: str, body: bytes, secret: str = SIGNED_WITH) -> dict[str, str]:
    signed = f"sha256={signature(body, secret)}"
    return {"x-github-event": event, "x-hub-signature-256": signed, "x-github-delivery": "1"}


def gitea(event: str, body: bytes, secret: str = SIGNED_WITH) -> dict[str, str]:
    """Sign as Gitea does: its own header, and those of GitHub for whoever reads these."""
    signed = signature(body, secret)
    return {
        "x-gitea-event": event, "x-gitea-signature": signed,
        "x-github-event": event, "x-hub-signature-256": f"sha256={signed}",
    }  # fmt: skip


def gitlab(event: str, body: bytes, secret: str = SIGNED_WITH) -> dict[str, str]:
    del body  # its secret is sent as it is
    name = {"push": "Push Hook"}.get(event, "System Hook")
    return {"x-gitlab-event": name, "x-gitlab-token": secret}


Signer = Callable[..., dict[str, str]]
FORMS = pytest.mark.parametrize("form", [github, gitea, gitlab])


def message(form: Signer, event: str = "push", host_id: int = 7, **fields: object) -> bytes:
    if form is not gitlab:
        about = {"id": host_id, "full_name": NAME, "clone_url": URL, "default_branch": "main"}
        return json.dumps({"ref": "refs/heads/main", "repository": about, **fields}).encode()
    about = {
        "id": host_id, "path_with_namespace": NAME, "git_http_url": URL, "default_branch": "main",
    }  # fmt: skip
    if event == "push":
        return json.dumps({"ref": "refs/heads/main", "project": about, **fields}).encode()
    renamed = {"deleted": "project_destroy", "privatized": "project_update"}
    return json.dumps({
        "event_name": renamed[str(fields["action"])], "project_id": host_id,
        "path_with_namespace": NAME, "project_visibility": "private",
    }).encode()  # fmt: skip


@pytest.fixture
def engine() -> ScanHub:
    engine = ScanHub()
    (_, made), *_ = worlds.fill(engine, Random(1), 1, 6).values()
    engine.drop(*engine.heads())
    with engine.writing():
        engine.put([entry._replace(repository=NAME) for entry in made])
        engine.took(NAME, engine.heads()[NAME]._replace(commit="c", internal=True))
    return engine


@pytest.fixture
def hub(tmp_path: Path, engine: ScanHub) -> HubOverHttp:
    return HubOverHttp(tmp_path / "hub", engine, SourceRepository(NAME, URL, internal=True))


@FORMS
def test_a_push_is_taken_soon_and_a_replay_is_nothing_but_a_look(
    hub: HubOverHttp, form: Signer
) -> None:
    body = message(form)
    for _ in range(3):
        answer = hub.tell(form("push", body), body)
        assert answer.status_code == 202
        assert answer.json() == {"repository": NAME}
    assert set(hub.upkeep.names) == {NAME}
    assert hub.registry.repository(NAME).host_id == 7


@FORMS
@pytest.mark.parametrize("event", ["push", "repository"])
def test_whoever_does_not_sign_with_the_secret_does_nothing(
    hub: HubOverHttp, engine: ScanHub, form: Signer, event: str
) -> None:
    body = message(form, event, action="deleted")
    good = form(event, body)
    signed = {name for name in good if "signature" in name or "token" in name}
    unsigned = {name: value for name, value in good.items() if name not in signed}
    other = message(form, event, host_id=9, action="deleted")
    refused = [
        unsigned, form(event, body, "another secret"), form(event, body, ""),
        unsigned | {"x-hub-signature": f"sha1={signature(body)}"},
        good | dict.fromkeys(signed, ""),
        *([] if form is gitlab else [form(event, other)]),
    ]  # fmt: skip
    before = (hub.folder / "hub.yaml").read_bytes()
    for headers in refused:
        answer = hub.tell(headers, body)
        assert answer.status_code == 401, headers
        assert answer.json()["detail"] == "this message is not signed with the hub's secret"
    assert hub.upkeep.names == []
    assert (hub.folder / "hub.yaml").read_bytes() == before
    assert engine.sizes(Seen(internal=True)) == {NAME: len(engine.ids(NAME))}


@FORMS
def test_a_deleted_one_is_gone_at_once_and_a_replay_takes_no_new_one(
    hub: HubOverHttp, engine: ScanHub, form: Signer
) -> None:
    push, deleted = message(form), message(form, "repository", action="deleted")
    hub.tell(form("push", push), push)
    assert hub.tell(form("repository", deleted), deleted).status_code == 202
    assert engine.sizes(Seen(internal=True)) == {}
    assert NAME not in hub.registry.repositories
    assert hub.tell(form("repository", deleted), deleted).json() == {"repository": None}
    # It is made again and added again; then somebody sends the old message once more.
    hub.registry.add(SourceRepository(NAME, URL))
    push = message(form, host_id=8)
    hub.tell(form("push", push), push)
    assert hub.tell(form("repository", deleted), deleted).json() == {"repository": None}
    assert hub.registry.repository(NAME).host_id == 8
    assert not hub.registry.repository(NAME).replaced_by


@FORMS
def test_a_private_one_is_hidden_at_once(hub: HubOverHttp, engine: ScanHub, form: Signer) -> None:
    body = message(form, "repository", action="privatized")
    for _ in range(2):
        assert hub.tell(form("repository", body), body).status_code == 202
    assert engine.sizes(Seen(internal=True)) == {}
    assert engine.sizes(Seen(repositories=frozenset({NAME})))
    assert hub.registry.repository(NAME).internal is False


@FORMS
def test_a_push_to_another_repository_of_that_name_is_refused(
    hub: HubOverHttp, engine: ScanHub, form: Signer
) -> None:
    first, other = message(form), message(form, host_id=9)
    hub.tell(form("push", first), first)
    answer = hub.tell(form("push", other), other)
    assert answer.status_code == 409
    assert "another repository has the name" in answer.json()["detail"]
    with pytest.raises(ConflictError):
        Taker(engine, "").take(hub.registry.repository(NAME))
    assert engine.sizes(Seen(internal=True)) == {}
    assert hub.tell(form("push", first), first).status_code == 409


@FORMS
def test_a_huge_body_is_refused(hub: HubOverHttp, form: Signer) -> None:
    body = message(form).ljust(MOST + 1)
    assert hub.tell(form("push", body), body).status_code == 413
    body = message(form).ljust(MOST)
    assert hub.tell(form("push", body), body).status_code == 202


@FORMS
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400), (b"\xff", 400), (b'{"a":' * 100_000, 400), (b"[]", 422), (b"{", 400),
        (b'{"repository": 5}', 422), (b'{"repository": {"id": "7"}}', 422),
        (b'{"repository": {"id": 1e400}}', 422), (b"{}", 202),
    ],
)  # fmt: skip
def test_what_is_signed_and_no_message_is_refused(
    hub: HubOverHttp, form: Signer, body: bytes, status: int
) -> None:
    assert hub.tell(form("push", body), body).status_code == status
    assert hub.upkeep.names == []


@FORMS
def test_what_jobs_publish_has_no_address_and_is_told_by_its_name(
    tmp_path: Path, engine: ScanHub, form: Signer
) -> None:
    hub = HubOverHttp(tmp_path / "other", engine, SourceRepository(NAME, published="main"))
    body = message(form, "repository", action="deleted")
    assert hub.tell(form("repository", body), body).json() == {"repository": NAME}
    assert engine.sizes(Seen(internal=True)) == {}
