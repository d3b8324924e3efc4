"""The bill of materials names each package that gitmem needs, and no other."""

import tomllib
from importlib.metadata import version
from typing import Any

from packaging.requirements import Requirement

from scripts.sbom import ROOT, bill_of, pins


def bill(*requirements: str) -> dict[str, Any]:
    return bill_of("gitmem", "1.0", requirements)


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


def test_an_audit_asks_for_all_that_the_bill_names() -> None:
    made = bill(*tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"])
    asked = [Requirement(pin) for pin in pins(made)]
    assert {one.name for one in asked} == {part["name"] for part in made["components"]}
    assert all(str(one.specifier).startswith("==") for one in asked)
    assert "make audit sbom" in (ROOT / ".github/workflows/release.yml").read_text()
