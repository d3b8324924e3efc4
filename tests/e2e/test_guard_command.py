"""``gitmem guard`` as people and programs call it."""

import json
import sys
from typing import TYPE_CHECKING

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
