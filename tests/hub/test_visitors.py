"""Who asks a hub: personal tokens, tokens of an issuer, and what they may see."""

from pathlib import Path

import pytest

from gitmem.errors import InvalidError
from gitmem.parts.hub.permissions import INSIDE
from gitmem.parts.hub.protocol import NOTHING, Seen
from gitmem.parts.hub.registry import Registry
from gitmem.parts.hub.taking import SourceRepository
from gitmem.parts.hub.visitors import HOST_TOKEN, Visitors
from tests.hub import gitea_host, github_host, gitlab_host, issuer

LEDGER = frozenset({"finance/ledger"})
BOTH = frozenset({"finance/ledger", "finance/vault"})


def hub(
    folder: Path, more: str = "", token: str = github_host.TOKEN
) -> tuple[Visitors, dict[str, str]]:
    """Make a hub with three personal tokens."""
    registry = Registry.read(str(folder))
    for name in sorted(BOTH):
        registry.add(SourceRepository(name, f"https://git.example.com/{name}"))
    tokens = {
        "ada": registry.new_token("ada", internal=True, repositories=[]),
        "narrow": registry.new_token("narrow", internal=False, repositories=["finance/vault"]),
    }
    path = folder / "hub.yaml"
    path.write_text(path.read_text() + more)
    environ = {HOST_TOKEN: token}
    return Visitors(lambda: Registry.read(str(folder)), environ), tokens


def test_without_permissions_the_line_of_a_token_decides(tmp_path: Path) -> None:
    visitors, tokens = hub(tmp_path)
    assert visitors.seen_by(tokens["ada"]) == ("ada", INSIDE)
    assert visitors.seen_by(tokens["narrow"])[1] == Seen(False, frozenset({"finance/vault"}))
    for nobody in ("", "gmh_made-up", "a.b.c"):
        assert visitors.seen_by(nobody) == ("", NOTHING)


def test_with_permissions_the_line_of_a_token_only_takes_away(tmp_path: Path) -> None:
    visitors, tokens = hub(tmp_path, "permissions:\n  file: people.yaml\n")
    assert visitors.seen_by(tokens["ada"]) == ("ada", NOTHING)  # no file, nothing at all
    (tmp_path / "people.yaml").write_text(
        "ada: [finance/ledger]\nnarrow: [finance/ledger, finance/vault]\n"
    )
    assert visitors.seen_by(tokens["ada"]) == ("ada", Seen(True, LEDGER))
    assert visitors.seen_by(tokens["narrow"])[1] == Seen(False, frozenset({"finance/vault"}))
    (tmp_path / "people.yaml").write_text("narrow: [finance/ledger]\n")
    assert visitors.seen_by(tokens["narrow"])[1] == NOTHING
    assert visitors.seen_by(tokens["ada"])[1] == INSIDE


def test_a_token_of_the_issuer_sees_what_the_host_says(tmp_path: Path) -> None:
    with issuer.running() as sso, github_host.running() as github:
        github.readers = {"finance/ledger": ["ada"], "finance/vault": []}
        visitors, _ = hub(
            tmp_path,
            f"people:\n  issuer: {sso.address}\n  user: nickname\n"
            f"permissions:\n  github: {github.server.address}\n",
        )
        assert visitors.permissions
        visitors.permissions.refresh()
        assert visitors.seen_by(sso.token(nickname="ada")) == ("ada", Seen(True, LEDGER))
        assert visitors.seen_by(sso.token(nickname="eve")) == ("eve", INSIDE)
        assert visitors.seen_by(sso.token(nickname="ada", aud="other")) == ("", NOTHING)
        assert visitors.seen_as("ada") == Seen(True, LEDGER)
        assert visitors.seen_as("") == NOTHING
        visitors.close()


def test_an_issuer_alone_lets_people_see_what_is_internal(tmp_path: Path) -> None:
    with issuer.running() as sso:
        visitors, _ = hub(tmp_path, f"people:\n  issuer: {sso.address}\n")
        assert visitors.seen_by(sso.token(preferred_username="ada")) == ("ada", INSIDE)


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_shared_secrets_are_no_algorithm(tmp_path: Path, algorithm: str) -> None:
    (tmp_path / "hub.yaml").write_text(
        f"people:\n  issuer: https://sso.example.com\n  algorithms: [{algorithm}]\n"
    )
    with pytest.raises(InvalidError, match="algorithms"):
        Registry.read(str(tmp_path))


@pytest.mark.parametrize(
    "line",
    [
        "{}", "{github: https://a.example.com, gitlab: https://b.example.com}",
        "{gitea: https://a.example.com, file: people.yaml}",
    ],
)  # fmt: skip
def test_permissions_name_one_source(tmp_path: Path, line: str) -> None:
    visitors, tokens = hub(tmp_path, f"permissions: {line}\n")
    with pytest.raises(InvalidError, match="no source"):
        visitors.seen_by(tokens["ada"])


@pytest.mark.parametrize("form", ["gitlab", "gitea"])
def test_other_hosts_say_what_a_user_sees(tmp_path: Path, form: str) -> None:
    with gitlab_host.running() as gitlab, gitea_host.running() as gitea:
        gitlab.join("finance/ledger", "Ada")
        gitea.ids["finance/ledger"] = 5
        gitea.collaborators["finance/ledger"] = ["Ada"]
        server, token = {
            "gitlab": (gitlab.server, gitlab_host.TOKEN), "gitea": (gitea.server, gitea_host.TOKEN),
        }[form]  # fmt: skip
        visitors, tokens = hub(tmp_path, f"permissions: {{{form}: '{server.address}'}}\n", token)
        assert visitors.permissions
        assert visitors.seen_by(tokens["ada"]) == ("ada", INSIDE)
        visitors.permissions.refresh()
        assert visitors.permissions.silent == ""
        assert visitors.seen_by(tokens["ada"]) == ("ada", Seen(True, LEDGER))
        assert Registry.read(str(tmp_path)).repository("finance/ledger").host_id
        visitors.close()
