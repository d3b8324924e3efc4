"""A name at the host may be another repository's tomorrow, and an old job may be run again."""

import base64
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.errors import ConflictError
from gitmem.hub.client import Address
from gitmem.parts.hub import entries
from gitmem.parts.hub.github import GitHubHost
from gitmem.parts.hub.jobs import numbers_of
from gitmem.parts.hub.mirrored import FRESH, MirroredPermissions
from gitmem.parts.hub.permissions import INSIDE
from gitmem.parts.hub.protocol import Seen
from gitmem.parts.hub.registry import Registry
from gitmem.parts.hub.scan import ScanHub
from gitmem.parts.hub.taking import SentTree, SourceRepository, Taker
from tests.hub import github_host, issuer
from tests.hub.over_http import HubOverHttp
from tests.hub.test_publishing import GITHUB, GITLAB, ROW, tree
from tests.hub.test_taking import ONE, publishing, write

if TYPE_CHECKING:
    from gitmem.parts.hub.protocol import Engine
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
FIRST, NEWER = {"repository_id": "7", "run_id": "100"}, {"repository_id": "7", "run_id": "101"}


@pytest.fixture(scope="module")
def sso() -> Iterator[issuer.Issuer]:
    with issuer.running() as server:
        yield server


@pytest.fixture
def hub(tmp_path: Path, engine: "Engine", sso: issuer.Issuer) -> HubOverHttp:
    hub = HubOverHttp(tmp_path / "hub", engine, ROW)
    path = hub.folder / "hub.yaml"
    path.write_text(f"{path.read_text()}jobs:\n  issuer: {sso.address}\n")
    return hub


def message(repo: "Checkout") -> dict[str, Any]:
    """Give all that a job at the head sends, in one message."""
    files = tree(repo)
    return {
        "commit": repo.git("rev-parse", "HEAD"),
        "files": {path: blob for path, (blob, _) in files.items()},
        "contents": {blob: base64.b64encode(data).decode() for blob, data in files.values()},
    }


def job(
    hub: HubOverHttp, sso: issuer.Issuer, sent: Mapping[str, Any], **claims: str
) -> tuple[int, str]:
    token = sso.token(**{**GITHUB, "sha": sent["commit"], **claims})
    answer = hub.publish(token, sent)
    return answer.status_code, answer.text


def committed(repo: "Checkout", rng: Random) -> dict[str, Any]:
    publishing(repo)
    write(repo, rng)
    repo.commit()
    return message(repo)


def test_a_repository_that_takes_the_name_of_another_publishes_nothing(
    hub: HubOverHttp, engine: "Engine", repo: "Checkout", sso: issuer.Issuer
) -> None:
    sent = committed(repo, Random(1))
    assert job(hub, sso, sent, **FIRST)[0] == 200
    assert hub.registry.repository(ONE).host_id == 7
    assert engine.ids(ONE)
    assert job(hub, sso, sent, run_id="101")[0] == 403  # says no number
    taken_over = job(hub, sso, sent, repository_id="9", run_id="101")
    assert taken_over[0] == 403
    assert "another repository has the name payments/api now" in taken_over[1]
    assert hub.upkeep.names == [ONE]
    row = hub.registry.repository(ONE)
    assert row.replaced_by == 9
    with pytest.raises(ConflictError):
        Taker(engine, "").take(row)
    assert engine.ids(ONE) == {}
    assert ONE not in engine.heads()
    # Who is right can be told by a person only.
    assert job(hub, sso, sent, **NEWER)[0] == 403
    hub.registry.add(ROW)
    assert hub.registry.repository(ONE).replaced_by == 9
    hub.registry.remove(ONE)
    hub.registry.add(ROW)
    assert job(hub, sso, sent, repository_id="9", run_id="101")[0] == 200


def test_an_old_job_that_is_run_again_publishes_nothing(
    hub: HubOverHttp, engine: "Engine", repo: "Checkout", sso: issuer.Issuer
) -> None:
    rng = Random(2)
    old = committed(repo, rng)
    new = committed(repo, rng)
    assert job(hub, sso, old, **FIRST)[0] == 200
    assert job(hub, sso, new, **NEWER)[0] == 200
    there = engine.ids(ONE)
    status, text = job(hub, sso, old, **FIRST)
    assert status == 409
    assert "a newer job has published already" in text
    assert job(hub, sso, old, repository_id="7")[0] == 409  # says no number
    home = {**old, "files": {}}  # would take all home
    assert job(hub, sso, home, **FIRST)[0] == 409
    assert engine.ids(ONE) == there
    assert engine.heads()[ONE].run == 101
    assert job(hub, sso, new, **FIRST)[0] == 200  # nothing changes
    assert engine.heads()[ONE].run == 101
    pushed_back = {"repository_id": "7", "run_id": "102"}  # a forced push of the older commit
    assert job(hub, sso, old, **pushed_back)[0] == 200
    assert len(engine.ids(ONE)) < len(there)


