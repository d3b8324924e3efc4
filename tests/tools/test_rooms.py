"""Every tool has one room, in one form, and real outputs beside the tests of what it reads."""

import ast
import os
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from gitmem.tools.base import Tool
from gitmem.tools.choice import load, names

ROOMS = Path(__file__).parents[2] / "gitmem" / "tools"
OUTPUTS = Path(__file__).parent
MODULES = sorted(
    path.stem for path in ROOMS.glob("*.py") if "\nTOOL = Tool(" in path.read_text(encoding="utf-8")
)
MOST_LINES = 300
LEAST_ROOMS = 35

# Rooms whose outputs stand in another one's folder: who reads them is the other one, or one run
# says what both say.
ELSEWHERE = {
    "javac": "jvm",
    "minitest": "ruby",
    "ninja": "make",
    "node_test": "node",
    "phpunit": "php",
    "pnpm": "npm",
    "rspec": "ruby",
    "rustc": "cargo",
    "tap": "tape",
    "unity": "ctest",
    "uv": "pip",
}
# Rooms of which no output was kept: they print what another one prints, and are read by it.
WITHOUT_OUTPUTS = {"yarn": "npm"}


def module_of(name: str) -> ModuleType:
    return import_module(f"gitmem.tools.{name}")


def test_every_room_is_known() -> None:
    assert sorted(names()) == MODULES
    assert len(MODULES) >= LEAST_ROOMS


def test_no_two_rooms_are_asked_at_the_same_place() -> None:
    orders = Counter(load(name).order for name in names())
    assert [order for order, number in orders.items() if number > 1] == []


@pytest.mark.parametrize("name", MODULES)
def test_a_room_has_one_form(name: str) -> None:
    module = module_of(name)
    assert isinstance(module.TOOL, Tool)
    assert module.TOOL.name == name
    assert (module.__doc__ or "").strip()
    lines = (ROOMS / f"{name}.py").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= MOST_LINES


@pytest.mark.parametrize("name", MODULES)
def test_a_room_knows_no_other(name: str) -> None:
    tree = ast.parse((ROOMS / f"{name}.py").read_text(encoding="utf-8"))
    imported = {
        f"{node.module}.{one.name}" if isinstance(node, ast.ImportFrom) else one.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for one in node.names
    }
    rooms = {f"gitmem.tools.{other}" for other in MODULES}
    assert [one for one in imported if any(f"{one}.".startswith(f"{r}.") for r in rooms)] == []


@pytest.mark.parametrize("name", MODULES)
def test_outputs_of_a_room_stand_beside_its_tests(name: str) -> None:
    tool = load(name)
    if name in WITHOUT_OUTPUTS:
        assert tool.output.parse is None
        assert WITHOUT_OUTPUTS[name] in tool.output.like
        assert not (OUTPUTS / name).exists()
    elif name in ELSEWHERE:
        assert (OUTPUTS / ELSEWHERE[name] / "expected.tsv").exists()
        assert not (OUTPUTS / name).exists()
    elif tool.output.parse or tool.output.like:
        assert (OUTPUTS / name / "expected.tsv").exists()


def test_every_folder_of_outputs_belongs_to_a_room() -> None:
    folders = {name for name in os.listdir(OUTPUTS) if (OUTPUTS / name / "expected.tsv").exists()}
    assert folders - set(MODULES) == set()
    assert set(ELSEWHERE.values()) <= folders
