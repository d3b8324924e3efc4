"""Every test runner: a mend is learnt with its lines, what hides the failure is not."""

import pytest

from tests.scenarios.desk import Desk, Fact
from tests.scenarios.projects import PROJECTS, Project, require

HIDDEN = [(tool, way) for tool, project in PROJECTS.items() for way in project.hidden]


def begin(desk: Desk, project: Project) -> None:
    """Commit a project, and see its test fail."""
    desk.env |= require(project)
    desk.begin()
    for path, text in project.files.items():
        desk.write(path, text)
    desk.repo.commit("a bug")
    desk.red(project.command)


@pytest.mark.parametrize("tool", PROJECTS)
def test_a_mend_is_learnt(desk: Desk, tool: str) -> None:
    project = PROJECTS[tool]
    begin(desk, project)
    mend = project.mend
    desk.swap(*mend)
    desk.green(project.command)
    text = project.files[mend.path]
    before = next(line for line in text.splitlines() if mend.old in line)
    lines = {f"-{' '.join(before.split())}", f"+{' '.join(before.replace(*mend[1:]).split())}"}
    desk.learnt(Fact(project.error, frozenset(lines)))
    # Another test that fails is another failure; the same bug is the same, with its fix.
    desk.swap(*project.other)
    desk.red(project.command)
    desk.tells()
    desk.swap(project.other.path, project.other.new, project.other.old)
    desk.swap(mend.path, mend.new, mend.old)
    desk.red(project.command)
    desk.tells(project.error, mend.path)


@pytest.mark.parametrize(("tool", "way"), HIDDEN)
def test_what_hides_a_failure_is_no_fix(desk: Desk, tool: str, way: str) -> None:
    project = PROJECTS[tool]
    begin(desk, project)
    desk.swap(*project.hidden[way])
    desk.green(project.command)
    desk.silent()
    assert "learnt" not in desk.said
    assert "gitmem: fixed" not in desk.said
