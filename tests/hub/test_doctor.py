"""``gitmem hub doctor``: what is wrong with a hub, each with what to do about it."""

import subprocess
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.e2e.running import COMMAND, environment
from tests.hub import github_host, issuer
from tests.hub.organisation import Hub
from tests.hub.test_taking import publishing, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")


@pytest.mark.parametrize("kind", ["database", "opensearch"])
def test_a_hub_that_is_well_and_one_that_is_not(
    kind: str,
    request: pytest.FixtureRequest,
    make_repo: "Callable[..., Checkout]",
    tmp_path: Path,
) -> None:
    hub = Hub(tmp_path / "hub", request.getfixturevalue(kind))
    repo, other = make_repo("api"), make_repo("web")
    for checkout in (repo, other):
        publishing(checkout)
        write(checkout, Random(1), 3)
        checkout.commit()
    hub.run("add", "payments/api", str(repo))
    told = hub.run("doctor", code=1)
    assert "wrong  payments/api: not taken yet (gitmem hub sync payments/api)" in told
    hub.run("sync")
    told = hub.run("doctor")
    assert "wrong" not in told
    assert "ok     the database answers and can be written" in told
    assert f"ok     payments/api: taken at its head, {repo.git('rev-parse', 'HEAD')[:10]}" in told
    write(repo, Random(2), 1)
    repo.commit()
    assert "ok     payments/api: behind its head, taken 0 h ago" in hub.run("doctor")
    hub.run("add", "web", str(other))
    hub.run("token", "ada", "--see", "web")
    hub.run("sync", "web")
    yaml = (hub.folder / "hub.yaml").read_text()
    (hub.folder / "hub.yaml").write_text(yaml.replace("  web:\n", "  shop:\n", 1))
    other.rename(tmp_path / "elsewhere")
    told = hub.run("doctor", code=1)
    assert "wrong  web is in the database, and not in hub.yaml" in told
    assert "wrong  the token of ada names web, which this hub does not read" in told
    assert "wrong  shop: " in told


def test_a_database_that_is_down_is_told_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [COMMAND, "hub", "--at", str(tmp_path), "doctor"], capture_output=True, text=True,
        check=False, env=environment({"GITMEM_HUB_DATABASE": "opensearch+ftp://127.0.0.1"}),
    )  # fmt: skip
    assert done.returncode == 2
    assert "not an address of OpenSearch" in done.stderr
    assert "Traceback" not in done.stderr


def test_who_asks_and_what_they_may_see_is_looked_at(database: str, tmp_path: Path) -> None:
    with issuer.running() as sso, github_host.running() as github:
        hub = Hub(tmp_path, database, GITMEM_HUB_HOST_TOKEN=github_host.TOKEN)
        hub.run("add", "finance/ledger", "https://127.0.0.1:9/finance/ledger")
        github.readers = {"finance/ledger": ["ada", "bob"]}
        path = tmp_path / "hub.yaml"
        plain = path.read_text()
        path.write_text(
            f"{plain}people:\n  issuer: {sso.address}\n"
            f"jobs:\n  issuer: {sso.address}\npermissions:\n  github: {github.server.address}\n"
        )
        told = hub.run("doctor", code=1)
        assert "ok     people: the issuer answers, with 1 key\n" in told
        assert "ok     jobs: the issuer answers, with 1 key\n" in told
        assert "ok     finance/ledger: 2 people may see it, by its permissions\n" in told
        github.readers = {}
        assert "wrong  finance/ledger: 0 people may see it" in hub.run("doctor", code=1)
        hub.environ["GITMEM_HUB_HOST_TOKEN"] = "wrong"
        assert "wrong  permissions: it answers with status 401" in hub.run("doctor", code=1)
        sso.down = True
        told = hub.run("doctor", code=1)
        assert f"wrong  the keys of {sso.address} can't be fetched" in told
        path.write_text(f"{plain}permissions:\n  file: people.yaml\n")
        assert "people.yaml: No such file" in hub.run("doctor", code=1)
