"""Each name of a tool leads to one room, and its failures bear one name wherever they are shown."""

from typing import Any

import pytest

from gitmem.matching.editors import shown
from gitmem.matching.naming import with_canonical_names
from gitmem.output.failure import Failure
from gitmem.tools.choice import borne, language_of, load, names, tool_of, values
from lsp_server.failures import read


def test_a_name_is_claimed_by_one_tool() -> None:
    claimed = [name for others in values("names").values() for name in others]
    assert len(set(claimed)) == len(claimed)
    assert not set(claimed) & set(names())
    assert all(name == name.lower() for name in claimed)


def test_editors_write_only_names_of_the_tool() -> None:
    for module, sources in values("sources").items():
        assert {tool_of(source) for source in sources} == {module}


@pytest.mark.parametrize(
    ("name", "module", "in_records", "language"),
    [
        ("pytest", "pytest", "pytest", "python"),
        ("Pylance", "pyright", "pyright", "python"),
        (" TSServer ", "typescript", "typescript", "typescript"),
        ("js", "typescript", "typescript", "javascript"),
        ("clangd", "clang", "gcc", "c"),
        ("g++", "gcc", "gcc", "c"),
        ("ld", "gcc", "ld", "c"),
        ("Cargo", "cargo", "rustc", "rust"),
        ("rust-analyzer", "rustc", "rustc", "rust"),
        ("pycodestyle", "flake8", "ruff", "python"),
        ("ruff", "ruff", "ruff", "python"),
        ("java", "jvm", "java", "java"),
        ("psql", "", "psql", ""),
        ("", "", "", ""),
    ],
)
def test_a_name_leads_to_its_tool(name: str, module: str, in_records: str, language: str) -> None:
    assert (tool_of(name), borne(name), language_of(name)) == (module, in_records, language)


@pytest.mark.parametrize("source", sorted({s for each in values("sources").values() for s in each}))
def test_a_picture_and_a_server_name_the_same_tool(source: str) -> None:
    (picture,) = shown(f"Cannot find name 'x'. {source}(2304) [Ln 4, Col 3]")
    place = {"start": {"line": 3, "character": 2}, "end": {"line": 3, "character": 2}}
    raw: dict[str, Any] = {"range": place, "message": "Cannot find name 'x'.", "source": source}
    (server,) = read([{**raw, "code": "2304"}], "/x/a", "", lambda _: "")
    assert (picture.tool, picture.language) == (server.failure.tool, server.failure.language)


def test_fingerprints_take_one_name_for_all_that_a_tool_is_called() -> None:
    for module, canonical in values("identity.counts_as").items():
        for name in (module, *load(module).names):
            assert with_canonical_names(Failure(name.upper())).tool.lower() == canonical
