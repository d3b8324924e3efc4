"""The pytest plugin: real pytest in real repositories, with and without xdist."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory
from tests.depth import sampled
from tests.e2e.running import Result, decoded, environment, ok, run
from tests.observing import records

if TYPE_CHECKING:
    from gitmem.capture.runs import Run
    from tests.conftest import Built, Checkout

CART = """\
def total(prices):
    return sum(prices) + 1


def lookup(name):
    return {"apple": 1}[name]
"""
TESTS = """\
import pytest

from cart import lookup, total


@pytest.fixture
def basket():
    return [1, 2]


def test_total(basket):
    assert total(basket) == 3


@pytest.mark.parametrize("name", ["pear", "plum"])
def test_lookup(name):
    assert lookup(name)


def test_fine():
    pass
"""
TOTAL, PEAR, PLUM = (
    f"test_cart.py::{name}" for name in ("test_total", "test_lookup[pear]", "test_lookup[plum]")
)


@pytest.fixture
def shop(repo: "Checkout", built: "Built") -> "Checkout":
    """Give a repository with a memory and tests of which three cases fail."""
    return built(repo, begin)


def begin(repo: "Checkout") -> None:
    ok(repo, "init")
    repo.add("conftest.py", "")
    repo.add(".gitignore", "__pycache__/\n")
    repo.add("cart.py", CART)
    repo.add("test_cart.py", TESTS)
    repo.commit()


def ran(shop: Path, *options: str, **env: str | None) -> Result:
    """Run pytest itself."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    done = subprocess.run(
        command, cwd=shop, env=environment(env), capture_output=True, check=False, timeout=100
    )
    return Result(done.returncode, decoded(done.stdout), decoded(done.stderr))


def observed(shop: Path) -> "list[Run]":
    """Give all noted runs, oldest first."""
    with Memory.open(str(shop)) as memory:
        return memory.failures.runs(0)[::-1]


def cases(run: "Run") -> dict[str, Any]:
    """Give what failed, by name; every name must be there once."""
    made = {one.name: one for one in run.failing}
    assert len(made) == len(run.failing)
    return made


def test_off_it_loads_nothing_and_notes_nothing(shop: "Checkout") -> None:
    loaded = "sorted(name for name in sys.modules if name.startswith('gitmem'))"
    shop.add(
        "test_cart.py",
        f"import sys\ndef test_loaded():\n    assert {loaded} == "
        "['gitmem', 'gitmem._version', 'gitmem.pytest_plugin']\n",
    )
    done = ran(shop)
    assert done.code == 0, done
    assert "gitmem" not in done.out
    assert observed(shop) == []


@sampled(1)
@pytest.mark.parametrize("way", ["option", "setting", "environment"])
def test_each_way_to_ask_for_it_notes_the_run_once(shop: "Checkout", way: str) -> None:
    options: list[str] = []
    env: dict[str, str | None] = {}
    if way == "option":
        options = ["-p", "gitmem"]
    elif way == "setting":
        shop.add("pytest.ini", "[pytest]\ngitmem = true\n")
    else:
        env = {"GITMEM_PYTEST": "1"}
    done = ran(shop, "-k", "total or fine", *options, **env)
    assert done.code == 1
    assert "gitmem: new  test_total: assert 4 == 3" in done.out
    (noted,) = observed(shop)
    # How it was asked for makes no other command of it.
    assert noted.command == ("pytest", "-q", "-p", "no:cacheprovider", "-k", "total or fine")
    assert ran(shop, *options, **{**env, "GITMEM_PYTEST": "0"}).code == 1
    assert len(observed(shop)) == 1


def test_a_failing_case_tells_input_values_place_and_time(shop: "Checkout") -> None:
    done = ran(shop, "-p", "gitmem")
    assert done.code == 1
    (noted,) = observed(shop)
    assert noted.tests
    assert noted.tests.counts == {"passed": 1, "failed": 3}
    assert noted.tests.complete
    assert noted.tests.passed("test_cart.py::test_fine")
    found = cases(noted)
    assert set(found) == {TOTAL, PEAR, PLUM}
    total, pear = found[TOTAL], found[PEAR]
    assert (total.input, total.expected, total.actual) == ("basket=[1, 2]", "3", "4")
    assert (total.function, total.line) == ("test_total", 12)
    assert (pear.input, pear.function, pear.line) == ("name='pear'", "lookup", 6)
    assert total.seconds is not None
    # Another key that is missing is another error, in the same place.
    assert pear.site != found[PLUM].site
    assert len(noted.failures) == 3
    told = ok(shop, "runs", "--latest")
    assert "1 passed, 3 failed" in told
    assert "expected  3" in told


