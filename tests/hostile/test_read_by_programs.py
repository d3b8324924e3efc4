"""What a job's log or a terminal obeys comes out of no command, wherever in a memory it stands.

Every command of ``test_ways_out.COMMANDS`` is asked in a repository in which records, the journal,
drafts, commits, authors and names of files say such things.
"""

import re
from typing import TYPE_CHECKING

import pytest

from gitmem.memory import Memory
from tests.depth import sampled
from tests.e2e.running import ok, run
from tests.e2e.test_job_logs import OBEYED
from tests.hostile.test_ways_out import COMMANDS, filled, names_of

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

pytestmark = [pytest.mark.usefixtures("sealed_git"), pytest.mark.timeout(300)]

# At the beginning of a text, of a line of it, in the middle; for GitHub, Azure, TeamCity,
# Buildkite, GitLab; and for terminals, the last by a sign of eight bits.
_SAID = (
    "##vso[task.complete result=Succeeded;]x ##teamcity[message text='x'] ##[error]x\r"
    "::add-mask::x\n::error file=shop.py::x\n  ::stop-commands::x\n\t::set-output name=a::b\n"
    "section_start:1560896352:x\r\n^^^ +++\n~~~ x\n"
    "\x1b]0;title\x07\x1b[2J\x9b31m\u202eend"
)
_LINE = "::add-mask::x " + " ".join(_SAID.split())
_ACTS = re.compile("[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u202e]|\x1b(?!\\[[0-9;]*m)")
_TRACE = 'Traceback (most recent call last):\n  File "shop.py", line 1, in buy\nAuthError: {}\n'


def speak(repo: "Checkout") -> None:
    """Make a memory in which each text says what some reader of it obeys."""
    ok(repo, "init")
    repo.add("shop.py", f"# {_LINE}\nraise OSError('''login refused {_LINE}''')\n")
    repo.add("README.md", f"# Shop\n\n{_SAID}\n")
    repo.add("CHANGELOG.md", f"## 1.0 - 2026-01-01\n\n### Fixed\n\n- Login {_LINE}\n")
    repo.add("docs/0001-login.md", f"# 1. Login\n\nDate: 2026-01-01\n\n{_SAID}\n")
    repo.add("run.log", _TRACE.format(f"login refused {_LINE}"))
    repo.add("::error::x ##vso[x]\x1b[2J.py", "price = 1\n")
    repo.commit("begin")
    repo.git("checkout", "-qb", "##teamcity-##vso-x")
    repo.git("config", "user.name", _LINE)
    with Memory.open(str(repo)) as memory:
        fields = {"error_type": "AuthError", "message": f"login refused {_SAID}", "cause": _LINE,
                  "excerpt": _SAID, "location": {"file": "shop.py", "line": 1}}  # fmt: skip
        error = memory.add("error", fields)
        memory.add("error", fields | {"message": f"login\n{_SAID}", "error_type": _LINE})
        memory.resolve(error.id, {"title": _LINE, "approach": _SAID, "notes": _SAID,
                                  "outcome": "worked", "patch": "--- a/shop.py\n+++ b/shop.py\n"
                                  "@@ -1 +1 @@\n-raise OSError('login refused')\n"
                                  f"+key = '{_LINE}'\n"})  # fmt: skip
        memory.add("decision", {"title": _LINE, "decision": _SAID, "governs": ["shop.py"]})
        memory.add("pattern", {"title": _LINE, "code": _SAID, "tags": ["##vso[x]", "::error::x"]})
        memory.add("note", {"title": f"Login {_LINE}", "body": _SAID})
        memory.add("note", {"title": "Old login", "body": _SAID})
    ok(repo, "session", "start", _SAID)
    ok(repo, "session", "log", "decision", _SAID)
    ok(repo, "session", "end", "--success")
    repo.commit(f"careless\n\n{_SAID}")
    with Memory.open(str(repo)) as memory:
        (old,) = [row.id for row in memory.list() if row.title == "Old login"]
    ok(repo, "archive", old, "--yes")
    repo.commit(_LINE)


@pytest.fixture
def speaking(repo: "Checkout", built: "Built") -> "Checkout":
    built(repo, speak)
    for text in (f"raise OSError('''login refused {_LINE}''')\n", f"key = 1  # {_LINE}\n",
                 f"raise KeyError('''{_LINE}''')\n"):  # fmt: skip
        (repo / "shop.py").write_text(text)
        run(repo, "run", "--", "python3", "shop.py", env={"GITMEM_CAPTURE_MODE": "draft"})
    ok(repo, "session", "start", f"look {_SAID}")
    ok(repo, "session", "log", "decision", _SAID)
    return repo


@sampled(6)
@pytest.mark.parametrize("command", [text for text in COMMANDS if not text.startswith("run ")])
def test_no_command_prints_what_its_reader_obeys(speaking: "Checkout", command: str) -> None:
    names = names_of(speaking)
    words = [filled(word.strip("'"), names) for word in re.findall(r"'[^']*'|\S+", command)]
    if "draft.yaml" in words:
        speaking.add("draft.yaml", ok(speaking, "drafts", "show", names["draft"]))
    if "edited.yaml" in words:
        speaking.add("edited.yaml", ok(speaking, "show", names["note"], "--yaml"))
    for variables in ({"NO_COLOR": "1"}, {"TF_BUILD": "True", "GITHUB_ACTIONS": "true"}):
        answer = run(speaking, *words, env=variables)
        for stream in (answer.out, answer.err):
            assert not OBEYED.search(stream), answer
            assert not _ACTS.search(stream.replace("\r\n", "\n")), answer
