"""``gitmem ci`` at the end of jobs of real tools: what it tells, what it writes, how it exits."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from markdown_it import MarkdownIt

from gitmem.memory import Memory
from tests.depth import sampled
from tests.e2e.running import on_path

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "ci"
_TESTS = (
    "def total(prices):\n    return sum(prices) / len(prices)\n\n"
    "def test_mean():\n    assert total([]) == 0\n\n"
    "def test_new():\n    raise KeyError('@all <b>x</b> [a](http://b)')\n"
)


@pytest.fixture
def world(repo: "Checkout", built: "Built") -> "Checkout":
    """Make a repository whose tests fail in a way that was seen before, and in a new one."""
    return built(repo, learn)


def learn(repo: "Checkout") -> None:
    Memory.init(str(repo))
    repo.add("test_shop.py", _TESTS)
    repo.commit("start")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junit-xml=report.xml"],
        cwd=repo, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 1
    (repo / "build.log").write_text(ran.stdout)
    with Memory.open(str(repo)) as memory:
        found = memory.failures.capture(
            [(repo / "report.xml").read_bytes()], source="r", record=True
        )
        known, new = found.written
        memory.resolve(known, {"approach": "give 0 for no prices", "title": "no prices, no mean"})
        (repo / ".memory" / memory.find(new).path).unlink()
    repo.commit("learnt")


def ci(world: "Checkout", *arguments: str, code: int = 0, **environ: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name != "GITHUB_STEP_SUMMARY"}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "gitmem", "ci", *arguments], cwd=world,
        env={**kept, **environ}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def journal(world: "Checkout") -> dict[str, bytes]:
    folder = Path(world, ".git/gitmem/journal")
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("source", ["report.xml", "build.log"])
def test_what_worked_is_told_in_the_summary(world: "Checkout", tmp_path: Path, source: str) -> None:
    before = journal(world), world.git("status", "--porcelain")
    summary = tmp_path / "summary.md"
    summary.write_text("# of another step\n")
    said = ci(world, source, GITHUB_STEP_SUMMARY=str(summary))
    assert "2 failures, 1 seen before" in said
    assert "no prices, no mean" in said
    text = summary.read_text()
    assert text.startswith("# of another step\n")
    assert "### gitmem: 2 failures, 1 seen before" in text
    assert "give 0 for no prices" in text
    assert "#### New failures" in text
    # What tests and records are called is quoted; a host mentions nobody and links nothing.
    assert "<b>" not in text
    page = MarkdownIt("gfm-like").render(text)
    assert "<a " not in page
    assert "@all" in page
    assert "@" not in re.sub(r"<code>.*?</code>", "", page)
    assert (journal(world), world.git("status", "--porcelain")) == before


def test_the_exit_code_is_what_was_asked_for(world: "Checkout") -> None:
    ci(world, "report.xml")
    ci(world, "report.xml", "--fail-on", "known", code=1)
    ci(world, "report.xml", "--fail-on", "known", "--fail-on", "never")
    ci(world, "--fail-on", "known")
    world.add(".memory/notes/2026/01/no-id.yaml", "title: [\n")
    assert ".memory/notes/2026/01/no-id.yaml" in ci(world, code=1)
    ci(world, "--fail-on", "never")
    ci(world, "--fail-on", "known")


def test_warnings_of_the_memory_are_one_line(world: "Checkout", tmp_path: Path) -> None:
    """All of them stood in every job's summary."""
    for number in range(3):
        world.add(f".memory/strange{number}/x.txt", "no record")
    target = tmp_path / "out.md"
    written = ci(world, "report.xml", "--summary", str(target)) + target.read_text()
    assert written.count("3 warnings in the memory: gitmem check") == 2
    assert "strange0" not in written
    world.add(".memory/notes/2026/01/no-id.yaml", "title: [\n")
    ci(world, "report.xml", "--summary", str(target), code=1)
    assert "no-id.yaml" in target.read_text()


def test_a_review_comes_with_it(world: "Checkout", tmp_path: Path) -> None:
    target = tmp_path / "out.md"
    ci(world, "--review", "HEAD~1", "--summary", str(target))
    text = target.read_text()
    assert "### gitmem: no failure" in text
    assert "New errors, and what was tried" in text
    data = json.loads(ci(world, "report.xml", "--review", "HEAD~1..HEAD", "--json"))
    assert data["known"] == 1
    assert len(data["review"]["errors"]) == 1


def test_a_shallow_clone_that_lacks_a_branch_is_told_all_else(world: "Checkout") -> None:
    shallow = type(world)(world.parent / "shallow")
    world.git("clone", "-q", "--depth=1", f"file://{world}", str(shallow))
    shutil.copy(world / "report.xml", shallow)
    told = ci(shallow, "report.xml", "--review", "origin/release...")
    assert "2 failures, 1 seen before" in told
    assert "not reviewed: no revision origin/release: this clone is shallow" in told
    assert "failure" not in ci(world, "report.xml", "--review", "origin/release...", code=3)


