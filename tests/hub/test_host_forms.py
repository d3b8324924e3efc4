"""Who may read a repository, in the forms of GitLab and Gitea; what goes wrong widens nothing."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest

from gitmem.hub.client import Address
from gitmem.parts.hub import host_api
from gitmem.parts.hub.gitea import GiteaHost
from gitmem.parts.hub.github import GitHubHost
from gitmem.parts.hub.gitlab import GitLabHost
from gitmem.parts.hub.host_api import Host, HostReaders, HostSilentError
from gitmem.parts.hub.mirrored import FRESH, TRUSTED, MirroredPermissions
from gitmem.parts.hub.permissions import INSIDE
from gitmem.parts.hub.taking import SourceRepository
from tests.depth import amount
from tests.hub import gitea_host, github_host, gitlab_host
from tests.hub.gitea_host import Gitea
from tests.hub.gitlab_host import GitLab

LEDGER = "finance/ledger"
MANY = [f"user{number}" for number in range(230)]
NOBODY = HostReaders()


@pytest.fixture
def gitlab() -> Iterator[GitLab]:
    with gitlab_host.running() as running:
        for name in ("Ada", "bob"):
            running.join("finance/ledger", name)
        yield running


@pytest.fixture
def gitea() -> Iterator[Gitea]:
    with gitea_host.running() as running:
        running.ids[LEDGER] = 3
        running.collaborators[LEDGER] = ["Ada"]
        running.teams[LEDGER] = [team(1), team(2, "issues")]
        running.members = {1: ["bob"], 2: ["eve"]}
        yield running


def team(number: int, reads: str = "code") -> dict[str, Any]:
    """Write a team as Gitea does: which parts of a repository its members may see."""
    units = {f"repo.{part}": "read" if part == reads else "none" for part in ("code", "issues")}
    named = [unit for unit, mode in units.items() if mode != "none"]
    return {"id": number, "name": "t", "permission": "read", "units": named, "units_map": units}


@contextmanager
def asking(host: Host) -> Iterator[Host]:
    yield host
    host.close()


@pytest.fixture
def lab(gitlab: GitLab) -> Iterator[Host]:
    with asking(GitLabHost(Address(gitlab.server.address), gitlab_host.TOKEN)) as host:
        yield host


@pytest.fixture
def tea(gitea: Gitea) -> Iterator[Host]:
    with asking(GiteaHost(Address(gitea.server.address), gitea_host.TOKEN)) as host:
        yield host


def test_members_of_a_project_read_it_from_reporter_on(gitlab: GitLab, lab: Host) -> None:
    gitlab.join(LEDGER, "reporter", access_level=20)
    gitlab.join(LEDGER, "guest", access_level=10)
    gitlab.join(LEDGER, "planner", access_level=15)
    gitlab.join(LEDGER, "blocked", state="blocked")
    gitlab.join(LEDGER, "waiting", membership_state="awaiting")
    assert lab.readers(LEDGER) == HostReaders(1, frozenset({"ada", "bob", "reporter"}))
    # A path is one part of the address; members are asked for by the project's number.
    assert [question.path.partition("?")[0] for question in gitlab.server.questions] == [
        "/projects/finance%2Fledger", "/projects/1/members/all",
    ]  # fmt: skip


def test_all_pages_of_members_are_read_and_what_is_unchanged_is_not_sent(
    gitlab: GitLab, lab: Host
) -> None:
    for name in MANY:
        gitlab.join(LEDGER, name)
    everybody = {"ada", "bob", *MANY}
    assert lab.readers(LEDGER).users == everybody
    questions = gitlab.server.questions
    assert len(questions) == 4
    assert lab.readers(LEDGER).users == everybody
    assert all(question.headers.get("if-none-match") for question in questions[4:])
    gitlab.members[LEDGER] = gitlab.members[LEDGER][:1]
    assert lab.readers(LEDGER).users == {"ada"}


@pytest.mark.parametrize("links", [False, True])
def test_named_people_and_those_of_teams_that_read_code(
    gitea: Gitea, tea: Host, *, links: bool
) -> None:
    gitea.links = links
    assert tea.readers(LEDGER) == HostReaders(3, frozenset({"ada", "bob"}))
    gitea.collaborators[LEDGER] = MANY
    gitea.members[1] = [f"member{number}" for number in range(120)]
    assert tea.readers(LEDGER).users == {*MANY, *gitea.members[1]}
    older = team(1) | {"units_map": {}}  # before it said what may be done with each part
    gitea.teams[LEDGER] = [older, team(2, "issues") | {"units_map": {}}]
    gitea.collaborators[LEDGER] = []
    assert tea.readers(LEDGER).users == set(gitea.members[1])


def test_what_a_person_owns_has_no_teams(gitea: Gitea, tea: Host) -> None:
    gitea.ids["Mallory/notes"] = 4
    gitea.collaborators["Mallory/notes"] = ["ada"]
    assert tea.readers("Mallory/notes") == HostReaders(4, frozenset({"mallory", "ada"}))


@pytest.mark.parametrize("status", [403, 404, 410])
@pytest.mark.parametrize("part", ["collaborators", "teams", "/teams/1/", "/repos/finance/ledger"])
def test_gitea_refuses_a_part_and_nobody_reads_it(
    gitea: Gitea, tea: Host, part: str, status: int
) -> None:
    assert tea.readers(LEDGER).users
    gitea.failing[part] = status
    assert tea.readers(LEDGER) == NOBODY


@pytest.mark.parametrize("status", [403, 404])
def test_gitlab_refuses_a_part_and_nobody_reads_it(gitlab: GitLab, lab: Host, status: int) -> None:
    gitlab.failing["members"] = status
    assert lab.readers(LEDGER) == HostReaders(1)
    gitlab.failing = {"projects/": status}
    assert lab.readers(LEDGER) == NOBODY


@pytest.mark.parametrize("status", [301, 400, 500, 502, 503])
@pytest.mark.parametrize("part", ["page=1", "page=3", "/projects/finance"])
def test_gitlab_fails_at_any_page_and_that_says_nothing(
    gitlab: GitLab, lab: Host, part: str, status: int
) -> None:
    for name in MANY:
        gitlab.join(LEDGER, name)
    gitlab.failing[part] = status
    with pytest.raises(HostSilentError, match=f"status {status}"):
        lab.readers(LEDGER)


@pytest.mark.parametrize("part", ["collaborators", "/ledger/teams", "/teams/1/", "/repos/"])
def test_gitea_fails_at_any_part_and_that_says_nothing(gitea: Gitea, tea: Host, part: str) -> None:
    gitea.failing[part] = 500
    with pytest.raises(HostSilentError, match="status 500"):
        tea.readers(LEDGER)


def test_a_limit_of_gitlab_is_told_with_how_long_to_wait(gitlab: GitLab, lab: Host) -> None:
    gitlab.left = 1
    with pytest.raises(HostSilentError, match="too many questions") as limit:
        lab.readers(LEDGER)
    assert 20 < limit.value.pause <= 30
    assert limit.value.about_all


def test_a_wrong_token_is_about_all(gitlab: GitLab, gitea: Gitea) -> None:
    wrong: tuple[Host, ...] = (
        GitLabHost(Address(gitlab.server.address), "wrong"),
        GiteaHost(Address(gitea.server.address), "wrong"),
    )
    for host in wrong:
        with asking(host), pytest.raises(HostSilentError, match="status 401") as refused:
            host.readers(LEDGER)
        assert refused.value.about_all


Form = Callable[[Address, str], Host]
FORMS = pytest.mark.parametrize("form", [GitHubHost, GitLabHost, GiteaHost])


@FORMS
@pytest.mark.parametrize(
    "answer",
    [
        b"", b"HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n[", b"200 fine\r\n\r\n[]",
        b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n<>",
        b'HTTP/1.1 200 OK\r\ncontent-length: 15\r\n\r\n[{"login":5.5}]',
        b"HTTP/1.1 200 OK\r\n\r\n" + b" " * (5 << 20),
        b'HTTP/1.1 200 OK\r\n\r\n[{"a":' + b'{"a":' * 100_000,
        b'HTTP/1.1 200 OK\r\n\r\n{"a":' + b'{"a":' * 100_000,
        b"HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n",
    ],
)  # fmt: skip
def test_any_other_answer_says_nothing(form: Form, answer: bytes) -> None:
    with (
        babbling(lambda door: door.sendall(answer)) as address,
        asking(form(address, "t")) as host,
        pytest.raises(HostSilentError),
    ):
        host.readers(LEDGER)


@FORMS
def test_an_answer_that_drips_is_not_waited_for(
    form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_api, "LONGEST", 0.2)
    ended = threading.Event()

    def drip(door: socket.socket) -> None:
        door.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
        while not ended.wait(0.02):
            door.sendall(b" ")

    with babbling(drip) as address, asking(form(address, "t")) as host:
        with pytest.raises(HostSilentError, match="takes too long"):
            host.readers(LEDGER)
        ended.set()


@contextmanager
def babbling(say: Callable[[socket.socket], object]) -> Iterator[Address]:
    """Listen, and give everybody the same bytes, whatever they ask."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        door.settimeout(0.05)
        ended = threading.Event()

        def listen() -> None:
            while not ended.is_set():
                try:
                    guest = door.accept()[0]
                except TimeoutError:
                    continue
                with guest:
                    guest.recv(65_536)
                    try:
                        say(guest)
                    except OSError:  # it heard enough
                        continue

        thread = threading.Thread(target=listen)
        thread.start()
        try:
            yield Address(f"http://127.0.0.1:{door.getsockname()[1]}")
        finally:
            ended.set()
            thread.join()


