"""``gitmem run --task``: a command as a task; stored steps are run after a yes and never else."""

from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory
from tests.depth import sampled
from tests.e2e.running import NOT_FOUND, USAGE, Terminal, complains, ok, run

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

# Fails until the file "warm" is there.
WORK = (
    "import os, sys\nif not os.path.exists('warm'):\n    raise LookupError('the cache is cold')\n"
)


@pytest.fixture
def here(repo: "Checkout", built: "Built") -> "Checkout":
    return built(repo, begin)


def begin(repo: "Checkout") -> None:
    ok(repo, "init")
    repo.add("work.py", WORK)
    repo.commit()


def records(folder: "Checkout", filters: str) -> list[Any]:
    with Memory.open(str(folder)) as memory:
        return [memory.show(row.id).record for row in memory.list(filters, sort="oldest")]


def solved(here: "Checkout", *steps: str) -> str:
    """The failure with a fix that worked; gives the fix's id."""
    assert run(here, "run", "--task", "warm up", "--", "python", "work.py").code == 1
    with Memory.open(str(here)) as memory:
        (error,) = memory.list("kind:error")
        return memory.resolve(error.id, {"approach": "warm it", "steps": list(steps)}).id


def test_a_command_becomes_a_session_and_keeps_its_exit_code(here: "Checkout") -> None:
    here.add("warm", "")
    done = run(
        here, "run", "--task", "warm up the cache", "--category", "backend", "--type", "chore",
        "--effort", "2", "--depends", "redis", "--approach", "parallel", "--tag", "cache", "--",
        "python", "work.py",
    )  # fmt: skip
    assert (done.code, done.out, done.err) == (0, "", "")
    (session,) = records(here, "kind:session")
    assert (session.goal, session.success, session.approach) == (
        "warm up the cache", True, "parallel",
    )  # fmt: skip
    assert (session.task.category, session.task.type) == ("backend", "chore")
    assert (session.task.effort, session.task.dependencies) == (2.0, ("redis",))
    assert (session.tools_used, session.tags) == (("python",), ("cache",))
    assert session.metrics == {"exit_code": 0}


def test_a_failure_is_recorded_with_its_error(here: "Checkout") -> None:
    done = run(here, "run", "--task", "warm up", "--", "python", "work.py")
    assert done.code == 1
    assert "LookupError" in done.err
    (session,) = records(here, "kind:session")
    (error,) = records(here, "kind:error")
    assert (session.success, session.metrics) == (False, {"exit_code": 1})
    assert (error.error_type, error.session) == ("LookupError", session.id)


def test_nobody_who_could_answer_means_that_nothing_is_run(here: "Checkout") -> None:
    solved(here, "touch warm")
    done = run(here, "run", "--task", "warm up", "--", "python", "work.py")
    assert done.code == 1
    assert "warm it" in done.err
    assert not (here / "warm").exists()
    assert len(records(here, "kind:fix")) == 1


def test_after_a_yes_the_steps_are_run_and_the_command_again(here: "Checkout") -> None:
    fix = solved(here, "touch warm")
    terminal = Terminal(here, "run", "--task", "warm up", "--", "python", "work.py")
    terminal.until("then the command again? [y/N]")
    assert "  $ touch warm" in terminal.said
    terminal.press("y\n")
    assert terminal.end().code == 0
    session = records(here, "kind:session")[-1]
    assert (session.success, session.approach) == (True, "standard_recovered")
    assert session.success_factors[0] == "error_recovery"
    again = records(here, "kind:fix")[-1]
    assert (again.reuses, again.outcome) == (fix, "worked")


def test_after_a_no_nothing_is_run(here: "Checkout") -> None:
    solved(here, "touch warm")
    terminal = Terminal(here, "run", "--task", "warm up", "--", "python", "work.py")
    terminal.until("[y/N]")
    terminal.press("\n")
    assert terminal.end().code == 1
    assert not (here / "warm").exists()


def test_a_step_that_fails_is_recorded_as_a_fix_that_failed(here: "Checkout") -> None:
    fix = solved(here, "exit 3", "touch warm")
    terminal = Terminal(here, "run", "--task", "warm up", "--", "python", "work.py")
    terminal.until("[y/N]")
    terminal.press("y\n")
    assert terminal.end().code == 1
    assert not (here / "warm").exists()
    again = records(here, "kind:fix")[-1]
    assert (again.reuses, again.outcome) == (fix, "failed")
    assert again.why_failed == "the step exited with 3: exit 3"


@sampled(1)
@pytest.mark.parametrize("step", ["touch warm\n# and more", "touch warm # \u202eelif"])
def test_what_can_not_be_shown_as_it_is_is_never_run(here: "Checkout", step: str) -> None:
    solved(here, step)
    terminal = Terminal(here, "run", "--task", "warm up", "--", "python", "work.py")
    done = terminal.end()
    assert done.code == 1
    assert "can't be shown as they are" in done.out
    assert not (here / "warm").exists()


def test_options_of_a_task_without_one_are_refused(here: "Checkout") -> None:
    complains(run(here, "run", "--category", "docs", "--", "true"), USAGE, "--task")
    complains(run(here, "run", "--task", " ", "--", "true"), USAGE, "description")


def test_the_options_of_the_command_stay_its_own(here: "Checkout") -> None:
    done = run(here, "run", "python", "-c", "import sys; print(sys.argv[1:])", "--task", "x")
    assert (done.code, done.out) == (0, "['--task', 'x']\n")
    assert records(here, "kind:session") == []


@pytest.mark.parametrize(
    ("words", "code"),
    [(["no-such-program"], 127), (["sh", "-c", "no-such-program"], 127), (["./work.py"], 126)],
    ids=["missing", "shell", "not-executable"],
)
def test_a_command_that_can_not_be_started_says_nothing_of_an_approach(
    here: "Checkout", words: list[str], code: int
) -> None:
    done = run(here, "run", "--task", "call it", "--approach", "by hand", "--", *words)
    assert done.code == code
    assert done.code != NOT_FOUND
    (session,) = records(here, "kind:session")
    assert (session.success, session.metrics) == (None, {"exit_code": code})
    assert records(here, "kind:error") == []
    assert "by hand" not in ok(here, "advise", "--task", "call it")


@pytest.mark.parametrize("step", ["no-such-program --clear", "./work.py"])
def test_a_fix_whose_step_can_not_be_started_was_not_tried(here: "Checkout", step: str) -> None:
    solved(here, step)
    terminal = Terminal(here, "run", "--task", "warm up", "--", "python", "work.py")
    terminal.until("[y/N]")
    terminal.press("y\n")
    done = terminal.end()
    assert done.code == 1
    assert "the fix was not tried: the step exited with 12" in done.out
    assert len(records(here, "kind:fix")) == 1
