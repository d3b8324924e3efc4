"""``gitmem guard`` as people and programs call it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.memory import Memory
from tests.e2e.running import USAGE, complains, ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

BROKEN = "def share(total, people):\n    paid = round(total)\n    return paid / people\n"
FIXED = BROKEN.replace("    return", "    if people < 1:\n        return paid\n    return")


def test_what_is_told_refused_and_meant(repo: "Checkout") -> None:
    Memory.init(str(repo))
    repo.add("cart.py", BROKEN)
    repo.commit("a cart")
    repo.add("cart.py", FIXED)
    with Memory.open(str(repo)) as memory:
        error = memory.add("error", {"title": "division by zero", "message": "division by zero"})
        fix = memory.resolve(error.id, {"approach": "ask", "patch": repo.git("diff") + "\n"})
    repo.commit("fixed")
    assert run(repo, "guard", "--fail") == (
        0,
        "",
        "note: no fix is taken back, of 0 fixes in 0 files\n",
    )
    repo.add("cart.py", BROKEN)
    whole = run(repo, "guard", "--all", "--fail")
    first, second = whole.out.splitlines()
    assert (whole.code, first) == (1, f"cart.py:3  sure:  takes back {fix.id}  ask")
    assert f"{error.id}: division by zero, seen " in second
    diff = repo.git("diff") + "\n"
    assert run(repo, "guard", "-", stdin=diff).out == whole.out
    (taken,) = json.loads(ok(repo, "guard", "--all", "--json"))["taken_back"]
    assert (taken["fix"]["id"], taken["path"], taken["line"], taken["how"]) == (
        fix.id, "cart.py", 3, "back",
    )  # fmt: skip
    ok(repo, "guard", "--meant", fix.id, "--why", "nobody is alone")
    assert run(repo, "guard", "--all", "--fail").code == 0


def test_what_makes_no_sense_is_a_line(repo: "Checkout") -> None:
    Memory.init(str(repo))
    complains(run(repo, "guard", "HEAD", "--all"), USAGE)
    complains(run(repo, "guard", "--why", "x"), USAGE)
    complains(run(repo, "guard", "-", stdin=""), USAGE)
    complains(run(repo, "guard", "-", stdin=b"x" * (17 << 20)), USAGE)
    assert run(repo, "guard", "-", stdin=b"\x00\xff\n@@ -1 +1 @@\n").code == 0


CHECK = "from cart import share\n\nprint(share(1, 0))\n"


def test_what_proved_a_fix_runs_only_if_it_ran_here_before(repo: "Checkout") -> None:
    """Back, still fixed, or unclear: what came of it is read off what it prints."""
    Memory.init(str(repo))
    repo.add("cart.py", BROKEN)
    repo.add("check.py", CHECK)
    repo.commit("a cart")
    command = (sys.executable, "-B", "check.py")
    red = run(repo, "run", *command)
    assert "ZeroDivisionError" in red.out + red.err
    repo.add("cart.py", FIXED)
    ok(repo, "run", *command)
    ok(repo, "drafts", "keep", "--all")
    (fix,) = (line.split()[0] for line in ok(repo, "list", "kind:fix").splitlines())
    repo.commit("fixed")

    def proof() -> str:
        (told,) = json.loads(ok(repo, "guard", "--all", "--run", "--json"))["proofs"]
        return str(told["result"])

    repo.add("cart.py", BROKEN)
    assert proof() == "back"
    assert f"{fix}  back: err-" in ok(repo, "guard", "--all", "--run")
    repo.add("check.py", "raise OSError('no disk')\n")
    assert proof() == "unclear"
    repo.add("check.py", "print(1)\n")
    assert proof() == "still fixed"
    complains(run(repo, "guard", "HEAD", "--run"), USAGE)

    # Another clone has the record, and never ran what it says.
    other = repo.parent / "other"
    repo.add("cart.py", FIXED)
    repo.commit("memory")
    repo.git("clone", "-q", str(repo), str(other))
    (other / "cart.py").write_text(BROKEN)
    (other / "check.py").write_text("open('ran', 'w')\n")
    told = ok(other, "guard", "--all", "--run")
    assert f"{fix}  not run: " in told
    assert not (other / "ran").exists()


NAMED = "\n\ndef name(cart):\n    return cart.owner.name\n"
LOUD = NAMED.replace("owner.name", "owner.name.upper()")


@pytest.fixture
def fix(repo: "Checkout") -> str:
    """Make a repository with a commit that held a fix and another thing; give the fix's id."""
    Memory.init(str(repo))
    repo.add("cart.py", BROKEN + NAMED)
    repo.commit("a cart")
    repo.git("branch", "-q", "old")
    repo.add("cart.py", FIXED + NAMED)
    with Memory.open(str(repo)) as memory:
        error = memory.add("error", {"title": "division by zero", "message": "division by zero"})
        fix = memory.resolve(error.id, {"approach": "ask", "patch": repo.git("diff") + "\n"})
    repo.add("cart.py", FIXED + LOUD)
    repo.git("add", "cart.py")
    repo.git("commit", "-qm", "two things")
    repo.commit("memory")
    return fix.id


