"""The bill of materials names each package that gitmem needs, and no other."""

import tomllib
from importlib.metadata import version
from typing import Any, cast

from packaging.requirements import Requirement

from scripts.sbom import ROOT, bill_of


def bill(*requirements: str) -> dict[str, Any]:
    return cast("dict[str, Any]", bill_of("gitmem", "1.0", requirements))


def test_every_dependency_is_named_in_its_version() -> None:
    requirements = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    made = bill(*requirements)
    named = {part["name"].lower(): part["version"] for part in made["components"]}
    for requirement in map(Requirement, requirements):
        assert named[requirement.name.lower()] == version(requirement.name)
    assert "gitdb" in named, "what a dependency needs is needed, too"
    assert "pytest" not in named, "developers' tools are no part of it"
    references = {part["bom-ref"] for part in made["components"]}
    for edge in made["dependencies"]:
        assert {edge["ref"], *edge["dependsOn"]} <= references | {"pkg:pypi/gitmem@1.0"}


def test_what_a_marker_or_an_extra_leaves_out_is_not_named() -> None:
    assert bill("click; python_version < '3'", "click; extra == 'x'")["components"] == []
