"""Repositories that a hub can't read: their jobs send what is new and gone, with their tokens."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import InvalidError
from gitmem.parts.hub.jobs import PublishMessage, published_by
from gitmem.parts.hub.protocol import Seen
from gitmem.parts.hub.scan import ScanHub
from gitmem.parts.hub.taking import SentTree, SourceRepository, Taker
from tests.e2e.running import COMMAND, environment
from tests.hub import issuer
from tests.hub.organisation import Hub
from tests.hub.test_taking import MINE, ONE, publishing, write

if TYPE_CHECKING:
    from gitmem.parts.hub.protocol import Engine
    from tests.conftest import Checkout

ROW = SourceRepository(ONE, published="main")
COMMIT = "a" * 40
GITHUB = {
    "repository": "Payments/api", "ref": "refs/heads/main", "ref_type": "branch",
    "event_name": "push", "sha": COMMIT,
}  # fmt: skip
GITLAB = {
    "project_path": ONE, "ref": "main", "ref_type": "branch", "pipeline_source": "schedule",
}  # fmt: skip

pytestmark = pytest.mark.usefixtures("sealed_git")


def tree(repo: "Checkout") -> dict[str, tuple[str, bytes]]:
    """Give blob and content of each file of the memory at the head, as git has them."""
    listed = repo.git("ls-tree", "-r", "HEAD", ".memory/").splitlines()
    paths = {line.partition("\t")[2]: line.split()[2] for line in listed}
    return {
        path.removeprefix(".memory/"): (blob, (repo / path).read_bytes())
        for path, blob in paths.items()
    }


def job(taker: Taker, repo: "Checkout", each: int = 3) -> tuple[int, int, int]:
    """Do what a job does, with few files at once; give new, gone, and how often it asked."""
    files = tree(repo)
    contents = dict(files.values())
    names = {path: blob for path, (blob, _) in files.items()}
    marker = names["gitmem.yaml"]
    chosen: list[str] = []
    taken: set[str] = set()
    new = gone = 0
    for number in range(1, 100):
        some = {blob: contents[blob] for blob in (marker, *chosen)}
        sent = SentTree(repo.git("rev-parse", "HEAD"), names, some, frozenset(taken))
        result, wanted = taker.receive(ROW, sent)
        new, gone = new + result.new, gone + result.gone
        if not wanted:
            return new, gone, number
        taken |= {path for path, blob in names.items() if blob in chosen}
        chosen = wanted[:each]
    raise AssertionError("it never ends")


def test_a_job_sends_only_what_is_new_or_gone(engine: "Engine", repo: "Checkout") -> None:
    rng = Random(1)
    taker = Taker(engine, "")
    publishing(repo)
    paths = write(repo, rng, 8)
    repo.commit()
    assert job(taker, repo) == (8, 0, 4)
    assert job(taker, repo) == (0, 0, 1)
    (repo / ".memory" / paths[0]).unlink()
    changed = repo / ".memory" / paths[1]
    changed.write_bytes(changed.read_bytes().replace(b"title: ", b"title: changed ", 1))
    write(repo, rng, 1)
    repo.commit()
    assert job(taker, repo)[:2] == (2, 2)
    records = {path: blob for path, (blob, _) in tree(repo).items() if path != "gitmem.yaml"}
    assert {path: kept.blob for path, kept in engine.ids(ONE).items()} == records
    assert engine.heads()[ONE].commit == repo.git("rev-parse", "HEAD")
    if isinstance(engine, ScanHub):
        assert {(line.who, line.what) for line in engine.lines} == {("job", "took")}


def test_it_ends_as_a_sync_does(engine: "Engine", repo: "Checkout", tmp_path: Path) -> None:
    rng = Random(2)
    pushed, pulled = engine, ScanHub()
    publishing(repo, "  hub.stay_home: session, tag:internal\n")
    kept = write(repo, rng, 5, "error", tags=["public"])
    write(repo, rng, 2, "error", tags=["internal"])
    secret = "ghp_" + "a1B2" * 9
    write(repo, rng, 1, "note", body=f"the token is {secret}")
    repo.add(".memory/errors/broken-err-aaaaaaaaaaaaaaaa.yaml", "kind: [")
    repo.commit()
    sync = Taker(pulled, str(tmp_path / "clones"))
    job(Taker(pushed, ""), repo, 2)
    sync.take(SourceRepository(ONE, str(repo)))
    assert pushed.ids(ONE) == pulled.ids(ONE)
    forgotten = pushed.ids(ONE)[kept[0]].id
    for hub in (pushed, pulled):
        with hub.writing():
            hub.forget(ONE, [forgotten], for_good=True)
            hub.took(ONE, hub.heads()[ONE]._replace(made="of an older analysis"))
    job(Taker(pushed, ""), repo, 2)  # all is made anew, step by step
    sync.take(SourceRepository(ONE, str(repo)), compare=True)
    assert pushed.ids(ONE) == pulled.ids(ONE)
    assert pushed.heads()[ONE].made == pulled.heads()[ONE].made
    bodies = [stored.body for stored in pushed.newest(MINE, limit=100)]
    assert any(b"the token is" in body for body in bodies)
    assert not any(secret.encode() in body for body in bodies)
    assert forgotten not in {entry.id for entry in pushed.ids(ONE).values()}
    publishing(repo, "")
    repo.add(".memory/gitmem.yaml", "format: 1\n")
    repo.commit()
    job(Taker(pushed, ""), repo)
    assert pushed.ids(ONE) == {}


def test_a_job_that_was_stopped_is_gone_on_with(engine: "Engine", repo: "Checkout") -> None:
    taker = Taker(engine, "")
    publishing(repo)
    write(repo, Random(3), 6)
    repo.commit()
    files = tree(repo)
    names = {path: blob for path, (blob, _) in files.items()}
    some = dict(list(files.values())[:3]) | {names["gitmem.yaml"]: files["gitmem.yaml"][1]}
    taker.receive(ROW, SentTree(COMMIT, names, some))
    assert engine.heads()[ONE].commit == ""
    assert job(taker, repo)[0] == 6 - sum(path != "gitmem.yaml" for path in list(files)[:3])
    assert engine.heads()[ONE].commit


@pytest.mark.parametrize("claims", [GITHUB, GITLAB, {**GITLAB, "sha": COMMIT}])
def test_the_token_of_a_job_names_its_repository(claims: dict[str, str]) -> None:
    assert published_by(claims, [ROW], COMMIT) == (ROW, "")


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"repository": "stranger/api"}, "does not know"),
        ({"repository": ""}, "no repository"),
        ({"repository": ["payments/api"]}, "no repository"),
        ({"ref": "refs/heads/topic"}, "only the branch main"),
        ({"ref": "refs/tags/main", "ref_type": "tag"}, "only the branch main"),
        ({"ref": "refs/pull/7/merge"}, "only the branch main"),
        ({"ref": "main", "ref_type": "tag"}, "only the branch main"),
        ({"ref": ""}, "only the branch main"),
        ({"event_name": "pull_request_target"}, "pull_request_target"),
        ({"event_name": ""}, "publishes nothing"),
        ({"sha": "b" * 40}, "another commit"),
    ],
)
def test_any_other_job_publishes_nothing(changed: dict[str, object], reason: str) -> None:
    repository, why_not = published_by({**GITHUB, **changed}, [ROW], COMMIT)
    assert repository is None
    assert reason in why_not


def test_what_the_hub_reads_with_git_nobody_publishes() -> None:
    pulled = SourceRepository(ONE, "https://git.example.com/payments/api")
    repository, why_not = published_by(GITHUB, [pulled], COMMIT)
    assert repository is None
    assert "reads payments/api with git" in why_not


def test_contents_are_what_git_calls_so() -> None:
    name = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"  # git's, of nothing
    assert PublishMessage(COMMIT, {}, {name: b""}).tree().contents == {name: b""}
    with pytest.raises(InvalidError):
        PublishMessage(COMMIT, {}, {name: b"something"}).tree()


@pytest.fixture
def sso() -> Iterator[issuer.Issuer]:
    with issuer.running() as server:
        yield server


def test_a_job_of_ci_publishes_to_a_hub_that_runs(
    address: str, make_repo: "Callable[..., Checkout]", tmp_path: Path, sso: issuer.Issuer
) -> None:
    origin, repo = make_repo("origin"), make_repo("api")
    publishing(repo)
    write(repo, Random(4), 4)
    repo.commit()
    origin.git("config", "receive.denyCurrentBranch", "ignore")
    repo.git("remote", "add", "origin", str(origin))
    repo.git("push", "-q", "--force", "origin", "HEAD:main")
    hub = Hub(tmp_path / "hub", address)
    hub.run("add", ONE, "--published", "main", "--internal")
    assert "hub.yaml does not say who issues" in hub.run("doctor", code=1)
    path = hub.folder / "hub.yaml"
    path.write_text(f"{path.read_text()}jobs:\n  issuer: {sso.address}\n")
    assert "wrong  payments/api: nothing is published yet" in hub.run("doctor", code=1)
    assert hub.run("sync") == ""
    hub.run("sync", ONE, code=2)

    def publish(**claims: str) -> "subprocess.CompletedProcess[str]":
        head = repo.git("rev-parse", "HEAD")
        token = sso.token(**{**GITHUB, "sha": head, **claims})
        return subprocess.run(
            [COMMAND, "hub", "publish", url], cwd=repo, capture_output=True, text=True,
            check=False, timeout=100, env=environment({"GITMEM_HUB_TOKEN": token}),
        )  # fmt: skip

    with hub.serving() as url:
        head = repo.git("rev-parse", "HEAD")[:10]
        assert publish().stdout == f"payments/api: 4 new, 0 gone at {head}\n"
        assert publish().stdout == f"payments/api: 0 new, 0 gone at {head}\n"
        refused = publish(ref="refs/heads/topic")
        assert refused.returncode == 6
        assert "only the branch main of payments/api is published" in refused.stderr
        assert "not the token of a job" in publish(aud="another").stderr
        write(repo, Random(5), 1)
        repo.commit()
        assert "nothing is sent" in publish().stderr
        repo.git("push", "-q", "origin", "HEAD:main")
        first, newer = {"repository_id": "7", "run_id": "8"}, {"repository_id": "7", "run_id": "9"}
        assert "1 new, 0 gone" in publish(**newer).stdout
        # The old commit is pushed back, and its old job runs again: it takes itself for the newest.
        repo.git("reset", "-q", "--hard", "HEAD~1")
        repo.git("push", "-q", "--force", "origin", "HEAD:main")
        again = publish(**first)
        assert (again.returncode, again.stdout) == (0, "")
        assert "a newer job has published already" in again.stderr
        taken = publish(repository_id="10", run_id="10")
        assert taken.returncode == 6
        assert "another repository has the name payments/api now" in taken.stderr
        assert any("0 records" in hub.run("status") for _ in range(100))  # dropped soon
    assert "another repository has its name now" in hub.run("status")
    told = hub.run("doctor", code=1)
    assert "wrong  another repository has the name payments/api now" in told
    hub.run("remove", ONE)
    hub.run("add", ONE, "--published", "main", "--internal")
    with hub.serving() as url:
        assert "4 new, 0 gone" in publish(repository_id="10", run_id="10").stdout
    assert "ok     payments/api: published at" in hub.run("doctor")


def test_seen_by_nobody_else(engine: "Engine", repo: "Checkout") -> None:
    publishing(repo)
    write(repo, Random(6), 3, "error", title="a timeout of the connection")
    repo.commit()
    job(Taker(engine, ""), repo)
    words = [("timeout", 1.0)]
    assert engine.candidates(words, MINE)
    assert not engine.candidates(words, Seen(internal=True))


def test_a_check_says_that_it_did_not_compare_what_jobs_publish(
    database: str, tmp_path: Path
) -> None:
    hub = Hub(tmp_path / "hub", database)
    hub.run("add", ONE, "--published", "main", "--internal")
    done = subprocess.run(
        [COMMAND, "hub", "--at", str(hub.folder), "check"], capture_output=True, text=True,
        env=environment(hub.environ), check=False, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr == f"note: not compared, as their own CI publishes them: {ONE}\n"
