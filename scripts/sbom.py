"""Write the bill of materials of what is installed with gitmem, as CycloneDX 1.5 in JSON.

python scripts/sbom.py > build/sbom.cdx.json
python scripts/sbom.py --pins > build/pins.txt      a line NAME==VERSION for each, for an audit

It names gitmem's own dependencies and what they need, in the versions of this environment; what
only developers need is left out.
"""

import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement

import gitmem

ROOT: Final = Path(__file__).parents[1]


def _purl(name: str, version: str) -> str:
    return f"pkg:pypi/{re.sub(r'[-_.]+', '-', name).lower()}@{version}"


def _needed(requirements: Iterable[str]) -> list[Distribution]:
    """Give what is needed here, without extras."""
    needed = map(Requirement, requirements)
    return [
        distribution(each.name)
        for each in needed
        if each.marker is None or each.marker.evaluate({"extra": ""})
    ]


def _purl_of(installed: Distribution) -> str:
    return _purl(installed.metadata["Name"], installed.version)


def bill_of(name: str, version: str, requirements: Iterable[str]) -> dict[str, Any]:
    """Give the bill of a program and of all that it needs."""
    own = _purl(name, version)
    waiting = _needed(requirements)
    depends_on = {own: sorted(map(_purl_of, waiting))}
    installed: dict[str, Distribution] = {}
    while waiting:
        its = waiting.pop()
        if (purl := _purl_of(its)) not in installed:
            installed[purl] = its
            needed = _needed(its.requires or ())
            depends_on[purl] = sorted(map(_purl_of, needed))
            waiting += needed
    components = [
        {
            "type": "library", "bom-ref": purl, "purl": purl,
            "name": installed[purl].metadata["Name"], "version": installed[purl].version,
        }
        for purl in sorted(installed)
    ]  # fmt: skip
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application", "bom-ref": own, "purl": own,
                "name": name, "version": version,
            }
        },
        "components": components,
        "dependencies": [
            {"ref": purl, "dependsOn": needed} for purl, needed in sorted(depends_on.items())
        ],
    }  # fmt: skip


def pins(bill: dict[str, Any]) -> Iterator[str]:
    """Give what a bill names as requirements, each in its version."""
    return (f"{part['name']}=={part['version']}" for part in bill["components"])


if __name__ == "__main__":
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    bill = bill_of(project["name"], gitmem.__version__, project["dependencies"])
    print("\n".join(pins(bill)) if "--pins" in sys.argv else json.dumps(bill, indent=2))