def test_with_xdist_it_is_the_same(shop: "Checkout") -> None:
    assert ran(shop, "-p", "gitmem").code == 1
    assert ran(shop, "-p", "gitmem", "-n", "2").code == 1
    plain, parallel = observed(shop)
    assert parallel.tests
    assert plain.tests
    assert parallel.tests.counts == plain.tests.counts

    def without_time(run: "Run") -> dict[str, Any]:
        return {name: one._replace(seconds=None) for name, one in cases(run).items()}

    assert without_time(parallel) == without_time(plain)


def test_what_the_output_tells_is_the_same_failure(shop: "Checkout") -> None:
    """Whoever turns the plugin on or off still finds what was recorded before."""
    shop.add(
        "test_more.py",
        "import pytest\n"
        "class Odd(Exception):\n    pass\n"
        "def test_message():\n    one = 1\n    assert one == 2, 'said'\n"
        "def test_fail():\n    pytest.fail('no way')\n"
        "def test_odd():\n"
        "    try:\n        {}[1]\n    except KeyError as error:\n"
        "        raise Odd('very\\nodd') from error\n"
        "@pytest.fixture\ndef broken():\n    raise RuntimeError('no basket')\n"
        "def test_setup(broken):\n    pass\n"
        "@pytest.mark.xfail(strict=True)\ndef test_passes():\n    pass\n",
    )
    shop.add("test_import.py", "import nothing_here\n")
    command = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider",
               "--continue-on-collection-errors")  # fmt: skip
    assert run(shop, "run", "--", *command, env={"GITMEM_PYTEST": "0"}).code == 1
    assert run(shop, "run", "--", *command, env={"GITMEM_PYTEST": "1"}).code == 1
    printed, reported = observed(shop)
    assert reported.command == printed.command
    assert printed.tests
    assert reported.tests
    assert (printed.tests.complete, reported.tests.complete) == (False, True)
    assert {seen.exact for seen in printed.failures} == {seen.exact for seen in reported.failures}
    assert {one.name for one in printed.failing} == {one.name for one in reported.failing}
    assert len(reported.failing) == 9
    assert reported.failures[0].fields["test"]["name"] == "test_import.py"


def test_under_gitmem_run_it_is_noted_once(shop: "Checkout") -> None:
    env = {"GITMEM_PYTEST": "1"}
    done = run(shop, "run", "--", sys.executable, "-m", "pytest", "-q", env=env)
    assert done.code == 1
    assert done.err.count("gitmem: new  KeyError: 'pear'") == 1
    assert "gitmem" not in done.out
    (noted,) = observed(shop)
    assert cases(noted)[TOTAL].input == "basket=[1, 2]"


def test_packages_with_tests_of_one_name_are_told_apart(shop: "Checkout") -> None:
    for package, value in (("a", "1 == 2"), ("b", "True")):
        shop.add(f"{package}/pytest.ini", "[pytest]\ngitmem = true\n")
        shop.add(f"{package}/test_one.py", f"def test_one():\n    assert {value}\n")
    each = "; ".join(f"(cd {one} && {sys.executable} -m pytest -q) || bad=1" for one in "ab")
    assert run(shop, "run", "--", "sh", "-c", f"{each}; exit $bad").code == 1
    (noted,) = observed(shop)
    assert [one.name for one in noted.failing] == ["a/test_one.py::test_one"]
    assert noted.tests
    assert noted.tests.counts == {"passed": 1, "failed": 1}
    assert noted.tests.passed("b/test_one.py::test_one")
    assert not noted.tests.passed("a/test_one.py::test_one")