def taken_back(repo: "Checkout", *change: str) -> list[str]:
    taken = json.loads(ok(repo, "guard", *change, "--json"))["taken_back"]
    return [each["fix"]["id"] for each in taken]


def merged(repo: "Checkout", theirs: str) -> str:
    """Merge a branch that is older than the fix, and take its file whole; give the range."""
    ours = repo.git("rev-parse", "HEAD").strip()
    repo.git("checkout", "-q", "-b", "topic", "old")
    repo.add("cart.py", theirs)
    repo.commit("topic")
    repo.git("checkout", "-q", ours)
    repo.git("merge", "-q", "-s", "ours", "--no-edit", "--no-commit", "topic")
    repo.git("checkout", "topic", "--", "cart.py")
    repo.git("commit", "-qm", "merge topic")
    return f"{ours}..HEAD"


def test_a_merge_that_takes_a_fix_back_is_told(repo: "Checkout", fix: str) -> None:
    """Both branches changed the file, and whoever merged took the other side."""
    span = merged(repo, BROKEN + NAMED.replace("owner.name", "owner.name.title()"))
    assert taken_back(repo, span) == [fix]


@pytest.mark.xfail(strict=True, reason="of a small fix, too little is left to be known by")
def test_a_merge_that_also_changes_the_line_above_a_small_fix(repo: "Checkout", fix: str) -> None:
    span = merged(repo, BROKEN.replace("round(total)", "round(total, 2)") + NAMED)
    assert taken_back(repo, span) == [fix]


def test_a_revert_of_a_commit_that_held_two_things_is_told(repo: "Checkout", fix: str) -> None:
    repo.git("revert", "--no-edit", "HEAD~1")
    assert taken_back(repo, "HEAD~1..HEAD") == [fix]


def test_a_formatter_says_nothing(repo: "Checkout", fix: str) -> None:
    """What ruff makes of a text that is written in another way keeps the fix."""
    wild = FIXED.replace("(total, people)", "(total,\n    people,)").replace(":\n        ", ": ")
    repo.add("cart.py", wild + LOUD.replace("cart.owner", "( cart . owner )"))
    assert taken_back(repo, "--all") == []
    repo.commit("wild")
    ruff = Path(sys.executable).with_name("ruff")
    subprocess.run([ruff, "format", "-q", "--isolated", "cart.py"], cwd=repo, check=True)
    assert repo.git("diff", "--stat")
    assert taken_back(repo, "--all") == []
    repo.add("cart.py", BROKEN + LOUD)
    assert taken_back(repo, "--all") == [fix]


def test_a_refactoring_that_keeps_the_fix_says_nothing(repo: "Checkout", fix: str) -> None:
    moved = "def each(total, people):\n    return total / people if people >= 1 else total\n"
    kept = "\n\ndef share(total, people):\n    return each(round(total), people)\n"
    repo.add("cart.py", moved + kept + LOUD)
    assert taken_back(repo, "--all") == []
    assert fix in ok(repo, "list", "kind:fix")


def test_large_and_odd_changes_are_a_line(repo: "Checkout", fix: str) -> None:
    """Bytes, a repository within, 5,000 renames, and a diff of 100 MB, whose rest is not read."""
    for at in range(5000):
        repo.add(f"old_place/f{at}.py", f"def f{at}():\n    return {at}\n")
    repo.commit("many")
    repo.git("mv", "old_place", "new_place")
    (repo / "noise.py").write_bytes(bytes(range(256)) * 4096)
    repo.git("init", "-q", "within")
    repo.git("-C", "within", "commit", "-q", "--allow-empty", "-m", "x")
    repo.add("cart.py", BROKEN + LOUD)
    repo.git("-c", "advice.addEmbeddedRepo=false", "add", "-A")
    assert taken_back(repo) == [fix]
    complains(run(repo, "guard", "-", stdin=b"+a line\n" * 12_500_000), USAGE)


