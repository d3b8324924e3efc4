"""Which files belong to which tool, and what lies around a command."""

import os
from pathlib import Path

import pytest

from gitmem.capture.generated_files import has_generated_name, is_noise
from gitmem.capture.roles import holds_tests, is_test
from gitmem.capture.surroundings import surroundings
from gitmem.git.events import manifests
from gitmem.tools.choice import load, values


@pytest.mark.parametrize("path", ["conftest.py", "a/b.bats", "web/__tests__/a.js", "tests/a.py"])
def test_files_of_tests_by_their_tools_and_by_custom(path: str) -> None:
    assert is_test(path)
    assert not holds_tests(path)


def test_a_runner_looks_for_tests_by_names_of_files() -> None:
    assert holds_tests("a/test_b.py")
    assert holds_tests("b_test.py")
    assert not holds_tests("a/test_b.js")


@pytest.mark.parametrize(
    ("path", "noise", "generated"),
    [
        ("a/.mypy_cache/x.py", True, False), ("a/b.pyc", True, False), ("nohup.out", True, False),
        ("target/a.rs", True, False), ("uv.lock", False, True), ("a/go.sum", False, True),
        ("web/a.min.js", False, True), ("a_pb2.py", False, True), ("a.py", False, False),
    ],
)  # fmt: skip
def test_files_that_nobody_writes(path: str, *, noise: bool, generated: bool) -> None:
    assert (is_noise(path), has_generated_name(path)) == (noise, generated)


def test_every_manifest_that_is_read_has_a_reader() -> None:
    assert values("files.reads").keys() == values("files.read").keys()
    assert all(load(tool).files.read for tool in values("files.reads"))


def test_every_file_that_lists_what_can_be_run_has_a_reader() -> None:
    runs = values("files.runs")
    read = {file for tool in values("files.targets") for file in runs[tool]}
    assert read == {file for files in runs.values() for file in files}


def test_a_file_names_dependencies_once() -> None:
    assert len(manifests()) == len(set(manifests()))
    assert {"package.json", "uv.lock", "requirements*.in", "Package.swift"} <= set(manifests())


def test_packages_around_a_command(tmp_path: Path) -> None:
    packages = tmp_path / "env/lib/python3.13/site-packages"
    for name in ("a_b-1.0.dist-info", "a_b", "c-d-2.dist-info"):
        (packages / name).mkdir(parents=True)
    python = tmp_path / "env/bin/python3"
    python.parent.mkdir()
    python.touch()
    python.chmod(0o755)
    for name in ("left-pad", ".bin"):
        (tmp_path / "web/node_modules" / name).mkdir(parents=True)
    path = str(python.parent)
    environ = {"PATH": path, "PYTEST_CURRENT_TEST": "x", "GITMEM_X": "y", "PORT": "1"}
    around = surroundings(environ, os.fspath(tmp_path / "web"))
    assert around.keys() == {"$PATH", "$PORT", "a_b", "c-d", "node_modules/left-pad"}
    assert (around["a_b"], around["c-d"], around["node_modules/left-pad"]) == ("1.0", "2", "")
    assert surroundings({"PATH": os.fspath(tmp_path)}, os.fspath(tmp_path)).keys() == {"$PATH"}