def test_runs_inside_of_a_run_are_part_of_it(shop: "Checkout") -> None:
    shop.add(
        "test_cart.py",
        "import subprocess, sys\n"
        "def test_inner():\n"
        "    done = subprocess.run([sys.executable, '-m', 'pytest', '-p', 'gitmem', 'inner.py'])\n"
        "    assert done.returncode == 1\n",
    )
    shop.add("inner.py", "def test_bad():\n    assert False\n")
    assert ran(shop, "-p", "gitmem").code == 0
    (noted,) = observed(shop)
    assert noted.green
    env = {"GITMEM_PYTEST": "1"}
    assert run(shop, "run", "--", sys.executable, "-m", "pytest", "-q", env=env).code == 0
    assert [one.green for one in observed(shop)] == [True, True]


def test_red_edit_green_is_learnt_and_a_skipped_test_is_not_fixed(shop: "Checkout") -> None:
    skip = "import os\n\n\n@pytest.mark.skipif(os.path.exists('off'), reason='off')\ndef test_total"
    shop.add("test_cart.py", TESTS.replace("def test_total", skip).replace('"pear", "plum"', ""))
    shop.commit()
    assert ran(shop, "-p", "gitmem").code == 1
    shop.add("off", "")
    done = ran(shop, "-p", "gitmem")
    assert done.code == 0, done
    assert "learnt" not in done.out
    assert "fixed" not in done.out
    Path(shop, "off").unlink()
    shop.add("cart.py", CART.replace(" + 1", ""))
    done = ran(shop, "-p", "gitmem")
    assert done.code == 0, done
    assert re.search("gitmem: learnt  test_.*: assert 4 == 3", done.out)
    (error,) = records(shop, "error")
    assert error.test.name == TOTAL
    assert (error.test.expected, error.test.actual) == ("3", "4")
    (fix,) = records(shop, "fix")
    assert (fix.outcome, "off" in fix.patch) == ("worked", False)
    shop.commit()
    # Back again: what worked is shown below the summary.
    shop.add("cart.py", CART)
    done = ran(shop, "-p", "gitmem")
    assert "seen 1 time" in done.out
    assert "replace `return sum(prices) + 1` by `return sum(prices)`" in done.out


def test_the_questions_about_the_latest_run(shop: "Checkout") -> None:
    def asked(*words: str, code: int = 0) -> dict[str, Any]:
        done = run(shop, *words, "--json")
        assert done.code == code, done
        made: dict[str, Any] = json.loads(done.out)
        return made

    assert run(shop, "runs", "all-passed").code == 3
    shop.add("cart.py", CART.replace('"apple": 1', '"apple": 1, "pear": 2, "plum": 3'))
    ran(shop, "-p", "gitmem")
    shop.add("cart.py", CART.replace(" + 1", ""))
    ran(shop, "-p", "gitmem")
    assert run(shop, "runs", "all-passed").code == 1
    made = asked("runs", "regressions")
    assert [(one["name"], one["was"]) for one in made["cases"]] == [
        (PEAR, "passed"),
        (PLUM, "passed"),
    ]
    assert len(made["failures"]) == 2
    told = ok(shop, "runs", "regressions")
    assert f"{PEAR}  passed before" in told
    best = asked("runs", "best-attempt")
    assert best["run"]["tests"]["rate"] == 0.75
    assert [one["name"] for one in best["run"]["cases"]] == [TOTAL]
    assert "75.0% of its tests passed" in ok(shop, "runs", "best-attempt")
    latest = asked("runs", "--latest")["run"]
    assert {one["name"] for one in latest["cases"]} == {PEAR, PLUM}
    assert asked("runs", latest["id"])["run"] == latest
    assert asked("runs")["runs"][0]["id"] == latest["id"]
    with Memory.open(str(shop)) as memory:
        assert [one.name for one in memory.failures.failed_cases()] == [PEAR, PLUM]
        assert not memory.failures.all_passed()
    shop.add("cart.py", CART.replace(" + 1", "").replace("[name]", ".get(name, 1)"))
    ran(shop, "-p", "gitmem")
    done = run(shop, "runs", "all-passed")
    assert (done.code, len(done.out.splitlines())) == (0, 1)
    assert "4 passed" in done.out
    assert asked("runs", "regressions")["cases"] == []
    assert [one["green"] for one in asked("runs", "--failed")["runs"]] == [False, False]


