"""What Gradle and Maven write of each test is the proof, also where they print nothing of it."""

import os
from pathlib import Path

import pytest

from gitmem.exchange import junit
from gitmem.memory.failures.reporting import result_files

SUITE = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="{0}" tests="1" skipped="0" failures="0" errors="0" hostname="box" time="0.1">
  <testcase name="adds" classname="{0}" time="0.1"/>
</testsuite>
"""
FOLDERS = [
    (["./gradlew", "test"], "build/test-results/test"),
    (["gradle", "-q", "check"], "lib/core/build/test-results/integrationTest"),
    (["mvn", "-q", "verify"], "shop/target/surefire-reports"),
    (["sh", "-c", "cd lib && ../gradlew test"], "lib/build/test-results/test"),
]


def write(folder: Path, name: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"TEST-{name}.xml"
    path.write_text(SUITE.format(name), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(("command", "folder"), FOLDERS)
def test_what_a_run_wrote_is_told_from_what_lay_there(
    tmp_path: Path, command: list[str], folder: str
) -> None:
    kept = write(tmp_path / folder, "shop.CartTest")
    earlier = result_files(command, str(tmp_path))
    assert list(earlier.versions) == [kept]
    assert result_files(command, str(tmp_path)).written_since(earlier) == []
    written = write(tmp_path / folder, "shop.PriceTest")
    assert result_files(command, str(tmp_path)).written_since(earlier) == [written]


def test_other_commands_and_sources_have_no_results(tmp_path: Path) -> None:
    write(tmp_path / "build" / "test-results", "CartTest")
    write(tmp_path / "src" / "build" / "test-results", "CartTest")
    assert not result_files(["make", "test"], str(tmp_path)).versions
    assert len(result_files(["gradle", "test"], str(tmp_path)).versions) == 1


def test_a_link_or_a_pipe_is_no_report(tmp_path: Path) -> None:
    folder = tmp_path / "build" / "test-results"
    kept = write(folder, "CartTest")
    (folder / "TEST-link.xml").symlink_to(write(tmp_path / "elsewhere", "Other"))
    os.mkfifo(folder / "TEST-pipe.xml")
    assert list(result_files(["gradle", "test"], str(tmp_path)).versions) == [kept]


@pytest.mark.parametrize("name", ["CartTest", "shop.CartTest", "shop.CartTest$Inner"])
def test_a_class_is_named_as_in_a_trace(name: str) -> None:
    (case,) = junit.read(SUITE.format(name).encode()).cases
    assert case.name == f"{name}.adds"


def test_a_suite_of_another_runner_keeps_its_names() -> None:
    text = SUITE.format("CartTest").partition("\n")[2]
    (case,) = junit.read(f"<testsuites>{text}</testsuites>".encode()).cases
    assert case.name == "CartTest::adds"
