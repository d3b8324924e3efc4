"""What docs/hub-running.md and the compose file say: commands that are there, names that fit."""

import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.records import codec
from tests.e2e.running import run
from tests.hub import servers
from tests.hub.organisation import Hub, publishing

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
ROOT = Path(__file__).resolve().parents[2]
COMPOSE = ROOT / "examples/hub/compose.yaml"
PAGE = ROOT / "docs/hub-running.md"
TWO_SCREENS = 100
"""Lines of a page that somebody reads who has an evening."""


@pytest.fixture(scope="module")
def compose() -> Any:
    return codec.load(COMPOSE.read_bytes())


def commands() -> "list[list[str]]":
    """Give the gitmem commands of page and file, without what starts them in a container."""
    texts = [PAGE.read_text(), COMPOSE.read_text()]
    found = [line for text in texts for line in re.findall(r"(?m)(?:^|\s)(gitmem hub .*)$", text)]
    return [shlex.split(line)[1:] for line in found if "`" not in line]


def test_the_page_is_read_on_two_screens() -> None:
    assert len(PAGE.read_text().splitlines()) <= TWO_SCREENS


def test_each_command_is_one_of_ours(tmp_path: Path) -> None:
    assert len(commands()) >= 7
    for command in commands():
        # An unknown command or option is refused before help is shown.
        assert run(tmp_path, *command, "--help").code == 0, command


def test_services_fit_together(compose: "dict[str, Any]") -> None:
    services = compose["services"]
    assert set(services) == {"postgresql", "opensearch", "hub"}
    for name, service in services.items():
        assert ("image" in service) != ("build" in service), name
        for volume in service["volumes"]:
            assert volume.partition(":")[0] in compose["volumes"], name
        for other, wanted in service.get("depends_on", {}).items():
            assert "healthcheck" in services[other], "its health is waited for"
            assert wanted == {"condition": "service_healthy", "required": False}
            assert services[other]["profiles"] == [other], "which of them runs, a profile says"
        # Nothing but the hub is to be reached, and that from this machine only.
        ports = ["127.0.0.1:8790:8790"] if name == "hub" else []
        assert service.get("ports", []) == ports
    assert set(compose["volumes"]) == set(services)


def test_what_is_to_be_set_is_told_above(compose: "dict[str, Any]") -> None:
    text = COMPOSE.read_text()
    above = text.partition("\nservices:")[0]
    for name in set(re.findall(r"\$\{([A-Z_]+)", text)):
        assert name in above, name
    for profile in re.findall(r"COMPOSE_PROFILES=(\w+)", above):
        assert compose["services"][profile]["profiles"] == [profile]


def test_the_image_has_what_the_package_offers(compose: "dict[str, Any]") -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    built = compose["services"]["hub"]["build"]["dockerfile_inline"]
    name, extras = re.findall(r'"([\w-]+)\[([\w,-]+)\]"', built)[0]
    assert name == project["name"]
    assert set(extras.split(",")) <= set(project["optional-dependencies"])


def test_the_hub_starts_as_the_file_says(
    compose: "dict[str, Any]",
    make_repo: "Callable[..., Checkout]",
    tmp_path: Path,
    server: servers.Server,
    database: str,
) -> None:
    """Without containers: the same commands, on a port and a database of this test."""
    healthy = compose["services"]["postgresql"]["healthcheck"]["test"][1:]
    program = [f"{servers.binaries()}/{healthy[0]}", *healthy[1:]]
    there = ["-h", "127.0.0.1", "-p", str(server.port)]
    assert subprocess.run([*program, *there], check=False, capture_output=True).returncode == 0
    theirs = make_repo("api")
    publishing(theirs)
    hub = Hub(tmp_path / "hub", database)
    hub.run("add", "payments/api", str(theirs))
    serve, *rest = shlex.split(compose["services"]["hub"]["command"])[2:]
    assert serve == "serve"
    rest[rest.index("--port") + 1], rest[rest.index("--host") + 1] = "0", "127.0.0.1"
    with hub.serving(*rest) as url:
        assert url
    # The look at its start took the repository: what the page says of backups and monitoring.
    for command in (["rebuild"], ["check"], ["status"]):
        assert command in [each[1:] for each in commands()]
        hub.run(*command)
