"""A memory that stays open answers as one that was just opened, whatever others did meanwhile."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.mcp.advising import of_focus
from gitmem.memory import Memory
from gitmem.memory.anchors import anchor_memo
from gitmem.memory.writing.session_records import produced
from gitmem.render.assistant_advice import patterns
from gitmem.render.review import markdown
from tests.answers import fill
from tests.depth import amount, deep, only_deep

if TYPE_CHECKING:
    from tests.conftest import Checkout

_TOP = Path(__file__).parents[2]
_OUTPUT = """\
Traceback (most recent call last):
  File "src/weigh.py", line 2, in weigh
    return parcel
ValueError: no parcel
"""
Anew = Callable[[], dict[str, Any]]
_FRESH = "from tests.integration.test_asked_again import tell; tell()"

pytestmark = pytest.mark.timeout(300)


def answers(memory: Memory) -> dict[str, Any]:
    """Ask everything that is kept between questions."""
    (live,) = memory.sessions.live(everywhere=True)
    status = memory.sessions.status(live.id, compare=True)
    draft = memory.sessions.draft(live.id, produced=lambda made: produced(memory.workspace, made))
    return {
        "review": markdown(memory.history.review()),
        "last": markdown(memory.history.review("HEAD^!")),
        "worktree": markdown(memory.history.review(worktree=True)),
        "patterns": [
            part.text
            for part in patterns(memory.code.profile(), memory.statistics.recurring(5)).parts
        ],
        "recurring": [repr(one) for one in memory.statistics.recurring(5, "type:ValueError")],
        "context": [part.text for part in of_focus(memory, "", 2000).parts],
        "focus": [part.text for part in of_focus(memory, "connection refused", 2000).parts],
        "status": [repr(status.changes), list(status.gaps)],
        "draft": [repr(draft.changes), draft.branch, draft.summary.partition("\n\n")[2]],
    }


def tell() -> None:
    """Answer each line in a process of its own, which has kept nothing."""
    for folder in sys.stdin:
        child = os.fork()
        if not child:
            with Memory.open(folder.rstrip("\n")) as memory:
                sys.stdout.write(json.dumps(answers(memory)) + "\n")
                sys.stdout.flush()
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            return


@pytest.fixture
def anew(repo: "Checkout") -> Iterator[Anew]:
    """Give what asks everything of a memory that was just opened."""
    child = subprocess.Popen(
        [sys.executable, "-c", _FRESH], cwd=_TOP, env={**os.environ, "PYTHONPATH": str(_TOP)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip

    def asked() -> dict[str, Any]:
        assert child.stdin
        assert child.stdout
        child.stdin.write(f"{repo}\n")
        child.stdin.flush()
        found: dict[str, Any] = json.loads(child.stdout.readline())
        return found

    yield asked
    child.communicate()


@pytest.fixture
def warm(repo: "Checkout", monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """Give a memory that is asked again and again; what is young is kept, too."""
    monkeypatch.setattr(anchor_memo, "_YOUNG_NS", -(10**12))
    fill(repo)
    repo.add("README.md", "# Parcels\n\nThey are weighed here.\n")
    repo.add("src/weigh.py", "def weigh(parcel: int) -> int:\n    return parcel\n")
    with Memory.open(str(repo)) as memory:
        for number in range(4):
            failure = {"error_type": "ValueError", "message": "no parcel", "excerpt": _OUTPUT}
            memory.add("error", {**failure, "subject": f"s{number}"})
    repo.commit("code")
    with Memory.open(str(repo)) as memory:
        memory.checks.watch_incrementally()
        memory.sessions.start("weigh parcels")
        yield memory


def _records(repo: "Checkout") -> list[Path]:
    return sorted((repo / ".memory").rglob("*-*.yaml"))


def _in_place(repo: "Checkout") -> None:
    """Change a title and neither size nor time of the file."""
    file = _records(repo)[0]
    before = file.stat()
    text = file.read_bytes()
    at = text.index(b"title: ") + len(b"title: ") + 1
    file.write_bytes(text[:at] + bytes([ord("x") if text[at] != ord("x") else ord("y")])
                     + text[at + 1 :])  # fmt: skip
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def _new(repo: "Checkout", folder: str = "notes/2026/01", tail: str = "a") -> str:
    name = f"note-{tail * 10}"
    repo.add(f".memory/{folder}/{name}.yaml", (
        f"id: {name}\nkind: note\ntitle: a note {tail}\ncreated: '2026-01-02T03:04:05Z'\n"
        "author:\n  name: Ada Lovelace\n  email: ada@example.com\nbody: words\n"))  # fmt: skip
    return f".memory/{folder}/{name}.yaml"


def _by_another(repo: "Checkout", kind: str, **fields: object) -> None:
    with Memory.open(str(repo)) as other:
        other.add(kind, fields)


def _fix(repo: "Checkout") -> None:
    with Memory.open(str(repo)) as other:
        (error,) = other.list("kind:error type:ValueError", limit=1)
        other.resolve(error.id, {"approach": "ask for a parcel first"})


def _session_record(repo: "Checkout") -> None:
    with Memory.open(str(repo)) as other:
        (live,) = other.sessions.live(everywhere=True)
        other.add("decision", {"title": "Weigh twice", "decision": "twice", "session": live.id})


def _tag(repo: "Checkout") -> None:
    repo.git("tag", "-a", "-m", "one", "v1")


def _chmod(repo: "Checkout") -> None:
    _records(repo)[1].chmod(0o755)


def _replace(repo: "Checkout") -> None:
    repo.git("replace", "--graft", "HEAD")


def _link(repo: "Checkout") -> None:
    file = repo / "src/weigh.py"
    file.rename(repo / "src/scales.py")
    file.symlink_to("scales.py")


_CHANGES: tuple[Callable[["Checkout"], object], ...] = (
    _in_place,
    _chmod,
    lambda repo: repo.git("add", "-A"),
    lambda repo: repo.git("reset", "-q"),
    _new,
    lambda repo: repo.add(".memory/notes/2026/01/.gitignore", "note-aa*\n"),
    lambda repo: repo.add(".memory/notes/2026/01/.gitignore", "note-bb*\n"),
    lambda repo: (repo / ".memory/notes/2026/01/.gitignore").unlink(),
    lambda repo: repo.add(".gitignore", ".memory/notes\n"),
    lambda repo: (repo / ".gitignore").unlink(),
    lambda repo: Path(repo, ".git/info/exclude").write_text("note-a*\n"),
    lambda repo: Path(repo, ".git/info/exclude").write_text("note-b*\n"),
    lambda repo: (repo.add("others", "note-a*\n"),
                  repo.git("config", "core.excludesFile", str(repo / "others"))),
    lambda repo: repo.add("others", "note-b*\n"),
    lambda repo: repo.git("config", "core.fileMode", "false"),
    lambda repo: repo.git("config", "core.fileMode", "true"),
    lambda repo: repo.commit("a note"),
    lambda repo: repo.git("switch", "-q", "-c", "work"),
    lambda repo: repo.add("src/weigh.py", "def weigh(some_parcel):\n    return 1\n"),
    lambda repo: repo.add("src/more.py", "import json\n\n\nclass Scales:\n    pass\n"),
    lambda repo: repo.git("add", "-A"),
    lambda repo: repo.add(".gitattributes", "src/more.py linguist-generated\n"),
    lambda repo: repo.add(".gitattributes", "src/more.py linguist-genarated\n"),
    _link,
    lambda repo: repo.commit("code of the branch"),
    lambda repo: repo.add("package.json", '{"dependencies": {"left": "1"}}'),
    lambda repo: repo.commit("dependencies"),
    _tag,
    _fix,
    lambda repo: _by_another(repo, "error", error_type="ValueError", message="no parcel"),
    _session_record,
    lambda repo: repo.commit("records of the branch"),
    lambda repo: repo.git("commit", "-q", "--amend", "-m", "with another message"),
    lambda repo: (repo / _new(repo, "errors/2031/07", "k")).unlink(),
    lambda repo: _new(repo, "patterns/2031/07", "m"),
    lambda repo: repo.git("mv", ".memory/decisions", "elsewhere"),
    lambda repo: repo.git("mv", "elsewhere", ".memory/decisions"),
    lambda repo: _records(repo)[2].unlink(),
    lambda repo: repo.git("rm", "-q", "--cached", str(_records(repo)[3])),
    lambda repo: repo.git("checkout", "-q", "-f", "main"),
    lambda repo: repo.git("merge", "-q", "--no-ff", "-m", "merged", "work"),
    lambda repo: repo.git("reset", "-q", "--hard", "HEAD^"),
    lambda repo: repo.git("switch", "-q", "work"),
    lambda repo: repo.git("update-ref", "refs/heads/main", "work^"),
    lambda repo: repo.git("update-ref", "refs/remotes/origin/main", "work~2"),
    lambda repo: repo.git("pack-refs", "--all"),
    lambda repo: repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/heads/work"),
    lambda repo: repo.git("symbolic-ref", "-d", "refs/remotes/origin/HEAD"),
    _replace,
    lambda repo: repo.git("replace", "-d", repo.git("rev-parse", "HEAD")),
    lambda repo: repo.git("checkout", "-q", "--detach"),
    lambda repo: repo.git("gc", "-q", "--prune=now"),
    lambda repo: repo.git("update-index", "--assume-unchanged", "README.md"),
)  # fmt: skip


@deep
@only_deep
def test_each_change_shows_in_the_next_answers(repo: "Checkout", warm: Memory, anew: Anew) -> None:
    before = answers(warm)
    assert before == anew()
    seen = {json.dumps(before)}
    for number, change in enumerate(_CHANGES):
        change(repo)
        now = answers(warm)
        assert now == anew(), f"change {number}"
        seen.add(json.dumps(now))
    assert len(seen) > len(_CHANGES) / 2  # most of them do make a difference


@deep
def test_random_changes_show_in_the_next_answers(
    repo: "Checkout", warm: Memory, anew: Anew
) -> None:
    random = Random(5)
    answers(warm)
    for number in range(amount(share=5, ci=12, whole=120)):
        for _ in range(random.randrange(1, 4)):
            random.choice((
                lambda: _in_place(repo),
                lambda: _new(repo, tail=random.choice("abcdefgh")),
                lambda: repo.commit("all"),
                lambda: repo.git("add", "-A"),
                lambda: repo.git("checkout", "-q", "-f", "-B", random.choice("vwx")),
                lambda: repo.git("reset", "-q", "--hard", "HEAD"),
                lambda: repo.add(f"src/{random.choice('pq')}.py", f"x{random.random()} = 1\n"),
                lambda: _by_another(repo, "error", error_type="ValueError", message="no parcel"),
            ))()  # fmt: skip
        assert answers(warm) == anew(), f"round {number}"


def test_what_nobody_touched_is_not_asked_of_git_again(
    repo: "Checkout", warm: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    start = subprocess.Popen.__init__

    def noted(process: Any, arguments: list[str], *others: Any, **options: Any) -> None:
        asked.append(" ".join(arguments))
        start(process, arguments, *others, **options)

    def commands() -> list[str]:
        asked.clear()
        warm.history.review()
        warm.code.profile()
        warm.statistics.recurring(5)
        return [one for one in asked if any(f" {long} " in one for long in ("diff", "log"))
                or ("ls-files" in one and ".memory" in one)]  # fmt: skip

    monkeypatch.setattr(subprocess.Popen, "__init__", noted)
    assert len(commands()) >= 3
    assert not [one for one in commands() if " diff " in one or " log " in one or "--stage" in one]
    _new(repo)
    (compared,) = [one for one in commands() if " diff " in one]
    assert compared.endswith("note-aaaaaaaaaa.yaml")  # and no other file


def test_a_review_leaves_the_index_alone(repo: "Checkout", warm: Memory) -> None:
    before = (repo / ".git/index").stat()
    for file in _records(repo):
        os.utime(file)  # what git would note down
    assert "not committed" not in markdown(warm.history.review())
    after = (repo / ".git/index").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