class Slow:
    """A host that answers about few repositories in a round, and about one never."""

    def __init__(self) -> None:
        self.left = 0
        self.broken = ""

    def readers(self, repository: str) -> HostReaders:
        if repository == self.broken:
            raise HostSilentError("it does not answer in time", about_all=True)
        if not self.left:
            raise HostSilentError("too many questions", 60.0, about_all=True)
        self.left -= 1
        return HostReaders(users=frozenset({"ada"}))

    def close(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize("broken", ["", "r00"])
def test_a_limit_or_one_that_fails_keeps_no_other_waiting_for_ever(broken: str) -> None:
    host, now = Slow(), 1000.0
    host.broken = broken
    rows = [SourceRepository(f"r{number:02}") for number in range(12)]
    permissions = MirroredPermissions(host, lambda: rows, lambda _: None, lambda: now)
    for _ in range(8):  # in five minutes five are asked about: less than half
        host.left = 5
        permissions.refresh()
        now += FRESH
    every = {row.name for row in rows} - {broken}
    assert permissions.seen_by("ada") == INSIDE._replace(repositories=frozenset(every))


def test_github_answers_about_what_has_the_name_now() -> None:
    with github_host.running() as running:
        running.readers[LEDGER] = ["ada"]
        running.ids[LEDGER] = 12
        address = Address(running.server.address)
        with asking(GitHubHost(address, github_host.TOKEN)) as host:
            assert host.readers(LEDGER) == HostReaders(12, frozenset({"ada"}))


PARTS = ["finance", "members", "page=1", "collaborators", "teams", "/teams/1/", "r1"]
STATUSES = [301, 403, 404, 500, 503]
LOGINS = ("ada", "bob", "eve")


@pytest.mark.parametrize("form", ["gitlab", "gitea"])
def test_whatever_fails_nobody_sees_what_was_not_theirs_within_the_hour(
    gitlab: GitLab, gitea: Gitea, lab: Host, tea: Host, form: str
) -> None:
    """Rights change, parts of the host fail in any way, and names change hands."""
    host = lab if form == "gitlab" else tea
    seeds = range(amount(share=3, ci=12, whole=200))
    assert sum(seen_in_a_life(Random(seed), gitlab, gitea, host) for seed in seeds)


def seen_in_a_life(rng: Random, gitlab: GitLab, gitea: Gitea, host: Host) -> int:
    """Let a host change and fail for some hours; count what was seen."""
    now, seen_something = 1000.0, 0
    rows = [SourceRepository(f"finance/r{at}", host_id=10 + at) for at in range(3)]
    history: list[tuple[float, dict[str, set[str]]]] = []
    permissions = MirroredPermissions(host, lambda: rows, lambda _: None, lambda: now)
    for _ in range(12):
        rights = {row.name: set(rng.sample(LOGINS, rng.randint(0, 3))) for row in rows}
        others = {name for name in rights if rng.random() < 0.2}  # another one has the name
        gitlab.ids = {row.name: row.host_id + 100 * (row.name in others) for row in rows}
        gitea.ids = gitlab.ids
        gitlab.members = {}
        gitea.collaborators = {name: sorted(logins) for name, logins in rights.items()}
        gitea.teams = {name: [team(1)] for name in rights}
        gitea.members = {1: []}
        for name, logins in rights.items():
            for login in sorted(logins):
                gitlab.join(name, login)
        history.append((now, {name: rights[name] for name in rights if name not in others}))
        failing = {part: rng.choice(STATUSES) for part in PARTS if rng.random() < 0.15}
        gitlab.failing = gitea.failing = failing
        permissions.refresh()
        for login in LOGINS:
            allowed = {
                name
                for when, readers in history
                if when >= now - TRUSTED
                for name, logins in readers.items()
                if login in logins
            }
            visible = permissions.seen_by(login).repositories
            assert visible <= allowed
            seen_something += len(visible)
        now += rng.choice([30.0, FRESH, FRESH, 1200.0])
    return seen_something
