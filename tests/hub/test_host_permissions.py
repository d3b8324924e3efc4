"""Who sees what, as the host of repositories says: asked over HTTP, mirrored, and fading away."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.errors import InvalidError
from gitmem.hub.client import Address
from gitmem.parts.hub.github import GitHubHost
from gitmem.parts.hub.host_api import HostSilentError
from gitmem.parts.hub.mirrored import FRESH, TRUSTED, MirroredPermissions
from gitmem.parts.hub.permissions import INSIDE, FilePermissions
from gitmem.parts.hub.protocol import NOTHING, Seen
from gitmem.parts.hub.taking import SourceRepository
from tests.hub.github_host import TOKEN, GitHub, running

LEDGER = SourceRepository("ledger", "git@git.example.com:Finance/Ledger.git")
VAULT = SourceRepository("finance/vault")
OPEN = SourceRepository("shop", "https://git.example.com/shop/web", internal=True)


@pytest.fixture
def github() -> Iterator[GitHub]:
    with running() as host:
        host.readers = {"finance/ledger": ["Ada", "bob"], "finance/vault": ["ada"], "shop/web": []}
        yield host


@pytest.fixture
def host(github: GitHub) -> Iterator[GitHubHost]:
    asking = GitHubHost(Address(github.server.address), TOKEN)
    yield asking
    asking.close()


class Mirror:
    """A mirror with a clock that is set by hand."""

    def __init__(self, host: GitHubHost) -> None:
        self.now = 1000.0
        self.rows = [LEDGER, VAULT, OPEN]
        self.recognised: dict[str, int] = {}
        self.permissions = MirroredPermissions(
            host, lambda: self.rows, self.recognised.update, lambda: self.now
        )

    def after(self, seconds: float) -> MirroredPermissions:
        self.now += seconds
        self.permissions.refresh()
        return self.permissions


def test_all_pages_are_read_and_only_who_may_read_counts(github: GitHub, host: GitHubHost) -> None:
    many = [f"user{number}" for number in range(250)]
    github.readers["finance/ledger"] = many
    github.outsiders["finance/ledger"] = ["eve"]
    assert host.readers("finance/ledger").users == frozenset(many)
    assert len(github.server.questions) == 4  # three pages, and which repository it is
    assert "eve" not in host.readers("finance/ledger").users


def test_what_has_not_changed_costs_nothing(github: GitHub, host: GitHubHost) -> None:
    github.readers["finance/ledger"] = [f"user{number}" for number in range(250)]
    before = host.readers("finance/ledger").users
    left = github.left
    assert host.readers("finance/ledger").users == before
    assert github.left == left
    github.left = 0  # only what is unchanged is answered now
    assert host.readers("finance/ledger").users == before
    github.left = 10
    github.readers["finance/ledger"].remove("user249")
    assert host.readers("finance/ledger").users == before - {"user249"}
    github.readers["finance/ledger"] = ["ada"]
    assert host.readers("finance/ledger").users == {"ada"}


def test_a_limit_is_told_with_how_long_to_wait(github: GitHub, host: GitHubHost) -> None:
    github.left = 0
    with pytest.raises(HostSilentError) as limit:
        host.readers("finance/ledger")
    assert 20 < limit.value.pause <= 30
    github.left, github.retry_after = 10, 7
    with pytest.raises(HostSilentError) as limit:
        host.readers("finance/ledger")
    assert limit.value.pause == 7


@pytest.mark.parametrize("status", [403, 404, 451])
def test_a_repository_that_the_host_does_not_show_has_no_readers(
    github: GitHub, host: GitHubHost, status: int
) -> None:
    assert host.readers("finance/ledger").users == {"ada", "bob"}
    github.failing["finance/ledger"] = status
    assert host.readers("finance/ledger").users == frozenset()


def test_another_answer_says_nothing(github: GitHub, host: GitHubHost) -> None:
    github.failing["finance/ledger"] = 500
    with pytest.raises(HostSilentError, match="status 500"):
        host.readers("finance/ledger")
    wrong = GitHubHost(Address(github.server.address), "wrong")
    with pytest.raises(HostSilentError, match="status 401") as refused:
        wrong.readers("finance/ledger")
    assert refused.value.about_all
    wrong.close()
    nobody = GitHubHost(Address("http://127.0.0.1:9"), TOKEN)
    with pytest.raises(HostSilentError):
        nobody.readers("finance/ledger")


def test_the_mirror_answers_both_ways_by_the_hubs_names(github: GitHub, host: GitHubHost) -> None:
    permissions = Mirror(host).after(0)
    assert permissions.seen_by("ADA") == Seen(True, frozenset({"ledger", "finance/vault"}))
    assert permissions.seen_by("bob") == Seen(True, frozenset({"ledger"}))
    assert permissions.users_of("ledger") == frozenset({"ada", "bob"})
    assert permissions.users_of("shop") is None  # internal: nobody asks
    assert not any("shop" in question.path for question in github.server.questions)


def test_an_unknown_user_sees_nothing_private(host: GitHubHost) -> None:
    mirror = Mirror(host)
    assert mirror.permissions.seen_by("ada") == INSIDE  # nothing was asked yet
    assert mirror.after(0).seen_by("eve") == INSIDE


def test_what_is_withdrawn_counts_for_five_minutes(github: GitHub, host: GitHubHost) -> None:
    mirror = Mirror(host)
    mirror.after(0)
    github.readers["finance/ledger"] = ["bob"]
    questions = len(github.server.questions)
    assert "ledger" in mirror.after(FRESH - 1).seen_by("ada").repositories
    assert len(github.server.questions) == questions
    assert mirror.after(1).seen_by("ada") == Seen(True, frozenset({"finance/vault"}))


def test_what_the_host_says_changed_is_asked_for_at_once(github: GitHub, host: GitHubHost) -> None:
    mirror = Mirror(host)
    mirror.after(0)
    github.readers["finance/ledger"] = []
    github.readers["finance/vault"] = []
    mirror.permissions.forget("ledger")
    assert mirror.after(1).seen_by("ada").repositories == {"finance/vault"}
    mirror.permissions.forget()
    assert mirror.after(1).seen_by("ada") == INSIDE


def test_a_host_that_does_not_answer_for_an_hour_lets_nobody_see_anything(
    github: GitHub, host: GitHubHost
) -> None:
    mirror = Mirror(host)
    before = mirror.after(0).seen_by("ada")
    github.failing = {"finance/ledger": 502, "finance/vault": 502}
    assert mirror.after(FRESH).seen_by("ada") == before
    assert mirror.permissions.silent == "it answers with status 502"
    assert mirror.after(TRUSTED - FRESH).seen_by("ada") == before
    assert mirror.after(1).seen_by("ada") == NOTHING
    assert mirror.permissions.users_of("ledger") is None
    github.failing = {}
    assert mirror.after(1).seen_by("ada") == before
    assert mirror.permissions.silent == ""


def test_one_repository_that_can_not_be_asked_about_fades_alone(
    github: GitHub, host: GitHubHost
) -> None:
    mirror = Mirror(host)
    mirror.after(0)
    github.failing = {"finance/ledger": 500}
    for _ in range(20):
        mirror.after(FRESH)
    assert mirror.permissions.seen_by("ada") == Seen(True, frozenset({"finance/vault"}))


def test_a_limit_is_kept_to(github: GitHub, host: GitHubHost) -> None:
    mirror = Mirror(host)
    mirror.after(0)
    github.retry_after = 60
    mirror.permissions.forget()
    mirror.after(1)
    questions = len(github.server.questions)
    mirror.after(50)
    assert len(github.server.questions) == questions
    github.retry_after = 0
    mirror.after(20)
    assert len(github.server.questions) == questions + 4


def test_a_repository_that_another_takes_the_name_of_is_asked_about_anew(
    github: GitHub, host: GitHubHost
) -> None:
    mirror = Mirror(host)
    mirror.after(0)
    mirror.rows = [SourceRepository("ledger", "https://git.example.com/finance/vault")]
    assert mirror.after(1).seen_by("bob") == INSIDE
    mirror.rows = []
    assert mirror.after(1).seen_by("ada") == INSIDE


def test_a_file_says_it_and_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "people.yaml"
    permissions = FilePermissions(str(path))
    assert permissions.seen_by("ada") == NOTHING
    assert "people.yaml" in permissions.silent
    path.write_text("Ada: [finance/ledger]\nbob: []\n")
    assert permissions.silent == ""
    assert permissions.seen_by("ada") == Seen(True, frozenset({"finance/ledger"}))
    assert permissions.seen_by("eve") == INSIDE
    assert permissions.users_of("finance/ledger") == frozenset({"ada"})
    path.write_text("ada: finance/ledger\n")
    os.utime(path, ns=(1, 1))
    assert permissions.seen_by("ada") == NOTHING
    with pytest.raises(InvalidError):
        permissions.read()