def test_a_branch_from_before_the_memory_is_not_reviewed_and_all_else_is_told(
    world: "Checkout", tmp_path: Path
) -> None:
    target = tmp_path / "out.md"
    world.git("checkout", "-q", "-b", "old", world.git("rev-list", "--max-parents=0", "main"))
    world.add("shop.py", "prices = []\n")
    world.commit("without a memory")
    world.git("checkout", "-q", "main")
    span = "main...old"
    told = ci(world, "report.xml", "--review", span, "--summary", str(target))
    assert "2 failures, 1 seen before" in told
    assert "not reviewed: there was no memory in .memory at " in told
    assert "Not reviewed: there was no memory" in target.read_text()
    data = json.loads(ci(world, "report.xml", "--review", span, "--json"))
    assert data["review"] is None
    assert data["unreviewed"].startswith("there was no memory")
    assert json.loads(ci(world, "--json"))["unreviewed"] == ""


@sampled(2)
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("nowhere.xml",), 2, "can't read nowhere.xml"),
        (("report.xml", "--summary", "nowhere/x.md"), 6, "can't write nowhere/x.md"),
        (("--review", "nowhere..HEAD"), 3, "no revision nowhere"),
        (("--fail-on", "sometimes"), 2, "sometimes"),
    ],
)
def test_what_can_not_be_done_is_told_in_a_line(
    world: "Checkout", arguments: tuple[str, ...], code: int, said: str
) -> None:
    told = ci(world, *arguments, code=code)
    assert said in told
    assert "Traceback" not in told


def test_a_report_that_was_cut_off_does_not_hide_the_others(
    world: "Checkout", tmp_path: Path
) -> None:
    target = tmp_path / "out.md"
    cut = world.add("cut.xml", (world / "report.xml").read_text()[:-40])
    sarif = world.add("cut.sarif", '{"$schema": "sarif-2.1.0.json", "version": "2.1.0", "runs": [')
    told = ci(world, cut.name, sarif.name, "report.xml", "--summary", str(target), code=1)
    assert "2 failures, 1 seen before, 2 of the reports not read" in told
    text = target.read_text()
    for name, form in ((cut.name, "JUnit XML"), (sarif.name, "SARIF")):
        assert f"- **{name}** was not read: this is not {form} that can be read" in text
    assert "give 0 for no prices" in text
    data = json.loads(ci(world, "cut.xml", "--json", "--fail-on", "never"))
    assert [one["name"] for one in data["unread"]] == ["cut.xml"]
    ci(world, "cut.xml", "--fail-on", "known")
    ci(world, "cut.xml", "--summary", str(tmp_path / "none.md"), code=1)
    assert (tmp_path / "none.md").read_text().startswith("### gitmem: no failure that could be rea")


def test_a_summary_has_an_end(world: "Checkout", tmp_path: Path) -> None:
    with Memory.open(str(world)) as memory:
        memory.records.writer.add_all(
            "decision", [{"title": f"{n} " + "x" * 190, "decision": "y" * 400} for n in range(300)]
        )
        memory.records.writer.add_all(
            "error", [{"title": f"{n} " + "x" * 190, "message": f"m{n} " * 60} for n in range(300)]
        )
    world.commit("much")
    target = tmp_path / "out.md"
    ci(world, "--review", "HEAD~1", "--summary", str(target))
    assert len(target.read_text()) < 65_000
    assert "and 280 more" in target.read_text()


def line_of_a_job(world: "Checkout", line: str, **environ: str) -> str:
    """Run a line as a job would, in bash that stops at the first failure."""
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", line], cwd=world, capture_output=True, text=True,
        env={**os.environ, "PATH": f"{on_path()}{os.pathsep}{os.environ['PATH']}", **environ},
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_example_of_github_tells_what_is_known(world: "Checkout", tmp_path: Path) -> None:
    example = yaml.safe_load((EXAMPLES / "github-actions.yml").read_text())
    assert example["permissions"] == {"contents": "read"}
    steps = example["jobs"]["tests"]["steps"]
    (step,) = [step for step in steps if step.get("name") == "What is known"]
    assert step["if"] == "always()"
    summary = tmp_path / "summary.md"
    base = world.git("rev-parse", "HEAD~1")
    line_of_a_job(world, step["run"], BASE=base, GITHUB_STEP_SUMMARY=str(summary))
    text = summary.read_text()
    assert "give 0 for no prices" in text
    assert "New errors, and what was tried" in text
    (world / "report.xml").unlink()
    line_of_a_job(world, step["run"], BASE=base, GITHUB_STEP_SUMMARY=str(summary))