def test_runs_go_into_the_live_session_and_its_record(shop: "Checkout") -> None:
    ok(shop, "session", "start", "Mend the cart")
    ran(shop, "-p", "gitmem")
    shop.add("cart.py", CART.replace(" + 1", "").replace("[name]", ".get(name, 1)"))
    ran(shop, "-p", "gitmem")
    assert "passed" in ok(shop, "session", "status")
    ok(shop, "session", "end", "--success")
    (session,) = records(shop, "session")
    red, green = session.test_runs
    assert (red.attempt, red.result, red.passed, red.failed) == (1, "failed", 1, 3)
    assert {one.name for one in red.cases} == {TOTAL, PEAR, PLUM}
    assert {one.input for one in red.cases} >= {"basket=[1, 2]", "name='pear'"}
    assert red.timing.seconds > 0
    assert (green.attempt, green.result, green.passed, green.cases) == (2, "passed", 4, ())
    assert "Tests: 2 runs, 1 failed" in session.summary


def test_a_secret_in_a_value_is_not_written(shop: "Checkout") -> None:
    secret = "ghp_" + "aB3dE5gH7jK9" * 3
    shop.add("test_cart.py", f"def test_token():\n    token = {secret!r}\n    assert token == ''\n")
    ok(shop, "session", "start", "Look")
    assert ran(shop, "-p", "gitmem").code == 1
    (noted,) = observed(shop)
    assert noted.failing[0].actual
    written = [path for path in Path(shop, ".git", "gitmem").rglob("*") if path.is_file()]
    assert written
    assert not [path for path in written if secret.encode() in path.read_bytes()]


def test_a_fault_of_ours_is_one_line_and_changes_nothing(shop: "Checkout") -> None:
    shop.add(
        "test_cart.py",
        "class Wild:\n    def __repr__(self):\n        raise RuntimeError('no')\n"
        "def test_wild():\n    assert Wild() is None\n",
    )
    done = ran(shop, "-p", "gitmem")
    assert done.code == 1
    (noted,) = observed(shop)
    assert noted.failing[0].actual == "<Wild instance>"
    done = ran(shop, "-p", "gitmem", GITMEM_PYTEST_REPORT=str(shop / "nowhere"))
    assert done.code == 1
    (line,) = [line for line in done.out.splitlines() if line.startswith("gitmem: ")]
    assert "this run is not recorded" in line
    assert "INTERNALERROR" not in done.out + done.err


def test_without_a_memory_it_says_so_in_a_line(repo: "Checkout") -> None:
    repo.add("test_a.py", "def test_a():\n    pass\n")
    done = ran(repo, "-p", "gitmem")
    assert done.code == 0
    (line,) = [line for line in done.out.splitlines() if line.startswith("gitmem: ")]
    assert "no memory in" in line
    assert "1 passed" in done.out


def test_each_subtest_and_a_failing_teardown_are_failures_of_their_test(shop: "Checkout") -> None:
    shop.add(
        "test_cart.py",
        "import pytest, unittest\n"
        "class TestOld(unittest.TestCase):\n"
        "    def test_parts(self):\n"
        "        for n in range(3):\n"
        "            with self.subTest(n=n):\n"
        "                self.assertEqual(n, 1)\n"
        "@pytest.fixture\ndef leaky():\n    yield\n    raise OSError('left open')\n"
        "def test_leaky(leaky):\n    pass\n",
    )
    assert ran(shop, "-p", "gitmem").code == 1
    (noted,) = observed(shop)
    found = cases(noted)
    parts = {f"test_cart.py::TestOld::test_parts (n={n})" for n in (0, 2)}
    assert set(found) == {*parts, "test_cart.py::test_leaky"}
    assert found["test_cart.py::test_leaky"].status == "error"
    assert found["test_cart.py::test_leaky"].function == "leaky"


def test_an_interrupted_run_is_no_evidence(shop: "Checkout") -> None:
    shop.add("test_cart.py", "def test_stop():\n    raise KeyboardInterrupt\n")
    assert ran(shop, "-p", "gitmem").code == 2
    (noted,) = observed(shop)
    assert not noted.whole
    assert not noted.evidence
