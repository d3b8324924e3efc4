"""Parts stand beside the core: strangers' are equal to ours, and each can be left out."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gitmem import installed, part
from gitmem.cli.group import cli
from tests.depth import deep, only_deep

_ROOT = Path(__file__).resolve().parents[2]
_OWN = sorted(path.parent.name for path in (_ROOT / "gitmem" / "parts").glob("*/__init__.py"))
_PART = """
from gitmem.part import Part, PartCommand
PART = Part("{name}", commands={{"{command}": PartCommand("Greet.", "{name}_command:command")}})
"""
_COMMAND = """
import click

@click.command("greet")
def command():
    click.echo("from {name}")
"""
_WALK = """
import importlib, pkgutil, sys
import gitmem, lsp_server
for package in (gitmem, lsp_server):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if module.name.rpartition(".")[2] not in ("__main__", "windows"):
            importlib.import_module(module.name)
print(sorted(name for name in sys.modules if name.startswith("gitmem.parts.{name}")))
"""
# Of parts themselves, of a script that feeds what a part reads, and of the repository around.
_OF_A_PART = re.compile(r"gitmem\.(?:parts|compat)\b|import fuzz|check_commits|WORKFLOWS")
Install = Callable[[str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Give what puts a package with a part into a folder of packages of its own."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "path", [*sys.path, str(folder)])
    modules: list[str] = []

    def put(name: str, code: str) -> None:
        modules.extend((name, f"{name}_command"))
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
        text = _COMMAND.format(name=name)
        (folder / f"{name}_command.py").write_text(text, encoding="utf-8")
        info = folder / f"{name}-1.0.dist-info"
        info.mkdir()
        entry = f"[gitmem.parts]\n{name} = {name}:PART\n"
        (info / "entry_points.txt").write_text(entry, encoding="utf-8")
        forget()

    yield put
    monkeypatch.undo()
    for module in modules:
        sys.modules.pop(module, None)
    forget()


def forget() -> None:
    part._every.cache_clear()
    installed._every.cache_clear()


def test_a_strangers_part_brings_a_command(install: Install) -> None:
    install("acme", _PART.format(name="acme", command="greet"))
    shown = CliRunner().invoke(cli, ["greet"])
    assert (shown.exit_code, shown.output) == (0, "from acme\n")
    assert "greet: Greet" in CliRunner().invoke(cli, ["help", "--all"]).output
    assert "did you mean greet" in CliRunner().invoke(cli, ["greeet"]).output


def test_a_strangers_part_adds_a_command_to_a_group(install: Install) -> None:
    install("acme", _PART.format(name="acme", command="import acme"))
    shown = CliRunner().invoke(cli, ["import", "acme"])
    assert (shown.exit_code, shown.output) == (0, "from acme\n")
    assert "acme" in CliRunner().invoke(cli, ["import", "--help"]).output
    assert CliRunner().invoke(cli, ["acme"]).exit_code == 2


def test_no_part_takes_a_command_of_the_core_or_of_one_before(install: Install) -> None:
    core = cli.get_command(click.Context(cli), "search")
    install("acme", _PART.format(name="acme", command="search"))
    install("bolt", _PART.format(name="bolt", command="greet"))
    install("cord", _PART.format(name="cord", command="greet"))
    assert cli.get_command(click.Context(cli), "search") is core
    assert CliRunner().invoke(cli, ["greet"]).output == "from bolt\n"


def test_a_part_that_cannot_be_loaded_says_why_and_stops_no_other(install: Install) -> None:
    install("acme", "raise ImportError('no libacme here')\n")
    install("bolt", _PART.format(name="bolt", command="greet"))
    shown = CliRunner().invoke(cli, ["acme"])
    assert "this part of acme can't be loaded: no libacme here" in str(shown.exception)
    assert CliRunner().invoke(cli, ["greet"]).output == "from bolt\n"


@pytest.mark.parametrize("name", _OWN)
def test_the_core_does_without_a_part(tmp_path: Path, name: str) -> None:
    environment = _without(tmp_path, name)
    walk = _WALK.replace("{name}", name)
    done = subprocess.run(
        [sys.executable, "-c", walk], cwd=tmp_path, env=environment, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr


@deep
@only_deep
@pytest.mark.parametrize("name", _OWN)
def test_the_tests_of_the_core_pass_without_a_part(tmp_path: Path, name: str) -> None:
    environment = _without(tmp_path, name)
    for path in _ROOT.iterdir():
        if path.name not in ("gitmem", "lsp_server", ".git", "build"):
            os.symlink(path, tmp_path / path.name)
    tests = [
        str(path.relative_to(_ROOT))
        for path in sorted((_ROOT / "tests" / "unit").glob("test_*.py"))
        if not _OF_A_PART.search(path.read_text(encoding="utf-8"))
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]


def _without(folder: Path, name: str) -> dict[str, str]:
    """Copy the product without a part; give the environment in which the copy is imported."""
    for package in ("gitmem", "lsp_server"):
        shutil.copytree(
            _ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.rmtree(folder / "gitmem" / "parts" / name)
    if name == "compat":
        shutil.rmtree(folder / "gitmem" / "compat")  # the path by which programs import it
    inherited = {name: text for name, text in os.environ.items() if "PYTEST" not in name}
    return {**inherited, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