def test_the_action_tells_what_is_known(world: "Checkout", tmp_path: Path) -> None:
    action = yaml.safe_load((EXAMPLES.parents[1] / "action.yml").read_text())
    install, step = action["runs"]["steps"]
    told = set(re.findall(r"inputs\.([\w-]+)", json.dumps(action)))
    assert told == action["inputs"].keys()
    program = "$RUNNER_TEMP/gitmem/bin"
    assert program in install["run"]
    (tmp_path / "gitmem" / "bin").mkdir(parents=True)
    (tmp_path / "gitmem" / "bin" / "gitmem").symlink_to(Path(on_path()) / "gitmem")
    summary = tmp_path / "summary.md"
    given = {"RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": str(summary), "REVIEW": "",
             "BASE": world.git("rev-parse", "HEAD~1"), "FAIL_ON": "never\n"}  # fmt: skip
    (world / "a b").mkdir()
    (world / "report.xml").rename(world / "a b" / "report.xml")
    line_of_a_job(world, step["run"], FILES="none.log\n**/report.xml\n", **given)
    text = summary.read_text()
    assert "give 0 for no prices" in text
    assert "New errors, and what was tried" in text
    line_of_a_job(world, step["run"], FILES="", **(given | {"REVIEW": "none"}))
    assert "no failure" in summary.read_text()[len(text) :]


def test_the_example_of_gitlab_tells_what_is_known(world: "Checkout") -> None:
    example = yaml.safe_load((EXAMPLES / "gitlab-ci.yml").read_text())
    for line in example["tests"]["after_script"]:
        line_of_a_job(world, line)
    assert "give 0 for no prices" in (world / "memory.md").read_text()
    install, review = example["memory"]["script"]
    assert install == "pip install gitmem-native"
    line_of_a_job(world, review, CI_MERGE_REQUEST_DIFF_BASE_SHA=world.git("rev-parse", "HEAD~1"))
    assert "New errors, and what was tried" in (world / "review.md").read_text()


_EMPTY = '<testsuites name="jest tests" tests="0" failures="0" errors="0" time="3.245"/>'
_GREEN = '<testsuite name="x" tests="1"><testcase classname="a" name="adds"/></testsuite>'


def test_a_report_without_a_test_is_named(world: "Checkout") -> None:
    """A file that does not compile leaves nothing in some reports: it was "0 failures"."""
    (world / "empty.xml").write_text(_EMPTY)
    said = ci(world, "empty.xml")
    assert "empty.xml tells of no test" in said
    assert "1 of the reports without a test" in said
    assert json.loads(ci(world, "empty.xml", "--json"))["empty"] == ["empty.xml"]


def test_an_empty_report_is_named(world: "Checkout") -> None:
    """PHPUnit opens it first: of a run that died in a test it leaves nothing, "0 failures"."""
    (world / "died.xml").write_text("")
    assert "died.xml tells of no test" in ci(world, "died.xml")


def test_a_green_report_beside_a_red_log_is_named(world: "Checkout", tmp_path: Path) -> None:
    """Nothing said that the report and the log are about two different outcomes."""
    (world / "green.xml").write_text(_GREEN)
    summary = tmp_path / "summary.md"
    said = ci(world, "green.xml", "build.log", GITHUB_STEP_SUMMARY=str(summary))
    assert "green.xml tells of no failure" in said
    assert "tells of no failure" in summary.read_text()
    assert "tells of no failure" not in ci(world, "green.xml")


def test_a_failure_of_a_report_and_its_log_is_one(repo: "Checkout") -> None:
    """One failing test was two failures and two equal blocks, as it was in both files."""
    Memory.init(str(repo))
    repo.add(
        "test_till.py",
        "def test_sum():\n    assert 1 + 1 == 3\n\nclass TestTill:\n"
        "    def test_key(self):\n        raise KeyError('tea')\n",
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junit-xml=report.xml"],
        cwd=repo, capture_output=True, text=True, check=False,
    )  # fmt: skip
    (repo / "build.log").write_text(done.stdout)
    told = json.loads(ci(repo, "report.xml", "build.log", "--json", "--summary", "s.md"))
    assert len(told["failures"]) == 2
    summary = (repo / "s.md").read_text()
    assert "2 failures" in summary
    assert summary.count("KeyError") == 1
    assert "test_till.py:2" in summary  # where, so that a block can be told from another


def test_equal_names_of_two_reports_are_two_failures(repo: "Checkout") -> None:
    Memory.init(str(repo))
    case = (
        '<testcase classname="{}" name="test_total" file="{}.py"><failure message="assert 1 == 2"'
    )
    case += ">assert 1 == 2</failure></testcase>"
    for name in ("shop", "bank"):
        text = f'<testsuite name="pytest" tests="1" failures="1">{case.format(name, name)}'
        (repo / f"{name}.xml").write_text(f"{text}</testsuite>")
    assert len(json.loads(ci(repo, "shop.xml", "bank.xml", "--json"))["failures"]) == 2