def test_a_job_that_a_newer_one_overtakes_changes_nothing(
    repo: "Checkout", engine: "Engine", monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, taker, entries_of = Random(3), Taker(engine, ""), entries.entries_of
    sent = []
    for run in (100, 101):
        committed(repo, rng)
        files = tree(repo)
        names = {path: blob for path, (blob, _) in files.items()}
        head = repo.git("rev-parse", "HEAD")
        sent.append(SentTree(head, names, dict(files.values()), run=run))

    def overtaken(*arguments: Any) -> Any:
        monkeypatch.setattr("gitmem.parts.hub.taking.entries_of", entries_of)
        taker.receive(ROW, sent[1])
        return entries_of(*arguments)

    monkeypatch.setattr("gitmem.parts.hub.taking.entries_of", overtaken)
    with pytest.raises(ConflictError, match="newer job"):
        taker.receive(ROW, sent[0])
    assert len(engine.ids(ONE)) == 2
    assert engine.heads()[ONE].run == 101


@pytest.mark.parametrize(
    ("claims", "numbers"),
    [
        ({**GITHUB, **FIRST}, (7, 100)),
        ({**GITLAB, "project_id": "22", "pipeline_id": "8001", "job_id": "9"}, (22, 8001)),
        (GITHUB, (0, 0)),
        ({"repository_id": "-7", "run_id": "1e9"}, (0, 0)),
        ({"repository_id": ["7"], "run_id": "9" * 5_000}, (0, 0)),
    ],
)
def test_a_token_has_numbers_in_two_forms(
    claims: Mapping[str, Any], numbers: tuple[int, int]
) -> None:
    assert numbers_of(claims) == numbers


def test_what_the_host_says_of_another_repository_is_not_said_of_this_one(tmp_path: Path) -> None:
    name, now = "finance/ledger", 1000.0
    registry = Registry.read(str(tmp_path))
    registry.add(SourceRepository(name))

    def rows() -> Iterable[SourceRepository]:
        return registry.repositories.values()

    with github_host.running() as github:
        github.readers[name] = ["ada"]
        host = GitHubHost(Address(github.server.address), github_host.TOKEN)
        permissions = MirroredPermissions(host, rows, registry.recognise, lambda: now)
        permissions.refresh()
        assert permissions.seen_by("ada") == Seen(True, frozenset({name}))
        assert Registry.read(str(tmp_path)).repository(name).host_id == 7
        # It is deleted, and somebody makes another one of that name.
        github.ids[name] = 8
        github.readers[name] = ["mallory", "ada"]
        now += FRESH
        permissions.refresh()
        for login in ("mallory", "ada"):
            assert permissions.seen_by(login) == INSIDE
        assert Registry.read(str(tmp_path)).repository(name).replaced_by == 8
        now += FRESH
        permissions.refresh()
        assert permissions.seen_by("mallory") == INSIDE
        host.close()


def test_numbers_are_written_once_for_a_whole_round(tmp_path: Path) -> None:
    registry = Registry.read(str(tmp_path))
    for number in range(3):
        registry.add(SourceRepository(f"r{number}"))
    other = Registry.read(str(tmp_path))  # what somebody adds meanwhile stays
    other.add(SourceRepository("later"))
    assert registry.recognise({"r0": 5, "r1": 6, "gone": 7}) == set()
    again = Registry.read(str(tmp_path))
    assert [row.host_id for row in again.repositories.values()] == [5, 6, 0, 0]
    stamp = (tmp_path / "hub.yaml").stat()
    assert again.recognise({"r0": 5}) == set()
    assert (tmp_path / "hub.yaml").stat() == stamp
    assert again.recognise({"r0": 6, "r1": 6}) == {"r0"}


def test_a_hub_in_memory_keeps_the_number_of_the_job(repo: "Checkout") -> None:
    engine = ScanHub()
    committed(repo, Random(4))
    repo.add(".memory/gitmem.yaml", "format: 1\n")
    repo.commit()
    files = tree(repo)
    names = {path: blob for path, (blob, _) in files.items()}
    sent = SentTree(repo.git("rev-parse", "HEAD"), names, dict(files.values()), run=5)
    Taker(engine, "").receive(ROW, sent)  # publishes nothing
    assert engine.heads()[ONE].run == 5
    with pytest.raises(ConflictError):
        Taker(engine, "").receive(ROW, sent._replace(run=4, commit="b" * 40))