EVIL = "import yaml\n\n\ndef read(file):\n    return yaml.load(file)\n"


def test_a_rule_is_proposed_put_into_the_record_and_told(repo: "Checkout") -> None:
    """The lines that are shown are those that a record takes, and what came of it is counted."""
    pytest.importorskip("ast_grep_py")
    Memory.init(str(repo))
    repo.add("config.py", EVIL)
    repo.commit("a reader")
    repo.add("config.py", EVIL.replace("yaml.load", "yaml.safe_load"))
    with Memory.open(str(repo)) as memory:
        error = memory.add("error", {"title": "objects are made", "message": "objects are made"})
        fix = memory.resolve(error.id, {"approach": "safe", "patch": repo.git("diff") + "\n"})
    repo.commit("fixed")
    shown = run(repo, "guard", "--propose", fix.id)
    assert shown.code == 0
    assert shown.err.startswith("note: to have it looked for, put these lines")
    first, *lines = shown.out.splitlines()
    assert first == f"{fix.id}  safe"
    rule = "\n".join(lines[:4]) + "\n"
    assert rule == "guard:\n  tool: ast-grep\n  language: python\n  pattern: yaml.load($A)\n"
    commit = repo.git("rev-parse", "--short", "HEAD~1")
    assert lines[4:] == [
        f"before {fix.id} it matches 1: config.py:5",
        "after it, none",
        "the files of today: none",
        f"of the newest 2 commits it would have told 1: {commit} config.py:5",
    ]
    (path,) = repo.glob(f".memory/**/*{fix.id}.yaml")
    ok(repo, "edit", fix.id, "--from", "-", stdin=path.read_text() + rule)
    assert "it stands in the record" in run(repo, "guard", "--propose", fix.id).err
    repo.add("new.py", EVIL)
    repo.git("add", "-A")
    told = run(repo, "guard", "--fail")
    assert told.code == 1
    assert told.out.startswith(f"new.py:5  sure:  matches the rule of {fix.id}  safe\n")
    assert "it worked; its rule matches here: yaml.load($A)" in told.out
    assert told.err == "note: 1 fix taken back, of 0 fixes and 1 rule in 1 file\n"
    (as_data,) = json.loads(ok(repo, "guard", "--json"))["taken_back"]
    assert (as_data["how"], as_data["rule"]) == ("rule", "yaml.load($A)")
    repo.commit("tidy")
    assert "guards         1 told: 1 committed all the same\n" in ok(repo, "stats")
    guards = json.loads(ok(repo, "stats", "--json"))["guards"]
    assert (guards["told"], guards["committed"], guards["waiting"]) == (1, 1, 0)
    held = json.loads(ok(repo, "guard", "--propose", fix.id, "--json"))
    assert (held["holds"], held["recorded"], held["guard"]["pattern"]) == (
        True, True, "yaml.load($A)",
    )  # fmt: skip


def test_a_rule_that_tells_nothing_apart_is_refused(repo: "Checkout") -> None:
    pytest.importorskip("ast_grep_py")
    Memory.init(str(repo))
    repo.add("cart.py", BROKEN)
    repo.commit("a cart")
    repo.add("cart.py", FIXED)
    guard = {"language": "python", "pattern": "paid = round($A)"}
    with Memory.open(str(repo)) as memory:
        error = memory.add("error", {"title": "division by zero", "message": "division by zero"})
        fields = {"approach": "ask", "patch": repo.git("diff") + "\n", "guard": guard}
        fix = memory.resolve(error.id, fields)
    repo.commit("fixed")
    answer = run(repo, "guard", "--propose", fix.id)
    assert answer.code == 1
    assert "it does not tell the code before from the code after" in answer.err
    complains(run(repo, "guard", "--propose", fix.id, "--all"), USAGE)
    complains(run(repo, "guard", "--propose", fix.id, "--run"), USAGE)
