"""``gitmem run`` where no test ran, and where a command's flag looks like one of our filters."""

import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout


@pytest.mark.parametrize("runner", [("pytest", "-q"), ("unittest",)], ids=lambda words: words[0])
def test_a_run_without_tests_is_no_failure_and_teaches_nothing(
    repo: "Checkout", runner: tuple[str, ...]
) -> None:
    ok(repo, "init")
    repo.commit()
    command = ("run", "--", sys.executable, "-m", *runner)
    empty = run(repo, *command)
    assert empty.code == 5
    assert "gitmem:" not in empty.err
    (repo / "test_a.py").write_text(
        "import unittest\n\n\nclass TestA(unittest.TestCase):\n    def test_a(self): pass\n"
    )
    passed = run(repo, *command)
    assert passed.code == 0
    assert "gitmem:" not in passed.err


def test_a_test_path_that_is_not_there_is_a_failure(repo: "Checkout") -> None:
    ok(repo, "init")
    missing = run(repo, "run", "--", sys.executable, "-m", "pytest", "-q", "nope.py")
    assert "gitmem: new  file or directory not found: nope.py" in missing.err


def test_a_flag_of_a_command_that_looks_like_a_filter_reaches_it_whole(repo: "Checkout") -> None:
    ok(repo, "init")
    for words in (("echo", "-verbosity:quiet"), ("--", "echo", "-verbosity:quiet")):
        assert run(repo, "run", *words).out == "-verbosity:quiet\n"


@pytest.mark.skipif(not shutil.which("go"), reason="there is no go here")
def test_a_go_program_that_somebody_stops_has_not_failed(repo: "Checkout") -> None:
    ok(repo, "init")
    (repo / "go.mod").write_text("module m\n\ngo 1.20\n")
    (repo / "main.go").write_text(
        'package main\n\nimport "time"\n\nfunc main() { println("up"); time.Sleep(time.Minute) }\n'
    )
    # The program is up before it is stopped: only then go says by what it ended.
    script = "go build -o /dev/null . && timeout -s INT 5 go run ."
    stopped = run(repo, "run", "--", "sh", "-c", script)
    assert "signal: interrupt" in stopped.err + stopped.out
    assert "gitmem:" not in stopped.err


@pytest.mark.skipif(not shutil.which("php"), reason="there is no php here")
def test_what_php_prints_is_no_part_of_the_error(repo: "Checkout") -> None:
    ok(repo, "init")
    (repo / "a.php").write_text("<?php\necho 0;\nexit(1);\n")
    assert "gitmem: new  php exited with 1" in run(repo, "run", "--", "php", "a.php").err
    (repo / "b.php").write_text('<?php\necho 0;\nthrow new RuntimeException("no cart");\n')
    assert "gitmem: new  RuntimeException: no cart" in run(repo, "run", "--", "php", "b.php").err
