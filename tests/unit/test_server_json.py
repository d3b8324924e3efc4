"""What the MCP registry is told of the server is what the package is."""

import json
import tomllib
from pathlib import Path

from gitmem._version import __version__

ROOT = Path(__file__).resolve().parents[2]


def test_the_registry_is_told_what_the_package_is() -> None:
    described = json.loads((ROOT / "server.json").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (package,) = described["packages"]
    assert described["version"] == package["version"] == __version__
    # Who runs it calls the script that has the name of the distribution, with the extra it needs.
    assert package["identifier"] == project["name"]
    assert package["identifier"] in project["scripts"]
    (extra,) = package["runtimeArguments"]
    assert extra["value"] == f"{project['name']}[mcp]"
    assert "mcp" in project["optional-dependencies"]
    assert [argument["value"] for argument in package["packageArguments"]] == ["mcp"]
    # The registry looks for its own name in the published description.
    assert f"<!-- mcp-name: {described['name']} -->" in (ROOT / "README.md").read_text()
    assert len(described["description"]) <= 100
